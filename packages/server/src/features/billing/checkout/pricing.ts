import type { AddressFields } from '@tollgate/contract/billing'
import type { Checkout, Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import { type DiscountedProduct, type DiscountTerms, discountOn } from '../discount/discount-rules.ts'
import { inBody } from '../invalid.ts'
import type { TaxQuote } from '../tax/taxes.ts'

/** Prices a checkout: pure, in whole minor units (billing contract, CHK-2 to CHK-5). */

/** Price, discount and net amount. */
export type NetAmounts = { readonly amount: number; readonly discountAmount: number; readonly netAmount: number }

/** The tax is null while unknown. */
export type Amounts = NetAmounts & TaxQuote & { readonly totalAmount: number }

type Discount = Pick<DiscountTerms, 'type' | 'duration' | 'amount' | 'basisPoints'>

/** Default for a custom price without a preset. */
const usualCustomAmount = 1000
/** Maximum for a custom price without one: the contract's limit for any price. */
const mostCustomAmount = 99_999_999
/** For free prices, which have no currency. */
const usualCurrency = 'usd'

/** The selected price of a product: the first that is not usage, else the first (CHK-1). */
export const selectedPrice = ({ prices }: Pick<Product, 'prices'>): ProductPrice | undefined =>
  prices.find(({ amountType }) => amountType !== 'metered_unit') ?? prices[0]

/** The checkout's single currency: the first that a price has. A free product may have one by its usage price. */
export function currencyOf(prices: readonly ProductPrice[]): string {
  for (const price of prices) if ('priceCurrency' in price) return price.priceCurrency
  return usualCurrency
}

/**
 * The amount to pay now, before discounts (CHK-2). For a custom price it is the buyer's amount, else the preset. Usage
 * is billed later.
 */
export function amountOf(price: ProductPrice, said: number | null): number {
  if (price.amountType === 'fixed') return price.priceAmount
  if (price.amountType === 'custom') return said ?? price.presetAmount ?? usualCustomAmount
  return 0
}

/** Checks a buyer's amount; only custom prices use it (CHK-2). */
export function amountIssues(price: ProductPrice, amount: number): InputIssue[] {
  if (price.amountType !== 'custom') return []
  const least = price.minimumAmount ?? 0
  const most = price.maximumAmount ?? mostCustomAmount
  if (amount < least)
    return [inBody('amount', `Input should be greater than or equal to ${least}`, 'greater_than_equal')]
  if (amount > most) return [inBody('amount', `Input should be less than or equal to ${most}`, 'less_than_equal')]
  return []
}

/** The amounts before tax (CHK-3). */
export function netOf(amount: number, discount: Discount | undefined): NetAmounts {
  const discountAmount = discount ? discountOn(discount, amount) : 0
  return { amount, discountAmount, netAmount: amount - discountAmount }
}

/** All amounts; tax is added on top (CHK-3). */
export const withTax = ({ amount, discountAmount, netAmount }: NetAmounts, { taxAmount, tax }: TaxQuote): Amounts => ({
  amount,
  discountAmount,
  netAmount,
  taxAmount,
  tax,
  totalAmount: netAmount + (taxAmount ?? 0),
})

const isFree = (prices: readonly ProductPrice[]): boolean => prices.every(({ amountType }) => amountType === 'free')

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

/**
 * What a checkout requires of its buyer (CHK-4). It saves a payment method if a later charge is possible: not for a
 * recurring custom amount of zero, nor under a discount of 100 % forever.
 */
export function flagsOf(sale: {
  readonly isRecurring: boolean
  readonly prices: readonly ProductPrice[]
  readonly discount: Discount | undefined
  readonly amount: number
  readonly totalAmount: number
}): Flags {
  const { prices, discount } = sale
  const isFreeProductPrice = isFree(prices)
  const isMetered = prices.some(({ amountType }) => amountType === 'metered_unit')
  const isChosenNothing = sale.amount === 0 && !isMetered
  const isAlwaysAllOff =
    discount?.type === 'percentage' && discount.basisPoints === 10_000 && discount.duration === 'forever'
  const isPaymentRequired = sale.totalAmount > 0
  const isPaymentSetupRequired = sale.isRecurring && !isFreeProductPrice && !isChosenNothing && !isAlwaysAllOff
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
