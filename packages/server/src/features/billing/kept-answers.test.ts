import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../foundation/db/database.ts'
import { sha256 } from '../../foundation/token.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { createShop, fixedPrice, freePrice, type Shop } from './testing/shop.ts'

type Scene = { server: TestServer; shop: Shop; productId: string; orderId: string; fieldId: string }

/** A shop that has sold a product. Its order, its product and its list of products are already cached. */
async function scene(server: TestServer): Promise<Scene> {
  const shop = await createShop(server)
  const productId = await shop.product([fixedPrice(1000)])
  const { order } = await shop.buy(productId)
  const { body: field } = await shop.post('/custom-fields', {
    type: 'text',
    slug: 'size',
    name: 'Size',
    properties: {},
  })
  await shop.patch(`/products/${productId}`, {
    attached_custom_fields: [{ custom_field_id: field.id, required: false }],
  })
  const before = { server, shop, productId, orderId: order.id, fieldId: field.id }
  await seen(before)
  return before
}

/** What the cached calls answer. */
const seen = async ({ shop, productId, orderId }: Scene) => ({
  order: (await shop.get(`/orders/${orderId}`)).body,
  product: (await shop.get(`/products/${productId}`)).body,
  products: (await shop.get('/products')).body,
})

const changes: Record<string, (scene: Scene) => Promise<unknown>> = {
  'the order is refunded': ({ shop, orderId }) =>
    shop.post('/refunds', { order_id: orderId, amount: 400, reason: 'other' }),
  'the product has another name': ({ shop, productId }) => shop.patch(`/products/${productId}`, { name: 'Other' }),
  'the product has another price': ({ shop, productId }) =>
    shop.patch(`/products/${productId}`, { prices: [fixedPrice(2000)] }),
  'a custom field has another name': ({ shop, fieldId }) =>
    shop.patch(`/custom-fields/${fieldId}`, { type: 'text', name: 'Width' }),
  'a custom field is deleted': ({ shop, fieldId }) => shop.delete(`/custom-fields/${fieldId}`),
  'a product is added': ({ shop }) => shop.product([freePrice]),
}

test.each(Object.entries(changes))('orders and products are current once %s', async (_, change) => {
  await using server = await createTestServer()
  const before = await scene(server)
  const past = await seen(before)
  expect(await seen(before)).toEqual(past)

  await change(before)
  await server.tollgate.internals.ctx.jobs.runDue()

  const now = await seen(before)
  expect(now).not.toEqual(past)
  // Another limit is another page, which is not cached yet.
  expect((await before.shop.get('/products?limit=50')).body.items).toEqual(now.products.items)
})

test('a change by another process shows at once', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-kept-'))
  const url = `sqlite:${path.join(folder, 'shared.db')}`
  try {
    await using server = await createTestServer({}, { databaseUrl: url })
    const before = await scene(server)
    const other = openDatabase(url)

    await other.db.transaction().execute((tx) => tx.updateTable('product').set({ name: 'Elsewhere' }).execute())
    await other.db.transaction().execute((tx) => tx.updateTable('order').set({ billingName: 'Elsewhere' }).execute())

    const { order, product, products } = await seen(before)
    expect([order.billing_name, product.name, products.items[0].name]).toEqual(Array(3).fill('Elsewhere'))
    await other.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a cached answer is only for its own seller', async () => {
  await using server = await createTestServer()
  const { productId, orderId } = await scene(server)
  const stranger = await createShop(server)

  expect((await stranger.get(`/orders/${orderId}`)).status).toBe(404)
  expect((await stranger.get(`/products/${productId}`)).status).toBe(404)
  expect((await stranger.get('/products')).body.items).toEqual([])
})

test('a deleted token and a withdrawn approval end access at once', async () => {
  await using server = await createTestServer()
  const { shop, orderId } = await scene(server)
  const { ctx } = server.tollgate.internals
  const { organizationId } = shop
  const create = () => shop.post('/products', { name: 'More', recurring_interval: null, prices: [freePrice] })
  expect((await create()).status).toBe(201)

  await ctx.transaction((tx) =>
    tx.updateTable('merchant').set({ approvedAt: null }).where('organizationId', '=', organizationId).execute(),
  )
  const withoutApproval = await create()
  await ctx.transaction((tx) =>
    tx.deleteFrom('organizationAccessToken').where('tokenHash', '=', sha256(shop.token)).execute(),
  )
  const withoutToken = await shop.get(`/orders/${orderId}`)

  expect(withoutApproval.status).toBe(403)
  expect(withoutToken.status).toBe(401)
})

test('server code that changes its answer changes no other caller’s', async () => {
  await using server = await createTestServer()
  const before = await scene(server)
  const past = await seen(before)
  const { api } = server.tollgate
  const query = { organizationId: before.shop.organizationId }

  const order = await api.getOrder({ params: { id: before.orderId }, query })
  Object.assign(order.customer, { name: 'Changed' })
  const product = await api.getProduct({ params: { id: before.productId }, query })
  product.name = 'Changed'
  const products = await api.listProducts({ query })
  products.items.length = 0

  expect(await seen(before)).toEqual(past)
})
