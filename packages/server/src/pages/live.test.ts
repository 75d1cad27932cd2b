import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createShop, fixedPrice, type Shop } from '../features/billing/testing/shop.ts'
import { after, seconds } from '../foundation/clock.ts'
import { newSortableId } from '../foundation/ids.ts'
import { createTestServer, type Person, type TestServer, type Visitor } from '../testing.ts'

let server: TestServer
let shop: Shop
let book: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  book = await shop.product([fixedPrice(1900)], null, 'Atlas')
})
// The tests look for changes themselves.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())
afterAll(() => server[Symbol.asyncDispose]())

type Stream = AsyncDisposable & {
  readonly status: number
  readonly headers: Headers
  /** The next event; undefined at the end. */
  next(): Promise<{ event: string; data: unknown } | undefined>
}

async function open({ cookies }: Pick<Visitor, 'cookies'>, slug = shop.slug, at = server): Promise<Stream> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const address = new URL(`/dashboard/${slug}/live`, at.baseURL)
  const { status, headers, body } = await at.tollgate.handler(new Request(address, { headers: { cookie } }), {
    remoteAddress: '127.0.0.1',
  })
  const reader = body!.getReader()
  const next: Stream['next'] = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(new TextDecoder().decode(value)) ?? []
      if (event !== undefined) return { event, data: JSON.parse(data) }
    }
  }
  return { status, headers, next, [Symbol.asyncDispose]: () => reader.cancel() }
}

/** The next sign of life; undefined at the end. A timer may tell of changes before it. */
async function nextSign(stream: Stream): ReturnType<Stream['next']> {
  const found = await stream.next()
  return found?.event === 'changed' ? nextSign(stream) : found
}

const look = () => server.tollgate.internals.ctx.live.look()

/** A member of the shop with one role. */
async function member(role: string, name: string): Promise<Person> {
  const person = await server.signedUp(name)
  const { organizationId } = shop
  await server.tollgate.api.addMember({ body: { organizationId, userId: person.id, role } })
  return person
}

test('a dashboard learns of each new order, and nothing that is not new', async () => {
  await using stream = await open(shop.owner)

  expect([stream.status, stream.headers.get('content-type'), stream.headers.get('x-accel-buffering')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no',
  ])
  const hello = await stream.next()
  expect(hello).toEqual({ event: 'hello', data: expect.arrayContaining(['order', 'customer', 'product', 'refund']) })
  await look()
  // The page may have missed what happened in the last seconds: the first look reports it once.
  await stream.next()
  await shop.buy(book, {})
  await look()
  const changed = await stream.next()
  expect(changed).toEqual({ event: 'changed', data: expect.arrayContaining(['order', 'checkout']) })
  await look()
  await shop.product([fixedPrice(100)], null, 'Map')
  await look()
  expect(await stream.next()).toEqual({ event: 'changed', data: ['product'] })
})

test('a change is told though another event has gone, so that neither the newest event nor their number differs', async () => {
  await using stream = await open(shop.owner)
  await stream.next()
  const { ctx } = server.tollgate.internals
  await shop.product([fixedPrice(100)], null, 'Gone')
  await shop.product([fixedPrice(100)], null, 'Newest')
  await look()
  await stream.next()

  const [, before] = await ctx.db
    .selectFrom('event')
    .select('id')
    .where('merchantId', '=', shop.organizationId)
    .where('type', '=', 'product.created')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  // As an event whose transaction commits late: its id is of a second ago.
  const late = newSortableId(after(server.clock.now(), -seconds(1)))
  await ctx.transaction((tx) => tx.updateTable('event').set({ id: late }).where('id', '=', before!.id).execute())
  await look()

  expect(await stream.next()).toEqual({ event: 'changed', data: ['product'] })
})

test('each seller learns of their own changes alone', async () => {
  const other = await createShop(server)
  await using stream = await open(other.owner, other.slug)
  await stream.next()

  await shop.buy(book, {})
  await look()
  await other.product([fixedPrice(100)], null, 'Own')
  await look()

  expect(await stream.next()).toEqual({ event: 'changed', data: ['product'] })
})

