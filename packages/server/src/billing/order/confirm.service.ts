import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after, hours } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { isUniqueViolation, type Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { type InputIssue, TollgateError } from '../../error.ts'
import type { Caller } from '../../http/route.ts'
import { newBillingSecret, newUuid } from '../../ids.ts'
import { enqueue } from '../../jobs.ts'
import { sha256 } from '../../token.ts'
import {
  type CheckoutRow,
  checkoutValues,
  findCheckoutBySecret,
  findSubscriptionPrices,
  lockCheckoutBySecret,
} from '../checkout/checkout.repository.ts'
import { type ActingBuyer, actingBuyer, buyerOf } from '../checkout/checkout-buyer.ts'
import {
  type ChangedCheckout,
  type CheckoutChanges,
  changedCheckout,
  completenessIssues,
} from '../checkout/checkout-update.ts'
import { emitCheckout, readSale, saleFlags, toCheckoutPublic } from '../checkout/checkout-view.ts'
import { type Admitted, admitBuyer, type CustomerRow } from '../customer/customer.service.ts'
import { beginCustomerSession } from '../customer/customer-session.service.ts'
import { redeemDiscount } from '../discount/discount.service.ts'
import { inBody, invalid } from '../invalid.ts'
import { type Attempt, type Charge, UnknownConfirmationToken } from '../payments/processor.ts'
import { declineMessages } from '../payments/sandbox-cards.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { isBillable } from '../states.ts'
import { type Taxes, withTaxes } from '../tax/taxes.ts'
import { findCheckoutById, transitionCheckout } from './confirm.repository.ts'
import { fulfil } from './fulfil.ts'
import { findPendingSubscribing, insertPayment, listFailures } from './payment.repository.ts'
import { waitsForBuyer } from './processor-metadata.ts'
import { firstLook } from './reconcile.service.ts'
import { reconcileJobId, settlePayment } from './settle.service.ts'
import { listBillableSubscriptions } from './subscription.repository.ts'

/** What is asked of a confirmation, beside what it changes. */
type Asked = {
  readonly secretHash: string
  readonly changes: CheckoutChanges
  readonly buyer: ActingBuyer
  readonly confirmationTokenId: string | null
  /** Whether that token can be charged, as far as the processor knew a moment ago. */
  readonly isTokenKnown: boolean
  /** What the buyer has been shown as the total, if they say so. */
  readonly expectedTotalAmount: number | null
  readonly allowsMultipleSubscriptions: boolean
  /** Of the receipt that they are mailed. */
  readonly locale: Caller['locale']
}

/** A confirmed checkout; what is to be paid for it, where anything is. */
type Confirmed = {
  readonly checkoutId: string
  readonly processor: string
  readonly charge: Charge | undefined
  readonly customerSessionToken: string
}

/**
 * Buys (CHK-9 to CHK-18), in three steps: in one transaction everything is checked once more under the checkout's lock, and
 * what is bought is reserved, with the intent to pay; then the processor is asked, outside every transaction; then what it
 * says is settled. What costs nothing and needs no payment method is done in the first step. A decline is refused with
 * PAYMENT_FAILED, and the checkout is open again.
 */
export async function confirmClientCheckout(
  ctx: Context,
  caller: Caller,
  clientSecret: string,
  body: ParsedBillingBody<'confirmClientCheckout'>,
): Promise<BillingAnswer<'confirmClientCheckout'>> {
  const { confirmationTokenId = null, expectedTotalAmount = null, ...changes } = body
  const secretHash = sha256(clientSecret)
  // The look before keeps those who come too late from waiting for the lock.
  const { organizationId, processor } = requireOpen(ctx, await findCheckoutBySecret(ctx.db, secretHash))
  const merchant = await readMerchant(ctx, ctx.db, organizationId)
  if (!merchant.maySell) throw new TollgateError('MERCHANT_NOT_APPROVED')
  const isTokenKnown =
    confirmationTokenId !== null && (await ctx.payments.byName(processor)?.knowsToken(confirmationTokenId)) !== false

  const asked: Asked = {
    secretHash,
    changes,
    buyer: await actingBuyer(ctx, caller),
    confirmationTokenId,
    isTokenKnown,
    expectedTotalAmount,
    allowsMultipleSubscriptions: merchant.subscriptionSettings.allowMultipleSubscriptions,
    locale: caller.locale,
  }
  const confirmed = await withTaxes(ctx, 'required', (taxes) => confirmOnce(ctx, asked, taxes))
  if (confirmed.charge) await pay(ctx, confirmed.processor, confirmed.charge)

  const row = (await findCheckoutById(ctx.db, confirmed.checkoutId))! // checkouts are never deleted
  return {
    ...toCheckoutPublic(ctx, row, await readSale(ctx.db, row), merchant),
    // Whatever has been done by then: clients of the wire know nothing else here (CHK-12).
    status: 'confirmed',
    customerSessionToken: confirmed.customerSessionToken,
  }
}

/** Refuses a checkout that is unknown, over, or not open (CHK-9). */
function requireOpen(ctx: Context, row: CheckoutRow | undefined): CheckoutRow {
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const isOver = row.status === 'expired' || (row.status === 'open' && row.expiresAt <= ctx.clock.now())
  if (isOver) throw new TollgateError('EXPIRED_CHECKOUT')
  if (row.status !== 'open') throw new TollgateError('NOT_OPEN_CHECKOUT')
  return row
}

/** A payment of the same buyer's, for another subscription, that waits for them to confirm it. */
class WaitsElsewhere extends Error {
  override readonly name = 'WaitsElsewhere'
  readonly payment: { readonly id: string; readonly processor: string }
  constructor(payment: WaitsElsewhere['payment']) {
    super(`payment ${payment.id} waits for its buyer`)
    this.payment = payment
  }
}

/**
 * Confirms. A buyer who left a payment for another subscription unconfirmed has given it up by this: it is ended first, so
 * that they never pay for both, and nobody keeps them from buying by leaving one.
 */
async function confirmOnce(ctx: Context, asked: Asked, taxes: Taxes): Promise<Confirmed> {
  try {
    return await confirm(ctx, asked, taxes)
  } catch (error) {
    // Two of them made different customers one account's at the same moment: now it is seen whose the account is.
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

/** Ends a payment at its processor; nothing where that cannot be asked: then it still waits. */
async function endedAt(ctx: Context, processor: string, paymentId: string): Promise<Attempt | undefined> {
  try {
    return await ctx.payments.byName(processor)?.cancel(paymentId)
  } catch (error) {
    ctx.log.error({ err: error, payment: paymentId }, 'a payment that was left could not be ended')
    return undefined
  }
}

/** The first step: all of it, or nothing. Rows are taken in the order checkout, customer, discount. */
async function confirm(ctx: Context, asked: Asked, taxes: Taxes): Promise<Confirmed> {
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const open = requireOpen(ctx, await lockCheckoutBySecret(tx, asked.secretHash))
    if (asked.confirmationTokenId !== null) await requireFewFailures(tx, now, open)
    const by = { by: 'buyer', ...asked.buyer } as const
    const work = { ctx, db: tx, taxes }
    const changed = await changedCheckout(work, open, asked.changes, by, (made) => issuesOf(made, asked, open))
    requirePayable(ctx, changed.row)
    const admitted = await admitBuyer(ctx, tx, buyerOf(changed.row, asked.buyer.account?.provenEmail ?? null))
    const { customer, isKnown, isNew } = admitted
    const subscriptionId = await subscriptionToSwitch(tx, changed, admitted, asked)
    await reserveDiscount(tx, now, changed.row, customer)

    const values = {
      ...checkoutValues({ ...changed.row, subscriptionId, isBuyerKnown: isKnown }),
      processorMetadata: toJson({}),
      buyerLocale: asked.locale,
      confirmedAt: now,
      modifiedAt: now,
    }
    const confirmed = (await transitionCheckout(tx, open.id, 'confirmed', values))! // it is locked, and open
    await emitCheckout(ctx, tx, null, 'checkout.updated', confirmed, changed.sale)
    const { organizationId, processor } = confirmed
    // An address alone proves nothing, because anybody can type it: it shows no more than what came with it just now.
    const customerSessionToken =
      isKnown || isNew
        ? (await beginCustomerSession(ctx, tx, { organizationId, customerId: customer.id, isUnproven: !isKnown })).token
        : unusableSessionToken()
    const started = { checkoutId: confirmed.id, processor, customerSessionToken }
    if (!saleFlags(confirmed, changed.sale).isPaymentFormRequired) {
      await fulfil(ctx, tx, confirmed, changed.sale, { customerId: customer.id, paymentMethodId: null })
      return { ...started, charge: undefined }
    }
    return { ...started, charge: await intend(ctx, tx, now, changed, customer, asked) }
  })
}

/** Refuses a total that its processor would not take, whatever card it is paid by: discounts and taxes make any of a price. */
function requirePayable(ctx: Context, { processor, totalAmount, currency }: CheckoutRow): void {
  const limits = ctx.payments.byName(processor)?.limitsIn(currency)
  if (!limits || totalAmount === 0) return
  if (totalAmount < limits.least) throw new TollgateError('TOTAL_TOO_SMALL')
  if (totalAmount > limits.most) throw new TollgateError('TOTAL_TOO_LARGE')
}

/** Most declined payments of one checkout within an hour: enough for whoever has several cards, too few to try stolen ones. */
const failureLimit = { most: 10, window: hours(1) }

/** Refuses one attempt too many with TOO_MANY_REQUESTS; counted under the checkout's lock, which has one attempt at a time. */
async function requireFewFailures(tx: Tx, now: Date, { organizationId, id }: CheckoutRow): Promise<void> {
  const { most, window } = failureLimit
  const failures = await listFailures(tx, { organizationId, checkoutId: id, since: after(now, -window) }, most)
  const first = failures[most - 1]
  if (!first) return
  const wait = after(first, window).getTime() - now.getTime()
  throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
}

/**
 * What is missing (CHK-10), a token that pays nothing, and what the buyer has seen and would not get: a discount, or the
 * total, which another tab or the seller has changed.
 */
function issuesOf(
  changed: ChangedCheckout,
  { confirmationTokenId, isTokenKnown, expectedTotalAmount, changes }: Asked,
  open: CheckoutRow,
): InputIssue[] {
  const isWrong =
    confirmationTokenId !== null && !isTokenKnown && saleFlags(changed.row, changed.sale).isPaymentFormRequired
  const isDiscountLost =
    open.discountId !== null && changed.row.discountId === null && changes.discountCode === undefined
  // Whoever buys another product has said so; that it drops the discount is CHK-8.
  const isSameProduct = changed.row.productId === open.productId
  const isTotalAsSeen = expectedTotalAmount === null || expectedTotalAmount === changed.row.totalAmount
  return [
    ...completenessIssues(changed, { confirmationTokenId }),
    ...(isTotalAsSeen ? [] : [otherTotal]),
    ...(isWrong ? [unknownToken] : []),
    ...(isDiscountLost && isSameProduct ? [unredeemable] : []),
  ]
}

const otherTotal = inBody('expected_total_amount', 'The total amount of the checkout is another one by now.')
const unredeemable = inBody('discount_code', 'Discount is no longer redeemable.')
const unknownToken = inBody('confirmation_token_id', 'Confirmation token does not exist.')

/** Counts the discount's redemption; where none is left any more nothing is bought at another price (CHK-11). */
async function reserveDiscount(tx: Tx, now: Date, row: CheckoutRow, customer: CustomerRow): Promise<void> {
  const { organizationId, discountId, id: checkoutId } = row
  if (discountId === null) return
  const isReserved = await redeemDiscount(tx, now, {
    organizationId,
    discountId,
    checkoutId,
    customerId: customer.id,
    email: row.customerEmail!, // complete
  })
  if (!isReserved) throw invalid(unredeemable)
}

/**
 * The subscription that is switched by this purchase, if any. One subscription for each customer, where the seller allows
 * only one (CHK-16), and a free one that is named is switched once (CHK-17): of two checkouts that name it the second would be
 * paid for what the first has bought. The customer is locked: payments under way are asked about first, because one that
 * succeeds in between shows as a subscription then. What somebody else has begun for nothing, by typing the address of this buyer, does not keep
 * them from buying: it becomes what they buy.
 */
async function subscriptionToSwitch(
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
  const named = subscriptionId === null ? undefined : await findSubscriptionPrices(tx, organizationId, subscriptionId)
  if (named && isBillable(named.status)) {
    if (underWay || named.amountTypes.some((type) => type !== 'free'))
      throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
    return subscriptionId
  }
  // Where the named one has ended meanwhile, what is bought is a subscription like any other.
  if (allowsMultipleSubscriptions) return null
  const isOwner = isKnown && (row.userId !== null || row.buyerOrganizationId !== null)
  const standing = await listBillableSubscriptions(tx, organizationId, customer.id)
  const mayBeSwitched = isOwner && standing.every(({ isBegunByStranger }) => isBegunByStranger)
  if (underWay || (standing.length > 0 && !mayBeSwitched)) throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
  return standing[0]?.id ?? null
}

/** In place of a session that nobody has proven to be theirs: it looks like one, and opens nothing. */
const unusableSessionToken = (): string => `tollgate_cst_${newBillingSecret()}`

/** Writes down what is to be paid before anybody is asked for it, and that somebody looks what has become of it. */
async function intend(
  ctx: Context,
  tx: Tx,
  now: Date,
  { row, sale }: ChangedCheckout,
  customer: CustomerRow,
  { confirmationTokenId }: Asked,
): Promise<Charge> {
  const paymentId = newUuid()
  const purpose = row.totalAmount > 0 ? 'charge' : 'setup'
  await insertPayment(tx, {
    id: paymentId,
    organizationId: row.organizationId,
    processor: row.processor,
    purpose,
    status: 'pending',
    amount: row.totalAmount,
    currency: row.currency,
    method: 'card',
    checkoutId: row.id,
    customerId: customer.id,
    customerEmail: row.customerEmail,
    isTest: ctx.payments.byName(row.processor)?.isTest ?? false,
    createdAt: now,
  })
  const runAt = after(now, firstLook)
  await enqueue(tx, now, { id: reconcileJobId(paymentId), kind: 'reconcile-payment', payload: paymentId, runAt })
  return {
    paymentId,
    purpose,
    amount: row.totalAmount,
    currency: row.currency,
    source: { confirmationToken: confirmationTokenId! }, // complete
    keepMethod: sale.product.isRecurring,
    offSession: false,
  }
}

/** The second step and the third. Where nobody knows what has become of the payment, it is looked into soon. */
async function pay(ctx: Context, processorName: string, charge: Charge): Promise<void> {
  const attempt = await attemptTo(ctx, processorName, charge)
  if (!attempt) return
  const settled = await settlePayment(ctx, charge.paymentId, attempt)
  if (settled.status !== 'failed') return
  if (attempt.status === 'failed' && attempt.reason === unknownTokenReason) throw invalid(unknownToken)
  throw new TollgateError('PAYMENT_FAILED', { values: { reason: settled.message } })
}

const unknownTokenReason = 'unknown_confirmation_token'

async function attemptTo(ctx: Context, processorName: string, charge: Charge): Promise<Attempt | undefined> {
  const failed = { status: 'failed', reference: undefined, method: undefined } as const
  const processor = ctx.payments.byName(processorName)
  if (!processor) return { ...failed, reason: 'processor_unavailable', message: declineMessages.processor_unavailable }
  try {
    return await processor.charge(charge)
  } catch (error) {
    // Another attempt has used it up a moment ago.
    if (error instanceof UnknownConfirmationToken)
      return { ...failed, reason: unknownTokenReason, message: unknownToken.msg }
    ctx.log.error({ err: error, payment: charge.paymentId }, 'the processor gave no answer; it is asked again soon')
    return undefined
  }
}
