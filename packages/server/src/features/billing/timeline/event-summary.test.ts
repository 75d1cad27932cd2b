import { expect, test } from 'vitest'
import { summaryOf } from './event-summary.ts'

test('what is sold has its units where there are several', () => {
  const of = (quantity: number) =>
    summaryOf('subscription.updated', JSON.stringify({ quantity, product: { name: 'Team' } })).product

  expect([of(1), of(3)]).toEqual(['Team', '3 × Team'])
})

test.each([
  ['order.paid', { total_amount: 5831, amount: 4900, net_amount: 4900, tax_amount: 931 }, 5831],
  ['order.refunded', { total_amount: 5831, refunded_amount: 4900, refunded_tax_amount: 931 }, 5831],
  ['refund.created', { amount: 3900, tax_amount: 741 }, 4641],
  ['dispute.created', { amount: 4900, tax_amount: 931 }, 5831],
  ['checkout.created', { total_amount: null, amount: 4900 }, 4900],
  ['subscription.created', { amount: 4900 }, 4900],
  ['customer.created', {}, undefined],
])('%s of %j includes the tax', (type, payload, amount) => {
  expect(summaryOf(type, JSON.stringify(payload)).amount).toBe(amount)
})
