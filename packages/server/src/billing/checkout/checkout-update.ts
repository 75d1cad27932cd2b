import { isIP } from 'node:net'
import type { ParsedBillingBody, Product, SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { type InputIssue, TollgateError } from '../../error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { checkCustomFieldData } from '../catalog/custom-field-data.ts'
import { type Address, checkedAddress } from '../customer/address.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import {
  type DiscountRow,
  findDiscount,
  findDiscountByCode,
  productsOfDiscounts,
} from '../discount/discount.repository.ts'
import { isApplicable, isRedeemable } from '../discount/discount-rules.ts'
import { inBody, invalid } from '../invalid.ts'
import { isSubscribed } from '../order/subscription.repository.ts'
import { findMerchant } from '../seller/seller.repository.ts'
import { quoteSale, type TaxedSale } from '../tax/sale-tax.ts'
import type { Taxes, TaxQuote } from '../tax/taxes.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { ActingBuyer, BuyerAccount } from './checkout-buyer.ts'
import { readSale, type Sale, saleFlags } from './checkout-view.ts'
import {
  addressFieldsOf,
  amountIssues,
  amountOf,
  currencyOf,
  discounted,
  netOf,
  selectedPrice,
  withTax,
} from './pricing.ts'

/** What may be said of an open checkout: buyers and sellers say the first part, each of them one of the others. */
export type CheckoutChanges = Partial<ParsedBillingBody<'updateCheckout'>> & {
  readonly discountCode?: string | null | undefined
}

/** Who changes a checkout. */
export type ChangedBy = { readonly by: 'seller' } | ({ readonly by: 'buyer' } & ActingBuyer)

/** What a change is made with. */
export type ChangeWork = { readonly ctx: Context; readonly db: Db; readonly taxes: Taxes }

export type ChangedCheckout = {
  /** As it will be. */
  readonly row: CheckoutRow
  readonly sale: Sale
}

/**
 * An open checkout as it will be with some changes (CHK-2, CHK-6 to CHK-8, CHK-20), for the one transaction that has locked
 * its row: what was read here is still so when it is written. Everything that is wrong is thrown at once, together with what
 * `complete` finds missing in the result, for a checkout that is being confirmed; then whoever has such a subscription
 * already is refused with ALREADY_ACTIVE_SUBSCRIPTION (CHK-16).
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
 * The same, without refusing: what is wrong is told, and is left as it was before. An amount, once it has been shown, only
 * changes where something is chosen anew, so that nobody pays anything else than they have seen.
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

  const { product, price, prices } = chosenProduct(sale, changes, tell)
  const isSwitched = prices !== sale.prices
  const currency = isSwitched ? currencyOf(prices) : row.currency
  const asked = changes.amount ?? null
  const isAmountGiven = asked !== null && tell(...amountIssues(price, asked))
  const amount = isSwitched || isAmountGiven ? amountOf(price, isAmountGiven ? asked : null) : row.amount

  const applies = async (discount: DiscountRow) => {
    const productIds = (await productsOfDiscounts(db, [discount.id])).get(discount.id) ?? []
    return isApplicable(discount, productIds, discounted(product, prices), currency)
  }
  let discount = await chosenDiscount(ctx, db, { row, sale }, changes, { by: by.by, applies, tell })
  // Nothing was said of it, but it was for another product (CHK-8), or its seller has given it to others since: what is
  // priced anew is priced by what holds now. Where nothing is chosen, what the buyer has seen stays.
  const isChosenAnew = isSwitched || amount !== row.amount
  if (isChosenAnew && discount && discount.id === row.discountId && !(await applies(discount))) discount = undefined

  const buyer = await changedBuyer(db, row, changes, by, tell)
  const isPricedAnew = amount !== row.amount || isSwitched || (discount?.id ?? null) !== row.discountId
  const net = isPricedAnew ? netOf(amount, discount) : row
  const taxed = taxedSale({ ...row, ...buyer, netAmount: net.netAmount, currency }, product)
  const tax = await quoteSale(work, taxed, { sale: taxedSale(row, sale.product), quote: quoteIn(row) })

  const changed: CheckoutRow = {
    ...row,
    ...buyer,
    ...(by.by === 'seller' && sellersPart(row, changes, tell)),
    productId: product.id,
    productPriceId: price.id,
    priceIds: prices.map(({ id }) => id),
    currency,
    ...withTax(net, tax),
    discountId: discount?.id ?? null,
    customFieldData: changedFieldData(product, row, changes, isSwitched, tell),
  }
  return { row: changed, sale: { ...sale, product, price, prices, discount }, issues }
}

/**
 * What is missing, or no longer to be had, in a checkout that is being confirmed (CHK-10). The lines of an address are
 * wanted where the seller, or a business, asks for them; else its country is enough.
 */
