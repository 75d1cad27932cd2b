import { days, hours } from '../../../foundation/clock.ts'
import type { Advice } from './processor.ts'

const retry: Advice = { kind: 'retry' }
const needsCustomer: Advice = { kind: 'needs_customer' }
const stop: Advice = { kind: 'stop' }
const retryAfter = (wait: number): Advice => ({ kind: 'retry_after', wait })

/**
 * What may help after a decline, by its code: those of docs.stripe.com/declines/codes, the codes that Stripe gives in
 * their place (docs.stripe.com/error-codes), and this server's own.
 */
const adviceByCode: ReadonlyMap<string, Advice> = new Map(
  Object.entries({
    // The issuer gives no reason, or one that passes.
    approve_with_id: retry,
    call_issuer: retry,
    canceled: retry,
    card_declined: retry,
    do_not_honor: retry,
    generic_decline: retry,
    insufficient_funds: retry,
    no_action_taken: retry,

    // A fault on the way, or a limit of the day.
    card_velocity_exceeded: retryAfter(days(1)),
    duplicate_transaction: retryAfter(days(1)),
    issuer_not_available: retryAfter(hours(1)),
    processing_error: retryAfter(hours(1)),
    processor_unavailable: retryAfter(hours(1)),
    reenter_transaction: retryAfter(hours(1)),
    try_again_later: retryAfter(hours(6)),
    withdrawal_count_limit_exceeded: retryAfter(days(1)),

    // The customer confirms the payment, or enters a card again.
    authentication_failed: needsCustomer,
    authentication_not_handled: needsCustomer,
    authentication_required: needsCustomer,
    mobile_device_authentication_required: needsCustomer,
    no_payment_method: needsCustomer,
    offline_pin_required: needsCustomer,
    online_or_offline_pin_required: needsCustomer,
    unknown_confirmation_token: needsCustomer,

    // The customer corrects the card's details.
    incorrect_address: needsCustomer,
    incorrect_cvc: needsCustomer,
    incorrect_number: needsCustomer,
    incorrect_pin: needsCustomer,
    incorrect_zip: needsCustomer,
    invalid_cvc: needsCustomer,
    invalid_expiry_month: needsCustomer,
    invalid_expiry_year: needsCustomer,
    invalid_number: needsCustomer,
    invalid_pin: needsCustomer,
    pin_try_exceeded: needsCustomer,

    // The customer needs another card, or has to talk to the issuer.
    card_not_supported: needsCustomer,
    currency_not_supported: needsCustomer,
    expired_card: needsCustomer,
    invalid_account: needsCustomer,
    invalid_amount: needsCustomer,
    lost_card: needsCustomer,
    new_account_information_available: needsCustomer,
    not_permitted: needsCustomer,
    pickup_card: needsCustomer,
    restricted_card: needsCustomer,
    service_not_allowed: needsCustomer,
    test_mode_live_card: needsCustomer,
    testmode_decline: needsCustomer,
    transaction_not_allowed: needsCustomer,

    // Suspected fraud, or the cardholder has revoked the consent: another attempt can cost a fee.
    do_not_try_again: stop,
    fraudulent: stop,
    highest_risk_level: stop,
    merchant_blacklist: stop,
    revocation_of_all_authorizations: stop,
    revocation_of_authorization: stop,
    security_violation: stop,
    stolen_card: stop,
    stop_payment_order: stop,

    // Another attempt would have the same amount.
    amount_too_large: stop,
    amount_too_small: stop,
  }),
)

/** Stripe's `advice_code`, which the issuer gives (docs.stripe.com/declines/card, "Retrying issuer declines"). */
const adviceOfIssuer: ReadonlyMap<string, Advice> = new Map([
  ['confirm_card_data', needsCustomer],
  ['do_not_try_again', stop],
  ['try_again_later', retryAfter(hours(6))],
])

/** The advice for a decline code; the issuer's own advice wins. An unknown code may pass, so it is tried again. */
export const adviceOf = (code: string, issuersAdvice?: string | null): Advice =>
  adviceOfIssuer.get(issuersAdvice ?? '') ?? adviceByCode.get(code) ?? retry
