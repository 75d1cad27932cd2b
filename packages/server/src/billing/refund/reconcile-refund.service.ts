import { after, hours, minutes } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { type JobHandler, PermanentJobFailure, waitingFor } from '../../jobs.ts'
import { findPaymentById } from '../order/payment.repository.ts'
import type { Processor, RefundAttempt } from '../payments/processor.ts'
import { findRefundById, type RefundRow } from './refund.repository.ts'
import { toRefundOrder } from './refund.service.ts'
import { isAsked, laterLooks, settleRefund } from './settle-refund.service.ts'

const shortestWait = minutes(1)
const longestWait = hours(1)

/**
 * Asks the processor about a refund that nobody has settled: the process may have died before the answer, and the event may
 * be late or never come. One that its processor has never heard of is asked for again: the seller wanted it, and its id keeps
 * it single. Waits grow with the refund's age; after its success it is looked at a few times more (`laterLooks`).
 */
export function createReconcileRefundHandler(ctx: Context): JobHandler {
  return async ({ payload: refundId }) => {
    const refund = await findRefundById(ctx.db, refundId)
    if (refund?.status !== 'pending' && refund?.status !== 'succeeded') return undefined
    const processor = ctx.payments.byName(refund.processor)
    if (!processor) {
      ctx.log.warn({ refund: refundId, processor: refund.processor }, 'a refund waits for a processor that is off')
      return nextLook(ctx, refund)
    }
    const attempt = await attemptOf(ctx, processor, refund)
    if (!attempt) return undefined
    const settled = await settleRefund(ctx, refundId, attempt)
    if (settled.status === 'pending' && attempt.status === 'succeeded' && !isAsked(settled, attempt))
      throw new PermanentJobFailure(`refund ${refundId} has not given back what was asked for`)
    return nextLook(ctx, settled)
  }
}

/** How it stands; nothing of one that had succeeded and that its processor knows no more: that is how it stays. */
async function attemptOf(ctx: Context, processor: Processor, refund: RefundRow): Promise<RefundAttempt | undefined> {
  const { id: refundId, processorReference: reference } = refund
  const known = await waitingFor(() => processor.lookRefund({ refundId, reference }))
  if (known) return known
  if (refund.status === 'succeeded') return undefined
  // It knew it once: whatever that means, it must not be made a second time.
  if (reference !== null) throw new Error(`the processor knows refund ${refundId} no more`)
  const payment = (await findPaymentById(ctx.db, refund.paymentId))! // payments stay
  return waitingFor(() => processor.refund(toRefundOrder(refund, payment)))
}

/** When it is looked at again; never, where nothing can become of it any more. */
function nextLook(ctx: Context, { status, createdAt, settledAt }: RefundRow): Date | undefined {
  const now = ctx.clock.now()
  if (status === 'pending') {
    const age = now.getTime() - createdAt.getTime()
    return after(now, Math.min(Math.max(age, shortestWait), longestWait))
  }
  if (status !== 'succeeded') return undefined
  return laterLooks.map((wait) => after(settledAt!, wait)).find((at) => at > now) // since it has succeeded
}
