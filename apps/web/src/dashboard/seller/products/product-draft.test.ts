import type { Product } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import {
  bodyOf,
  changesOf,
  draftOf,
  newFeature,
  newProduct,
  type ProductDraft,
  unitField,
  unitIn,
} from './product-draft.ts'

const draft = (rest: Partial<ProductDraft>): ProductDraft => ({
  ...newProduct(),
  name: 'Pro',
  amount: '19.00',
  ...rest,
})
const usage = { id: 'a', meterId: 'meter-1', unitAmount: '0.005', cap: '' }

const refusals = (rest: Partial<ProductDraft>): readonly string[] => {
  try {
    bodyOf(draft(rest))
  } catch (error) {
    if (error instanceof FieldErrors) return [...error.messages.keys()]
    throw error
  }
  return []
}

test('what everybody pays comes before what is paid by usage', () => {
  expect(bodyOf(draft({ usage: [usage] })).prices).toEqual([
    { amountType: 'fixed', priceAmount: 1900, priceCurrency: 'usd' },
    { amountType: 'metered_unit', priceCurrency: 'usd', meterId: 'meter-1', unitAmount: '0.5', capAmount: null },
  ])
})

test('a one-time product has no prices by usage', () => {
  expect(bodyOf(draft({ interval: 'one_time', usage: [usage] }))).toMatchObject({
    recurringInterval: null,
    prices: [{ amountType: 'fixed' }],
  })
})

test('what is exempt from tax is said so', () => {
  expect(bodyOf(draft({ isTaxExempt: true })).isTaxExempt).toBe(true)
})

test('what is left empty of a price that buyers choose is no limit', () => {
  expect(bodyOf(draft({ kind: 'custom', minimum: '5' })).prices).toEqual([
    { amountType: 'custom', priceCurrency: 'usd', minimumAmount: 500, maximumAmount: null, presetAmount: null },
  ])
})

test.each<[string, Partial<ProductDraft>, string[]]>([
  ['a short name', { name: ' P ' }, ['name']],
  ['no amount', { amount: '' }, ['prices.0.price_amount']],
  ['an amount below the least', { amount: '0.49' }, ['prices.0.price_amount']],
  ['an amount above the most', { amount: '1000000.00' }, ['prices.0.price_amount']],
  ['a maximum below the minimum', { kind: 'custom', minimum: '10', maximum: '5' }, ['prices.0.maximum_amount']],
  ['a suggestion that is too high', { kind: 'custom', preset: '10000.01' }, ['prices.0.preset_amount']],
  ['a price by usage without a meter', { usage: [{ ...usage, meterId: '' }] }, ['prices.1.meter_id']],
  ['one meter twice', { usage: [usage, { ...usage, id: 'b' }] }, ['prices.2.meter_id']],
  ['nothing per unit', { kind: 'none', usage: [{ ...usage, unitAmount: '0' }] }, ['prices.0.unit_amount']],
  ['no price at all', { kind: 'none' }, ['prices']],
  ['everything at once', { name: '', amount: 'x' }, ['name', 'prices.0.price_amount']],
])('%s is refused at its field', (_, rest, fields) => {
  expect(refusals(rest)).toEqual(fields)
})

const common = {
  createdAt: '2026-03-01T12:00:00.000Z',
  modifiedAt: null,
  source: 'catalog',
  productId: 'p',
  type: 'recurring',
  recurringInterval: 'month',
  taxBehavior: null,
  priceCurrency: 'usd',
} as const
const product: Product = {
  id: 'p',
  createdAt: common.createdAt,
  modifiedAt: null,
  name: 'Pro',
  description: null,
  recurringInterval: 'month',
  isRecurring: true,
  isArchived: false,
  isTaxExempt: false,
  organizationId: 'o',
  metadata: { tier: 2 },
  recurringIntervalCount: 1,
  trialInterval: null,
  trialIntervalCount: null,
  visibility: 'public',
  benefits: [],
  medias: [],
  features: [],
  isHighlighted: false,
  position: 0,
  attachedCustomFields: [],
  prices: [
    {
      ...common,
      id: 'by-usage',
      isArchived: false,
      amountType: 'metered_unit',
      unitAmount: '0.5',
      capAmount: 10_000,
      meterId: 'meter-1',
      meter: { id: 'meter-1', name: 'Calls' },
    },
    { ...common, id: 'fixed', isArchived: false, amountType: 'fixed', priceAmount: 1900 },
  ],
}

test('a product that nobody has changed keeps its prices', () => {
  expect(changesOf(draftOf(product), product)).toEqual({
    name: 'Pro',
    description: null,
    isTaxExempt: false,
    features: [],
    isHighlighted: false,
    prices: [{ id: 'fixed' }, { id: 'by-usage' }],
    medias: [],
    attachedCustomFields: [],
    metadata: { tier: 2 },
  })
})

test('a price that was changed is made anew, and the other one kept', () => {
  expect(changesOf({ ...draftOf(product), amount: '29' }, product).prices).toEqual([
    { amountType: 'fixed', priceAmount: 2900, priceCurrency: 'usd', taxBehavior: 'exclusive' },
    { id: 'by-usage' },
  ])
})

test.each([
  ['0.5', 'usd', '0.005'],
  ['150', 'usd', '1.5'],
  ['0.000000000001', 'usd', '0.00000000000001'],
  ['100', 'usd', '1'],
  ['1.5', 'jpy', '1.5'],
])('%s minor units of %s each stand in the field as %s', (unit, currency, field) => {
  expect(unitField(unit, currency)).toBe(field)
  expect(unitIn(field, currency)).toBe(unit)
})

test.each(['', '0', '-1', 'x', '0.000000000000001', '1e3'])('%j is no price of a unit', (text) => {
  expect(unitIn(text, 'usd')).toBeUndefined()
})

test('features keep their order, without empty lines', () => {
  const draft = draftOf({ ...product, features: ['Ten seats', 'Live traffic'], isHighlighted: true })
  const features = [...draft.features.toReversed(), newFeature()]

  expect(changesOf({ ...draft, features }, product)).toMatchObject({
    features: ['Live traffic', 'Ten seats'],
    isHighlighted: true,
  })
  expect(draftOf(product).features).toEqual(draftOf(product).features)
})
