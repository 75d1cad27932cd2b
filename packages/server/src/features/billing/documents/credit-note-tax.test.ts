import type { SaleTax } from '@tollgate/contract/billing-types'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leftToRefund, withTax } from '../refund/refund-rules.ts'
import { type GivenBack, shareOfTax } from './credit-note-tax.ts'

const line = (name: string, percent: string, taxableAmount: number, amount: number): SaleTax['lines'][number] => ({
  name,
  percent,
  country: 'CA',
  state: null,
  taxableAmount,
  amount,
})
const sold = (...lines: SaleTax['lines']): SaleTax => ({ treatment: 'taxed', lines })
const sumOf = (notes: readonly GivenBack[], at: number, member: 'amount' | 'taxableAmount') =>
  notes.reduce((sum, { tax }) => sum + tax!.lines[at]![member], 0)

/** The credit notes of successive partial refunds. */
function notesOf(tax: SaleTax, netAmount: number, parts: readonly number[]): GivenBack[] {
  const taxAmount = tax.lines.reduce((sum, { amount }) => sum + amount, 0)
  const order = { netAmount, taxAmount, refundedAmount: 0, refundedTaxAmount: 0 }
  const notes: GivenBack[] = []
  const given: { amount: number; taxAmount: number }[] = []
  for (const part of parts) {
    const left = leftToRefund(order, given)
    const amount = Math.min(part, left.amount)
    if (amount === 0) break
    const refund = withTax(order, left, amount)!
    given.push(refund)
    notes.push({ netAmount: amount, tax: shareOfTax(tax, netAmount, notes, refund) })
    expect(notes.at(-1)!.tax!.lines.reduce((sum, each) => sum + each.amount, 0)).toBe(refund.taxAmount)
  }
  return notes
}

test('two taxes are given back in three parts as they were taken', () => {
  const notes = notesOf(sold(line('GST', '5', 1000, 50), line('QST', '9.975', 1000, 100)), 1000, [333, 333, 334])

  expect(notes).toHaveLength(3)
  expect([0, 1].map((at) => sumOf(notes, at, 'amount'))).toEqual([50, 100])
})

test('where a part of the price was taxed, a part of the refund was', () => {
  const [all] = notesOf(sold(line('Sales tax', '8.25', 8000, 660)), 10_000, [10_000])

  expect(all!.tax!.lines[0]).toMatchObject({ taxableAmount: 8000, amount: 660 })
})

test('after one becomes void, the next ones refund its share', () => {
  const tax = sold(line('GST', '5', 1000, 50), line('QST', '9.975', 1000, 100))
  const [, second] = notesOf(tax, 1000, [333, 333])

  const last = shareOfTax(tax, 1000, [second!], { amount: 667, taxAmount: 150 - 50 })

  expect([0, 1].map((at) => second!.tax!.lines[at]!.amount + last.lines[at]!.amount)).toEqual([50, 100])
})

test('no sequence of partial refunds returns more tax than was taken, and a full one returns all of it', () => {
  const taxed = fc.record({ base: fc.integer({ min: 0, max: 100_000 }), amount: fc.integer({ min: 0, max: 30_000 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(taxed, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 10 }),
      (net, lines, parts) => {
        const tax = sold(...lines.map(({ base, amount }, at) => line(`Tax ${at}`, '1', Math.min(base, net), amount)))
        const notes = notesOf(tax, net, [...parts, net])
        for (const [at, each] of tax.lines.entries()) {
          expect(notes.every((note) => note.tax!.lines[at]!.amount >= 0)).toBe(true)
          expect(sumOf(notes, at, 'amount')).toBe(each.amount)
          expect(sumOf(notes, at, 'taxableAmount')).toBe(each.taxableAmount)
        }
      },
    ),
  )
})
