import { isDeepStrictEqual } from 'node:util'
import type { Checkout, Merchant, ParsedBillingBody, Product } from '@tollgate/contract/billing-types'
import { after, days, seconds } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import { currencyFor, pricesIn } from '../catalog/offered-prices.ts'
import { noTrial } from '../catalog/trial-offer.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import { inBody, invalid } from '../invalid.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import type { Seller } from '../seller/seller.service.ts'
import { isBillable } from '../states.ts'
import { noTax, type Taxes, unknownTax, withTaxes } from '../tax/taxes.ts'
import {
  type CheckoutRow,
  findCheckout,
  findCheckoutBySecret,
  findSubscriptionPrices,
  insertCheckout,
  lockCheckout,
  lockCheckoutBySecret,
  pageOfCheckouts,
  updateOpenCheckout,
} from './checkout.repository.ts'
import { actingBuyer } from './checkout-buyer.ts'
import type { ChangedBy, CheckoutChanges } from './checkout-changes.ts'
import { showToBuyer, withKnownBuyer } from './checkout-for-buyer.ts'
import { offeredProducts } from './checkout-offer.ts'
import { type ChangedCheckout, type ChangeWork, changedCheckout, withChanges } from './checkout-update.ts'
import { emitCheckout, readSale, readSales, sealedFor, toCheckout } from './checkout-view.ts'
import { amountOf, amountsOf, computeCharge, selectedPrice } from './pricing.ts'

/** Lists an organization's checkouts, filtered by product, customer, status and part of the buyer's address. */
export const listCheckouts: BillingHandler<'listCheckouts'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await pageOfCheckouts(ctx.database.lists, seller.organizationId, query)
  const sales = await readSales(ctx.db, seller.organizationId, rows)
  return {
    items: rows.map((row) => toCheckout(ctx, row, proven(sales.get(row.id), 'each checkout has its sale'))),
    pagination,
  }
}

export const createCheckout: BillingHandler<'createCheckout'> = ({ ctx, seller, body }) =>
  createCheckoutBy('seller', ctx, seller, body)

/**
 * Creates a checkout (CHK-1, CHK-2, CHK-5, CHK-6, CHK-17); throws all faults at once. A visitor's own checkout is
 * deleted some days after they abandon it. Until a country is known, the currency is that of the country of `guess`.
 */
export async function createCheckoutBy(
  begunBy: 'seller' | 'visitor',
  ctx: Context,
  seller: Seller,
  body: ParsedBillingBody<'createCheckout'>,
  guess: string | null = null,
): Promise<Checkout> {
  const { organizationId } = seller
  // All of it in each round: while a tax provider answers, the seller may archive a product.
  const { changed, clientSecret } = await withTaxes(ctx, 'wanted', async (taxes) => {
    const offer = await offeredProducts(ctx.db, organizationId, body)
    const named = await namedBuyer(ctx.db, organizationId, body)
    const issues = [...offer.issues, ...named.issues]
    if (named.subscriptionId !== null) issues.push(...onlyRecurring(offer.products))
    const country = named.known.customerBillingAddress?.country ?? guess
    const begun = await newCheckout(ctx, organizationId, offer.products, country)
    if (!begun) throw invalid(...issues)
    if (!ctx.payments.forNewCheckouts.takesCurrency(begun.checkout.row.currency))
      issues.push(inBody('products', 'Payments in the currency of this product are not available.'))

    const { row } = begun.checkout
    const known = {
      ...row,
      ...named.known,
      subscriptionId: named.subscriptionId,
      forgetAt: begunBy === 'visitor' ? forgetAtOf(row) : null,
    }
    const work = { ctx, db: ctx.db, taxes }
    const changes = withLines(withoutNulls(body))
    const changed = await withChanges(work, { ...begun.checkout, row: known }, changes, { by: 'seller' })
    if (issues.length + changed.issues.length > 0) throw invalid(...issues, ...changed.issues)
    return { changed, clientSecret: begun.clientSecret }
  })
  await ctx.transaction(async (tx) => {
    if (!(await organizationMaySell({ ...ctx, db: tx }, organizationId)))
      throw new TollgateError('MERCHANT_NOT_APPROVED')
    await writeCheckout(ctx, tx, changed, seller.actorId)
  })
  return toCheckout(ctx, changed.row, changed.sale, clientSecret)
}

