import { type PaymentLimits, placesOf } from '@tollgate/contract/billing'
import type { ParsedBillingBody, TaxBehavior } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { inBody } from '../invalid.ts'
import type { Processor } from '../payments/processor.ts'
import type { NewPriceRow, PriceRow } from './price.repository.ts'

/** A new price in a request. */
export type NewPrice = ParsedBillingBody<'createProduct'>['prices'][number]
type Price = NewPrice | PriceRow

/** What the rules of prices depend on besides the prices. */
export type PriceTerms = {
  readonly processor: Pick<Processor, 'takesCurrency' | 'limitsIn'>
  /** The organization's default for new prices. */
  readonly taxBehavior: TaxBehavior
  /** The organization's default currency; null while the first price of each product names it. */
  readonly defaultCurrency: string | null
}

/** What a currency's prices consist of. */
type PriceSet = { readonly index: number; static?: string; readonly meters: Set<string>; taxBehavior?: string }

/**
 * Returns every fault of a product's prices, kept ones included (contract, Products). In each currency at most one
 * price is free, fixed or the buyer's choice, and all treat tax alike. Usage prices need a recurring product and a
 * meter each. All currencies have the same kinds of prices, and one of several is the organization's default, if it has
 * one. The processor must take the currency and amounts of new prices.
 */
export function checkPrices(
  prices: readonly Price[],
  product: { readonly recurringInterval: string | null },
  meterIds: ReadonlySet<string>,
  { processor, taxBehavior: usual, defaultCurrency }: PriceTerms,
): InputIssue[] {
  const issues: InputIssue[] = []
  const sets = new Map<string, PriceSet>()
  // A free price has no currency and counts in each.
  const isFreeBefore = (index: number) => prices.slice(0, index).some(({ amountType }) => amountType === 'free')
  for (const [index, price] of prices.entries()) {
    const at = (path: readonly string[], msg: string, type?: string) =>
      issues.push(inBody(['prices', index, ...path], msg, type))
    const currency = currencyOf(price)
    const known = currency === null ? undefined : sets.get(currency)
    const own: PriceSet = known ?? { index, meters: new Set() }
    if (currency !== null) sets.set(currency, own)
    if (price.amountType === 'metered_unit') {
      const meterId = price.meterId ?? ''
      if (product.recurringInterval === null) at([], 'Only recurring products can have a price by usage.')
      if (!meterIds.has(meterId)) at(['meter_id'], 'Meter does not exist.')
      if (own.meters.has(meterId)) at(['meter_id'], 'There is another price for this meter.')
      own.meters.add(meterId)
    } else {
      const isSecond = currency === null ? isStatic(prices.slice(0, index)) : own.static !== undefined
      if (isSecond || isFreeBefore(index)) at([], 'Only one price can be free, fixed or the buyer’s choice.')
      own.static ??= price.amountType
    }
    if (price.amountType === 'custom') checkCustom(price, at)
    if (currency === null) continue
    const isNew = !('productId' in price)
    const behavior = isNew ? taxBehaviorOf(price, usual) : price.taxBehavior
    own.taxBehavior ??= behavior ?? 'exclusive'
    if ((behavior ?? 'exclusive') !== own.taxBehavior)
      at(['tax_behavior'], 'Either all prices of a product contain their tax, or none does.')
    if (isNew && !processor.takesCurrency(currency))
      at(['price_currency'], 'No payments are taken in this currency here.')
    if (isNew) checkLeast(price, currency, processor.limitsIn(currency), at)
  }
  return [...issues, ...checkCurrencies(sets, defaultCurrency)]
}

const isStatic = (prices: readonly Price[]): boolean => prices.some(({ amountType }) => amountType !== 'metered_unit')

/** A buyer pays the same kinds of prices in whatever currency, and one of the currencies is there for everyone else. */
function checkCurrencies(sets: ReadonlyMap<string, PriceSet>, defaultCurrency: string | null): InputIssue[] {
  const [first, ...others] = sets.values()
  if (!first || others.length === 0) return []
  const unlike = others.filter(
    ({ static: kind, meters }) =>
      kind !== first.static ||
      meters.size !== first.meters.size ||
      [...meters].some((meter) => !first.meters.has(meter)),
  )
  const issues = unlike.map(({ index }) =>
    inBody(['prices', index, 'price_currency'], 'All currencies of a product have the same kinds of prices.'),
  )
  if (defaultCurrency !== null && !sets.has(defaultCurrency)) {
    const shown = defaultCurrency.toUpperCase()
    issues.push(inBody('prices', `Prices in several currencies include the organization’s default currency, ${shown}.`))
  }
  return issues
}

