import type { Product } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import { type Choosing, currenciesOf, currencyFor } from '../catalog/offered-prices.ts'
import { inBody } from '../invalid.ts'
import type { CheckoutRow } from './checkout.repository.ts'

/** Chooses the one currency of a checkout. */

/** A change of a checkout, as far as its currency depends on it. */
export type CurrencyChange = {
  readonly row: CheckoutRow
  readonly product: Pick<Product, 'prices'>
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
