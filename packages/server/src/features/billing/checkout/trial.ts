import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import { isFree } from '../catalog/offered-prices.ts'
import type { CustomerRow } from '../customer/customer.repository.ts'
import { type TrialOffer, trialEndAt } from '../engine/trial.ts'
import type { TrialBuyer } from '../posting/trial-guard.service.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { ActingBuyer } from './checkout-buyer.ts'

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

type TrialCheckout = Pick<
  CheckoutRow,
  'organizationId' | 'customerId' | 'customerEmail' | 'userId' | 'buyerOrganizationId'
>

/** All that identifies the buyer who confirms a checkout. */
export const trialBuyerOf = (
  { organizationId, customerEmail, userId, buyerOrganizationId }: TrialCheckout,
  who: {
    readonly customer: CustomerRow
    readonly account: ActingBuyer['account']
    readonly card: string | undefined
  },
): TrialBuyer => ({
  organizationId,
  customerId: who.customer.id,
  emails: [who.customer.email, customerEmail, who.account?.provenEmail],
  userId: who.account?.userId ?? userId ?? who.customer.userId,
  buyerOrganizationId: buyerOrganizationId ?? who.customer.buyerOrganizationId,
  card: who.card,
})

/**
 * What is known of a buyer before they confirm: the customer that the seller named, or the signed-in account. A typed
 * address tells nothing here, because anyone could ask for any address.
 */
export const knownTrialBuyer = (checkout: TrialCheckout, account: ActingBuyer['account']): TrialBuyer => ({
  organizationId: checkout.organizationId,
  customerId: checkout.customerId,
  emails: [checkout.customerId === null ? null : checkout.customerEmail, account?.provenEmail],
  userId: account?.userId,
  buyerOrganizationId: checkout.buyerOrganizationId ?? organizationOf(account, checkout.organizationId),
  card: null,
})

/** The organization that the account buys for; a seller does not buy from itself. */
const organizationOf = (account: ActingBuyer['account'], sellerId: CheckoutRow['organizationId']) =>
  account && account.organizationId !== sellerId ? account.organizationId : null