/** The prices as they are stored: those in the default currency first, which a client that expects one price reads. */
export function inOrder<Each extends Price>(prices: readonly Each[], { defaultCurrency }: PriceTerms): Each[] {
  const currencies = new Set(prices.flatMap((price) => currencyOf(price) ?? []))
  if (defaultCurrency === null || currencies.size < 2) return [...prices]
  const rank = (price: Price) => Number(![null, defaultCurrency].includes(currencyOf(price)))
  return prices.toSorted((one, other) => rank(one) - rank(other))
}

/** A price's currency; null if it is free. */
const currencyOf = (price: Price): string | null => ('priceCurrency' in price ? price.priceCurrency : null)

/** Refuses amounts below the processor's minimum. */
function checkLeast(
  price: Price,
  currency: string,
  { least }: PaymentLimits,
  at: (path: readonly string[], msg: string, type: string) => void,
): void {
  const places = placesOf(currency)
  const shown = `${(least / 10 ** places).toFixed(places)} ${currency.toUpperCase()}`
  for (const [name, path] of payable) {
    const amount = name in price ? price[name as keyof Price] : null // asked just now
    if (typeof amount === 'number' && amount < least)
      at([path], `No payments below ${shown} are taken here.`, 'greater_than_equal')
  }
}

/** The amounts of a price that a payment may consist of. */
const payable = [
  ['priceAmount', 'price_amount'],
  ['minimumAmount', 'minimum_amount'],
  ['maximumAmount', 'maximum_amount'],
  ['presetAmount', 'preset_amount'],
] as const

type Amounts = Partial<Record<'minimumAmount' | 'maximumAmount' | 'presetAmount', number | null | undefined>>

/** Minimum, preset and maximum must be in this order, as far as given. */
function checkCustom(
  { minimumAmount, maximumAmount, presetAmount }: Amounts,
  at: (path: readonly string[], msg: string, type: string) => void,
): void {
  const isAbove = (amount: number | null | undefined, bound: number | null | undefined) =>
    typeof amount === 'number' && typeof bound === 'number' && amount > bound
  if (isAbove(minimumAmount, maximumAmount))
    at(['maximum_amount'], `Input should be greater than or equal to ${minimumAmount}`, 'greater_than_equal')
  if (isAbove(minimumAmount, presetAmount))
    at(['preset_amount'], `Input should be greater than or equal to ${minimumAmount}`, 'greater_than_equal')
  if (isAbove(presetAmount, maximumAmount))
    at(['preset_amount'], `Input should be less than or equal to ${maximumAmount}`, 'less_than_equal')
}

type Place = Pick<NewPriceRow, 'organizationId' | 'productId' | 'position' | 'createdAt'> & {
  /** The organization's default. */
  readonly taxBehavior: TaxBehavior
}

/** A price as it is stored. */
export function priceRow(price: NewPrice, { taxBehavior: usual, ...place }: Place): NewPriceRow {
  const taxBehavior = taxBehaviorOf(price, usual)
  const row = { id: newUuid(), ...place, isArchived: false, amountType: price.amountType, taxBehavior }
  switch (price.amountType) {
    case 'free':
      return row
    case 'fixed':
      return { ...row, priceCurrency: price.priceCurrency, priceAmount: price.priceAmount }
    case 'custom': {
      const { priceCurrency, minimumAmount = null, maximumAmount = null, presetAmount = null } = price
      return { ...row, priceCurrency, minimumAmount, maximumAmount, presetAmount }
    }
    case 'metered_unit': {
      const { priceCurrency, meterId, capAmount = null } = price
      return { ...row, priceCurrency, meterId, capAmount, unitAmount: plainDecimal(price.unitAmount) }
    }
  }
}

/** How a new price treats tax: as it says, else as the organization's new prices do. A price without amount has none. */
function taxBehaviorOf(price: NewPrice, usual: TaxBehavior): TaxBehavior | null {
  if (price.amountType === 'free') return null
  return (price.taxBehavior ?? usual) === 'inclusive' ? 'inclusive' : null
}

/** Normalizes `012.50` to `12.5`. */
export const plainDecimal = (decimal: string): string =>
  decimal.replace(/^0+(?=\d)/, '').replace(/(\.\d*?)0+$/, (_, kept: string) => (kept === '.' ? '' : kept))
