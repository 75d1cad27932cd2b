import type { Db, Tx } from '../../db/database.ts'

/** Notes that an event has come; false for one that had come before. */
export async function noteProcessorEvent(
  tx: Tx,
  event: { readonly id: string; readonly processor: string; readonly type: string; readonly createdAt: Date },
): Promise<boolean> {
  const noted = await tx
    .insertInto('processorEvent')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** When the latest event of a processor came. */
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

/** Whether there is a payment or a refund of a processor's by our id. */
export async function isOfProcessor(
  db: Db,
  table: 'payment' | 'refund',
  id: string,
  processor: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('processor', '=', processor)
    .executeTakeFirst()
  return row !== undefined
}
