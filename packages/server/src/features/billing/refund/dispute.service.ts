import { waitsForAnswer } from '@tollgate/contract/billing'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { emitBilling } from '../events.ts'
import { shareOf } from '../money.ts'
import { findOrder } from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { DisputeTold, Processor } from '../payments/processor.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { before, disputeTransitions } from '../states.ts'
import {
  type DisputeRow,
  findDispute,
  findDisputeByReference,
  insertDispute,
  pageOfDisputes,
  updateDispute,
} from './dispute.repository.ts'
import { mailDispute } from './dispute-mail.ts'
import { lockOrder } from './refund.repository.ts'
import { readableOrders } from './refund.service.ts'
import { toDispute } from './refund-view.ts'
import { reportedPayment } from './reported-payment.ts'

/**
 * Records a dispute that a processor reports, once per reference. Later reports move it forward and never back. A
 * dispute, even a lost one, does not change its order's amounts: they count the seller's refunds, and the bank takes
 * the money regardless. The processor refuses refunds of a disputed payment.
 *
 * Returns the current dispute; undefined if the payment is unknown or bought nothing. Rejects while the payment is
 * pending: the job then retries.
 */
export async function recordDispute(
  ctx: Context,
  processor: Processor,
  told: DisputeTold,
): Promise<DisputeRow | undefined> {
  const payment = await reportedPayment(ctx, processor, told.paymentId)
  if (!payment) {
    ctx.log.warn(
      { dispute: told.reference, payment: told.paymentId },
      'Ignored a dispute of a payment without an order',
    )
    return undefined
  }
  const { orderId, organizationId } = payment
  await ctx.transaction(async (tx) => {
    await lockOrder(tx, organizationId, orderId)
    const known = await findDisputeByReference(tx, processor.name, told.reference)
    if (known) await advance(ctx, tx, known, told)
    else await begin(ctx, tx, payment, told)
  })
  return findDisputeByReference(ctx.db, processor.name, told.reference)
}

async function begin(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow & { orderId: Id<'order'> },
  told: DisputeTold,
): Promise<void> {
  const now = ctx.clock.now()
  const order = proven(await findOrder(tx, payment.organizationId, payment.orderId), 'orders are never deleted')
  const taxAmount = shareOf(told.amount, order.taxAmount, order.totalAmount)
  const dispute = await insertDispute(tx, {
    id: newUuid(),
    organizationId: order.organizationId,
    orderId: order.id,
    paymentId: payment.id,
    customerId: order.customerId,
    processor: payment.processor,
    processorReference: told.reference,
    status: told.status,
    reason: told.reason,
    amount: told.amount - taxAmount,
    taxAmount,
    currency: told.currency,
    evidenceDueBy: told.evidenceDueBy,
    createdAt: now,
  })
  if (!dispute) return
  await tell(ctx, tx, 'dispute.created', dispute)
  if (waitsForAnswer(dispute)) await mailDispute(ctx, tx, dispute, order)
}

/** Moves a dispute forward, never back; in the same state it can get a new evidence deadline. */
async function advance(ctx: Context, tx: Tx, known: DisputeRow, told: DisputeTold): Promise<void> {
  const { status, reason, evidenceDueBy } = told
  const isForward = before(disputeTransitions, status).includes(known.status)
  const isPostponed = status === known.status && evidenceDueBy?.getTime() !== known.evidenceDueBy?.getTime()
  if (!isForward && !isPostponed) return
  const changes = { status, reason, evidenceDueBy, modifiedAt: ctx.clock.now() }
  const dispute = await updateDispute(tx, known, changes)
  if (!dispute) return
  await tell(ctx, tx, 'dispute.updated', dispute)
  // A new deadline alone needs no mail.
  if (!waitsForAnswer(dispute) || (!isForward && waitsForAnswer(known))) return
  const order = proven(await findOrder(tx, dispute.organizationId, dispute.orderId), 'orders are never deleted')
  await mailDispute(ctx, tx, dispute, order)
}

async function tell(ctx: Context, tx: Tx, type: 'dispute.created' | 'dispute.updated', row: DisputeRow): Promise<void> {
  const now = ctx.clock.now()
  await emitBilling(tx, now, { organizationId: row.organizationId, actorId: null }, type, toDispute(row, now))
}

/** The disputes that an organization's buyers opened at their banks. */
export const listDisputes: BillingHandler<'listDisputes'> = async ({ ctx, seller, query }) => {
  const { organizationId, holds } = seller
  const { rows, pagination } = await pageOfDisputes(ctx.database.lists, organizationId, query)
  const now = ctx.clock.now()
  const orders = await readableOrders(ctx, holds, rows)
  const items = rows.map((row) => ({ ...toDispute(row, now), order: orders.get(row.orderId) ?? null }))
  return { items, pagination }
}

/** A dispute of an organization. */
export const getDispute: BillingHandler<'getDispute'> = async ({ ctx, seller: { organizationId }, params: { id } }) => {
  const row = await findDispute(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toDispute(row, ctx.clock.now())
}
