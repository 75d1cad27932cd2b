import { recordedAs } from '@tollgate/contract/events'
import { after } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newId } from '../../../foundation/ids.ts'
import { callFor, enqueue } from '../../../foundation/jobs.ts'
import type { EventRow } from '../../../foundation/outbox.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { accountPayloads } from './account-payload.ts'
import { endpointJob, messageOf } from './fan-out.service.ts'
import { earlier } from './missed.ts'
import { findOwn, lockOwn } from './webhook.service.ts'
import { type EndpointRow, lockAnyEndpoint, updateEndpointRow } from './webhook-endpoint.repository.ts'
import {
  countEvents,
  deleteMessages,
  listEvents,
  listMessagesFor,
  type MessageState,
  type Source,
  type Span,
} from './webhook-event.repository.ts'
import { insertMessages } from './webhook-message.repository.ts'
import { byKind } from './webhook-types.ts'

/** The most events per replay. */
const replayLimit = 100_000
/** Events per transaction: on SQLite, other writers wait for each transaction. */
const page = 200

/** A replay, in the form of its job's payload: the next page begins at `from`. */
type ReplayOrder = Span & { readonly endpointId: Id<'webhookEndpoint'>; readonly onlyFailed: boolean }

/** The replay in a job's payload; undefined if the job is to send. */
export const readReplayOrder = (payload: string): ReplayOrder | undefined =>
  payload.startsWith('{') ? JSON.parse(payload) : undefined // written by `enqueueReplay`

const enqueueReplay = (tx: Tx, now: Date, { organizationId }: EndpointRow, order: ReplayOrder): Promise<void> =>
  enqueue(tx, now, { kind: 'webhook-endpoint', payload: JSON.stringify(order), organizationId })

/**
 * Replays past events of the subscribed types, in order and with their original ids. A job writes them page by page;
 * the count is made before, without blocking writers. A dry run stops there. A replay of all missed events clears
 * `missedSince`; a new failure sets it again.
 */
export const replayWebhookEvents: BillingHandler<'replayWebhookEvents'> = async ({ ctx, params, body, ...asker }) => {
  const { id } = params
  const { since, until, onlyFailed, dryRun } = body
  const now = ctx.clock.now()
  const span: Span = { from: firstIdOf(since), until: firstIdOf(after(until && until < now ? until : now, 1)) }
  const endpoint = await findOwn(ctx, asker, id)
  requireEnabled(endpoint)
  const { all, wanted } = await countWanted(ctx, endpoint, span, onlyFailed)
  if (all > replayLimit)
    throw invalid(inBody('since', `More than ${replayLimit} events have occurred since then`, 'too_many'))
  if (dryRun) return { count: wanted }
  await ctx.transaction(async (tx) => {
    const locked = await lockOwn(ctx, tx, asker, id)
    requireEnabled(locked)
    const isAll = locked.missedSince !== null && since <= locked.missedSince && (until === undefined || until >= now)
    if (isAll) await updateEndpointRow(tx, id, { missedSince: null })
    if (wanted > 0) await enqueueReplay(tx, now, locked, { ...span, endpointId: id, onlyFailed })
  })
  return { count: wanted }
}

/** Counts the events of an endpoint's types, and how many of them the replay sends. */
async function countWanted(ctx: Context, endpoint: EndpointRow, span: Span, onlyFailed: boolean) {
  const scope = { states: left(onlyFailed), limit: replayLimit + 1 }
  const counts = await Promise.all(
    sourcesOf(endpoint).map((source) => countEvents(ctx.database.lists, endpoint, source, span, scope)),
  )
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0)
  return { all: sum(({ all }) => all), wanted: sum(({ all, known }) => all - known) }
}

/** The states of messages that a replay leaves as they are: pending ones, and with `onlyFailed` delivered ones too. */
const left = (onlyFailed: boolean): readonly MessageState[] => (onlyFailed ? ['pending', 'succeeded'] : ['pending'])

/** A disabled endpoint gets nothing. */
export function requireEnabled({ enabled }: Pick<EndpointRow, 'enabled'>): void {
  if (!enabled) throw invalid({ loc: ['path', 'id'], msg: 'Enable the endpoint first', type: 'disabled' })
}

/** Event ids begin with their time, in milliseconds. */
const firstIdOf = (time: Date): string => time.getTime().toString(36).padStart(9, '0')
const timeOf = (eventId: Id<'event'>): Date => new Date(Number.parseInt(eventId.slice(0, 9), 36))

/** The sources of an endpoint's events. */
export function sourcesOf({
  events,
  coversInstallation,
}: Pick<EndpointRow, 'events' | 'coversInstallation'>): Source[] {
  const { billing, ofPeople, ofAccounts } = byKind(events)
  const sources: Source[] = [
    { column: 'merchantId', types: billing },
    coversInstallation
      ? { column: 'installation', types: [...ofPeople, ...ofAccounts].map(recordedAs) }
      : { column: 'organizationId', types: ofPeople.map(recordedAs) },
  ]
  return sources.filter(({ types }) => types.length > 0)
}

/**
 * Writes the next page of a replay, and queues a job for the one after it. If the endpoint is disabled meanwhile, the
 * replay ends, and the seller can ask for the rest later.
 */
export async function replayPage(ctx: Context, order: ReplayOrder): Promise<undefined> {
  await ctx.transaction(async (tx) => {
    const endpoint = await lockAnyEndpoint(tx, order.endpointId)
    if (!endpoint) return
    if (!endpoint.enabled) {
      await updateEndpointRow(tx, endpoint.id, { missedSince: earlier(endpoint.missedSince, timeOf(order.from)) })
      return
    }
    const events = await nextEvents(tx, endpoint, order)
    const now = ctx.clock.now()
    const last = events.at(-1)
    if (last && events.length === page) await enqueueReplay(tx, now, endpoint, { ...order, from: `${last.id}0` })
    if (await writeAgain(tx, now, endpoint, events, order.onlyFailed)) await callFor(tx, now, endpointJob(endpoint))
  })
}

async function nextEvents(tx: Tx, endpoint: EndpointRow, span: Span): Promise<EventRow[]> {
  const found: EventRow[] = []
  for (const source of sourcesOf(endpoint))
    found.push(...(await listEvents(tx, endpoint.organizationId, source, span, page)))
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, page)
}

/**
 * Queues messages for some events behind all pending ones; those already pending keep their place. True if there are
 * any.
 */
async function writeAgain(
  tx: Tx,
  now: Date,
  endpoint: EndpointRow,
  events: readonly EventRow[],
  onlyFailed: boolean,
): Promise<boolean> {
  if (events.length === 0) return false
  const ids = events.map(({ id }) => id)
  const known = new Map((await listMessagesFor(tx, endpoint.id, ids)).map((message) => [message.eventId, message]))
  const states: readonly string[] = left(onlyFailed)
  const wanted = events.filter(({ id }) => !states.includes(known.get(id)?.state ?? ''))
  await deleteMessages(
    tx,
    wanted.flatMap(({ id }) => known.get(id)?.id ?? []),
  )
  const payloads = await accountPayloads(tx, wanted)
  // A replay repeats the original payload (WH-4).
  const payloadOf = ({ id }: EventRow) => known.get(id)?.payload ?? payloads.get(id) ?? null
  await insertMessages(
    tx,
    wanted.map((event) => ({
      ...messageOf(known.get(event.id)?.id ?? newId(), endpoint, event, payloadOf(event), now),
      attempts: known.get(event.id)?.attempts ?? 0,
    })),
  )
  return wanted.length > 0
}
