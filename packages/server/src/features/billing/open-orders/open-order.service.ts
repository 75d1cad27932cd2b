import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findOrder, lockUnpaid, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { findPaymentById, insertPayment, type PaymentRow } from '../order/payment.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { payUnpaid } from '../settlement/settle-order.service.ts'
import { giveUpPayments, voidUnpaid } from '../settlement/void-order.service.ts'
import { endDunning, endIfOver, lockSubscriptionOf, recover } from '../subscriptions/dunning.service.ts'

/**
 * Voids an order that waits for its payment (SUB-28). Its retries and its payments under way end, and a subscription of
 * which nothing else is to be paid is active again. Of a payment that settles at the same moment, either pays the order,
 * and this call is refused, or becomes the customer's credit and goes on the attention list.
 */
export const voidOrder: BillingHandler<'voidOrder'> = async ({ ctx, seller, params: { id }, body }) => {
  const { organizationId, actorId } = seller
  return ctx.transaction(async (tx) => {
    const { order, subscription } = await lockOpen(tx, organizationId, id)
    await voidUnpaid(ctx, tx, order, { actorId, reason: body.reason })
    if (subscription && !(await endDunning(ctx, tx, subscription))) await endIfOver(ctx, tx, subscription)
    return readNow(tx, order)
  })
}

/**
 * Marks an order as paid in another way, with a payment that no processor knows. What follows is what follows from any
 * payment: receipt, invoice, events, and the recovery of its subscription. Payments by card that are under way end; one
 * that succeeds all the same becomes the customer's credit.
 */
export const markOrderPaid: BillingHandler<'markOrderPaid'> = async ({ ctx, seller, params: { id }, body }) =>
  ctx.transaction(async (tx) => {
    const { order, subscription } = await lockOpen(tx, seller.organizationId, id)
    const payment = await insertManualPayment(ctx, tx, order, body.reference)
    await giveUpPayments(ctx, tx, order)
    await payUnpaid(ctx, tx, order, payment)
    if (subscription) await recover(ctx, tx, subscription)
    return readNow(tx, order)
  })

type OpenOrder = { readonly order: OrderRow; readonly subscription: SubscriptionRow | undefined }

/** Locks an order that waits for its payment, after its subscription. */
async function lockOpen(tx: Tx, organizationId: Id<'organization'>, id: Id<'order'>): Promise<OpenOrder> {
  const found = await findOrder(tx, organizationId, id)
  if (!found) throw new TollgateError('RESOURCE_NOT_FOUND')
  const subscription = await lockSubscriptionOf(tx, found)
  const order = await lockUnpaid(tx, organizationId, id)
  if (!order) throw new TollgateError('ORDER_NOT_DUE')
  return { order, subscription }
}

/** The payment of money that came in another way, with what the seller finds it by. */
async function insertManualPayment(ctx: Context, tx: Tx, order: OrderRow, reference: string): Promise<PaymentRow> {
  const now = ctx.clock.now()
  const id = newUuid()
  await insertPayment(tx, {
    id,
    organizationId: order.organizationId,
    processor: 'manual',
    purpose: 'charge',
    subject: 'order',
    status: 'succeeded',
    amount: order.totalAmount + order.appliedBalanceAmount,
    currency: order.currency,
    method: 'manual',
    orderId: order.id,
    customerId: order.customerId,
    customerEmail: order.buyerEmail,
    processorReference: reference,
    isTest: order.isTest,
    settledAt: now,
    createdAt: now,
  })
  return proven(await findPaymentById(tx, id), 'it was inserted')
}

const readNow = async (tx: Tx, { organizationId, id }: OrderRow) =>
  readOrder(tx, proven(await findOrder(tx, organizationId, id), 'orders are never deleted'))
