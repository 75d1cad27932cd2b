import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { Attempt, Processor } from '../payments/processor.ts'
import { shownReason } from '../payments/shown-reason.ts'

/** The processor of a payment under way, or the one that the next attempt goes to. */
export const processorOf = ({ payments }: Context, pending: PaymentRow | undefined): Processor =>
  (pending && payments.byName(pending.processor)) ?? payments.forNewCheckouts

/** Asks the processor for a payment; undefined where it does not answer. */
export async function lookAt(ctx: Context, processor: Processor, { id }: PaymentRow): Promise<Attempt | undefined> {
  try {
    return await processor.look(id)
  } catch (error) {
    ctx.log.error({ err: error, payment: id }, 'Looking at a payment failed')
    return undefined
  }
}

type Shown = Pick<BillingAnswer<'getPayLink'>, 'processor' | 'isTest' | 'paymentProcessorMetadata'>

/** What the page of a link shows of its processor, of the latest attempt and of the one that waits for the customer. */
export const shownAttempt = (
  processor: Processor,
  latest: PaymentRow | undefined,
  standing: Attempt | undefined,
): Shown => ({
  processor: processor.name,
  isTest: processor.isTest,
  paymentProcessorMetadata: {
    ...processor.browserSettings,
    ...(latest?.status === 'failed' && { decline_reason: shownReason(latest.declineReason ?? '') }),
    ...(standing?.status === 'requires_action' && {
      intent_status: 'requires_action',
      ...(standing.clientSecret !== undefined && { intent_client_secret: standing.clientSecret }),
    }),
  },
})
