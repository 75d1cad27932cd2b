import type { Discount } from '@tollgate/contract/billing-types'
import { moneyText } from '../../parts/money.tsx'
import { discountsWords } from './discounts.texts.ts'

/** What it takes off, and for how long, in a few words. */
export function worthText({ type, amount, currency, basisPoints, duration, durationInMonths }: Discount): string {
  const off = type === 'fixed' ? moneyText(amount ?? 0, currency ?? 'usd') : `${(basisPoints ?? 0) / 100}%`
  const { worth } = discountsWords
  return duration === 'repeating' ? worth.repeating(off, durationInMonths ?? 0) : worth[duration](off)
}
