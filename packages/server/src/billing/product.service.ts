import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Db } from '../db/database.ts'

/** Products of an organization as answers show them, with the prices that can be bought; archived products too. */
export async function readProducts(
  _db: Db,
  _organizationId: string,
  _ids: readonly string[],
): Promise<Map<string, Product>> {
  throw new Error('not built yet')
}

/** Prices by their ids, archived ones too. */
export async function readPrices(
  _db: Db,
  _organizationId: string,
  _ids: readonly string[],
): Promise<Map<string, ProductPrice>> {
  throw new Error('not built yet')
}
