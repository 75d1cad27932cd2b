import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

/** A price with the name of its meter, and how often it is paid: that is its product's. */
export type PriceRow = Selectable<Tables['productPrice']> & {
  readonly meterName: string | null
  readonly recurringInterval: string | null
}
export type NewPriceRow = Insertable<Tables['productPrice']>

const prices = (db: Db, organizationId: string) =>
  db
    .selectFrom('productPrice')
    .innerJoin('product', 'product.id', 'productPrice.productId')
    .leftJoin('meter', 'meter.id', 'productPrice.meterId')
    .selectAll('productPrice')
    .select(['product.recurringInterval', 'meter.name as meterName'])
    .where('productPrice.organizationId', '=', organizationId)

/** Prices by their ids, archived ones too. */
export const listPrices = (db: Db, organizationId: string, ids: readonly string[]): Promise<PriceRow[]> =>
  prices(db, organizationId).where('productPrice.id', 'in', ids).execute()

/** What some products can be bought for, in order. */
export const listPricesOfProducts = (
  db: Db,
  organizationId: string,
  productIds: readonly string[],
): Promise<PriceRow[]> =>
  prices(db, organizationId)
    .where('productPrice.productId', 'in', productIds)
    .where('productPrice.isArchived', '=', false)
    .orderBy('productPrice.position')
    .execute()

/** The prices of a product in the order of the list. */
export async function insertPrices(tx: Tx, rows: readonly NewPriceRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('productPrice').values(rows).execute()
}

/** Archives every price of a product but those. Whoever has subscribed by one keeps it. */
export async function archiveOtherPrices(
  tx: Tx,
  productId: string,
  keptIds: readonly string[],
  now: Date,
): Promise<void> {
  let query = tx
    .updateTable('productPrice')
    .set({ isArchived: true, modifiedAt: now })
    .where('productId', '=', productId)
    .where('isArchived', '=', false)
  if (keptIds.length > 0) query = query.where('id', 'not in', keptIds)
  await query.execute()
}

export async function setPricePosition(tx: Tx, id: string, position: number): Promise<void> {
  await tx
    .updateTable('productPrice')
    .set({ position })
    .where('id', '=', id)
    .where('position', '<>', position)
    .execute()
}
