import { addressFieldsOf } from '@tollgate/contract/billing'
import type {
  Checkout,
  CheckoutPublic,
  DiscountBase,
  Merchant,
  Product,
  ProductPrice,
} from '@tollgate/contract/billing-types'
import type { BillingEventType } from '@tollgate/contract/events'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { currenciesOf, pricesShownIn } from '../catalog/offered-prices.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { shownTrial } from '../catalog/trial-offer.ts'
import { type DiscountRow, listDiscountRows } from '../discount/discount.repository.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import { type EventScope, emitBilling } from '../events.ts'
import { type CheckoutRow, productsOfCheckouts } from './checkout.repository.ts'
import { addressNeedsOf, flagsOf } from './pricing.ts'
import { shownMetadata } from './processor-metadata.ts'
import { type TrialTerms, trialOf } from './trial.ts'

/** Objects that belong to a checkout. */
export type Sale = {
  /** All offered products in order; the page hides those archived since. */
  readonly offered: readonly Product[]
  readonly product: Product
  readonly price: ProductPrice
  /** The prices that the buyer chose, usage included, even if archived since. */
  readonly prices: ProductPrice[]
  readonly discount: DiscountRow | undefined
}

export async function readSale(db: Db, row: CheckoutRow): Promise<Sale> {
  const sales = await readSales(db, row.organizationId, [row])
  return proven(sales.get(row.id), 'each checkout has its sale')
}

/** The same for many checkouts of one organization, with equally few queries. */
export async function readSales(
  db: Db,
  organizationId: Id<'organization'>,
  rows: readonly CheckoutRow[],
): Promise<Map<string, Sale>> {
  const offers = await productsOfCheckouts(
    db,
    rows.map(({ id }) => id),
  )
  const products = await readProducts(db, organizationId, distinct([...offers.values()].flat()))
  const shown = new Map([...products.values()].flatMap(({ prices }) => prices.map((price) => [price.id, price])))
  const archived = distinct(rows.flatMap(priceIdsOf)).filter((id) => !shown.has(id))
  const prices =
    archived.length === 0 ? shown : new Map([...shown, ...(await readPrices(db, organizationId, archived))])
  const discountIds = distinct(rows.flatMap(({ discountId }) => discountId ?? []))
  const discounts = new Map(
    (discountIds.length === 0 ? [] : await listDiscountRows(db, organizationId, discountIds)).map((row) => [
      row.id,
      row,
    ]),
  )
  return new Map(
    rows.map((row) => {
      const product = products.get(row.productId)
      const price = prices.get(row.productPriceId)
      if (!product || !price) throw new Error(`checkout ${row.id} refers to a missing product or price`)
      const offered = (offers.get(row.id) ?? []).flatMap((id) => products.get(id) ?? [])
      const discount = row.discountId === null ? undefined : discounts.get(row.discountId)
      return [
        row.id,
        {
          offered,
          product,
          price,
          prices: priceIdsOf(row).map((id) => proven(prices.get(id), 'all that the rows name were read')),
          discount,
        },
      ]
    }),
  )
}

const priceIdsOf = ({ priceIds }: CheckoutRow): readonly string[] => priceIds

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]

/**
 * Returns a checkout's secret, or an empty text if its SECRET is no longer configured. The seller's lists then still
 * work, and so does the link that the buyer holds.
 */
export function clientSecretOf({ secrets }: Pick<Context, 'secrets'>, row: CheckoutRow): string {
  try {
    return secrets.open(row.sealedClientSecret, sealedFor)
  } catch {
    return ''
  }
}

/** Purpose under which the stored secret is sealed. */
export const sealedFor = 'checkout'

/** A checkout as its seller sees it. */
export function toCheckout(
  ctx: Pick<Context, 'config' | 'secrets' | 'payments' | 'clock'>,
  row: CheckoutRow,
  sale: Sale,
  clientSecret = clientSecretOf(ctx, row),
): Checkout {
  return {
    ...common(ctx, row, sale, clientSecret),
    customerExternalId: row.customerExternalId,
    externalCustomerId: row.customerExternalId,
    ...shownTrial(row),
    trialCardRequired: row.trialCardRequired,
    customerMetadata: row.customerMetadata,
    subscriptionId: row.subscriptionId,
    metadata: row.metadata,
  }
}

/** A checkout as its buyer sees it. */
export const toCheckoutPublic = (
  ctx: Pick<Context, 'config' | 'secrets' | 'payments' | 'clock'>,
  row: CheckoutRow,
  sale: Sale,
  organization: Merchant,
  clientSecret = clientSecretOf(ctx, row),
): CheckoutPublic => ({
  ...common(ctx, row, sale, clientSecret),
  // Clients expect `metadata`, but the seller's notes are private.
  attachedCustomFields: sale.product.attachedCustomFields.map((attached) => ({
    ...attached,
    customField: { ...attached.customField, metadata: {} },
  })),
  organization,
})

