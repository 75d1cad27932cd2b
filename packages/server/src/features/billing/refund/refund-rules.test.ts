import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NetAndTax } from '../money.ts'
import { creditNoteNumber } from '../order/invoice-number.ts'
import { leftToRefund, partsOf, statusOfRefunded, withoutTax, withTax } from './refund-rules.ts'

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
    expect(withTax(of, leftToRefund(of, []), amount)).toEqual({ amount, taxAmount: share })
  })

  test.each([
    ['more than is left', order(1000, 190, 300, 57), 701, undefined],
    ['of an order that was given back', order(1000, 190, 1000, 190), 1, undefined],
    ['of tax alone, where nothing else is left', order(1000, 190, 1000, 188), 2, { amount: 0, taxAmount: 2 }],
    ['of more tax than is left', order(1000, 190, 1000, 188), 3, undefined],
  ])('%s', (_, of, amount, part) => {
    expect(withTax(of, leftToRefund(of, []), amount)).toEqual(part)
  })

  test('counts pending refunds', () => {
    const of = order(1000, 190, 300, 57)

    expect(leftToRefund(of, [{ amount: 200, taxAmount: 38 }])).toEqual({ amount: 500, taxAmount: 95 })
  })
})

/** A step in an order's life: a refund by the API or at the processor, or one that fails in the end. */
const step = fc.record({
  kind: fc.constantFrom('here', 'there', 'failure'),
  amount: fc.integer({ min: 1, max: 300 }),
  which: fc.nat(),
})
const sale = fc.record({ net: fc.integer({ min: 1, max: 1000 }), tax: fc.integer({ min: 0, max: 1000 }) })

test('no sequence of partial refunds exceeds an item’s remainder, and the seller can refund the rest here', () => {
  fc.assert(
    fc.property(sale, fc.array(step, { maxLength: 40 }), ({ net, tax }, steps) => {
      const of = order(net, tax)
      let given: NetAndTax[] = []
      const sum = (name: keyof NetAndTax) => given.reduce((total, each) => total + each[name], 0)
      const state = () => statusOfRefunded(order(net, tax, sum('amount'), sum('taxAmount')))
      for (const { kind, amount, which } of steps) {
        const left = leftToRefund(of, given)
        const total = Math.min(amount, left.amount + left.taxAmount)
        if (kind === 'failure') given = given.filter((_, at) => at !== which % (given.length + 1))
        else if (kind === 'there' && total > 0) {
          const part = withoutTax(of, left, total)
          expect(part.amount + part.taxAmount).toBe(total)
          given.push(part)
        } else if (kind === 'here' && total > 0) given.push(withTax(of, left, Math.min(total, left.amount || total))!)
        const { amount: netLeft, taxAmount: taxLeft } = leftToRefund(of, given)
        for (const part of [...given, { amount: netLeft, taxAmount: taxLeft }])
          expect(Math.min(part.amount, part.taxAmount)).toBeGreaterThanOrEqual(0)
        const isAll = netLeft + taxLeft === 0
        expect(state()).toBe(isAll ? 'refunded' : given.length > 0 ? 'partially_refunded' : 'paid')
        expect(isAll || withTax(of, { amount: netLeft, taxAmount: taxLeft }, netLeft || taxLeft)).toEqual(
          isAll || { amount: netLeft, taxAmount: taxLeft },
        )
      }
    }),
    { numRuns: 500 },
  )
})

test.each([
  [{ amount: 1000, taxAmount: 190 }, 595, { amount: 500, taxAmount: 95 }],
  [{ amount: 1000, taxAmount: 190 }, 1190, { amount: 1000, taxAmount: 190 }],
  // While tax is left, one unit of the amount stays too.
  [{ amount: 1, taxAmount: 19 }, 1, { amount: 0, taxAmount: 1 }],
  [{ amount: 10, taxAmount: 190 }, 199, { amount: 9, taxAmount: 190 }],
  [{ amount: 0, taxAmount: 19 }, 7, { amount: 0, taxAmount: 7 }],
])('of %o, %d that went back is %o', (left, total, part) => {
  expect(withoutTax(order(1000, 190), left, total)).toEqual(part)
})

