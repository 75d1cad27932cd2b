import { expect, test } from 'vitest'
import { customers } from '../customers/customers.resource.ts'
import { orders } from '../orders/orders.resource.ts'
import { payments } from '../payments/payments.resource.ts'
import { subscriptions } from '../subscriptions/subscriptions.resource.ts'
import { tokens } from '../tokens/tokens.resource.ts'
import { idIn } from './list-search.ts'

const id = '0b0e5f6e-9d0c-4b4e-8a1f-5a4b9f0e7c11'

test.each([
  ['customers', customers.searchIn({}), customers.queryOf({})],
  ['orders', orders.searchIn({}), orders.queryOf({})],
  ['subscriptions', subscriptions.searchIn({}), subscriptions.queryOf({})],
  ['payments', payments.searchIn({}), payments.queryOf({})],
  ['access tokens', tokens.searchIn({}), tokens.queryOf({})],
])('an address without anything is the first page of all %s, newest first', (_, search, query) => {
  expect(search).toEqual({})
  expect(query).toEqual({ limit: 50, sorting: ['-created_at'] })
})

test('an address with everything asks for exactly those customers', () => {
  const search = customers.searchIn({ q: 'ada', sort: '-email', cursor: 'abc', page: '2' })

  expect(search).toEqual({ q: 'ada', sort: '-email', cursor: 'abc', page: 2 })
  expect(customers.queryOf(search)).toEqual({ limit: 50, query: 'ada', sorting: ['-email'], cursor: 'abc' })
})

test('an address with everything asks for exactly those orders', () => {
  const given = { q: 'NW-000012', status: 'paid', product: id, customer: id, sort: 'amount' } as const

  expect(orders.searchIn(given)).toEqual(given)
  expect(orders.queryOf(given)).toEqual({
    limit: 50,
    query: 'NW-000012',
    status: ['paid'],
    productId: [id],
    customerId: [id],
    sorting: ['net_amount'],
  })
})

test('an address with everything asks for exactly those subscriptions', () => {
  const given = { stage: 'ending', status: 'active', product: id, customer: id, sort: 'ends' } as const

  expect(subscriptions.searchIn(given)).toEqual(given)
  expect(subscriptions.queryOf(given)).toEqual({
    limit: 50,
    active: true,
    cancelAtPeriodEnd: true,
    status: ['active'],
    productId: [id],
    customerId: [id],
    sorting: ['current_period_end'],
  })
})

test('an address with everything asks for exactly those payments', () => {
  const ids = { order: id, checkout: id, customer: id }
  const given = { q: 'ada@example.com', status: 'failed', method: 'card', ...ids, sort: '-amount' } as const

  expect(payments.searchIn(given)).toEqual(given)
  expect(payments.queryOf(given)).toEqual({
    limit: 50,
    customerEmail: ['ada@example.com'],
    status: ['failed'],
    method: ['card'],
    orderId: [id],
    checkoutId: [id],
    customerId: [id],
    sorting: ['-amount'],
  })
})

test('access tokens are sorted by the server’s names of their columns', () => {
  expect(tokens.queryOf(tokens.searchIn({ sort: '-used' })).sorting).toEqual(['-last_used_at'])
  expect(tokens.queryOf(tokens.searchIn({ sort: 'name' })).sorting).toEqual(['comment'])
})

test('what an address cannot mean counts as not said', () => {
  const given = { q: ['a'], status: 'constructor', stage: 'x', product: 'x', order: 'x', sort: 'secret', page: '3' }

  expect(orders.searchIn(given)).toEqual({})
  expect(subscriptions.searchIn(given)).toEqual({})
  expect(payments.searchIn(given)).toEqual({})
  expect(customers.searchIn({ sort: '-created' })).toEqual({})
})

test('several statuses are joined by commas, each once, and others are left out', () => {
  const search = subscriptions.searchIn({ status: 'past_due,active,secret,active' })

  expect(search).toEqual({ status: 'active,past_due' })
  expect(subscriptions.queryOf(search)).toMatchObject({ status: ['active', 'past_due'] })
  expect(subscriptions.searchIn({ status: 'secret,' })).toEqual({})
})

test.each([
  ['over', { status: ['canceled', 'incomplete_expired'] }],
  ['due', { renewsWithinDays: 7 }],
  ['past_due', { status: ['past_due'] }],
  ['running', { active: true }],
])('subscriptions that are %s are asked for by %o', (stage, asked) => {
  expect(subscriptions.queryOf(subscriptions.searchIn({ stage }))).toMatchObject(asked)
})

test.each([
  [id, id],
  [id.toUpperCase(), undefined],
  [`${id}0`, undefined],
  ['', undefined],
  [17, undefined],
])('%o names %o', (value, named) => {
  expect(idIn(value)).toBe(named)
})

test('as a file a list has the same rows, wherever one is in it and however it is ordered', () => {
  const search = { q: 'ada', status: 'paid', customer: id, sort: 'amount', cursor: 'abc', page: 2 } as const
  expect(orders.filtersOf(search)).toEqual({ query: 'ada', status: ['paid'], customerId: [id] })
  expect(subscriptions.filtersOf({ stage: 'ending', sort: '-ends' })).toEqual({
    active: true,
    cancelAtPeriodEnd: true,
  })
  expect(payments.filtersOf({})).toEqual({})
})
