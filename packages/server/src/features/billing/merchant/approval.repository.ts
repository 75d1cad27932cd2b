import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { hasRow } from '../../../foundation/db/rows.ts'

/** Setting with the organization that got the installation's first approval. */
const firstApproval = 'billing.first-approval'

export const isAnyApproved = (db: Db): Promise<boolean> =>
  hasRow(db.selectFrom('merchant').select('organizationId').where('approvedAt', 'is not', null).limit(1))

/** Claims the first approval; only one of two concurrent organizations gets it. */
export const claimFirstApproval = (tx: Tx, organizationId: Id<'organization'>, now: Date): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('setting')
      .values({ key: firstApproval, value: organizationId, updatedAt: now })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key'),
  )

/**
 * Whether an organization has orders or a payment under way. Locks its merchant row: orders and payments refer to it,
 * so none is added until the transaction ends.
 */
export async function hasSold(db: Db, organizationId: Id<'organization'>): Promise<boolean> {
  const side = db.selectFrom('merchant').select('organizationId').where('organizationId', '=', organizationId)
  const merchant = await lockInOrder(db, 'merchant', organizationId, side).executeTakeFirst()
  if (!merchant) return false
  const order = db.selectFrom('order').select('id').where('organizationId', '=', organizationId).limit(1)
  if (await hasRow(order)) return true
  const payment = await db
    .selectFrom('payment')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('status', '<>', 'failed')
    .limit(1)
    .executeTakeFirst()
  return payment !== undefined
}

/** Files of an organization that are not removed, complete or not. */
export async function listFileIds(db: Db, organizationId: Id<'organization'>): Promise<Id<'file'>[]> {
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
