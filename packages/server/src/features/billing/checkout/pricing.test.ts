import { addressFieldsOf } from '@tollgate/contract/billing'
import type { ProductPrice } from '@tollgate/contract/billing-types'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountIssues } from '../catalog/offered-prices.ts'
import { discountOn } from '../discount/discount-rules.ts'
import type { TaxQuote } from '../engine/compute-order.ts'
import { addressNeedsOf, amountOf, amountsOf, computeCharge, flagsOf, selectedPrice } from './pricing.ts'

const common = {
  createdAt: '2026-03-01T12:00:00.000Z',
  modifiedAt: null,
  source: 'catalog',
  isArchived: false,
  productId: 'product',
  type: 'one_time' as const,
  recurringInterval: null,
  taxBehavior: null,
}
const free: ProductPrice = { ...common, id: 'free', amountType: 'free' }
const fixed: ProductPrice = { ...common, id: 'fixed', amountType: 'fixed', priceCurrency: 'eur', priceAmount: 1900 }
const custom = (
  limits: { minimumAmount?: number; maximumAmount?: number; presetAmount?: number } = {},
): ProductPrice => ({
  ...common,
  id: 'custom',
  amountType: 'custom',
  priceCurrency: 'usd',
  minimumAmount: null,
  maximumAmount: null,
  presetAmount: null,
  ...limits,
})
const metered: ProductPrice = {
  ...common,
  id: 'metered',
  amountType: 'metered_unit',
  priceCurrency: 'eur',
  unitAmount: '0.5',
  capAmount: null,
  meterId: 'meter',
  meter: { id: 'meter', name: 'Calls' },
}

test.each([
  [[metered, fixed], 'fixed'],
  [[metered, free], 'free'],
  [[metered], 'metered'],
  [[custom()], 'custom'],
])('the price of %# is the one that is not by usage, else the first', (prices, id) => {
  expect(selectedPrice({ prices })?.id).toBe(id)
})

test.each([
  [fixed, null, 1900],
  [fixed, 1, 1900], // the buyer's amount is ignored
  [fixed, 999_999, 1900],
  [free, 5000, 0],
  [metered, 5000, 0],
  [custom(), null, 1000],
  [custom({ presetAmount: 2500 }), null, 2500],
  [custom({ presetAmount: 2500 }), 700, 700],
  [custom({ presetAmount: 2500 }), 0, 0],
])('of %j, with header %j, gives %i', (price, said, amount) => {
  expect(amountOf(price, said)).toBe(amount)
})

test.each([
  [custom({ minimumAmount: 500 }), 499, 'greater_than_equal'],
  [custom({ minimumAmount: 500 }), 500, undefined],
  [custom({ maximumAmount: 5000 }), 5000, undefined],
  [custom({ maximumAmount: 5000 }), 5001, 'less_than_equal'],
  [custom(), 0, undefined],
  [custom(), 99_999_999, undefined],
  [custom(), 100_000_000, 'less_than_equal'],
  [fixed, 1, undefined],
  [free, 1, undefined],
])('%j takes %i: %s', (price, amount, type) => {
  expect(amountIssues(price, amount)).toEqual(
    type === undefined ? [] : [{ loc: ['body', 'amount'], msg: expect.stringMatching(/^Input should be/), type }],
  )
})

const percent = (basisPoints: number, duration = 'once') => ({
  type: 'percentage',
  duration,
  amount: null,
  basisPoints,
})
const off = (amount: number, duration = 'once') => ({ type: 'fixed', duration, amount, basisPoints: null })

/** The amounts of a checkout of one product. */
function saleOf(priceAmount: number, discount: ReturnType<typeof percent | typeof off> | undefined, tax: TaxQuote) {
  const product = { id: 'product', name: 'A product', isTaxExempt: false }
  const charged = { product, priceId: 'price', priceAmount, currency: 'eur', taxBehavior: 'exclusive' } as const
  return amountsOf(computeCharge(charged, discount ? discountOn(discount, priceAmount) : 0, tax))
}