export const getCheckout: BillingHandler<'getCheckout'> = async ({ ctx, seller, params: { id } }) => {
  const row = await findCheckout(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCheckout(ctx, row, await readSale(ctx.db, row))
}

/**
 * Applies the seller's changes to an open checkout (CHK-9). An overdue checkout is not open, even before the job
 * expires it.
 */
export const updateCheckout: BillingHandler<'updateCheckout'> = async ({ ctx, seller, params: { id }, body }) => {
  const { row, sale } = await changeInTransaction(ctx, async (tx, taxes) => {
    const before = await lockCheckout(tx, seller.organizationId, id)
    if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
    if (before.status !== 'open' || isOver(ctx, before)) throw new TollgateError('NOT_OPEN_CHECKOUT')
    return applyChanges({ ctx, db: tx, taxes }, tx, before, body, { by: 'seller' }, seller.actorId)
  })
  return toCheckout(ctx, row, sale)
}

/**
 * Returns a checkout for its buyer, prefilled with a signed-in buyer's details. Nothing is stored, because others may
 * hold the same link.
 */
export const getClientCheckout: BillingHandler<'getClientCheckout'> = async ({ ctx, caller, params }) => {
  const { clientSecret } = params
  const row = await findCheckoutBySecret(ctx.db, sha256(clientSecret))
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  assertNotExpired(ctx, row)
  const buyer = await actingBuyer(ctx, caller)
  const [shown, sale] = await Promise.all([withKnownBuyer(ctx, buyer, row), readSale(ctx.db, row)])
  return showToBuyer(ctx, buyer, { row: shown, sale }, clientSecret)
}

/**
 * Reads what the holder of an expired checkout's secret may still see: seller, product and return URL, but nothing
 * about a buyer.
 */
export async function readExpiredCheckout(
  ctx: Context,
  clientSecret: string,
): Promise<{ seller: Merchant; product: string; returnUrl: string | null } | undefined> {
  const row = await findCheckoutBySecret(ctx.db, sha256(clientSecret))
  if (!row) return undefined
  const [sale, seller] = await Promise.all([readSale(ctx.db, row), readMerchant(ctx, ctx.db, row.organizationId)])
  return { seller, product: sale.product.name, returnUrl: row.returnUrl }
}

/** Applies the buyer's changes to an open checkout (CHK-7 to CHK-9). */
export const updateClientCheckout: BillingHandler<'updateClientCheckout'> = async ({ ctx, caller, params, body }) => {
  const { clientSecret } = params
  const buyer = await actingBuyer(ctx, caller)
  const changed = await changeInTransaction(ctx, async (tx, taxes) => {
    const before = await lockForBuyer(ctx, tx, clientSecret)
    return applyChanges({ ctx, db: tx, taxes }, tx, before, body, { by: 'buyer', ...buyer }, null)
  })
  return showToBuyer(ctx, buyer, changed, clientSecret)
}

/** A failing tax provider does not block changes to an open checkout. */
const changeInTransaction = <T>(ctx: Context, change: (tx: Tx, taxes: Taxes) => Promise<T>): Promise<T> =>
  withTaxes(ctx, 'wanted', (taxes) => ctx.transaction((tx) => change(tx, taxes)))

/** Locks an open checkout by its secret until the transaction ends. */
async function lockForBuyer(ctx: Context, tx: Tx, clientSecret: string): Promise<CheckoutRow> {
  const row = await lockCheckoutBySecret(tx, sha256(clientSecret))
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  assertNotExpired(ctx, row)
  if (row.status !== 'open') throw new TollgateError('NOT_OPEN_CHECKOUT')
  return row
}

/**
 * Starts a checkout from a link, with the seller's settings and the visitor's valid values. Returns its secret;
 * undefined if no product is for sale.
 */
export async function beginCheckout(
  ctx: Context,
  link: { readonly id: Id<'checkoutLink'>; readonly organizationId: Id<'organization'> },
  products: readonly Product[],
  { decided, brought }: { readonly decided: CheckoutChanges; readonly brought: CheckoutChanges },
  { ipAddress, country }: { readonly ipAddress: string | null; readonly country: string | null },
): Promise<string | undefined> {
  const begun = await newCheckout(ctx, link.organizationId, products, country)
  if (!begun) return undefined
  const row = { ...begun.checkout.row, checkoutLinkId: link.id, forgetAt: forgetAtOf(begun.checkout.row) }
  const changed = await withTaxes(ctx, 'wanted', async (taxes) => {
    const work = { ctx, db: ctx.db, taxes }
    const prepared = await withChanges(work, { ...begun.checkout, row }, decided, { by: 'seller' })
    // Following a link alone does not identify the visitor to the seller.
    return withChanges(work, prepared, brought, { by: 'buyer', ipAddress, account: undefined })
  })
  await ctx.transaction((tx) => writeCheckout(ctx, tx, changed, null))
  return begun.clientSecret
}

/** A new checkout of the first product, without a buyer, in the currency of a country. */
async function newCheckout(
  ctx: Context,
  organizationId: Id<'organization'>,
  products: readonly Product[],
  country: string | null,
): Promise<{ checkout: ChangedCheckout; clientSecret: string } | undefined> {
  const [product] = products
  if (!product) return undefined
  const { name: processor } = ctx.payments.forNewCheckouts
  const currency = await currencyFor({ ctx, db: ctx.db, organizationId, processor }, product, country)
  const prices = pricesIn(product, currency)
  const price = selectedPrice({ prices })
  if (!price) return undefined
  const clientSecret = `tollgate_co_${newBillingSecret()}`
  const now = ctx.clock.now()
  const priceAmount = amountOf(price, null)
  const charged = {
    product,
    priceId: price.id,
    priceAmount,
    currency,
    taxBehavior: price.taxBehavior ?? 'exclusive',
  } as const
  const row: CheckoutRow = {
    id: newUuid(),
    organizationId,
    clientSecretHash: sha256(clientSecret),
    sealedClientSecret: ctx.secrets.seal(clientSecret, sealedFor),
    status: 'open',
    processor,
    processorMetadata: {},
    expiresAt: after(now, checkoutLife(ctx)),
    successUrl: null,
    returnUrl: null,
    embedOrigin: null,
    productId: product.id,
    productPriceId: price.id,
    priceIds: prices.map(({ id }) => id),
    priceAmount,
    ...amountsOf(computeCharge(charged, 0, priceAmount === 0 ? noTax : unknownTax)),
    taxBehavior: charged.taxBehavior,
    currency,
    currencyChoice: 'automatic',
    discountId: null,
    allowDiscountCodes: true,
    requireBillingAddress: false,
    isBusinessCustomer: false,
    customerId: null,
    customerName: null,
    customerEmail: null,
    customerExternalId: null,
    customerIpAddress: null,
    customerBillingName: null,
    customerBillingAddress: null,
    customerTaxId: null,
    customerMetadata: {},
    userId: null,
    buyerOrganizationId: null,
    isBuyerKnown: false,
    subscriptionId: null,
    checkoutLinkId: null,
    forgetAt: null,
    ...noTrial,
    trialCardRequired: null,
    allowTrial: true,
    trialEnd: null,
    customFieldData: {},
    metadata: {},
    buyerLocale: null,
    confirmedAt: null,
    createdAt: now,
    modifiedAt: null,
  }
  return {
    checkout: { row, sale: { offered: products, product, price, prices, discount: undefined } },
    clientSecret,
  }
}

/** How long a visitor's unconfirmed checkout stays after it expires. */
const leftKeptFor = days(7)
const forgetAtOf = ({ expiresAt }: CheckoutRow): Date => after(expiresAt, leftKeptFor)

/** Lifetime of a checkout, in milliseconds. */
function checkoutLife({ config }: Pick<Context, 'config'>): number {
  if (config.billing === false) throw new Error('billing is off, but a billing function was called')
  return seconds(config.billing.checkoutExpiresIn)
}

async function writeCheckout(ctx: Context, tx: Tx, { row, sale }: ChangedCheckout, actorId: Id<'user'> | null) {
  const productIds = sale.offered.map(({ id }) => id)
  await insertCheckout(tx, row, productIds)
  await emitCheckout(ctx, tx, actorId, 'checkout.created', row, sale)
}

/** Changes a locked checkout; emits no event if nothing differs. */
async function applyChanges(
  work: ChangeWork,
  tx: Tx,
  before: CheckoutRow,
  changes: CheckoutChanges,
  by: ChangedBy,
  actorId: Id<'user'> | null,
): Promise<ChangedCheckout> {
  const { ctx } = work
  const changed = await changedCheckout(work, before, changes, by)
  if (isDeepStrictEqual(changed.row, before)) return changed
  const row = await updateOpenCheckout(tx, before.id, { ...changed.row, modifiedAt: ctx.clock.now() })
  if (!row) throw new TollgateError('NOT_OPEN_CHECKOUT')
  await emitCheckout(ctx, tx, actorId, 'checkout.updated', row, changed.sale)
  return { row, sale: changed.sale }
}

/** An open checkout ends on time, even before the job marks it as expired. */
const isOver = ({ clock }: Pick<Context, 'clock'>, { expiresAt }: CheckoutRow): boolean => expiresAt <= clock.now()

function assertNotExpired(ctx: Pick<Context, 'clock'>, row: CheckoutRow): void {
  if (row.status === 'expired' || (row.status === 'open' && isOver(ctx, row)))
    throw new TollgateError('EXPIRED_CHECKOUT')
}

/** Only a recurring product can replace a subscription. */
const onlyRecurring = (products: readonly Product[]): InputIssue[] =>
  products.every(({ isRecurring }) => isRecurring)
    ? []
    : [inBody('subscription_id', 'A subscription can only be switched to a recurring product.')]

type NamedBuyer = {
  readonly known: Partial<CheckoutRow>
  readonly subscriptionId: Id<'subscription'> | null
  readonly issues: InputIssue[]
}

/**
 * Finds the buyer that the seller names: a customer by either id (CHK-6), or the owner of the free subscription to
 * switch (CHK-17). Prefills their details.
 */
async function namedBuyer(
  db: Db,
  organizationId: Id<'organization'>,
  body: ParsedBillingBody<'createCheckout'>,
): Promise<NamedBuyer> {
  const externalId = body.customerExternalId ?? body.externalCustomerId ?? null
  const issues: InputIssue[] = []
  const subscription = body.subscriptionId
    ? await findSubscriptionPrices(db, organizationId, body.subscriptionId)
    : undefined
  const id = body.customerId ?? subscription?.customerId
  const key = id != null ? { id } : externalId !== null ? { externalId } : undefined
  const customer = key && (await findCustomer(db, organizationId, key))
  if (body.customerId != null && !customer) issues.push(inBody('customer_id', 'Customer does not exist.'))
  const refusal = body.subscriptionId ? upgradeRefusal(subscription, customer?.id) : undefined
  if (refusal !== undefined) issues.push(inBody('subscription_id', refusal))
  return {
    known: customer
      ? {
          customerId: customer.id,
          customerExternalId: customer.externalId,
          customerEmail: customer.email,
          customerName: customer.name,
          customerBillingName: customer.billingName,
          customerBillingAddress: customer.billingAddress,
          customerTaxId: customer.taxId?.[0] ?? null,
        }
      : { customerExternalId: externalId },
    subscriptionId: refusal === undefined ? (body.subscriptionId ?? null) : null,
    issues,
  }
}

type Upgradable = Awaited<ReturnType<typeof findSubscriptionPrices>>

function upgradeRefusal(subscription: Upgradable, customerId: Id<'customer'> | undefined): string | undefined {
  if (!subscription || !isBillable(subscription.status)) return 'Subscription does not exist.'
  if (subscription.amountTypes.some((type) => type !== 'free')) return 'Only free subscriptions can be upgraded.'
  return subscription.customerId === customerId ? undefined : 'Subscription is of another customer.'
}

/** In a new checkout null means omitted. */
const withoutNulls = (body: ParsedBillingBody<'createCheckout'>): CheckoutChanges =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

/** A seller who gives address lines requires the full address (CHK-5). */
function withLines(changes: CheckoutChanges): CheckoutChanges {
  const { line1, line2, city, postalCode } = changes.customerBillingAddress ?? {}
  const hasLines = [line1, line2, city, postalCode].some((line) => line != null)
  return hasLines ? { ...changes, requireBillingAddress: true } : changes
}
