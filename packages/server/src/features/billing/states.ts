import { namesOf } from '../../foundation/proof/proven.ts'
import type { SubscriptionStatus } from './subscription-life.ts'

/**
 * States of billing objects and their transitions (billing contract, section 3). Repositories read the allowed
 * previous states from these tables, so no other change can happen.
 */

type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

export const checkoutTransitions = {
  open: ['confirmed', 'expired'],
  /** Open again after a failed payment, so that the buyer can retry (CHK-13). */
  confirmed: ['succeeded', 'open', 'failed'],
  succeeded: [],
  expired: [],
  failed: [],
} as const satisfies Transitions<'open' | 'confirmed' | 'succeeded' | 'expired' | 'failed'>

export const orderTransitions = {
  pending: ['paid'],
  paid: ['partially_refunded', 'refunded'],
  /** Reverts if a succeeded refund fails later (REF-5). */
  partially_refunded: ['refunded', 'paid'],
  refunded: ['partially_refunded', 'paid'],
} as const satisfies Transitions<'pending' | 'paid' | 'partially_refunded' | 'refunded'>

export const paymentTransitions = {
  pending: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
} as const satisfies Transitions<'pending' | 'succeeded' | 'failed'>

export type CheckoutStatus = keyof typeof checkoutTransitions
export type DisputeStatus = keyof typeof disputeTransitions

export const refundTransitions = {
  pending: ['succeeded', 'failed', 'canceled'],
  /** A bank may return a succeeded refund, which then no longer counts (REF-5). */
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
} as const satisfies Transitions<'pending' | 'succeeded' | 'failed' | 'canceled'>

/** A bank's decision is final. */
export const disputeTransitions = {
  early_warning: ['prevented', 'needs_response', 'under_review', 'lost', 'won'],
  needs_response: ['under_review', 'lost', 'won'],
  under_review: ['lost', 'won'],
  prevented: [],
  lost: [],
  won: [],
} as const satisfies Transitions<'prevented' | 'early_warning' | 'needs_response' | 'under_review' | 'lost' | 'won'>

/** States that may precede `next`, for conditional updates. */
export const before = <State extends string>(transitions: Transitions<State>, next: State): State[] =>
  namesOf(transitions).filter((state) => transitions[state].includes(next))

/** Subscriptions in use: paid or on trial. */
export const activeStatuses = ['active', 'trialing'] as const satisfies SubscriptionStatus[]

/** Subscriptions that are paid or to be paid (contract, 3.3: billable). */
export const billableStatuses = ['trialing', 'active', 'past_due'] as const satisfies SubscriptionStatus[]
export const isBillable = (status: string): boolean => billableStatuses.some((billable) => billable === status)
