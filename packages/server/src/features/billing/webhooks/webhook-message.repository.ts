import type { InferResult, Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

export type NewMessage = Insertable<Tables['webhookMessage']>

/** Rows per statement: within the limits of both databases, with room to spare. */
const batch = 500

export async function insertMessages(tx: Tx, rows: readonly NewMessage[]): Promise<void> {
  for (let at = 0; at < rows.length; at += batch)
    await tx
      .insertInto('webhookMessage')
      .values(rows.slice(at, at + batch))
      .execute()
}

/** A message with its payload: its own, or the event's as long as that is kept. */
export type DueMessage = InferResult<ReturnType<typeof told>>[number]

const told = (db: Db) =>
  db
    .selectFrom('webhookMessage')
    .leftJoin('event', 'event.id', 'webhookMessage.eventId')
    .select(['webhookMessage.id', 'webhookMessage.sequence', 'webhookMessage.eventId', 'webhookMessage.type'])
    .select(['webhookMessage.subjectId', 'webhookMessage.attempts', 'webhookMessage.failures'])
    .select(['webhookMessage.createdAt', 'event.createdAt as happenedAt'])
    .select(sql<string | null>`coalesce(webhook_message.payload, ${bodyOfEvent()})`.as('payload'))

/**
 * The messages to send now, in order. Excludes a message while an earlier one of its object is failing: pending, and
 * first failed after `patience` (WH-5).
 * @param patience Messages that first failed before this time no longer block others.
 */
export const listDue = (
  db: Db,
  endpointId: Id<'webhookEndpoint'>,
  { now, patience, limit }: { now: Date; patience: Date; limit: number },
) =>
  told(db)
    .where('webhookMessage.endpointId', '=', endpointId)
    .where('webhookMessage.state', '=', sql.lit('pending'))
    .where('webhookMessage.nextAttemptAt', '<=', now)
    // A subquery value instead of `not exists`: PostgreSQL then always uses the index, whatever it estimates.
    .where((is) =>
      is(
        is
          .selectFrom('webhookMessage as earlier')
          .select('earlier.sequence')
          .where('earlier.endpointId', '=', endpointId)
          .where('earlier.state', '=', sql.lit('pending'))
          .where('earlier.firstFailedAt', '>', patience)
          .whereRef('earlier.subjectId', '=', 'webhookMessage.subjectId')
          .whereRef('earlier.sequence', '<', 'webhookMessage.sequence')
          .limit(1),
        'is',
        null,
      ),
    )
    .orderBy('webhookMessage.sequence')
    .limit(limit)
    .execute()

/** How many of an endpoint's attempts have failed in a row since a time; at most a limit. */
export async function failuresInARow(
  db: Db,
  endpointId: Id<'webhookEndpoint'>,
  since: Date,
  limit: number,
): Promise<number> {
  const newest = await db
    .selectFrom('webhookAttempt')
    .select('succeeded')
    .where('endpointId', '=', endpointId)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const success = newest.findIndex(({ succeeded }) => succeeded)
  return success === -1 ? newest.length : success
}

/**
 * When an endpoint's next message falls due, whether messages wait for others, and when the first of the blocking
 * messages first failed.
 */
export async function nextDue(
  db: Db,
  endpointId: Id<'webhookEndpoint'>,
  { now, patience }: { now: Date; patience: Date },
) {
  const pending = () =>
    db
      .selectFrom('webhookMessage')
      .where('endpointId', '=', endpointId)
      .where('state', '=', sql.lit('pending'))
      .limit(1)
  const later = await pending()
    .select('nextAttemptAt')
    .where('nextAttemptAt', '>', now)
    .orderBy('nextAttemptAt')
    .executeTakeFirst()
  const held = await pending().select('sequence').where('nextAttemptAt', '<=', now).executeTakeFirst()
  const failing =
    held &&
    (await pending()
      .select('firstFailedAt')
      .where('firstFailedAt', '>', patience)
      .orderBy('firstFailedAt')
      .executeTakeFirst())
  return {
    laterAt: later?.nextAttemptAt ?? undefined,
    isHeld: held !== undefined,
    failingSince: failing?.firstFailedAt ?? undefined,
  }
}

/** The sealed secrets of some checkouts, by id. */
export async function sealedSecretsOf(db: Db, checkoutIds: readonly Id<'checkout'>[]): Promise<Map<string, string>> {
  if (checkoutIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('checkout')
    .select(['id', 'sealedClientSecret'])
    .where('id', 'in', checkoutIds)
    .execute()
  return new Map(rows.map(({ id, sealedClientSecret }) => [id, sealedClientSecret]))
}

/** Marks messages as delivered, even if they were skipped meanwhile. */
export async function markDelivered(
  tx: Tx,
  ids: readonly Id<'webhookMessage'>[],
  httpCode: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('webhookMessage')
    .set((set) => ({
      state: 'succeeded',
      attempts: set('attempts', '+', 1),
      nextAttemptAt: null,
      lastHttpCode: httpCode,
      modifiedAt: now,
    }))
    .where('id', 'in', ids)
    .execute()
}

/** Marks a message as failed: sets its next attempt, or gives it up. A skipped one stays skipped. */
export async function markFailed(
  tx: Tx,
  id: Id<'webhookMessage'>,
  { nextAttemptAt, httpCode, now }: { nextAttemptAt: Date | null; httpCode: number | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('webhookMessage')
    .set((set) => ({
      state: nextAttemptAt === null ? 'failed' : 'pending',
      attempts: set('attempts', '+', 1),
      failures: set('failures', '+', 1),
      firstFailedAt: set.fn.coalesce('firstFailedAt', set.val(now)),
      nextAttemptAt,
      lastHttpCode: httpCode,
      modifiedAt: now,
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

/** Skips messages: all pending ones of an endpoint, or the given ones, whose event no longer exists. */
export async function skipPending(
  tx: Tx,
  endpointId: Id<'webhookEndpoint'>,
  now: Date,
  ids?: readonly Id<'webhookMessage'>[],
): Promise<void> {
  await tx
    .updateTable('webhookMessage')
    .set({ state: 'skipped', nextAttemptAt: null, modifiedAt: now })
    .where('endpointId', '=', endpointId)
    .where('state', '=', sql.lit('pending'))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids!))
    .execute()
}

/** The time of the oldest pending event of an endpoint; null if none is pending or the events are gone. */
export async function oldestPending(tx: Tx, endpointId: Id<'webhookEndpoint'>): Promise<Date | null> {
  const row = await tx
    .selectFrom('webhookMessage')
    .innerJoin('event', 'event.id', 'webhookMessage.eventId')
    .select('event.createdAt')
    .where('webhookMessage.endpointId', '=', endpointId)
    .where('webhookMessage.state', '=', sql.lit('pending'))
    .orderBy('webhookMessage.eventId')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

/** The pending messages of an endpoint. */
export type Waiting = {
  readonly pendingCount: number
  /** Messages that failed for so long that later ones overtake them, and since when the first of them fails. */
  readonly stuckCount: number
  readonly stuckSince: Date | null
}

export const nothingWaits: Waiting = { pendingCount: 0, stuckCount: 0, stuckSince: null }

/**
 * Counts the pending messages of some endpoints; leaves out endpoints without any.
 * @param patience Messages that first failed before this time are stuck.
 */
export async function countWaiting(
  db: Db,
  endpointIds: readonly Id<'webhookEndpoint'>[],
  patience: Date,
): Promise<Map<string, Waiting>> {
  if (endpointIds.length === 0) return new Map()
  const pending = db
    .selectFrom('webhookMessage')
    .select(['endpointId', sql<number>`count(*)`.as('count')])
    .where('endpointId', 'in', endpointIds)
    .where('state', '=', sql.lit('pending'))
    .groupBy('endpointId')
  const counted = await pending.execute()
  if (counted.length === 0) return new Map()
  const stuck = await pending
    .select((of) => of.fn.min('firstFailedAt').as('firstFailedAt'))
    .where('firstFailedAt', '<=', patience)
    .execute()
  return new Map(
    counted.map(({ endpointId, count }) => {
      const { count: stuckCount = 0, firstFailedAt: stuckSince = null } =
        stuck.find((each) => each.endpointId === endpointId) ?? {}
      return [endpointId, { pendingCount: Number(count), stuckCount: Number(stuckCount), stuckSince }]
    }),
  )
}

/** The messages of an event for an organization's enabled endpoints, or for one of them. */
export const listMessagesOf = (db: Db, organizationId: Id<'organization'>, eventId: Id<'event'>) =>
  db
    .selectFrom('webhookMessage')
    .innerJoin('webhookEndpoint', 'webhookEndpoint.id', 'webhookMessage.endpointId')
    .selectAll('webhookMessage')
    .select(['webhookEndpoint.enabled', 'webhookEndpoint.coversInstallation'])
    .where('webhookMessage.organizationId', '=', organizationId)
    .where('webhookMessage.eventId', '=', eventId)
    .where('webhookEndpoint.deletedAt', 'is', null)
    .orderBy('webhookMessage.endpointId')
    .execute()

/** A message with its payload, in the form of the API. */
export type ShownMessage = NonNullable<Awaited<ReturnType<typeof findMessage>>>

export const findMessage = (db: Db, endpointId: Id<'webhookEndpoint'>, eventId: Id<'event'>) =>
  db
    .selectFrom('webhookMessage')
    .leftJoin('event', 'event.id', 'webhookMessage.eventId')
    .selectAll('webhookMessage')
    .select('event.createdAt as happenedAt')
    .select(sql<string | null>`coalesce(webhook_message.payload, ${bodyOfEvent()})`.as('told'))
    .where('webhookMessage.endpointId', '=', endpointId)
    .where('webhookMessage.eventId', '=', eventId)
    .executeTakeFirst()

/** Sends a message again, from the start of the retry schedule. */
export async function requeueMessages(tx: Tx, ids: readonly Id<'webhookMessage'>[], now: Date): Promise<void> {
  await tx
    .updateTable('webhookMessage')
    .set({ state: 'pending', failures: 0, firstFailedAt: null, nextAttemptAt: now, modifiedAt: now })
    .where('id', 'in', ids)
    .execute()
}

/**
 * Messages since a time that were skipped although their event has a body, which it shares with another one. Leaves out
 * what was skipped because its endpoint was off: a replay sends that.
 */
const skippedBodies = (db: Db, since: Date) =>
  db
    .selectFrom('webhookMessage')
    .innerJoin('event', 'event.id', 'webhookMessage.eventId')
    .innerJoin('webhookEndpoint', 'webhookEndpoint.id', 'webhookMessage.endpointId')
    .where('webhookMessage.createdAt', '>=', since)
    .where('webhookMessage.state', '=', 'skipped')
    .where('webhookMessage.payload', 'is', null)
    .where('event.payloadOf', 'is not', null)
    .where('webhookEndpoint.enabled', '=', true)
    .where('webhookEndpoint.deletedAt', 'is', null)
    .where((is) =>
      is.or([
        is('webhookEndpoint.missedSince', 'is', null),
        is('webhookEndpoint.missedSince', '>', is.ref('event.createdAt')),
      ]),
    )

/** The endpoints of such messages. */
export async function endpointsWithSkippedBodies(db: Db, since: Date): Promise<Id<'webhookEndpoint'>[]> {
  const rows = await skippedBodies(db, since).select('webhookEndpoint.id').distinct().execute()
  return rows.map(({ id }) => id)
}

/** Such messages of one endpoint, the first of them first. */
export async function listSkippedBodies(
  db: Db,
  endpointId: Id<'webhookEndpoint'>,
  since: Date,
  limit: number,
): Promise<Id<'webhookMessage'>[]> {
  const rows = await skippedBodies(db, since)
    .select('webhookMessage.id')
    .where('webhookMessage.endpointId', '=', endpointId)
    .orderBy('webhookMessage.sequence')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes some attempts and finished messages from before a time; returns how many. */
export async function forgetBatch(tx: Tx, before: Date, limit: number): Promise<number> {
  const attempts = await tx
    .deleteFrom('webhookAttempt')
    .where('id', 'in', (among) =>
      among
        .selectFrom('webhookAttempt as old')
        .select('old.id')
        .where('old.createdAt', '<=', before)
        .orderBy('old.createdAt')
        .limit(limit),
    )
    .executeTakeFirst()
  const messages = await tx
    .deleteFrom('webhookMessage')
    .where('id', 'in', (among) =>
      among
        .selectFrom('webhookMessage as old')
        .select('old.id')
        .where('old.createdAt', '<=', before)
        .where('old.state', '<>', 'pending')
        .where((is) => is.or([is('old.modifiedAt', 'is', null), is('old.modifiedAt', '<=', before)]))
        .orderBy('old.createdAt')
        .limit(limit),
    )
    .executeTakeFirst()
  return Math.max(Number(attempts.numDeletedRows), Number(messages.numDeletedRows))
}
