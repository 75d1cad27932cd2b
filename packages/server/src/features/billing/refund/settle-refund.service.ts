import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { dequeue, enqueue, PermanentJobFailure } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { noteAttention } from '../attention/attention.service.ts'
import { issueCreditNote, mailVoided } from '../documents/issue.service.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { creditNoteNumber } from '../order/invoice-number.ts'
import { takeNumber } from '../order/invoice-series.repository.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { RefundAttempt } from '../payments/processor.ts'
import {
  findRefundById,
  lockOrder,
  lockRefund,
  noteReference,
  type RefundRow,
  setRefunded,
  transitionRefund,
} from './refund.repository.ts'
import { refundFailureText } from './refund-failure.ts'
import { statusOfRefunded } from './refund-rules.ts'
import { tellOrder, tellRefund } from './refund-view.ts'

/** The job that reconciles a refund. */
export const reconcileRefundJobId = (refundId: Id<'refund'>): string => `reconcile-refund ${refundId}`

/**
 * When to look whether a succeeded refund came back, counted from its success: banks take weeks, and the event may be
 * lost.
 */
export const laterLooks = [days(1), days(7), days(30)] as const

type Succeeded = RefundAttempt & { status: 'succeeded' }
type Failed = RefundAttempt & { status: 'failed' | 'canceled' }

/**
 * The one place that settles a refund: by the processor's answer, its event, or a lookup, whichever is first; the
 * others change nothing. Returns the current refund. Only a success changes the order; a later failure reverts that
 * (REF-5).
 */
export async function settleRefund(ctx: Context, refundId: Id<'refund'>, attempt: RefundAttempt): Promise<RefundRow> {
  const refund = await findRefundById(ctx.db, refundId)
  if (!refund) throw new PermanentJobFailure(`refund ${refundId} does not exist`)
  if (await isNews(ctx, refund, attempt)) await settle(ctx, refund, attempt)
  return proven(await findRefundById(ctx.db, refundId), 'refunds are never deleted')
}

/** Whether an answer changes anything; reports answers that must be rejected. */
async function isNews(ctx: Context, refund: RefundRow, attempt: RefundAttempt): Promise<boolean> {
  if (attempt.status === 'pending') return refund.processorReference === null
  if (attempt.status !== 'succeeded') {
    const { reason, message } = attempt
    const isNew = refund.status === 'pending' || refund.status === 'succeeded'
    if (isNew) ctx.log.warn({ refund: refund.id, reason, message }, 'A refund failed at the processor')
    return isNew
  }
  // An outdated answer: a failed refund does not succeed any more.
  if (refund.status === 'failed' || refund.status === 'canceled')
    ctx.log.warn({ refund: refund.id }, 'The processor reports success for a failed refund')
  if (refund.status !== 'pending') return false
  if (!isAsked(refund, attempt)) await reportMismatch(ctx, refund, attempt)
  return isAsked(refund, attempt)
}

async function settle(ctx: Context, { id, organizationId, orderId }: RefundRow, attempt: RefundAttempt): Promise<void> {
  await ctx.transaction(async (tx) => {
    const order = proven(await lockOrder(tx, organizationId, orderId), 'orders are never deleted')
    const refund = proven(await lockRefund(tx, id), 'refunds are never deleted')
    if (attempt.status === 'pending') await noteReference(tx, id, attempt.reference)
    else if (attempt.status === 'succeeded' && refund.status === 'pending')
      await succeed(ctx, tx, { order, refund }, attempt)
    else if (attempt.status !== 'succeeded' && refund.status === 'pending') await fail(ctx, tx, refund, attempt)
    else if (attempt.status !== 'succeeded' && refund.status === 'succeeded')
      await takeBack(ctx, tx, { order, refund }, attempt)
  })
}

/** Whether the refunded amount is the requested one; otherwise the answer is rejected (security, F-amount). */
export const isAsked = (refund: RefundRow, { amount, currency }: Succeeded): boolean =>
  amount === refund.amount + refund.taxAmount - refund.balanceAmount && currency.toLowerCase() === refund.currency

/**
 * The refunded amount is not the requested one. The refund stays pending, so that its amount stays reserved and is not
 * refunded twice. The attention list tells the administrators to check it at the processor.
 */
