import type { WebhookFormat } from '@tollgate/contract/billing'
import { webhookSchemas } from '@tollgate/contract/billing-schemas'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import type { WebhookEventType } from '@tollgate/contract/events'
import { contractBody } from '../../parts/contract-body.ts'
import { withoutAccounts } from './webhook-events.ts'
import { webhookWords } from './webhooks.texts.ts'

export type WebhookDraft = {
  readonly url: string
  readonly name: string
  readonly format: WebhookFormat
  readonly events: readonly WebhookEventType[]
  readonly coversInstallation: boolean
}

/** What most programs want to know first: that something was paid, ended or given back. */
const usual: readonly WebhookEventType[] = [
  'order.paid',
  'order.refunded',
  'subscription.active',
  'subscription.canceled',
  'subscription.revoked',
]

export const newWebhook = (): WebhookDraft => ({
  url: '',
  name: '',
  format: 'raw',
  events: usual,
  coversInstallation: false,
})

export const draftOf = ({ url, name, format, events, coversInstallation }: WebhookEndpoint): WebhookDraft => ({
  url,
  name: name ?? '',
  format,
  events,
  coversInstallation,
})

/** The request body. Throws FieldErrors with the server's field names. */
export function bodyOf({ url, name, format, events, coversInstallation }: WebhookDraft, administers: boolean) {
  const body = {
    url: url.trim(),
    name: name.trim() || null,
    format,
    events: [...(coversInstallation ? events : withoutAccounts(events))],
    // No other caller may change it.
    ...(administers && { coversInstallation }),
  }
  return contractBody(formBody, body, webhookWords.form.errors)
}

/** A call may leave an endpoint without events until there are some; the form asks for one. */
const formBody = webhookSchemas.createWebhookEndpoint.body.refine(({ events }) => events.length > 0, {
  path: ['events'],
})
