import type { AddressFields } from '@tollgate/contract/billing'
import type { Checkout, Product, ProductPrice, SaleTax, TaxBehavior } from '@tollgate/contract/billing-types'
import type { Selectable } from 'kysely'
import type { Id } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { isFree } from '../catalog/offered-prices.ts'
import type { DiscountedProduct, DiscountTerms } from '../discount/discount-rules.ts'
import { type ComputedOrder, computeOrder, type LinePeriod, type TaxQuote } from '../engine/compute-order.ts'
import { mayChargeLater } from '../posting/later-charges.ts'

/** Prices a checkout: pure, in whole minor units (billing contract, CHK-2 to CHK-5). */

type Discount = Pick<DiscountTerms, 'type' | 'duration' | 'amount' | 'basisPoints'>

/** Default for a custom price without a preset. */
const usualCustomAmount = 1000

/** The selected price of a product: the first that is not usage, else the first (CHK-1). */
export const selectedPrice = ({ prices }: Pick<Product, 'prices'>): ProductPrice | undefined =>
  prices.find(({ amountType }) => amountType !== 'metered_unit') ?? prices[0]

/**
 * The amount to pay now, before discounts (CHK-2). For a custom price it is the buyer's amount, else the preset. Usage
 * is billed later.
 */
export function amountOf(price: ProductPrice, said: number | null): number {
  if (price.amountType === 'fixed') return price.priceAmount
  if (price.amountType === 'custom') return said ?? price.presetAmount ?? usualCustomAmount
  return 0
}

/** The sale as a checkout has stored it: the price before discounts, and how far the discount lowers it. */
export type StoredSale = Amounts &
  Pick<Selectable<Tables['checkout']>, 'priceAmount' | 'taxBehavior' | 'currency' | 'productPriceId'>

/** The amounts of a checkout, as its row holds them. The tax is null while unknown (CHK-3). */
export type Amounts = {
  readonly amount: number
  readonly discountAmount: number
  readonly netAmount: number
  readonly taxAmount: number | null
  readonly tax: SaleTax | null
  readonly totalAmount: number
}

/** The line that a checkout charges now; usage is billed later (ORD-3). */
type Charged = {
  readonly product: Pick<Product, 'id' | 'name' | 'isTaxExempt'>
  readonly priceId: Id<'productPrice'>
  readonly priceAmount: number
  readonly currency: string
  readonly taxBehavior: TaxBehavior
}

/** Computes what a checkout costs. `discount` is what the price is lowered by, in the price's own terms. */
export function computeCharge(
  { product, priceId, priceAmount, currency, taxBehavior }: Charged,
  discount: number,
  tax: TaxQuote | undefined,
  period: LinePeriod | null = null,
  balance = 0,
): ComputedOrder {
  const line = {
    kind: 'price',
    label: product.name,
    quantity: 1,
    unitAmount: String(priceAmount),
    amount: priceAmount,
    productId: product.id,
    productPriceId: priceId,
    isTaxExempt: product.isTaxExempt,
    isDiscountable: true,
    period,
  } as const
  return computeOrder({ currency, taxBehavior, lines: [line], discountOn: () => discount, tax, balance })
}

/**
 * The price of a stored sale. Without tax in it, that is the amount: a process of an earlier version, which still runs
 * during an update, writes no other.
 */
export const storedPrice = ({ taxBehavior, priceAmount, amount }: StoredSale): number =>
  taxBehavior === 'inclusive' ? priceAmount : amount

/** How far a stored sale's discount lowers its price, in the price's own terms: with the tax if it contains it. */
export const storedDiscount = (sale: StoredSale): number =>
  storedPrice(sale) - (sale.taxBehavior === 'inclusive' ? sale.totalAmount : sale.netAmount)

/**
 * The order of a checkout: what its row says, whatever price, discount or tax has become since. `balance` is the credit
 * that pays a part.
 */
