import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { webhookEventTypes } from '../events/events.ts'
import { storable } from '../fields.ts'
import {
  byId,
  emptyIsNull,
  flag,
  foreignId,
  id,
  listOf,
  listQuery,
  moment,
  sellerErrors,
  several,
  stamped,
  utc,
  webAddress,
  writeErrors,
} from './fields.ts'
import type { webhookCalls } from './webhook.calls.ts'
import { webhookFormats } from './webhook-formats.ts'

const eventType = z.enum(webhookEventTypes)

/** Why an endpoint is off: a user disabled it, it failed for days, or it answered 410. */
export const disabledReasons = ['by_hand', 'failing', 'gone'] as const

export const webhookEndpoint = z.object({
  ...stamped,
  /** Complete for members who may change endpoints; else only the host, because the rest may be a secret. */
  url: z.string(),
  name: z.string().nullable(),
  apiVersion: z.string(),
  format: z.enum(webhookFormats),
  /** Complete for members who may change endpoints; else its last four characters. */
  secret: z.string(),
  organizationId: z.string(),
  events: z.array(eventType),
  enabled: z.boolean(),
  /** Always true: every delivery carries both kinds of signature (WH-2). */
  usesStandardWebhookSignature: z.boolean(),
  /** Ours: whether an administrator lets it receive the events of all accounts and organizations; permanent. */
  coversInstallation: z.boolean(),
  disabledReason: z.enum(disabledReasons).nullable(),
  /** When deliveries began to fail; null while they succeed. */
  failingSince: utc.nullable(),
  /** When events were first given up or not sent; null after they are sent again. */
  missedSince: utc.nullable(),
  /** Until when the previous secret also signs deliveries; older secrets expire earlier (WH-12). */
  previousSecretExpiresAt: utc.nullable(),
  /** The number of events that wait for delivery or retry. */
  pendingCount: z.int(),
  /** How many of them have failed for more than a minute: later events of the same objects overtake them (WH-5). */
  stuckCount: z.int(),
  /** When the first of those failed. */
  stuckSince: utc.nullable(),
})

/** The first digit of an answer's status. */
export const httpCodeClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** The delivery of an event to an endpoint; its id is the `webhook-id` of every attempt. */
export const webhookEvent = z.object({
  ...stamped,
  type: eventType,
  apiVersion: z.string(),
  lastHttpCode: z.int().nullable(),
  /** Null while it is retried. */
  succeeded: z.boolean().nullable(),
  /** Never sent, because its endpoint was off. */
  skipped: z.boolean(),
  /** The sent payload; null when its event is no longer stored, or hidden from the reader. */
  payload: z.string().nullable(),
  isArchived: z.boolean(),
  attempts: z.int(),
  nextAttemptAt: utc.nullable(),
  /** When it first failed, while it is retried. */
  failingSince: utc.nullable(),
})

/** One attempt. */
export const webhookDelivery = z.object({
  ...stamped,
  succeeded: z.boolean(),
  httpCode: z.int().nullable(),
  /** The first 2,000 bytes of the answer, or the reason for its absence. */
  response: z.string().nullable(),
  attempt: z.int(),
  durationMs: z.int(),
  endpointId: z.string(),
  webhookEvent,
})

const url = webAddress
const events = z.array(eventType).max(webhookEventTypes.length)
const coversInstallation = z.boolean()

/** Bodies, queries, answers and refusals of the calls about webhooks (billing contract, 3.10). */
export const webhookSchemas = {
  listWebhookEndpoints: {
    summary: 'Lists an organization’s webhook endpoints.',
    query: z.object(listQuery(['created_at', 'url'])),
    output: listOf(webhookEndpoint),
    errors: sellerErrors,
  },
  createWebhookEndpoint: {
    summary: 'Creates a webhook endpoint with a new secret.',
    body: z.object({
      url,
      name: emptyIsNull(100),
      format: z.enum(webhookFormats).default('raw'),
      events,
      apiVersion: storable(32).nullish(),
      coversInstallation: coversInstallation.optional(),
      organizationId: foreignId.nullish(),
    }),
    output: webhookEndpoint,
    errors: writeErrors,
  },
  getWebhookEndpoint: {
    summary: 'Returns a webhook endpoint.',
    params: byId,
    output: webhookEndpoint,
    errors: sellerErrors,
  },
  updateWebhookEndpoint: {
    summary: 'Updates a webhook endpoint; enabling it again resets its failures.',
    params: byId,
    body: z.object({
      url: url.nullish(),
      name: emptyIsNull(100),
      format: z.enum(webhookFormats).nullish(),
      events: events.nullish(),
      enabled: z.boolean().nullish(),
      apiVersion: storable(32).nullish(),
      coversInstallation: coversInstallation.nullish(),
    }),
    output: webhookEndpoint,
    errors: writeErrors,
  },
  deleteWebhookEndpoint: {
    summary: 'Deletes a webhook endpoint; its waiting events are not sent.',
    params: byId,
    errors: sellerErrors,
  },
  rotateWebhookSecret: {
    summary: 'Rotates a webhook endpoint’s secret; up to three previous secrets stay active, each for a day.',
    params: byId,
    output: webhookEndpoint,
    errors: writeErrors,
  },
  testWebhookEndpoint: {
    summary: 'Sends the newest event of a type to this endpoint only, or an example if there is none.',
    params: byId,
    body: z.object({ type: eventType.optional() }),
    output: webhookEvent,
    errors: writeErrors,
  },
  replayWebhookEvents: {
    summary: 'Sends all events since a time again, in order, with their original ids.',
    params: byId,
    body: z.object({
      since: moment,
      until: moment.optional(),
      /** Only undelivered events. */
      onlyFailed: z.boolean().default(false),
      /** Only counts the events. */
      dryRun: z.boolean().default(false),
    }),
    output: z.object({ count: z.int() }),
    errors: writeErrors,
  },
  listWebhookDeliveries: {
    summary: 'Lists delivery attempts.',
    query: z.object({
      ...listQuery(['created_at']),
      endpointId: several(id),
      eventId: several(storable(64)),
      eventType: several(eventType),
      /** The same filter under the name that events use. */
      type: several(eventType),
      succeeded: flag,
      /** The class of the answer; an attempt without an answer has none. */
      httpCodeClass: z.enum(httpCodeClasses).optional(),
      startTimestamp: moment.optional(),
      endTimestamp: moment.optional(),
      /**
       * Searches ids, types, answers, and the readable part of payloads. Other filters apply to the newest 10,000
       * attempts.
       */
      query: storable(256).optional(),
    }),
    output: listOf(webhookDelivery),
    errors: sellerErrors,
  },
  getWebhookDelivery: {
    summary: 'Returns a delivery attempt with its request and answer.',
    params: byId,
    output: webhookDelivery.extend({
      request: z.object({
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string().nullable(),
        isRedacted: z
          .boolean()
          .describe(
            'Whether `[redacted]` stands in the body for the client secret of a checkout. The signature is of the body with the secret.',
          ),
      }),
      responseHeaders: z.record(z.string(), z.string()).nullable(),
    }),
    errors: sellerErrors,
  },
  redeliverWebhookEvent: {
    summary: 'Sends an event again, with the same id, to each of its endpoints.',
    params: z.object({ id: storable(64) }),
    body: z.object({ endpointId: id.nullish() }),
    output: webhookEvent,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof webhookCalls, Endpoint>
