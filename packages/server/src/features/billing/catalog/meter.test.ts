import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'

let server: TestServer
let seller: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  seller = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const filter = { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'call' }] }
const meter = (given: object = {}) => ({ name: 'Calls', filter, aggregation: { func: 'count' }, ...given })

test('a meter is made, read and changed', async () => {
  const { body: made } = await seller.post('/meters/', meter({ metadata: { team: 'a', Key_2: 1.5 } }))
  expect(made).toEqual({
    id: made.id,
    created_at: server.clock.now().toISOString(),
    modified_at: null,
    name: 'Calls',
    filter,
    aggregation: { func: 'count' },
    organization_id: seller.organizationId,
    metadata: { team: 'a', Key_2: 1.5 },
    archived_at: null,
  })
  expect((await seller.get(`/meters/${made.id}`)).body).toEqual(made)
  server.clock.advance(minutes(1))
  const change = { name: 'Tokens', aggregation: { func: 'sum', property: 'count' }, metadata: {} }

  const changed = await seller.patch(`/meters/${made.id}`, change)

  expect(changed.body).toEqual({ ...made, ...change, modified_at: server.clock.now().toISOString() })
  expect((await seller.get(`/meters/${made.id}`)).body).toEqual(changed.body)
})

test('meters are listed newest first, by name and by metadata', async () => {
  const other = await createTestMerchant(server)
  for (const [name, metadata] of [
    ['Storage', { kind: 'disk', size: 1 }],
    ['Transfer', { kind: 'net' }],
    ['Store visits', { kind: 'disk', size: 2 }],
  ] as const) {
    server.clock.advance(minutes(1))
    await other.post('/meters', meter({ name, metadata }))
  }
  const names = async (query: string) =>
    (await other.get(`/meters/?${query}`)).body.items.map(({ name }: { name: string }) => name)

  expect(await names('')).toEqual(['Store visits', 'Transfer', 'Storage'])
  expect(await names('query=STOR&sorting=name')).toEqual(['Storage', 'Store visits'])
  expect(await names('metadata[kind]=disk&metadata[size]=2')).toEqual(['Store visits'])
  const second = new Date(server.clock.now().getTime() - minutes(1)).toISOString()
  expect(await names(`created_after=${second}`)).toEqual(['Store visits', 'Transfer'])
  expect(await names(`created_before=${second}&sorting=name`)).toEqual(['Storage', 'Transfer'])
  expect(await names(`created_after=${second}&created_before=${second}`)).toEqual(['Transfer'])
  expect((await other.get(`/meters/?created_after=${second}&limit=1`)).body.pagination.total_count).toBe(2)
  expect(await names('is_archived=true')).toEqual([])
  expect(await names('is_archived=false&limit=1&page=2')).toEqual(['Transfer'])
})

const group = (...clauses: unknown[]) => ({ conjunction: 'or', clauses })
const nested = (depth: number): unknown => (depth === 1 ? group() : group(nested(depth - 1)))
const clause = { property: 'a', operator: 'eq', value: 1 }

test.each([
  ['a short name', { name: ' ab ' }, '422 name'],
  ['another operator', { filter: group({ ...clause, operator: 'is' }) }, '422 filter.clauses.0.operator'],
  ['a value of another kind', { filter: group({ ...clause, value: null }) }, '422 filter.clauses.0.value'],
  ['groups that are too deep', { filter: nested(9) }, '422 filter'],
  ['too many clauses', { filter: group(...Array(3).fill(group(...Array(40).fill(clause)))) }, '422 filter'],
  ['another function', { aggregation: { func: 'median', property: 'a' } }, '422 aggregation.func'],
  ['a sum of nothing', { aggregation: { func: 'sum' } }, '422 aggregation.property'],
  ['metadata of too long a key', { metadata: { ['k'.repeat(41)]: 1 } }, `422 metadata.${'k'.repeat(41)}`],
  ['metadata of too long a value', { metadata: { key: 'v'.repeat(501) } }, '422 metadata.key'],
  [
    'too much metadata',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [index, 1])) },
    '422 metadata',
  ],
])('a meter with %s is refused', async (_, given, expected) => {
  expect(wrongAt(await seller.post('/meters', meter(given)))).toBe(expected)
  const { body } = await seller.post('/meters', meter())
  expect(wrongAt(await seller.patch(`/meters/${body.id}`, given))).toBe(expected)
})

test('a meter may have groups as deep, and clauses as many, as there may be', async () => {
  const wide = group(...Array(2).fill(group(...Array(48).fill(clause))))

  expect((await seller.post('/meters', meter({ filter: nested(8) }))).status).toBe(201)
  expect((await seller.post('/meters', meter({ filter: wide }))).status).toBe(201)
})
