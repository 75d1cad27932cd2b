import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepJobId } from '../../../app/sweep.ts'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { provenAccount } from '../testing/account.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
})

afterAll(() => server[Symbol.asyncDispose]())

const look = (slug: string, visitor = server.visitor()) => visitor.request('GET', `/v1/storefronts/${slug}`)
const choose = (slug: string, productId: unknown, visitor = server.visitor()) =>
  visitor.request('POST', `/v1/storefronts/${slug}/checkouts`, { body: { product_id: productId } })

test('every user sees the products on sale, oldest first, without the seller’s own notes', async () => {
  const merchant = await createShop(server)
  const first = await merchant.product([fixedPrice(1900)], 'month', 'Monthly')
  server.clock.advance(1000)
  const second = await merchant.product([freePrice])
  const gone = await merchant.product([fixedPrice(900)])
  await merchant.patch(`/products/${first}`, { metadata: { margin: 'secret note' } })
  await merchant.patch(`/products/${gone}`, { is_archived: true })

  const { status, body, text } = await look(merchant.slug)

  expect(status).toBe(200)
  expect(body.organization).toEqual({
    name: expect.stringMatching(/^Seller/),
    slug: merchant.slug,
    avatar_url: null,
    website: null,
    brand: { color: null, background: null, radius: null },
  })
  expect(body.products.map(({ id }: { id: string }) => id)).toEqual([first, second])
  expect(body.products[0]).toMatchObject({
    name: 'Monthly',
    recurring_interval: 'month',
    prices: [{ amount_type: 'fixed', price_amount: 1900 }],
  })
  expect(body.current_product_ids).toEqual([])
  expect(text).not.toMatch(/secret note|metadata/)
})

test('the products stand in the seller’s order, with their features and the highlight', async () => {
  const merchant = await createShop(server)
  const first = await merchant.product([fixedPrice(1900)], 'month', 'Monthly')
  server.clock.advance(1000)
  const second = await merchant.product([fixedPrice(4900)], 'month', 'Fleet')
  await merchant.patch(`/products/${second}`, { position: 0, features: ['Every route'], is_highlighted: true })

  const { body } = await look(merchant.slug)

  expect(body.products).toMatchObject([
    { id: second, features: ['Every route'], is_highlighted: true },
    { id: first, features: [], is_highlighted: false },
  ])
})

test('an organization that may not sell is like a missing one', async () => {
  const merchant = await createTestMerchant(server)
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx
      .updateTable('merchant')
      .set({ approvedAt: null })
      .where('organizationId', '=', merchant.organizationId)
      .execute(),
  )

  const answers = [await look(merchant.slug), await look('nobody'), await choose(merchant.slug, crypto.randomUUID())]

  for (const { status, body } of answers)
    expect([status, body]).toEqual([404, { error: 'ResourceNotFound', detail: 'Not found' }])
})

test('a signed-in user sees their subscriptions, and other users do not', async () => {
  const product = await shop.product([fixedPrice(1900)], 'month')
  const ada = await provenAccount(server, 'Ada')
  const grace = await server.signedUp('Grace')
  const { body: begun } = await choose(shop.slug, product)
  const confirmed = await ada.request('POST', `/v1/checkouts/client/${begun.client_secret}/confirm`, {
    body: {
      customer_email: ada.email,
      customer_name: 'Ada',
      customer_billing_address: { country: 'DE' },
      confirmation_token_id: 'ctoken_sandbox_success',
    },
  })
  expect(confirmed.status).toBe(200)

  const seen = await Promise.all([ada, grace, server.visitor()].map((each) => look(shop.slug, each)))

  expect(seen.map(({ body }) => body.current_product_ids)).toEqual([[product], [], []])
})

test('a member who acts in an organization sees its subscriptions', async () => {
  const product = await shop.product([fixedPrice(1900)], 'month')
  const ada = await provenAccount(server, 'Ada')
  const { body: organization } = await ada.post('/organization/create', { name: 'Buyers', slug: 'buyers' })
  const { body: begun } = await choose(shop.slug, product)
  const confirmed = await ada.request('POST', `/v1/checkouts/client/${begun.client_secret}/confirm`, {
    body: {
      customer_email: ada.email,
      customer_name: 'Ada',
      customer_billing_address: { country: 'DE' },
      confirmation_token_id: 'ctoken_sandbox_success',
    },
  })
  expect(confirmed.status).toBe(200)
  expect((await look(shop.slug, ada)).body.current_product_ids).toEqual([product])

  await ada.post('/organization/set-active', { organizationId: null })

  expect(organization.slug).toBe('buyers')
  expect((await look(shop.slug, ada)).body.current_product_ids).toEqual([])
})

