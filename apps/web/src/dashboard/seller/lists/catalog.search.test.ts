import { expect, test } from 'vitest'
import { checkoutLinksQueryOf, checkoutLinksSearchIn } from '../checkout-links/checkout-links.search.ts'
import { customFieldsQueryOf, customFieldsSearchIn } from '../custom-fields/custom-fields.search.ts'
import { discountsQueryOf, discountsSearchIn } from '../discounts/discounts.search.ts'
import { metersQueryOf, metersSearchIn } from '../meters/meters.search.ts'
import { productsQueryOf, productsSearchIn } from '../products/products.search.ts'

const id = '0b0e5f6e-9d0c-4b4e-8a1f-5a4b9f0e7c11'
const first = { limit: 50, sorting: ['-created_at'] }

test.each([
  ['products that are for sale', productsQueryOf(productsSearchIn({})), { ...first, isArchived: false }],
  ['discounts', discountsQueryOf(discountsSearchIn({})), first],
  ['checkout links', checkoutLinksQueryOf(checkoutLinksSearchIn({})), first],
  ['custom fields', customFieldsQueryOf(customFieldsSearchIn({})), first],
  ['meters', metersQueryOf(metersSearchIn({})), first],
])('an address without anything is the first page of all %s, newest first', (_, query, expected) => {
  expect(query).toEqual(expected)
})

test('an address with everything asks for exactly those products', () => {
  const given = { q: 'pro', archive: 'archived', interval: 'one_time', sort: 'name', cursor: 'abc', page: '2' } as const

  expect(productsSearchIn(given)).toEqual({ ...given, page: 2 })
  expect(productsQueryOf(productsSearchIn(given))).toEqual({
    limit: 50,
    query: 'pro',
    isArchived: true,
    isRecurring: false,
    sorting: ['name'],
    cursor: 'abc',
  })
})

test('products of either kind are asked for without a word about it', () => {
  expect(productsQueryOf({ archive: 'all' })).toEqual(first)
})

test('the other lists are narrowed and sorted by the server’s own names', () => {
  expect(discountsQueryOf(discountsSearchIn({ q: 'x', sort: '-redeemed' }))).toEqual({
    limit: 50,
    query: 'x',
    sorting: ['-redemptions_count'],
  })
  expect(checkoutLinksQueryOf(checkoutLinksSearchIn({ product: id, sort: 'label' }))).toEqual({
    limit: 50,
    productId: [id],
    sorting: ['label'],
  })
  expect(customFieldsQueryOf(customFieldsSearchIn({ type: 'select', sort: 'type' }))).toEqual({
    limit: 50,
    type: ['select'],
    sorting: ['type'],
  })
  expect(metersQueryOf(metersSearchIn({ q: 'calls', sort: '-name' }))).toEqual({
    limit: 50,
    query: 'calls',
    sorting: ['-name'],
  })
})

test('what an address cannot mean counts as not said', () => {
  const given = { q: ['a'], archive: 'x', interval: 'week', type: 'file', product: 'x', sort: 'constructor', page: '3' }

  for (const read of [productsSearchIn, discountsSearchIn, checkoutLinksSearchIn, customFieldsSearchIn, metersSearchIn])
    expect(read(given)).toEqual({})
})
