import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShop, fixedPrice } from '../../packages/server/src/features/billing/testing/shop.ts'
import { moveClock } from '../../packages/server/src/features/dev/move-clock.ts'
import type { TestServer } from '../../packages/server/src/testing.ts'
import { createListeningServer } from './listening-server.ts'
import { polarVersions } from './polar-clients.ts'

/** Orders that a seller has voided, marked as paid or sent an invoice for: both generations of the client can read them. */

let server: TestServer

beforeAll(async () => {
  server = await createListeningServer()
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

test.each(polarVersions)('$name reads a voided order as pending, and a payment by hand', async (version) => {
  const shop = await createShop(server)
  const polar = version.client(server.baseURL, shop.token)
  const plan = await shop.product([fixedPrice(2000)], 'month')
  for (let count = 0; count < 2; count += 1)
    await shop.buy(plan, { confirmation_token_id: 'ctoken_sandbox_renewal_decline' })
  const { ctx } = server.tollgate.internals
  const month = 32 * 86_400_000
  await moveClock(ctx, new Date(ctx.clock.now().getTime() + month))
  const { items: due } = await polar.list('orders', { sorting: ['created_at'] })
  const [given, transferred] = due.filter(({ paid }: { paid: boolean }) => !paid)

  await shop.post(`/orders/${given.id}/void`, { reason: 'A gift' })
  await shop.post(`/orders/${transferred.id}/mark-paid`, { reference: 'NW-2041' })

  const { items: orders } = await polar.list('orders', {})
  const statusOf = (id: string) => orders.find((order: { id: string }) => order.id === id)?.status
  expect([statusOf(given.id), statusOf(transferred.id)]).toEqual(['pending', 'paid'])
  expect(await polar.get('orders', given.id)).toMatchObject({ status: 'pending', paid: false })
  const { items: payments } = await polar.list('payments', { order_id: transferred.id })
  const statuses = payments.map(({ processor, status }: { processor: string; status: string }) => [processor, status])
  expect(statuses).toContainEqual(['stripe', 'succeeded'])
  const { items: subscriptions } = await polar.list('subscriptions', {})
  expect(subscriptions.map(({ status }: { status: string }) => status)).toEqual(['active', 'active'])
})

test.each(polarVersions)('$name reads a subscription that is collected by invoice', async (version) => {
  const shop = await createShop(server)
  const polar = version.client(server.baseURL, shop.token)
  const product_id = await shop.product([fixedPrice(2000)], 'month')
  const given = { email: 'payer@example.com', name: 'Ada' }
  const { id: customer_id } = (await shop.post('/customers', { ...given, billing_address: { country: 'DE' } })).body
  const begun = await shop.post('/subscriptions', { product_id, customer_id, collection_method: 'send_invoice' })

  const { items: subscriptions } = await polar.list('subscriptions', {})
  const { items: orders } = await polar.list('orders', {})

  expect(begun.status).toBe(201)
  expect(subscriptions).toMatchObject([{ id: begun.body.id, status: 'active' }])
  expect(orders).toMatchObject([{ status: 'pending', paid: false }])
})