test('a product that is on sale leads to an open checkout of it', async () => {
  const product = await shop.product([fixedPrice(1900)])

  const { status, body } = await choose(shop.slug, product)

  expect(status).toBe(201)
  expect(body.url).toMatch(new RegExp(`/checkout/${body.client_secret}$`))
  const checkout = await server.visitor().request('GET', `/v1/checkouts/client/${body.client_secret}`)
  expect(checkout.body).toMatchObject({ status: 'open', product_id: product, total_amount: 1900 })
})

test('an archived, foreign or missing product leads nowhere', async () => {
  const archived = await shop.product([fixedPrice(1900)])
  await shop.patch(`/products/${archived}`, { is_archived: true })
  const other = await createShop(server)
  const foreign = await other.product([fixedPrice(1900)])

  for (const id of [archived, foreign, crypto.randomUUID()]) expect((await choose(shop.slug, id)).status).toBe(404)
  for (const id of ['nothing', 5, null, undefined]) {
    const { status, body } = await choose(shop.slug, id)
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ['body', 'product_id']])
  }
})

test('a visitor’s abandoned draft is removed a week after its expiry, with its events; nothing else is', async () => {
  await using own = await createTestServer()
  const { ctx } = own.tollgate.internals
  const merchant = await createShop(own)
  const product = await merchant.product([freePrice])
  const begin = async () => {
    const path = `/v1/storefronts/${merchant.slug}/checkouts`
    const { body } = await own.visitor().request('POST', path, { body: { product_id: product } })
    const { items } = (await merchant.get('/checkouts?limit=1')).body
    own.clock.advance(1000)
    return { id: items[0].id as string, client_secret: body.client_secret as string }
  }
  const [left, bought] = [await begin(), await begin()]
  const { body: link } = await merchant.post('/checkout-links', { products: [product] })
  const followed = await own.visitor().request('GET', new URL(link.url).pathname)
  const named = await merchant.checkout(product)
  await own.visitor().request('PATCH', `/v1/checkouts/client/${left.client_secret}`, {
    body: { customer_email: 'somebody@example.com' },
  })
  expect([followed.status, (await merchant.confirm(bought)).status]).toEqual([303, 200])
  const sweep = async () => {
    await ctx.transaction((tx) =>
      tx.updateTable('job').set({ runAt: own.clock.now() }).where('id', '=', sweepJobId).execute(),
    )
    await ctx.jobs.runDue()
  }
  const there = async () => (await ctx.db.selectFrom('checkout').select('id').execute()).map(({ id }) => id)
  const told = async ({ id }: { id: string }) =>
    (await ctx.db.selectFrom('event').select('type').where('subjectId', '=', id).execute()).map(({ type }) => type)

  own.clock.advance(days(1))
  await sweep()
  await sweep()
  expect(await there()).toHaveLength(4)
  expect(await told(left)).toEqual(['checkout.created', 'checkout.updated', 'checkout.updated', 'checkout.expired'])
  own.clock.advance(days(7))
  await sweep()

  expect(new Set(await there())).toEqual(new Set([bought.id, named.id]))
  expect(await told(left)).toEqual([])
  expect(await told(named)).toEqual(['checkout.created', 'checkout.updated', 'checkout.expired'])
  expect((await told(bought)).length).toBeGreaterThan(1)
})

test('no user begins checkouts without end: from one address so many in a minute', async () => {
  await using own = await createTestServer({ rateLimit: { enabled: true } })
  const merchant = await createShop(own)
  const product = await merchant.product([freePrice])
  const path = `/v1/storefronts/${merchant.slug}/checkouts`
  const begin = () => own.visitor().request('POST', path, { body: { product_id: product } })

  const statuses: number[] = []
  for (let count = 0; count < 32; count += 1) statuses.push((await begin()).status)

  expect(statuses.filter((status) => status === 201)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
  own.clock.advance(60_000)
  expect((await begin()).status).toBe(201)
})
