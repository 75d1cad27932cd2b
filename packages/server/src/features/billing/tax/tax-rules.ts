import type { SaleTax, TaxBehavior, TaxRegistration } from '@tollgate/contract/billing-types'
import {
  countriesByState,
  countryRates,
  outsideUnion,
  type Rate,
  reverseChargeNumbers,
  type StateRate,
  stateRates,
  taxedAtHome,
  taxingCountry,
  unionRates,
} from '../../../foundation/tax/rates.ts'
import type { TaxId } from '../customer/tax-id.ts'
import type { TaxRequestLine } from '../engine/compute-order.ts'
import { divideRounded, split } from '../money.ts'

/** Calculates the tax on a sale from registrations and a table of standard rates: pure, in whole minor units. */

/** The input of a tax calculation. */
export type TaxAsked = {
  readonly seller: {
    /** The seller's country. If null, no buyer counts as abroad. */
    readonly country: string | null
    /** Where the seller collects tax. */
    readonly registrations: readonly TaxRegistration[]
  }
  readonly buyer: {
    readonly country: string
    /** In the form of addresses: `US-CA`. */
    readonly state: string | null
    readonly city: string | null
    readonly postalCode: string | null
    readonly line1: string | null
    readonly isBusiness: boolean
    /** A tax number that the country issues and that is valid by its form; else null. */
    readonly taxId: TaxId | null
  }
  /** Net of discounts. */
  readonly lines: readonly TaxRequestLine[]
  readonly currency: string
  /** Whether the lines contain the tax (SUB-34). */
  readonly taxBehavior: TaxBehavior
}

type Line = SaleTax['lines'][number]

/** The tax on a sale; undefined if it depends on the buyer's state, and that is unknown. */
export function taxByTable(given: TaxAsked): SaleTax | undefined {
  const asked = withTaxingCountries(given)
  const { seller, buyer, lines } = asked
  if (isOutsideUnion(asked)) return untaxed('not_registered')
  const taxable = lines.filter(({ isTaxExempt }) => !isTaxExempt)
  const taxableAmount = taxable.reduce((sum, { amount }) => sum + amount, 0)
  const own = seller.registrations.filter(({ country }) => country === buyer.country)
  if (own.length === 0 && !isWithinUnion(asked)) return untaxed('not_registered')
  if (taxable.length === 0) return untaxed('exempt')
  if (isReverseCharge(asked)) return untaxed('reverse_charge')
  if (own.length === 0) return untaxed('not_registered')
  if (buyer.state === null && differsByState(buyer.country, own)) return undefined

  const rates = ratesFor(own, buyer)
  if (!rates) return untaxed('not_registered')
  const shown = rates.filter(isSomething)
  const taxes =
    asked.taxBehavior === 'inclusive'
      ? linesWithin(shown, buyer, taxableAmount)
      : shown.map((rate) => lineOf(rate, buyer, taxableAmount))
  return { treatment: 'taxed', lines: taxes }
}

/**
 * The taxes that an amount contains: their sum is rounded once, so that what is paid stays the price, and then split by
 * their rates.
 */
function linesWithin(rates: readonly StateLine[], place: Place, grossAmount: number): Line[] {
  const parts = rates.map(({ percent }) => partsOf(percent))
  const whole = parts.reduce((sum, part) => sum + part, 0n)
  const taxAmount = Number(divideRounded(BigInt(grossAmount) * whole, hundredPercent + whole))
  const amounts = split(taxAmount, parts.map(Number))
  return rates.map((rate, at) => ({
    ...lineOf(rate, place, grossAmount - taxAmount),
    amount: amounts[at]!, // one for each
  }))
}

/** An untaxed sale, with the reason. */
const untaxed = (treatment: SaleTax['treatment']): SaleTax => ({ treatment, lines: [] })

/** The total of a sale's taxes. */
export const sumOf = ({ lines }: SaleTax): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/** The country that gets the tax: France for a sale to Monaco, unless the seller is registered in Monaco itself. */
function withTaxingCountries(asked: TaxAsked): TaxAsked {
  const { seller, buyer } = asked
  const isNamed = seller.registrations.some(({ country }) => country === buyer.country)
  return {
    ...asked,
    seller: { ...seller, country: seller.country === null ? null : taxingCountry(seller.country) },
    buyer: isNamed ? buyer : { ...buyer, country: taxingCountry(buyer.country) },
  }
}

