import type { Db, Id } from '../../../foundation/db/database.ts'

/** The fixed discounts of checkout links: each has one currency, so that some prices would be without it (DIS-2). */

const linked = (db: Db, organizationId: Id<'organization'>) =>
  db
    .selectFrom('checkoutLink as link')
    .innerJoin('discount', 'discount.id', 'link.discountId')
    .innerJoin('checkoutLinkProduct as linked', 'linked.checkoutLinkId', 'link.id')
    .innerJoin('product', 'product.id', 'linked.productId')
    .where('link.organizationId', '=', organizationId)
    .where('link.deletedAt', 'is', null)
    .where('discount.deletedAt', 'is', null)
    .where('discount.type', '=', 'fixed')
    // A discount for months is never for a product that is bought once.
    .where((where) =>
      where.or([where('discount.duration', '<>', 'repeating'), where('product.recurringInterval', 'is not', null)]),
    )

/** The currencies of fixed discounts for a product that links offer. */
export async function listLinkedCurrencies(
  db: Db,
  organizationId: Id<'organization'>,
  productId: Id<'product'>,
): Promise<string[]> {
  const rows = await linked(db, organizationId)
    .select('discount.currency')
    .distinct()
    .where('linked.productId', '=', productId)
    .where(({ or, not, exists, selectFrom }) => {
      const covered = selectFrom('discountProduct')
        .select('discountProduct.productId')
        .whereRef('discountProduct.discountId', '=', 'discount.id')
      return or([not(exists(covered)), exists(covered.where('discountProduct.productId', '=', productId))])
    })
    .orderBy('discount.currency')
    .execute()
  return rows.flatMap(({ currency }) => currency ?? [])
}

/** Other currencies in which links sell products with a fixed discount, by product. */
export async function listOtherCurrencies(db: Db, organizationId: Id<'organization'>, discountId: Id<'discount'>) {
  const rows = await linked(db, organizationId)
    .innerJoin('productPrice as price', 'price.productId', 'product.id')
    .select(['price.productId', 'price.priceCurrency'])
    .distinct()
    .where('discount.id', '=', discountId)
    .where('price.isArchived', '=', false)
    .whereRef('price.priceCurrency', '<>', 'discount.currency')
    .orderBy('price.priceCurrency')
    .execute()
  return rows.flatMap(({ productId, priceCurrency: currency }) => (currency === null ? [] : [{ productId, currency }]))
}
