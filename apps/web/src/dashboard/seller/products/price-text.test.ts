import type { ProductPrice } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { priceText } from './price-text.ts'

const common = {
  id: 'a',
  createdAt: '2026-03-01T12:00:00.000Z',
  modifiedAt: null,
  source: 'catalog',
  isArchived: false,
  productId: 'b',
  type: 'one_time',
  recurringInterval: null,
  taxBehavior: null,
} as const
const usd = { ...common, priceCurrency: 'usd' } as const
const custom = { ...usd, amountType: 'custom', minimumAmount: null, maximumAmount: null, presetAmount: null } as const
const meter = { meterId: 'c', meter: { id: 'c', name: 'API calls' } }
const metered = { ...usd, ...meter, amountType: 'metered_unit', capAmount: null } as const

test.each<[ProductPrice, string]>([
  [{ ...common, amountType: 'free' }, 'Free'],
  [{ ...usd, amountType: 'fixed', priceAmount: 1900 }, '$19.00'],
  [{ ...usd, amountType: 'fixed', priceAmount: 1900, type: 'recurring', recurringInterval: 'month' }, '$19.00 / month'],
  [custom, 'Pay what you want'],
  [{ ...custom, minimumAmount: 500 }, 'From $5.00'],
  [{ ...metered, unitAmount: '0.5' }, '$0.005 per unit of API calls'],
  [{ ...metered, unitAmount: '0.000000000001' }, '$0.00000000000001 per unit of API calls'],
  [{ ...metered, unitAmount: '150' }, '$1.50 per unit of API calls'],
])('%o is written %s', (price, text) => {
  expect(priceText(price)).toBe(text)
})
