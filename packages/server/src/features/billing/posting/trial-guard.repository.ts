import type { Insertable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

/** Stores keys that no other trial of the seller has; returns how many there were. */
export const insertTrialKeys = async (
  tx: Tx,
  rows: readonly Insertable<Tables['trialRedemption']>[],
): Promise<number> =>
  (
    await tx
      .insertInto('trialRedemption')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['organizationId', 'keyHash']).doNothing())
      .returning('id')
      .execute()
  ).length

/** Whether any of these keys has had a trial with the seller. */
export const hasTrialKey = (
  db: Db,
  organizationId: Id<'organization'>,
  keyHashes: readonly string[],
): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('trialRedemption')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('keyHash', 'in', keyHashes)
      .limit(1),
  )

/** Removes the keys of a checkout whose trial never began. */
export const deleteTrialKeys = (tx: Tx, checkoutId: Id<'checkout'>) =>
  tx.deleteFrom('trialRedemption').where('checkoutId', '=', checkoutId).execute()
