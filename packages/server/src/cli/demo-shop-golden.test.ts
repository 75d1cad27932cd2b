import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { normalizer } from '../features/billing/testing/normalize.ts'
import { createTestServer } from '../testing.ts'
import { seedShop } from './seed-shop.ts'

/*
 * What the API answered about the demo shop before the billing engine existed. Write the file anew, with
 * `npx vitest -u`, only where a change of prices, of the wire or of the demo shop is meant.
 */

test('the demo shop is answered as it was before', { timeout: 600_000 }, async () => {
  await using server = await createTestServer()
  const owner = await server.signedUp()
  await owner.post('/organization/create', { name: 'Northwind', slug: 'northwind' })
  const shop = await seedShop(server.tollgate.internals.ctx, 'northwind')
  const headers = { authorization: `Bearer ${shop?.token}` }
  const normalize = normalizer()

  /** A line for each object: its main values, and a digest of the whole. Ids are left out, because they are random. */
  async function read(resource: string): Promise<string[]> {
    const lines: string[] = []
    for (let page = 1; ; page += 1) {
      const path = `/v1/${resource}?limit=100&page=${page}&sorting=created_at`
      const { text } = await server.visitor().request('GET', path, { headers })
      const { items, pagination } = JSON.parse(normalize(text).replace(/<(id|secret) \d+>/g, '<$1>'))
      for (const item of items) {
        const digest = createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 16)
        const { created_at, total_amount, amount, name, status } = item
        lines.push([resource, created_at, total_amount ?? amount ?? name, status, digest].join(' '))
      }
      if (page >= pagination.max_page) return lines.sort()
    }
  }
  const lines: string[] = []
  for (const resource of ['products', 'discounts', 'orders', 'subscriptions', 'payments', 'refunds', 'checkouts'])
    lines.push(...(await read(resource)))

  await expect(lines.join('\n')).toMatchFileSnapshot('demo-shop.golden.txt')
})
