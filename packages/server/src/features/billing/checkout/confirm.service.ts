import type { Context } from '../../../foundation/context.ts'
import { type Id, isUniqueViolation, type Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import type { Caller } from '../../../foundation/http/handler.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import { type Admitted, admitBuyer } from '../customer/buyer.service.ts'
import { beginBuyerSession } from '../customer/customer-session.service.ts'
import { redeemDiscount } from '../discount/redemption.service.ts'
import { inBody, invalid } from '../invalid.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { listBillableSubscriptions, listIncompleteSubscriptions } from '../order/subscription.repository.ts'
import type { Attempt, Charge } from '../payments/processor.ts'
import { takeTrial } from '../posting/trial-guard.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { attemptCharge, requireFewFailures, unknownToken } from '../settlement/attempt.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { isBillable } from '../states.ts'
import { makeWayForNew } from '../subscriptions/first-payment.ts'
import { type Taxes, withTaxes } from '../tax/taxes.ts'
import {
  type CheckoutRow,
  findCheckoutById,
  findCheckoutBySecret,
  findPendingSubscribing,
  findSubscriptionPrices,
  lockCheckoutBySecret,
  transitionCheckout,
} from './checkout.repository.ts'
import { type ActingBuyer, actingBuyer, buyerOf } from './checkout-buyer.ts'
import type { CheckoutChanges } from './checkout-changes.ts'
import { type ChangedCheckout, changedCheckout, completenessIssues } from './checkout-update.ts'
import { emitCheckout, type Sale, saleFlags, toCheckoutPublic } from './checkout-view.ts'
import { fulfil } from './fulfil.ts'
import { creditFor, dueNowOf } from './pricing.ts'
import { hasDeclined, waitsForBuyer } from './processor-metadata.ts'
import { beginPayment, checkoutSettlerFor } from './settle-checkout.service.ts'
import { trialBuyerOf, trialOf } from './trial.ts'

/** The request to confirm, beside its changes. */
type Asked = {
  readonly secretHash: string
  readonly changes: CheckoutChanges
  readonly buyer: ActingBuyer
  readonly confirmationTokenId: string | null
  /** Whether the processor knew the token before the transaction. */
  readonly isTokenKnown: boolean
  /** What identifies the card, also where another buyer pays with it; undefined for other methods. */
  readonly cardFingerprint: string | undefined
  /** The total that the buyer has seen, if the request has it. */
  readonly expectedTotalAmount: number | null
  readonly allowsMultipleSubscriptions: boolean
  /** Language of the mailed receipt. */
  readonly locale: Caller['locale']
}

/** A confirmed checkout, with the charge if there is something to pay. */
type Confirmed = {
  readonly checkoutId: Id<'checkout'>
  readonly processor: string
  readonly charge: Charge | undefined
  readonly sale: Sale
  readonly customerSessionToken: string
}

/**
 * Confirms a checkout (CHK-9 to CHK-18) in three steps. One transaction checks everything under the checkout's lock,
 * and reserves the purchase with a pending payment. The processor charges outside of every transaction. Then the
 * result is settled. The first step completes a purchase that is free and needs no payment method. Throws
 * PAYMENT_FAILED on a decline, and the checkout is open again.
 */
export const confirmClientCheckout: BillingHandler<'confirmClientCheckout'> = async ({ ctx, caller, params, body }) => {
  const { clientSecret } = params
  const { confirmationTokenId = null, expectedTotalAmount = null, ...changes } = body
  const secretHash = sha256(clientSecret)
  // An early check, so that late requests do not wait for the lock.
  const { organizationId, processor } = requireOpen(ctx, await findCheckoutBySecret(ctx.db, secretHash))
  const merchant = await readMerchant(ctx, ctx.db, organizationId)
  if (!merchant.maySell) throw new TollgateError('MERCHANT_NOT_APPROVED')
  const payments = ctx.payments.byName(processor)
  const token = confirmationTokenId === null ? undefined : await payments?.findToken(confirmationTokenId)

  const asked: Asked = {
    secretHash,
    changes,
    buyer: await actingBuyer(ctx, caller),
    confirmationTokenId,
    // Without its processor, only the charge can tell.
    isTokenKnown: confirmationTokenId !== null && (token !== undefined || payments === undefined),
    cardFingerprint: token?.fingerprint,
    expectedTotalAmount,
    allowsMultipleSubscriptions: merchant.subscriptionSettings.allowMultipleSubscriptions,
    locale: caller.locale,
  }
  const confirmed = await withTaxes(ctx, 'required', (taxes) => confirmOnce(ctx, asked, taxes))
  if (confirmed.charge) await pay(ctx, confirmed.processor, confirmed.charge, confirmed.sale)

  const row = proven(await findCheckoutById(ctx.db, confirmed.checkoutId), 'checkouts are never deleted')
  return {
    ...toCheckoutPublic(ctx, row, confirmed.sale, merchant, clientSecret),
    // Always `confirmed`, the only status that clients expect here (CHK-12).
    status: 'confirmed',
    customerSessionToken: confirmed.customerSessionToken,
  }
}

/** Refuses an unknown, expired or closed checkout (CHK-9). */
function requireOpen(ctx: Context, row: CheckoutRow | undefined): CheckoutRow {
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const isOver = row.status === 'expired' || (row.status === 'open' && row.expiresAt <= ctx.clock.now())
  if (isOver) throw new TollgateError('EXPIRED_CHECKOUT')
  if (row.status !== 'open') throw new TollgateError('NOT_OPEN_CHECKOUT')
  return row
}

/** The buyer has an unconfirmed payment for another subscription. */
class WaitsElsewhere extends Error {
  override readonly name = 'WaitsElsewhere'
  readonly payment: { readonly id: Id<'payment'>; readonly processor: string }
  constructor(payment: WaitsElsewhere['payment']) {
    super(`payment ${payment.id} waits for its buyer`)
    this.payment = payment
  }
}

/**
 * Confirms, and first cancels the buyer's unconfirmed payment for another subscription. Otherwise they could pay for
 * both, or an abandoned payment would block them.
 */
async function confirmOnce(ctx: Context, asked: Asked, taxes: Taxes): Promise<Confirmed> {
  try {
    return await confirm(ctx, asked, taxes)
  } catch (error) {
    // Two concurrent requests linked different customers to one account; the retry finds the linked one.
    if (!(error instanceof WaitsElsewhere || isUniqueViolation(error))) throw error
    if (error instanceof WaitsElsewhere) {
      const { id, processor } = error.payment
      const ended = await endedAt(ctx, processor, id)
      if (ended) await settlePayment(ctx, id, ended)
    }
  }
  try {
    return await confirm(ctx, asked, taxes)
  } catch (error) {
    throw error instanceof WaitsElsewhere ? new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION') : error
  }
}

/** Cancels a payment at its processor; undefined if that fails, and the payment stays pending. */
async function endedAt(ctx: Context, processor: string, paymentId: Id<'payment'>): Promise<Attempt | undefined> {
  try {
    return await ctx.payments.byName(processor)?.cancel(paymentId)
  } catch (error) {
    ctx.log.error({ err: error, payment: paymentId }, 'Canceling an abandoned payment failed')
    return undefined
  }
}

/** The first step, all or nothing. Lock order: checkout, customer, discount. */
async function confirm(ctx: Context, asked: Asked, taxes: Taxes): Promise<Confirmed> {
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const open = requireOpen(ctx, await lockCheckoutBySecret(tx, asked.secretHash))
    // Asked again: while a tax provider answers, the approval may be withdrawn.
    if (!(await organizationMaySell({ ...ctx, db: tx }, open.organizationId)))
      throw new TollgateError('MERCHANT_NOT_APPROVED')
    // Only a checkout that a decline has reopened has failures to count.
    if (asked.confirmationTokenId !== null && hasDeclined(open.processorMetadata))
      await requireFewFailures(tx, now, { organizationId: open.organizationId, checkoutId: open.id })
    const by = { by: 'buyer', ...asked.buyer } as const
    const work = { ctx, db: tx, taxes, isConfirmed: true } as const
    const changed = await changedCheckout(work, open, asked.changes, by, (made) => issuesOf(made, asked, open, now))
    requirePayable(ctx, changed.row)
    const admitted = await admitBuyer(ctx, tx, buyerOf(changed.row, asked.buyer.account?.provenEmail ?? null))
    const { customer, isKnown } = admitted
    const subscriptionId = await subscriptionToSwitch(ctx, tx, changed, admitted, asked)
    const trial = trialOf(changed.row, changed.sale, now)
    if (trial) {
      const buyer = trialBuyerOf(changed.row, { customer, account: asked.buyer.account, card: asked.cardFingerprint })
      await takeTrial(tx, now, buyer, changed.row.id)
    }
    await reserveDiscount(tx, now, changed.row, admitted)

    const values = {
      ...changed.row,
      subscriptionId,
      isBuyerKnown: isKnown,
      processorMetadata: {},
      currencyChoice: 'fixed' as const,
      buyerLocale: asked.locale,
      trialEnd: trial?.end ?? null,
      confirmedAt: now,
      modifiedAt: now,
    }
    const confirmed = proven(await transitionCheckout(tx, open.id, 'confirmed', values), 'it is locked, and open')
    await emitCheckout(ctx, tx, null, 'checkout.updated', confirmed, changed.sale)
    const started = {
      checkoutId: confirmed.id,
      processor: confirmed.processor,
      sale: changed.sale,
      customerSessionToken: await beginBuyerSession(ctx, tx, admitted),
    }
    const credit = await creditOf(ctx, tx, confirmed, admitted)
    if (!needsPayment(confirmed, changed.sale, { credit, now })) {
      await fulfil(ctx, tx, confirmed, changed.sale, {
        customerId: customer.id,
        paymentMethodId: null,
        payment: undefined,
        balance: credit,
      })
      return { ...started, charge: undefined }
    }
    const charge = await beginPayment(ctx, tx, confirmed, {
      customerId: customer.id,
      confirmationToken: proven(asked.confirmationTokenId, 'a complete checkout has one'),
      keepMethod: changed.sale.product.isRecurring,
      credit,
    })
    return { ...started, charge }
  })
}

