import { expect, test } from 'vitest'
import { findFirstShop } from '../features/billing/checkout/shop.repository.ts'
import { createTestServer } from '../testing.ts'
import { demoBrand } from './demo-shop.ts'
import { seedShop } from './seed-shop.ts'

test('a demo shop has everything to look at and a year behind it, made by its rules, once', {
  timeout: 600_000,
}, async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const owner = await server.signedUp()
  await owner.post('/organization/create', { name: 'Northwind', slug: 'northwind' })
  expect(await findFirstShop(ctx.db)).toBeUndefined()

  const shop = await seedShop(ctx, 'northwind')
  await ctx.jobs.runDue()

  expect(shop).toMatchObject({
    pricing: 'http://localhost:3000/pricing/northwind',
    dashboard: 'http://localhost:3000/dashboard/northwind',
    checkout: expect.stringMatching(/^http:\/\/localhost:3000\/buy\//),
  })
  expect(await findFirstShop(ctx.db)).toEqual({ slug: 'northwind' })
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${shop?.token}` }
    return (await server.visitor().request('GET', `/v1${path}`, { headers })).body
  }
  const count = async (path: string) => (await read(path)).pagination.total_count
  expect((await read('/storefronts/northwind')).organization).toMatchObject({
    brand: demoBrand,
    avatar_url: expect.stringMatching(/^http:\/\/localhost:3000\/pictures\/.+\.png$/),
  })
  expect(await count('/products')).toBe(8)
  expect(await count('/custom-fields')).toBe(3)
  expect(await count('/meters')).toBe(1)
  expect(await count('/discounts')).toBe(4)
  expect(await count('/checkout-links')).toBe(1)
  expect(await count('/customers')).toBeGreaterThan(50)
  expect(await count('/orders')).toBeGreaterThan(100)
  expect(await count('/payments?status=failed')).toBeGreaterThan(3)
  expect(await count('/refunds?succeeded=true')).toBe(2)
  expect([await count('/orders?status=refunded'), await count('/orders?status=partially_refunded')]).toEqual([1, 1])

  const { items: newest } = await read('/orders?limit=1')
  const { items: oldest } = await read('/orders?limit=1&sorting=created_at')
  const span = Date.parse(newest[0].created_at) - Date.parse(oldest[0].created_at)
  expect(span / 86_400_000).toBeGreaterThan(330)
  expect(Date.parse(newest[0].created_at)).toBeLessThanOrEqual(server.clock.now().getTime())
  // Invented customers read no receipts.
  expect(
    await ctx.db.selectFrom('inboxMessage').select('id').where('recipient', 'like', '%@customers.example').execute(),
  ).toEqual([])
  const numbered = await ctx.db
    .selectFrom('order')
    .select((is) => is.ref('invoiceNumber').$notNull().as('invoiceNumber'))
    .where('invoiceIssuedAt', 'is not', null)
    .orderBy('createdAt')
    .orderBy('invoiceNumber')
    .execute()
  expect(numbered.map(({ invoiceNumber }) => Number(invoiceNumber.split('-').at(-1)))).toEqual(
    numbered.map((_, index) => index + 1),
  )
  // Abandoned checkouts expired at their own time, not when the shop was created.
  const ends = await ctx.db
    .selectFrom('event')
    .innerJoin('checkout', 'checkout.id', 'event.subjectId')
    .select(['event.createdAt', 'checkout.expiresAt'])
    .where('event.type', '=', 'checkout.expired')
    .execute()
  expect(ends.length).toBeGreaterThan(5)
  expect(ends.map(({ createdAt }) => createdAt)).toEqual(ends.map(({ expiresAt }) => expiresAt))
  // No period has ended without a renewal.
  const subscriptions = await ctx.db.selectFrom('subscription').select(['status', 'currentPeriodEnd']).execute()
  expect(subscriptions.length).toBeGreaterThan(40)
  for (const { status, currentPeriodEnd } of subscriptions)
    expect([status, currentPeriodEnd! > server.clock.now()]).toEqual(['active', true])
  expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])

  expect(await seedShop(ctx, 'northwind')).toBeUndefined()
  expect(await count('/products')).toBe(8)
})

test('there is no demo shop where billing is off, or the organization has no members', async () => {
  await using server = await createTestServer()
  await using without = await createTestServer({ billing: false })

  expect(await seedShop(server.tollgate.internals.ctx, 'northwind')).toBeUndefined()
  expect(await seedShop(without.tollgate.internals.ctx, 'northwind')).toBeUndefined()
})
