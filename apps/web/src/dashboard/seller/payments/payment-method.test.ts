import { expect, test } from 'vitest'
import german from '../locales/payments/de.json' with { type: 'json' }
import english from '../locales/payments/en.json' with { type: 'json' }
import { declineText } from './payment-method.ts'

test.each([
  ['a known code', { declineReason: 'card_declined' }, english.declines.card_declined],
  ['another code', { declineReason: 'new_reason' }, 'From the bank.'],
  ['a code without words', { declineReason: 'new_reason', declineMessage: null }, 'new_reason'],
  ['a payment that succeeded', { status: 'succeeded' as const }, null],
])('the reason of %s', (_, given, expected) => {
  const failed = { status: 'failed' as const, declineReason: null, declineMessage: 'From the bank.' }
  expect(declineText({ ...failed, ...given })).toBe(expected)
})

test('both languages have a text for the same codes', () => {
  expect(Object.keys(german.declines)).toEqual(Object.keys(english.declines))
})