/**
 * The credit that pays a part of a purchase (SUB-30). A buyer who only typed a customer's address spends none of their
 * credit. A debt is collected by the next renewal: a checkout charges no more than it shows.
 */
async function creditOf(ctx: Context, tx: Tx, checkout: CheckoutRow, { customer, isKnown }: Admitted): Promise<number> {
  const { processor, currency } = checkout
  const totalAmount = dueNowOf(checkout)
  if (!isKnown || totalAmount === 0) return 0
  const least = ctx.payments.byName(processor)?.limitsIn(currency).least ?? 0
  return creditFor(totalAmount, await balanceOf(tx, customer.id, currency), least)
}

/** Whether the processor is asked: for what credit does not pay, or to keep a method for later charges. */
function needsPayment(
  row: CheckoutRow,
  sale: Sale,
  { credit, now }: { readonly credit: number; readonly now: Date },
): boolean {
  const { isPaymentFormRequired, isPaymentSetupRequired } = saleFlags(row, sale, now)
  return isPaymentFormRequired && (isPaymentSetupRequired || credit < dueNowOf(row))
}

/** Refuses a total outside the processor's limits, which discounts and taxes may cause. */
function requirePayable(ctx: Context, { processor, totalAmount, currency }: CheckoutRow): void {
  const limits = ctx.payments.byName(processor)?.limitsIn(currency)
  if (!limits || totalAmount === 0) return
  if (totalAmount < limits.least) throw new TollgateError('TOTAL_TOO_SMALL')
  if (totalAmount > limits.most) throw new TollgateError('TOTAL_TOO_LARGE')
}

