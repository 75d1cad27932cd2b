import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { noteAttention } from '../attention/attention.service.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import { mailReceipt } from '../documents/receipt-mail.ts'
import { allocate } from '../order/allocation.repository.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { findOrder, lockUnpaid, type OrderRow } from '../order/order.repository.ts'
import { type PaymentRow, updatePayment } from '../order/payment.repository.ts'
import { payOrder } from '../posting/pay-order.service.ts'
import { keepMethod } from './keep-method.service.ts'
import { payLinkTo } from './pay-link.ts'
import type { Settler, Succeeded } from './settlers.ts'
import { unexpectedOf } from './unexpected.ts'

/** A payment that waits for its buyer keeps waiting: the pay page asks the processor for what it shows. */
const waits = async (): Promise<void> => {}

/** A payment that failed changes nothing here: its order stays open, and the engine decides when to try again. */
const failed = async (): Promise<void> => {}

const customerIdOf = ({ id, customerId }: PaymentRow) => proven(customerId, `payment ${id} has a customer`)

/**
 * The payment of a posted order, such as a renewal's: the order becomes paid, and gets its receipt, and its invoice if it
 * has none. If another payment has paid it meanwhile, the money becomes the customer's credit; so does the money for an
 * order that was voided, which goes on the attention list as well.
 */
export const orderSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    await settleOrder(ctx, tx, await withKeptMethod(ctx, tx, payment, attempt), attempt)
  },
  failed,
  waits,
}

/** Saves the method of a payment of an order; answers the payment with it. */
export async function withKeptMethod(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow,
  attempt: Succeeded,
): Promise<PaymentRow> {
  const paid = { ...payment, customerId: customerIdOf(payment) }
  const paymentMethodId = await keepMethodOfPresent(ctx, tx, paid, attempt, false)
  if (paymentMethodId === null) return payment
  await updatePayment(tx, payment.id, { paymentMethodId })
  return { ...payment, paymentMethodId }
}

/** Pays an order with a payment that has succeeded, and whose method is saved. */
export async function settleOrder(ctx: Context, tx: Tx, payment: PaymentRow, attempt: Succeeded): Promise<void> {
  const orderId = proven(payment.orderId, 'the payment of an order names it')
  const unpaid = await lockUnpaid(tx, payment.organizationId, orderId)
  if (unpaid) return payUnpaid(ctx, tx, unpaid, payment)
  const isVoid = (await findOrder(tx, payment.organizationId, orderId))?.status === 'void'
  await creditPayment(tx, ctx.clock.now(), payment, isVoid ? 'paid_after_void' : 'paid_twice')
  if (isVoid) await noteAttention(ctx, tx, unexpectedOf(ctx, 'paid_after_void', payment, attempt))
}

/** Pays a locked order with a payment that has succeeded, and mails its receipt. */
export async function payUnpaid(ctx: Context, tx: Tx, unpaid: OrderRow, payment: PaymentRow): Promise<void> {
  await allocate(tx, ctx.clock.now(), { paymentId: payment.id, orderId: unpaid.id, amount: payment.amount })
  const { order, documents } = await payOrder(ctx, tx, unpaid, payment)
  await mailReceiptOf(ctx, tx, order, documents)
}

/** Queues the receipt of an order without a checkout; its link shows what was paid. */
export const mailReceiptOf = (
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  documents: readonly DocumentRow[],
): Promise<void> => mailReceipt(ctx, tx, { order, documents, url: payLinkTo(ctx, { kind: 'order', id: order.id }).url })

/** Saves the method of a payment, unless its customer was removed meanwhile: nothing of theirs is kept (CUS-1). */
export const keepMethodOfPresent: typeof keepMethod = async (ctx, tx, payment, attempt, isDefault) =>
  (await findCustomer(tx, payment.organizationId, { id: payment.customerId }))
    ? keepMethod(ctx, tx, payment, attempt, isDefault)
    : null

/** A payment into the customer's balance. */
export const balanceSettler: Settler = {
  succeeded: (ctx, tx, payment) => creditPayment(tx, ctx.clock.now(), payment, 'payment'),
  failed,
  waits,
}

/** Keeps a payment's money as the customer's credit. */
export async function creditPayment(tx: Tx, now: Date, payment: PaymentRow, reason: string): Promise<void> {
  const { organizationId, currency, amount } = payment
  if (amount === 0) return
  const entry = { id: newUuid(), organizationId, customerId: customerIdOf(payment), currency, amount, reason }
  await insertBalanceEntry(tx, { ...entry, paymentId: payment.id, createdAt: now })
}
