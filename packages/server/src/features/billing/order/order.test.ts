import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, fixedPrice, freePrice, newBuyer, type Shop } from '../testing/shop.ts'
import type { SubscriptionRow } from './subscription.repository.ts'

let server: TestServer
let shop: Shop
let other: Shop
/** The purchases, one a day. */
const bought: Record<string, { id: string; [member: string]: unknown }> = {}
let alpha: string
let beta: string
let plan: string
let discount: { id: string; code: string }

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  other = await createShop(server)
  alpha = await shop.product([fixedPrice(1000)], null, 'Alpha')
  beta = await shop.product([fixedPrice(3000)], null, 'Beta')
  plan = await shop.product([fixedPrice(2000)], 'month', 'Plan')
  discount = await shop.discount({ name: 'Half', basis_points: 5000 })
  const ada = { customer_email: 'ada@example.com', customer_name: 'Ada Lovelace' }
  const bob = { customer_email: 'bob@example.com', customer_name: 'Bob 100%' }
  await shop.post('/customers', { email: ada.customer_email, external_id: 'user-1' })
  const purchases: [string, string, object, object][] = [
    ['first', alpha, ada, { metadata: { campaign: 'spring' } }],
    ['second', beta, bob, { metadata: { campaign: 'autumn', count: 7 } }],
    ['third', plan, ada, {}],
    ['fourth', beta, { ...ada, discount_code: discount.code }, {}],
    ['fifth', plan, bob, {}],
  ]
  for (const [name, product, buyer, given] of purchases) {
    const checkout = await shop.checkout(product, given)
    await shop.confirm(checkout, { ...newBuyer(), ...buyer })
    ;[bought[name]] = (await shop.ordersOf(checkout)) as [(typeof bought)[string]]
    server.clock.advance(days(1))
  }
  await shop.confirm(await shop.checkout(alpha), { ...bob, confirmation_token_id: 'ctoken_sandbox_decline' })
})
afterAll(() => server[Symbol.asyncDispose]())

const namesOf = (items: { id: string }[]) =>
  items.map(({ id }) => Object.keys(bought).find((name) => bought[name]!.id === id))
/** The end of its invoice's number. */
const digitsOf = (order: Record<string, unknown>) => String(order.invoice_number).split('-').at(-1)

const list = async (query: string) => {
  const { status, text, body } = await shop.get(`/orders${query}`)
  if (status !== 200) throw new Error(text)
  return body
}

