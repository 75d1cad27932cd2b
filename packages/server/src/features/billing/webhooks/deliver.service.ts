import { after, minutes, monotonic, seconds, systemClock } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import type { JobHandler } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sealedFor as sealedForCheckout } from '../checkout/checkout-view.ts'
import { skipWaiting } from './missed.ts'
import { type OpenEndpoint, type Outcome, writeOutcomes } from './outcome.service.ts'
import { readReplayOrder, replayPage } from './replay.service.ts'
import { createSend, type Send, type Sent } from './send.ts'
import { bodyOf, withClientSecret } from './webhook-body.ts'
import { findOpenEndpoint, lockAnyEndpoint } from './webhook-endpoint.repository.ts'
import {
  type DueMessage,
  failuresInARow,
  listDue,
  nextDue,
  sealedSecretsOf,
  skipPending,
} from './webhook-message.repository.ts'
import { askedFor, nextAttempt, patience } from './webhook-schedule.ts'
import { earlierSecretsOf, signaturesOf } from './webhook-secrets.ts'
import { targetRules } from './webhook-target.ts'
import { sealedFor } from './webhook-view.ts'

/** A job frees its slot after this time, even with more to send. */
const slice = seconds(20)
/** Messages per read. */
const batch = 200
/** Larger batches use several lanes. All messages of one object share a lane, which keeps their order. */
const fewMessages = 100
const laneCount = 8
/** After this many consecutive failures within `pause`, the endpoint rests for `pause`. */
const mostInARow = 10
const pause = minutes(1)
/** Results are written in batches of this size, or this long after the first of them (in milliseconds). */
const resultsAtOnce = 50
const resultsWithin = 250
const userAgent = 'Tollgate-Webhooks/1'

/** Sends the pending messages of an endpoint, or writes the next page of a replay. */
export function createWebhookHandler(ctx: Context): JobHandler {
  const send = createSend(targetRules(ctx.config), ctx.resolveAddresses)
  return async ({ payload }) => {
    const order = readReplayOrder(payload)
    return order ? replayPage(ctx, order) : deliver(ctx, send, payload)
  }
}

/** Sends until nothing is due, the endpoint must rest, or the slice ends; returns when to continue. */
async function deliver(ctx: Context, send: Send, endpointId: Id<'webhookEndpoint'>): Promise<Date | undefined> {
  const end = monotonic() + slice
  const begun = ctx.clock.now()
  const run: Run = {
    inARow: await failuresInARow(ctx.db, endpointId, after(begun, -pause), mostInARow),
    stop: undefined,
    isOver: () => monotonic() > end || ctx.lifecycle.state === 'closed',
  }
  while (run.stop === undefined && !run.isOver()) {
    const endpoint = await findOpenEndpoint(ctx.db, endpointId)
    if (!endpoint) return skipAll(ctx, endpointId)
    const now = ctx.clock.now()
    // Another process may have set it meanwhile.
    if (endpoint.resumeAt !== null && endpoint.resumeAt > now) return endpoint.resumeAt
    const due = await listDue(ctx.db, endpointId, { now, patience: after(now, -patience), limit: batch })
    if (due.length === 0) return nextTime(ctx, endpointId, now)
    await sendBatch(ctx, send, endpoint, due, run)
  }
  if (run.stop === 'off') return undefined
  return run.stop ?? ctx.clock.now()
}

/** Events during a disabled period can still leave messages: skips them. */
async function skipAll(ctx: Context, endpointId: Id<'webhookEndpoint'>): Promise<undefined> {
  await ctx.transaction(async (tx) => {
    const endpoint = await lockAnyEndpoint(tx, endpointId)
    const now = ctx.clock.now()
    if (!endpoint) await skipPending(tx, endpointId, now)
    else if (!endpoint.enabled) await skipWaiting(tx, endpoint, now)
  })
}

/** The state of one slice. */
type Run = {
  /** Failures since the last success, earlier slices included. */
  inARow: number
  /** Set when the slice must stop: the time to continue, or that the endpoint is off. */
  stop: Date | 'off' | undefined
  readonly isOver: () => boolean
}

