import { isIP } from 'node:net'
import { addressFieldsOf } from '@tollgate/contract/billing'
import type { Product } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db } from '../../../foundation/db/database.ts'
import type { FieldAnswers } from '../../../foundation/db/tables/metadata.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { checkCustomFieldData } from '../catalog/custom-field-data.ts'
import { amountIssues, currenciesOf, pricesIn } from '../catalog/offered-prices.ts'
import { changedTrial } from '../catalog/trial-offer.ts'
import {
  type DiscountRow,
  findDiscount,
  findDiscountByCode,
  productsOfDiscounts,
} from '../discount/discount.repository.ts'
import { discountOn, isApplicable, isRedeemable } from '../discount/discount-rules.ts'
import type { ComputedOrder, TaxQuote } from '../engine/compute-order.ts'
import { inBody, invalid } from '../invalid.ts'
import { findMerchant } from '../merchant/merchant.repository.ts'
import { isSubscribed } from '../order/subscription.repository.ts'
import { quoteSale, type TaxedSale } from '../tax/sale-tax.ts'
import type { Taxes } from '../tax/taxes.ts'
import { addressOf, type BuyerPart, changedAddress, changedBuyer, type Link } from './changed-buyer.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { ChangedBy, CheckoutChanges, Tell } from './checkout-changes.ts'
import { changedCurrency } from './checkout-currency.ts'
import { readSale, type Sale, saleFlags } from './checkout-view.ts'
import {
  amountOf,
  amountsOf,
  computeCharge,
  discounted,
  selectedPrice,
  storedDiscount,
  storedPrice,
} from './pricing.ts'

/** What a change works with. */
export type ChangeWork = {
  readonly ctx: Context
  readonly db: Db
  readonly taxes: Taxes
  /** At a confirmation the buyer pays in the currency that they have seen. */
  readonly isConfirmed?: true
}

export type ChangedCheckout = {
  /** The row as it will be. */
  readonly row: CheckoutRow
  readonly sale: Sale
}

/**
 * Returns an open checkout with changes applied (CHK-2, CHK-6 to CHK-8, CHK-20). Call it in the transaction that has
 * locked the row, so that its reads still hold when it is written. Throws all faults at once, including those that
 * `complete` finds when the checkout is confirmed. Then throws ALREADY_ACTIVE_SUBSCRIPTION if the buyer already has
 * such a subscription (CHK-16).
 */
export async function changedCheckout(
  work: ChangeWork,
  row: CheckoutRow,
  changes: CheckoutChanges,
  by: ChangedBy,
  complete: (changed: ChangedCheckout) => readonly InputIssue[] = () => [],
): Promise<ChangedCheckout> {
  const before = { row, sale: await readSale(work.db, row) }
  const { issues, ...changed } = await withChanges(work, before, changes, by)
  const all = [...issues, ...complete(changed)]
  if (all.length > 0) throw invalid(...all)
  await assertNotSubscribed(work.db, changed, by)
  return changed
}

/**
 * The same without throwing: it reports faults and leaves those values unchanged. A displayed amount changes only with
 * a new choice, so that buyers pay what they have seen.
 */
