import { placesOf } from '@tollgate/contract/billing'
import type { ProductPrice } from '@tollgate/contract/billing-types'
import { moneyText } from '../../parts/money.tsx'

const words = {
  free: 'Free',
  custom: 'Pay what you want',
  from: (amount: string) => `From ${amount}`,
  each: (amount: string, unit: string) => `${amount} per unit of ${unit}`,
  intervals: { month: '/ month', year: '/ year' },
}

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
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: places,
    maximumFractionDigits: 15,
  })
  return format.format(Number(unitAmount) / 10 ** places)
}
