import type { Db } from '../../../foundation/db/database.ts'
import type { ChangeTarget, SchedulePhase } from '../../../foundation/db/tables/order.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { readProducts } from '../catalog/product.service.ts'
import { findKeptDiscount } from '../discount/discount.repository.ts'
import { appliesTo } from '../discount/redemption.service.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

/** What a subscription becomes with a phase: its discount stays, unless the phase names one or its product has none. */
export async function targetOfPhase(db: Db, row: SubscriptionRow, phase: SchedulePhase): Promise<ChangeTarget> {
  const { productId, priceIds, quantity, discount } = phase
  const discountId = discount ? discount.id : await keptDiscount(db, row, productId)
  return { productId, priceIds, quantity, discountId, restart: null }
}

async function keptDiscount(
  db: Db,
  { organizationId, discountId, currency, productId: before }: SubscriptionRow,
  productId: SubscriptionRow['productId'],
): Promise<SubscriptionRow['discountId']> {
  if (discountId === null || productId === before) return discountId
  const discount = proven(await findKeptDiscount(db, organizationId, discountId), 'discounts are kept')
  const product = (await readProducts(db, organizationId, [productId])).get(productId)
  return (await appliesTo(db, discount, proven(product, 'products are never deleted'), currency)) ? discountId : null
}
