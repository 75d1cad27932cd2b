import type { Product } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import {
  bodyOf,
  changesOf,
  draftOf,
  newCurrency,
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
  trialUntil: null,
  trialCardRequired: true,
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
    trialInterval: null,
    trialIntervalCount: null,
    trialCardRequired: true,
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

const inEuro = { ...common, priceCurrency: 'eur', isArchived: false } as const
const inBoth: Product = {
  ...product,
  prices: [
    ...product.prices,
    { ...inEuro, id: 'fixed-eur', amountType: 'fixed', priceAmount: 1700, taxBehavior: 'inclusive' },
    {
      ...inEuro,
      id: 'by-usage-eur',
      amountType: 'metered_unit',
      unitAmount: '0.4',
      capAmount: null,
      meterId: 'meter-1',
      meter: { id: 'meter-1', name: 'Calls' },
      taxBehavior: 'inclusive',
    },
  ],
}

test('the prices of further currencies follow those of the default one', () => {
  const { currency, currencies } = draftOf(inBoth)

  expect(currency).toBe('usd')
  expect(currencies).toEqual([
    {
      id: 'eur',
      currency: 'eur',
      amount: '17.00',
      minimum: '',
      maximum: '',
      preset: '',
      taxBehavior: 'inclusive',
      usage: { 'by-usage': expect.objectContaining({ unitAmount: '0.004', cap: '' }) },
    },
  ])
  expect(changesOf(draftOf(inBoth), inBoth).prices).toEqual([
    { id: 'fixed' },
    { id: 'by-usage' },
    { id: 'fixed-eur' },
    { id: 'by-usage-eur' },
  ])
})

test('a currency can be changed and taken away by itself', () => {
  const before = draftOf(inBoth)
  const euro = before.currencies.map((each) => ({ ...each, amount: '18' }))

  expect(changesOf({ ...before, currencies: euro }, inBoth).prices).toEqual([
    { id: 'fixed' },
    { id: 'by-usage' },
    { amountType: 'fixed', priceAmount: 1800, priceCurrency: 'eur', taxBehavior: 'inclusive' },
    { id: 'by-usage-eur' },
  ])
  expect(changesOf({ ...before, currencies: [] }, inBoth).prices).toEqual([{ id: 'fixed' }, { id: 'by-usage' }])
})

test('a new currency is one that the product lacks, and needs every amount', () => {
  const before = draft({ usage: [usage] })
  const added = newCurrency(before)
  expect(added.currency).toBe('eur')

  const refused = (currencies: ProductDraft['currencies']) => refusals({ usage: [usage], currencies })
  expect(refused([added])).toEqual(['prices.2.price_amount', 'prices.3.unit_amount'])
  const amounts = { amount: '17', usage: { [usage.id]: { unitAmount: '0.004', cap: '' } } }
  expect(refused([{ ...added, ...amounts }])).toEqual([])
  expect(refused([{ ...added, ...amounts, currency: 'usd' }])).toEqual(['prices.2.price_currency'])
})

test('what is free with usage has its usage in each currency, and what costs nothing has no currency', () => {
  const free = draft({ kind: 'free', usage: [usage] })
  const euro = { ...newCurrency(free), usage: { [usage.id]: { unitAmount: '0.004', cap: '' } } }

  expect(bodyOf({ ...free, currencies: [euro] }).prices).toMatchObject([
    { amountType: 'free' },
    { amountType: 'metered_unit', priceCurrency: 'usd' },
    { amountType: 'metered_unit', priceCurrency: 'eur', unitAmount: '0.4' },
  ])
  expect(bodyOf({ ...free, usage: [], currencies: [euro] }).prices).toEqual([{ amountType: 'free' }])
})

test('a trial is a length and a unit, and an empty length is none', () => {
  const withTrial = { ...draftOf(product), trial: { count: '14', unit: 'day' as const, needsCard: false } }

  expect(changesOf(withTrial, product)).toMatchObject({
    trialInterval: 'day',
    trialIntervalCount: 14,
    trialCardRequired: false,
  })
  expect(changesOf(draftOf(product), product)).toMatchObject({ trialInterval: null, trialIntervalCount: null })
  expect(() => changesOf({ ...withTrial, trial: { ...withTrial.trial, count: '1.5' } }, product)).toThrow()
})
