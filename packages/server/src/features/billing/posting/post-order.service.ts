import type { Address, Customer, Product, ProductBase } from '@tollgate/contract/billing-types'
import type { PageLocale } from '@tollgate/contract/pages'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { FieldAnswers, Metadata } from '../../../foundation/db/tables/metadata.ts'
import type { OrderCause, OrderSnapshot } from '../../../foundation/db/tables/order.ts'
import { newUuid } from '../../../foundation/ids.ts'
import type { DiscountRow } from '../discount/discount.repository.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import { issueAtSale, issueOpenInvoice, missingForInvoice } from '../documents/issue.service.ts'
import type { ComputedOrder, LinePeriod } from '../engine/compute-order.ts'
import { emitBilling } from '../events.ts'
import { findMerchant } from '../merchant/merchant.repository.ts'
import { allocate } from '../order/allocation.repository.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { invoiceNumber, receiptNumber } from '../order/invoice-number.ts'
import { takeNumber } from '../order/invoice-series.repository.ts'
import {
  countOrder,
  insertOrder,
  insertOrderItems,
  type OrderItemRow,
  type OrderRow,
} from '../order/order.repository.ts'
import { toOrder } from '../order/order-view.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { readMerchant } from '../seller/merchant.service.ts'

/** An order to post: what the engine computed, for whom, and why. It knows nothing of checkouts. */
export type OrderDraft = {
  readonly organizationId: Id<'organization'>
  readonly billingReason: OrderRow['billingReason']
  readonly computed: ComputedOrder
  readonly currency: string
  readonly taxBehavior: OrderRow['taxBehavior']
  readonly product: Product
  readonly discount: DiscountRow | undefined
  readonly buyer: OrderBuyer
  /** The subscription that it bills, its period, and what it bills in it: one order for each. */
  readonly subscription?: { readonly row: SubscriptionRow; readonly period: LinePeriod; readonly cause: OrderCause }
  readonly checkoutId: Id<'checkout'> | null
  /** The payment that pays it; without one, an order with something due is posted as pending (ORD-4). */
  readonly payment: PaymentRow | undefined
  /** How an order is collected by invoice that has something due: its invoice is issued at once. */
  readonly invoiced?: InvoiceTerms | undefined
  readonly isTest: boolean
  readonly customFieldData: FieldAnswers
  readonly metadata: Metadata
}

/** When an invoice is due, the notices of that which are over at its issue, and the page to pay it at. */
export type InvoiceTerms = { readonly dueAt: Date; readonly dueNotice: number; payUrlOf(id: Id<'order'>): string }

/** The buyer of an order, as they bought. */
export type OrderBuyer = {
  readonly customer: Customer
  /** Whether they are proven to be that customer; otherwise documents show only what they entered. */
  readonly isKnown: boolean
  readonly name: string | null
  readonly email: string | null
  readonly taxId: string | null
  readonly locale: PageLocale | null
  readonly billingName: string | null
  readonly billingAddress: Address | null
}

export type PostedOrder = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly documents: readonly DocumentRow[]
}

/**
 * Posts an order: the order with its items, the payment's allocation, the use of the customer's balance, the invoice
 * with its number, the receipt, and the events, in the transaction of the change. Call it late in the transaction,
 * because other invoices of the seller wait for the number until its end (ORD-7).
 */
export async function postOrder(ctx: Context, tx: Tx, draft: OrderDraft): Promise<PostedOrder> {
  const { organizationId, payment, computed, subscription } = draft
  const now = ctx.clock.now()
  const id = newUuid()
  const snapshot = await takeSnapshot(ctx, tx, draft)
  // What needs no number comes before it is taken.
  const merchant = await findMerchant(tx, organizationId)
  await ctx.beforeEvents(tx, organizationId)
  const number = isInvoicedNow(draft) ? invoiceNumber(await takeNumber(tx, organizationId, 'invoice')) : null
  const order = orderOf(draft, { id, snapshot, number, now })
  const items = itemsOf(order, computed)
  await insertOrder(tx, order)
  await countOrder(tx, order)
  await insertOrderItems(tx, items)
  if (payment && payment.amount > 0)
    await allocate(tx, now, { paymentId: payment.id, orderId: order.id, amount: payment.amount })
  await moveBalance(tx, now, order, computed)
  const isInvoiced = number !== null
  const documents =
    order.paidAt !== null
      ? await issueAtSale(ctx, tx, { order, items, merchant, paidBy: payment ?? null }, { isInvoiced })
      : isInvoiced && draft.invoiced
        ? [await issueOpenInvoice(ctx, tx, { order, items, merchant, paidBy: null }, draft.invoiced.payUrlOf(id))]
        : []
  const told = toOrder(order, items, subscription?.row)
  for (const type of [
    'order.created',
    'order.updated',
    ...(order.paidAt === null ? [] : ['order.paid' as const]),
  ] as const)
    await emitBilling(tx, now, { organizationId, actorId: null }, type, told)
  return { order, items, documents }
}