describe('orders', () => {
  test('are listed, the newest first, with how many there are', async () => {
    const body = await list('')

    expect(namesOf(body.items)).toEqual(['fifth', 'fourth', 'third', 'second', 'first'])
    expect(body.pagination).toMatchObject({ total_count: 5, max_page: 1 })
  })

  test('are read one by one', async () => {
    const { body } = await shop.get(`/orders/${bought.fourth!.id}`)

    expect(body).toEqual((await list('')).items[1])
    expect(body).toMatchObject({ subtotal_amount: 3000, discount_amount: 1500, total_amount: 1500, due_amount: 1500 })
    expect(body).toMatchObject({ discount: { id: discount.id, name: 'Half' }, refundable_amount: 1500 })
  })

  test.each([
    [() => `?product_id=${beta}`, ['fourth', 'second']],
    [() => `?product_id=${beta}&product_id=${alpha}`, ['fourth', 'second', 'first']],
    [() => '?product_billing_type=recurring', ['fifth', 'third']],
    [() => '?product_billing_type=one_time', ['fourth', 'second', 'first']],
    [() => '?product_billing_type=one_time&product_billing_type=recurring&limit=2', ['fifth', 'fourth']],
    [() => `?discount_id=${discount.id}`, ['fourth']],
    [() => `?customer_id=${bought.second!.customer_id}`, ['fifth', 'second']],
    [() => '?external_customer_id=user-1', ['fourth', 'third', 'first']],
    [() => `?checkout_id=${bought.third!.checkout_id}`, ['third']],
    [() => `?subscription_id=${bought.third!.subscription_id}`, ['third']],
    [() => '?status=paid&query=ADA', ['fourth', 'third', 'first']],
    [() => '?status=refunded', []],
    [() => '?query=100%25', ['fifth', 'second']],
    [() => '?query=%25', ['fifth', 'second']],
    [() => `?query=${bought.second!.invoice_number}`, ['second']],
    [() => `?query=${digitsOf(bought.second!)}`, ['second']],
    [() => `?query=${Number(digitsOf(bought.second!))}`, ['second']],
    [() => `?query=${String(bought.second!.invoice_number).toLowerCase().replace('-0000', '-')}-r`, ['second']],
    [() => `?query=other-${digitsOf(bought.second!)}`, []],
    [() => '?metadata[campaign]=spring', ['first']],
    [() => '?metadata[campaign]=spring&metadata[campaign]=autumn', ['second', 'first']],
    [() => '?metadata[count]=7', ['second']],
    [() => '?metadata[count]=8', []],
    [() => `?product_id=${newUuid()}`, []],
    [() => `?created_after=${bought.fourth!.created_at}`, ['fifth', 'fourth']],
    [() => `?created_before=${bought.second!.created_at}&status=paid`, ['second', 'first']],
    [
      () => `?created_after=${bought.second!.created_at}&created_before=${bought.third!.created_at}`,
      ['third', 'second'],
    ],
  ])('filter %#', async (query, expected) => {
    const body = await list(query())

    expect(namesOf(body.items)).toEqual(expected)
  })

  test.each([
    ['created_at', ['first', 'second', 'third', 'fourth', 'fifth']],
    ['-invoice_number', ['fifth', 'fourth', 'third', 'second', 'first']],
    ['amount', ['first', 'fourth', 'third', 'fifth', 'second']],
    ['-net_amount', ['second', 'third', 'fifth', 'fourth', 'first']],
  ])('sorted by %s', async (sorting, expected) => {
    const { items } = await list(`?sorting=${sorting}&sorting=created_at`)

    // Of equal ones the older comes first.
    expect(namesOf(items)).toEqual(expected)
  })

  test.each(['customer', 'product', 'discount', 'subscription', 'status'])('by %s, in pages of two', async (field) => {
    for (const sorting of [field, `-${field}`]) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const body = await list(`?sorting=${sorting}&limit=2&cursor=${encodeURIComponent(cursor)}`)
        seen.push(...body.items.map(({ id }: { id: string }) => id))
        cursor = body.pagination.next_cursor
      }
      expect(seen).toHaveLength(5)
      expect(new Set(seen).size).toBe(5)
    }
  })

  test('are sorted by the names that people know', async () => {
    const { items } = await list('?sorting=customer')
    expect(items.map(({ customer }: { customer: { email: string } }) => customer.email)).toEqual(
      ['ada', 'ada', 'ada', 'bob', 'bob'].map((name) => `${name}@example.com`),
    )
    const byProduct = (await list('?sorting=-product')).items
    expect(byProduct.map(({ product }: { product: { name: string } }) => product.name)).toEqual([
      'Plan',
      'Plan',
      'Beta',
      'Beta',
      'Alpha',
    ])
  })

  test('stay as they were, whatever happens to product, customer, discount and prices (ORD-8)', async () => {
    const before = (await shop.get(`/orders/${bought.fourth!.id}`)).body
    await shop.patch(`/products/${beta}`, { name: 'Beta 2', prices: [fixedPrice(9900)] })
    await shop.patch(`/customers/${before.customer_id}`, {
      name: 'Somebody else',
      billing_address: { country: 'FR' },
    })
    await shop.delete(`/discounts/${discount.id}`)
    await shop.patch(`/organizations/${shop.organizationId}`, { name: 'Another name' })

    expect((await shop.get(`/orders/${bought.fourth!.id}`)).body).toEqual(before)
  })
})

describe('another user’s objects', () => {
  test('is not found', async () => {
    for (const path of [
      `/orders/${bought.first!.id}`,
      `/subscriptions/${bought.third!.subscription_id}`,
      `/payments/${(await shop.get('/payments')).body.items[0].id}`,
    ]) {
      expect((await shop.get(path)).status).toBe(200)
      const { status, body } = await other.get(path)
      expect({ status, error: body.error }).toEqual({ status: 404, error: 'ResourceNotFound' })
      expect((await shop.get(path.replace(/[^/]+$/, newUuid()))).status).toBe(404)
      expect((await shop.get(path.replace(/[^/]+$/, 'x'))).status).toBe(422)
    }
  })

  test('is in no list', async () => {
    for (const path of ['/orders', '/subscriptions', '/payments']) {
      expect((await other.get(path)).body.items).toEqual([])
      expect((await other.get(`${path}?customer_id=${bought.first!.customer_id}`)).body.items).toEqual([])
      expect((await other.get(`${path}?organization_id=${shop.organizationId}`)).body.items).toEqual([])
    }
  })
})