export const computeSale = (
  row: StoredSale,
  { product }: { readonly product: Charged['product'] },
  period: LinePeriod | null,
  balance: number,
): ComputedOrder =>
  computeCharge(
    { ...row, product, priceId: row.productPriceId, priceAmount: storedPrice(row) },
    storedDiscount(row),
    { taxAmount: row.taxAmount ?? 0, tax: row.tax },
    period,
    balance,
  )

/** The order that a trial begins with (SUB-25): its product at a price of 0. */
export const computeTrial = (
  row: Pick<StoredSale, 'productPriceId' | 'currency' | 'taxBehavior'>,
  { product }: { readonly product: Charged['product'] },
  period: LinePeriod | null,
): ComputedOrder =>
  computeCharge(
    { ...row, product, priceId: row.productPriceId, priceAmount: 0 },
    0,
    { taxAmount: 0, tax: null },
    period,
  )

/** What a confirmed checkout takes now; a trial takes nothing. */
export const dueNowOf = ({
  trialEnd,
  totalAmount,
}: Pick<Selectable<Tables['checkout']>, 'trialEnd' | 'totalAmount'>) => (trialEnd === null ? totalAmount : 0)

/**
 * How much of a total the customer's credit pays (SUB-30): all of it, or so much that the rest is no less than the
 * processor takes.
 */
export function creditFor(total: number, balance: number, least: number): number {
  if (balance <= 0) return 0
  return balance >= total ? total : Math.max(0, Math.min(balance, total - least))
}

/** The engine's totals as a checkout's row holds them. */
export const amountsOf = ({ totals, tax }: ComputedOrder): Amounts => ({
  amount: totals.subtotalAmount,
  discountAmount: totals.discountAmount,
  netAmount: totals.netAmount,
  taxAmount: totals.taxAmount,
  tax,
  totalAmount: totals.totalAmount,
})

/** The values of a product that discounts depend on. */
export const discounted = (
  { id, isRecurring }: Pick<Product, 'id' | 'isRecurring'>,
  prices: readonly ProductPrice[],
): DiscountedProduct => ({ id, isRecurring, isFree: isFree(prices) })

export type Flags = Pick<
  Checkout,
  | 'isFreeProductPrice'
  | 'isDiscountApplicable'
  | 'isPaymentRequired'
  | 'isPaymentSetupRequired'
  | 'isPaymentFormRequired'
>

/** What a checkout requires of its buyer (CHK-4). It saves a payment method if a later charge is possible. */
export function flagsOf(sale: {
  readonly isRecurring: boolean
  readonly prices: readonly ProductPrice[]
  readonly discount: Discount | undefined
  readonly amount: number
  readonly totalAmount: number
  /** The trial that it begins with: nothing is paid now, and a card is saved only if the seller wants one (SUB-16). */
  readonly trial?: { readonly needsCard: boolean } | undefined
}): Flags {
  const { prices, discount } = sale
  const isFreeProductPrice = isFree(prices)
  const isPaymentRequired = sale.totalAmount > 0 && !sale.trial
  const isPaymentSetupRequired =
    sale.isRecurring && mayChargeLater({ prices, amount: sale.amount, discount }) && (sale.trial?.needsCard ?? true)
  return {
    isFreeProductPrice,
    isDiscountApplicable: !isFreeProductPrice,
    isPaymentRequired,
    isPaymentSetupRequired,
    isPaymentFormRequired: isPaymentRequired || isPaymentSetupRequired,
  }
}

/** A checkout's address lines in the terms of SDK 1.0.x. The second line is never required, and optional where the first is required. */
export function addressNeedsOf(fields: AddressFields): Checkout['billingAddressFields'] {
  const need = (isWanted: boolean) => (isWanted ? 'required' : 'disabled')
  return {
    country: 'required',
    state: need(fields.state),
    line1: need(fields.line1),
    line2: fields.line1 ? 'optional' : 'disabled',
    city: need(fields.city),
    postalCode: need(fields.postalCode),
  }
}
