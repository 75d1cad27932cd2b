import type { BillingEventType } from '@tollgate/contract/events'
import type { SubscriptionRow } from './order/subscription.repository.ts'

export type SubscriptionStatus = SubscriptionRow['status']

type Move = {
  /** The guard: the statuses that it may begin in. In any other the move does not happen. */
  readonly from: readonly SubscriptionStatus[]
  readonly to: SubscriptionStatus
  /** What happens to orders that wait for their payment: nothing more is collected of voided ones (SUB-19). */
  readonly openOrders: 'stay' | 'are voided'
  /** Told in this order, with the subscription as it is after the move (billing contract, 3.3). */
  readonly tells: readonly Extract<BillingEventType, `subscription.${string}`>[]
  /** What the subscriber is mailed. */
  readonly mails: 'payment-failed' | 'subscription-ended' | 'subscription-paused' | 'subscription-resumed' | null
}

const live = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/**
 * The life of a subscription after its start: every change of a status is one of these moves, with its guard and its
 * effects. `incomplete` and `incomplete_expired` are statuses of the wire that nothing here begins or leaves: a
 * subscription starts once it is paid.
 */
export const subscriptionMoves = {
  /** A renewal is not paid, and the retries begin (SUB-13). */
  fallDue: {
    from: ['active', 'trialing'],
    to: 'past_due',
    openOrders: 'stay',
    tells: ['subscription.updated', 'subscription.past_due'],
    mails: 'payment-failed',
  },
  /** All open orders are paid (SUB-25). */
  recover: {
    from: ['past_due'],
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
  /** The period of a canceled subscription is over; its cancellation was told before. */
  end: {
    from: ['active', 'trialing'],
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
