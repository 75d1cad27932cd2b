import type { BillingEventType } from '@tollgate/contract/billing'
import type {
  Checkout,
  CheckoutPublic,
  DiscountBase,
  Merchant,
  Product,
  ProductPrice,
} from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { type DiscountRow, listDiscountRows } from '../discount/discount.repository.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import { type EventScope, emitBilling } from '../events.ts'
import { shownMetadata } from '../order/processor-metadata.ts'
import { type CheckoutRow, productsOfCheckouts } from './checkout.repository.ts'
import { addressFieldsOf, addressNeedsOf, flagsOf } from './pricing.ts'

/** What a checkout is about, beside its own row. */
export type Sale = {
  /** All that were offered, in their order; those that were archived since are not shown, nor sold. */
  readonly offered: readonly Product[]
  readonly product: Product
  readonly price: ProductPrice
  /** All that the buyer pays for: that price, and usage besides, as it was when they chose, whatever is sold today. */
  readonly prices: ProductPrice[]
  readonly discount: DiscountRow | undefined
}

export async function readSale(db: Db, row: CheckoutRow): Promise<Sale> {
  const sales = await readSales(db, row.organizationId, [row])
  return sales.get(row.id)!
}

/** The same of many checkouts of one organization, with no more queries than for one. */
export async function readSales(
  db: Db,
  organizationId: string,
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
      if (!product || !price) throw new Error(`checkout ${row.id} is of a product or price that is not there`)
      const offered = (offers.get(row.id) ?? []).flatMap((id) => products.get(id) ?? [])
      const discount = row.discountId === null ? undefined : discounts.get(row.discountId)
      return [row.id, { offered, product, price, prices: priceIdsOf(row).map((id) => prices.get(id)!), discount }]
    }),
  )
}

const priceIdsOf = ({ priceIds }: CheckoutRow): readonly string[] => priceIds as string[] // written by ourselves

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]

/**
 * The secret of a checkout; nothing where it was sealed under a SECRET that is configured no more: whoever has the link can
 * still use it, and the lists of its seller go on.
 */
export function clientSecretOf({ secrets }: Pick<Context, 'secrets'>, row: CheckoutRow): string {
  try {
    return secrets.open(row.sealedClientSecret, sealedFor)
  } catch {
    return ''
  }
}

/** What the stored secret is sealed for. */
export const sealedFor = 'checkout'

/** A checkout as its seller sees it. */
export function toCheckout(
  ctx: Pick<Context, 'config' | 'secrets' | 'payments'>,
  row: CheckoutRow,
  sale: Sale,
  clientSecret = clientSecretOf(ctx, row),
): Checkout {
  return {
    ...common(ctx, row, sale, clientSecret),
    customerExternalId: row.customerExternalId,
    externalCustomerId: row.customerExternalId,
    customerMetadata: row.customerMetadata as Checkout['customerMetadata'], // written from its schema, like what follows
    subscriptionId: row.subscriptionId,
    metadata: row.metadata as Checkout['metadata'],
  }
}

/** A checkout as its buyer sees it. */
export const toCheckoutPublic = (
  ctx: Pick<Context, 'config' | 'secrets' | 'payments'>,
  row: CheckoutRow,
  sale: Sale,
  organization: Merchant,
  clientSecret = clientSecretOf(ctx, row),
): CheckoutPublic => ({
  ...common(ctx, row, sale, clientSecret),
  // The seller's own notes, which clients want to find there, are nobody else's.
  attachedCustomFields: sale.product.attachedCustomFields.map((attached) => ({
    ...attached,
    customField: { ...attached.customField, metadata: {} },
  })),
  organization,
})

/** The page where its buyer pays; their receipt is at `/confirmation` below it. */
export const checkoutUrl = ({ config }: Pick<Context, 'config'>, clientSecret: string): string =>
  `${config.baseURL.origin}/checkout/${clientSecret}`

function common(
  ctx: Pick<Context, 'config' | 'secrets' | 'payments'>,
  row: CheckoutRow,
  sale: Sale,
  clientSecret: string,
): Omit<CheckoutPublic, 'organization'> {
  const { product, price, discount } = sale
  const url = checkoutUrl(ctx, clientSecret)
  const products = sale.offered.filter(({ id, isArchived }) => !isArchived || id === row.productId)
  const address = row.customerBillingAddress as Checkout['customerBillingAddress'] // written from a checked address
  const fields = addressFieldsOf({ ...row, country: address?.country ?? null })
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    paymentProcessor: 'stripe',
    processor: row.processor as Checkout['processor'], // written by ourselves, like the status
    status: row.status as Checkout['status'],
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
    tax: row.tax as Checkout['tax'], // written by ourselves
    totalAmount: row.totalAmount,
    currency: row.currency,
    organizationId: row.organizationId,
    productId: row.productId,
    productPriceId: row.productPriceId,
    discountId: row.discountId,
    allowDiscountCodes: row.allowDiscountCodes,
    requireBillingAddress: row.requireBillingAddress,
    ...saleFlags(row, sale),
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
    customFieldData: row.customFieldData as Checkout['customFieldData'], // checked when it was given
    products: products.map(shownProduct),
    product: shownProduct(product),
    productPrice: price,
    prices: Object.fromEntries(products.map(({ id, prices }) => [id, prices])),
    discount: discount ? shownDiscount(toDiscountBase(discount)) : null,
    attachedCustomFields: product.attachedCustomFields,
    seats: null,
    allowTrial: null,
    activeTrialInterval: null,
    activeTrialIntervalCount: null,
    trialEnd: null,
    locale: null,
    taxBehavior: null,
  }
}

/** What a checkout, as it stands, asks of its buyer (CHK-4). */
export const saleFlags = (row: Pick<CheckoutRow, 'amount' | 'totalAmount'>, { product, prices, discount }: Sale) =>
  flagsOf({
    isRecurring: product.isRecurring,
    prices,
    discount,
    amount: row.amount,
    totalAmount: row.totalAmount,
  })

const shownProduct = ({ attachedCustomFields: _, metadata: __, ...product }: Product): Checkout['product'] => product

const shownDiscount = (discount: DiscountBase): Checkout['discount'] => {
  const { id, name, code, type, duration, durationInMonths, amount, currency, amounts, basisPoints } = discount
  return { id, name, code, type, duration, durationInMonths, amount, currency, amounts, basisPoints }
}

/**
 * Tells of a checkout as it is now. What opens it stays out of the record of events: the client secret, and with it the
 * end of its addresses, and whatever else only the answer may hold.
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