test.each([
  // amount, discount, tax; discounted, net, total
  [1900, undefined, null, 0, 1900, 1900],
  [1900, undefined, 361, 0, 1900, 2261],
  [1900, percent(2500), null, 475, 1425, 1425],
  [1999, percent(5000), 0, 1000, 999, 999],
  [1900, percent(10_000), 0, 1900, 0, 0],
  [1900, off(2000), 0, 1900, 0, 0],
  [1900, off(1899), null, 1899, 1, 1],
  [0, percent(2500), 0, 0, 0, 0],
  [99_999_999, percent(3333), 13_334_000, 33_330_000, 66_669_999, 80_003_999],
])('%i with %j and %s of tax', (amount, discount, taxAmount, discountAmount, netAmount, totalAmount) => {
  const quote = { taxAmount, tax: null }

  expect(saleOf(amount, discount, quote)).toEqual({ amount, discountAmount, netAmount, ...quote, totalAmount })
})

test('amounts always add up, and nothing is ever below nothing', () => {
  const amounts = fc.integer({ min: 0, max: 999_999_999_999 })
  const discounts = fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: 1, max: 10_000 }).map((basisPoints) => percent(basisPoints)),
    amounts.map((amount) => off(amount)),
  )
  fc.assert(
    fc.property(amounts, discounts, fc.option(amounts), (amount, discount, taxAmount) => {
      const sale = saleOf(amount, discount, { taxAmount, tax: null })

      expect(sale.netAmount).toBe(amount - sale.discountAmount)
      expect(sale.totalAmount).toBe(sale.netAmount + (taxAmount ?? 0))
      for (const each of [sale.discountAmount, sale.netAmount])
        expect(Number.isSafeInteger(each) && each >= 0 && each <= amount).toBe(true)
    }),
  )
})

test.each([
  // prices, recurring, amount, discount; free, discountable, payment, setup, form
  [[free], false, 0, undefined, true, false, false, false, false],
  [[free], true, 0, undefined, true, false, false, false, false],
  [[fixed], false, 1900, undefined, false, true, true, false, true],
  [[fixed], true, 1900, undefined, false, true, true, true, true],
  [[fixed], false, 1900, percent(10_000), false, true, false, false, false],
  [[fixed], true, 1900, percent(10_000), false, true, false, true, true],
  [[fixed], true, 1900, percent(10_000, 'repeating'), false, true, false, true, true],
  [[fixed], true, 1900, percent(10_000, 'forever'), false, true, false, false, false],
  [[fixed], true, 1900, percent(9990, 'forever'), false, true, true, true, true],
  [[fixed], true, 1900, off(1900, 'forever'), false, true, false, true, true],
  [[custom()], true, 0, undefined, false, true, false, false, false],
  [[custom()], true, 100, undefined, false, true, true, true, true],
  [[custom(), metered], true, 0, undefined, false, true, false, true, true],
  [[metered], true, 0, undefined, false, true, false, true, true],
  [[free, metered], true, 0, undefined, false, true, false, true, true],
] as const)('the flags of %#', (prices, isRecurring, amount, discount, isFree, discountable, payment, setup, form) => {
  const { netAmount: totalAmount } = saleOf(amount, discount, { taxAmount: null, tax: null })

  expect(flagsOf({ prices, isRecurring, amount, discount, totalAmount })).toEqual({
    isFreeProductPrice: isFree,
    isDiscountApplicable: discountable,
    isPaymentRequired: payment,
    isPaymentSetupRequired: setup,
    isPaymentFormRequired: form,
  })
})

test.each([
  // country, address wanted, business; state, lines
  [null, false, false, false, false],
  ['DE', false, false, false, false],
  ['CA', false, false, true, false],
  ['US', false, false, true, true],
  ['DE', true, false, false, true],
  ['DE', false, true, false, true],
  ['CA', true, false, true, true],
  [null, true, false, false, true],
])(
  'of an address in %s (wanted: %s, business: %s) is asked',
  (country, requireBillingAddress, isBusinessCustomer, state, lines) => {
    const fields = addressFieldsOf({ country, requireBillingAddress, isBusinessCustomer })

    expect(fields).toEqual({ country: true, state, line1: lines, line2: false, city: lines, postalCode: lines })
    expect(addressNeedsOf(fields)).toEqual({
      country: 'required',
      state: state ? 'required' : 'disabled',
      line1: lines ? 'required' : 'disabled',
      line2: lines ? 'optional' : 'disabled',
      city: lines ? 'required' : 'disabled',
      postalCode: lines ? 'required' : 'disabled',
    })
  },
)
