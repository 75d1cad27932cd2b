import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { inBody, invalid } from '../invalid.ts'
import { listPaymentsOfOrder } from '../order/allocation.repository.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { RefundAttempt, RefundOrder } from '../payments/processor.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findOpenDispute, listDisputesById } from './dispute.repository.ts'
import {
  findRefund,
  insertRefund,
  listHeldRefunds,
  lockOrder,
  namesOfOrders,
  pageOfRefunds,
  type RefundRow,
} from './refund.repository.ts'
import { leftToRefund, partsOf, statusOfRefunded, withTax } from './refund-rules.ts'
import { disputeOf, tellRefund, toRefund } from './refund-view.ts'
import { reconcileRefundJobId, settleRefund } from './settle-refund.service.ts'

/** How long after its request an unsettled refund is first looked up. */
const firstLook = minutes(1)

/**
 * Refunds an order (billing contract, 3.6): records the refund and reserves its amount, then asks the processor, then
 * settles it. If the outcome is unknown, returns a pending refund. If the processor refuses, the failed refund stays,
 * and REFUND_FAILED says why. Where no payment of the order has enough left, each gives its part back by a refund of its
 * own. The answer is then the first refund that is not settled, or the first of them.
 */
export const createRefund: BillingHandler<'createRefund'> = async ({ ctx, seller, body }) => {
  const reserved = await ctx.transaction((tx) => reserveRefunds(ctx, tx, seller, body))
  const refunds: RefundRow[] = []
  for (const { refund, order } of reserved) {
    const attempt = await attemptRefund(ctx, refund, order)
    refunds.push(attempt ? await settleRefund(ctx, refund.id, attempt) : refund)
  }
  const refused = refunds.find(({ status }) => status === 'failed' || status === 'canceled')
  if (refused) throw new TollgateError('REFUND_FAILED', { values: { reason: refused.failureReason ?? '' } })
  const answer = proven(refunds.find(({ status }) => status === 'pending') ?? refunds[0], 'a refund has a part')
  return toRefund(answer, await disputeOf(ctx.db, answer), ctx.clock.now())
}

type Reserved = { readonly refund: RefundRow; readonly order: RefundOrder }

/** The first step. Locks the order and counts pending refunds: concurrent refunds then never exceed the payments. */
async function reserveRefunds(
  ctx: Context,
  tx: Tx,
  { organizationId, actorId }: Seller,
  { orderId, amount, reason, metadata, comment, revokeBenefits }: ParsedBillingBody<'createRefund'>,
): Promise<Reserved[]> {
  const order = await lockOrder(tx, organizationId, orderId)
  if (!order) throw invalid(inBody('order_id', 'Order not found'))
  const payments = await listPaymentsOfOrder(tx, orderId)
  const credit = Math.max(0, -order.appliedBalanceAmount)
  if (payments.length === 0 && credit === 0) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (statusOfRefunded(order) === 'refunded') throw new TollgateError('REFUNDED_ALREADY')
  if (revokeBenefits && order.subscriptionId !== null)
    throw new TollgateError('REVOKE_SUBSCRIPTION_BENEFITS_PROHIBITED')
  const held = await listHeldRefunds(tx, order.id)
  const left = leftToRefund(
    order,
    held.filter(({ status }) => status === 'pending'),
  )
  const asked = withTax(order, left, amount)
  const sources: readonly RefundSource[] = payments.length > 0 ? payments : [noPayment(ctx)]
  const parts = asked && partsOf(sources, held, credit, asked)
  if (!parts) throw new TollgateError('REFUND_AMOUNT_TOO_HIGH')

  const disputeId = (await findOpenDispute(tx, order.id))?.id ?? null
  const given = { reason, comment, revokeBenefits, metadata: metadata ?? {}, disputeId, actorId }
  const reserved: Reserved[] = []
  for (const part of parts) reserved.push(await reserve(tx, ctx.clock.now(), order, { ...part, ...given }))
  return reserved
}

/** Records a refund of one payment, with the job that finishes it if this process dies. */
async function reserve(
  tx: Tx,
  now: Date,
  order: OrderRow,
  { payment, ...part }: Pick<Parameters<typeof insertRefund>[1], OfPart> & { readonly payment: RefundSource },
): Promise<Reserved> {
  const refund = await insertRefund(tx, {
    ...refundOf(order, payment),
    id: newUuid(),
    status: 'pending',
    ...part,
    createdAt: now,
  })
  await tellRefund(tx, now, 'refund.created', refund, refund.actorId)
  await enqueue(tx, now, {
    id: reconcileRefundJobId(refund.id),
    kind: 'reconcile-refund',
    payload: refund.id,
    organizationId: order.organizationId,
    runAt: after(now, firstLook),
  })
  return { refund, order: toRefundOrder(refund, payment) }
}

