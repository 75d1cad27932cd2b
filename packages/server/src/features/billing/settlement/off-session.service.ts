import { after, hours, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue, type JobHandler, removed, waitingFor } from '../../../foundation/jobs.ts'
import { findMethodToCharge, type MethodToCharge } from '../customer/payment-method.repository.ts'
import { findPaymentById, insertPayment, isStillDue, type PaymentRow } from '../order/payment.repository.ts'
import { processorForJobs } from '../payments/background.ts'
import type { Attempt, Processor } from '../payments/processor.ts'
import { declineMessages } from '../payments/sandbox-cards.ts'
import { failedBy } from './attempt.ts'
import { firstLook, reconcileJobId, settlePayment } from './settle-payment.service.ts'

/** A payment that the customer is not there to confirm, such as a renewal's. */
export type OffSession = {
  readonly organizationId: Id<'organization'>
  readonly customer: { readonly id: Id<'customer'>; readonly email: string }
  readonly amount: number
  readonly currency: string
  readonly method: MethodToCharge
  /** Credit that pays the rest, kept for it while the payment is under way. */
  readonly reservedBalance?: number
  /** Whether it is tried beside the schedule of retries (SUB-28). */
  readonly isUnscheduled?: boolean
  /** The posted order that it pays, or the subscription's change that it pays for. */
  readonly pays: { readonly orderId: Id<'order'> } | { readonly changeId: Id<'subscriptionChange'> }
}

/**
 * Begins a payment by a saved method, in the transaction of what it pays. The job `charge-payment` charges it after the
 * commit, until it is settled. With `isWaitedFor`, a request charges it at once, and the job is there in case it dies.
 */
export async function beginOffSession(
  ctx: Context,
  tx: Tx,
  { organizationId, customer, amount, currency, method, reservedBalance = 0, isUnscheduled = false, pays }: OffSession,
  { isWaitedFor }: { readonly isWaitedFor: boolean },
): Promise<Id<'payment'>> {
  const now = ctx.clock.now()
  const id = newUuid()
  await insertPayment(tx, {
    id,
    organizationId,
    processor: method.processor,
    purpose: 'charge',
    subject: 'orderId' in pays ? 'order' : 'change',
    status: 'pending',
    amount,
    currency,
    reservedBalance,
    method: method.type,
    ...pays,
    customerId: customer.id,
    customerEmail: customer.email,
    paymentMethodId: method.id,
    isUnscheduled,
    isTest: ctx.payments.byName(method.processor)?.isTest ?? false,
    createdAt: now,
  })
  const job = { id: reconcileJobId(id), kind: 'charge-payment', payload: id, organizationId } as const
  await enqueue(tx, now, isWaitedFor ? { ...job, runAt: after(now, firstLook) } : job)
  return id
}

/** The age at which a job looks at an unsettled payment again, and the longest wait between two looks. */
const nextLook = { least: minutes(1), most: hours(1) }

/** Charges a pending payment without its customer, until it is settled. */
export function createChargeHandler(ctx: Context): JobHandler {
  return async ({ payload, attempts }) => {
    const payment = await findPaymentById(ctx.db, payload)
    if (payment?.status !== 'pending') return undefined
    const now = ctx.clock.now()
    const age = now.getTime() - payment.createdAt.getTime()
    const again = after(now, Math.min(Math.max(age, nextLook.least), nextLook.most))
    const processor = processorForJobs(ctx, payment.processor)
    if (!processor) {
      ctx.log.warn({ payment: payload, processor: payment.processor }, 'A payment waits for an unconfigured processor')
      return again
    }
    const mayBeSent = attempts > 1 || age >= firstLook || payment.processorReference !== null
    // While a processor was away, the order may have been voided, or paid in another way (SUB-19).
    const isDue = await isStillDue(ctx.db, payment)
    const attempt = await waitingFor(() =>
      isDue ? charge(ctx, processor, payment, mayBeSent) : processor.cancel(payment.id),
    )
    const { status } = await settlePayment(ctx, payload, attempt)
    // Settling removes the job of the payment, in whichever transaction.
    return status === 'succeeded' || status === 'failed' ? removed : again
  }
}

/** Charges a payment that its transaction has just begun, while a request waits for the outcome. */
export async function chargeNow(ctx: Context, paymentId: Id<'payment'>): Promise<Attempt | undefined> {
  const payment = await findPaymentById(ctx.db, paymentId)
  const processor = payment && ctx.payments.byName(payment.processor)
  if (!processor || payment.status !== 'pending') return undefined
  try {
    return await charge(ctx, processor, payment, false)
  } catch (error) {
    // The outcome is unknown: the job asks for it.
    ctx.log.error({ err: error, payment: paymentId }, 'Charging a saved payment method failed')
    return undefined
  }
}

/**
 * Charges once. Where an earlier call may have reached the processor, asks for its outcome first: processors forget
 * idempotency keys after some time, and a second charge would then take the money twice.
 */
async function charge(ctx: Context, processor: Processor, payment: PaymentRow, mayBeSent: boolean): Promise<Attempt> {
  const standing = mayBeSent ? await processor.look(payment.id) : undefined
  // The customer is not present to confirm it: they get a link to the order instead.
  if (standing?.status === 'requires_action') return needingCustomer(await processor.cancel(payment.id))
  if (standing) return standing
  const method = await findMethodToCharge(ctx.db, payment)
  if (!method) return failedBy('no_payment_method', declineMessages.no_payment_method)
  const attempt = await processor.charge({
    paymentId: payment.id,
    purpose: 'charge',
    amount: payment.amount,
    currency: payment.currency,
    source: { methodReference: method.processorReference },
    keepMethod: false,
    offSession: true,
  })
  return attempt.status === 'requires_action' ? needingCustomer(await processor.cancel(payment.id)) : attempt
}

const needingCustomer = (attempt: Attempt): Attempt =>
  attempt.status === 'failed'
    ? { ...failedBy('authentication_required', declineMessages.authentication_required), reference: attempt.reference }
    : attempt
