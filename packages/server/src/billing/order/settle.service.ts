import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { findUser } from '../../identity/users.service.ts'
import { newUuid } from '../../ids.ts'
import { dequeue, PermanentJobFailure } from '../../jobs.ts'
import { sha256 } from '../../token.ts'
import { type CheckoutRow, lockCheckout } from '../checkout/checkout.repository.ts'
import { buyerOf } from '../checkout/checkout-buyer.ts'
import { emitCheckout, readSale } from '../checkout/checkout-view.ts'
import { admitBuyer, isLinked } from '../customer/buyer.service.ts'
import { type CustomerRow, lockCustomer } from '../customer/customer.repository.ts'
import { releaseRedemption } from '../discount/discount.service.ts'
import type { Attempt, MethodDetails } from '../payments/processor.ts'
import { findCheckoutById, noteAction, transitionCheckout } from './confirm.repository.ts'
import { fulfil } from './fulfil.ts'
import {
  findKeptMethod,
  findPaymentById,
  insertMethod,
  lockPendingPayment,
  type PaymentRow,
  transitionPayment,
  unsetDefaultMethods,
  updatePayment,
} from './payment.repository.ts'
import { declinedMetadata, waitingMetadata, waitsForBuyer } from './processor-metadata.ts'

type Succeeded = Attempt & { status: 'succeeded' }
type Failed = Attempt & { status: 'failed' }

/** How a payment stands, whoever has brought it there. */
export type Settled =
  | { readonly status: 'succeeded' | 'pending' | 'requires_action' }
  | { readonly status: 'failed'; readonly message: string }

/** The reconciliation of a payment: one job, taken back when the payment has come to its end. */
export const reconcileJobId = (paymentId: string): string => `reconcile-payment ${paymentId}`

/**
 * The one place where a payment comes to its end: by the processor's answer, by its event, or because we asked, whichever is
 * first; the others change nothing. Paid: the purchase is fulfilled in the same transaction. Failed: the checkout is open
 * again, and what it had reserved is free.
 */
export async function settlePayment(ctx: Context, paymentId: string, attempt: Attempt): Promise<Settled> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (!payment) throw new PermanentJobFailure(`nobody knows a payment ${paymentId}`)
  if (payment.status !== 'pending') return toldAgain(ctx, payment, attempt)
  if (attempt.status === 'succeeded') {
    if (isAsked(payment, attempt)) await succeed(ctx, payment, attempt)
    else await refuseMismatch(ctx, payment, attempt)
  } else if (attempt.status === 'failed') await fail(ctx, payment, attempt)
  else if (attempt.status === 'requires_action') await waitForBuyer(ctx, payment, attempt)
  else return { status: 'pending' }
  return standing((await findPaymentById(ctx.db, paymentId))!, attempt)
}

const standing = ({ status, declineMessage }: PaymentRow, attempt: Attempt): Settled => {
  if (status === 'failed') return { status, message: declineMessage ?? '' }
  if (status === 'succeeded') return { status }
  return { status: attempt.status === 'requires_action' ? 'requires_action' : 'pending' }
}

/** What has been settled stays; money that comes for a payment that counts as failed is somebody's to look at. */
function toldAgain(ctx: Context, payment: PaymentRow, attempt: Attempt): Settled {
  const isContradiction = payment.status === 'failed' && attempt.status === 'succeeded'
  if (isContradiction && payment.declineReason !== mismatch.reason)
    ctx.log.error(
      { payment: payment.id, reference: attempt.reference },
      'the processor has taken money for a payment that had failed: give it back there',
    )
  return standing(payment, attempt)
}

/** Whether what was paid is what was asked for. Anything else is not believed (security, F-amount). */
const isAsked = (payment: PaymentRow, { amount, currency, contradiction }: Succeeded): boolean =>
  amount === payment.amount && currency.toLowerCase() === payment.currency && contradiction === undefined

