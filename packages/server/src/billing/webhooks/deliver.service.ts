import type { WebhookFormat } from '@tollgate/contract/billing'
import { after, minutes, monotonic, seconds, systemClock } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { toJson } from '../../db/tables.ts'
import { newUuid } from '../../ids.ts'
import type { JobHandler } from '../../jobs.ts'
import { sealedFor as sealedForCheckout } from '../checkout/checkout-view.ts'
import { earlierSecretsOf } from './earlier-secrets.ts'
import { skipWaiting } from './missed.ts'
import { type OpenEndpoint, type Outcome, writeOutcomes } from './outcome.service.ts'
import { readReplayOrder, replayPage } from './replay.service.ts'
import { createSend, type Send, type Sent } from './send.ts'
import { targetRules } from './target-rules.ts'
import { bodyOf } from './webhook-body.ts'
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
import { signaturesOf } from './webhook-signature.ts'
import { sealedFor } from './webhook-view.ts'

/** A job gives its slot back after so long, though there may be more to send. */
const slice = seconds(20)
/** As many messages are read at once. */
const batch = 200
/** More than these are sent on several lanes; of one object everything stays on one, and so in its order. */
const fewMessages = 100
const laneCount = 8
/** After so many failures in a row, within a while, an endpoint is left alone for as long. */
const mostInARow = 10
const pause = minutes(1)
/** Results are written when so many have come together, or so long after the first of them (in milliseconds). */
const resultsAtOnce = 50
const resultsWithin = 250
const userAgent = 'Tollgate-Webhooks/1'

/** Sends what waits for an endpoint, or writes the next page of what is to be sent again. */
export function createWebhookHandler(ctx: Context): JobHandler {
  const send = createSend(targetRules(ctx.config), ctx.resolveAddresses)
  return async ({ payload }) => {
    const order = readReplayOrder(payload)
    return order ? replayPage(ctx, order) : deliver(ctx, send, payload)
  }
}

/** Sends until nothing is due, the endpoint is to be left alone, or the slice is over; answers when to go on. */
async function deliver(ctx: Context, send: Send, endpointId: string): Promise<Date | undefined> {
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
    // Whatever has happened meanwhile.
    if (endpoint.resumeAt !== null && endpoint.resumeAt > now) return endpoint.resumeAt
    const due = await listDue(ctx.db, endpointId, { now, patience: after(now, -patience), limit: batch })
    if (due.length === 0) return nextTime(ctx, endpointId, now)
    await sendBatch(ctx, send, endpoint, due, run)
  }
  if (run.stop === 'off') return undefined
  return run.stop ?? ctx.clock.now()
}

/** Of an event that happened while its endpoint was switched off, the message was written all the same: it is not sent. */
async function skipAll(ctx: Context, endpointId: string): Promise<undefined> {
  await ctx.transaction(async (tx) => {
    const endpoint = await lockAnyEndpoint(tx, endpointId)
    const now = ctx.clock.now()
    if (!endpoint) await skipPending(tx, endpointId, now)
    else if (!endpoint.enabled) await skipWaiting(tx, endpoint, now)
  })
}

/** What a slice has learnt so far. */
type Run = {
  /** Failures since something came through; those of slices before, too. */
  inARow: number
  /** Set when nothing more is to be sent: until when, or because the endpoint is off. */
  stop: Date | 'off' | undefined
  readonly isOver: () => boolean
}

