import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findUser } from '../../identity/users.service.ts'
import { admitBuyer, isLinked } from '../customer/buyer.service.ts'
import { type CustomerRow, lockCustomer } from '../customer/customer.repository.ts'
import { releaseRedemption } from '../discount/redemption.service.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { insertPayment, lockPendingPayment, type PaymentRow, updatePayment } from '../order/payment.repository.ts'
import type { Charge } from '../payments/processor.ts'
import { deleteTrialKeys } from '../posting/trial-guard.repository.ts'
import { requireBuyer } from '../settlement/abandoned.ts'
import { retryPastDue } from '../settlement/default-method.service.ts'
import { keepMethod } from '../settlement/keep-method.service.ts'
import { watchPayment } from '../settlement/settle-payment.service.ts'
import type { Settler, Waiting } from '../settlement/settlers.ts'
import {
  type CheckoutRow,
  findCheckoutById,
  lockCheckout,
  noteAction,
  transitionCheckout,
} from './checkout.repository.ts'
import { buyerOf } from './checkout-buyer.ts'
import { emitCheckout, readSale, type Sale } from './checkout-view.ts'
import { fulfil } from './fulfil.ts'
import { dueNowOf } from './pricing.ts'
import { declinedMetadata, waitingMetadata, waitsForBuyer } from './processor-metadata.ts'

/**
 * Records the pending payment of a confirmed checkout, and schedules its reconciliation. Returns the charge to ask the
 * processor for after the commit.
 */
export async function beginPayment(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  given: { customerId: Id<'customer'>; confirmationToken: string; keepMethod: boolean; credit: number },
): Promise<Charge> {
  const { customerId, confirmationToken, keepMethod, credit } = given
  const now = ctx.clock.now()
  const paymentId = newUuid()
  const { organizationId, processor, currency } = checkout
  const amount = dueNowOf(checkout) - credit
  const purpose = amount > 0 ? 'charge' : 'setup'
  await insertPayment(tx, {
    id: paymentId,
    organizationId,
    processor,
    purpose,
    subject: 'checkout',
    status: 'pending',
    amount,
    currency,
    reservedBalance: credit,
    method: 'card',
    checkoutId: checkout.id,
    customerId,
    customerEmail: checkout.customerEmail,
    isTest: ctx.payments.byName(processor)?.isTest ?? false,
    createdAt: now,
  })
  await watchPayment(tx, now, { id: paymentId, organizationId })
  return { paymentId, purpose, amount, currency, source: { confirmationToken }, keepMethod, offSession: false }
}

/**
 * What follows from a checkout's payment. A success fulfils the purchase. A failure reopens the checkout and releases its
 * reservations; a payment of another amount than was asked fails the checkout for good.
 */
export const checkoutSettler = settlerOf(undefined)

/** The same for a checkout whose sale is known already, such as to the request that has just confirmed it. */
export const checkoutSettlerFor = (sale: Sale): Settler => settlerOf(sale)

function settlerOf(known: Sale | undefined): Settler {
  return {
    async succeeded(ctx, tx, payment, attempt) {
      const checkout = proven(
        await lockCheckout(tx, payment.organizationId, checkoutIdOf(payment)),
        'checkouts are never deleted',
      )
      const { customer, isBuyerKnown } = await whosePurchase(ctx, tx, payment, checkout)
      await requireBuyer(tx, payment)
      const customerId = customer.id
      // If the buyer only typed an account's address, their card pays for this purchase alone.
      const isDefault = isBuyerKnown || !isLinked(customer)
      const paymentMethodId = await keepMethod(ctx, tx, { ...payment, customerId }, attempt, isDefault)
      // What is past due is the known buyer's own debt; no other card pays it.
      if (paymentMethodId !== null && isBuyerKnown) await retryPastDue(ctx, tx, payment.organizationId, customerId)
      await moveReserved(ctx, tx, payment, customerId)
      const sale = known ?? (await readSale(tx, checkout))
      const purchase = { customerId, paymentMethodId, payment, balance: payment.reservedBalance }
      const order = await fulfil(ctx, tx, { ...checkout, isBuyerKnown }, sale, purchase)
      await updatePayment(tx, payment.id, { orderId: order.id, customerId, paymentMethodId })
    },
    async failed(ctx, tx, payment, { mayRetry }) {
      if (mayRetry) await endCheckout(ctx, tx, payment, 'open', declinedMetadata(payment.declineReason ?? ''))
      else await endCheckout(ctx, tx, payment, 'failed')
    },
    waits: waitForBuyer,
  }
}

/** Gives the credit that the payment has reserved to the customer who buys, where the one who had it was removed. */
async function moveReserved(ctx: Context, tx: Tx, payment: PaymentRow, to: Id<'customer'>): Promise<void> {
  const { organizationId, currency, customerId: from, reservedBalance: amount } = payment
  if (amount === 0 || from === null || from === to) return
  const entry = { organizationId, currency, reason: 'customer_removed', createdAt: ctx.clock.now() }
  await insertBalanceEntry(tx, { ...entry, id: newUuid(), customerId: from, amount: -amount })
  await insertBalanceEntry(tx, { ...entry, id: newUuid(), customerId: to, amount })
}

const checkoutIdOf = ({ checkoutId }: PaymentRow): Id<'checkout'> =>
  proven(checkoutId, 'the payment of a checkout names it')

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
  const changes = { processorMetadata, confirmedAt: null, trialEnd: null, modifiedAt: now }
  const checkout = await transitionCheckout(tx, checkoutIdOf(payment), next, changes)
  if (!checkout) throw new Error(`checkout ${payment.checkoutId} has a payment but is not confirmed`)
  await releaseRedemption(tx, { checkoutId: checkout.id })
  await deleteTrialKeys(tx, checkout.id)
  await tellCheckout(ctx, tx, checkout)
}

const tellCheckout = async (ctx: Context, tx: Tx, checkout: CheckoutRow): Promise<void> =>
  emitCheckout(ctx, tx, null, 'checkout.updated', checkout, await readSale(tx, checkout))

/** Stores the buyer's next action for their browser (CHK-14), and emits it once. */
async function waitForBuyer(ctx: Context, payment: PaymentRow, { reference, clientSecret }: Waiting): Promise<void> {
  if (clientSecret === undefined) return
  const checkoutId = checkoutIdOf(payment)
  const known = await findCheckoutById(ctx.db, checkoutId)
  if (waitsForBuyer(known?.processorMetadata)) return
  const metadata = waitingMetadata(ctx, clientSecret)
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const pending = await lockPendingPayment(tx, payment.id)
    const checkout = pending && (await noteAction(tx, checkoutId, metadata, now))
    if (!checkout) return
    await updatePayment(tx, payment.id, { processorReference: reference, modifiedAt: now })
    await tellCheckout(ctx, tx, checkout)
  })
}