test('strangers, visitors and members without a permission to read get no stream', async () => {
  const stranger = await server.signedUp('Stranger')
  const plain = await member('member', 'Plain')

  const answers = await Promise.all([stranger, plain, server.visitor()].map((person) => open(person)))

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 401])
})

test('a member who loses the right is let go at the next sign of life', async () => {
  const admin = await member('admin', 'Admin')
  await using stream = await open(admin)
  await stream.next()
  vi.advanceTimersByTime(20_000)
  expect(await nextSign(stream)).toEqual({ event: 'beat', data: null })

  await shop.owner.post('/organization/remove-member', {
    memberIdOrEmail: admin.email,
    organizationId: shop.organizationId,
  })
  vi.advanceTimersByTime(20_000)

  expect(await nextSign(stream)).toBeUndefined()
})

test('a stream ends when its session does', async () => {
  const admin = await member('admin', 'Leaving')
  await using stream = await open(admin)
  await stream.next()

  await admin.post('/sign-out')
  vi.advanceTimersByTime(20_000)

  expect(await nextSign(stream)).toBeUndefined()
})

test('streams end when the process stops, and a stopping process begins none', async () => {
  await using stopping = await createTestServer()
  const seller = await createShop(stopping)
  await using stream = await open(seller.owner, seller.slug, stopping)
  await stream.next()
  const { ctx } = stopping.tollgate.internals

  ctx.lifecycle.state = 'draining'
  await ctx.live.look()
  await using late = await open(seller.owner, seller.slug, stopping)

  expect([await stream.next(), await late.next()]).toEqual([undefined, undefined])
  ctx.lifecycle.state = 'serving'
})

test('a user has ten streams of an organization at most, and room again when one ends', async () => {
  const admin = await member('admin', 'Eager')
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(admin)))
  const greetings = await Promise.all(streams.map((stream) => stream.next()))
  await using full = await open(admin)

  expect(greetings.map((greeting) => greeting?.event)).toEqual(Array(10).fill('hello'))
  expect(await full.next()).toBeUndefined()
  for (const stream of streams) await stream[Symbol.asyncDispose]()
  await using again = await open(admin)
  expect((await again.next())?.event).toBe('hello')
})

test('a user has thirty streams at most over all organizations', async () => {
  const shops: Shop[] = []
  for (let i = 0; i < 4; i += 1) shops.push(await createShop(server))
  const busy = await server.signedUp('Busy')
  for (const { organizationId } of shops)
    await server.tollgate.api.addMember({ body: { organizationId, userId: busy.id, role: 'admin' } })
  const slugs = shops.slice(0, 3).flatMap(({ slug }) => Array<string>(10).fill(slug))
  const streams = await Promise.all(slugs.map((slug) => open(busy, slug)))
  const greetings = await Promise.all(streams.map((stream) => stream.next()))
  await using full = await open(busy, shops[3]!.slug)

  expect(greetings.map((greeting) => greeting?.event)).toEqual(Array(30).fill('hello'))
  expect(await full.next()).toBeUndefined()
  for (const stream of streams) await stream[Symbol.asyncDispose]()
  await using again = await open(busy, shops[3]!.slug)
  expect((await again.next())?.event).toBe('hello')
})

test('an organization that may not sell has no stream', async () => {
  const owner = await server.signedUp('Early')
  await owner.post('/organization/create', { name: 'Early', slug: 'early-shop' })
  await using stream = await open(owner, 'early-shop')

  expect(stream.status).toBe(404)
})

test('an organization has a hundred streams at most', async () => {
  const admins = await Promise.all(Array.from({ length: 11 }, (_, i) => member('admin', `Admin ${i}`)))
  const ofTen = admins.slice(0, 10).flatMap((admin) => Array<Person>(10).fill(admin))
  const streams = await Promise.all(ofTen.map((admin) => open(admin)))
  const greetings = await Promise.all(streams.map((stream) => stream.next()))
  await using full = await open(admins[10]!)

  expect(greetings.map((greeting) => greeting?.event)).toEqual(Array(100).fill('hello'))
  expect(await full.next()).toBeUndefined()
  for (const stream of streams) await stream[Symbol.asyncDispose]()
})
