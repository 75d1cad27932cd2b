import type { Customer } from '@tollgate/contract/billing-types'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { shownCustomers } from './customer.repository.ts'
import { toCustomer } from './customer-view.ts'

export { admitBuyer, type Buyer } from './buyer.service.ts'
export type { CustomerRow } from './customer.repository.ts'

/** Customers of an organization as answers show them; removed ones too, because orders still name them. One query. */
export async function readCustomers(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Customer>> {
  if (ids.length === 0) return new Map()
  const rows = await shownCustomers(db, organizationId).where('customer.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toCustomer(ctx, row)]))
}