/** Takes the order's snapshot of buyer, product, discount and seller (ORD-8). */
async function takeSnapshot(
  ctx: Context,
  tx: Tx,
  { organizationId, product, discount, buyer: { customer } }: OrderDraft,
): Promise<OrderSnapshot> {
  const { name, slug, avatarUrl, email, website } = await readMerchant(ctx, tx, organizationId)
  return asStored({
    customer,
    product: toProductBase(product),
    discount: discount ? toDiscountBase(discount) : null,
    seller: { name, slug, avatarUrl, email, website },
  })
}

/** As the database gives it back: JSON has times as text, and nothing that is undefined. */
const asStored = (snapshot: OrderSnapshot): OrderSnapshot => JSON.parse(JSON.stringify(snapshot))

function toProductBase(product: Product): ProductBase {
  const { prices: _prices, benefits: _benefits, medias: _medias, attachedCustomFields: _fields, ...base } = product
  return base
}

const isPaid = ({ payment, computed }: OrderDraft): boolean => payment !== undefined || computed.dueNow === 0

const isInvoicedNow = (draft: OrderDraft): boolean =>
  (isPaid(draft) || draft.invoiced !== undefined) && missingForInvoice(draft.buyer).length === 0

type Facts = Pick<OrderRow, 'id' | 'snapshot'> & { readonly number: string | null; readonly now: Date }

function orderOf(draft: OrderDraft, { id, snapshot, number, now }: Facts): OrderRow {
  const { organizationId, buyer, computed, subscription } = draft
  const paidAt = isPaid(draft) ? now : null
  const { subtotalAmount, discountAmount, netAmount, taxAmount, totalAmount } = computed.totals
  return {
    id,
    organizationId,
    status: paidAt ? 'paid' : 'pending',
    billingReason: draft.billingReason,
    subtotalAmount,
    discountAmount,
    netAmount,
    taxAmount: taxAmount ?? 0,
    tax: computed.tax,
    totalAmount,
    appliedBalanceAmount: computed.balance.applied,
    refundedAmount: 0,
    refundedTaxAmount: 0,
    currency: draft.currency,
    taxBehavior: draft.taxBehavior,
    customerId: buyer.customer.id,
    productId: draft.product.id,
    discountId: draft.discount?.id ?? null,
    subscriptionId: subscription?.row.id ?? null,
    periodStart: subscription?.period.start ?? null,
    periodEnd: subscription?.period.end ?? null,
    cause: subscription?.cause ?? null,
    checkoutId: draft.checkoutId,
    invoiceNumber: number,
    receiptNumber: paidAt ? receiptNumber({ id, invoiceNumber: number }) : null,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerTaxId: buyer.taxId,
    buyerLocale: buyer.locale,
    isBuyerKnown: buyer.isKnown,
    isTest: draft.isTest,
    billingName: buyer.billingName,
    billingAddress: buyer.billingAddress,
    invoiceIssuedAt: number === null ? null : now,
    snapshot,
    customFieldData: draft.customFieldData,
    metadata: draft.metadata,
    dueAt: paidAt ? null : (draft.invoiced?.dueAt ?? null),
    dueNotice: paidAt ? 0 : (draft.invoiced?.dueNotice ?? 0),
    paidAt,
    voidedAt: null,
    voidReason: null,
    creditNoteNumber: null,
    createdAt: now,
    modifiedAt: null,
  }
}

const itemsOf = (order: OrderRow, { items }: ComputedOrder): OrderItemRow[] =>
  items.map(({ productId: _, period, ...item }, position) => ({
    ...item,
    id: newUuid(),
    orderId: order.id,
    proration: item.kind === 'proration',
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    position,
    createdAt: order.createdAt,
  }))

/** Spends credit, collects a debt, or keeps a negative total as credit (ORD-6). */
async function moveBalance(tx: Tx, now: Date, order: OrderRow, { balance, totals }: ComputedOrder): Promise<void> {
  const amount = totals.totalAmount < 0 ? -totals.totalAmount : balance.applied
  if (amount === 0) return
  await insertBalanceEntry(tx, {
    id: newUuid(),
    organizationId: order.organizationId,
    customerId: order.customerId,
    currency: order.currency,
    amount,
    reason: order.billingReason,
    orderId: order.id,
    createdAt: now,
  })
}