/** When the next message falls due, or no longer waits for an earlier one. The caller has found nothing to send. */
async function nextTime(ctx: Context, endpointId: Id<'webhookEndpoint'>, now: Date): Promise<Date | undefined> {
  const { laterAt, isHeld, failingSince } = await nextDue(ctx.db, endpointId, { now, patience: after(now, -patience) })
  // The message that the others wait for may be gone already.
  const heldUntil = isHeld ? (failingSince ? after(failingSince, patience) : now) : undefined
  const times = [laterAt, heldUntil].filter((time) => time !== undefined)
  return times.sort((a, b) => a.getTime() - b.getTime())[0]
}

async function sendBatch(
  ctx: Context,
  send: Send,
  endpoint: OpenEndpoint,
  due: readonly DueMessage[],
  run: Run,
): Promise<void> {
  const gone = due.filter(({ payload }) => payload === null)
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
    await ctx.transaction((tx) => skipPending(tx, endpoint.id, ctx.clock.now(), ids))
  }
  const secrets = openSecrets(ctx, endpoint)
  const clientSecrets = await checkoutSecrets(ctx, due)
  const results = createResults(ctx, endpoint, run)
  const failing = new Set<string>()
  await Promise.all(
    lanesOf(due.filter(({ payload }) => payload !== null)).map(async (lane) => {
      for (const message of lane) {
        if (run.stop !== undefined || run.isOver()) return
        // `listDue` decides anew whether and how long it waits, once the failure is written.
        if (message.subjectId !== null && failing.has(message.subjectId)) continue
        const { url, headers, body } = requestOf(ctx, endpoint, message, secrets, clientSecrets)
        const sent = secrets.length === 0 ? unsigned : await send(url, headers, body)
        const outcome = outcomeOf(ctx, run, message, headers, sent)
        if (!outcome.succeeded && message.subjectId !== null) failing.add(message.subjectId)
        results.add(outcome)
      }
    }),
  )
  await results.written()
}

/** One lane for a small batch, several for a large one. */
function lanesOf(messages: readonly DueMessage[]): DueMessage[][] {
  if (messages.length <= fewMessages) return [[...messages]]
  const lanes: DueMessage[][] = Array.from({ length: laneCount }, () => [])
  for (const message of messages)
    proven(lanes[laneOf(message.subjectId ?? message.eventId)], 'each number of a lane has its lane').push(message)
  return lanes
}

function laneOf(subject: string): number {
  let sum = 0
  for (let at = 0; at < subject.length; at += 1) sum = (sum * 31 + subject.charCodeAt(at)) % 65_521
  return sum % laneCount
}

/** The result of a message that cannot be signed. */
const unsigned: Sent = {
  httpCode: null,
  response: 'Not sent: the endpoint’s secret cannot be decrypted. Rotate the secret.',
  responseHeaders: null,
  durationMs: 0,
}

/**
 * The active signing secrets: the endpoint's own, and the earlier ones that have not expired (WH-12) and can be
 * opened. Empty if the SECRET that sealed the endpoint's own is no longer configured.
 */
function openSecrets(ctx: Context, endpoint: OpenEndpoint): string[] {
  const open = (sealed: string) => openOrNothing(ctx, sealed, sealedFor)
  const own = open(endpoint.sealedSecret)
  if (own === '') return []
  const earlier = earlierSecretsOf(endpoint, ctx.clock.now()).map(({ sealedSecret }) => open(sealedSecret))
  return [own, ...earlier.filter(Boolean)]
}

/** The client secrets of the checkouts in some messages: receivers get them, but stored events do not hold them. */
async function checkoutSecrets(ctx: Context, due: readonly DueMessage[]): Promise<Map<string, string>> {
  const ids = due.flatMap(({ type, subjectId }) => (type.startsWith('checkout.') && subjectId ? [subjectId] : []))
  const sealed = await sealedSecretsOf(ctx.db, [...new Set(ids)])
  return new Map([...sealed].map(([id, secret]) => [id, openOrNothing(ctx, secret, sealedForCheckout)]))
}

