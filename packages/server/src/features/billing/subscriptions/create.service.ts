import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { Metadata } from '../../../foundation/db/tables/metadata.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { type CustomerRow, lockCustomer } from '../customer/customer.repository.ts'
import { noLongerRedeemable, redeemDiscount } from '../discount/redemption.service.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { findMerchant, subscriptionSettingsOf } from '../merchant/merchant.repository.ts'
import { listBillableSubscriptions } from '../order/subscription.repository.ts'
import { startSubscription } from '../posting/start-subscription.service.ts'
import { takeTrial } from '../posting/trial-guard.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { withTaxes } from '../tax/taxes.ts'
import { makeWayForNew, postFirst } from './first-payment.ts'
import { showSubscription } from './locked.ts'
import {
  type AskedStart,
  findAskedCustomer,
  type PreparedStart,
  prepareStart,
  requireCustomer,
  requireStartable,
  toStartQuote,
} from './new-subscription.ts'
import { beginPayment, payNow, withoutMethod } from './pay-change.ts'
import { asQuoted } from './quote.ts'
import { netAmountOf, readSubscribed } from './subscribed.ts'

/** How long a subscription waits for its first payment, where the customer has to authenticate it. */
const firstPaymentLife = days(1)

/** Shows what a subscription without a checkout costs, as a quote that its beginning can name. */
export const previewSubscription: BillingHandler<'previewSubscription'> = async ({ ctx, seller, body }) =>
  withTaxes(ctx, 'required', async (taxes) => {
    const work = { ctx, db: ctx.db, taxes }
    const customer = await findAskedCustomer(ctx.db, seller.organizationId, body)
    const prepared = await prepareStart(work, customer, body, ctx.clock.now())
    await requireStartable(work, prepared)
    return toStartQuote(ctx, prepared)
  })

/**
 * Begins a subscription without a checkout. One transaction prepares it, and begins one that is free, on trial, paid by
 * credit or collected by invoice. Any other waits for the payment by the customer's saved card, which is charged outside of every transaction.
 */
export const createSubscription: BillingHandler<'createSubscription'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const { id, paymentId } = await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      // While a tax provider answers, the approval may be taken back.
      if (!(await organizationMaySell({ ...ctx, db: tx }, organizationId)))
        throw new TollgateError('MERCHANT_NOT_APPROVED')
      const work = { ctx, db: tx, taxes }
      const customer = await requireCustomer(body, (key) => lockCustomer(tx, organizationId, key))
      // Before it is prepared: a former attempt that gives way gives its discount back.
      await requireSole(ctx, tx, customer)
      const prepared = await asQuoted(
        ctx,
        { quoteId: body.quoteId ?? null, subject: customer.id },
        (asOf) => prepareStart(work, customer, body, asOf),
        (made) => toStartQuote(ctx, made),
      )
      await requireStartable(work, prepared)
      if (prepared.lacksMethod) throw withoutMethod()
      return begin(ctx, tx, prepared, body)
    }),
  )
  if (paymentId !== undefined) await payNow(ctx, paymentId, id)
  return showSubscription(ctx, organizationId, id)
}

/** A customer has one subscription, unless their seller allows several; a former attempt to begin one gives way. */
async function requireSole(ctx: Context, tx: Tx, { organizationId, id }: CustomerRow): Promise<void> {
  if (subscriptionSettingsOf(await findMerchant(tx, organizationId)).allowMultipleSubscriptions) return
  if ((await listBillableSubscriptions(tx, organizationId, id)).length > 0)
    throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
  await makeWayForNew(ctx, tx, { organizationId, customerId: id })
}

type Begun = { readonly id: Id<'subscription'>; readonly paymentId: Id<'payment'> | undefined }

/** Begins a prepared subscription, or its payment. */
async function begin(
  ctx: Context,
  tx: Tx,
  prepared: PreparedStart,
  { metadata = {}, paymentMethodId = null }: Pick<AskedStart, 'metadata' | 'paymentMethodId'>,
): Promise<Begun> {
  const { customer, product, prices, discount, order, trial, method } = prepared
  const { organizationId, currency } = prepared.row
  const now = ctx.clock.now()
  const { netTermsDays } = prepared
  // By invoice it begins at once, and is due by its terms.
  const isPaidNow = order.dueNow > 0 && netTermsDays === undefined
  if (trial) await takeTrial(tx, now, prepared.trialBuyer, null)
  const { row } = await startSubscription(ctx, tx, {
    organizationId,
    customer,
    product,
    prices: [...prices],
    discount,
    amount: netAmountOf(prepared),
    isDiscounted: order.totals.discountAmount > 0,
    chosenAmount: prepared.chosenAmount,
    quantity: prepared.quantity,
    currency,
    checkoutId: null,
    paymentMethodId: paymentMethodId ?? method?.id ?? null,
    customFieldData: prepared.customFieldData,
    metadata: metadata satisfies Metadata,
    replacesId: null,
    trial,
    netTermsDays,
    ...(isPaidNow && { waitsUntil: after(now, firstPaymentLife) }),
  })
  if (discount) {
    const buyer = { customerId: customer.id, email: customer.email }
    const redemption = { organizationId, discountId: discount.id, subscriptionId: row.id, ...buyer }
    if (!(await redeemDiscount(tx, now, redemption))) throw noLongerRedeemable()
  }
  if (!isPaidNow) {
    await postFirst(ctx, tx, await readSubscribed(ctx, tx, row), order, undefined)
    return { id: row.id, paymentId: undefined }
  }
  const target = {
    productId: product.id,
    priceIds: prices.map(({ id }) => id),
    quantity: prepared.quantity,
    discountId: row.discountId,
    restart: null,
  }
  return { id: row.id, paymentId: await beginPayment(ctx, tx, { row, target, computed: order, customer }) }
}
