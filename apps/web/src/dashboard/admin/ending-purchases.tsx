import type { Answer } from '@tollgate/contract/types'
import { moneyText } from '../parts/money.tsx'
import { endingPurchases as words } from './texts.ts'

type Purchases = Answer<'adminPreviewUserRemoval'>['purchases']

/** Maximum number of subscriptions that a dialog names. */
const mostNamed = 5

/** What a deletion ends of purchases: a line each for subscriptions, open payments and saved cards. */
export function EndingPurchases({ purchases }: { purchases: Purchases | undefined }) {
  if (!purchases) return null
  const { subscriptions, subscriptionCount, voided, due, paymentMethodCount } = purchases
  const named = subscriptions.slice(0, mostNamed)
  const further = subscriptionCount - named.length
  const names = named.map(({ product, seller }) => words.named(product, seller))
  const amounts = (open: Purchases['due']) => open.map(({ amount, currency }) => moneyText(amount, currency))
  const lines = [
    ...(subscriptionCount > 0
      ? [words.subscriptions(subscriptionCount, further > 0 ? [...names, words.further(further)] : names)]
      : []),
    ...(voided.length > 0 ? [words.voided(amounts(voided))] : []),
    ...(due.length > 0 ? [words.due(amounts(due))] : []),
    ...(paymentMethodCount > 0 ? [words.cards(paymentMethodCount)] : []),
  ]
  return lines.map((line) => (
    <span className="block" key={line}>
      {line}
    </span>
  ))
}