async function succeed(ctx: Context, payment: PaymentRow, attempt: Succeeded): Promise<void> {
  const { methodReference } = attempt
  const kept =
    methodReference === undefined
      ? undefined
      : {
          processorReference: ctx.secrets.seal(methodReference, 'payment method'),
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
    const checkout = (await lockCheckout(tx, paid.organizationId, paid.checkoutId!))! // every payment of today begins at one
    const { customer, isBuyerKnown } = await whosePurchase(ctx, tx, paid, checkout)
    const customerId = customer.id
    // The card of whoever typed an account's address pays for what they buy, and for nothing else.
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
 * Whose purchase it is, locked: the customer's who confirmed it. Where they have been removed meanwhile nothing of theirs
 * comes alive again (CUS-1); but the money was taken, and so the buyer is admitted anew, as somebody who buys for the first
 * time.
 */
async function whosePurchase(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId }: PaymentRow,
  checkout: CheckoutRow,
): Promise<{ customer: CustomerRow; isBuyerKnown: boolean }> {
  const named = await lockCustomer(tx, organizationId, { id: customerId! }) // since it was confirmed
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

/** For the buyer, of money that was taken but is not what was asked for. */
const mismatch = {
  reason: 'payment_mismatch',
  message: 'What was paid is not what was asked for. The seller has to look into it.',
}

/**
 * Money has come that is not what was asked for. Nothing is given for it and nothing is asked again: the checkout has failed
 * for good, and a person has to give the money back at the processor, by the reference that the payment keeps.
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
  if (isRefused) ctx.log.error({ payment: payment.id, reference, asked, paid }, 'payment mismatch')
}

/** What becomes of the checkout of a failed payment: tried again (CHK-13), or never. What it had reserved is free. */
async function endCheckout(
  ctx: Context,
  tx: Tx,
  payment: PaymentRow,
  next: 'open' | 'failed',
  processorMetadata = toJson({}),
): Promise<void> {
  const now = ctx.clock.now()
  const changes = { processorMetadata, confirmedAt: null, modifiedAt: now }
  const checkout = await transitionCheckout(tx, payment.checkoutId!, next, changes) // every payment of today begins at one
  if (!checkout) throw new Error(`checkout ${payment.checkoutId} had a payment while it was not confirmed`)
  await releaseRedemption(tx, checkout.id)
  await dequeue(tx, reconcileJobId(payment.id))
  await tellCheckout(ctx, tx, checkout)
}

const tellCheckout = async (ctx: Context, tx: Tx, checkout: CheckoutRow): Promise<void> =>
  emitCheckout(ctx, tx, null, 'checkout.updated', checkout, await readSale(tx, checkout))

/** The buyer has to confirm something: their browser is told what by (CHK-14). Told once. */
async function waitForBuyer(
  ctx: Context,
  payment: PaymentRow,
  { reference, clientSecret }: Attempt & { status: 'requires_action' },
): Promise<void> {
  if (clientSecret === undefined) return
  const known = await findCheckoutById(ctx.db, payment.checkoutId!)
  if (waitsForBuyer(known?.processorMetadata)) return
  const metadata = waitingMetadata(ctx, clientSecret)
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const pending = await lockPendingPayment(tx, payment.id)
    const checkout = pending && (await noteAction(tx, payment.checkoutId!, metadata, now))
    if (!checkout) return
    await updatePayment(tx, payment.id, { processorReference: reference, modifiedAt: now })
    await tellCheckout(ctx, tx, checkout)
  })
}

/** Of a card what anybody may see: its brand and its last four digits. */
const shownMethod = ({ type, brand, lastFour }: MethodDetails) => ({
  method: type,
  methodMetadata: toJson({ brand, last4: lastFour }),
})

/** Keeps what the buyer paid by, `isDefault` as the one that is used from now on; one that is there already is kept once. */
async function keepMethod(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId, processor }: PaymentRow,
  method: MethodDetails,
  kept: { readonly processorReference: string; readonly referenceHash: string; readonly isDefault: boolean },
): Promise<string> {
  const known = await findKeptMethod(tx, customerId!, kept.referenceHash)
  if (known) return known.id
  if (kept.isDefault) await unsetDefaultMethods(tx, organizationId, customerId!)
  const made = await insertMethod(tx, {
    ...kept,
    id: newUuid(),
    organizationId,
    customerId: customerId!,
    processor,
    type: method.type,
    brand: method.brand,
    lastFour: method.lastFour,
    expMonth: method.expMonth,
    expYear: method.expYear,
    createdAt: ctx.clock.now(),
  })
  // At the same moment by another purchase of theirs.
  return (made ?? (await findKeptMethod(tx, customerId!, kept.referenceHash))!).id
}
