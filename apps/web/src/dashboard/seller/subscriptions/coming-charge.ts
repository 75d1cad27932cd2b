import { type ComingCharges, comingCharges } from '@tollgate/contract/billing'
import type { Subscription } from '@tollgate/contract/billing-types'
import { moneyText } from '../../parts/money.tsx'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

type Charged = Pick<
  Subscription,
  | 'amount'
  | 'currency'
  | 'prices'
  | 'discount'
  | 'recurringInterval'
  | 'startedAt'
  | 'currentPeriodStart'
  | 'cancelAtPeriodEnd'
  | 'endedAt'
>

/**
 * The price of a subscription's coming periods without usage. If the buyer chose the amount, only the first order has
 * it before the discount: the current charge stands for the later ones.
 */
function chargesOf(subscription: Charged): ComingCharges | undefined {
  const { amount, prices, discount, recurringInterval: interval, startedAt, currentPeriodStart } = subscription
  const price = prices.find(({ amountType }) => amountType !== 'metered_unit')
  const full = price?.amountType === 'fixed' ? price.priceAmount : amount
  const periodsPaid =
    1 + Math.floor(monthsBetween(startedAt ?? currentPeriodStart, currentPeriodStart) / monthsOf[interval])
  return comingCharges({ interval, amount: full, netAmount: amount, discount }, periodsPaid)
}

/** What follows the amount of now, where that is another one: "then $19.00 / month"; nothing where it stays or
 * ends. */
export function comingText(subscription: Charged): string | undefined {
  const { amount, currency, recurringInterval, cancelAtPeriodEnd, endedAt } = subscription
  if (cancelAtPeriodEnd || endedAt) return undefined
  const charges = chargesOf(subscription)
  if (!charges || (charges.next === amount && charges.later === amount)) return undefined
  const later = `${moneyText(charges.later, currency)} ${words.per[recurringInterval]}`
  return charges.months === undefined ? words.coming.next(later) : words.coming.after(charges.months, later)
}

const monthsOf = { month: 1, year: 12 }

/** Whole months from one time to another, whatever their hours. */
function monthsBetween(from: string, until: string): number {
  const [start, end] = [new Date(from), new Date(until)]
  // A period that began on the 31st goes on on the 28th: days are no matter of their own.
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
}
