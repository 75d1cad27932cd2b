import { setTimeout as pause } from 'node:timers/promises'
import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { dequeue, enqueue, type Job, PermanentJobFailure, type Removed, removed } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { noteAttention } from '../attention/attention.service.ts'
import { findPaymentById, isPaymentLocked, type PaymentRow, transitionPayment } from '../order/payment.repository.ts'
import type { Advice, Attempt, MethodDetails } from '../payments/processor.ts'
import { declineMessages } from '../payments/sandbox-cards.ts'
import { PaymentAbandoned } from './abandoned.ts'
import type { Failed, Settler, Succeeded } from './settlers.ts'
import { unexpectedOf } from './unexpected.ts'

/** A payment's outcome, whatever brought it about. */
export type Settled =
  | { readonly status: 'succeeded' | 'pending' | 'requires_action' }
  | { readonly status: 'failed'; readonly message: string }

/** Delay of the first reconciliation after a payment has begun. */
export const firstLook = minutes(1)

/** Id of the payment's single reconciliation job, which settling removes. */
export const reconcileJobId = (paymentId: Id<'payment'>): string => `reconcile-payment ${paymentId}`

/** How a job ends that has settled a payment: settling has removed the payment's own job, in whichever transaction. */
export const endOfJob = ({ id, payload }: Pick<Job, 'id' | 'payload'>): Removed | undefined =>
  id === reconcileJobId(payload) ? removed : undefined

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
 *
 * @param settler the one for what the payment is for, where the caller has it with what it knows already
 */
export async function settlePayment(
  ctx: Context,
  paymentId: Id<'payment'>,
  attempt: Attempt,
  settler?: Settler,
): Promise<Settled> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (!payment) throw new PermanentJobFailure(`unknown payment ${paymentId}`)
  if (payment.status !== 'pending') return settledAgain(ctx, payment, attempt)
  if (attempt.status === 'pending') return { status: 'pending' }
  const settled = await settle(ctx, settler ?? settlerOf(ctx, payment), payment, attempt)
  if (settled) return standing(settled, attempt)
  // Another report may have been faster, and may have said the opposite.
  return settledAgain(ctx, proven(await findPaymentById(ctx.db, paymentId), 'payments are never deleted'), attempt)
}

/** How often a report looks whether a payment is free, and how many times, before it waits for the lock. */
const busy = { pause: 25, looks: 40 } as const

/**
 * The same, for a report that nothing waits for: while another transaction settles the payment, it looks again and again.
 * To wait for the lock would keep a connection from others all the while.
 */
export async function settleOnceFree(ctx: Context, paymentId: Id<'payment'>, attempt: Attempt): Promise<Settled> {
  for (let look = 0; look < busy.looks && (await isPaymentLocked(ctx.database, paymentId)); look += 1)
    await pause(busy.pause)
  return settlePayment(ctx, paymentId, attempt)
}

/** The payment as this answer has settled it; undefined if it waits, or another answer was first. */
async function settle(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  attempt: Exclude<Attempt, { readonly status: 'pending' }>,
): Promise<PaymentRow | undefined> {
  if (attempt.status === 'succeeded')
    return isAsked(payment, attempt)
      ? succeed(ctx, settler, payment, attempt)
      : refuse(ctx, settler, payment, attempt, mismatch)
  if (attempt.status === 'failed') return fail(ctx, settler, payment, attempt)
  await settler.waits(ctx, payment, attempt)
  return undefined
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

/**
 * A settled payment stays as it is. Money that arrives for a failed payment goes on the attention list, unless it is
 * there already with its wrong amount.
 */
async function settledAgain(ctx: Context, payment: PaymentRow, attempt: Attempt): Promise<Settled> {
  const { id, status, declineReason, processorReference } = payment
  if (status === 'failed' && attempt.status === 'succeeded') {
    const { reference } = attempt
    const isKnown = declineReason === mismatch.reason && processorReference === reference
    const unexpected = unexpectedOf(ctx, 'paid_after_failure', payment, attempt)
    if (!isKnown && (await ctx.transaction((tx) => noteAttention(ctx, tx, unexpected))))
      ctx.log.error(
        { payment: id, reference },
        'The processor charged a payment that had already failed: refund it at the processor',
      )
  }
  return standing(payment, attempt)
}

/** Whether the processor took the requested amount; any other payment is refused (security, F-amount). */
const isAsked = (payment: PaymentRow, { amount, currency, contradiction }: Succeeded): boolean =>
  amount === payment.amount && currency.toLowerCase() === payment.currency && contradiction === undefined

async function succeed(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  attempt: Succeeded,
): Promise<PaymentRow | undefined> {
  try {
    return await deliver(ctx, settler, payment, attempt)
  } catch (error) {
    if (!(error instanceof PaymentAbandoned)) throw error
    return refuse(ctx, settler, payment, attempt, withoutBuyer)
  }
}

async function deliver(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  attempt: Succeeded,
): Promise<PaymentRow | undefined> {
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const paid = await transitionPayment(tx, payment.id, 'succeeded', {
      ...shownMethod(attempt.method),
      processorReference: attempt.reference,
      settledAt: now,
      modifiedAt: now,
    })
    if (!paid) return undefined
    await settler.succeeded(ctx, tx, paid, attempt)
    await dequeue(tx, reconcileJobId(paid.id))
    return paid
  })
}

