import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, hours, minutes } from '../../../foundation/clock.ts'
import { newSortableId } from '../../../foundation/ids.ts'
import { createTestServer, type Person, type TestAnswer, type TestServer } from '../../../testing.ts'
import { insertTestToken } from '../testing/merchant.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

/** The timeline of a shop with one sale, as different readers see it. */

let server: TestServer
let shop: Shop
let other: Shop
/** A user who administers nothing and has bought. */
let buyer: Person
let order: TestAnswer['body']
let customerId: string

type Item = {
  id: string
  type: string
  createdAt: string
  actor: { id: string; name: string | null } | null
  user: { id: string; name: string | null } | null
  customer_id: string | null
  subject_id: string | null
  data: Record<string, unknown> | null
  deliveries: { pending: number; succeeded: number; failed: number } | null
}
type Page = { items: Item[]; pagination: { next_cursor: string | null } }

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  other = await createShop(server)
  buyer = await server.signedUp('Ada Lovelace')
  const product = await shop.product([fixedPrice(4900)], null, 'Atlas')
  server.clock.advance(minutes(1))
  ;({ order } = await shop.buy(product, { customer_email: 'ada@buyer.example', customer_name: 'Ada Lovelace' }))
  customerId = order.customer_id
  await server.tollgate.internals.ctx.jobs.runDue()
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('customer').set({ userId: buyer.id }).where('id', '=', customerId).execute(),
  )
  server.clock.advance(minutes(1))
  await other.buy(await other.product([fixedPrice(100)], null, 'Secret thing'), { customer_name: 'Secret Buyer' })
  await server.tollgate.internals.ctx.jobs.runDue()
})
afterAll(() => server[Symbol.asyncDispose]())

const page = ({ status, body, text }: TestAnswer): Page => {
  expect([status, text]).toEqual([200, text])
  return body
}
const asMember = async (person: Person, query = '') =>
  page(await person.request('GET', `/v1/timeline?organization_id=${shop.organizationId}&${query}`))
const byToken = async (query = '', by = shop) => page(await by.get(`/timeline?${query}`))
const typesOf = ({ items }: Page) => items.map(({ type }) => type)
const one = ({ items }: Page, type: string): Item => items.find((item) => item.type === type)!

/** A member of the shop's organization with the named permissions. */
async function member(name: string, permission: Record<string, string[]>): Promise<Person> {
  const role = name.toLowerCase()
  const organizationId = shop.organizationId
  const made = await shop.owner.post('/organization/create-role', { organizationId, role, permission })
  expect([made.status, made.text]).toEqual([200, made.text])
  const person = await server.signedUp(name)
  await server.tollgate.api.addMember({ body: { organizationId, userId: person.id, role } })
  return person
}

test('lists the shop’s events, newest first, with the details that a line shows', async () => {
  const told = await byToken()

  const times = told.items.map(({ id }) => id)
  expect(times).toEqual(times.toSorted().reverse())
  expect(typesOf(told)).toEqual(
    expect.arrayContaining(['order.paid', 'order.created', 'customer.created', 'checkout.created', 'product.created']),
  )
  expect(one(told, 'order.paid')).toEqual({
    id: expect.any(String),
    type: 'order.paid',
    created_at: expect.any(String),
    actor: null,
    user: null,
    organization: null,
    customer_id: customerId,
    subject_id: order.id,
    data: expect.objectContaining({
      number: order.invoice_number,
      amount: 4900,
      currency: 'usd',
      product: 'Atlas',
      status: 'paid',
      billing_reason: 'purchase',
      customer: 'Ada Lovelace',
    }),
    deliveries: null,
  })
  expect(one(told, 'product.created').data).toEqual(expect.objectContaining({ name: 'Atlas' }))
  expect(one(told, 'customer.created')).toMatchObject({
    customer_id: customerId,
    data: { name: 'Ada Lovelace', email: 'ada@buyer.example' },
  })
})

