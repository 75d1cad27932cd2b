import type { WebhookEventType, WebhookFormat } from '@tollgate/contract/billing'
import type { BillingAnswer, WebhookDelivery, WebhookEndpoint, WebhookEvent } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { ShownAttempt } from './webhook-attempt.repository.ts'
import { rawBody } from './webhook-body.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'
import type { ShownMessage, Waiting } from './webhook-message.repository.ts'
import { lastOf } from './webhook-signature.ts'
import { wants } from './webhook-types.ts'

/** What the secrets of endpoints are sealed for. */
export const sealedFor = 'webhook-endpoint'

/** The one version of what is sent. */
export const apiVersion = '2026-04'

/** Nothing where it was sealed under a SECRET that is configured no more: a new one can be had. */
function secretOf({ secrets }: Pick<Context, 'secrets'>, { sealedSecret }: EndpointRow): string {
  try {
    return secrets.open(sealedSecret, sealedFor)
  } catch {
    return ''
  }
}

/** Of an address what is no secret of its receiver: whoever knows the rest may write to a channel of Slack or Discord. */
export const hostOf = (url: string): string => `${new URL(url).origin}/…`

/** An endpoint; its address and its secret whole, or the host and the end of it. */
export function toEndpoint(
  ctx: Pick<Context, 'secrets' | 'clock'>,
  row: EndpointRow,
  { pendingCount, stuckCount, stuckSince }: Waiting,
  isWhole: boolean,
): WebhookEndpoint {
  const secret = secretOf(ctx, row)
  const { previousSecretExpiresAt } = row
  const isRotating = previousSecretExpiresAt !== null && previousSecretExpiresAt > ctx.clock.now()
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    url: isWhole ? row.url : hostOf(row.url),
    name: row.name,
    apiVersion,
    format: row.format as WebhookFormat, // written from its schema
    secret: isWhole ? secret : lastOf(secret),
    organizationId: row.organizationId,
    events: [...wants(row)],
    enabled: row.enabled,
    usesStandardWebhookSignature: true,
    coversInstallation: row.coversInstallation,
    disabledReason: row.disabledReason as WebhookEndpoint['disabledReason'], // written by ourselves
    failingSince: row.failingSince?.toISOString() ?? null,
    missedSince: row.missedSince?.toISOString() ?? null,
    previousSecretExpiresAt: isRotating ? previousSecretExpiresAt.toISOString() : null,
    pendingCount,
    stuckCount,
    stuckSince: stuckSince?.toISOString() ?? null,
  }
}

/** An event on its way to an endpoint; what it tells only for whoever may read it. */
export const toEvent = (row: ShownMessage, isReadable: boolean): WebhookEvent => ({
  id: row.eventId,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  type: row.type as WebhookEventType, // messages are written of these alone
  apiVersion,
  lastHttpCode: row.lastHttpCode,
  succeeded: succeeded(row.state),
  skipped: row.state === 'skipped',
  payload: isReadable ? told(row) : null,
  isArchived: row.told === null,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  failingSince: row.state === 'pending' ? (row.firstFailedAt?.toISOString() ?? null) : null,
})

const succeeded = (state: string): boolean | null => (state === 'pending' ? null : state === 'succeeded')

type Telling = Pick<ShownMessage, 'type' | 'told' | 'happenedAt' | 'createdAt'>

/** What is told, as the raw format has it; what opens a checkout is not shown, but sent. */
const told = ({ type, told: payload, happenedAt, createdAt }: Telling): string | null =>
  payload === null ? null : rawBody({ type, createdAt: happenedAt ?? createdAt, payload })

type Delivery = BillingAnswer<'listWebhookDeliveries'>['items'][number]

/** An attempt. */
export const toDelivery = (row: ShownAttempt, isReadable: boolean): Delivery => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: null,
  succeeded: row.succeeded,
  httpCode: row.httpCode,
  response: row.response,
  attempt: row.attempt,
  durationMs: row.durationMs,
  endpointId: row.endpointId,
  webhookEvent: toEvent(
    {
      id: row.messageId,
      sequence: 0,
      endpointId: row.endpointId,
      organizationId: row.organizationId,
      eventId: row.eventId,
      type: row.type,
      subjectId: null,
      payload: null,
      state: row.messageState,
      attempts: row.messageAttempts,
      failures: 0,
      firstFailedAt: row.firstFailedAt,
      nextAttemptAt: row.nextAttemptAt,
      lastHttpCode: row.lastHttpCode,
      createdAt: row.messageCreatedAt,
      modifiedAt: row.messageModifiedAt,
      told: row.told,
      happenedAt: row.happenedAt,
    },
    isReadable,
  ),
})

/** An attempt with what was asked and answered. */
export const toDeliveryDetail = (row: ShownAttempt, isReadable: boolean, body: string | null): WebhookDelivery => ({
  ...toDelivery(row, isReadable),
  request: {
    url: row.url,
    headers: row.requestHeaders as Record<string, string>, // written by ourselves, like those of the answer
    body,
  },
  responseHeaders: row.responseHeaders as Record<string, string> | null,
})
