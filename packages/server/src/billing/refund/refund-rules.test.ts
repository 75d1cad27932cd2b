import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creditNoteNumber,
  leftToRefund,
  type NetAndTax,
  statusOfRefunded,
  taxShare,
  withoutTax,
} from './refund-rules.ts'

const order = (netAmount: number, taxAmount: number, refundedAmount = 0, refundedTaxAmount = 0) => ({
  netAmount,
  taxAmount,
  refundedAmount,
  refundedTaxAmount,
})

describe('the share of the tax (REF-2)', () => {
  test.each([
    [order(1000, 190), 1000, 190],
    [order(1000, 190), 500, 95],
    [order(1000, 190), 1, 0],
    [order(1000, 195), 100, 20],
    [order(3, 1), 1, 0],
    [order(3, 1), 2, 1],
    [order(1000, 0), 700, 0],
    [order(1000, 190, 900, 190), 50, 0],
    [order(1000, 190, 900, 100), 100, 90],
    [order(999_999_999_999, 190_000_000_000), 333_333_333_333, 63_333_333_333],
  ])('of %o with %d is %d', (of, amount, share) => {
    expect(taxShare(of, leftToRefund(of, []), amount)).toBe(share)
  })

  test('counts what is on its way', () => {
    const of = order(1000, 190, 300, 57)

    expect(leftToRefund(of, [{ amount: 200, taxAmount: 38 }])).toEqual({ amount: 500, taxAmount: 95 })
  })
})

const amounts = fc.record({ net: fc.integer({ min: 1, max: 100_000 }), tax: fc.integer({ min: 0, max: 100_000 }) })

test('in whatever parts an order is given back, no part is more than is left, and all of them are the order', () => {
  fc.assert(
    fc.property(amounts, fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 12 }), ({ net, tax }, parts) => {
      const of = order(net, tax)
      const given: NetAndTax[] = []
      for (const part of [...parts, net]) {
        const left = leftToRefund(of, given)
        const amount = Math.min(part, left.amount)
        if (amount === 0) break
        const taxAmount = taxShare(of, left, amount)
        expect(taxAmount).toBeGreaterThanOrEqual(0)
        expect(taxAmount).toBeLessThanOrEqual(left.taxAmount)
        given.push({ amount, taxAmount })
      }
      expect(leftToRefund(of, given)).toEqual({ amount: 0, taxAmount: 0 })
    }),
  )
})

test('what went back with its tax is split into both, and never into more than is left of either', () => {
  fc.assert(
    fc.property(amounts, fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 12 }), ({ net, tax }, parts) => {
      const of = order(net, tax)
      const given: NetAndTax[] = []
      for (const part of [...parts, net + tax]) {
        const left = leftToRefund(of, given)
        const total = Math.min(part, left.amount + left.taxAmount)
        if (total === 0) break
        const { amount, taxAmount } = withoutTax(of, left, total)
        expect(amount + taxAmount).toBe(total)
        expect(amount).toBeGreaterThanOrEqual(0)
        expect(amount).toBeLessThanOrEqual(left.amount)
        expect(taxAmount).toBeGreaterThanOrEqual(0)
        expect(taxAmount).toBeLessThanOrEqual(left.taxAmount)
        given.push({ amount, taxAmount })
      }
      expect(leftToRefund(of, given)).toEqual({ amount: 0, taxAmount: 0 })
    }),
  )
})

test.each([
  [0, 'paid'],
  [1, 'partially_refunded'],
  [999, 'partially_refunded'],
  [1000, 'refunded'],
])('an order of 1000 of which %d was given back is %s (REF-3)', (refunded, status) => {
  expect(statusOfRefunded({ netAmount: 1000 }, refunded)).toBe(status)
})

test('credit notes are numbered beside invoices', () => {
  expect([creditNoteNumber('ACME', 7), creditNoteNumber('ACME', 1_234_567)]).toEqual([
    'ACME-CN-000007',
    'ACME-CN-1234567',
  ])
})
