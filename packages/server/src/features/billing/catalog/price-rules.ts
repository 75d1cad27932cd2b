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
}

/**
 * Returns every fault of a product's prices, kept ones included (contract, Products). At most one price is free, fixed
 * or the buyer's choice. Usage prices need a recurring product and a meter each. All prices share one currency
 * and treat tax alike. The processor must take the currency and amounts of new prices.
 */
export function checkPrices(
  prices: readonly Price[],
  product: { readonly recurringInterval: string | null },
  meterIds: ReadonlySet<string>,
  { processor, taxBehavior: usual }: PriceTerms,
): InputIssue[] {
  const issues: InputIssue[] = []
  const seen: { hasStatic: boolean; meters: Set<string>; currency?: string; taxBehavior?: string } = {
    hasStatic: false,
    meters: new Set(),
  }
  for (const [index, price] of prices.entries()) {
    const at = (path: readonly string[], msg: string, type?: string) =>
      issues.push(inBody(['prices', index, ...path], msg, type))
    if (price.amountType === 'metered_unit') {
      const meterId = price.meterId ?? ''
      if (product.recurringInterval === null) at([], 'Only recurring products can have a price by usage.')
      if (!meterIds.has(meterId)) at(['meter_id'], 'Meter does not exist.')
      if (seen.meters.has(meterId)) at(['meter_id'], 'There is another price for this meter.')
      seen.meters.add(meterId)
    } else {
      if (seen.hasStatic) at([], 'Only one price can be free, fixed or the buyer’s choice.')
      seen.hasStatic = true
    }
    if (price.amountType === 'custom') checkCustom(price, at)
    const currency = 'priceCurrency' in price ? price.priceCurrency : null
    if (currency === null) continue
    seen.currency ??= currency
    const isNew = !('productId' in price)
    const behavior = isNew ? taxBehaviorOf(price, usual) : price.taxBehavior
    seen.taxBehavior ??= behavior ?? 'exclusive'
    if ((behavior ?? 'exclusive') !== seen.taxBehavior)
      at(['tax_behavior'], 'Either all prices of a product contain their tax, or none does.')
    if (isNew && !processor.takesCurrency(currency))
      at(['price_currency'], 'No payments are taken in this currency here.')
    if (isNew) checkLeast(price, currency, processor.limitsIn(currency), at)
    if (currency !== seen.currency) at(['price_currency'], 'All prices of a product have the same currency.')
  }
  return issues
}

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