export async function withChanges(
  work: ChangeWork,
  { row, sale }: ChangedCheckout,
  changes: CheckoutChanges,
  by: ChangedBy,
): Promise<ChangedCheckout & { readonly issues: InputIssue[] }> {
  const { ctx, db } = work
  const issues: InputIssue[] = []
  const tell = (...found: InputIssue[]) => {
    issues.push(...found)
    return found.length === 0
  }

  const chosen = chosenProduct(sale, changes, tell)
  const { issue, currency, currencyChoice } = await changedCurrency(work, {
    row,
    product: chosen ?? sale.product,
    isSwitched: chosen !== undefined,
    named: namedCurrency(sale, changes),
    countryBefore: addressOf(row)?.country ?? null,
    // `changedBuyer` reports the faults of an address.
    country: changedAddress(row, changes, (...found) => found.length === 0).customerBillingAddress?.country ?? null,
    isConfirmed: work.isConfirmed ?? false,
  })
  if (issue) tell(issue)
  const { product, price, prices } = chosenPrices(sale, chosen, { currency, before: row.currency })
  const isSwitched = prices !== sale.prices
  const asked = changes.amount ?? null
  const isAmountGiven = asked !== null && tell(...amountIssues(price, asked))
  const shown = storedPrice(row)
  const priceAmount = isSwitched || isAmountGiven ? amountOf(price, isAmountGiven ? asked : null) : shown

  const applies = async (discount: DiscountRow) => {
    const productIds = (await productsOfDiscounts(db, [discount.id])).get(discount.id) ?? []
    return isApplicable(discount, productIds, discounted(product, prices), currency)
  }
  let discount = await chosenDiscount(ctx, db, { row, sale }, changes, { by: by.by, applies, tell })
  // The kept discount may not fit the new product (CHK-8), or the seller may have restricted it since. A new choice
  // follows the present rules; without one, the buyer keeps the displayed price.
  const isChosenAnew = isSwitched || priceAmount !== shown
  if (isChosenAnew && discount && discount.id === row.discountId && !(await applies(discount))) discount = undefined

  const buyer = await changedBuyer(db, row, changes, by, tell)
  const isPricedAnew = isChosenAnew || (discount?.id ?? null) !== row.discountId
  const taxBehavior = isSwitched ? (price.taxBehavior ?? 'exclusive') : row.taxBehavior
  const charged = { product, priceId: price.id, priceAmount, currency, taxBehavior }
  const lowered = !isPricedAnew ? storedDiscount(row) : discount ? discountOn(discount, priceAmount) : 0
  const untaxed = computeCharge(charged, lowered, undefined)
  const stored = { ...row, product: sale.product, priceId: row.productPriceId, priceAmount: shown }
  const tax = await quoteSale(work, taxedSale({ ...row, ...buyer, currency, taxBehavior }, untaxed), {
    sale: taxedSale(row, computeCharge(stored, storedDiscount(row), undefined)),
    quote: quoteIn(row),
  })

  const changed: CheckoutRow = {
    ...row,
    ...buyer,
    ...(by.by === 'seller' && sellersPart(row, changes, tell)),
    ...changedTrialPart(work, row, changes, by, tell),
    productId: product.id,
    productPriceId: price.id,
    priceIds: prices.map(({ id }) => id),
    currency,
    currencyChoice,
    priceAmount,
    taxBehavior,
    ...amountsOf(computeCharge(charged, lowered, tax)),
    discountId: discount?.id ?? null,
    customFieldData: changedFieldData(product, row, changes, isSwitched, tell),
  }
  return { row: changed, sale: { ...sale, product, price, prices, discount }, issues }
}

/**
 * Reports what a checkout lacks for its confirmation, or what is no longer for sale (CHK-10). Address lines are
 * required for a business or at the seller's request; else the country suffices.
 */
export function completenessIssues(
  { row, sale }: ChangedCheckout,
  confirmation: { readonly confirmationTokenId: string | null; readonly now: Date },
): InputIssue[] {
  const { isPaymentFormRequired } = saleFlags(row, sale, confirmation.now)
  const { isBusinessCustomer, requireBillingAddress } = row
  const address = addressOf(row)
  const wantsLines = isBusinessCustomer || requireBillingAddress
  const fields = addressFieldsOf({ ...row, country: address?.country ?? null })
  // A state is also required when the tax depends on it.
  const isTaxUnknown = address !== null && row.taxAmount === null
  const wanted = addressLines.filter(([name]) => fields[name] && (wantsLines || (isTaxUnknown && name === 'state')))
  const lines = address === null ? [] : wanted.filter(([name]) => !address[name])
  const missing: (string | string[])[] = [
    ...(row.customerEmail === null ? ['customer_email'] : []),
    ...(isPaymentFormRequired && row.customerName === null ? ['customer_name'] : []),
    ...(isBusinessCustomer && row.customerBillingName === null ? ['customer_billing_name'] : []),
    ...((isPaymentFormRequired || wantsLines) && address === null ? ['customer_billing_address'] : []),
    ...lines.map(([, name]) => ['customer_billing_address', name]),
    ...(isPaymentFormRequired && confirmation.confirmationTokenId === null ? ['confirmation_token_id'] : []),
  ]
  return [
    ...missing.map((path) => inBody(path, 'Field is required.', 'missing')),
    ...(isTaxUnknown && lines.length === 0 ? [taxUnknown] : []),
    ...(sale.product.isArchived ? [inBody('product_id', 'Product is archived.')] : []),
    ...(isOutdated(sale) ? [inBody('product_price_id', 'Price is archived.')] : []),
    ...checkCustomFieldData(sale.product.attachedCustomFields, row.customFieldData, true).issues,
  ]
}

