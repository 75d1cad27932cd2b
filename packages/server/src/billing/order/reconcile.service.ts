import { after, days, hours, minutes } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { type JobHandler, waitingFor } from '../../jobs.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import type { Attempt, Processor } from '../payments/processor.ts'
import { findPaymentById, type PaymentRow } from './payment.repository.ts'
import { settlePayment } from './settle.service.ts'

/** How long after a confirmation somebody asks what has become of it. */
export const firstLook = minutes(1)
/** After this long a payment that its processor has never heard of was never asked for: the process died before. */
const unheardLimit = minutes(2)
/** How long a buyer may take to confirm a payment. */
const actionLimit = days(1)
const longestWait = hours(1)

/**
 * Asks the processor about a payment that nobody has settled: the process may have died before the answer, and the event may
 * be late or never come. A checkout that was confirmed always comes to its end by this,
 * however long the processor cannot be asked. Waits grow with the payment's age.
 * What a customer who was removed has left under way is given up at once.
 */
export function createReconcileHandler(ctx: Context): JobHandler {
  return async ({ payload: paymentId }) => {
    const payment = await findPaymentById(ctx.db, paymentId)
    if (payment?.status !== 'pending') return undefined
    const now = ctx.clock.now()
    const age = now.getTime() - payment.createdAt.getTime()
    const again = after(now, Math.min(Math.max(age, firstLook), longestWait))
    const processor = ctx.payments.byName(payment.processor)
    if (!processor) {
      ctx.log.warn({ payment: paymentId, processor: payment.processor }, 'a payment waits for a processor that is off')
      return again
    }
    const isGivenUp = await isCustomerRemoved(ctx, payment)
    const attempt = await waitingFor(async () =>
      isGivenUp ? processor.cancel(paymentId) : endedAttempt(processor, payment, age),
    )
    if (!attempt) return again
    const { status } = await settlePayment(ctx, paymentId, attempt)
    return status === 'succeeded' || status === 'failed' ? undefined : again
  }
}

async function isCustomerRemoved({ db }: Context, { organizationId, customerId }: PaymentRow): Promise<boolean> {
  return customerId !== null && (await findCustomer(db, organizationId, { id: customerId })) === undefined
}

/** How a payment stands; where its time is over, after it has been given up. Nothing: wait. */
async function endedAttempt(processor: Processor, { id }: PaymentRow, age: number): Promise<Attempt | undefined> {
  const attempt = await processor.look(id)
  if (!attempt) return age >= unheardLimit ? processor.cancel(id) : undefined
  return attempt.status === 'requires_action' && age >= actionLimit ? processor.cancel(id) : attempt
}
