import type { Checkout, Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../error.ts'
import { type DiscountedProduct, type DiscountTerms, discountOn } from '../discount/discount-rules.ts'
import { inBody } from '../invalid.ts'
import type { TaxQuote } from '../tax/taxes.ts'

/** What a checkout costs: pure, in whole minor units (billing contract, CHK-2 to CHK-5). */

/** What is asked, what is taken off it, and what is left. */
export type NetAmounts = { readonly amount: number; readonly discountAmount: number; readonly netAmount: number }

/** The tax is null as long as it is not known. */
export type Amounts = NetAmounts & TaxQuote & { readonly totalAmount: number }

type Discount = Pick<DiscountTerms, 'type' | 'duration' | 'amount' | 'basisPoints'>

/** Asked where a custom price says nothing. */
const usualCustomAmount = 1000
/** The most that a custom price takes where it names no maximum: the most that any price may be. */
const mostCustomAmount = 99_999_999
/** Of what is free: it has no currency of its own. */
const usualCurrency = 'usd'

/** What a product is bought for: its one price that is not by usage, else its first (CHK-1). */
export const selectedPrice = ({ prices }: Pick<Product, 'prices'>): ProductPrice | undefined =>
  prices.find(({ amountType }) => amountType !== 'metered_unit') ?? prices[0]

/** The one currency of a checkout: its price's, or that of what is charged by usage beside a free one. */
export function currencyOf(prices: readonly ProductPrice[]): string {
  for (const price of prices) if ('priceCurrency' in price) return price.priceCurrency
  return usualCurrency
}

/**
 * What is paid now, before any discount (CHK-2). Only a custom price asks the buyer: what they say, else what it presets.
 * Usage is paid for afterwards.
 */
export function amountOf(price: ProductPrice, said: number | null): number {
  if (price.amountType === 'fixed') return price.priceAmount
  if (price.amountType === 'custom') return said ?? price.presetAmount ?? usualCustomAmount
  return 0
}

/** What is wrong with an amount that a buyer says; nothing where the price does not ask for one (CHK-2). */
export function amountIssues(price: ProductPrice, amount: number): InputIssue[] {
  if (price.amountType !== 'custom') return []
  const least = price.minimumAmount ?? 0
  const most = price.maximumAmount ?? mostCustomAmount
  if (amount < least)
    return [inBody('amount', `Input should be greater than or equal to ${least}`, 'greater_than_equal')]
  if (amount > most) return [inBody('amount', `Input should be less than or equal to ${most}`, 'less_than_equal')]
  return []
}

/** The amounts of a checkout before tax (CHK-3). */
export function netOf(amount: number, discount: Discount | undefined): NetAmounts {
  const discountAmount = discount ? discountOn(discount, amount) : 0
  return { amount, discountAmount, netAmount: amount - discountAmount }
}

/** All amounts of a checkout; the tax comes on top (CHK-3). */
export const withTax = ({ amount, discountAmount, netAmount }: NetAmounts, { taxAmount, tax }: TaxQuote): Amounts => ({
  amount,
  discountAmount,
  netAmount,
  taxAmount,
  tax,
  totalAmount: netAmount + (taxAmount ?? 0),
})

const isFree = (prices: readonly ProductPrice[]): boolean => prices.every(({ amountType }) => amountType === 'free')

/** A product as discounts ask about it. */
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
 * What a checkout asks of its buyer (CHK-4). A payment method is kept for whatever may be charged later: not where a chosen
 * amount of nothing repeats, nor where a discount takes off everything for ever.
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

export type AddressFields = Checkout['customerBillingAddressFields']

const countriesWithStates = ['US', 'CA']

/** Which lines of an address a checkout asks for (CHK-5). */
export function addressFieldsOf(asked: {
  readonly country: string | null
  readonly requireBillingAddress: boolean
  readonly isBusinessCustomer: boolean
}): AddressFields {
  const { country } = asked
  const lines = asked.requireBillingAddress || asked.isBusinessCustomer || country === 'US'
  const state = country !== null && countriesWithStates.includes(country)
  return { country: true, state, line1: lines, line2: false, city: lines, postalCode: lines }
}

/** The same in the words of 1.0.x of the SDK; a second line is never wanted, and can be given where a first one is. */
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
