import { expect, test } from 'vitest'
import { after, days } from '../../../foundation/clock.ts'
import type { TollgateConfig } from '../../../foundation/config/config.ts'
import { newSortableId } from '../../../foundation/ids.ts'
import { createTestServer } from '../../../testing.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { deleteEventsOfSeller } from './timeline.repository.ts'

/** Two shops with a product each; a product's creation is one event. */
async function twoShops(config: TollgateConfig = {}) {
  const server = await createTestServer(config)
  const [one, two] = [await createShop(server), await createShop(server)]
  await one.product([fixedPrice(1900)])
  await two.product([fixedPrice(1900)])
  const { ctx } = server.tollgate.internals
  const salesEvents = async () =>
    (await ctx.db.selectFrom('event').select('merchantId').where('merchantId', 'is not', null).execute()).length
  const accountEvents = async () =>
    (await ctx.db.selectFrom('event').select('id').where('merchantId', 'is', null).execute()).length
  const sweepAfter = async (milliseconds: number) => {
    server.clock.advance(milliseconds)
    await ctx.jobs.runDue()
  }
  return { server, ctx, one, two, salesEvents, accountEvents, sweepAfter }
}

test('events of sales are kept for 400 days, those of accounts for longer', async () => {
  const { server, two, salesEvents, accountEvents, sweepAfter } = await twoShops()
  await using _server = server
  const accounts = await accountEvents()
  expect(await salesEvents()).toBe(2)

  await sweepAfter(days(400))
  expect(await salesEvents()).toBe(2)
  await two.product([fixedPrice(900)])
  await sweepAfter(days(1))

  expect(await salesEvents()).toBe(1)
  expect(await accountEvents()).toBeGreaterThanOrEqual(accounts)
})

test('more events than one batch go, of every seller', async () => {
  const { server, ctx, one, salesEvents, sweepAfter } = await twoShops({ billing: { events: { retention: '31d' } } })
  await using _server = server
  const createdAt = server.clock.now()
  const row = () => ({
    id: newSortableId(createdAt),
    type: 'product.updated',
    merchantId: one.organizationId,
    createdAt,
  })
  await ctx.transaction((tx) =>
    tx
      .insertInto('event')
      .values(Array.from({ length: 1001 }, row))
      .execute(),
  )
  expect(await salesEvents()).toBe(1003)

  await sweepAfter(days(32))

  expect(await salesEvents()).toBe(0)
})

test('a batch takes no more than it may, the oldest first', async () => {
  const { server, ctx, one, salesEvents } = await twoShops()
  await using _server = server
  const before = server.clock.now()
  const rows = Array.from({ length: 25 }, (_, at) => {
    const createdAt = after(before, -days(1) + at)
    return { id: newSortableId(createdAt), type: 'product.updated', merchantId: one.organizationId, createdAt }
  })
  await ctx.transaction((tx) => tx.insertInto('event').values(rows).execute())
  const forget = () => ctx.transaction((tx) => deleteEventsOfSeller(tx, one.organizationId, before, 10))

  expect(await forget()).toBe(10)
  const left = await ctx.db.selectFrom('event').select('id').where('createdAt', '<', before).orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(rows.slice(10).map(({ id }) => id))
  expect([await forget(), await forget(), await salesEvents()]).toEqual([10, 5, 2])
})

test.each(['30d', '400', '1y', '400D', ''])('a retention of %j is refused', async (retention) => {
  await expect(createTestServer({ billing: { events: { retention } } })).rejects.toThrow(/billing\.events\.retention/)
})