test('lists the events of one subscription and of its orders alone, also by type', async () => {
  const seller = await createShop(server)
  const plan = await seller.product([fixedPrice(900)], 'month', 'Plan')
  const { order: first } = await seller.buy(plan)
  await seller.buy(plan)
  const id = first?.subscription_id as string
  const told = await byToken(`subscription_id=${id}`, seller)

  expect(new Set(told.items.map(({ subject_id }) => subject_id))).toEqual(new Set([id, first?.id]))
  expect(typesOf(told)).toEqual(expect.arrayContaining(['subscription.active', 'order.created', 'order.paid']))
  const ids = told.items.map((item) => item.id)
  expect(ids).toEqual(ids.toSorted().reverse())
  expect(typesOf(await byToken(`subscription_id=${id}&type=order.paid`, seller))).toEqual(['order.paid'])
  const newest = await byToken(`subscription_id=${id}&limit=2`, seller)
  const rest = await byToken(`subscription_id=${id}&cursor=${newest.pagination.next_cursor}`, seller)
  expect([...newest.items, ...rest.items]).toEqual(told.items)

  expect((await byToken(`subscription_id=${id}`, other)).items).toEqual([])
  expect((await byToken(`subscription_id=${id}&customer_id=${customerId}`, seller)).items).toEqual([])
})

test('lists the events of one customer alone', async () => {
  const told = await byToken(`customer_id=${customerId}`)

  expect(new Set(told.items.map(({ customer_id }) => customer_id))).toEqual(new Set([customerId]))
  expect(typesOf(told)).toEqual(expect.arrayContaining(['customer.created', 'order.paid']))
  expect(typesOf(told)).not.toContain('product.created')
})

test('only endpoints that subscribe to it get a customer’s entitlements', async () => {
  const type = 'customer.state_changed'
  const { ctx } = server.tollgate.internals
  const token = await ctx.transaction((tx) =>
    insertTestToken(tx, shop.organizationId, ['customers:read'], ctx.clock.now()),
  )
  const headers = { authorization: `Bearer ${token}` }
  const asReader = async (query: string) =>
    typesOf(page(await server.visitor().request('GET', `/v1/timeline?${query}`, { headers })))

  for (const query of ['limit=100', `limit=100&customer_id=${customerId}`])
    for (const told of [
      typesOf(await byToken(query)),
      typesOf(await asMember(shop.owner, query)),
      await asReader(query),
    ]) {
      expect(told).toContain('customer.created')
      expect(told).not.toContain(type)
    }
  expect((await shop.get('/timeline/export')).text).not.toContain(type)

  expect(new Set(await asReader(`type=${type}`))).toEqual(new Set([type]))
  expect(new Set(typesOf(await byToken(`type=${type}&type=order.paid`)))).toEqual(new Set([type, 'order.paid']))
  expect(typesOf(await byToken(`customer_id=${customerId}&type=${type}`))).toContain(type)
  expect((await shop.get(`/timeline/export?type=${type}`)).text).toContain(type)
})

test('reveals nothing of another seller to any caller, for any query', async () => {
  const others = await byToken('', other)
  const text = JSON.stringify([
    await byToken('limit=100'),
    await asMember(shop.owner, 'limit=100'),
    await byToken(`customer_id=${others.items.find(({ customer_id }) => customer_id !== null)!.customer_id}`),
  ])

  expect(text).not.toContain('Secret')
  expect((await byToken(`customer_id=${customerId}`, other)).items).toEqual([])
  const foreign = await other.owner.request('GET', `/v1/timeline?organization_id=${shop.organizationId}`)
  expect(foreign.status).toBe(404)
  expect((await other.owner.request('GET', `/v1/timeline/export?organization_id=${shop.organizationId}`)).status).toBe(
    404,
  )
})

describe('actions of the organization’s own members', () => {
  test('is shown, with their names, to members who may read its audit log', async () => {
    const told = await asMember(shop.owner, 'limit=100')

    expect(one(told, 'organization.created').actor).toEqual({
      id: shop.owner.id,
      name: expect.stringContaining('Seller'),
    })
    expect(one(told, 'member.added').user).toEqual({ id: shop.owner.id, name: expect.stringContaining('Seller') })
  })

  test('is shown neither to other members nor to tokens', async () => {
    const clerk = await member('Clerk', { customer: ['read'], order: ['read'] })

    for (const told of [await asMember(clerk, 'limit=100'), await byToken('limit=100')]) {
      expect(typesOf(told)).toContain('order.paid')
      expect(typesOf(told)).not.toContain('organization.created')
      expect(typesOf(told)).not.toContain('member.added')
    }
    expect((await asMember(clerk, 'type=member.added')).items).toEqual([])
  })
})

