import type { WebhookFormat } from '@tollgate/contract/billing'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import type { WebhookEventType } from '@tollgate/contract/events'
import { FieldErrors } from '../../parts/field-errors.ts'
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
  const errors = new Map<string, string>()
  const words = webhookWords.form.errors
  const chosen = coversInstallation ? events : withoutAccounts(events)
  if (!/^https?:\/\/[^/]/.test(url.trim()) || !URL.canParse(url.trim())) errors.set('url', words.url)
  if (chosen.length === 0) errors.set('events', words.events)
  if (errors.size > 0) throw new FieldErrors(errors)
  return {
    url: url.trim(),
    name: name.trim() || null,
    format,
    events: [...chosen],
    // No other caller may change it.
    ...(administers && { coversInstallation }),
  }
}