/** When a message falls due, or one need wait no longer for an earlier one; asked at a moment at which nothing could be sent. */
async function nextTime(ctx: Context, endpointId: string, now: Date): Promise<Date | undefined> {
  const { laterAt, isHeld, failingSince } = await nextDue(ctx.db, endpointId, { now, patience: after(now, -patience) })
  // What was waited for may be gone by now.
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
        // Whether it waits, and how long, `listDue` decides anew when the failure is written.
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

/** Few messages one after the other, many on lanes. */
function lanesOf(messages: readonly DueMessage[]): DueMessage[][] {
  if (messages.length <= fewMessages) return [[...messages]]
  const lanes: DueMessage[][] = Array.from({ length: laneCount }, () => [])
  for (const message of messages) lanes[laneOf(message.subjectId ?? message.eventId)]!.push(message)
  return lanes
}

function laneOf(subject: string): number {
  let sum = 0
  for (let at = 0; at < subject.length; at += 1) sum = (sum * 31 + subject.charCodeAt(at)) % 65_521
  return sum % laneCount
}

/** What comes of a message that nobody can sign. */
const unsigned: Sent = {
  httpCode: null,
  response: 'Not sent: the secret of the endpoint cannot be read any more; a new one can be made',
  responseHeaders: null,
  durationMs: 0,
}

/**
 * The secrets that sign: the endpoint's, and those before it as long as they last (WH-12) and can be read; none where the
 * endpoint's own was sealed under a SECRET that is configured no more.
 */
function openSecrets(ctx: Context, endpoint: OpenEndpoint): string[] {
  const open = (sealed: string) => openOrNothing(ctx, sealed, sealedFor)
  const own = open(endpoint.sealedSecret)
  if (own === '') return []
  const earlier = earlierSecretsOf(endpoint, ctx.clock.now()).map(({ sealedSecret }) => open(sealedSecret))
  return [own, ...earlier.filter(Boolean)]
}

/** What opens the checkouts that are told of: their record holds no secrets, and a receiver wants the whole checkout. */
async function checkoutSecrets(ctx: Context, due: readonly DueMessage[]): Promise<Map<string, string>> {
  const ids = due.flatMap(({ type, subjectId }) => (type.startsWith('checkout.') && subjectId ? [subjectId] : []))
  const sealed = await sealedSecretsOf(ctx.db, [...new Set(ids)])
  return new Map([...sealed].map(([id, secret]) => [id, openOrNothing(ctx, secret, sealedForCheckout)]))
}

/** Nothing where it was sealed under a SECRET that is configured no more. */
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
  const payload = clientSecret ? withClientSecret(message.payload!, baseURL.origin, clientSecret) : message.payload!
  const format = endpoint.format as WebhookFormat // written from its schema
  const place = { origin: baseURL.origin, organizationSlug: endpoint.organizationSlug }
  const body = bodyOf(format, { type, createdAt: happenedAt ?? createdAt, payload }, place)
  // Receivers refuse what seems old to them, and know nothing of a clock that was moved (WH-3).
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

/** A checkout with what opens it, and the addresses that end with it, as `emitCheckout` has left them. */
function withClientSecret(payload: string, origin: string, clientSecret: string): string {
  const checkout = JSON.parse(payload) as Record<string, unknown> // written by `emitCheckout`
  const page = `${origin}/checkout/`
  const { url, success_url: successUrl } = checkout
  return JSON.stringify({
    ...checkout,
    client_secret: clientSecret,
    ...(url === page && { url: page + clientSecret }),
    ...(successUrl === `${page}/confirmation` && { success_url: `${page}${clientSecret}/confirmation` }),
  })
}

/** What one attempt comes to, noted for the slice. */
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
      requestHeaders: toJson(requestHeaders),
      response: sent.response,
      responseHeaders: sent.responseHeaders && toJson(sent.responseHeaders),
      durationMs: sent.durationMs,
    },
  }
}

/**
 * How long an endpoint is left alone after a failure, in milliseconds: a receiver that asks for it is, but for no longer than
 * others' events wait; one that says nothing is not asked for ever.
 */
function restAfter({ httpCode, responseHeaders }: Sent, { inARow }: Run): number {
  if (httpCode === 429 || httpCode === 503)
    return Math.min(Math.max(askedFor(responseHeaders?.['retry-after'], systemClock.now()), seconds(5)), pause)
  return inARow >= mostInARow ? pause : 0
}

/** Collects results and writes many of them at once, none later than a moment after it came. */
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
        // Nothing more is sent whose result could not be written either.
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
