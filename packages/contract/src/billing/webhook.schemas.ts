import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { webhookEventTypes, webhookFormats } from './event-types.ts'
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

const eventType = z.enum(webhookEventTypes)

/** Why an endpoint is off: switched off by somebody, failing for days, or gone by its own answer (410). */
export const disabledReasons = ['by_hand', 'failing', 'gone'] as const

export const webhookEndpoint = z.object({
  ...stamped,
  /** Whole for whoever may change endpoints; else its host, because some addresses are secrets of their receivers. */
  url: z.string(),
  name: z.string().nullable(),
  apiVersion: z.string(),
  format: z.enum(webhookFormats),
  /** Whole for whoever may change endpoints; its last four characters for whoever may only read them. */
  secret: z.string(),
  organizationId: z.string(),
  events: z.array(eventType),
  enabled: z.boolean(),
  /** Always: what is sent carries both kinds of signature (WH-2). */
  usesStandardWebhookSignature: z.boolean(),
  /** Ours: whether it is told of all accounts and organizations of the installation, by an administrator's leave; for good. */
  coversInstallation: z.boolean(),
  disabledReason: z.enum(disabledReasons).nullable(),
  /** Since when nothing has come through; null while it does. */
  failingSince: utc.nullable(),
  /** Since when some events were given up or not sent; null once they were asked for again. */
  missedSince: utc.nullable(),
  /** Until when what is sent is signed with the secret before, too; others before that one end earlier (WH-12). */
  previousSecretExpiresAt: utc.nullable(),
  /** How many events wait to be sent, or to be sent again. */
  pendingCount: z.int(),
  /** How many of them have failed for more than a minute: later events of the same objects are sent ahead of them (WH-5). */
  stuckCount: z.int(),
  /** Since when the first of those has failed. */
  stuckSince: utc.nullable(),
})

/** What the first digit of an answer's status says. */
export const httpCodeClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** An event on its way to an endpoint; its id is the `webhook-id` of every attempt. */
export const webhookEvent = z.object({
  ...stamped,
  type: eventType,
  apiVersion: z.string(),
  lastHttpCode: z.int().nullable(),
  /** Null while it is tried. */
  succeeded: z.boolean().nullable(),
  /** Never sent: its endpoint was off. */
  skipped: z.boolean(),
  /** What was sent; null where what it tells of is kept no more, or is not for whoever asks to read. */
  payload: z.string().nullable(),
  isArchived: z.boolean(),
  attempts: z.int(),
  nextAttemptAt: utc.nullable(),
  /** Since when it has failed, while it is tried again. */
  failingSince: utc.nullable(),
})

/** One attempt. */
export const webhookDelivery = z.object({
  ...stamped,
  succeeded: z.boolean(),
  httpCode: z.int().nullable(),
  /** The first 2,000 bytes of the answer, or why there was none. */
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
    summary: 'The webhook endpoints of an organization.',
    query: z.object(listQuery(['created_at', 'url'])),
    output: listOf(webhookEndpoint),
    errors: sellerErrors,
  },
  createWebhookEndpoint: {
    summary: 'Makes a webhook endpoint; its secret is made for it.',
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
    summary: 'A webhook endpoint.',
    params: byId,
    output: webhookEndpoint,
    errors: sellerErrors,
  },
  updateWebhookEndpoint: {
    summary: 'Changes a webhook endpoint; switching it on again forgets that it has failed.',
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
    summary: 'Removes a webhook endpoint; what waits for it is not sent.',
    params: byId,
    errors: sellerErrors,
  },
  rotateWebhookSecret: {
    summary: 'Gives a webhook endpoint a new secret; those before it sign, too, each for a day, three at most.',
    params: byId,
    output: webhookEndpoint,
    errors: writeErrors,
  },
  testWebhookEndpoint: {
    summary: 'Sends the newest event of a kind to this endpoint alone, or an example where none has happened.',
    params: byId,
    body: z.object({ type: eventType.optional() }),
    output: webhookEvent,
    errors: writeErrors,
  },
  replayWebhookEvents: {
    summary: 'Sends again what has happened since a moment, in order, with the ids that the events have.',
    params: byId,
    body: z.object({
      since: moment,
      until: moment.optional(),
      /** Only what has not come through. */
      onlyFailed: z.boolean().default(false),
      /** Only says how many that would be. */
      dryRun: z.boolean().default(false),
    }),
    output: z.object({ count: z.int() }),
    errors: writeErrors,
  },
  listWebhookDeliveries: {
    summary: 'What has been sent, attempt by attempt.',
    query: z.object({
      ...listQuery(['created_at']),
      endpointId: several(id),
      eventId: several(storable(64)),
      eventType: several(eventType),
      /** The same by the name that events have it under. */
      type: several(eventType),
      succeeded: flag,
      /** Of the answer; what got none is of no class. */
      httpCodeClass: z.enum(httpCodeClasses).optional(),
      startTimestamp: moment.optional(),
      endTimestamp: moment.optional(),
      /**
       * In ids, types, answers, and what was told as far as it may be read; of what else is asked for the newest 10,000
       * attempts are searched.
       */
      query: storable(256).optional(),
    }),
    output: listOf(webhookDelivery),
    errors: sellerErrors,
  },
  getWebhookDelivery: {
    summary: 'An attempt with what was asked and answered.',
    params: byId,
    output: webhookDelivery.extend({
      request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string().nullable() }),
      responseHeaders: z.record(z.string(), z.string()).nullable(),
    }),
    errors: sellerErrors,
  },
  redeliverWebhookEvent: {
    summary: 'Sends an event again, with the same id, to every endpoint that it was for.',
    params: z.object({ id: storable(64) }),
    body: z.object({ endpointId: id.nullish() }),
    output: webhookEvent,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof webhookCalls, Endpoint>
