import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import { issueInvoiceLater, issueLater, missingForInvoice } from '../documents/issue.service.ts'
import { mailReceipt } from '../documents/receipt-mail.ts'
import { emitBilling } from '../events.ts'
import { allocate } from '../order/allocation.repository.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { receiptNumber } from '../order/invoice-number.ts'
import { findOrder, markInvoiced, markPaid, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { type PaymentRow, updatePayment } from '../order/payment.repository.ts'
import { keepMethod } from './keep-method.service.ts'
import { payLinkTo } from './pay-link.ts'
import type { Settler } from './settlers.ts'

/** A payment that waits for its buyer keeps waiting: the pay page asks the processor for what it shows. */
const waits = async (): Promise<void> => {}

/** A payment that failed changes nothing here: its order stays open, and the engine decides when to try again. */
const failed = async (): Promise<void> => {}

const customerIdOf = ({ id, customerId }: PaymentRow) => proven(customerId, `payment ${id} has a customer`)

/**
 * The payment of a posted order, such as a renewal's: the order becomes paid, and gets its receipt, and its invoice if it
 * has none. If another payment has paid it meanwhile, the money becomes the customer's credit.
 */
export const orderSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const now = ctx.clock.now()
    const customerId = customerIdOf(payment)
    const paymentMethodId = await keepMethodOfPresent(ctx, tx, { ...payment, customerId }, attempt, false)
    if (paymentMethodId !== null) await updatePayment(tx, payment.id, { paymentMethodId })
    const orderId = proven(payment.orderId, 'the payment of an order names it')
    const number = await receiptNumberOf(tx, payment.organizationId, orderId)
    const paid = await markPaid(tx, orderId, number, now)
    if (!paid) return creditPayment(tx, now, payment, 'paid_twice')
    await allocate(tx, now, { paymentId: payment.id, orderId, amount: payment.amount })
    const documents = await issueDocuments(ctx, tx, paid)
    const { organizationId } = payment
    const order = await readOrder(tx, proven(await findOrder(tx, organizationId, orderId), 'orders are never deleted'))
    for (const type of ['order.updated', 'order.paid'] as const)
      await emitBilling(tx, now, { organizationId, actorId: null }, type, order)
    await mailReceiptOf(ctx, tx, paid, documents)
  },
  failed,
  waits,
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

async function receiptNumberOf(tx: Tx, organizationId: string, orderId: string): Promise<string> {
  const order = proven(await findOrder(tx, organizationId, orderId), 'the payment of an order names it')
  return receiptNumber(order)
}

async function issueDocuments(ctx: Context, tx: Tx, order: OrderRow): Promise<DocumentRow[]> {
  const marked =
    missingForInvoice(order).length === 0
      ? await markInvoiced(tx, order.organizationId, order.id, ctx.clock.now())
      : undefined
  const invoice = marked ? [await issueInvoiceLater(ctx, tx, marked)] : []
  return [...invoice, await issueLater(ctx, tx, order, 'receipt')]
}

/** A saved method that pays nothing yet; it becomes the customer's default. */
export const setupSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const method = { ...payment, customerId: customerIdOf(payment) }
    const paymentMethodId = await keepMethodOfPresent(ctx, tx, method, attempt, true)
    await updatePayment(tx, payment.id, { paymentMethodId })
  },
  failed,
  waits,
}

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
