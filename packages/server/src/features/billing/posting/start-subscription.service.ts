import type { Customer, Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { FieldAnswers, Metadata } from '../../../foundation/db/tables/metadata.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { DiscountRow } from '../discount/discount.repository.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import type { LinePeriod } from '../engine/compute-order.ts'
import { anchorDayOf, periodEnd } from '../engine/period.ts'
import { emitBilling } from '../events.ts'
import {
  changeBillableSubscription,
  insertSubscription,
  moveSubscription,
  type NewSubscriptionItem,
  type SubscriptionRow,
  setSubscriptionItems,
} from '../order/subscription.repository.ts'
import { toSubscription } from '../order/subscription-view.ts'
import { nextRenewalAction, nextTrialAction } from './next-action.ts'

/** A purchase of a recurring product. */
export type NewSubscription = {
  readonly organizationId: Id<'organization'>
  readonly customer: Customer
  readonly product: Product
  readonly prices: ProductPrice[]
  readonly discount: DiscountRow | undefined
  /** What the first period costs, net of its discount. */
  readonly amount: number
  readonly isDiscounted: boolean
  /** What the buyer pays of a price that lets them choose; null otherwise. */
  readonly chosenAmount: number | null
  /** Of its fixed price; 1 by default. */
  readonly quantity?: number
  readonly currency: string
  readonly checkoutId: Id<'checkout'> | null
  readonly paymentMethodId: Id<'paymentMethod'> | null
  readonly customFieldData: FieldAnswers
  readonly metadata: Metadata
  /** The free subscription that this purchase replaces (CHK-17). */
  readonly replacesId: Id<'subscription'> | null
  /** The trial that it begins with. */
  readonly trial: LinePeriod | undefined
  /** The days until its invoices are due, where these collect it in place of the saved card. */
  readonly netTermsDays?: number | undefined
  /** Until when a new one waits for its first payment; once that is made, events tell of it, and it renews. */
  readonly waitsUntil?: Date
}

export type Started = { readonly row: SubscriptionRow; readonly isNew: boolean }

/**
 * Starts a subscription, or switches the free one that it replaces and starts a new period (CHK-17). If that one has
 * ended meanwhile, the buyer gets a new one, because the money was taken.
 */
export async function startSubscription(ctx: Context, tx: Tx, given: NewSubscription): Promise<Started> {
  const { organizationId, customer, product, prices, discount, replacesId, trial, waitsUntil } = given
  const customerId = customer.id
  const now = ctx.clock.now()
  const interval = proven(product.recurringInterval, 'only recurring products are subscribed to')
  // The first charge is at the end of the trial, whose day is the anchor (SUB-25).
  const anchorDay = anchorDayOf(trial?.end ?? now)
  const currentPeriodEnd = trial?.end ?? periodEnd(now, { interval, count: 1 }, anchorDay)
  const running = { start: now, end: currentPeriodEnd }
  const terms = {
    amount: given.amount,
    quantity: given.quantity ?? 1,
    currency: given.currency,
    recurringInterval: interval,
    anchorDay,
    currentPeriodStart: trial?.start ?? now,
    currentPeriodEnd,
    nextActionAt:
      waitsUntil ??
      (trial ? nextTrialAction(ctx, trial.end) : nextRenewalAction(ctx, { recurringInterval: interval }, running)),
    ...(trial && { trialStart: trial.start, trialEnd: trial.end }),
    productId: product.id,
    discountId: discount?.id ?? null,
    discountAppliedAt: given.isDiscounted && !trial ? now : null,
    checkoutId: given.checkoutId,
    paymentMethodId: given.paymentMethodId,
    ...collectedBy(given.netTermsDays),
    customFieldData: given.customFieldData,
    metadata: given.metadata,
  }
  const changed =
    replacesId === null
      ? undefined
      : // A buyer who upgrades takes back an earlier cancellation.
        await changeBillableSubscription(
          tx,
          { organizationId, customerId, id: replacesId },
          {
            ...terms,
            cancelAtPeriodEnd: false,
            canceledAt: null,
            endsAt: null,
            pendingChange: null,
            schedule: null,
            modifiedAt: now,
          },
        )
  const switched = changed && trial ? await moveSubscription(tx, changed.id, 'beginTrial', {}) : changed
  const status = waitsUntil ? 'incomplete' : trial ? 'trialing' : 'active'
  const startedAt = waitsUntil ? null : now
  const begun = { id: newUuid(), organizationId, customerId, status, startedAt, createdAt: now } as const
  const row = switched ?? (await insertSubscription(tx, { ...begun, ...terms, cancelAtPeriodEnd: false }))
  await setSubscriptionItems(
    tx,
    row.id,
    prices.map((price) => itemOf(price, given, now)),
  )
  if (waitsUntil) return { row, isNew: true }
  const told = toSubscription(row, { customer, product, discount: discount ? toDiscountBase(discount) : null, prices })
  const types = switched
    ? (['subscription.updated'] as const)
    : trial
      ? (['subscription.created', 'subscription.updated'] as const)
      : (['subscription.created', 'subscription.active', 'subscription.updated'] as const)
  for (const type of types) await emitBilling(tx, now, { organizationId, actorId: null }, type, told)
  return { row, isNew: !switched }
}

/** The columns of how a subscription is collected: by invoices due in so many days, or by the saved card. */
export const collectedBy = (netTermsDays: number | undefined) =>
  ({
    collectionMethod: netTermsDays === undefined ? 'charge_automatically' : 'send_invoice',
    netTermsDays: netTermsDays ?? null,
  }) as const

function itemOf(
  price: ProductPrice,
  { chosenAmount, quantity, currency }: NewSubscription,
  now: Date,
): NewSubscriptionItem {
  const isChosen = price.amountType === 'custom'
  return {
    id: newUuid(),
    productPriceId: price.id,
    quantity: quantityOf(price, quantity),
    unitAmount: isChosen ? chosenAmount : fullPriceOf(price),
    currency,
    chosenAmount: isChosen ? chosenAmount : null,
    createdAt: now,
  }
}

/** How many times a period charges a price: only a fixed one has a quantity. */
export const quantityOf = ({ amountType }: ProductPrice, quantity = 1): number =>
  amountType === 'fixed' ? quantity : 1

/** A price for one period; null for usage, which is billed by the unit. */
export function fullPriceOf(price: ProductPrice): number | null {
  if (price.amountType === 'fixed') return price.priceAmount
  return price.amountType === 'free' ? 0 : null
}
