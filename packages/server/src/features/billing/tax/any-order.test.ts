import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countryRates, stateRates, unionRates } from '../../../foundation/tax/rates.ts'
import { discountOn } from '../discount/discount-rules.ts'
import { computeOrder, type OrderLine } from '../engine/compute-order.ts'
import { sumOf } from '../money.ts'
import { type TaxAsked, taxByTable, sumOf as taxIn } from './tax-rules.ts'

/** All places that the table has a rate for: `DE`, `US-CA`. */
const places = [...Object.keys(unionRates), ...Object.keys(countryRates), ...Object.keys(stateRates)]

const line = fc.record({ amount: fc.integer({ min: 0, max: 99_999_999 }), isTaxExempt: fc.boolean() }).map(
  ({ amount, isTaxExempt }): OrderLine => ({
    kind: 'price',
    label: 'A plan',
    quantity: 1,
    unitAmount: String(amount),
    amount,
    productId: 'product',
    productPriceId: 'price',
    isTaxExempt,
    isDiscountable: true,
    period: null,
  }),
)

const sale = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  currency: fc.constantFrom('usd', 'eur', 'gbp', 'jpy', 'isk', 'huf', 'kwd', 'clp'),
  place: fc.constantFrom(...places),
  taxBehavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  discount: fc.option(
    fc.oneof(
      fc.record({
        type: fc.constant('percentage' as const),
        amount: fc.constant(null),
        basisPoints: fc.integer({ min: 1, max: 10_000 }),
      }),
      fc.record({
        type: fc.constant('fixed' as const),
        amount: fc.integer({ min: 1, max: 99_999_999 }),
        basisPoints: fc.constant(null),
      }),
    ),
    { nil: undefined },
  ),
})

/** The tax of the table, from a seller who collects it there. */
function askedOf(place: string): Pick<TaxAsked, 'seller' | 'buyer'> {
  const [country = '', state] = place.split('-')
  const registration = { country, ...(state !== undefined && { state: place }) }
  const nowhere = { city: null, postalCode: null, line1: null, isBusiness: false, taxId: null }
  return {
    seller: { country, registrations: [registration] },
    buyer: { country, state: state === undefined ? null : place, ...nowhere },
  }
}

test('the items of any sale add up to its totals, in every currency, with the tax of every place and any discount', () => {
  fc.assert(
    fc.property(sale, ({ lines, currency, place, taxBehavior, discount }) => {
      const inputs = {
        currency,
        taxBehavior,
        lines,
        discountOn: discount && ((base: number) => discountOn(discount, base)),
        balance: 0,
      }
      const { taxRequest } = computeOrder({ ...inputs, tax: undefined })
      const tax = taxByTable({ ...askedOf(place), lines: taxRequest, currency, taxBehavior })
      const quote = tax ? { taxAmount: taxIn(tax), tax } : { taxAmount: null, tax: null }

      const { items, totals } = computeOrder({ ...inputs, tax: quote })

      const listed = sumOf(lines.map(({ amount }) => amount))
      const net = totals.subtotalAmount - totals.discountAmount
      expect(sumOf(items.map(({ amount }) => amount))).toBe(totals.subtotalAmount)
      expect(sumOf(items.map(({ discountAmount }) => discountAmount))).toBe(totals.discountAmount)
      expect(sumOf(items.map(({ taxAmount }) => taxAmount))).toBe(totals.taxAmount ?? 0)
      expect([totals.netAmount, totals.totalAmount]).toEqual([net, net + (totals.taxAmount ?? 0)])
      for (const { amount, discountAmount, taxAmount } of items) {
        expect(Number.isSafeInteger(amount) && Number.isSafeInteger(taxAmount)).toBe(true)
        expect(discountAmount).toBeGreaterThanOrEqual(0)
        expect(discountAmount).toBeLessThanOrEqual(amount)
        expect(taxAmount).toBeGreaterThanOrEqual(0)
      }
      // What the buyer reads as the price, less the discount, is what they pay.
      const off = discount ? discountOn(discount, listed) : 0
      if (taxBehavior === 'inclusive') expect(totals.totalAmount).toBe(listed - off)
      else expect(totals.netAmount).toBe(listed - off)
    }),
    { numRuns: 300 },
  )
})