/**
 * Whether the buyer is in a part of a member state where EU VAT is not due. Only a whole postal code proves it: with a
 * partial one or none, the buyer pays as others in the country do.
 */
function isOutsideUnion({ seller, buyer }: TaxAsked): boolean {
  const { country, postalCode } = buyer
  if (postalCode === null || !Object.hasOwn(outsideUnion, country)) return false
  if (taxedAtHome.has(country) && seller.country === country) return false
  return outsideUnion[country]!.test(plainPostalCode(postalCode))
}

/** `D-27498` and `630 86`, reduced to the digits. */
const plainPostalCode = (given: string): string => given.replace(/^\s*[A-Za-z]{1,2}[\s-]+|\s/g, '')

const isUnion = (country: string | null): boolean => country !== null && Object.hasOwn(unionRates, country)

/**
 * From one EU member state to another, the invoice to a business says that the buyer owes the tax. This holds whether
 * or not the seller collects tax from consumers in that state (directive 2006/112/EC, articles 196 and 226).
 */
const isWithinUnion = ({ seller, buyer }: TaxAsked): boolean =>
  isUnion(seller.country) &&
  isUnion(buyer.country) &&
  seller.country !== buyer.country &&
  seller.registrations.some(({ country }) => isUnion(country))

/** Whether the buyer owes the tax itself: a business abroad, proven by its tax number. */
const isReverseCharge = ({ seller, buyer }: TaxAsked): boolean =>
  buyer.isBusiness &&
  seller.country !== null &&
  seller.country !== buyer.country &&
  buyer.taxId !== null &&
  reverseChargeNumbers[buyer.country] === buyer.taxId[1]

/** A single percentage for the whole country needs no state. */
const differsByState = (country: string, own: readonly TaxRegistration[]): boolean =>
  countriesByState.has(country) && !own.every(({ state, percent }) => state === undefined && percent !== undefined)

type Place = { readonly country: string; readonly state: string | null }
type StateLine = Rate & { readonly state: string | null }

/** The taxes that a seller collects at a place; undefined if it collects none there. */
function ratesFor(own: readonly TaxRegistration[], { country, state }: Place): StateLine[] | undefined {
  const whole = own.find((registration) => registration.state === undefined)
  const here = own.find((registration) => registration.state !== undefined && registration.state === state)
  const local = rateOfState(country, state)
  const national = countryRates[country]
  if (!local?.isBeside) {
    const registration = here ?? whole
    if (!registration) return undefined
    const isOfState = countriesByState.has(country) && (local !== undefined || here !== undefined)
    return rateOf(registration, local ?? national, isOfState ? state : null, country)
  }
  if (!here && !whole) return undefined
  return [
    ...(whole ? rateOf(whole, national, null, country) : []),
    ...(here ? rateOf(here, local, state, country) : []),
  ]
}

/** Null for a state of another country, in case an address mixes the two: the country decides. */
const rateOfState = (country: string, state: string | null): StateRate | undefined =>
  state !== null && countriesByState.has(country) && state.startsWith(`${country}-`) && Object.hasOwn(stateRates, state)
    ? stateRates[state]
    : undefined

/** A registration's own percentage, else that of the table; null if no such tax exists there. */
function rateOf(
  { percent }: TaxRegistration,
  rate: Rate | undefined,
  state: string | null,
  country: string,
): StateLine[] {
  const shown = percent ?? rate?.percent
  const name = rate?.name ?? (country === 'US' ? 'Sales tax' : 'VAT')
  return shown === undefined ? [] : [{ name, percent: shown, state }]
}

const lineOf = ({ name, percent, state }: StateLine, { country }: Place, taxableAmount: number): Line => ({
  name,
  country,
  state,
  percent,
  taxableAmount,
  amount: percentOf(taxableAmount, percent),
})

/** A tax of zero is left out. */
const isSomething = ({ percent }: Rate): boolean => Number(percent) !== 0

const places = 4

const hundredPercent = 100n * 10n ** BigInt(places)

/** A decimal percentage such as `8.875` as a whole number of its smallest parts. */
function partsOf(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** A share of an amount by a decimal percentage, rounded once. */
export const percentOf = (amount: number, percent: string): number =>
  Number(divideRounded(BigInt(amount) * partsOf(percent), hundredPercent))
