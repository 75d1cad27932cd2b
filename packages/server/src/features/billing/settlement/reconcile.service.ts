import { after, days, hours, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { type JobHandler, removed, waitingFor } from '../../../foundation/jobs.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import { findPaymentById, isStillDue, type PaymentRow } from '../order/payment.repository.ts'
import { processorForJobs } from '../payments/background.ts'
import type { Attempt, Processor } from '../payments/processor.ts'
import { firstLook, settlePayment } from './settle-payment.service.ts'

/** Age after which a payment that the processor does not know counts as never sent, because the process died. */
const unheardLimit = minutes(2)
/** Time that a buyer has to confirm a payment. */
const actionLimit = days(1)
const longestWait = hours(1)

/**
 * Asks the processor about a pending payment: the process may have died before the response, and the event may be late
 * or lost. Every payment ends this way, however long the processor is unreachable; waits grow with the
 * payment's age. The pending payments of removed customers, and of void orders, are cancelled at once.
 */
export function createReconcileHandler(ctx: Context): JobHandler {
  return async ({ payload: paymentId }) => {
    const payment = await findPaymentById(ctx.db, paymentId)
    if (payment?.status !== 'pending') return undefined
    const now = ctx.clock.now()
    const age = now.getTime() - payment.createdAt.getTime()
    const again = after(now, Math.min(Math.max(age, firstLook), longestWait))
    const processor = processorForJobs(ctx, payment.processor)
    if (!processor) {
      ctx.log.warn(
        { payment: paymentId, processor: payment.processor },
        'A payment waits for an unconfigured processor',
      )
      return again
    }
    const isGivenUp = (await isCustomerRemoved(ctx, payment)) || !(await isWanted(ctx, payment))
    const attempt = await waitingFor(async () =>
      isGivenUp ? processor.cancel(paymentId) : endedAttempt(processor, payment, age),
    )
    if (!attempt) return again
    const { status } = await settlePayment(ctx, paymentId, attempt)
    // Settling removes the job of the payment, in whichever transaction.
    return status === 'succeeded' || status === 'failed' ? removed : again
  }
}

/** Whether what the payment is for can still be paid: an order may be void, and a change outdated (SUB-19). */
const isWanted = async ({ db }: Context, payment: PaymentRow): Promise<boolean> =>
  (payment.subject !== 'order' && payment.subject !== 'change') || isStillDue(db, payment)

async function isCustomerRemoved({ db }: Context, { organizationId, customerId }: PaymentRow): Promise<boolean> {
  return customerId !== null && (await findCustomer(db, organizationId, { id: customerId })) === undefined
}

/** Returns a payment's outcome, cancelling it once its time is over. Undefined means wait. */
async function endedAttempt(processor: Processor, { id }: PaymentRow, age: number): Promise<Attempt | undefined> {
  const attempt = await processor.look(id)
  if (!attempt) return age >= unheardLimit ? processor.cancel(id) : undefined
  return attempt.status === 'requires_action' && age >= actionLimit ? processor.cancel(id) : attempt
}
