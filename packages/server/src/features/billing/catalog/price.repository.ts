import type { InferResult, Insertable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

/** A price with its meter's name and its product's interval. */
export type PriceRow = InferResult<ReturnType<typeof prices>>[number]
export type NewPriceRow = Insertable<Tables['productPrice']>

const prices = (db: Db, organizationId: Id<'organization'>) =>
  db
    .selectFrom('productPrice')
    .innerJoin('product', 'product.id', 'productPrice.productId')
    .leftJoin('meter', 'meter.id', 'productPrice.meterId')
    .selectAll('productPrice')
    .select(['product.recurringInterval', 'meter.name as meterName'])
    .where('productPrice.organizationId', '=', organizationId)

/** Prices by id, archived ones included. */
export function listPrices(db: Db, organizationId: Id<'organization'>, ids: readonly Id<'productPrice'>[]) {
  const [id] = ids
  return id !== undefined && ids.length === 1
    ? priceById(db, { organizationId, id })
    : prices(db, organizationId).where('productPrice.id', 'in', ids).execute()
}

const priceById = prepare(
  (db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'productPrice'> }) =>
    prices(db, organizationId).where('productPrice.id', '=', id),
)

/** The current prices of some products, in order. */
export function listPricesOfProducts(db: Db, organizationId: Id<'organization'>, productIds: readonly Id<'product'>[]) {
  const [id] = productIds
  return id !== undefined && productIds.length === 1
    ? pricesOfOne(db, { organizationId, id })
    : currentPrices(db, organizationId).where('productPrice.productId', 'in', productIds).execute()
}

const currentPrices = (db: Db, organizationId: Id<'organization'>) =>
  prices(db, organizationId).where('productPrice.isArchived', '=', false).orderBy('productPrice.position')

const pricesOfOne = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'product'> }) =>
  currentPrices(db, organizationId).where('productPrice.productId', '=', id),
)

export async function insertPrices(tx: Tx, rows: readonly NewPriceRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('productPrice').values(rows).execute()
}

/** Archives all other prices of a product. Existing subscriptions keep them. */
export async function archiveOtherPrices(
  tx: Tx,
  productId: Id<'product'>,
  keptIds: readonly Id<'productPrice'>[],
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

export async function setPricePosition(tx: Tx, id: Id<'productPrice'>, position: number): Promise<void> {
  await tx
    .updateTable('productPrice')
    .set({ position })
    .where('id', '=', id)
    .where('position', '<>', position)
    .execute()
}