/** The members that are of one refund of an order, and those that the seller gives. */
type OfPart =
  | 'amount'
  | 'taxAmount'
  | 'balanceAmount'
  | 'reason'
  | 'comment'
  | 'revokeBenefits'
  | 'metadata'
  | 'disputeId'
  | 'actorId'

/** What a refund comes from. */
type RefundSource = Pick<PaymentRow, 'id' | 'processor' | 'processorReference'> & { readonly allocatedAmount: number }

/** Stands for the payment of an order that the customer's credit has paid alone: no processor takes part. */
const noPayment = ({ payments }: Pick<Context, 'payments'>): RefundSource => ({
  id: '',
  processor: payments.forNewCheckouts.name,
  processorReference: null,
  allocatedAmount: 0,
})

/** The members that every refund takes from its order and payment. */
export const refundOf = (order: OrderRow, payment: Pick<PaymentRow, 'id' | 'processor'>) => ({
  organizationId: order.organizationId,
  orderId: order.id,
  subscriptionId: order.subscriptionId,
  customerId: order.customerId,
  paymentId: payment.id,
  processor: payment.processor,
  currency: order.currency,
})

/** The request to the processor: the refund's id makes it safe to repeat. */
export const toRefundOrder = (
  { id, paymentId, amount, taxAmount, balanceAmount, currency, reason }: RefundRow,
  { processorReference }: Pick<PaymentRow, 'processorReference'>,
): RefundOrder => ({
  refundId: id,
  paymentId,
  paymentReference: processorReference ?? '',
  amount: amount + taxAmount - balanceAmount,
  currency,
  reason,
})

/** The second step; undefined if the outcome is unknown. */
async function attemptRefund(
  ctx: Context,
  { id, processor: name }: RefundRow,
  order: RefundOrder,
): Promise<RefundAttempt | undefined> {
  if (isWithoutProcessor(name, order)) return withoutProcessor(order)
  const processor = ctx.payments.byName(name)
  if (!processor) return { status: 'failed', reference: undefined, ...switchedOff }
  try {
    return await processor.refund(order)
  } catch (error) {
    ctx.log.error({ err: error, refund: id }, 'No response from the processor; a job retries')
    return undefined
  }
}

/** Whether a refund goes to the customer's balance alone, or the seller gives it back as they took the money. */
export const isWithoutProcessor = (name: RefundRow['processor'], { amount }: Pick<RefundOrder, 'amount'>): boolean =>
  amount === 0 || name === 'manual'

/** The outcome of such a refund: no processor takes part. */
export const withoutProcessor = ({
  refundId,
  amount,
  currency,
}: Pick<RefundOrder, 'refundId' | 'amount' | 'currency'>): RefundAttempt => ({
  status: 'succeeded',
  reference: `${amount === 0 ? 'balance' : 'manual'}_${refundId}`,
  amount,
  currency,
})

const switchedOff = {
  reason: 'processor_unavailable',
  message: 'The processor of this payment is switched off here.',
}

/** The refunds of an organization, including pending ones. */
export const listRefunds: BillingHandler<'listRefunds'> = async ({ ctx, seller: { organizationId, holds }, query }) => {
  const { rows, pagination } = await pageOfRefunds(ctx.database.lists, organizationId, query)
  const ids = [...new Set(rows.map(({ disputeId }) => disputeId).filter((id) => id !== null))]
  const disputes = new Map((ids.length > 0 ? await listDisputesById(ctx.db, ids) : []).map((row) => [row.id, row]))
  const now = ctx.clock.now()
  const orders = await readableOrders(ctx, holds, rows)
  const items = rows.map((row) => ({
    ...toRefund(row, disputes.get(row.disputeId ?? ''), now),
    order: orders.get(row.orderId) ?? null,
  }))
  return { items, pagination }
}

/** The names of some rows' orders, for callers who may read orders. */
export const readableOrders = (
  ctx: Context,
  holds: Seller['holds'],
  rows: readonly { readonly orderId: Id<'order'> }[],
) => namesOfOrders(ctx.db, holds('orders:read') ? [...new Set(rows.map(({ orderId }) => orderId))] : [])

/** A refund of an organization, with the internal comment. */
export const getRefund: BillingHandler<'getRefund'> = async ({ ctx, seller: { organizationId }, params: { id } }) => {
  const row = await findRefund(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return { ...toRefund(row, await disputeOf(ctx.db, row), ctx.clock.now()), comment: row.comment }
}