const taxUnknown = inBody('customer_billing_address', 'The tax for this address cannot be calculated.')

/** Whether a chosen price is archived, be it paid now or usage. */
const isOutdated = ({ prices }: Sale): boolean => prices.some(({ isArchived }) => isArchived)

const addressLines = [
  ['line1', 'line1'],
  ['city', 'city'],
  ['postalCode', 'postal_code'],
  ['state', 'state'],
] as const

/**
 * Refuses a buyer's second subscription if the seller allows only one (CHK-16). An upgrade is none. Only a proven
 * identity counts here, by the seller's word or the buyer's account: checking a typed address would reveal who
 * subscribes. Such a buyer is refused at confirmation.
 */
async function assertNotSubscribed(db: Db, { row, sale }: ChangedCheckout, { by }: ChangedBy): Promise<void> {
  if (!sale.product.isRecurring || row.subscriptionId !== null) return
  const merchant = await findMerchant(db, row.organizationId)
  const settings = merchant?.subscriptionSettings
  if (settings?.allowMultipleSubscriptions) return
  const { organizationId, customerId, customerEmail, userId, buyerOrganizationId } = row
  const isAccount = by === 'buyer' && (userId !== null || buyerOrganizationId !== null)
  const who = {
    userId,
    buyerOrganizationId,
    customerId: isAccount ? null : customerId,
    emailKey: by === 'buyer' || customerEmail === null ? null : normalizeEmail(customerEmail),
    countsStrangers: !isAccount,
  }
  if (await isSubscribed(db, organizationId, who)) throw new TollgateError('ALREADY_ACTIVE_SUBSCRIPTION')
}

type Choice = Pick<Sale, 'product' | 'price' | 'prices'>

/** Returns a new product to buy: one that the checkout offers and that is still for sale (CHK-8). */
function chosenProduct(sale: Sale, changes: CheckoutChanges, tell: Tell): Product | undefined {
  const asked = askedProduct(sale, changes)
  if (!asked || (asked.product?.id === sale.product.id && !isOutdated(sale))) return undefined

  if (!asked.product) tell(inBody(asked.path, `${asked.what} is not available in this checkout.`))
  else if (asked.product.isArchived || !selectedPrice(asked.product)) tell(inBody(asked.path, 'Product is archived.'))
  else return asked.product
  return undefined
}

/** The prices of the new product, or those of the present one in a new currency; else the present prices stay. */
function chosenPrices(
  sale: Sale,
  chosen: Product | undefined,
  { currency, before }: { readonly currency: string; readonly before: string },
): Choice {
  if (!chosen && currency === before) return sale
  const product = chosen ?? sale.product
  const prices = pricesIn(product, currency)
  const price = selectedPrice({ prices })
  return price ? { product, price, prices } : sale
}

/** The currency that a change names: as such, or by a price of a product that has several. */
function namedCurrency({ offered }: Sale, { currency, productId, productPriceId }: CheckoutChanges) {
  if (currency !== undefined || productId != null || productPriceId == null) return currency
  const product = offered.find(({ prices }) => prices.some(({ id }) => id === productPriceId))
  if (!product || currenciesOf(product).length < 2) return undefined
  const price = product.prices.find(({ id }) => id === productPriceId)
  return price && 'priceCurrency' in price ? price.priceCurrency : undefined
}

/** Finds the requested product by its id, or by the older price id; undefined without a request. */
function askedProduct({ offered, price }: Sale, { productId, productPriceId }: CheckoutChanges) {
  if (productId != null)
    return { path: 'product_id', what: 'Product', product: offered.find(({ id }) => id === productId) }
  if (productPriceId == null || productPriceId === price.id) return undefined
  const product = offered.find(({ prices }) => prices.some(({ id }) => id === productPriceId))
  return { path: 'product_price_id', what: 'Price', product }
}

type DiscountChoice = {
  readonly by: ChangedBy['by']
  readonly applies: (discount: DiscountRow) => Promise<boolean>
  readonly tell: Tell
}

/**
 * Returns the new discount (CHK-7): the seller names it by id, the buyer by code, and null removes it. Every unusable
 * discount gets the same error, so that nothing reveals which codes exist. The present one stays even if it has
 * expired: the confirmation decides whether it counts.
 */
