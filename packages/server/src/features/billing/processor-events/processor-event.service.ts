import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { type JobHandler, waitingFor } from '../../../foundation/jobs.ts'
import { processorForJobs } from '../payments/background.ts'
import type { ProcessorReport } from '../payments/processor.ts'
import { recordDispute } from '../refund/dispute.service.ts'
import { recordRefund } from '../refund/record-refund.service.ts'
import { findRefundById } from '../refund/refund.repository.ts'
import { settleRefund } from '../refund/settle-refund.service.ts'
import { settleOnceFree } from '../settlement/settle-payment.service.ts'

/** Handles a processor's event: the event only names an object, and the processor is asked for its state. */
export function createProcessorEventHandler(ctx: Context): JobHandler {
  return async ({ payload }) => {
    const told: ProcessorReport = JSON.parse(payload) // written by processors
    const processor = processorForJobs(ctx, told.name)
    if (!processor) {
      ctx.log.warn({ processor: told.name }, 'An event waits for a disabled processor')
      return after(ctx.clock.now(), hours(1))
    }
    if ('paymentId' in told) {
      const attempt = await waitingFor(() => processor.look(told.paymentId))
      if (attempt) await settleOnceFree(ctx, told.paymentId, attempt)
    } else if ('refundId' in told) {
      const refund = await findRefundById(ctx.db, told.refundId)
      const reference = refund?.processorReference ?? null
      const attempt = refund && (await waitingFor(() => processor.lookRefund({ refundId: told.refundId, reference })))
      if (attempt) await settleRefund(ctx, told.refundId, attempt)
    } else if ('refundReference' in told) {
      const refund = await waitingFor(() => processor.lookForeignRefund(told.refundReference))
      if (refund) await recordRefund(ctx, processor, refund)
    } else {
      const dispute = await waitingFor(() => processor.lookDispute(told.disputeReference))
      if (dispute) await recordDispute(ctx, processor, dispute)
    }
    return undefined
  }
}