async function fail(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  { reference, reason, message, advice, method }: Failed,
): Promise<PaymentRow | undefined> {
  return ctx.transaction(async (tx) => {
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
    if (!failed) return undefined
    await settler.failed(ctx, tx, failed, { mayRetry: true })
    await dequeue(tx, reconcileJobId(failed.id))
    return failed
  })
}

/** The columns of an advice: a wait begins when the payment is settled. */
const storedAdvice = (advice: Advice, now: Date) => ({
  advice: advice.kind,
  retryAt: advice.kind === 'retry_after' ? after(now, advice.wait) : null,
})

/** Why the money of a payment buys nothing: how the payment shows it, and the attention list. */
type Refusal = {
  readonly reason: string
  readonly message: string
  readonly kind: Parameters<typeof unexpectedOf>[1]
  readonly log: string
}

/** Tells the buyer about a payment with a wrong amount. */
const mismatch = {
  reason: 'payment_mismatch',
  message: 'What was paid is not what was asked for. The seller has to look into it.',
  kind: 'amount_differs',
  log: 'Payment mismatch',
} as const satisfies Refusal

/** A payment whose account or organization was deleted while it was pending. */
const withoutBuyer = {
  reason: 'canceled',
  message: declineMessages.canceled,
  kind: 'paid_after_failure',
  log: 'The processor charged a payment whose buyer was deleted',
} as const satisfies Refusal

/**
 * Refuses a payment with a wrong amount, or without a buyer. Nothing is delivered or charged again. The attention list
 * tells the administrators to refund it at the processor.
 */
async function refuse(
  ctx: Context,
  settler: Settler,
  payment: PaymentRow,
  attempt: Succeeded,
  { reason, message, kind, log }: Refusal,
): Promise<PaymentRow | undefined> {
  const { reference, amount, currency, contradiction } = attempt
  const asked = { amount: payment.amount, currency: payment.currency }
  const paid = { amount, currency, contradiction }
  const refused = await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const failed = await transitionPayment(tx, payment.id, 'failed', {
      ...shownMethod(attempt.method),
      processorReference: reference,
      declineReason: reason,
      declineMessage: message,
      ...storedAdvice({ kind: 'stop' }, now),
      settledAt: now,
      modifiedAt: now,
    })
    if (!failed) return undefined
    await settler.failed(ctx, tx, failed, { mayRetry: false })
    await dequeue(tx, reconcileJobId(failed.id))
    await noteAttention(ctx, tx, unexpectedOf(ctx, kind, payment, attempt))
    return failed
  })
  if (refused) ctx.log.error({ payment: payment.id, reference, asked, paid }, log)
  return refused
}

/** The public part of a payment method: of a card its brand and last four digits. */
const shownMethod = (method: MethodDetails) => ({
  method: method.type,
  methodMetadata: method.type === 'card' ? { brand: method.brand, last4: method.lastFour } : null,
})
