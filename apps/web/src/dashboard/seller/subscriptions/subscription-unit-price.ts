import { placesOf } from '@tollgate/contract/billing'
import { language } from '../../language.ts'

/**
 * What a unit of usage costs: minor units with up to twelve decimals (billing contract, section 1), as people write it, with
 * all its decimals: 0.5 of usd is "$0.005".
 */
export function unitPriceText(unitAmount: string, currency: string): string {
  const style = { style: 'currency', currency: currency.toUpperCase() } as const
  const places = placesOf(currency)
  // Moved in the text: as a number, ten to the power of minus fourteen would lose its last digits.
  return new Intl.NumberFormat(language, {
    ...style,
    minimumFractionDigits: places,
    maximumFractionDigits: places + 12,
  }).format(
    `${unitAmount}e-${places}` as `${number}`, // a decimal of the contract, which Intl reads exactly
  )
}
