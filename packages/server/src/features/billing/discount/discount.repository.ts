import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { countRows, hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, type ListFilters, readPage } from '../list.repository.ts'

export type DiscountRow = Selectable<Tables['discount']>
export type DiscountValues = Updateable<Tables['discount']>

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('discount').selectAll().where('organizationId', '=', organizationId)
const present = (db: Db, organizationId: Id<'organization'>) =>
  ofOrganization(db, organizationId).where('deletedAt', 'is', null)

/** A discount of an organization, unless deleted. */
export const findDiscount = (db: Db, organizationId: Id<'organization'>, id: Id<'discount'>) =>
  present(db, organizationId).where('id', '=', id).executeTakeFirst()

/** Finds a discount by its code, in any letter case (DIS-3). */
export const findDiscountByCode = (db: Db, organizationId: Id<'organization'>, code: string) =>
  present(db, organizationId).where('codeKey', '=', code.toLowerCase()).executeTakeFirst()

/** Like `findDiscount`, but locks the row until the transaction ends. */
export const lockDiscount = (tx: Tx, organizationId: Id<'organization'>, id: Id<'discount'>) =>
  lockInOrder(tx, 'discount', id, present(tx, organizationId).where('id', '=', id)).executeTakeFirst()

/** A discount that a subscription or an order has, also where it is deleted (DIS-8). */
export const findKeptDiscount = (db: Db, organizationId: Id<'organization'>, id: Id<'discount'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** Includes deleted ones. */
export const listDiscountRows = (db: Db, organizationId: Id<'organization'>, ids: readonly Id<'discount'>[]) =>
  ofOrganization(db, organizationId).where('id', 'in', ids).execute()

const columns = {
  created_at: column('discount.createdAt', 'time'),
  name: column('discount.name', 'text'),
  code: column('discount.code', 'nullable'),
  redemptions_count: column('discount.redemptionsCount', 'number'),
}

export const pageOfDiscounts = (
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ParsedBillingQuery<'listDiscounts'>,
) => readPage(fittingDiscounts(lists, organizationId, request), request, { columns, id: 'discount.id' })

/** The matching discounts of an organization. */
export function fittingDiscounts(
  lists: Lists,
  organizationId: Id<'organization'>,
  { query: text }: ListFilters<'listDiscounts'>,
) {
  const query = present(lists.db, organizationId)
  return text ? query.where(contains(lists, text, 'discount.name', 'discount.code')) : query
}

export const insertDiscount = (tx: Tx, discount: Insertable<Tables['discount']>) =>
  tx.insertInto('discount').values(discount).returningAll().executeTakeFirstOrThrow()

export const updateDiscountRow = (tx: Tx, id: Id<'discount'>, values: DiscountValues) =>
  tx.updateTable('discount').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Frees the code; undefined if the discount was already deleted. */
export const markDiscountDeleted = (tx: Tx, organizationId: Id<'organization'>, id: Id<'discount'>, now: Date) =>
  tx
    .updateTable('discount')
    .set({ deletedAt: now, modifiedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The products of each discount; a discount without any applies to all. */
export async function productsOfDiscounts(
  db: Db,
  discountIds: readonly Id<'discount'>[],
): Promise<Map<string, Id<'product'>[]>> {
  const found = new Map<string, Id<'product'>[]>(discountIds.map((id) => [id, []]))
  if (discountIds.length === 0) return found
  const rows = await db
    .selectFrom('discountProduct')
    .selectAll()
    .where('discountId', 'in', discountIds)
    .orderBy('productId')
    .execute()
  for (const { discountId, productId } of rows) found.get(discountId)?.push(productId)
  return found
}

export async function setDiscountProducts(
  tx: Tx,
  discountId: Id<'discount'>,
  productIds: readonly Id<'product'>[],
): Promise<void> {
  await tx.deleteFrom('discountProduct').where('discountId', '=', discountId).execute()
  const rows = [...new Set(productIds)].map((productId) => ({ discountId, productId }))
  if (rows.length > 0) await tx.insertInto('discountProduct').values(rows).execute()
}

/**
 * Counts one more redemption, if one is left within the discount's window. The row stays locked until the transaction
 * ends, so that later counts are exact.
 */
export const takeRedemption = (tx: Tx, now: Date, organizationId: Id<'organization'>, id: Id<'discount'>) =>
  tx
    .updateTable('discount')
    .set((set) => ({ redemptionsCount: set('redemptionsCount', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where((where) => where.or([where('startsAt', 'is', null), where('startsAt', '<=', now)]))
    .where((where) => where.or([where('endsAt', 'is', null), where('endsAt', '>=', now)]))
    .where((where) =>
      where.or([where('maxRedemptions', 'is', null), where('redemptionsCount', '<', where.ref('maxRedemptions'))]),
    )
    .returning('maxRedemptionsPerCustomer')
    .executeTakeFirst()

export async function giveRedemptionBack(tx: Tx, id: Id<'discount'>): Promise<void> {
  await tx
    .updateTable('discount')
    .set((set) => ({ redemptionsCount: set('redemptionsCount', '-', 1) }))
    .where('id', '=', id)
    .where('redemptionsCount', '>', 0)
    .execute()
}

/** How often a buyer has redeemed a discount, by customer or by address, whichever customer used it (DIS-9). */
export const countRedemptionsOf = (
  db: Db,
  discountId: Id<'discount'>,
  { customerId, buyerKey }: { customerId: Id<'customer'>; buyerKey: string },
): Promise<number> =>
  countRows(
    db
      .selectFrom('discountRedemption')
      .where('discountId', '=', discountId)
      .where((where) => where.or([where('customerId', '=', customerId), where('buyerKey', '=', buyerKey)])),
  )

/** False if the checkout already has one. */
export const insertRedemption = (tx: Tx, redemption: Insertable<Tables['discountRedemption']>): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('discountRedemption')
      .values(redemption)
      .onConflict((conflict) => conflict.column('checkoutId').doNothing())
      .returning('id'),
  )

/** What redeems a discount. */
export type Redeemer = { readonly checkoutId: Id<'checkout'> } | { readonly subscriptionId: Id<'subscription'> }

/** Removes what has redeemed discounts, and returns these. */
export function deleteRedemptions(tx: Tx, by: Redeemer) {
  const redeemed = tx.deleteFrom('discountRedemption').returning('discountId')
  return 'checkoutId' in by
    ? redeemed.where('checkoutId', '=', by.checkoutId).execute()
    : redeemed.where('subscriptionId', '=', by.subscriptionId).execute()
}

/** Removes the latest redemption of a discount by a subscription; false if there is none. */
export const deleteLatestRedemption = (
  tx: Tx,
  subscriptionId: Id<'subscription'>,
  discountId: Id<'discount'>,
): Promise<boolean> =>
  hasRow(
    tx
      .deleteFrom('discountRedemption')
      .where('id', '=', (of) =>
        of
          .selectFrom('discountRedemption')
          .select('id')
          .where('subscriptionId', '=', subscriptionId)
          .where('discountId', '=', discountId)
          .orderBy('createdAt', 'desc')
          .orderBy('id')
          .limit(1),
      )
      .returning('id'),
  )
