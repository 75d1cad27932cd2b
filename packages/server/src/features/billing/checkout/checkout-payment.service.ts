import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { dequeue, enqueue, PermanentJobFailure } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import { findUser } from '../../identity/users.service.ts'
import { admitBuyer, isLinked } from '../customer/buyer.service.ts'
import { type CustomerRow, lockCustomer } from '../customer/customer.repository.ts'
import { releaseRedemption } from '../discount/discount.service.ts'
import {
  findKeptMethod,
  findPaymentById,
  insertMethod,
  insertPayment,
  lockPendingPayment,
  type PaymentRow,
  transitionPayment,
  unsetDefaultMethods,
  updatePayment,
} from '../order/payment.repository.ts'
import { declinedMetadata, waitingMetadata, waitsForBuyer } from '../order/processor-metadata.ts'
import type { Attempt, Charge, MethodDetails } from '../payments/processor.ts'
import {
  type CheckoutRow,
  findCheckoutById,
  lockCheckout,
  noteAction,
  transitionCheckout,
} from './checkout.repository.ts'
import { buyerOf } from './checkout-buyer.ts'
import { emitCheckout, readSale } from './checkout-view.ts'
import { fulfil } from './fulfil.ts'

type Succeeded = Attempt & { status: 'succeeded' }
type Failed = Attempt & { status: 'failed' }

/** A payment's outcome, whatever brought it about. */
export type Settled =
  | { readonly status: 'succeeded' | 'pending' | 'requires_action' }
  | { readonly status: 'failed'; readonly message: string }

/** Delay of the first reconciliation after a confirmation. */
export const firstLook = minutes(1)

/** Id of the payment's single reconciliation job, which settling removes. */
export const reconcileJobId = (paymentId: Id<'payment'>): string => `reconcile-payment ${paymentId}`

/**
 * Records the pending payment of a confirmed checkout, and schedules its reconciliation. Returns the charge to ask the
 * processor for after the commit.
 */
export async function beginPayment(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  given: { customerId: Id<'customer'>; confirmationToken: string; keepMethod: boolean },
): Promise<Charge> {
  const { customerId, confirmationToken, keepMethod } = given
  const now = ctx.clock.now()
  const paymentId = newUuid()
  const { organizationId, processor, currency, totalAmount: amount } = checkout
  const purpose = amount > 0 ? 'charge' : 'setup'
  await insertPayment(tx, {
    id: paymentId,
    organizationId,
    processor,
    purpose,
    status: 'pending',
    amount,
    currency,
    method: 'card',
    checkoutId: checkout.id,
    customerId,
    customerEmail: checkout.customerEmail,
    isTest: ctx.payments.byName(processor)?.isTest ?? false,
    createdAt: now,
  })
  const runAt = after(now, firstLook)
  await enqueue(tx, now, { id: reconcileJobId(paymentId), kind: 'reconcile-payment', payload: paymentId, runAt })
  return { paymentId, purpose, amount, currency, source: { confirmationToken }, keepMethod, offSession: false }
}

/**
 * Settles a payment: the only place that does. The first of response, event and reconciliation wins; the others change
 * nothing. A success fulfils the purchase in the same transaction. A failure reopens the checkout and releases its
 * reservations.
 */
export async function settlePayment(ctx: Context, paymentId: Id<'payment'>, attempt: Attempt): Promise<Settled> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (!payment) throw new PermanentJobFailure(`unknown payment ${paymentId}`)
  if (payment.status !== 'pending') return settledAgain(ctx, payment, attempt)
  if (attempt.status === 'succeeded') {
    if (isAsked(payment, attempt)) await succeed(ctx, payment, attempt)
    else await refuseMismatch(ctx, payment, attempt)
  } else if (attempt.status === 'failed') await fail(ctx, payment, attempt)
  else if (attempt.status === 'requires_action') await waitForBuyer(ctx, payment, attempt)
  else return { status: 'pending' }
  return standing(proven(await findPaymentById(ctx.db, paymentId), 'payments are never deleted'), attempt)
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

async function succeed(ctx: Context, payment: PaymentRow, attempt: Succeeded): Promise<void> {
  const { methodReference } = attempt
  const kept =
    methodReference === undefined
      ? undefined
      : {
          processorReference: methodReference,
          referenceHash: sha256(`${payment.processor} ${methodReference}`),
        }
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const paid = await transitionPayment(tx, payment.id, 'succeeded', {
      ...shownMethod(attempt.method),
      processorReference: attempt.reference,
      settledAt: now,
      modifiedAt: now,
    })
    if (!paid) return
    const checkout = proven(
      await lockCheckout(tx, paid.organizationId, proven(paid.checkoutId, 'every payment begins at a checkout')),
      'every payment begins at a checkout',
    )
    const { customer, isBuyerKnown } = await whosePurchase(ctx, tx, paid, checkout)
    const customerId = customer.id
    // If the buyer only typed an account's address, their card pays for this purchase alone.
    const isDefault = isBuyerKnown || !isLinked(customer)
    const paymentMethodId = kept
      ? await keepMethod(ctx, tx, { ...paid, customerId }, attempt.method, { ...kept, isDefault })
      : null
    const sale = await readSale(tx, checkout)
    const order = await fulfil(ctx, tx, { ...checkout, isBuyerKnown }, sale, { customerId, paymentMethodId })
    await updatePayment(tx, paid.id, { orderId: order.id, customerId, paymentMethodId })
    await dequeue(tx, reconcileJobId(paid.id))
  })
}