async function reportMismatch(ctx: Context, refund: RefundRow, attempt: Succeeded): Promise<void> {
  const { id: refundId, organizationId, processor, paymentId } = refund
  const { reference, amount, currency } = attempt
  const expected = { amount: refund.amount + refund.taxAmount - refund.balanceAmount, currency: refund.currency }
  const isTest = ctx.payments.byName(processor)?.isTest ?? false
  const gone = { processor, processorReference: reference, amount, currency }
  const unexpected = { ...gone, organizationId, paymentId, refundId, expected, isTest }
  const isNew = await ctx.transaction((tx) => noteAttention(ctx, tx, { kind: 'refund_amount_differs', ...unexpected }))
  if (isNew)
    ctx.log.error({ refund: refundId, reference, asked: expected, gone: { amount, currency } }, 'Refund mismatch')
}

/** A refund and its order, both locked. */
type Held = { readonly order: OrderRow; readonly refund: RefundRow }

/** The money went back: the order counts it and gets a credit note. */
async function succeed(ctx: Context, tx: Tx, { order, refund }: Held, { reference }: Succeeded): Promise<void> {
  const now = ctx.clock.now()
  const moved = await moveOrder(tx, now, order, refund, 1)
  await tellOrder(tx, now, ['order.updated', 'order.refunded'], moved, refund.actorId)
  await moveBalance(tx, now, refund, refund.balanceAmount)
  const number = creditNoteNumber(await takeNumber(tx, refund.organizationId, 'credit_note'))
  const succeeded = await transitionRefund(tx, refund.id, 'succeeded', {
    processorReference: reference,
    creditNoteNumber: number,
    settledAt: now,
    modifiedAt: now,
  })
  await tellRefund(tx, now, 'refund.updated', succeeded, refund.actorId)
  await issueCreditNote(ctx, tx, succeeded)
  const id = reconcileRefundJobId(refund.id)
  await dequeue(tx, id)
  await enqueue(tx, now, {
    id,
    kind: 'reconcile-refund',
    payload: refund.id,
    organizationId: refund.organizationId,
    runAt: after(now, laterLooks[0]),
  })
}

/** No money went back: releases the reserved amount. */
async function fail(ctx: Context, tx: Tx, refund: RefundRow, attempt: Failed): Promise<void> {
  const now = ctx.clock.now()
  const failed = await transitionRefund(tx, refund.id, attempt.status, failure(refund, attempt, now))
  await tellRefund(tx, now, 'refund.updated', failed, refund.actorId)
  await dequeue(tx, reconcileRefundJobId(refund.id))
}

/**
 * The refunded money came back (REF-5): the order no longer counts it. The credit note keeps its number and is void,
 * and the buyer gets a mail.
 */
async function takeBack(ctx: Context, tx: Tx, { order, refund }: Held, attempt: Failed): Promise<void> {
  const now = ctx.clock.now()
  const failed = await transitionRefund(tx, refund.id, attempt.status, failure(refund, attempt, now))
  const moved = await moveOrder(tx, now, order, refund, -1)
  await moveBalance(tx, now, refund, -refund.balanceAmount)
  await tellRefund(tx, now, 'refund.updated', failed, null)
  await tellOrder(tx, now, ['order.updated'], moved, null)
  await mailVoided(ctx, tx, failed)
  await dequeue(tx, reconcileRefundJobId(refund.id))
}

/** Gives credit back that paid the order, or takes it again (SUB-33). */
async function moveBalance(tx: Tx, now: Date, refund: RefundRow, amount: number): Promise<void> {
  if (amount === 0) return
  const { id: refundId, organizationId, customerId, currency, orderId, actorId } = refund
  const entry = { id: newUuid(), organizationId, customerId, currency, amount, reason: 'refund' }
  await insertBalanceEntry(tx, { ...entry, orderId, refundId, actorId, createdAt: now })
}

const failure = ({ processorReference }: RefundRow, { reference, reason }: Failed, now: Date) => ({
  processorReference: reference ?? processorReference,
  failureReason: refundFailureText(reason),
  settledAt: now,
  modifiedAt: now,
})

/** Adds a refund to its order, or removes it (REF-3). */
function moveOrder(tx: Tx, now: Date, order: OrderRow, refund: RefundRow, sign: 1 | -1): Promise<OrderRow> {
  const refunded = {
    refundedAmount: order.refundedAmount + sign * refund.amount,
    refundedTaxAmount: order.refundedTaxAmount + sign * refund.taxAmount,
  }
  return setRefunded(tx, order.id, statusOfRefunded({ ...order, ...refunded }), { ...refunded, modifiedAt: now })
}
