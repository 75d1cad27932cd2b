import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { newUuid } from '../../ids.ts'
import { enqueue } from '../../jobs.ts'
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
import { reconcileRefundJobId, settleRefund } from './settle-refund.service.ts'
import { toldPayment } from './told-payment.ts'

/**
 * Writes down a refund that somebody has made at the processor and not here, once for each of its references: the order counts
 * it like every other. Answers it as it stands; nothing of a payment that is not ours. Rejects where more went back than is
 * left of the order, and so while refunds are on their way that the processor will refuse because of it.
 */
export async function recordRefund(
  ctx: Context,
  processor: Processor,
  told: RefundTold,
): Promise<RefundRow | undefined> {
  const payment = await toldPayment(ctx, processor, told.paymentId)
  if (!payment) {
    ctx.log.warn({ refund: told.reference, payment: told.paymentId }, 'a refund of a payment that has bought nothing')
    return undefined
  }
  const known = await findRefundByReference(ctx.db, processor.name, told.reference)
  // What has failed without our knowing of it has moved nothing.
  if (!known && (told.attempt.status === 'failed' || told.attempt.status === 'canceled')) return undefined
  const refund = known ?? (await ctx.transaction((tx) => begin(ctx, tx, payment, told)))
  return settleRefund(ctx, refund.id, told.attempt)
}

async function begin(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow & { orderId: string },
  told: RefundTold,
): Promise<RefundRow> {
  const order = (await lockOrder(tx, payment.organizationId, payment.orderId))! // orders stay
  // At the same moment by another event.
  const known = await findRefundByReference(tx, payment.processor, told.reference)
  if (known) return known
  const left = leftToRefund(order, await listPendingRefunds(tx, order.id))
  if (told.amount > left.amount + left.taxAmount || told.currency.toLowerCase() !== order.currency)
    throw new Error(`${told.reference} gave back more of order ${order.id} than is left`)
  const now = ctx.clock.now()
  const refund = await insertRefund(tx, {
    ...refundOf(order, payment),
    ...withoutTax(order, left, told.amount),
    id: newUuid(),
    status: 'pending',
    reason: told.reason,
    comment: null,
    revokeBenefits: false,
    metadata: toJson({}),
    processorReference: told.reference,
    actorId: null,
    createdAt: now,
  })
  await tellRefund(tx, now, 'refund.created', refund, null)
  await enqueue(tx, now, { id: reconcileRefundJobId(refund.id), kind: 'reconcile-refund', payload: refund.id })
  return refund
}
