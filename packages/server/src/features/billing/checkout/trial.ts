import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import { type TrialOffer, trialEndAt } from '../engine/trial.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import { isFree } from './pricing.ts'

/** The trial that a purchase begins with. */
export type CheckoutTrial = Pick<TrialOffer, 'trialInterval' | 'trialIntervalCount'> & {
  readonly end: Date
  /** Whether the buyer gives a card, which the first period then charges. */
  readonly needsCard: boolean
}

/** What a checkout's trial depends on. */
export type TrialTerms = Pick<
  CheckoutRow,
  | 'status'
  | 'amount'
  | 'allowTrial'
  | 'trialInterval'
  | 'trialIntervalCount'
  | 'trialUntil'
  | 'trialCardRequired'
  | 'trialEnd'
>

type TrialSale = {
  readonly product: Pick<
    Product,
    'isRecurring' | 'trialInterval' | 'trialIntervalCount' | 'trialUntil' | 'trialCardRequired'
  >
  readonly prices: readonly ProductPrice[]
}

/**
 * The trial of a purchase (SUB-16): the checkout's own, else its product's, from now on while the checkout is open, and
 * as it was confirmed after that. A purchase that never costs anything has none.
 */
export function trialOf(row: TrialTerms, { product, prices }: TrialSale, now: Date): CheckoutTrial | undefined {
  const offer = offerOf(row, product)
  const end = row.status === 'open' ? (row.allowTrial ? trialEndAt(offer, now) : undefined) : row.trialEnd
  const isMetered = prices.some(({ amountType }) => amountType === 'metered_unit')
  const isForNothing = isFree(prices) || (row.amount === 0 && !isMetered)
  if (!end || !product.isRecurring || isForNothing) return undefined
  const { trialInterval, trialIntervalCount } = offer
  return { trialInterval, trialIntervalCount, end, needsCard: row.trialCardRequired ?? product.trialCardRequired }
}

function offerOf(row: TrialTerms, product: TrialSale['product']): TrialOffer {
  if (row.trialInterval !== null || row.trialUntil !== null) return row
  const { trialInterval, trialIntervalCount, trialUntil } = product
  return { trialInterval, trialIntervalCount, trialUntil: trialUntil === null ? null : new Date(trialUntil) }
}
