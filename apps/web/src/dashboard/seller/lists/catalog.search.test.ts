import { expect, test } from 'vitest'
import { checkoutLinks } from '../checkout-links/checkout-links.resource.ts'
import { customFields } from '../custom-fields/custom-fields.resource.ts'
import { discounts } from '../discounts/discounts.resource.ts'
import { meters } from '../meters/meters.resource.ts'
import { products } from '../products/products.resource.ts'

const id = '0b0e5f6e-9d0c-4b4e-8a1f-5a4b9f0e7c11'
const first = { limit: 50, sorting: ['-created_at'] }

test.each([
  ['products that are for sale', products.queryOf(products.searchIn({})), { ...first, isArchived: false }],
  ['discounts', discounts.queryOf(discounts.searchIn({})), first],
  ['checkout links', checkoutLinks.queryOf(checkoutLinks.searchIn({})), first],
  ['custom fields', customFields.queryOf(customFields.searchIn({})), first],
  ['meters', meters.queryOf(meters.searchIn({})), first],
])('an address without anything is the first page of all %s, newest first', (_, query, expected) => {
  expect(query).toEqual(expected)
})

test('an address with everything asks for exactly those products', () => {
  const given = { q: 'pro', archive: 'archived', interval: 'one_time', sort: 'name', cursor: 'abc', page: '2' } as const

  expect(products.searchIn(given)).toEqual({ ...given, page: 2 })
  expect(products.queryOf(products.searchIn(given))).toEqual({
    limit: 50,
    query: 'pro',
    isArchived: true,
    isRecurring: false,
    sorting: ['name'],
    cursor: 'abc',
  })
})

test('products of either kind are asked for without a word about it', () => {
  expect(products.queryOf({ archive: 'all' })).toEqual(first)
})

test('the other lists are narrowed and sorted by the server’s own names', () => {
  expect(discounts.queryOf(discounts.searchIn({ q: 'x', sort: '-redeemed' }))).toEqual({
    limit: 50,
    query: 'x',
    sorting: ['-redemptions_count'],
  })
  expect(checkoutLinks.queryOf(checkoutLinks.searchIn({ product: id, sort: 'label' }))).toEqual({
    limit: 50,
    productId: [id],
    sorting: ['label'],
  })
  expect(customFields.queryOf(customFields.searchIn({ type: 'select', sort: 'type' }))).toEqual({
    limit: 50,
    type: ['select'],
    sorting: ['type'],
  })
  expect(meters.queryOf(meters.searchIn({ q: 'calls', sort: '-name' }))).toEqual({
    limit: 50,
    query: 'calls',
    sorting: ['-name'],
  })
})

test('each list can be narrowed to days of creation', () => {
  const given = { created: '2026-11-01..2026-11-30' }
  const asked = {
    createdAfter: new Date('2026-11-01T00:00:00').toISOString(),
    createdBefore: new Date('2026-11-30T23:59:59.999').toISOString(),
  }

  expect(products.searchIn(given)).toEqual(given)
  expect(products.searchIn({ created: '2026-11-30..2026-11-01' })).toEqual({})
  expect(products.filtersOf(products.searchIn(given))).toMatchObject(asked)
  expect(discounts.filtersOf(discounts.searchIn(given))).toEqual(asked)
  expect(checkoutLinks.filtersOf(checkoutLinks.searchIn(given))).toEqual(asked)
  expect(customFields.filtersOf(customFields.searchIn(given))).toEqual(asked)
  expect(meters.filtersOf(meters.searchIn(given))).toEqual(asked)
})

test('what an address cannot mean counts as not said', () => {
  const given = { q: ['a'], archive: 'x', interval: 'week', type: 'file', product: 'x', sort: 'constructor', page: '3' }

  for (const read of [
    products.searchIn,
    discounts.searchIn,
    checkoutLinks.searchIn,
    customFields.searchIn,
    meters.searchIn,
  ])
    expect(read(given)).toEqual({})
})
