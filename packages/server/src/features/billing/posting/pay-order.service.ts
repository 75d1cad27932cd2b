import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import { issueAtSale, missingForInvoice } from '../documents/issue.service.ts'
import { emitBilling } from '../events.ts'
import { findMerchant } from '../merchant/merchant.repository.ts'
import { invoiceNumber, receiptNumber } from '../order/invoice-number.ts'
import { takeNumber } from '../order/invoice-series.repository.ts'
import { itemsOfOrders, type OrderRow, updateOrder } from '../order/order.repository.ts'
import { toOrder } from '../order/order-view.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import { listSubscriptionsById } from '../order/subscription.repository.ts'

/** An order that was paid, with the documents that it got. */
export type PaidOrder = { readonly order: OrderRow; readonly documents: readonly DocumentRow[] }

/**
 * Marks a posted order as paid, which the caller has locked: it gets its receipt, its invoice with a number unless it
 * has one, and the events. Call it late in the transaction, because other invoices of the seller wait for the number
 * until its end (ORD-7).
 */
export async function payOrder(ctx: Context, tx: Tx, unpaid: OrderRow, payment: PaymentRow): Promise<PaidOrder> {
  const { id, organizationId, subscriptionId } = unpaid
  const now = ctx.clock.now()
  // What needs no number comes before it is taken.
  const items = proven((await itemsOfOrders(tx, [id])).get(id), 'every order has items')
  const [subscription] =
    subscriptionId === null ? [] : await listSubscriptionsById(tx, organizationId, [subscriptionId])
  const merchant = await findMerchant(tx, organizationId)
  await ctx.beforeEvents(tx, organizationId)
  const isInvoiced = unpaid.invoiceIssuedAt === null && missingForInvoice(unpaid).length === 0
  const changes = {
    status: 'paid',
    receiptNumber: receiptNumber(unpaid),
    paidAt: now,
    modifiedAt: now,
    ...(isInvoiced && { invoiceNumber: await numberOf(tx, unpaid), invoiceIssuedAt: now }),
  } as const
  const order = { ...unpaid, ...changes }
  await updateOrder(tx, id, changes)
  const documents = await issueAtSale(ctx, tx, { order, items, merchant, paidBy: payment }, { isInvoiced })
  const told = toOrder(order, items, subscription)
  for (const type of ['order.updated', 'order.paid'] as const)
    await emitBilling(tx, now, { organizationId, actorId: null }, type, told)
  return { order, documents }
}

/** The next number of the series, unless the order has one from before invoices and orders were told apart. */
const numberOf = async (tx: Tx, { organizationId, invoiceNumber: known }: OrderRow): Promise<string> =>
  known ?? invoiceNumber(await takeNumber(tx, organizationId, 'invoice'))
