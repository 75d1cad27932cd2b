import type { Customer, Product, ProductBase } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { newUuid } from '../../ids.ts'
import type { CheckoutRow } from '../checkout/checkout.repository.ts'
import { emitCheckout, type Sale } from '../checkout/checkout-view.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import { issueAtSale, missingForInvoice } from '../documents/issue.service.ts'
import { emitBilling } from '../events.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { transitionCheckout } from './confirm.repository.ts'
import { invoiceNumber } from './invoice-number.ts'
import { insertOrder, insertOrderItems, type OrderItemRow, type OrderRow, takeOrderNumber } from './order.repository.ts'
import { type OrderSnapshot, toOrder } from './order-view.ts'
import { anchorDayOf, periodEnd, type RecurringInterval } from './period.ts'
import { mailReceipt } from './receipt-mail.ts'
import {
  changeBillableSubscription,
  insertSubscription,
  type SubscriptionRow,
  setSubscriptionPrices,
} from './subscription.repository.ts'
import { toSubscription } from './subscription-view.ts'

/** Whose purchase it is, and by what it can be paid again. */
export type Purchase = { readonly customerId: string; readonly paymentMethodId: string | null }

/**
 * Gives a buyer what they have paid for, or what costs nothing: subscription, order, invoice number, and the checkout's
 * success, with their events in the contract's order (3.10), and the receipt in their inbox. The checkout is confirmed, and
 * its row is held. An archived product is fulfilled, too: the money was taken (CHK-19).
 */
export async function fulfil(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  sale: Sale,
  purchase: Purchase,
): Promise<OrderRow> {
  const { organizationId } = checkout
  const customer = (await readCustomers(ctx, tx, organizationId, [purchase.customerId])).get(purchase.customerId)!
  const snapshot = await takeSnapshot(ctx, tx, organizationId, sale, customer)
  const subscribed = sale.product.isRecurring ? await subscribe(ctx, tx, checkout, sale, customer, purchase) : undefined
  const { order, items } = await writeOrder(ctx, tx, checkout, snapshot, subscribed)
  const succeeded = await transitionCheckout(tx, checkout.id, 'succeeded', {
    customerId: customer.id,
    processorMetadata: toJson({}),
    modifiedAt: ctx.clock.now(),
  })
  if (!succeeded) throw new Error(`checkout ${checkout.id} was fulfilled while it was not confirmed`)
  await emitCheckout(ctx, tx, null, 'checkout.updated', succeeded, sale)
  await tellStateChanged(ctx, tx, organizationId, customer.id)
  const documents = await issueAtSale(ctx, tx, { order, items, checkout })
  await mailReceipt(ctx, tx, checkout, order, documents)
  return order
}

/** What an order keeps of those who take part in it, as they are now (ORD-8). */
async function takeSnapshot(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { product, discount }: Sale,
  customer: Customer,
): Promise<OrderSnapshot> {
  const { name, slug, avatarUrl, email, website } = await readMerchant(ctx, tx, organizationId)
  return {
    customer,
    product: toProductBase(product),
    discount: discount ? toDiscountBase(discount) : null,
    seller: { name, slug, avatarUrl, email, website },
  }
}

function toProductBase(product: Product): ProductBase {
  const { prices: _prices, benefits: _benefits, medias: _medias, attachedCustomFields: _fields, ...base } = product
  return base
}

type Subscribed = { readonly row: SubscriptionRow; readonly isNew: boolean }

/**
 * Begins a subscription, or switches the free one that the checkout names: its new period begins now (CHK-17). Where that one
 * has ended meanwhile, the buyer gets a new one: the money was taken.
 */