describe('a user sees no events of objects that they may not read', () => {
  test('to members', async () => {
    const greeter = await member('Greeter', { customer: ['read'], audit: ['read'] })

    const told = typesOf(await asMember(greeter, 'limit=100'))

    expect(told).toEqual(expect.arrayContaining(['customer.created', 'member.added']))
    expect(told.filter((type) => /^(order|checkout|product|subscription|refund)\./.test(type))).toEqual([])
    expect((await asMember(greeter, 'type=order.paid')).items).toEqual([])
    expect(typesOf(await asMember(greeter, `customer_id=${customerId}&limit=100`))).not.toContain('order.paid')
  })

  test('to tokens', async () => {
    const { ctx } = server.tollgate.internals
    const token = await ctx.transaction((tx) =>
      insertTestToken(tx, shop.organizationId, ['customers:read', 'products:read'], ctx.clock.now()),
    )
    const headers = { authorization: `Bearer ${token}` }

    const told = page(await server.visitor().request('GET', '/v1/timeline?limit=100', { headers }))

    expect(new Set(typesOf(told).map((type) => type.split('.')[0]))).toEqual(new Set(['customer', 'product']))
  })

  test('and a caller who may not read customers is refused', async () => {
    const packer = await member('Packer', { order: ['read'] })

    for (const path of ['/v1/timeline', '/v1/timeline/export'])
      expect((await packer.request('GET', `${path}?organization_id=${shop.organizationId}`)).status).toBe(403)
    expect((await server.visitor().request('GET', '/v1/timeline')).status).toBe(401)
  })
})

describe('events of a customer’s account', () => {
  const query = () => `customer_id=${customerId}&limit=100`

  test('is shown to administrators of the installation, in the same order of time', async () => {
    const root = await server.administrator('Root')
    await server.tollgate.api.addMember({
      body: { organizationId: shop.organizationId, userId: root.id, role: 'admin' },
    })

    const told = await asMember(root, query())

    expect(typesOf(told)).toEqual(expect.arrayContaining(['user.created', 'session.created', 'order.paid']))
    const ids = told.items.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().reverse())
    expect(one(told, 'user.created').user).toEqual({ id: buyer.id, name: 'Ada Lovelace' })
    expect(typesOf(await asMember(root, `${query()}&type=session.created`))).toEqual(['session.created'])
  })

  test('and to server code', async () => {
    const { items } = await server.tollgate.api.listTimeline({
      query: { organizationId: shop.organizationId, customerId },
    })

    expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(['session.created', 'order.paid']))
  })

  test('but to no other user: the seller’s owner, a token', async () => {
    for (const told of [await asMember(shop.owner, query()), await byToken(query())]) {
      expect(typesOf(told)).toContain('order.paid')
      expect(typesOf(told).filter((type) => /^(user|session)\./.test(type))).toEqual([])
    }
  })

  test('of a customer that is an organization: its events, to the same readers', async () => {
    const founder = await server.signedUp('Founder')
    const { body } = await founder.post('/organization/create', { name: 'Buyers', slug: 'buyers' })
    const made = await shop.post('/customers', { email: 'office@buyers.example' })
    await server.tollgate.internals.ctx.transaction((tx) =>
      tx.updateTable('customer').set({ buyerOrganizationId: body.id }).where('id', '=', made.body.id).execute(),
    )
    const asked = { organizationId: shop.organizationId, customerId: made.body.id as string }

    const { items } = await server.tollgate.api.listTimeline({ query: asked })

    expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(['organization.created', 'customer.created']))
    const whereOf = (type: string) => items.find((item) => item.type === type)?.organization
    expect(whereOf('organization.created')).toEqual({ id: body.id, name: 'Buyers' })
    expect(whereOf('customer.created')).toBeNull()
    expect(typesOf(await asMember(shop.owner, `customer_id=${made.body.id}`))).not.toContain('organization.created')
  })
})

