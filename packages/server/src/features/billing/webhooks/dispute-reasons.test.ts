import { expect, test } from 'vitest'
import { disputeReasonText } from './dispute-reasons.ts'

test.each([
  ['fraudulent', 'The cardholder says they did not make this payment'],
  ['new_kind_of_reason', 'new kind of reason'],
  ['constructor', 'constructor'],
])('the reason %j of a dispute reads %j', (reason, text) => {
  expect(disputeReasonText(reason)).toBe(text)
})
