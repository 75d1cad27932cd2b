import type { BillingAnswer, WebhookDelivery, WebhookEndpoint, WebhookEvent } from '@tollgate/contract/billing-types'
import type { WebhookEventType } from '@tollgate/contract/events'
import type { Context } from '../../../foundation/context.ts'
import type { ShownAttempt } from './webhook-attempt.repository.ts'
import { rawBody } from './webhook-body.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'
import type { ShownMessage, Waiting } from './webhook-message.repository.ts'
import { lastOf } from './webhook-secrets.ts'

/** The purpose that endpoint secrets are sealed for. */
export const sealedFor = 'webhook-endpoint'

/** The only version of the message format. */
export const apiVersion = '2026-04'

/** Null if the SECRET that sealed it is no longer configured: the seller can rotate it. */
function secretOf({ secrets }: Pick<Context, 'secrets'>, { sealedSecret }: EndpointRow): string {
  try {
    return secrets.open(sealedSecret, sealedFor)
  } catch {
    return ''
  }
}

/** The part of a URL that is not secret: with the rest, a reader could post to a Slack or Discord channel. */
export const hostOf = (url: string): string => `${new URL(url).origin}/…`

/** An endpoint; its URL and secret whole, or as the URL's host and the secret's end. */
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
    format: row.format,
    secret: isWhole ? secret : lastOf(secret),
    organizationId: row.organizationId,
    events: row.events,
    enabled: row.enabled,
    usesStandardWebhookSignature: true,
    coversInstallation: row.coversInstallation,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    missedSince: row.missedSince?.toISOString() ?? null,
    previousSecretExpiresAt: isRotating ? previousSecretExpiresAt.toISOString() : null,
    pendingCount,
    stuckCount,
    stuckSince: stuckSince?.toISOString() ?? null,
  }
}

/** A delivery of an event to an endpoint; the payload only for readers of the event type. */
export const toEvent = (row: ShownMessage, isReadable: boolean): WebhookEvent => ({
  id: row.eventId,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  type: row.type as WebhookEventType, // `webhookTypeOf` writes only these
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

/** The payload in the raw format, without the client secret of a checkout that the receiver gets. */
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
      type: row.type as WebhookEventType, // `webhookTypeOf` writes only these
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

/** An attempt with its request and response. */
export const toDeliveryDetail = (
  row: ShownAttempt,
  isReadable: boolean,
  shown: Pick<WebhookDelivery['request'], 'body' | 'isRedacted'>,
): WebhookDelivery => ({
  ...toDelivery(row, isReadable),
  request: {
    url: row.url,
    headers: row.requestHeaders,
    ...shown,
  },
  responseHeaders: row.responseHeaders,
})