/**
 * Reports missing values (CHK-10), an unknown token, and differences from what the buyer saw: a lost discount, or a
 * total changed by another tab or the seller.
 */
function issuesOf(
  changed: ChangedCheckout,
  { confirmationTokenId, isTokenKnown, expectedTotalAmount, changes }: Asked,
  open: CheckoutRow,
  now: Date,
): InputIssue[] {
  const isWrong =
    confirmationTokenId !== null && !isTokenKnown && saleFlags(changed.row, changed.sale, now).isPaymentFormRequired
  const isDiscountLost =
    open.discountId !== null && changed.row.discountId === null && changes.discountCode === undefined
  // A buyer who switches products expects to lose the discount (CHK-8).
  const isSameProduct = changed.row.productId === open.productId
  const isTotalAsSeen = expectedTotalAmount === null || expectedTotalAmount === changed.row.totalAmount
  return [
    ...completenessIssues(changed, { confirmationTokenId, now }),
    ...(isTotalAsSeen ? [] : [otherTotal]),
    ...(isWrong ? [unknownToken.issue] : []),
    ...(isDiscountLost && isSameProduct ? [unredeemable] : []),
  ]
}

const otherTotal = inBody('expected_total_amount', 'The total amount of the checkout has changed.')
const unredeemable = inBody('discount_code', 'Discount is no longer redeemable.')