async function chosenDiscount(
  ctx: Context,
  db: Db,
  { row, sale }: ChangedCheckout,
  changes: CheckoutChanges,
  { by, applies, tell }: DiscountChoice,
): Promise<DiscountRow | undefined> {
  const isSeller = by === 'seller'
  const named = isSeller ? changes.discountId : changes.discountCode
  if (named === undefined) return sale.discount
  const now = ctx.clock.now()
  const isStuck = sale.discount !== undefined && mayBeRefused(sale.discount, now)
  if (!isSeller && !row.allowDiscountCodes && !(named === null && isStuck)) return sale.discount
  if (named === null) return undefined

  const { organizationId } = row
  const found = await (isSeller
    ? findDiscount(db, organizationId, named)
    : findDiscountByCode(db, organizationId, named))
  if (found && found.id === row.discountId) return sale.discount
  if (found && isRedeemable(found, now) && (await applies(found))) return found
  tell(inBody(isSeller ? 'discount_id' : 'discount_code', 'Discount does not exist.'))
  return sale.discount
}

/**
 * Whether the confirmation may refuse a discount. The buyer may then remove it, or they could not pay. It does not
 * check this buyer's redemptions, because anyone could probe any address.
 */
const mayBeRefused = (discount: DiscountRow, now: Date): boolean =>
  !isRedeemable(discount, now) || discount.maxRedemptionsPerCustomer !== null

/** The values of a checkout that its tax depends on. */
const taxedSale = (
  row: Pick<CheckoutRow, 'organizationId' | 'currency' | 'taxBehavior' | Exclude<keyof BuyerPart, keyof Link>>,
  { taxRequest }: ComputedOrder,
): TaxedSale => ({
  organizationId: row.organizationId,
  address: addressOf(row),
  isBusiness: row.isBusinessCustomer,
  taxId: row.customerTaxId,
  lines: taxRequest,
  currency: row.currency,
  taxBehavior: row.taxBehavior,
})

const quoteIn = ({ taxAmount, tax }: CheckoutRow): TaxQuote => ({ taxAmount, tax: tax })

/** Columns for the seller only. Null clears optional columns and leaves required ones unchanged. */
function sellersPart(row: CheckoutRow, changes: CheckoutChanges, tell: Tell): Partial<CheckoutRow> {
  const { customerIpAddress } = changes
  const isAddress = customerIpAddress == null || isIP(customerIpAddress) !== 0
  if (!isAddress) tell(inBody('customer_ip_address', 'Input should be a valid IP address.'))
  return {
    ...(customerIpAddress !== undefined && isAddress && { customerIpAddress }),
    allowDiscountCodes: changes.allowDiscountCodes ?? row.allowDiscountCodes,
    requireBillingAddress: changes.requireBillingAddress ?? row.requireBillingAddress,
    metadata: changes.metadata ?? row.metadata,
    customerMetadata: changes.customerMetadata ?? row.customerMetadata,
    ...(changes.successUrl !== undefined && { successUrl: changes.successUrl }),
    ...(changes.returnUrl !== undefined && { returnUrl: changes.returnUrl }),
    ...(changes.embedOrigin !== undefined && { embedOrigin: changes.embedOrigin }),
  }
}

/** The trial of the purchase: the seller offers it, and the buyer may give it up. */
function changedTrialPart(
  { ctx }: ChangeWork,
  row: CheckoutRow,
  changes: CheckoutChanges,
  { by }: ChangedBy,
  tell: Tell,
): Partial<CheckoutRow> {
  const allowTrial = changes.allowTrial ?? row.allowTrial
  if (by === 'buyer') return { allowTrial }
  const { offer, issues } = changedTrial(row, changes, ctx.clock.now())
  return {
    ...(tell(...issues) && offer),
    allowTrial,
    ...(changes.trialCardRequired !== undefined && { trialCardRequired: changes.trialCardRequired }),
  }
}

/** Answers to custom fields (CHK-20). A new product drops answers to fields that it lacks. */
function changedFieldData(
  product: Product,
  row: CheckoutRow,
  { customFieldData }: CheckoutChanges,
  isSwitched: boolean,
  tell: Tell,
): FieldAnswers {
  if (customFieldData === undefined && !isSwitched) return row.customFieldData
  const checked = checkCustomFieldData(product.attachedCustomFields, customFieldData ?? row.customFieldData, false)
  return customFieldData === undefined || tell(...checked.issues) ? checked.data : row.customFieldData
}
