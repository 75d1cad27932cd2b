import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { newId } from '../../ids.ts'
import { callFor, enqueue } from '../../jobs.ts'
import { inBody, invalid } from '../invalid.ts'
import { accountPayloads, type Happened } from './account-payload.ts'
import { endpointJob } from './fan-out.service.ts'
import { messageOf } from './message.ts'
import { earlier } from './missed.ts'
import { type Asker, findOwn, lockOwn } from './webhook.service.ts'
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
import { byKind, recordedAs, wants } from './webhook-types.ts'

/** As many events as are sent again by one call. */
const replayLimit = 100_000
/** As many as one transaction writes, because nobody else writes on SQLite meanwhile. */
const page = 200

/** What is to be sent again, as the job that writes it is told: the next page begins at `from`. */
type ReplayOrder = Span & { readonly endpointId: string; readonly onlyFailed: boolean }

/** The order of a job that sends again; nothing where the job is to send. */
export const readReplayOrder = (payload: string): ReplayOrder | undefined =>
  payload.startsWith('{') ? (JSON.parse(payload) as ReplayOrder) : undefined // written by `enqueueReplay`

const enqueueReplay = (tx: Tx, now: Date, { organizationId }: EndpointRow, order: ReplayOrder): Promise<void> =>
  enqueue(tx, now, { kind: 'webhook-endpoint', payload: JSON.stringify(order), organizationId })

/**
 * Sends again what has happened since a moment, as far as the endpoint wants to hear it, in order and with the ids that the
 * events have. Written page by page by a job; how many it will be is counted before, beside everybody who writes. A dry run
 * ends with that. Where it is everything since the endpoint began to miss something, nothing is missing any more; what does
 * not come through then either is noted again.
 */
export async function replayWebhookEvents(
  ctx: Context,
  asker: Asker,
  id: string,
  { since, until, onlyFailed, dryRun }: ParsedBillingBody<'replayWebhookEvents'>,
): Promise<BillingAnswer<'replayWebhookEvents'>> {
  const now = ctx.clock.now()
  const span: Span = { from: firstIdOf(since), until: firstIdOf(after(until && until < now ? until : now, 1)) }
  const endpoint = await findOwn(ctx, asker, id)
  requireEnabled(endpoint)
  const { all, wanted } = await countWanted(ctx, endpoint, span, onlyFailed)
  if (all > replayLimit)
    throw invalid(inBody('since', `More than ${replayLimit} events have happened since then`, 'too_many'))
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

/** How many events there are that an endpoint wants to hear, and how many of them are to be sent again. */
async function countWanted(ctx: Context, endpoint: EndpointRow, span: Span, onlyFailed: boolean) {
  const scope = { states: left(onlyFailed), limit: replayLimit + 1 }
  const counts = await Promise.all(
    sourcesOf(endpoint).map((source) => countEvents(ctx.database.lists, endpoint, source, span, scope)),
  )
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0)
  return { all: sum(({ all }) => all), wanted: sum(({ all, known }) => all - known) }
}

/** Messages that are left as they are when something is sent again: those that wait, and maybe those that came through. */
const left = (onlyFailed: boolean): readonly MessageState[] => (onlyFailed ? ['pending', 'succeeded'] : ['pending'])

/** Nothing is sent to an endpoint that is off. */
export function requireEnabled({ enabled }: Pick<EndpointRow, 'enabled'>): void {
  if (!enabled)
    throw invalid({ loc: ['path', 'id'], msg: 'The endpoint should be switched on first', type: 'disabled' })
}

/** Ids of events begin with their time, in milliseconds. */
const firstIdOf = (time: Date): string => time.getTime().toString(36).padStart(9, '0')
const timeOf = (eventId: string): Date => new Date(Number.parseInt(eventId.slice(0, 9), 36))

/** Where the events are found that an endpoint wants to hear. */
export function sourcesOf({
  events,
  coversInstallation,
}: Pick<EndpointRow, 'events' | 'coversInstallation'>): Source[] {
  const { billing, ofOrganizations, ofAccounts } = byKind(wants({ events }))
  const sources: Source[] = [
    { column: 'merchantId', types: billing },
    coversInstallation
      ? { column: 'everybody', types: [...ofOrganizations, ...ofAccounts].map(recordedAs) }
      : { column: 'organizationId', types: ofOrganizations.map(recordedAs) },
  ]
  return sources.filter(({ types }) => types.length > 0)
}

/**
 * Writes the next page of what is to be sent again, and leaves a job for the one after it. Where the endpoint was switched off
 * meanwhile, the rest stays to be asked for.
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

async function nextEvents(tx: Tx, endpoint: EndpointRow, span: Span): Promise<Happened[]> {
  const found: Happened[] = []
  for (const source of sourcesOf(endpoint))
    found.push(...(await listEvents(tx, endpoint.organizationId, source, span, page)))
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, page)
}

/**
 * Messages of some events, behind everything that waits; those that wait already stay where they are. True where there is
 * one.
 */
async function writeAgain(
  tx: Tx,
  now: Date,
  endpoint: EndpointRow,
  events: readonly Happened[],
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
  // What was told once is told again in the same words (WH-4).
  const payloadOf = ({ id }: Happened) => known.get(id)?.payload ?? payloads.get(id) ?? null
  await insertMessages(
    tx,
    wanted.map((event) => ({
      ...messageOf(known.get(event.id)?.id ?? newId(), endpoint, event, payloadOf(event), now),
      attempts: known.get(event.id)?.attempts ?? 0,
    })),
  )
  return wanted.length > 0
}