/** Undefined if the SECRET that sealed it is no longer configured. */
function openOrNothing(ctx: Context, sealed: string, purpose: string): string {
  try {
    return ctx.secrets.open(sealed, purpose)
  } catch {
    return ''
  }
}

function requestOf(
  { config: { baseURL } }: Context,
  endpoint: OpenEndpoint,
  message: DueMessage,
  secrets: readonly string[],
  clientSecrets: ReadonlyMap<string, string>,
): { url: string; headers: Record<string, string>; body: Buffer } {
  const { type, eventId, subjectId, happenedAt, createdAt } = message
  const clientSecret = subjectId === null ? undefined : clientSecrets.get(subjectId)
  const payload = clientSecret
    ? withClientSecret(proven(message.payload, 'only messages with a payload are sent'), baseURL.origin, clientSecret)
    : proven(message.payload, 'only messages with a payload are sent')
  const { format } = endpoint
  const place = { origin: baseURL.origin, organizationSlug: endpoint.organizationSlug }
  const body = bodyOf(format, { type, createdAt: happenedAt ?? createdAt, payload }, place)
  // Receivers reject old timestamps, and do not know a moved test clock: uses real time (WH-3).
  const timestamp = String(Math.floor(systemClock.now().getTime() / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signaturesOf(secrets, eventId, timestamp, body),
  }
  return { url: endpoint.url, headers, body }
}

/** The result of one attempt; updates the slice's state. */
function outcomeOf(
  ctx: Context,
  run: Run,
  message: DueMessage,
  requestHeaders: Readonly<Record<string, string>>,
  sent: Sent,
): Outcome {
  const now = ctx.clock.now()
  const { httpCode } = sent
  const succeeded = httpCode !== null && httpCode >= 200 && httpCode < 300
  const refused = { retryAfter: sent.responseHeaders?.['retry-after'] }
  const nextAttemptAt = succeeded ? null : nextAttempt(message.failures + 1, now, systemClock.now(), refused)
  run.inARow = succeeded ? 0 : run.inARow + 1
  const rest = succeeded ? 0 : restAfter(sent, run)
  const resumeAt = rest > 0 ? after(now, rest) : null
  if (httpCode === 410) run.stop = 'off'
  else if (resumeAt !== null) run.stop = resumeAt
  return {
    message,
    succeeded,
    nextAttemptAt,
    resumeAt,
    httpCode,
    now,
    attempt: {
      id: newUuid(),
      requestHeaders: requestHeaders,
      response: sent.response,
      responseHeaders: sent.responseHeaders && sent.responseHeaders,
      durationMs: sent.durationMs,
    },
  }
}

/**
 * How long an endpoint rests after a failure, in milliseconds. A receiver's `Retry-After` counts up to the time that
 * other events wait. A receiver that names no time rests after too many consecutive failures.
 */
function restAfter({ httpCode, responseHeaders }: Sent, { inARow }: Run): number {
  if (httpCode === 429 || httpCode === 503)
    return Math.min(Math.max(askedFor(responseHeaders?.['retry-after'], systemClock.now()), seconds(5)), pause)
  return inARow >= mostInARow ? pause : 0
}

/** Collects results and writes them in batches, each within `resultsWithin`. */
function createResults(ctx: Context, endpoint: OpenEndpoint, run: Run) {
  let collected: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let failure: { readonly error: unknown } | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    const outcomes = collected
    collected = []
    if (outcomes.length === 0) return
    writing = writing
      .then(async () => {
        if (await writeOutcomes(ctx, endpoint, outcomes)) run.stop = 'off'
      })
      .catch((error) => {
        // Stops sending: later results could not be written either.
        failure ??= { error }
        run.stop = 'off'
      })
  }
  return {
    add: (outcome: Outcome) => {
      collected.push(outcome)
      if (collected.length >= resultsAtOnce) write()
      else timer ??= setTimeout(write, resultsWithin)
    },
    written: async () => {
      write()
      await writing
      if (failure) throw failure.error
    },
  }
}
