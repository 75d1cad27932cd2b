import { after, hours, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { type JobHandler, PermanentJobFailure, waitingFor } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findPaymentById } from '../order/payment.repository.ts'
import { processorForJobs } from '../payments/background.ts'
import type { Processor, RefundAttempt } from '../payments/processor.ts'
import { findRefundById, type RefundRow } from './refund.repository.ts'
import { isWithoutProcessor, toRefundOrder, withoutProcessor } from './refund.service.ts'
import { isAsked, laterLooks, settleRefund } from './settle-refund.service.ts'

const shortestWait = minutes(1)
const longestWait = hours(1)

/**
 * Asks the processor about an unsettled refund: the process may have died before the answer, and the event may be late
 * or lost. Requests the refund again if the processor does not know it; its id prevents duplicates. Waits grow with
 * the refund's age. After its success the job looks a few more times (`laterLooks`).
 */
export function createReconcileRefundHandler(ctx: Context): JobHandler {
  return async ({ payload: refundId }) => {
    const refund = await findRefundById(ctx.db, refundId)
    if (refund?.status !== 'pending' && refund?.status !== 'succeeded') return undefined
    const order = {
      refundId,
      amount: refund.amount + refund.taxAmount - refund.balanceAmount,
      currency: refund.currency,
    }
    const isAlone = isWithoutProcessor(refund.processor, order)
    const processor = isAlone ? undefined : processorForJobs(ctx, refund.processor)
    if (!processor && !isAlone) {
      ctx.log.warn({ refund: refundId, processor: refund.processor }, 'A refund waits for a disabled processor')
      return nextLook(ctx, refund)
    }
    const attempt = processor ? await attemptOf(ctx, processor, refund) : withoutProcessor(order)
    if (!attempt) return undefined
    const settled = await settleRefund(ctx, refundId, attempt)
    if (settled.status === 'pending' && attempt.status === 'succeeded' && !isAsked(settled, attempt))
      throw new PermanentJobFailure(`refund ${refundId} moved a different amount than requested`)
    return nextLook(ctx, settled)
  }
}

/** The state at the processor; undefined for a succeeded refund that the processor no longer knows. */
async function attemptOf(ctx: Context, processor: Processor, refund: RefundRow): Promise<RefundAttempt | undefined> {
  const { id: refundId, processorReference: reference } = refund
  const known = await waitingFor(() => processor.lookRefund({ refundId, reference }))
  if (known) return known
  if (refund.status === 'succeeded') return undefined
  // The processor once knew it: a second request could refund twice.
  if (reference !== null) throw new Error(`the processor no longer knows refund ${refundId}`)
  const payment = proven(await findPaymentById(ctx.db, refund.paymentId), 'payments are never deleted')
  return waitingFor(() => processor.refund(toRefundOrder(refund, payment)))
}

/** When to look again; undefined for a refund in its final state. */
function nextLook(ctx: Context, { status, createdAt, settledAt }: RefundRow): Date | undefined {
  const now = ctx.clock.now()
  if (status === 'pending') {
    const age = now.getTime() - createdAt.getTime()
    return after(now, Math.min(Math.max(age, shortestWait), longestWait))
  }
  if (status !== 'succeeded' || settledAt === null) return undefined
  return laterLooks.map((wait) => after(settledAt, wait)).find((at) => at > now)
}
