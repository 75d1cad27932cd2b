import { type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import * as locales from '../locales/index.ts'
import { adminErrorTexts } from './admin-error-text.ts'
import { billingErrorTexts, declineTexts } from './billing-error-text.ts'
import { callbackError, callbackErrors, errorTexts } from './error-text.ts'
import { messageGroups, messagesFor } from './messages.ts'
import { organizationErrorTexts } from './organization-error-text.ts'

const languages = Object.entries(locales)

test('the eight languages are there, each under its own tag', () => {
  expect(languages.map(([tag]) => tag).sort()).toEqual(['de', 'en', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'])
  for (const [tag, messages] of languages) expect(messages.meta.locale).toBe(tag)
})

test('the words that the product promises in English are the English ones', () => {
  expect(locales.en.common.returnToApp).toBe('Return to Application')
  expect(locales.en.errorPage.unknown).toBe('Unknown')
})

/** Above forms and beside fields, on the page of a failed redirect, in the admin area, around organizations, when buying. */
const tables = [errorTexts, callbackErrors, adminErrorTexts, organizationErrorTexts, billingErrorTexts]

/**
 * Refusals that only operators and programs meet: nothing that a person presses asks for a provider's tokens or brings a
 * processor's event, and what sellers may not do, change or give back, their dashboard says.
 */
const notForPeople = new Set<string>(
  (
    [
      'CLOCK_MOVES_FORWARD_ONLY',
      'PROVIDER_NOT_SUPPORTED',
      'TOKEN_REFRESH_NOT_SUPPORTED',
      'FAILED_TO_GET_ACCESS_TOKEN',
      'FAILED_TO_REFRESH_ACCESS_TOKEN',
      'NOT_PERMITTED',
      'INSUFFICIENT_SCOPE',
      'REFUND_AMOUNT_TOO_HIGH',
      'REFUNDED_ALREADY',
      'REVOKE_SUBSCRIPTION_BENEFITS_PROHIBITED',
      'REFUND_FAILED',
      'WEBHOOK_SIGNATURE_INVALID',
      'ALREADY_CANCELED_SUBSCRIPTION',
      'SUBSCRIPTION_NOT_ACTIVE',
      'SUBSCRIPTION_NOT_CANCELED',
      'SUBSCRIPTION_NOT_PAUSED',
      'SUBSCRIPTION_ENDED',
      'SUBSCRIPTION_CHANGE_PENDING',
      'SUBSCRIPTION_SCHEDULED',
      'PRICE_CHANGE_BEGUN',
      'SUBSCRIPTION_PAYMENT_FAILED',
      'QUOTE_CHANGED',
      'PAYMENT_METHOD_SETUP_FAILED',
      'PAYMENT_METHOD_NEEDED',
      'PAYMENT_METHOD_BUSY',
    ] satisfies ErrorName[]
  ).map((name) => errorCode(name)),
)

test('every refusal of the contract that can reach a person has a text', () => {
  const missing = (Object.keys(errors) as ErrorName[])
    .map((name) => errorCode(name))
    .filter((code) => !tables.some((table) => code in table) && !notForPeople.has(code))

  expect(missing).toEqual([])
})

test.each([
  'invalid_callback_request',
  'state_not_found',
  'no_code',
  'oauth_provider_not_found',
  'invalid_code',
  'unable_to_get_user_info',
  'email_not_found',
  'no_callback_url',
  'account_already_linked_to_different_user',
  'unable_to_link_account',
  'account_not_linked',
  'unable_to_create_user',
  'unable_to_create_session',
  'signup_disabled',
  'banned',
  'access_denied',
  'email_does_not_match',
  'failed_to_create_user',
  'EXPIRED_TOKEN',
  'internal_server_error',
  'token_expired',
  'invalid_token',
  'user_not_found',
  'unauthorized',
  'please_restart_the_process',
  'INVALID_TOKEN',
])('the code %s of a redirect has a title, a text and a way on in every language', (code) => {
  const row = callbackError(code)

  expect(row).toBeDefined()
  for (const [, { errorPage }] of languages) expect(errorPage[row!.title] && errorPage[row!.code]).toBeTruthy()
})

test('a code that is no own property of the table is unknown', () => {
  expect(callbackError('constructor')).toBeUndefined()
  expect(callbackError('__proto__')).toBeUndefined()
  expect(Object.keys(callbackErrors)).not.toContain('constructor')
})

test('a page is handed the groups that its components read, and no others', () => {
  const page = messagesFor(locales.de, 'SignIn')

  expect(Object.keys(page).sort()).toEqual([...messageGroups.SignIn].sort())
  expect(JSON.parse(JSON.stringify(page))).toEqual(page)
})

test.each([
  ['TOTAL_TOO_SMALL', 'amount_too_small'],
  ['TOTAL_TOO_LARGE', 'amount_too_large'],
] as const)('%s is no card decline, whether we or the processor find it as %s', (name, reason) => {
  const text = billingErrorTexts[errorCode(name)]
  expect(text).toBe(declineTexts[reason])
  for (const [, { billingErrors: words }] of languages) expect(words[text!]).not.toBe(words.declined)
})
