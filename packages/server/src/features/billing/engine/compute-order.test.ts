import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountOn } from '../discount/discount-rules.ts'
import { sumOf } from '../money.ts'
import { computeOrder, type OrderInputs, type OrderLine, type TaxQuote } from './compute-order.ts'

const line = (amount: number, given: Partial<OrderLine> = {}): OrderLine => ({
  kind: 'price',
  label: 'A plan',
  quantity: 1,
  unitAmount: String(amount),
  amount,
  productId: 'product',
  productPriceId: 'price',
  isTaxExempt: false,
  isDiscountable: true,
  period: null,
  ...given,
})
const proration = (amount: number) => line(amount, { kind: 'proration', isDiscountable: false })

const order = (lines: readonly OrderLine[], given: Partial<OrderInputs> = {}) =>
  computeOrder({
    currency: 'eur',
    taxBehavior: 'exclusive',
    lines,
    discountOn: undefined,
    tax: { taxAmount: 0, tax: null },
    balance: 0,
    ...given,
  })
const taxOf = (taxAmount: number): TaxQuote => ({ taxAmount, tax: null })
const percent = (basisPoints: number) => (base: number) =>
  discountOn({ type: 'percentage', amount: null, basisPoints }, base)
const off = (amount: number) => (base: number) => discountOn({ type: 'fixed', amount, basisPoints: null }, base)

describe('by hand', () => {
  test.each<[string, ReturnType<typeof order>, number[]]>([
    // subtotal, discount, net, tax, total, applied balance, due now
    ['one price', order([line(1900)]), [1900, 0, 1900, 0, 1900, 0, 1900]],
    ['tax on top', order([line(1900)], { tax: taxOf(361) }), [1900, 0, 1900, 361, 2261, 0, 2261]],
    ['a quarter off', order([line(1900)], { discountOn: percent(2500) }), [1900, 475, 1425, 0, 1425, 0, 1425]],
    ['all off', order([line(1900)], { discountOn: off(5000) }), [1900, 1900, 0, 0, 0, 0, 0]],
    [
      'a renewal with a waiting proration, which the discount leaves alone (ORD-5)',
      order([line(3000), proration(1500)], { discountOn: percent(1000) }),
      [4500, 300, 4200, 0, 4200, 0, 4200],
    ],
    [
      'a credit that is larger than the rest goes to the balance (ORD-6)',
      order([proration(-3000), proration(1000)], { tax: taxOf(-380) }),
      [-2000, 0, -2000, -380, -2380, 0, 0],
    ],
    ['credit pays', order([line(1900)], { balance: 400 }), [1900, 0, 1900, 0, 1900, -400, 1500]],
    ['credit pays all', order([line(1900)], { balance: 5000 }), [1900, 0, 1900, 0, 1900, -1900, 0]],
    ['a debt is collected (SUB-30)', order([line(1900)], { balance: -100 }), [1900, 0, 1900, 0, 1900, 100, 2000]],
    ['a free order collects no debt', order([line(0)], { balance: -100 }), [0, 0, 0, 0, 0, 0, 0]],
    [
      'a price with its tax inside: 19 % of €100.00',
      order([line(11_900)], { taxBehavior: 'inclusive', tax: taxOf(1900) }),
      [10_000, 0, 10_000, 1900, 11_900, 0, 11_900],
    ],
    [
      'a tenth off a price with its tax inside',
      order([line(11_900)], { taxBehavior: 'inclusive', discountOn: percent(1000), tax: taxOf(1710) }),
      [10_000, 1000, 9000, 1710, 10_710, 0, 10_710],
    ],
    [
      'all off a price with its tax inside',
      order([line(11_900)], { taxBehavior: 'inclusive', discountOn: percent(10_000) }),
      [11_900, 11_900, 0, 0, 0, 0, 0],
    ],
  ])('%s', (_, { totals, balance, dueNow }, expected) => {
    const { subtotalAmount, discountAmount, netAmount, taxAmount, totalAmount } = totals
    expect([subtotalAmount, discountAmount, netAmount, taxAmount, totalAmount, balance.applied, dueNow]).toEqual(
      expected,
    )
  })

  test('while the tax is unknown, a price with its tax inside is the total', () => {
    const { totals, taxRequest } = order([line(11_900)], { taxBehavior: 'inclusive', tax: undefined })

    expect(totals).toMatchObject({ netAmount: 11_900, taxAmount: null, totalAmount: 11_900 })
    expect(taxRequest).toEqual([{ productId: 'product', amount: 11_900, isTaxExempt: false }])
  })

  test('the tax is spread over the lines that are taxed, also over a credit', () => {
    const { items } = order([line(1000), line(500, { isTaxExempt: true }), proration(-400)], { tax: taxOf(114) })

    expect(items.map(({ taxAmount }) => taxAmount)).toEqual([190, 0, -76])
  })

  test('a proration of zero is left out, and a free price stays (ORD-9)', () => {
    expect(order([line(0), proration(0)]).items.map(({ kind }) => kind)).toEqual(['price'])
  })
})

