import { currencyOfCountry } from '@tollgate/contract/billing'
import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { inBody } from '../invalid.ts'
import { defaultCurrencyOf } from '../merchant/merchant.repository.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import { usualCurrency } from './pricing.ts'

/** Chooses the one currency of a checkout. */

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
type Choosing = {
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

/** A change of a checkout, as far as its currency depends on it. */
export type CurrencyChange = {
  readonly row: CheckoutRow
  readonly product: Prices
  readonly isSwitched: boolean
  /** The currency that the change names; null leaves the choice to the country again. */
  readonly named: string | null | undefined
  readonly countryBefore: string | null
  readonly country: string | null
  /** Whether the buyer pays what they see, whatever country the change names. */
  readonly isConfirmed: boolean
}

type ChosenCurrency = Pick<CheckoutRow, 'currency' | 'currencyChoice'> & { readonly issue?: InputIssue }

/**
 * The currency after a change. A choice by name stays; until then the currency follows the buyer's country. Once the
 * checkout has been confirmed, it has the currency of that payment, even if the payment failed.
 */
export async function changedCurrency(
  choosing: Omit<Choosing, 'organizationId' | 'processor'>,
  { row, product, isSwitched, named, countryBefore, country, isConfirmed }: CurrencyChange,
): Promise<ChosenCurrency> {
  const { currency: before, currencyChoice, organizationId, processor } = row
  const offered = currenciesOf(product)
  const kept = { currency: before, currencyChoice }
  const isKept = !isSwitched || offered.includes(before)
  const chooseBy = (place: string | null, otherwise?: string) =>
    currencyFor({ ...choosing, organizationId, processor }, product, place, otherwise)

  if (currencyChoice === 'fixed') {
    if (typeof named === 'string' && named !== before) return { ...kept, issue: isFixed }
    return isKept ? kept : { ...kept, currency: await chooseBy(country) }
  }
  if (typeof named === 'string') {
    const isSame = !isSwitched && named === before
    if (isSame || offered.includes(named)) return { currency: named, currencyChoice: 'explicit' }
    return { currency: isKept ? before : await chooseBy(country), currencyChoice, issue: isNotOffered }
  }
  if (named === null && currencyChoice === 'explicit')
    return { currency: await chooseBy(country), currencyChoice: 'automatic' }
  if (currencyChoice === 'explicit') return isKept ? kept : { ...kept, currency: await chooseBy(country) }
  const isElsewhere = country !== countryBefore && !isConfirmed
  if (isElsewhere) return { ...kept, currency: await chooseBy(country) }
  // Without a country, the currency that the page shows is the better guess.
  return isSwitched ? { ...kept, currency: await chooseBy(country, before) } : kept
}

const isNotOffered = inBody('currency', 'The product has no price in this currency.')
const isFixed = inBody('currency', 'The currency stays, because a payment in it was attempted.')