/**
 * Locks and returns the buying customer. If they were removed meanwhile, they stay removed (CUS-1). Because the money
 * was taken, the buyer is admitted as a new customer.
 */
async function whosePurchase(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId }: PaymentRow,
  checkout: CheckoutRow,
): Promise<{ customer: CustomerRow; isBuyerKnown: boolean }> {
  const named = await lockCustomer(tx, organizationId, {
    id: proven(customerId, 'a confirmed checkout has a customer'),
  })
  if (named) return { customer: named, isBuyerKnown: checkout.isBuyerKnown }
  const account = checkout.userId === null ? undefined : await findUser(tx, checkout.userId)
  const provenEmail = account?.emailVerified ? account.email : null
  const { customer, isKnown } = await admitBuyer(ctx, tx, buyerOf(checkout, provenEmail))
  return { customer, isBuyerKnown: isKnown }
}

async function fail(ctx: Context, payment: PaymentRow, { reference, reason, message, method }: Failed): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const failed = await transitionPayment(tx, payment.id, 'failed', {
      ...(method && shownMethod(method)),
      processorReference: reference ?? null,
      declineReason: reason,
      declineMessage: message,
      settledAt: now,
      modifiedAt: now,
    })
    if (failed) await endCheckout(ctx, tx, failed, 'open', declinedMetadata(reason))
  })
}

/** Tells the buyer about a payment with a wrong amount. */
const mismatch = {
  reason: 'payment_mismatch',
  message: 'What was paid is not what was asked for. The seller has to look into it.',
}

/**
 * Refuses a payment with a wrong amount. Nothing is delivered or charged again, and the checkout fails for good. The
 * operator has to refund it at the processor, by the payment's reference.
 */
async function refuseMismatch(ctx: Context, payment: PaymentRow, attempt: Succeeded): Promise<void> {
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
      settledAt: now,
      modifiedAt: now,
    })
    if (failed) await endCheckout(ctx, tx, failed, 'failed')
    return failed !== undefined
  })
  if (isRefused) ctx.log.error({ payment: payment.id, reference, asked, paid }, 'Payment mismatch')
}

/**
 * Reopens the checkout of a failed payment for another attempt (CHK-13), or fails it for good. Releases its
 * reservations.
 */
async function endCheckout(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow,
  next: 'open' | 'failed',
  processorMetadata = {},
): Promise<void> {
  const now = ctx.clock.now()
  const changes = { processorMetadata, confirmedAt: null, modifiedAt: now }
  const checkout = await transitionCheckout(
    tx,
    proven(payment.checkoutId, 'every payment begins at a checkout'),
    next,
    changes,
  )
  if (!checkout) throw new Error(`checkout ${payment.checkoutId} has a payment but is not confirmed`)
  await releaseRedemption(tx, checkout.id)
  await dequeue(tx, reconcileJobId(payment.id))
  await tellCheckout(ctx, tx, checkout)
}

const tellCheckout = async (ctx: Context, tx: Tx, checkout: CheckoutRow): Promise<void> =>
  emitCheckout(ctx, tx, null, 'checkout.updated', checkout, await readSale(tx, checkout))

/** Stores the buyer's next action for their browser (CHK-14), and emits it once. */
async function waitForBuyer(
  ctx: Context,
  payment: PaymentRow,
  { reference, clientSecret }: Attempt & { status: 'requires_action' },
): Promise<void> {
  if (clientSecret === undefined) return
  const known = await findCheckoutById(ctx.db, proven(payment.checkoutId, 'every payment begins at a checkout'))
  if (waitsForBuyer(known?.processorMetadata)) return
  const metadata = waitingMetadata(ctx, clientSecret)
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const pending = await lockPendingPayment(tx, payment.id)
    const checkout =
      pending && (await noteAction(tx, proven(payment.checkoutId, 'every payment begins at a checkout'), metadata, now))
    if (!checkout) return
    await updatePayment(tx, payment.id, { processorReference: reference, modifiedAt: now })
    await tellCheckout(ctx, tx, checkout)
  })
}

/** The public part of a payment method: of a card its brand and last four digits. */
const shownMethod = (method: MethodDetails) => ({
  method: method.type,
  methodMetadata: method.type === 'card' ? { brand: method.brand, last4: method.lastFour } : null,
})

/** What is stored of a method that holds no card. */
const noCard = { brand: '', lastFour: '', expMonth: 0, expYear: 0 }

/** Saves the payment method once per customer; `isDefault` makes it the default for later charges. */
async function keepMethod(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId, processor }: PaymentRow,
  method: MethodDetails,
  kept: { readonly processorReference: string; readonly referenceHash: string; readonly isDefault: boolean },
): Promise<string> {
  const known = await findKeptMethod(tx, proven(customerId, 'a confirmed checkout has a customer'), kept.referenceHash)
  if (known) return known.id
  if (kept.isDefault)
    await unsetDefaultMethods(tx, organizationId, proven(customerId, 'a confirmed checkout has a customer'))
  const made = await insertMethod(tx, {
    ...kept,
    id: newUuid(),
    organizationId,
    customerId: proven(customerId, 'a confirmed checkout has a customer'),
    processor,
    ...noCard,
    ...method,
    createdAt: ctx.clock.now(),
  })
  // A concurrent purchase of this customer saved it first.
  return (
    made ??
    proven(
      await findKeptMethod(tx, proven(customerId, 'a confirmed checkout has a customer'), kept.referenceHash),
      'a confirmed checkout has a customer',
    )
  ).id
}