/** Counts the discount's redemption. If none remains, it refuses the purchase instead of raising the price (CHK-11). */
async function reserveDiscount(tx: Tx, now: Date, row: CheckoutRow, { customer }: Admitted): Promise<void> {
  const { organizationId, discountId, id: checkoutId } = row
  if (discountId === null) return
  const isReserved = await redeemDiscount(tx, now, {
    organizationId,
    discountId,
    checkoutId,
    customerId: customer.id,
    email: proven(row.customerEmail, 'a complete checkout has one'),
  })
  if (!isReserved) throw invalid(unredeemable)
}

/**
 * Returns the subscription that this purchase switches, if any. Enforces one subscription per customer if the seller
 * allows only one (CHK-16), and one switch per free subscription (CHK-17), or a second checkout would pay for the same
 * switch. The customer is locked. Pending payments are read first, because one that succeeds in between then shows as
 * a subscription. A stranger's free subscription under this buyer's address does not block them: their purchase
 * switches it.
 */
async function subscriptionToSwitch(
  ctx: Context,
  tx: Tx,
  { row, sale }: ChangedCheckout,
  { customer, isKnown }: Admitted,
  { allowsMultipleSubscriptions }: Asked,
): Promise<string | null> {
  const { organizationId, subscriptionId } = row
  if (!sale.product.isRecurring || (allowsMultipleSubscriptions && subscriptionId === null)) return subscriptionId
  const underWay = await findPendingSubscribing(tx, {
    organizationId,
    customerId: customer.id,
    checkoutId: row.id,
    ...(allowsMultipleSubscriptions && { subscriptionId }),
  })
  if (underWay && waitsForBuyer(underWay.processorMetadata)) throw new WaitsElsewhere(underWay)
  if (!allowsMultipleSubscriptions) await makeWay(ctx, tx, customer, isKnown)
  const named = subscriptionId === null ? undefined : await findSubscriptionPrices(tx, organizationId, subscriptionId)
  if (named && isBillable(named.status)) {
    if (underWay || named.amountTypes.some((type) => type !== 'free'))
      throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
    return subscriptionId
  }
  // If the named subscription has ended meanwhile, this is an ordinary purchase.
  if (allowsMultipleSubscriptions) return null
  const isOwner = isKnown && (row.userId !== null || row.buyerOrganizationId !== null)
  const standing = await listBillableSubscriptions(tx, organizationId, customer.id)
  const mayBeSwitched = isOwner && standing.every(({ isBegunByStranger }) => isBegunByStranger)
  if (underWay || (standing.length > 0 && !mayBeSwitched)) throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
  return standing[0]?.id ?? null
}

/**
 * A subscription without a checkout that waits for its first payment gives way to this purchase, unless it is being paid.
 * A buyer who only typed the customer's address ends nothing of theirs.
 */
async function makeWay(
  ctx: Context,
  tx: Tx,
  { organizationId, id: customerId }: Admitted['customer'],
  isKnown: boolean,
): Promise<void> {
  const refusal = 'ALREADY_ACTIVE_SUBSCRIPTION'
  if (isKnown) return makeWayForNew(ctx, tx, { organizationId, customerId }, refusal)
  if ((await listIncompleteSubscriptions(tx, organizationId, customerId)).length > 0) throw new TollgateError(refusal)
}

/** The second and third step. Reconciliation handles an unknown outcome. */
async function pay(ctx: Context, processorName: string, charge: Charge, sale: Sale): Promise<void> {
  const attempt = await attemptCharge(ctx, processorName, charge)
  if (!attempt) return
  // A discount counts its redemptions, and this one since the sale was read.
  const settler = sale.discount ? undefined : checkoutSettlerFor(sale)
  const settled = await settlePayment(ctx, charge.paymentId, attempt, settler)
  if (settled.status !== 'failed') return
  if (attempt.status === 'failed' && attempt.reason === unknownToken.reason) throw invalid(unknownToken.issue)
  throw new TollgateError('PAYMENT_FAILED', { values: { reason: settled.message } })
}
