import type { CheckoutPublic, Product } from '@tollgate/contract/billing-types'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'

/** The trial of a checkout; a checkout that is only drawn has none. */
export type CheckoutTrial = Partial<
  Pick<CheckoutPublic, 'trialEnd' | 'activeTrialInterval' | 'activeTrialIntervalCount' | 'trialRedeemed'>
>

/**
 * A trial in words, by its length or else its end: "14 days free", or "Free until 10 December 2026". With the price that
 * follows: "14 days free, then $12.00 / month from 10 December 2026".
 */
export function useTrialText() {
  const { locale } = useTollgateContext()
  const texts = useMessages('prices')
  const t = useText()
  return (unit: Product['trialInterval'] = null, count: number | null = 0, end = '', price = ''): string => {
    const date = end && new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(end))
    if (!unit) {
      const free = t(texts.trialUntil, { date })
      return price ? `${free}, ${t(texts.later, { price })}` : free
    }
    const duration = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count ?? 0)
    const free = t(texts.trialFree, { duration })
    return price ? t(texts.trialThen, { free, price, date }) : free
  }
}
