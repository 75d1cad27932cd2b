import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import type { ChangeTarget } from '../../../foundation/db/tables/order.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import {
  changeSubscription,
  listSubscriptionItems,
  type SubscriptionChanges,
  type SubscriptionRow,
  setSubscriptionItems,
} from '../order/subscription.repository.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import { type PostedOrder, postOrder } from '../posting/post-order.service.ts'
import { fullPriceOf, quantityOf } from '../posting/start-subscription.service.ts'
import { sendInvoice, termsOf } from '../settlement/invoice.service.ts'
import { dueChangeOf, leaveUnlessConcerned, takeUp } from './price-change.ts'
import { appliedAtWith, targetOfPhase, withTermOf } from './schedule-phase.ts'
import { stepOf } from './schedule-step.ts'
import { netAmountOf, readSubscribed, type Subscribed } from './subscribed.ts'

/**
 * Gives a locked subscription another product with its prices (SUB-4, SUB-5), and a new period where the change begins
 * one. A change that waited is gone with it, and so is a change of price that no longer concerns it.
 */
export async function applyTarget(
  ctx: Context,
  tx: Tx,
  { id, organizationId, currency, discountAppliedAt }: SubscriptionRow,
  { productId, priceIds, quantity = 1, discountId, restart }: ChangeTarget,
  further: SubscriptionChanges = {},
): Promise<Subscribed> {
  const now = ctx.clock.now()
  const product = (await readProducts(tx, organizationId, [productId])).get(productId)
  const prices = await readPrices(tx, organizationId, priceIds)
  const items = priceIds.map((priceId) => {
    const price = proven(prices.get(priceId), 'prices are never deleted')
    return {
      id: newUuid(),
      productPriceId: priceId,
      quantity: quantityOf(price, quantity),
      unitAmount: fullPriceOf(price),
      currency,
      chosenAmount: null,
      createdAt: now,
    }
  })
  await setSubscriptionItems(tx, id, items)
  await leaveUnlessConcerned(tx, id, { productId, priceIds })
  const recurringInterval = proven(product?.recurringInterval, 'only recurring products are changed to')
  const begun = restart && { start: new Date(restart.start), end: new Date(restart.end) }
  const changed = await changeSubscription(tx, id, {
    productId,
    quantity,
    recurringInterval,
    intervalCount: 1,
    discountId,
    pendingChange: null,
    ...(begun && {
      currentPeriodStart: begun.start,
      currentPeriodEnd: begun.end,
      nextActionAt: nextRenewalAction(ctx, { recurringInterval }, begun),
      anchorDay: restart.anchorDay,
      ...(discountId !== null && { discountAppliedAt: discountAppliedAt ?? begun.start }),
    }),
    modifiedAt: now,
    ...further,
  })
  return withAmount(tx, await readSubscribed(ctx, tx, changed))
}

/** Stores what a period costs now, net of the discount (SUB-4). */
async function withAmount(tx: Tx, subscribed: Subscribed): Promise<Subscribed> {
  const amount = netAmountOf(subscribed)
  return { ...subscribed, row: await changeSubscription(tx, subscribed.row.id, { amount }) }
}

/** Applies what waits for the end of the period, if there is something: a change, a phase, a new price, or several. */
export async function applyWaiting(ctx: Context, tx: Tx, before: SubscriptionRow): Promise<SubscriptionRow> {
  const start = proven(before.currentPeriodEnd, 'it is active')
  const row = await applyPending(ctx, tx, before)
  // What a schedule has planned for this period stands, also where the schedule ends with it.
  const planned = { ...row, schedule: before.schedule }
  const due = await dueChangeOf(tx, planned, start, () => listSubscriptionItems(tx, row.id))
  if (!due || !(await takeUp(tx, due, start))) return row
  const { productId, quantity, discountId } = row
  return (await applyTarget(ctx, tx, row, { productId, priceIds: due.priceIds, quantity, discountId, restart: null }))
    .row
}

async function applyPending(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (row.pendingChange) return (await applyTarget(ctx, tx, row, row.pendingChange)).row
  if (!row.schedule) return row
  const { schedule, begins } = stepOf(withTermOf(row.schedule, row), proven(row.currentPeriodEnd, 'it is active'))
  if (!begins) return changeSubscription(tx, row.id, { schedule })
  const further = { schedule, discountAppliedAt: appliedAtWith(row, begins) }
  return (await applyTarget(ctx, tx, row, await targetOfPhase(tx, row, begins), further)).row
}

/**
 * Posts the order of a change that applies (SUB-7, SUB-23). Without a payment, one that has something due is an invoice by
 * the terms of its subscription.
 */
export async function postChange(
  ctx: Context,
  tx: Tx,
  { row, product, buyer, taxBehavior, discount }: Subscribed,
  change: { readonly id: string; readonly computed: ComputedOrder; readonly isDiscounted: boolean },
  payment: PaymentRow | undefined,
): Promise<PostedOrder> {
  const posted = await postOrder(ctx, tx, {
    organizationId: row.organizationId,
    billingReason: 'subscription_update',
    computed: change.computed,
    currency: row.currency,
    taxBehavior,
    product,
    discount: change.isDiscounted ? discount : undefined,
    buyer,
    subscription: {
      row,
      period: { start: row.currentPeriodStart, end: proven(row.currentPeriodEnd, 'it is active') },
      // A period may have several changes.
      cause: `subscription_update:${change.id}`,
    },
    checkoutId: null,
    payment,
    invoiced: termsOf(ctx, row),
    isTest: payment?.isTest ?? ctx.payments.forNewCheckouts.isTest,
    customFieldData: row.customFieldData,
    metadata: row.metadata,
  })
  if (posted.order.dueAt) await sendInvoice(ctx, tx, posted.order, posted.documents)
  return posted
}