describe('subscriptions', () => {
  test.each([
    ['', 2],
    ['?active=true', 2],
    ['?active=false', 0],
    ['?status=active&status=past_due', 2],
    ['?status=canceled', 0],
    ['?cancel_at_period_end=false', 2],
    ['?cancel_at_period_end=true', 0],
    ['?external_customer_id=user-1', 1],
    ['?metadata[campaign]=spring', 0],
  ])('filter %s', async (query, count) => {
    const { body } = await shop.get(`/subscriptions${query}`)

    expect(body.items).toHaveLength(count)
    expect(body.pagination.total_count).toBe(count)
  })

  test.each([
    'created_at',
    'customer',
    'status',
    'started_at',
    'current_period_end',
    'ended_at',
    'ends_at',
    'amount',
    'product',
    'discount',
  ])('sorted by %s, in pages of one', async (field) => {
    const first = (await shop.get(`/subscriptions?sorting=-${field}&limit=1&cursor=`)).body
    const cursor = encodeURIComponent(first.pagination.next_cursor)
    const second = (await shop.get(`/subscriptions?sorting=-${field}&limit=1&cursor=${cursor}`)).body

    expect(second.pagination.next_cursor).toBeNull()
    expect(first.items[0].id).not.toBe(second.items[0].id)
  })

  test('are read with everything they are about', async () => {
    const { body } = await shop.get(`/subscriptions/${bought.third!.subscription_id}`)

    expect(body).toMatchObject({
      customer: { id: bought.third!.customer_id },
      product: { id: plan, prices: [{ price_amount: 2000 }] },
      prices: [{ price_amount: 2000 }],
    })
    expect((await shop.get('/subscriptions')).body.items).toContainEqual(body)
    expect((await shop.get(`/subscriptions?product_id=${plan}&discount_id=${discount.id}`)).body.items).toEqual([])
  })

  test('are found by when they began, and by when and why they were canceled', async () => {
    const [early, late] = [bought.third!, bought.fifth!]
    const canceledAt = server.clock.now()
    const { ctx } = server.tollgate.internals
    const note = (changes: Pick<SubscriptionRow, 'canceledAt' | 'customerCancellationReason'>) =>
      ctx.transaction((tx) =>
        tx
          .updateTable('subscription')
          .set(changes)
          .where('id', '=', early.subscription_id as string)
          .execute(),
      )
    await note({ canceledAt, customerCancellationReason: 'unused' })
    const [at, before] = [canceledAt, new Date(canceledAt.getTime() - 1)].map((time) => time.toISOString())
    const found: [query: string, expected: unknown[]][] = [
      [`started_after=${late.created_at}`, [late]],
      [`started_before=${early.created_at}`, [early]],
      [`started_after=${early.created_at}&started_before=${late.created_at}`, [late, early]],
      [`canceled_at_after=${at}`, [early]],
      [`canceled_at_before=${at}`, [early]],
      [`canceled_at_before=${before}`, []],
      ['customer_cancellation_reason=unused', [early]],
      ['customer_cancellation_reason=too_complex&customer_cancellation_reason=unused', [early]],
      ['customer_cancellation_reason=too_complex', []],
    ]
    for (const [query, expected] of found) {
      const { items } = (await shop.get(`/subscriptions?${query}`)).body
      const ids = (expected as (typeof early)[]).map(({ subscription_id }) => subscription_id)
      expect([query, items.map(({ id }: { id: string }) => id)]).toEqual([query, ids])
    }
    expect((await shop.get('/subscriptions?customer_cancellation_reason=bored')).status).toBe(422)
    await note({ canceledAt: null, customerCancellationReason: null })
  })

  test('keep their price when the product’s changes (SUB-4)', async () => {
    await shop.patch(`/products/${plan}`, { prices: [fixedPrice(5000)] })

    const { body } = await shop.get(`/subscriptions/${bought.third!.subscription_id}`)
    expect(body).toMatchObject({ amount: 2000, prices: [{ price_amount: 2000, is_archived: true }] })
    expect(body.product.prices).toMatchObject([{ price_amount: 5000 }])
  })
})

describe('payments', () => {
  test.each([
    ['', 6],
    ['?status=failed', 1],
    ['?status=succeeded', 5],
    ['?status=pending', 0],
    ['?method=card', 6],
    ['?method=paypal', 0],
    ['?customer_email=bob@example.com', 3],
    ['?sorting=status&sorting=-amount&sorting=method', 6],
  ])('filter %s', async (query, count) => {
    const { body } = await shop.get(`/payments${query}`)

    expect(body.items).toHaveLength(count)
    expect(body.pagination.total_count).toBe(count)
  })

  test('are found by order, checkout and customer, and read one by one', async () => {
    const { id, checkout_id, customer_id } = bought.second!
    const { items } = (await shop.get(`/payments?order_id=${id}`)).body

    expect(items).toMatchObject([{ order_id: id, checkout_id, customer_id, status: 'succeeded', amount: 3000 }])
    expect((await shop.get(`/payments?checkout_id=${checkout_id}`)).body.items).toEqual(items)
    expect((await shop.get(`/payments?customer_id=${customer_id}`)).body.items).toContainEqual(items[0])
    expect((await shop.get(`/payments/${items[0].id}`)).body).toEqual(items[0])
  })

  test('that were declined show the reason', async () => {
    const { body } = await shop.get('/payments?status=failed')

    expect(body.items).toMatchObject([
      {
        decline_reason: 'card_declined',
        decline_message: 'The card was declined.',
        method_metadata: { last4: '0002' },
      },
    ])
  })

  test('do not exist for free orders', async () => {
    const { checkout } = await shop.buy(await shop.product([freePrice]))

    expect(await shop.paymentsOf(checkout)).toEqual([])
  })
})
