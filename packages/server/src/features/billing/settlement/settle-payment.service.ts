import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { dequeue, enqueue, PermanentJobFailure } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findPaymentById, type PaymentRow, transitionPayment } from '../order/payment.repository.ts'
import type { Advice, Attempt, MethodDetails } from '../payments/processor.ts'
import type { Failed, Settler, Succeeded } from './settlers.ts'

/** A payment's outcome, whatever brought it about. */
export type Settled =
  | { readonly status: 'succeeded' | 'pending' | 'requires_action' }
  | { readonly status: 'failed'; readonly message: string }

/** Delay of the first reconciliation after a payment has begun. */
export const firstLook = minutes(1)

/** Id of the payment's single reconciliation job, which settling removes. */
export const reconcileJobId = (paymentId: Id<'payment'>): string => `reconcile-payment ${paymentId}`

/** Schedules the reconciliation of a payment that begins in this transaction: it ends whatever happens to the process. */
export async function watchPayment(
  tx: Tx,
  now: Date,
  { id, organizationId }: Pick<PaymentRow, 'id' | 'organizationId'>,
): Promise<void> {
  const job = { id: reconcileJobId(id), kind: 'reconcile-payment', payload: id, organizationId } as const
  await enqueue(tx, now, { ...job, runAt: after(now, firstLook) })
}

/**
 * Settles a payment: the only place that does. The first of response, event and reconciliation wins; the others change
 * nothing. What follows is decided by what the payment is for, in the same transaction.
 */
export async function settlePayment(ctx: Context, paymentId: Id<'payment'>, attempt: Attempt): Promise<Settled> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (!payment) throw new PermanentJobFailure(`unknown payment ${paymentId}`)
  if (payment.status !== 'pending') return settledAgain(ctx, payment, attempt)
  if (attempt.status === 'pending') return { status: 'pending' }
  const settler = settlerOf(ctx, payment)
  if (attempt.status === 'succeeded') {
    if (isAsked(payment, attempt)) await succeed(ctx, settler, payment, attempt)
    else await refuseMismatch(ctx, settler, payment, attempt)
  } else if (attempt.status === 'failed') await fail(ctx, settler, payment, attempt)
  else await settler.waits(ctx, payment, attempt)
  return standing(proven(await findPaymentById(ctx.db, paymentId), 'payments are never deleted'), attempt)
}

function settlerOf({ settlers }: Context, { id, subject }: PaymentRow): Settler {
  const settler = settlers[subject]
  if (!settler) throw new PermanentJobFailure(`payment ${id} is for a ${subject}, which this version cannot settle`)
  return settler
}

const standing = ({ status, declineMessage }: PaymentRow, attempt: Attempt): Settled => {
  if (status === 'failed') return { status, message: declineMessage ?? '' }
  if (status === 'succeeded') return { status }
  return { status: attempt.status === 'requires_action' ? 'requires_action' : 'pending' }
}

/** A settled payment stays as it is. Money that arrives for a failed payment is logged for the operator. */
function settledAgain(ctx: Context, payment: PaymentRow, attempt: Attempt): Settled {
  const isContradiction = payment.status === 'failed' && attempt.status === 'succeeded'
  if (isContradiction && payment.declineReason !== mismatch.reason)
    ctx.log.error(
      { payment: payment.id, reference: attempt.reference },
      'The processor charged a payment that had already failed: refund it at the processor',
    )
  return standing(payment, attempt)
}

/** Whether the processor took the requested amount; any other payment is refused (security, F-amount). */
const isAsked = (payment: PaymentRow, { amount, currency, contradiction }: Succeeded): boolean =>
  amount === payment.amount && currency.toLowerCase() === payment.currency && contradiction === undefined

async function succeed(ctx: Context, settler: Settler, payment: PaymentRow, attempt: Succeeded): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const paid = await transitionPayment(tx, payment.id, 'succeeded', {
      ...shownMethod(attempt.method),
      processorReference: attempt.reference,
      settledAt: now,
      modifiedAt: now,
    })
    if (!paid) return
    await settler.succeeded(ctx, tx, paid, attempt)
    await dequeue(tx, reconcileJobId(paid.id))
  })
}

async function fail(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  { reference, reason, message, advice, method }: Failed,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const failed = await transitionPayment(tx, payment.id, 'failed', {
      ...(method && shownMethod(method)),
      processorReference: reference ?? null,
      declineReason: reason,
      declineMessage: message,
      ...storedAdvice(advice, now),
      settledAt: now,
      modifiedAt: now,
    })
    if (!failed) return
    await settler.failed(ctx, tx, failed, { mayRetry: true })
    await dequeue(tx, reconcileJobId(failed.id))
  })
}

/** The columns of an advice: a wait begins when the payment is settled. */
const storedAdvice = (advice: Advice, now: Date) => ({
  advice: advice.kind,
  retryAt: advice.kind === 'retry_after' ? after(now, advice.wait) : null,
})

/** Tells the buyer about a payment with a wrong amount. */
const mismatch = {
  reason: 'payment_mismatch',
  message: 'What was paid is not what was asked for. The seller has to look into it.',
}

/**
 * Refuses a payment with a wrong amount. Nothing is delivered or charged again. The operator has to refund it at the
 * processor, by the payment's reference.
 */
async function refuseMismatch(ctx: Context, settler: Settler, payment: PaymentRow, attempt: Succeeded): Promise<void> {
  const { reference, amount, currency, contradiction } = attempt
  const asked = { amount: payment.amount, currency: payment.currency }
  const paid = { amount, currency, contradiction }
  const isRefused = await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const failed = await transitionPayment(tx, payment.id, 'failed', {
      ...shownMethod(attempt.method),
      processorReference: reference,
      declineReason: mismatch.reason,
      declineMessage: mismatch.message,
      ...storedAdvice({ kind: 'stop' }, now),
      settledAt: now,
      modifiedAt: now,
    })
    if (!failed) return false
    await settler.failed(ctx, tx, failed, { mayRetry: false })
    await dequeue(tx, reconcileJobId(failed.id))
    return true
  })
  if (isRefused) ctx.log.error({ payment: payment.id, reference, asked, paid }, 'Payment mismatch')
}

/** The public part of a payment method: of a card its brand and last four digits. */
const shownMethod = (method: MethodDetails) => ({
  method: method.type,
  methodMetadata: method.type === 'card' ? { brand: method.brand, last4: method.lastFour } : null,
})
