import type { Merchant } from '@tollgate/contract/billing-types'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'

/** A selling organization as answers and checkouts show it. */
export async function readMerchant(_ctx: Context, _db: Db, _organizationId: string): Promise<Merchant> {
  throw new Error('not built yet')
}