/** URL of the payment page; the receipt is at `/confirmation` below it. */
export const checkoutUrl = ({ config }: Pick<Context, 'config'>, clientSecret: string): string =>
  `${config.baseURL.origin}/checkout/${clientSecret}`

function common(
  ctx: Pick<Context, 'config' | 'secrets' | 'payments' | 'clock'>,
  row: CheckoutRow,
  sale: Sale,
  clientSecret: string,
): Omit<CheckoutPublic, 'organization'> {
  const { product, price, discount } = sale
  const url = checkoutUrl(ctx, clientSecret)
  const inCurrency = (each: Product): Product => ({ ...each, prices: pricesShownIn(each, row.currency) })
  const products = sale.offered.filter(({ id, isArchived }) => !isArchived || id === row.productId).map(inCurrency)
  const currencies = row.currencyChoice === 'fixed' ? [] : currenciesOf(product)
  const address = row.customerBillingAddress
  const fields = addressFieldsOf({ ...row, country: address?.country ?? null })
  const now = ctx.clock.now()
  const trial = trialOf(row, sale, now)
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    paymentProcessor: 'stripe',
    processor: row.processor,
    status: row.status,
    clientSecret,
    url,
    expiresAt: row.expiresAt.toISOString(),
    successUrl: row.successUrl?.replaceAll('{CHECKOUT_ID}', row.id) ?? `${url}/confirmation`,
    returnUrl: row.returnUrl,
    embedOrigin: row.embedOrigin,
    amount: row.amount,
    discountAmount: row.discountAmount,
    netAmount: row.netAmount,
    taxAmount: row.taxAmount,
    tax: row.tax,
    totalAmount: row.totalAmount,
    currency: row.currency,
    ...(currencies.length > 1 && { currencies }),
    organizationId: row.organizationId,
    productId: row.productId,
    productPriceId: row.productPriceId,
    discountId: row.discountId,
    allowDiscountCodes: row.allowDiscountCodes,
    requireBillingAddress: row.requireBillingAddress,
    ...saleFlags(row, sale, now),
    isBusinessCustomer: row.isBusinessCustomer,
    customerId: row.customerId,
    customerName: row.customerName,
    customerEmail: row.customerEmail,
    customerIpAddress: row.customerIpAddress,
    customerBillingName: row.customerBillingName,
    customerBillingAddress: address,
    customerTaxId: row.customerTaxId,
    customerBillingAddressFields: fields,
    billingAddressFields: addressNeedsOf(fields),
    paymentProcessorMetadata: shownMetadata(ctx, row),
    customFieldData: row.customFieldData,
    products: products.map(shownProduct),
    product: shownProduct(inCurrency(product)),
    productPrice: price,
    prices: Object.fromEntries(products.map(({ id, prices }) => [id, prices])),
    discount: discount ? shownDiscount(toDiscountBase(discount)) : null,
    attachedCustomFields: product.attachedCustomFields,
    seats: null,
    allowTrial: row.allowTrial,
    activeTrialInterval: trial?.trialInterval ?? null,
    activeTrialIntervalCount: trial?.trialIntervalCount ?? null,
    trialEnd: trial?.end.toISOString() ?? null,
    trialRedeemed: false,
    locale: null,
    taxBehavior: row.taxBehavior === 'inclusive' ? 'inclusive' : null,
  }
}

/** What a checkout requires of its buyer (CHK-4). */
export const saleFlags = (row: TrialTerms & Pick<CheckoutRow, 'totalAmount'>, sale: Sale, now: Date) => {
  const { product, prices, discount } = sale
  return flagsOf({
    isRecurring: product.isRecurring,
    prices,
    discount,
    amount: row.amount,
    totalAmount: row.totalAmount,
    trial: trialOf(row, sale, now),
  })
}

const shownProduct = ({ attachedCustomFields: _, metadata: __, ...product }: Product): Checkout['product'] => product

const shownDiscount = (discount: DiscountBase): Checkout['discount'] => {
  const { id, name, code, type, duration, durationInMonths, amount, currency, amounts, basisPoints } = discount
  return { id, name, code, type, duration, durationInMonths, amount, currency, amounts, basisPoints }
}

/**
 * Emits a checkout as it is now, without secrets that only a response may hold: the client secret, also inside its
 * URLs.
 */
export async function emitCheckout(
  ctx: Pick<Context, 'config' | 'secrets' | 'payments' | 'clock'>,
  tx: Tx,
  actorId: EventScope['actorId'],
  type: Extract<BillingEventType, `checkout.${string}`>,
  row: CheckoutRow,
  sale: Sale,
): Promise<void> {
  const shown = toCheckout(ctx, row, sale, '')
  const { intent_client_secret: _, ...paymentProcessorMetadata } = shown.paymentProcessorMetadata
  const { organizationId } = row
  const subject = { ...shown, paymentProcessorMetadata }
  await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, type, subject)
}