export function completenessIssues(
  { row, sale }: ChangedCheckout,
  confirmation: { readonly confirmationTokenId: string | null },
): InputIssue[] {
  const { isPaymentFormRequired } = saleFlags(row, sale)
  const { isBusinessCustomer, requireBillingAddress } = row
  const address = addressOf(row)
  const wantsLines = isBusinessCustomer || requireBillingAddress
  const fields = addressFieldsOf({ ...row, country: address?.country ?? null })
  // Where only the state says what tax there is, it is wanted, too.
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
    ...checkCustomFieldData(sale.product.attachedCustomFields, fieldDataOf(row), true).issues,
  ]
}

const taxUnknown = inBody('customer_billing_address', 'No tax can be computed for this address.')

/** Whether something of what was chosen is sold no more at that price: what is paid now, or usage, which is paid later. */
const isOutdated = ({ prices }: Sale): boolean => prices.some(({ isArchived }) => isArchived)

const addressLines = [
  ['line1', 'line1'],
  ['city', 'city'],
  ['postalCode', 'postal_code'],
  ['state', 'state'],
] as const

/**
 * Refuses a second subscription of one buyer, where the seller allows only one (CHK-16). An upgrade is none. A buyer is asked
 * for as whom they are known to be, by the seller's word or their own account: what they type would tell them who
 * subscribes. Under it they are refused when they confirm, and not before.
 */
