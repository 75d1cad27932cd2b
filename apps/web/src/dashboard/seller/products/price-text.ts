import { placesOf } from '@tollgate/contract/billing'
import type { ProductPrice } from '@tollgate/contract/billing-types'
import { language } from '../../language.ts'
import { moneyText } from '../../parts/money.tsx'
import { priceWords as words } from './products.texts.ts'

/** What a price comes to, in a few words: "$19.00 / month". */
export function priceText(price: ProductPrice): string {
  const interval = price.recurringInterval ? ` ${words.intervals[price.recurringInterval]}` : ''
  switch (price.amountType) {
    case 'free':
      return words.free
    case 'fixed':
      return moneyText(price.priceAmount, price.priceCurrency) + interval
    case 'custom':
      return (
        (price.minimumAmount ? words.from(moneyText(price.minimumAmount, price.priceCurrency)) : words.custom) +
        interval
      )
    case 'metered_unit':
      return words.each(unitText(price.unitAmount, price.priceCurrency), price.meter.name)
  }
}

/** What one unit costs, which may be less than the least coin: 0.5 cents are "$0.005". */
function unitText(unitAmount: string, currency: string): string {
  const places = placesOf(currency)
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: places,
    maximumFractionDigits: 15,
  })
  return format.format(Number(unitAmount) / 10 ** places)
}
