import { expect, test } from 'vitest'
import { type AgreedCharges, comingCharges } from './coming-charges.ts'

const repeating = (durationInMonths: number) => ({ duration: 'repeating', durationInMonths }) as const
const once = { duration: 'once' } as const
const forever = { duration: 'forever' } as const

test.each<[AgreedCharges['interval'], AgreedCharges['discount'], number, object]>([
  ['month', null, 1, { next: 1900, later: 1900 }],
  ['month', once, 1, { next: 1900, later: 1900 }],
  ['month', forever, 1, { next: 1520, later: 1520 }],
  ['month', forever, 40, { next: 1520, later: 1520 }],
  ['month', repeating(1), 1, { next: 1900, later: 1900 }],
  ['month', repeating(3), 0, { next: 1520, months: 3, later: 1900 }],
  ['month', repeating(3), 1, { next: 1520, months: 2, later: 1900 }],
  ['month', repeating(3), 2, { next: 1520, months: 1, later: 1900 }],
  ['month', repeating(3), 3, { next: 1900, later: 1900 }],
  ['month', repeating(3), 9, { next: 1900, later: 1900 }],
  ['year', once, 1, { next: 1900, later: 1900 }],
  ['year', repeating(12), 1, { next: 1900, later: 1900 }],
  ['year', repeating(13), 1, { next: 1520, months: 12, later: 1900 }],
  ['year', repeating(24), 1, { next: 1520, months: 12, later: 1900 }],
  ['year', repeating(24), 2, { next: 1900, later: 1900 }],
])('every %s with %j, after %i periods: %j', (interval, discount, paid, coming) => {
  const netAmount = discount === null ? 1900 : 1520
  expect(comingCharges({ interval, amount: 1900, netAmount, discount }, paid)).toEqual(coming)
})

test('no renewal follows for free orders, or ones that are free for good', () => {
  expect(comingCharges({ interval: 'month', amount: 0, netAmount: 0, discount: null })).toBeUndefined()
  expect(comingCharges({ interval: 'month', amount: 1900, netAmount: 0, discount: forever })).toBeUndefined()
  expect(comingCharges({ interval: 'month', amount: 1900, netAmount: 0, discount: repeating(2) })).toEqual({
    next: 0,
    months: 1,
    later: 1900,
  })
})
