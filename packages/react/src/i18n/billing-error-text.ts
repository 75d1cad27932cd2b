import type { Messages } from './messages.ts'

type Text = keyof Messages['billingErrors']

/**
 * What a buyer reads for each refusal of the calls that the pages of billing make, by its code on the wire. What is refused
 * to sellers is told by the dashboard.
 */
export const billingErrorTexts: Readonly<Record<string, Text>> = {
  RequestValidationError: 'checkAll',
  ResourceNotFound: 'checkoutGone',
  NotOpenCheckout: 'checkoutNotOpen',
  OrderNotDue: 'notDue',
  ExpiredCheckoutError: 'checkoutExpired',
  AlreadyActiveSubscriptionError: 'alreadySubscribed',
  TrialAlreadyRedeemed: 'trialRedeemed',
  OrganizationNotApproved: 'notSelling',
  PaymentError: 'declined',
  TotalTooSmall: 'totalTooSmall',
  TotalTooLarge: 'totalTooLarge',
  IdempotencyKeyReused: 'sentTwice',
  IdempotencyKeyInUse: 'sentTwice',
  IdempotencyAnswerLost: 'sentTwice',
}

/** What is wrong with a card before anybody is asked for money, by the processor's code. */
export const cardTexts: Readonly<Record<string, Text>> = {
  incomplete: 'cardIncomplete',
  incorrect_number: 'cardIncomplete',
  invalid_number: 'cardIncomplete',
  incorrect_cvc: 'cardCodeInvalid',
  invalid_cvc: 'cardCodeInvalid',
  invalid_expiry_month: 'cardExpiryInvalid',
  invalid_expiry_year: 'cardExpiryInvalid',
}

/** Why a payment was declined, by the processor's code; every other reason reads as `declined`. */
export const declineTexts: Readonly<Record<string, Text>> = {
  card_declined: 'declined',
  insufficient_funds: 'declinedFunds',
  expired_card: 'declinedExpired',
  amount_too_small: 'totalTooSmall',
  amount_too_large: 'totalTooLarge',
  authentication_failed: 'declinedAuthentication',
  authentication_required: 'declinedAuthentication',
  incorrect_cvc: 'cardCodeInvalid',
  invalid_cvc: 'cardCodeInvalid',
  incorrect_number: 'cardIncomplete',
  invalid_number: 'cardIncomplete',
  invalid_expiry_month: 'cardExpiryInvalid',
  invalid_expiry_year: 'cardExpiryInvalid',
  card_velocity_exceeded: 'declinedLater',
  issuer_not_available: 'declinedLater',
  processing_error: 'declinedLater',
  processor_unavailable: 'declinedLater',
  reenter_transaction: 'declinedLater',
  try_again_later: 'declinedLater',
  withdrawal_count_limit_exceeded: 'declinedLater',
  card_not_supported: 'declinedUnsupported',
  currency_not_supported: 'declinedUnsupported',
  not_permitted: 'declinedUnsupported',
  service_not_allowed: 'declinedUnsupported',
  transaction_not_allowed: 'declinedUnsupported',
}
