import type { Customer, Product, ProductBase } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { OrderSnapshot } from '../../../foundation/db/tables/order.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import { issueAtSale, missingForInvoice } from '../documents/issue.service.ts'
import { mailReceipt } from '../documents/receipt-mail.ts'
import { anchorDayOf, periodEnd } from '../engine/period.ts'
import { emitBilling } from '../events.ts'
import { invoiceNumber } from '../order/invoice-number.ts'
import {
  insertOrder,
  insertOrderItems,
  type OrderItemRow,
  type OrderRow,
  takeOrderNumber,
} from '../order/order.repository.ts'
import { toOrder } from '../order/order-view.ts'
import {
  changeBillableSubscription,
  insertSubscription,
  type SubscriptionRow,
  setSubscriptionPrices,
} from '../order/subscription.repository.ts'
import { toSubscription } from '../order/subscription-view.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import { transitionCheckout } from './checkout.repository.ts'
import { checkoutUrl, clientSecretOf, emitCheckout, type Sale } from './checkout-view.ts'

/** The buying customer and the saved payment method. */
export type Purchase = { readonly customerId: Id<'customer'>; readonly paymentMethodId: Id<'paymentMethod'> | null }

/**
 * Delivers a purchase that is paid or free: subscription, order, invoice number, the checkout's success, their events
 * in the contract's order (3.10), and the mailed receipt. The checkout is confirmed and locked. Archived products are
 * delivered too, because the money was taken (CHK-19).
 */
export async function fulfil(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  sale: Sale,
  purchase: Purchase,
): Promise<OrderRow> {
  const { organizationId } = checkout
  const customers = await readCustomers(ctx, tx, organizationId, [purchase.customerId])
  const customer = proven(customers.get(purchase.customerId), 'the customer was locked for this purchase')
  const snapshot = await takeSnapshot(ctx, tx, organizationId, sale, customer)
  const subscribed = sale.product.isRecurring ? await subscribe(ctx, tx, checkout, sale, customer, purchase) : undefined
  const { order, items } = await writeOrder(ctx, tx, checkout, snapshot, subscribed)
  const succeeded = await transitionCheckout(tx, checkout.id, 'succeeded', {
    customerId: customer.id,
    processorMetadata: {},
    modifiedAt: ctx.clock.now(),
  })
  if (!succeeded) throw new Error(`checkout ${checkout.id} cannot be fulfilled: it is not confirmed`)
  await emitCheckout(ctx, tx, null, 'checkout.updated', succeeded, sale)
  await tellStateChanged(ctx, tx, organizationId, customer.id)
  const documents = await issueAtSale(ctx, tx, { order, items, buyer: checkout })
  const clientSecret = clientSecretOf(ctx, checkout)
  // Without the client secret (its SECRET is no longer configured) the mail's link would lead nowhere.
  if (clientSecret !== '') {
    const url = `${checkoutUrl(ctx, clientSecret)}/confirmation`
    await mailReceipt(ctx, tx, { order, buyer: checkout, documents, url })
  }
  return order
}

/** Takes the order's snapshot of buyer, product, discount and seller (ORD-8). */
async function takeSnapshot(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
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
 * Creates a subscription, or switches the checkout's free one and starts a new period (CHK-17). If that one has ended
 * meanwhile, the buyer gets a new one, because the money was taken.
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
  const interval = proven(product.recurringInterval, 'only recurring products are subscribed to')
  const anchorDay = anchorDayOf(now)
  const terms = {
    amount: checkout.netAmount,
    currency: checkout.currency,
    recurringInterval: interval,
    anchorDay,
    currentPeriodStart: now,
    currentPeriodEnd: periodEnd(now, { interval, count: 1 }, anchorDay),
    productId: product.id,
    discountId: checkout.discountId,
    discountAppliedAt: checkout.discountAmount > 0 ? now : null,
    checkoutId: checkout.id,
    paymentMethodId,
    customFieldData: checkout.customFieldData,
    metadata: checkout.metadata,
  }
  const switched =
    subscriptionId === null
      ? undefined
      : // A buyer who upgrades withdraws an earlier cancellation.
        await changeBillableSubscription(
          tx,
          { organizationId, customerId, id: subscriptionId },
          { ...terms, cancelAtPeriodEnd: false, canceledAt: null, endsAt: null, modifiedAt: now },
        )
  const begun = { id: newUuid(), organizationId, customerId, status: 'active' as const, startedAt: now, createdAt: now }
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

/** Writes the paid order of a checkout (ORD-4). Taking its number blocks other purchases from this seller. */
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
  // Only a known buyer gets the customer's stored details on the invoice; a stranger gets only their own input.
  const known = checkout.isBuyerKnown ? customer : undefined
  const address = checkout.customerBillingAddress ?? known?.billingAddress ?? null
  const billing = {
    billingName: checkout.customerBillingName ?? checkout.customerName ?? known?.billingName ?? known?.name ?? null,
    billingAddress: address === null ? null : address,
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
    tax: checkout.tax === null ? null : checkout.tax,
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
    snapshot: snapshot,
    customFieldData: checkout.customFieldData,
    metadata: checkout.metadata,
    paidAt: now,
    createdAt: now,
  })
  // A checkout charges one price now; usage is billed later (ORD-3).
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
