import type { Db, Tx } from '../../db/database.ts'

/** The organization that the first approval went to, once for the installation. */
const firstApproval = 'billing.first-approval'

export async function isAnyApproved(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('merchant')
    .select('organizationId')
    .where('approvedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the first approval is this organization's: of two at the same moment it is one's. */
export async function claimFirstApproval(tx: Tx, organizationId: string, now: Date): Promise<boolean> {
  const claimed = await tx
    .insertInto('setting')
    .values({ key: firstApproval, value: organizationId, updatedAt: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

/**
 * Whether an organization has sold something, or is being paid. Locks its billing side, if it has one: every order and
 * payment refers to that row, so that none is added until the transaction ends.
 */
export async function hasSold(db: Db, organizationId: string): Promise<boolean> {
  const merchant = await db
    .selectFrom('merchant')
    .select('ordersCount')
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (!merchant) return false
  if (merchant.ordersCount > 0) return true
  const payment = await db
    .selectFrom('payment')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('status', '<>', 'failed')
    .limit(1)
    .executeTakeFirst()
  return payment !== undefined
}
