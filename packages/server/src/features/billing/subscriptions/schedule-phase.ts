import type { Db } from '../../../foundation/db/database.ts'
import type { ChangeTarget, SchedulePhase, SubscriptionSchedule } from '../../../foundation/db/tables/order.ts'
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

/**
 * When the discount of a phase first applied; null where its term begins with the phase. One redemption is one term: a
 * phase that names a discount again goes on with it, however many phases lie between.
 */
export function appliedAtWith(row: SubscriptionRow, { discount }: SchedulePhase): Date | null {
  if (discount === null) return row.discountAppliedAt
  if (discount.id === null || discount.isRedeemed) return null
  if (discount.id === row.discountId) return row.discountAppliedAt
  const since = row.schedule?.discountsSince?.[discount.id]
  return since === undefined ? null : new Date(since)
}

/** A schedule that knows the discount of the period that ends, for the phases that name it again. */
export const withTermOf = (
  schedule: SubscriptionSchedule,
  { discountId, discountAppliedAt }: Pick<SubscriptionRow, 'discountId' | 'discountAppliedAt'>,
): SubscriptionSchedule =>
  discountId === null || discountAppliedAt === null
    ? schedule
    : {
        ...schedule,
        discountsSince: { ...schedule.discountsSince, [discountId]: discountAppliedAt.toISOString() },
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
