import { webhookFormats } from '@tollgate/contract/billing'
import { disabledReasons } from '@tollgate/contract/billing-schemas'
import type { WebhookEventType } from '@tollgate/contract/events'
import type { PageLocale } from '@tollgate/contract/pages'
import { flag, growing, id, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'

/** A previous secret, sealed, and the ISO time at which it stops signing. */
export type KeptSecret = { readonly sealedSecret: string; readonly expiresAt: string }

export const webhookTables = {
  /** Endpoints that receive a seller's events (billing contract, 3.10). */
  webhookEndpoint: {
    id: id('webhookEndpoint'),
    organizationId: id('organization'),
    /** Also receives the events of all accounts and organizations of the installation. */
    coversInstallation: flag(),
    name: nullable(text()),
    url: text(),
    format: oneOf(webhookFormats),
    sealedSecret: text(),
    /** The previous secret, which signs for one more day (WH-12). */
    sealedPreviousSecret: nullable(text()),
    previousSecretExpiresAt: nullable(time()),
    /** Older secrets that still sign, sealed, newest first (`KeptSecret`). */
    earlierSecrets: nullable(json<KeptSecret[]>()),
    events: json<WebhookEventType[]>(),
    /** The language of mails about the endpoint: its creator's. */
    locale: text<PageLocale>(),
    enabled: flag(),
    disabledReason: nullable(oneOf(disabledReasons)),
    /** Since when every delivery has failed, and how many events failed since then (WH-7). */
    failingSince: nullable(time()),
    failedEvents: integer(),
    /** The time of the oldest event that was given up or skipped; null once all since then were requested again. */
    missedSince: nullable(time()),
    /** Until when deliveries pause: the receiver asked for it, or failed many times in a row. */
    resumeAt: nullable(time()),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  /** An event for an endpoint, written in the event's transaction. The wire carries the event's id, not this one. */
  webhookMessage: {
    id: id('webhookMessage'),
    /** Increases with every message; deliveries follow this order. */
    sequence: growing(),
    endpointId: id('webhookEndpoint'),
    organizationId: id('organization'),
    eventId: id('event'),
    type: text(),
    /** Messages of one object are delivered in order. */
    subjectId: nullable(text()),
    /** The payload that the event's own record lacks: for accounts, organizations and examples. */
    payload: nullable(text()),
    /** `pending`, `succeeded`, `failed` (given up), `skipped` (its endpoint was off). */
    state: oneOf(['pending', 'succeeded', 'failed', 'skipped']),
    /** All attempts, and the failed ones since the last request for it. */
    attempts: integer(),
    failures: integer(),
    /** When the first attempt failed: for a minute, later messages of the same object wait (WH-5). */
    firstFailedAt: nullable(time()),
    nextAttemptAt: nullable(time()),
    lastHttpCode: nullable(integer()),
    ...timestamps,
  },
  /** One delivery attempt of a message. */
  webhookAttempt: {
    id: id('webhookAttempt'),
    organizationId: id('organization'),
    endpointId: id('webhookEndpoint'),
    messageId: id('webhookMessage'),
    eventId: id('event'),
    type: text(),
    attempt: integer(),
    /** The URL and format of the attempt; the endpoint's may have changed since. */
    url: text(),
    format: oneOf(webhookFormats),
    succeeded: flag(),
    httpCode: nullable(integer()),
    durationMs: integer(),
    requestHeaders: json<Record<string, string>>(),
    /** The first 2,000 bytes of the response, or the reason for having none. */
    response: nullable(text()),
    responseHeaders: nullable(json<Record<string, string>>()),
    createdAt: time(),
  },
} as const
