import { expect, test } from 'vitest'
import { createShop, fixedPrice } from '../../packages/server/src/features/billing/testing/shop.ts'
import { openSink } from '../../packages/server/src/features/billing/testing/sink.ts'
import { createTestServer } from '../../packages/server/src/testing.ts'
import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { webhookKillStory } from './webhook-kill.ts'

webhookKillStory(freshPostgres, killPoints({ stride: 13, moments: 2 }))

test('two servers on one database send each event once, whichever of them it happened in', async () => {
  await using database = await freshPostgres()
  await using sink = await openSink()
  await using first = await createTestServer({}, { databaseUrl: database.url })
  await using second = await createTestServer({}, { databaseUrl: database.url })
  const shop = await createShop(first)
  const paths = ['/a', '/b', '/c']
  for (const path of paths)
    await shop.post('/webhooks/endpoints', { url: sink.origin + path, events: ['product.created'] })

  const authorization = `Bearer ${shop.token}`
  const product = { name: 'A book', recurring_interval: null, prices: [fixedPrice(1000)] }
  const servers = [first, second]
  await Promise.all(
    servers.map(async (server) => {
      for (let made = 0; made < 15; made += 1) {
        const visitor = server.visitor({ headers: { authorization } })
        expect((await visitor.request('POST', '/v1/products', { body: product })).status).toBe(201)
      }
    }),
  )
  await Promise.all(servers.map((server) => server.tollgate.internals.ctx.jobs.runDue()))
  await Promise.all(servers.map((server) => server.tollgate.internals.ctx.jobs.runDue()))

  for (const path of paths) {
    const ids = sink.at(path).map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([30, 30])
  }
})
