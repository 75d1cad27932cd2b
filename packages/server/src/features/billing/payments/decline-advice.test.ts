import { describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { createTestServer } from '../../../testing.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { adviceOf } from './decline-advice.ts'
import { declineMessages } from './sandbox-cards.ts'
import { declinedOf } from './stripe-answers.ts'

const codes = {
  retry:
    'approve_with_id call_issuer canceled card_declined do_not_honor generic_decline insufficient_funds no_action_taken',
  needs_customer:
    'authentication_failed authentication_not_handled authentication_required mobile_device_authentication_required ' +
    'offline_pin_required online_or_offline_pin_required incorrect_address incorrect_cvc incorrect_number incorrect_pin ' +
    'incorrect_zip invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number invalid_pin pin_try_exceeded ' +
    'card_not_supported currency_not_supported expired_card invalid_account invalid_amount lost_card ' +
    'new_account_information_available not_permitted pickup_card restricted_card service_not_allowed ' +
    'test_mode_live_card testmode_decline transaction_not_allowed unknown_confirmation_token no_payment_method',
  stop:
    'do_not_try_again fraudulent highest_risk_level merchant_blacklist revocation_of_all_authorizations ' +
    'revocation_of_authorization security_violation stolen_card stop_payment_order amount_too_large amount_too_small',
} as const

const cases = Object.entries(codes).flatMap(([kind, list]) => list.split(' ').map((code) => [code, kind] as const))

test.each(cases)('after %s the advice is %s', (code, kind) => {
  expect(adviceOf(code)).toEqual({ kind })
})

const waits: [string, number][] = [
  ['issuer_not_available', hours(1)],
  ['processing_error', hours(1)],
  ['processor_unavailable', hours(1)],
  ['reenter_transaction', hours(1)],
  ['try_again_later', hours(6)],
  ['card_velocity_exceeded', days(1)],
  ['duplicate_transaction', days(1)],
  ['withdrawal_count_limit_exceeded', days(1)],
]

test.each(waits)('after %s another attempt waits %d ms', (code, wait) => {
  expect(adviceOf(code)).toEqual({ kind: 'retry_after', wait })
})

test('every reason of the sandbox and of this server has its advice above', () => {
  const decided = [...cases, ...waits].map(([code]) => code)
  expect(Object.keys(declineMessages).filter((reason) => !decided.includes(reason))).toEqual([])
})

test.each(['something_new', '', 'constructor', '__proto__'])('an unknown code %j is tried again', (code) => {
  expect(adviceOf(code)).toEqual({ kind: 'retry' })
})

test.each([
  ['confirm_card_data', { kind: 'needs_customer' }],
  ['do_not_try_again', { kind: 'stop' }],
  ['try_again_later', { kind: 'retry_after', wait: hours(6) }],
  ['something_new', { kind: 'retry' }],
  [undefined, { kind: 'retry' }],
])('the issuer’s advice %s wins over the code', (advice_code, advice) => {
  const fault = { code: 'card_declined', decline_code: 'insufficient_funds', advice_code }
  expect(declinedOf(fault, 'pi_1')).toMatchObject({ status: 'failed', reason: 'insufficient_funds', advice })
})

test('a payment that was not confirmed needs its customer', () => {
  const fault = { code: 'payment_intent_authentication_failure' }
  expect(declinedOf(fault, 'pi_1')).toMatchObject({ advice: { kind: 'needs_customer' } })
})

describe('a failed payment keeps the advice', () => {
  test.each([
    ['insufficient_funds', declineMessages.insufficient_funds, 'retry'],
    ['expired', declineMessages.expired_card, 'needs_customer'],
  ])('of the card %s', async (card, message, advice) => {
    await using server = await createTestServer()
    const shop = await createShop(server)
    const checkout = await shop.checkout(await shop.product([fixedPrice(900)]))

    const answer = await shop.confirm(checkout, { confirmation_token_id: `ctoken_sandbox_${card}` })

    expect(answer.status).toBe(400)
    const { db } = server.tollgate.internals.ctx
    const columns = ['declineMessage', 'advice', 'retryAt'] as const
    expect(await db.selectFrom('payment').select(columns).execute()).toEqual([
      { declineMessage: message, advice, retryAt: null },
    ])
    // Only the billing engine reads it.
    const [shown] = await shop.paymentsOf(checkout)
    expect(Object.keys(shown)).not.toContain('advice')
  })
})
