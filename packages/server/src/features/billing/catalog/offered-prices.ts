import { currencyOfCountry } from '@tollgate/contract/billing'
import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { inBody } from '../invalid.ts'
import { defaultCurrencyOf } from '../merchant/merchant.repository.ts'

/** The currencies of a product, and its prices in one of them. */

/** Maximum for a custom price without one: the contract's limit for any price. */
const mostCustomAmount = 99_999_999
/** For free prices, which have no currency. */
const usualCurrency = 'usd'

/** Whether all prices of a product are free. */
export const isFree = (prices: readonly ProductPrice[]): boolean =>
  prices.every(({ amountType }) => amountType === 'free')

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

type Prices = Pick<Product, 'prices'>

/** The currencies that a product has prices in, in order; none if it is free. */
export const currenciesOf = ({ prices }: Prices): string[] => [
  ...new Set(prices.flatMap((price) => ('priceCurrency' in price ? [price.priceCurrency] : []))),
]

/** A product's prices in one currency, and those without one. */
export const pricesIn = ({ prices }: Prices, currency: string): ProductPrice[] =>
  prices.filter((price) => !('priceCurrency' in price) || price.priceCurrency === currency)

/** The prices of a product that a buyer who pays in a currency sees: in the product's first if it lacks that one. */
export function pricesShownIn(product: Prices, currency: string): ProductPrice[] {
  const offered = currenciesOf(product)
  return pricesIn(product, offered.includes(currency) ? currency : (offered[0] ?? currency))
}

/** What a choice depends on besides the product. */
export type Choosing = {
  readonly ctx: Pick<Context, 'payments'>
  readonly db: Db
  readonly organizationId: Id<'organization'>
  /** The checkout's processor; it takes payments in the currency if it takes any of the product's. */
  readonly processor: string
}

/**
 * The currency of the buyer's country if the product has prices in it, else the first of `otherwise`, the
 * organization's default, and the product's first.
 */
export async function currencyFor(
  { ctx, db, organizationId, processor }: Choosing,
  product: Prices,
  country: string | null,
  otherwise?: string,
): Promise<string> {
  const all = currenciesOf(product)
  const [first = usualCurrency] = all
  if (all.length < 2) return first
  const takes = all.filter((currency) => ctx.payments.byName(processor)?.takesCurrency(currency))
  const offered = takes.length > 0 ? takes : all
  const local = country === null ? undefined : currencyOfCountry(country)
  const wanted = [local, otherwise].find((currency) => currency !== undefined && offered.includes(currency))
  if (wanted !== undefined) return wanted
  const usual = await defaultCurrencyOf(db, organizationId)
  return usual !== null && offered.includes(usual) ? usual : (offered[0] ?? first)
}