test.each([
  [0, 0, 'paid'],
  [1, 0, 'partially_refunded'],
  [0, 1, 'partially_refunded'],
  [1000, 189, 'partially_refunded'],
  [999, 190, 'partially_refunded'],
  [1000, 190, 'refunded'],
])('an order of 1000 and 190 of tax, of which %d and %d were given back, is %s (REF-3)', (net, tax, status) => {
  expect(statusOfRefunded(order(1000, 190, net, tax))).toBe(status)
})

test.each<
  [string, number[], [string, number][], number, [number, number], [string, number, number, number][] | undefined]
>([
  ['one that has enough', [600, 700], [], 0, [500, 0], [['1', 500, 0, 0]]],
  ['the first that has enough left', [600, 700], [['1', 200]], 0, [500, 0], [['2', 500, 0, 0]]],
  [
    'several, the one with the most first',
    [600, 700],
    [],
    0,
    [1000, 0],
    [
      ['2', 700, 0, 0],
      ['1', 300, 0, 0],
    ],
  ],
  [
    'all of several with their tax',
    [595, 595],
    [],
    0,
    [1000, 190],
    [
      ['1', 500, 95, 0],
      ['2', 500, 95, 0],
    ],
  ],
  [
    'several whose tax does not divide',
    [10, 10, 10],
    [],
    0,
    [25, 5],
    [
      ['1', 8, 2, 0],
      ['2', 8, 2, 0],
      ['3', 9, 1, 0],
    ],
  ],
  [
    'several, and then the credit',
    [300, 200],
    [],
    500,
    [1000, 0],
    [
      ['1', 300, 0, 0],
      ['2', 700, 0, 500],
    ],
  ],
  ['the credit alone', [300], [['1', 300]], 500, [400, 0], [['1', 400, 0, 400]]],
  ['no more than all have', [300, 200], [['1', 1]], 0, [500, 0], undefined],
])('a refund comes from %s', (_, paid, given, credit, [amount, taxAmount], parts) => {
  const payments = paid.map((allocatedAmount, at) => ({ id: `${at + 1}`, allocatedAmount }))
  const held = given.map(([paymentId, back]) => ({ paymentId, amount: back, taxAmount: 0, balanceAmount: 0 }))

  const found = partsOf(payments, held, credit, { amount, taxAmount })

  expect(found?.map((part) => [part.payment.id, part.amount, part.taxAmount, part.balanceAmount])).toEqual(parts)
})

test('the parts of a refund add up to it, and no payment gives back more than it has', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }),
      fc.nat(300),
      fc.nat(2000),
      fc.nat(400),
      (paid, credit, amount, taxAmount) => {
        const payments = paid.map((allocatedAmount, at) => ({ id: `${at}`, allocatedAmount }))

        const parts = partsOf(payments, [], credit, { amount, taxAmount })

        const available = paid.reduce((sum, one) => sum + one, credit)
        expect(parts !== undefined).toBe(amount + taxAmount <= available)
        const sum = (of: 'amount' | 'taxAmount' | 'balanceAmount') =>
          (parts ?? []).reduce((all, row) => all + row[of], 0)
        expect(parts && [sum('amount'), sum('taxAmount')]).toEqual(parts && [amount, taxAmount])
        expect(sum('balanceAmount')).toBeLessThanOrEqual(credit)
        for (const part of parts ?? []) {
          expect(Math.min(part.amount, part.taxAmount, part.balanceAmount)).toBeGreaterThanOrEqual(0)
          expect(part.amount + part.taxAmount - part.balanceAmount).toBeLessThanOrEqual(part.payment.allocatedAmount)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('credit notes are numbered beside invoices', () => {
  expect([
    creditNoteNumber({ prefix: 'ACME', number: 7 }),
    creditNoteNumber({ prefix: 'ACME', number: 1_234_567 }),
  ]).toEqual(['ACME-CN-000007', 'ACME-CN-1234567'])
})
