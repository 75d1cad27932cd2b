/**
 * The states of what is bought and sold, and which may follow which (billing contract, section 3). A change that is not
 * here does not happen: repositories take the states that a row may be in from these tables.
 */

type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

export const checkoutTransitions = {
  open: ['confirmed', 'expired'],
  /** Back to open when the payment fails: the same checkout may be confirmed again (CHK-13). */
  confirmed: ['succeeded', 'open', 'failed'],
  succeeded: [],
  expired: [],
  failed: [],
} as const satisfies Transitions<'open' | 'confirmed' | 'succeeded' | 'expired' | 'failed'>

export const orderTransitions = {
  pending: ['paid'],
  paid: ['partially_refunded', 'refunded'],
  /** Back where a refund that had succeeded fails later (REF-5). */
  partially_refunded: ['refunded', 'paid'],
  refunded: ['partially_refunded', 'paid'],
} as const satisfies Transitions<'pending' | 'paid' | 'partially_refunded' | 'refunded'>

export const paymentTransitions = {
  pending: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
} as const satisfies Transitions<'pending' | 'succeeded' | 'failed'>

export const subscriptionTransitions = {
  incomplete: ['active', 'incomplete_expired'],
  incomplete_expired: [],
  trialing: ['active', 'past_due', 'canceled'],
  active: ['past_due', 'canceled', 'unpaid'],
  past_due: ['active', 'canceled', 'unpaid'],
  unpaid: ['active', 'canceled'],
  canceled: [],
} as const satisfies Transitions<
  'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled'
>

export type CheckoutStatus = keyof typeof checkoutTransitions
export type OrderStatus = keyof typeof orderTransitions
export type RefundStatus = keyof typeof refundTransitions
export type DisputeStatus = keyof typeof disputeTransitions
export type PaymentStatus = keyof typeof paymentTransitions
export type SubscriptionStatus = keyof typeof subscriptionTransitions

export const refundTransitions = {
  pending: ['succeeded', 'failed', 'canceled'],
  /** A bank may send back what had gone out: then it counts no more (REF-5). */
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
} as const satisfies Transitions<'pending' | 'succeeded' | 'failed' | 'canceled'>

/** A bank's decision stands; what it asked for before it does not come back. */
export const disputeTransitions = {
  early_warning: ['prevented', 'needs_response', 'under_review', 'lost', 'won'],
  needs_response: ['under_review', 'lost', 'won'],
  under_review: ['lost', 'won'],
  prevented: [],
  lost: [],
  won: [],
} as const satisfies Transitions<'prevented' | 'early_warning' | 'needs_response' | 'under_review' | 'lost' | 'won'>

/** The states from which another one can be reached: what a conditional update asks for. */
export const before = <State extends string>(transitions: Transitions<State>, next: State): State[] =>
  (Object.keys(transitions) as State[]).filter((state) => transitions[state].includes(next))

/** Subscriptions that are used now, and are paid for or tried. */
export const activeStatuses = ['active', 'trialing'] as const satisfies SubscriptionStatus[]

/** Subscriptions that are there and are paid for, or will be (contract, 3.3: billable). */
export const billableStatuses = ['trialing', 'active', 'past_due'] as const satisfies SubscriptionStatus[]
export const isBillable = (status: string): boolean => (billableStatuses as readonly string[]).includes(status)
