import { expect, test } from 'vitest'
import { effectOf, leftToRefund } from './refund-effect.ts'

const order = { paid: true, netAmount: 1000, taxAmount: 190, refundedAmount: 300, refundedTaxAmount: 57 }
const refund = (status: 'pending' | 'succeeded' | 'failed', amount: number, taxAmount: number) => ({
  status,
  amount,
  taxAmount,
})

test('what is on its way is not left, what has failed is', () => {
  const refunds = [refund('succeeded', 300, 57), refund('pending', 100, 19), refund('failed', 500, 95)]
  expect(leftToRefund(order, refunds)).toEqual({ amount: 600, taxAmount: 114 })
  expect(leftToRefund({ ...order, paid: false }, [])).toEqual({ amount: 0, taxAmount: 0 })
})

test.each([
  { amount: 700, expected: { taxAmount: 133, total: 833, status: 'refunded' } },
  { amount: 1, expected: { taxAmount: 0, total: 1, status: 'partially_refunded' } },
  // 5 × 0.19 is 0.95, and 50 × 0.19 is 9.5
  { amount: 5, expected: { taxAmount: 1, total: 6, status: 'partially_refunded' } },
  { amount: 50, expected: { taxAmount: 10, total: 60, status: 'partially_refunded' } },
] as const)('of $amount goes back $expected.total', ({ amount, expected }) => {
  expect(effectOf(order, { amount: 700, taxAmount: 133 }, amount)).toEqual({ amount, ...expected })
})

test('the share of the tax is never more than what is left of it', () => {
  expect(effectOf(order, { amount: 700, taxAmount: 2 }, 699)).toMatchObject({ taxAmount: 2 })
})

test('of untaxed sales no tax goes back, and of large ones nothing is lost', () => {
  expect(effectOf({ ...order, taxAmount: 0 }, { amount: 700, taxAmount: 0 }, 10)).toMatchObject({ total: 10 })
  const large = { ...order, netAmount: 99_999_999_999, taxAmount: 18_999_999_999 }
  expect(effectOf(large, { amount: 99_999_999_999, taxAmount: 18_999_999_999 }, 50_000_000_001)).toMatchObject({
    taxAmount: 9_500_000_000,
  })
})

test('where only tax is left, an amount is of that', () => {
  const left = { amount: 0, taxAmount: 5 }
  expect(effectOf(order, left, 5)).toEqual({ amount: 0, taxAmount: 5, total: 5, status: 'refunded' })
  expect(effectOf(order, left, 4)).toMatchObject({ taxAmount: 4, status: 'partially_refunded' })
  expect(effectOf(order, left, 6)).toBeUndefined()
})

test.each([undefined, 0, -1, 701])('%s cannot be given back', (amount) => {
  expect(effectOf(order, { amount: 700, taxAmount: 133 }, amount)).toBeUndefined()
})