async function subscribe(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  { product, prices, discount }: Sale,
  customer: Customer,
  { paymentMethodId }: Purchase,
): Promise<Subscribed> {
  const { organizationId, subscriptionId } = checkout
  const customerId = customer.id
  const now = ctx.clock.now()
  const interval = product.recurringInterval as RecurringInterval // recurring products have one
  const anchorDay = anchorDayOf(now)
  const terms = {
    amount: checkout.netAmount,
    currency: checkout.currency,
    recurringInterval: interval,
    anchorDay,
    currentPeriodStart: now,
    currentPeriodEnd: periodEnd(now, interval, anchorDay),
    productId: product.id,
    discountId: checkout.discountId,
    discountAppliedAt: checkout.discountAmount > 0 ? now : null,
    checkoutId: checkout.id,
    paymentMethodId,
    customFieldData: toJson(checkout.customFieldData),
    metadata: toJson(checkout.metadata),
  }
  const switched =
    subscriptionId === null
      ? undefined
      : // Whoever buys more means to stay.
        await changeBillableSubscription(
          tx,
          { organizationId, customerId, id: subscriptionId },
          { ...terms, cancelAtPeriodEnd: false, canceledAt: null, endsAt: null, modifiedAt: now },
        )
  const begun = { id: newUuid(), organizationId, customerId, status: 'active', startedAt: now, createdAt: now }
  const row = switched ?? (await insertSubscription(tx, { ...begun, ...terms, cancelAtPeriodEnd: false }))
  await setSubscriptionPrices(
    tx,
    row.id,
    prices.map(({ id }) => id),
  )
  const told = toSubscription(row, { customer, product, discount: discount ? toDiscountBase(discount) : null, prices })
  const types = switched
    ? (['subscription.updated'] as const)
    : (['subscription.created', 'subscription.active', 'subscription.updated'] as const)
  for (const type of types) await emitBilling(tx, now, { organizationId, actorId: null }, type, told)
  return { row, isNew: !switched }
}

/** The order of a checkout, paid (ORD-4). From its number on, other purchases from this seller wait. */
async function writeOrder(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  snapshot: OrderSnapshot,
  subscribed: Subscribed | undefined,
): Promise<{ readonly order: OrderRow; readonly items: readonly OrderItemRow[] }> {
  const { organizationId } = checkout
  const { customer, product } = snapshot
  const now = ctx.clock.now()
  // Of what the customer has said before only to themselves: whoever typed their address gets their own words back.
  const known = checkout.isBuyerKnown ? customer : undefined
  const address = checkout.customerBillingAddress ?? known?.billingAddress ?? null
  const billing = {
    billingName: checkout.customerBillingName ?? checkout.customerName ?? known?.billingName ?? known?.name ?? null,
    billingAddress: address === null ? null : toJson(address),
  }
  const { ordersCount, invoicePrefix } = await takeOrderNumber(tx, organizationId)
  const order = await insertOrder(tx, {
    id: newUuid(),
    organizationId,
    status: 'paid',
    billingReason: !subscribed ? 'purchase' : subscribed.isNew ? 'subscription_create' : 'subscription_update',
    subtotalAmount: checkout.amount,
    discountAmount: checkout.discountAmount,
    netAmount: checkout.netAmount,
    taxAmount: checkout.taxAmount ?? 0,
    tax: checkout.tax === null ? null : toJson(checkout.tax),
    totalAmount: checkout.totalAmount,
    appliedBalanceAmount: 0,
    refundedAmount: 0,
    refundedTaxAmount: 0,
    currency: checkout.currency,
    customerId: customer.id,
    productId: product.id,
    discountId: checkout.discountId,
    subscriptionId: subscribed?.row.id ?? null,
    checkoutId: checkout.id,
    invoiceNumber: invoiceNumber(invoicePrefix, ordersCount),
    ...billing,
    invoiceIssuedAt: missingForInvoice(billing).length === 0 ? now : null,
    snapshot: toJson(snapshot),
    customFieldData: toJson(checkout.customFieldData),
    metadata: toJson(checkout.metadata),
    paidAt: now,
    createdAt: now,
  })
  // Of what is bought at a checkout one price is paid now; usage is paid for afterwards (ORD-3).
  const item = {
    id: newUuid(),
    orderId: order.id,
    label: product.name,
    amount: order.subtotalAmount,
    taxAmount: order.taxAmount,
    proration: false,
    productPriceId: checkout.productPriceId,
    position: 0,
    createdAt: now,
  }
  const items = await insertOrderItems(tx, [item])
  const told = toOrder(order, items, subscribed?.row)
  for (const type of ['order.created', 'order.updated', 'order.paid'] as const)
    await emitBilling(tx, now, { organizationId, actorId: null }, type, told)
  return { order, items }
}
