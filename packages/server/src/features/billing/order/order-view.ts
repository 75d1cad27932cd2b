import type { Order } from '@tollgate/contract/billing-types'
import type { OrderItemRow, OrderRow } from './order.repository.ts'
import type { SubscriptionRow } from './subscription.repository.ts'
import { toSubscriptionBase } from './subscription-view.ts'

/** Statuses of orders that were paid, refunded since or not (ORD-2). */
const paidStatuses: readonly string[] = ['paid', 'partially_refunded', 'refunded']

/** An order as responses and events show it. */
export function toOrder(
  row: OrderRow,
  items: readonly OrderItemRow[],
  subscription: SubscriptionRow | undefined,
): Order {
  const { customer, product, discount } = row.snapshot
  const { status } = row
  if (status === 'draft') throw new Error(`order ${row.id} is a draft, which stays inside`)
  const paid = paidStatuses.includes(status)
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    // Clients know no voided orders: one stays pending, with nothing due (SUB-28).
    status: status === 'void' ? 'pending' : status,
    paid,
    subtotalAmount: row.subtotalAmount,
    discountAmount: row.discountAmount,
    netAmount: row.netAmount,
    amount: row.netAmount,
    taxAmount: row.taxAmount,
    totalAmount: row.totalAmount,
    appliedBalanceAmount: row.appliedBalanceAmount,
    dueAmount: status === 'void' ? 0 : Math.max(0, row.totalAmount + row.appliedBalanceAmount),
    refundedAmount: row.refundedAmount,
    refundedTaxAmount: row.refundedTaxAmount,
    refundableAmount: paid ? row.netAmount - row.refundedAmount : 0,
    refundableTaxAmount: paid ? row.taxAmount - row.refundedTaxAmount : 0,
    platformFeeAmount: 0,
    platformFeeCurrency: null,
    currency: row.currency,
    billingReason: row.billingReason,
    billingName: row.billingName,
    billingAddress: row.billingAddress,
    invoiceNumber: row.invoiceNumber,
    isInvoiceGenerated: row.invoiceIssuedAt !== null,
    receiptNumber: paid ? row.receiptNumber : null,
    nextPaymentAttemptAt: status === 'pending' && row.dueAt === null ? nextAttemptAt(subscription) : null,
    dueAt: row.dueAt?.toISOString() ?? null,
    voidedAt: row.voidedAt?.toISOString() ?? null,
    voidReason: row.voidReason,
    description: product.name,
    seats: null,
    customerId: row.customerId,
    userId: row.customerId,
    productId: row.productId,
    discountId: row.discountId,
    subscriptionId: row.subscriptionId,
    checkoutId: row.checkoutId,
    metadata: row.metadata,
    customFieldData: row.customFieldData,
    customer,
    product,
    discount,
    subscription: subscription ? toSubscriptionBase(subscription) : null,
    items: items.map((item) => ({
      id: item.id,
      createdAt: item.createdAt.toISOString(),
      modifiedAt: null,
      label: item.label,
      quantity: item.quantity,
      amount: item.amount,
      taxAmount: item.taxAmount,
      proration: item.proration,
      productPriceId: item.productPriceId,
    })),
    tax: row.tax,
  }
}

/** When the engine charges an order again that its subscription has left unpaid. */
const nextAttemptAt = (subscription: SubscriptionRow | undefined): string | null =>
  subscription?.status === 'past_due' ? (subscription.nextActionAt?.toISOString() ?? null) : null
