import type { BillingEventType } from '@tollgate/contract/events'
import type { Selectable } from 'kysely'
import type { Tables } from '../../foundation/db/tables.ts'
import { namesOf } from '../../foundation/proof/proven.ts'

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

/** Subscriptions that are charged now: their price is recurring revenue. */
export const chargedStatuses = ['active', 'past_due'] as const satisfies SubscriptionStatus[]

/** Subscriptions that are paid or to be paid (contract, 3.3: billable). */
export const billableStatuses = ['trialing', 'active', 'past_due'] as const satisfies SubscriptionStatus[]

/** Subscriptions whose change can be paid: they stand, or their first payment begins them. */
export const payableStatuses = ['active', 'incomplete'] as const satisfies SubscriptionStatus[]
export const isPayable = (status: string): boolean => payableStatuses.some((payable) => payable === status)

export const isBillable = (status: string): boolean => billableStatuses.some((billable) => billable === status)

export type SubscriptionStatus = Selectable<Tables['subscription']>['status']

type Move = {
  /** The guard: the statuses that it may begin in. In any other the move does not happen. */
  readonly from: readonly SubscriptionStatus[]
  readonly to: SubscriptionStatus
  /** What happens to orders that wait for their payment: nothing more is collected of voided ones (SUB-19). */
  readonly openOrders: 'stay' | 'are voided'
  /** Told in this order, with the subscription as it is after the move (billing contract, 3.3). */
  readonly tells: readonly Extract<BillingEventType, `subscription.${string}`>[]
  /** What the subscriber is mailed. */
  readonly mails:
    | 'payment-failed'
    | 'subscription-ended'
    | 'subscription-recovered'
    | 'subscription-paused'
    | 'subscription-resumed'
    | null
}

const live = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/**
 * The life of a subscription after its start: every change of a status is one of these moves, with its guard and its
 * effects. One that begins without a checkout is `incomplete` until its first payment; others start once they are paid.
 */
export const subscriptionMoves = {
  /** The first payment has succeeded: only then is the subscription told of. */
  begin: {
    from: ['incomplete'],
    to: 'active',
    openOrders: 'stay',
    tells: ['subscription.created', 'subscription.active', 'subscription.updated'],
    mails: null,
  },
  /** The first payment has failed, or was not made in time. */
  expire: { from: ['incomplete'], to: 'incomplete_expired', openOrders: 'stay', tells: [], mails: null },
  /**
   * A renewal is not paid, or an invoice is overdue: the retries begin, or the reminders in their place, whose mail is
   * `invoice-overdue` (SUB-13).
   */
  fallDue: {
    from: ['active', 'trialing'],
    to: 'past_due',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.past_due'],
    mails: 'payment-failed',
  },
  /** All open orders are paid or voided, but for invoices that are not overdue (SUB-25). */
  recover: {
    from: ['past_due'],
    to: 'active',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.active'],
    mails: 'subscription-recovered',
  },
  /** A free subscription is upgraded to a product with a trial (CHK-17, SUB-25). */
  beginTrial: {
    from: ['active', 'trialing', 'past_due'],
    to: 'trialing',
    openOrders: 'stay',
    tells: ['subscription.updated'],
    mails: null,
  },
  /** The first period after a trial begins (SUB-25). */
  endTrial: {
    from: ['trialing'],
    to: 'active',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.active'],
    mails: null,
  },
  /** Now, or at the end of the period (SUB-26). */
  pause: {
    from: ['active'],
    to: 'paused',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.paused'],
    mails: 'subscription-paused',
  },
  /** By call, or when the pause is over (SUB-26). */
  resume: {
    from: ['paused'],
    to: 'active',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.resumed', 'subscription.active'],
    mails: 'subscription-resumed',
  },
  /** The period of a canceled subscription is over, or its grace (SUB-19); its cancellation was told before. */
  end: {
    from: ['active', 'trialing', 'past_due'],
    to: 'canceled',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.revoked'],
    mails: null,
  },
  /** At once, by the seller or the customer (SUB-1). */
  revoke: {
    from: live,
    to: 'canceled',
    openOrders: 'are voided',
    tells: ['subscription.updated', 'subscription.canceled', 'subscription.revoked'],
    mails: null,
  },
  /** The last retry has failed (SUB-13). */
  endUnpaid: {
    from: ['past_due'],
    to: 'canceled',
    openOrders: 'are voided',
    tells: ['subscription.updated', 'subscription.canceled', 'subscription.revoked'],
    mails: 'subscription-ended',
  },
} as const satisfies Record<string, Move>

export type SubscriptionMove = keyof typeof subscriptionMoves