test.each([
  '',
  'type=order.paid&type=order.created&type=member.added&type=organization.created',
  'customer_id=CUSTOMER',
])('goes on where the page before ended, and shows each event once: %s', async (given) => {
  const query = given.replace('CUSTOMER', customerId)
  const whole = (await asMember(shop.owner, `${query}&limit=100`)).items

  const paged: Item[] = []
  let cursor: string | null = ''
  for (let at = 0; cursor !== null && at < 50; at += 1) {
    const next = await asMember(shop.owner, `${query}&limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...next.items)
    cursor = next.pagination.next_cursor
  }

  expect(whole.length).toBeGreaterThan(3)
  expect(paged).toEqual(whole)
})

test('is narrowed to types and to a time, which counts to the millisecond', async () => {
  const paid = one(await byToken(), 'order.paid') as Item & { created_at: string }
  const moment = Date.parse(paid.created_at)
  const between = (from: number, to: number) =>
    byToken(
      `type=order.paid&start_timestamp=${new Date(from).toISOString()}&end_timestamp=${new Date(to).toISOString()}`,
    )

  expect(typesOf(await byToken('type=order.paid'))).toEqual(['order.paid'])
  expect(typesOf(await byToken('type=order.paid&type=there.is_none'))).toEqual(['order.paid'])
  expect((await byToken('type=there.is_none')).items).toEqual([])
  expect((await between(moment, moment)).items).toEqual([paid])
  expect((await between(moment + 1, moment + hours(1))).items).toEqual([])
  expect((await between(0, moment - 1)).items).toEqual([])
})

test('counts an event’s deliveries, without those to other sellers’ endpoints', async () => {
  const { ctx } = server.tollgate.internals
  const { id: eventId } = one(await byToken(), 'order.paid')
  const now = ctx.clock.now()
  const states = ['succeeded', 'succeeded', 'failed', 'pending', 'skipped'] as const
  await ctx.transaction(async (tx) => {
    for (const [organizationId, all] of [
      [shop.organizationId, states],
      [other.organizationId, ['failed']],
    ] as const)
      for (const state of all) {
        const id = newSortableId(now)
        await tx
          .insertInto('webhookEndpoint')
          .values({
            id,
            organizationId,
            coversInstallation: false,
            url: 'https://example.com',
            format: 'raw',
            sealedSecret: '',
            events: [],
            locale: 'en',
            enabled: false,
            failedEvents: 0,
            createdAt: now,
          })
          .execute()
        const message = {
          id,
          endpointId: id,
          organizationId,
          eventId,
          type: 'order.paid',
          state,
          attempts: 1,
          failures: 0,
        }
        await tx
          .insertInto('webhookMessage')
          .values({ ...message, createdAt: now })
          .execute()
      }
  })

  expect(one(await byToken(), 'order.paid').deliveries).toEqual({ pending: 1, succeeded: 2, failed: 1 })
  const blind = await member('Blind', { customer: ['read'], order: ['read'] })
  expect(one(await asMember(blind), 'order.paid').deliveries).toBeNull()
})

test('as a table: every event once, and nothing that a spreadsheet would run', async () => {
  await shop.post('/customers', { email: 'formula@example.com', name: '=HYPERLINK("https://evil.example")' })
  const path = `/v1/timeline/export?organization_id=${shop.organizationId}`
  const whole = (await asMember(shop.owner, 'limit=100')).items

  const { status, headers, text } = await shop.owner.request('GET', path)

  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="timeline.csv"',
  ])
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/"time","event","actor","user","organization","customer_id","subject_id","details","id"$/)
  expect(lines.slice(1).map((line) => /"(\w{32})"$/.exec(line)?.[1])).toEqual(whole.map(({ id }) => id))
  expect(text).not.toMatch(/(^|,)"?=/m)
  const ofOne = await shop.owner.request('GET', `${path}&customer_id=${customerId}&type=order.paid`)
  expect(ofOne.text.trimEnd().split('\r\n')).toHaveLength(2)
  const later = after(server.clock.now(), 1).toISOString()
  const none = await shop.owner.request('GET', `${path}&start_timestamp=${later}`)
  expect(none.text.trimEnd().split('\r\n')).toHaveLength(1)
})

test.each([
  ['no limit', 'limit=0'],
  ['a limit in words', 'limit=ten'],
  ['a cursor that is too long', `cursor=${'x'.repeat(257)}`],
  ['a cursor with a letter that no database takes', 'cursor=%00'],
  ['a customer that is none', 'customer_id=x'],
  ['a time that is none', 'start_timestamp=yesterday'],
])('refuses %s', async (_, query) => {
  expect((await shop.get(`/timeline?${query}`)).status).toBe(422)
})
