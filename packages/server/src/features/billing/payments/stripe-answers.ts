import { stripeUnits } from '@tollgate/contract/billing'
import type Stripe from 'stripe'
import type { DisputeStatus } from '../states.ts'
import { adviceOf } from './decline-advice.ts'
import type { Attempt, DisputeTold, MethodDetails, RefundAttempt, RefundTold } from './processor.ts'
import { declineMessages } from './sandbox-cards.ts'
import type { StripePayment } from './stripe.repository.ts'
import type { Decline } from './stripe-client.ts'

/** An amount in Stripe's units. */
export const toStripe = (amount: number, currency: string): number => amount * stripeUnits(currency)

/** An amount of Stripe's in this server's units: exact, so that a fraction never equals a requested amount. */
export const fromStripe = (amount: number, currency: string): number => amount / stripeUnits(currency)

/** Stripe's object for a payment, or for keeping a card. */
export type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * The state of a payment by its intent. Undefined if nothing was tried by it: then nothing was paid. Statuses are
 * those of docs.stripe.com/payments/paymentintents/lifecycle.
 */
export function attemptOf(intent: Intent, payment: StripePayment, isTest: boolean): Attempt | undefined {
  const reference = intent.id
  const { client_secret: clientSecret } = intent
  const fault = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error
  switch (intent.status) {
    case 'succeeded':
      return succeededOf(intent, payment, isTest)
    case 'requires_action':
      return { status: 'requires_action', reference, clientSecret: clientSecret ?? undefined }
    case 'processing':
    case 'requires_capture':
      return { status: 'pending', reference }
    case 'canceled':
      return fault ? declinedOf(fault, reference) : canceledOf(reference)
    case 'requires_payment_method':
      return fault ? declinedOf(fault, reference) : undefined
    default:
      return undefined
  }
}

function succeededOf(intent: Intent, payment: StripePayment, isTest: boolean): Attempt {
  const { amount, currency } =
    intent.object === 'payment_intent'
      ? { amount: fromStripe(intent.amount_received, intent.currency), currency: intent.currency }
      : { amount: 0, currency: payment.currency }
  const method = typeof intent.payment_method === 'object' ? intent.payment_method : null
  const customer = idOf(intent.customer)
  const isKept = intent.object === 'setup_intent' || intent.setup_future_usage === 'off_session'
  const contradiction =
    intent.metadata?.payment_id !== payment.id
      ? 'payment'
      : customer !== (payment.stripeCustomer ?? undefined)
        ? 'customer'
        : intent.livemode === isTest
          ? 'mode'
          : undefined
  return {
    status: 'succeeded',
    reference: intent.id,
    amount,
    currency,
    method: methodOf(method),
    methodReference: isKept && method && customer ? `${customer} ${method.id}` : undefined,
    fingerprint: method?.card?.fingerprint ?? undefined,
    ...(contradiction && { contradiction }),
  }
}

const idOf = (given: string | { id: string } | null | undefined): string | undefined =>
  typeof given === 'string' ? given : given?.id

/** Wallets count as cards, because they hold one. Link names neither the card nor the bank that pays. */
function methodOf(method: Stripe.PaymentMethod | null | undefined): MethodDetails {
  if (method?.type === 'link') return { type: 'link' }
  const { brand = 'unknown', last4 = '', exp_month: expMonth = 0, exp_year: expYear = 0 } = method?.card ?? {}
  return { type: 'card', brand, lastFour: last4, expMonth, expYear }
}

/** A declined card, by Stripe's own reason (docs.stripe.com/declines/codes). */
export function declinedOf(fault: Decline, reference: string | undefined): Attempt & { status: 'failed' } {
  const { code, decline_code: declineCode, advice_code: issuersAdvice, message, payment_method: method } = fault
  const isUnconfirmed =
    code === 'payment_intent_authentication_failure' || code === 'setup_intent_authentication_failure'
  const reason = isUnconfirmed ? 'authentication_failed' : (declineCode ?? code ?? 'card_declined')
  return {
    status: 'failed',
    reference,
    reason,
    message: message ?? declineMessages.card_declined,
    advice: adviceOf(reason, issuersAdvice),
    method: method?.card || method?.type === 'link' ? methodOf(method) : undefined,
  }
}

export const canceledOf = (reference: string | undefined): Attempt & { status: 'failed' } =>
  notTried(reference, 'canceled', declineMessages.canceled)

/** A payment that no card was asked for. */
export const notTried = (
  reference: string | undefined,
  reason: string,
  message: string,
): Attempt & { status: 'failed' } => ({
  status: 'failed',
  reference,
  reason,
  message,
  advice: adviceOf(reason),
  method: undefined,
})

/** The state of a refund. */
export function refundAttemptOf({
  id,
  status,
  amount,
  currency,
  failure_reason: reason,
}: Stripe.Refund): RefundAttempt {
  if (status === 'succeeded') return { status, reference: id, amount: fromStripe(amount, currency), currency }
  if (status !== 'failed' && status !== 'canceled') return { status: 'pending', reference: id }
  const known = reason ?? status
  return { status, reference: id, reason: known, message: `Stripe did not give the money back (${known}).` }
}

const refundReasons: Readonly<Record<string, RefundTold['reason']>> = {
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  requested_by_customer: 'customer_request',
}

/** An unrecorded refund of one of this server's payments; the caller has expanded `payment_intent`. */
export function foreignRefundOf(refund: Stripe.Refund): RefundTold | undefined {
  const intent = typeof refund.payment_intent === 'object' ? refund.payment_intent : null
  const paymentId = intent?.metadata.payment_id
  if (paymentId === undefined) return undefined
  return {
    reference: refund.id,
    paymentId,
    amount: Math.round(fromStripe(refund.amount, refund.currency)),
    currency: refund.currency,
    reason: refundReasons[refund.reason ?? ''] ?? 'other',
    attempt: refundAttemptOf(refund),
  }
}

const disputeStatuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'early_warning',
  warning_under_review: 'early_warning',
  warning_closed: 'prevented',
  prevented: 'prevented',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

/** A dispute of one of this server's payments; the caller has expanded `payment_intent`. */
export function disputeOf(dispute: Stripe.Dispute): DisputeTold | undefined {
  const intent = typeof dispute.payment_intent === 'object' ? dispute.payment_intent : null
  const paymentId = intent?.metadata.payment_id
  const status = disputeStatuses[dispute.status]
  if (paymentId === undefined || status === undefined) return undefined
  // An answered inquiry has no deadline.
  const dueBy = dispute.status === 'warning_under_review' ? null : dispute.evidence_details.due_by
  return {
    reference: dispute.id,
    paymentId,
    status,
    reason: dispute.reason,
    amount: Math.round(fromStripe(dispute.amount, dispute.currency)),
    currency: dispute.currency,
    evidenceDueBy: dueBy === null ? null : new Date(dueBy * 1000),
  }
}