describe('for any lines', () => {
  const anyLine = fc
    .record({
      kind: fc.constantFrom('price' as const, 'proration' as const, 'usage' as const, 'seats' as const),
      amount: fc.integer({ min: -99_999_999, max: 99_999_999 }),
      isTaxExempt: fc.boolean(),
    })
    .map(({ kind, amount, isTaxExempt }) =>
      line(kind === 'proration' ? amount : Math.abs(amount), {
        kind,
        isTaxExempt,
        isDiscountable: kind !== 'proration',
      }),
    )
  const inputs = fc.record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    discountOn: fc.option(
      fc.oneof(fc.integer({ min: 1, max: 10_000 }).map(percent), fc.integer({ min: 0, max: 99_999_999 }).map(off)),
      { nil: undefined },
    ),
    taxBehavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
    rate: fc.integer({ min: 0, max: 2700 }),
    balance: fc.integer({ min: -9_999_999, max: 9_999_999 }),
  })

  test('the items add up to the totals, and the totals to what is paid', () => {
    fc.assert(
      fc.property(inputs, ({ lines, rate, ...given }) => {
        const { taxRequest } = order(lines, { ...given, tax: undefined })
        const taxable = sumOf(taxRequest.map(({ amount, isTaxExempt }) => (isTaxExempt ? 0 : amount)))
        const share = given.taxBehavior === 'inclusive' ? rate / (10_000 + rate) : rate / 10_000
        const tax = taxOf(Math.round(taxable * share) + 0)

        const { items, totals, balance, dueNow } = order(lines, { ...given, tax })

        expect(sumOf(items.map(({ amount }) => amount))).toBe(totals.subtotalAmount)
        expect(sumOf(items.map(({ discountAmount }) => discountAmount))).toBe(totals.discountAmount)
        // Where all lines are exempt there is nothing to spread a tax over, and none.
        expect(sumOf(items.map(({ taxAmount }) => taxAmount))).toBe(tax.taxAmount)
        expect(totals.netAmount).toBe(totals.subtotalAmount - totals.discountAmount)
        expect(totals.totalAmount).toBe(totals.netAmount + (totals.taxAmount ?? 0))
        expect(totals.discountAmount).toBeGreaterThanOrEqual(0)
        expect(dueNow).toBe(Math.max(0, totals.totalAmount + balance.applied))
        // Nothing is lost: what is due, and what the balance moved, is the total.
        expect(dueNow - totals.totalAmount).toBe(balance.after - given.balance)
      }),
    )
  })

  test('a price with its tax inside costs what it says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 1, max: 2700 }),
        (amount, basisPoints, rate) => {
          const discount = percent(basisPoints)
          const gross = amount - discount(amount)
          const tax = taxOf(Math.round((gross * rate) / (10_000 + rate)))

          const { totals, items } = order([line(amount)], { taxBehavior: 'inclusive', discountOn: discount, tax })

          expect(totals.totalAmount).toBe(gross)
          expect(items.every((item) => item.discountAmount >= 0 && item.amount >= item.discountAmount)).toBe(true)
        },
      ),
    )
  })
})
