import type { Subscription } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { comingText } from './coming-charge.ts'

const fixed = { amountType: 'fixed', priceAmount: 1900 }
const once = { duration: 'once' }
const repeating = { duration: 'repeating', durationInMonths: 3 }

test.each([
  [{ discount: once }, 'then $19.00 / month'],
  [{ discount: repeating }, 'for 2 months more, then $19.00 / month'],
  [{ discount: repeating, currentPeriodStart: '2026-03-28T10:00:00.000Z' }, 'for 1 month more, then $19.00 / month'],
  [{ discount: repeating, currentPeriodStart: '2026-04-28T10:00:00.000Z' }, 'then $19.00 / month'],
  [{ discount: { duration: 'forever' } }, undefined],
  [{ discount: null, amount: 1900 }, undefined],
  [{ discount: once, cancelAtPeriodEnd: true }, undefined],
  [{ discount: once, endedAt: '2026-03-01T10:00:00.000Z' }, undefined],
  [{ discount: once, recurringInterval: 'year' }, 'then $19.00 / year'],
  [{ discount: once, prices: [{ amountType: 'metered_unit' }, fixed] }, 'then $19.00 / month'],
  [{ discount: once, prices: [{ amountType: 'custom' }] }, undefined],
  [{ discount: null, prices: [{ amountType: 'free' }], amount: 0 }, undefined],
])('of %j the dashboard says: %s', (terms, text) => {
  const subscription = {
    amount: 1520,
    currency: 'usd',
    recurringInterval: 'month',
    prices: [fixed],
    startedAt: '2026-02-28T10:00:00.000Z',
    currentPeriodStart: '2026-02-28T10:00:00.000Z',
    ...terms,
  } as unknown as Subscription // as much of one as is looked at

  expect(comingText(subscription)).toBe(text)
})
