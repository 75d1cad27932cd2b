import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import {
  type BalanceEntryRow,
  findCreditOf,
  hasBalanceEntry,
  insertBalanceEntryOnce,
} from '../order/balance.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { Processor, RefundTold } from '../payments/processor.ts'
import {
  findRefundByReference,
  insertRefund,
  listPendingRefunds,
  lockOrder,
  type RefundRow,
} from './refund.repository.ts'
import { refundOf } from './refund.service.ts'
import { leftToRefund, withoutTax } from './refund-rules.ts'
import { tellRefund } from './refund-view.ts'
import { reportedPayment } from './reported-payment.ts'
import { reconcileRefundJobId, settleRefund } from './settle-refund.service.ts'

/**
 * Records a refund that began at the processor, once per reference; the order counts it like any other. Returns the
 * current refund; undefined if the payment is unknown. Rejects if more was refunded than the order has left. That
 * includes pending refunds, which the processor will then refuse.
 */
export async function recordRefund(
  ctx: Context,
  processor: Processor,
  told: RefundTold,
): Promise<RefundRow | undefined> {
  const payment = await reportedPayment(ctx, processor, told.paymentId)
  const credit = await findCreditOf(ctx.db, told.paymentId, processor.name)
  if (credit) {
    await moveCredit(ctx, credit, told)
    return undefined
  }
  if (!payment) {
    ctx.log.warn({ refund: told.reference, payment: told.paymentId }, 'Ignored a refund of a payment without an order')
    return undefined
  }
  const known = await findRefundByReference(ctx.db, processor.name, told.reference)
  // A refund that failed before it was recorded has moved nothing.
  if (!known && (told.attempt.status === 'failed' || told.attempt.status === 'canceled')) return undefined
  const refund = known ?? (await ctx.transaction((tx) => begin(ctx, tx, payment, told)))
  return settleRefund(ctx, refund.id, told.attempt)
}

/**
 * Takes back credit whose money the processor has given back, once per refund, and gives it again if that money comes
 * back. No order counts such a refund, because its payment paid none.
 */
async function moveCredit(ctx: Context, credit: BalanceEntryRow, told: RefundTold): Promise<void> {
  const { organizationId, customerId, currency } = credit
  const { attempt, reference, amount } = told
  if (attempt.status === 'pending') return
  if (told.currency.toLowerCase() !== currency) throw new Error(`${reference} refunds credit of another currency`)
  const idOf = (what: string) => uuidOf(`${what} ${credit.id} ${reference}`)
  const [taken, returned] = [idOf('taken'), idOf('returned')]
  const entry = { organizationId, customerId, currency, reason: 'refund', createdAt: ctx.clock.now() }
  await ctx.transaction(async (tx) => {
    if (attempt.status === 'succeeded') await insertBalanceEntryOnce(tx, { ...entry, id: taken, amount: -amount })
    // A refund that failed before it was recorded has moved nothing.
    else if (await hasBalanceEntry(tx, taken)) await insertBalanceEntryOnce(tx, { ...entry, id: returned, amount })
  })
}

/** The same id for the same text. */
const uuidOf = (text: string): string => sha256(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

async function begin(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow & { orderId: Id<'order'> },
  told: RefundTold,
): Promise<RefundRow> {
  const order = proven(await lockOrder(tx, payment.organizationId, payment.orderId), 'orders are never deleted')
  // A concurrent event has recorded it.
  const known = await findRefundByReference(tx, payment.processor, told.reference)
  if (known) return known
  const left = leftToRefund(order, await listPendingRefunds(tx, order.id))
  if (told.amount > left.amount + left.taxAmount || told.currency.toLowerCase() !== order.currency)
    throw new Error(`${told.reference} refunds more of order ${order.id} than is left`)
  const now = ctx.clock.now()
  const refund = await insertRefund(tx, {
    ...refundOf(order, payment),
    ...withoutTax(order, left, told.amount),
    id: newUuid(),
    status: 'pending',
    reason: told.reason,
    comment: null,
    revokeBenefits: false,
    metadata: {},
    processorReference: told.reference,
    actorId: null,
    createdAt: now,
  })
  await tellRefund(tx, now, 'refund.created', refund, null)
  await enqueue(tx, now, {
    id: reconcileRefundJobId(refund.id),
    kind: 'reconcile-refund',
    payload: refund.id,
    organizationId: refund.organizationId,
  })
  return refund
}