async function assertNotSubscribed(db: Db, { row, sale }: ChangedCheckout, { by }: ChangedBy): Promise<void> {
  if (!sale.product.isRecurring || row.subscriptionId !== null) return
  const merchant = await findMerchant(db, row.organizationId)
  const settings = merchant?.subscriptionSettings as { allowMultipleSubscriptions?: boolean } | undefined // from its schema
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

/** Takes down what is wrong; true where nothing is. */
type Tell = (...issues: InputIssue[]) => boolean

type Choice = Pick<Sale, 'product' | 'price' | 'prices'>

/** The product that is bought from now on: one of those that were offered and can still be had (CHK-8). */
function chosenProduct(sale: Sale, changes: CheckoutChanges, tell: Tell): Choice {
  const current: Choice = sale
  const asked = askedProduct(sale, changes)
  if (!asked || (asked.product?.id === sale.product.id && !isOutdated(sale))) return current

  const price = asked.product && selectedPrice(asked.product)
  if (!asked.product) tell(inBody(asked.path, `${asked.what} is not available in this checkout.`))
  else if (asked.product.isArchived || !price) tell(inBody(asked.path, 'Product is archived.'))
  else return { product: asked.product, price, prices: asked.product.prices }
  return current
}

/** By itself, or in the older way by its price; nothing where nothing else is asked for. */
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
 * The discount from now on (CHK-7): the seller names one, the buyer says a code, and null takes it away. What cannot be had,
 * for whatever reason, does not exist: nobody finds out which codes there are. The one that is there already stays, even
 * where it has run out meanwhile: whether it still counts is decided when the checkout is confirmed.
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
 * Whether a discount may turn out not to be had when its checkout is confirmed: that must not keep the checkout from being
 * paid. Whether this buyer has used theirs up is not asked here, because anybody could ask it of any address.
 */
const mayBeRefused = (discount: DiscountRow, now: Date): boolean =>
  !isRedeemable(discount, now) || discount.maxRedemptionsPerCustomer !== null

type BuyerPart = Pick<
  CheckoutRow,
  | 'customerEmail'
  | 'customerName'
  | 'customerBillingName'
  | 'customerBillingAddress'
  | 'customerTaxId'
  | 'isBusinessCustomer'
  | 'customerIpAddress'
  | 'userId'
  | 'buyerOrganizationId'
>

/** What is known of the buyer from now on. */
async function changedBuyer(
  db: Db,
  row: CheckoutRow,
  changes: CheckoutChanges,
  by: ChangedBy,
  tell: Tell,
): Promise<BuyerPart> {
  const link = by.by === 'buyer' ? await linkTo(db, row, by.account) : pickLink(row)
  const isLinked = link.userId !== null || link.buyerOrganizationId !== null
  const known = by.by === 'buyer' && isLinked ? by.account : undefined
  const email = changedEmail(row, changes.customerEmail, tell)
  return {
    ...changedAddress(row, changes, tell),
    // Whoever is signed in has said it before.
    customerEmail: email ?? known?.email ?? null,
    customerName:
      changes.customerName === undefined ? (row.customerName ?? (known?.name || null)) : changes.customerName,
    customerBillingName:
      changes.customerBillingName === undefined ? row.customerBillingName : changes.customerBillingName,
    isBusinessCustomer: changes.isBusinessCustomer ?? row.isBusinessCustomer,
    customerIpAddress: (by.by === 'buyer' ? by.ipAddress : null) ?? row.customerIpAddress,
    ...link,
  }
}

/** Of a customer whom the seller has named nobody changes the address (CHK-6). */
function changedEmail(row: CheckoutRow, given: string | null | undefined, tell: Tell): string | null {
  if (given === undefined || row.customerId !== null) return row.customerEmail
  if (given === null || normalizeEmail(given) !== null) return given?.trim() ?? null
  tell(inBody('customer_email', 'The email address is not valid.'))
  return row.customerEmail
}

type Link = Pick<CheckoutRow, 'userId' | 'buyerOrganizationId'>
const pickLink = ({ userId, buyerOrganizationId }: CheckoutRow): Link => ({ userId, buyerOrganizationId })
const nobody: Link = { userId: null, buyerOrganizationId: null }

/**
 * Links whoever is signed in, for the organization that they pay for or else for themselves. Not to a checkout that names a
 * customer who is somebody else: it is theirs, whoever pays it.
 */
export async function linkTo(db: Db, row: CheckoutRow, account: BuyerAccount | undefined): Promise<Link> {
  if (!account) return nobody
  // An organization does not buy from itself.
  const isForOrganization = account.organizationId !== null && account.organizationId !== row.organizationId
  const link: Link = isForOrganization
    ? { userId: null, buyerOrganizationId: account.organizationId }
    : { userId: account.userId, buyerOrganizationId: null }
  if (row.customerId === null) return link
  const customer = await findCustomer(db, row.organizationId, { id: row.customerId })
  if (!customer || (customer.userId === null && customer.buyerOrganizationId === null)) return link
  if (customer.userId !== null)
    return customer.userId === account.userId ? { ...nobody, userId: account.userId } : nobody
  return customer.buyerOrganizationId === link.buyerOrganizationId ? link : nobody
}

const addressOf = (row: Pick<CheckoutRow, 'customerBillingAddress'>): Address | null =>
  row.customerBillingAddress as Address | null // written from a checked address

/** A checkout as far as its tax depends on it. */
const taxedSale = (
  row: Pick<CheckoutRow, 'organizationId' | 'netAmount' | 'currency' | Exclude<keyof BuyerPart, keyof Link>>,
  { id, isTaxExempt }: Product,
): TaxedSale => ({
  organizationId: row.organizationId,
  address: addressOf(row),
  isBusiness: row.isBusinessCustomer,
  taxId: row.customerTaxId,
  product: { id, isTaxExempt },
  netAmount: row.netAmount,
  currency: row.currency,
})

const quoteIn = ({ taxAmount, tax }: CheckoutRow): TaxQuote => ({ taxAmount, tax: tax as SaleTax | null }) // by ourselves

/** Address and tax number: what a number has to look like depends on the country. */
function changedAddress(
  row: CheckoutRow,
  { customerBillingAddress: givenAddress, customerTaxId: givenTaxId }: CheckoutChanges,
  tell: Tell,
): Pick<CheckoutRow, 'customerBillingAddress' | 'customerTaxId'> {
  const before = addressOf(row)
  let address = before
  if (givenAddress !== undefined) {
    const checked =
      givenAddress === null ? { address: null, issues: [] } : checkedAddress(givenAddress, 'customer_billing_address')
    if (tell(...checked.issues)) address = checked.address
  }
  const taxId = givenTaxId === undefined ? row.customerTaxId : givenTaxId
  const isNew = givenTaxId !== undefined || address?.country !== before?.country
  if (taxId === null || address === null || !isNew) return { customerBillingAddress: address, customerTaxId: taxId }
  const checked = checkedTaxId(taxId, address.country)
  if (checked) return { customerBillingAddress: address, customerTaxId: checked[0] }
  // That of another country goes with it.
  if (givenTaxId === undefined && before !== null) return { customerBillingAddress: address, customerTaxId: null }
  tell(inBody('customer_tax_id', 'Invalid tax ID.'))
  return { customerBillingAddress: address, customerTaxId: row.customerTaxId }
}

/** What only the seller says. Null takes away what may be missing, and leaves what may not. */
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

type FieldData = Readonly<Record<string, unknown>>
const fieldDataOf = ({ customFieldData }: Pick<CheckoutRow, 'customFieldData'>): FieldData =>
  customFieldData as FieldData // written from checked answers

/** The answers to custom fields (CHK-20). Another product asks other questions: answers to none of them go. */
function changedFieldData(
  product: Product,
  row: CheckoutRow,
  { customFieldData }: CheckoutChanges,
  isSwitched: boolean,
  tell: Tell,
): FieldData {
  if (customFieldData === undefined && !isSwitched) return fieldDataOf(row)
  const checked = checkCustomFieldData(product.attachedCustomFields, customFieldData ?? fieldDataOf(row), false)
  return customFieldData === undefined || tell(...checked.issues) ? checked.data : fieldDataOf(row)
}
