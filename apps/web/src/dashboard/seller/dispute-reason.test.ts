import { expect, test } from 'vitest'
import { reasonText } from './dispute-reason.ts'

test.each([
  ['fraudulent', 'The holder says they did not pay it'],
  ['new_kind_of_reason', 'new kind of reason'],
  ['constructor', 'constructor'],
  [null, null],
])('the reason %j of a dispute reads %j', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
