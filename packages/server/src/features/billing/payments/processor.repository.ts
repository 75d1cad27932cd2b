import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { ProcessorName } from './processor.ts'

/** Records a processor's event; false if it was recorded before. */
export const noteProcessorEvent = (
  tx: Tx,
  event: {
    readonly id: string
    readonly processor: string
    readonly type: string
    readonly createdAt: Date
  },
): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('processorEvent')
      .values(event)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  )

/** The time of a processor's latest event. */
export async function findLastEventAt(db: Db, processor: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('processorEvent')
    .select('createdAt')
    .where('processor', '=', processor)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt
}

/** Stores a processor's id of a payment; false if the payment is already settled. */
export const noteIntent = (tx: Tx, paymentId: Id<'payment'>, reference: string): Promise<boolean> =>
  hasRow(
    tx
      .updateTable('payment')
      .set({ processorReference: reference })
      .where('id', '=', paymentId)
      .where('status', '=', 'pending')
      .returning('id'),
  )

/** Whose payment or refund it is, by this server's id; undefined if the processor has none of that id. */
export async function sellerOfProcessed(
  db: Db,
  table: 'payment' | 'refund',
  id: string,
  processor: ProcessorName,
): Promise<Id<'organization'> | undefined> {
  const row = await db
    .selectFrom(table)
    .select('organizationId')
    .where('id', '=', id)
    .where('processor', '=', processor)
    .executeTakeFirst()
  return row?.organizationId
}

/** Whether a processor's payment or refund exists, by this server's id. */
export const isOfProcessor = async (
  db: Db,
  table: 'payment' | 'refund',
  id: string,
  processor: ProcessorName,
): Promise<boolean> => (await sellerOfProcessed(db, table, id, processor)) !== undefined

/** Whether an organization exists. */
export const isOrganization = (db: Db, id: Id<'organization'>): Promise<boolean> =>
  hasRow(db.selectFrom('organization').select('id').where('id', '=', id))

/** Which of some events are already recorded. */
export async function findKnownEvents(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('processorEvent').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

const readUntil = 'stripe.events-read-until'

/** Up to when Stripe's event list has been read; undefined before the first read. */
export async function findEventsReadUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', readUntil).executeTakeFirst()
  return row && new Date(row.value)
}

export async function setEventsReadUntil(tx: Tx, time: Date, now: Date): Promise<void> {
  const value = time.toISOString()
  await tx
    .insertInto('setting')
    .values({ key: readUntil, value, updatedAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updatedAt: now }))
    .execute()
}

export async function deleteEventsBefore(tx: Tx, time: Date): Promise<void> {
  await tx.deleteFrom('processorEvent').where('createdAt', '<=', time).execute()
}
