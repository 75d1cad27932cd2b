import { id, integer, json, nullable, oneOf, text, time } from './columns.ts'

/** An event's further data: plain values, never a secret. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>

export const installationTables = {
  /** Requests with an `Idempotency-Key` and their answers, kept for a day. */
  idempotencyKey: {
    /** SHA-256 of the caller and the key. */
    key: text(),
    requestHash: text(),
    /** `pending`, `changed` (its transaction has committed), `answered`. */
    state: oneOf(['pending', 'changed', 'answered']),
    answerBody: nullable(text()),
    /** The lease of the run: after a crash the next request takes over. */
    leaseUntil: nullable(time()),
    expiresAt: time(),
    createdAt: time(),
  },
  /** Events, written in the transaction that causes them: the audit log and the source of webhooks. */
  event: {
    id: id('event'),
    type: text(),
    actorId: nullable(id('user')),
    userId: nullable(id('user')),
    /** The organization in which the event happened. */
    organizationId: nullable(id('organization')),
    /** For billing events: the selling organization, and the object as of the event, in wire format. */
    merchantId: nullable(id('organization')),
    /** The object's id, so that its events can be deleted with it. */
    subjectId: nullable(text()),
    /** The customer whose timeline shows it. */
    customerId: nullable(id('customer')),
    /** Null where `payloadOf` names the event that holds the body. `bodyOfEvent` reads both. */
    payload: nullable(text()),
    /** The event with the same body: of the same transaction, seller, object and time, so that they are deleted together. */
    payloadOf: nullable(id('event')),
    data: nullable(json<EventData>()),
    createdAt: time(),
  },
  /** Work to do after a commit; see `jobs.ts`. */
  job: {
    id: id('job'),
    kind: text(),
    /** The slots that the job waits for. */
    lane: text(),
    /** Whose job it is, for equal shares of the slots; empty for the installation's own. */
    organizationId: nullable(id('organization')),
    payload: text(),
    runAt: time(),
    attempts: integer(),
    /** The number of enqueues: a job enqueued while it runs runs again. */
    calls: integer(),
    leaseUntil: nullable(time()),
    /** Set when the last attempt failed: the job stays dead-lettered until an operator retries or removes it. */
    deadAt: nullable(time()),
    lastError: nullable(text()),
    createdAt: time(),
  },
  /** Rate-limit counters, shared between processes (`rateLimit.storage: 'database'`). */
  rateLimit: {
    key: text(),
    count: integer(),
    expiresAt: time(),
  },
  /** Values of the installation, such as the offset of the development clock. */
  setting: {
    key: text(),
    value: text(),
    updatedAt: time(),
  },
  /** Uploaded pictures. With neither user nor organization it is the logo of the installation. */
  picture: {
    id: id('picture'),
    userId: nullable(id('user')),
    organizationId: nullable(id('organization')),
    /** The origin of its address, which its holder's row repeats. */
    publicOrigin: text(),
    mediaType: oneOf(['image/jpeg', 'image/png']),
    width: integer(),
    height: integer(),
    createdAt: time(),
    /** Its bytes in base64: an export is JSON. */
    content: text(),
  },
  /** Replaced logos, which mails that were sent show. Without organization it is one of the installation. */
  formerLogo: {
    id: id('picture'),
    organizationId: nullable(id('organization')),
    mediaType: oneOf(['image/jpeg', 'image/png']),
    width: integer(),
    height: integer(),
    replacedAt: time(),
    content: text(),
  },
  /** The developer inbox: it stores mails in development mode only. */
  inboxMessage: {
    id: id('inboxMessage'),
    recipient: text(),
    sender: text(),
    subject: text(),
    textBody: text(),
    htmlBody: text(),
    /** The mail's attachments. */
    attachments: nullable(json<string[]>()),
    createdAt: time(),
  },
} as const
