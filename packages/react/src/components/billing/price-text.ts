import type { ProductPrice } from '@tollgate/contract/billing-types'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { formatMoney, formatUnitPrice } from './money.ts'

export type Interval = 'month' | 'year'

type Shown<Price, Members> = Price extends unknown ? Pick<Price, Extract<keyof Price, Members>> : never

/** A price as far as it is shown, of each of its kinds. */
export type ShownPrice = Shown<
  ProductPrice,
  | 'amountType'
  | 'priceCurrency'
  | 'priceAmount'
  | 'minimumAmount'
  | 'maximumAmount'
  | 'presetAmount'
  | 'unitAmount'
  | 'capAmount'
  | 'meter'
>

/** The part of a product that its price depends on. */
export type Priced = { readonly recurringInterval: Interval | null; readonly prices: readonly ShownPrice[] }

/** Usage that is charged in addition. */
type Added = { readonly plusUsage: boolean; readonly plusTax: boolean }

/** The price that does not depend on usage, if any; a product has at most one. */
export const staticPriceOf = ({ prices }: Pick<Priced, 'prices'>): ShownPrice | undefined =>
  prices.find(({ amountType }) => amountType !== 'metered_unit')

/** Whether usage is charged afterwards. */
export const hasUsage = ({ prices }: Pick<Priced, 'prices'>): boolean =>
  prices.some(({ amountType }) => amountType === 'metered_unit')

/** Formats prices in the page's language, each in its own currency. */
export function usePriceTexts() {
  const { locale } = useTollgateContext()
  const texts = useMessages('prices')
  const t = useText()

  const money = (amount: number, currency: string): string => formatMoney(amount, currency, locale)
  const each = (amount: string, interval: Interval | null): string =>
    interval === null ? amount : t(interval === 'month' ? texts.perMonth : texts.perYear, { amount })

  /** A recurring charge with its additions: "$19.00 / month plus usage". */
  function chargeText(amount: number, currency: string, interval: Interval, added: Added): string {
    const price = each(money(amount, currency), interval)
    const withUsage = added.plusUsage ? t(texts.plusUsage, { price }) : price
    return added.plusTax ? t(texts.plusTax, { price: withUsage }) : withUsage
  }

  /** The price in one line: "$19.00 / month". */
  function priceText({ prices, recurringInterval }: Priced): string {
    const price = staticPriceOf({ prices })
    switch (price?.amountType) {
      case 'free':
        return texts.free
      case 'fixed':
        return each(money(price.priceAmount, price.priceCurrency), recurringInterval)
      case 'custom':
        return price.minimumAmount === null
          ? texts.custom
          : t(texts.customFrom, { amount: each(money(price.minimumAmount, price.priceCurrency), recurringInterval) })
      default:
        return texts.metered
    }
  }

  /** The price as the text before its amount, the amount, and the text after it: "", "$19.00", " / month". */
  function priceParts({ prices, recurringInterval }: Priced): readonly [string, string, string] {
    const price = staticPriceOf({ prices })
    if (price?.amountType !== 'fixed') return ['', priceText({ prices, recurringInterval }), '']
    const amount = money(price.priceAmount, price.priceCurrency)
    const [before = '', after = ''] = each(amount, recurringInterval).split(amount)
    return [before, amount, after]
  }

  /** Usage prices, one line per meter. */
  function meterTexts({ prices }: Pick<Priced, 'prices'>): string[] {
    return prices.flatMap((price) => {
      if (price.amountType !== 'metered_unit') return []
      const values = {
        meter: price.meter.name,
        price: formatUnitPrice(price.unitAmount, price.priceCurrency, locale),
      }
      return price.capAmount === null
        ? [t(texts.meter, values)]
        : [t(texts.meterCap, { ...values, cap: money(price.capAmount, price.priceCurrency) })]
    })
  }

  return { money, each, chargeText, priceText, priceParts, meterTexts }
}
