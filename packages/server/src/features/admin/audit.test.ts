import { describe, expect, test } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { emit } from '../../foundation/outbox.ts'
import { createTestServer, type Person, type TestAnswer, testStart, type Visitor } from '../../testing.ts'
import { createShop, fixedPrice } from '../billing/testing/shop.ts'

type Event = { id: string; type: string; actorId: string | null; userId: string | null }

const list = async (root: Person, query = '') => {
  const { status, body } = await root.get(`/admin/list-events?${query}`)
  expect([status, body]).toEqual([200, body])
  return body as { events: Event[]; nextCursor: string | null }
}
const types = async (root: Person, query: string) => (await list(root, query)).events.map(({ type }) => type)

test('lists events, newest first, with the names of actors and the people concerned', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  server.clock.advance(minutes(1))
  await root.post('/admin/ban-user', { userId: ada.id, banReason: 'spam' })

  const { events, nextCursor } = await list(root)

  expect(nextCursor).toBeNull()
  expect(events).toHaveLength(5)
  expect(events[0]).toEqual({
    id: expect.any(String),
    type: 'user.banned',
    actorId: root.id,
    actor: { id: root.id, name: 'Root', email: root.email },
    userId: ada.id,
    user: { id: ada.id, name: 'Ada', email: ada.email },
    organizationId: null,
    organization: null,
    data: { reason: 'spam', until: null },
    createdAt: new Date(testStart.getTime() + minutes(1)).toISOString(),
  })
})

test('lists the events of one user, of one actor, or of one kind, and of all three together', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  server.clock.advance(minutes(1))
  await root.post('/admin/ban-user', { userId: ada.id })
  server.clock.advance(minutes(1))
  await root.post('/admin/unban-user', { userId: ada.id })

  expect((await types(root, `userId=${ada.id}`)).slice(0, 2)).toEqual(['user.unbanned', 'user.banned'])
  expect((await types(root, `userId=${ada.id}`)).toSorted()).toEqual([
    'session.created',
    'user.banned',
    'user.created',
    'user.unbanned',
  ])
  expect((await types(root, `actorId=${root.id}`)).slice(0, 2)).toEqual(['user.unbanned', 'user.banned'])
  expect(await types(root, `actorId=${ada.id}&type=user.created`)).toEqual(['user.created'])
  expect(await types(root, 'type=user.created')).toEqual(['user.created', 'user.created'])
  expect(await types(root, `userId=${ada.id}&actorId=${root.id}&type=user.banned`)).toEqual(['user.banned'])
  expect(await types(root, 'userId=nobody')).toEqual([])
})

test('tells sales from events of accounts, and names their seller', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const shop = await createShop(server)
  await shop.product([fixedPrice(1900)])

  const all = (await root.get('/admin/list-events?limit=200')).body.events as { type: string }[]
  const sales = (await root.get('/admin/list-events?area=sales')).body.events
  const accounts = await types(root, 'area=accounts&limit=200')

  expect(sales).toMatchObject([
    { type: 'product.created', organizationId: null, organization: { id: shop.organizationId } },
  ])
  expect(accounts).toContain('organization.created')
  expect([...sales.map(({ type }: { type: string }) => type), ...accounts].sort()).toEqual(
    all.map(({ type }) => type).sort(),
  )
  expect((await root.get('/admin/list-events?area=x')).status).toBe(400)
})

test('lists the events of one organization', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const ids: string[] = []
  for (const slug of ['acme', 'other']) ids.push((await ada.post('/organization/create', { name: slug, slug })).body.id)

  const { body } = await root.get(`/admin/list-events?organizationId=${ids[0]}`)

  expect(body.events.map(({ type }: { type: string }) => type).toSorted()).toEqual([
    'member.added',
    'organization.created',
  ])
  expect(new Set(body.events.map(({ organizationId }: { organizationId: string }) => organizationId))).toEqual(
    new Set([ids[0]]),
  )
  expect(body.events[0].organization).toEqual({ id: ids[0], name: 'acme' })
  expect(await types(root, `organizationId=${ids[1]}&type=member.added`)).toEqual(['member.added'])
})

test('goes on where the page before ended, and shows each event once', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  for (const name of ['Ada', 'Alan', 'Grace']) await server.signedUp(name)
  const whole = (await list(root)).events

  const paged: Event[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 10; page += 1) {
    const next = await list(root, `limit=3${cursor && `&cursor=${cursor}`}`)
    expect(next.events.length).toBeLessThanOrEqual(3)
    paged.push(...next.events)
    cursor = next.nextCursor
  }

  expect(whole).toHaveLength(8)
  expect(paged).toEqual(whole)
})

test('events stay readable after their actor is deleted, and the server’s own events have no actor', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  await root.post('/admin/ban-user', { userId: ada.id, banExpiresIn: 1 })
  server.clock.advance(minutes(1))
  await server.visitor().post('/sign-in/email', ada)
  await root.post('/admin/remove-user', { userId: ada.id })

  const [removed] = (await list(root, `userId=${ada.id}&type=user.deleted`)).events
  const [unbanned] = (await list(root, `userId=${ada.id}&type=user.unbanned`)).events

  expect(removed).toMatchObject({ userId: ada.id, user: null, actor: { name: 'Root' } })
  expect(unbanned).toMatchObject({ actorId: null, actor: null, data: { hasRunOut: true } })
})

test('refuses limits that are none', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()

  for (const query of ['limit=201', 'limit=-1', 'limit=x', `cursor=${'x'.repeat(65)}`, 'cursor=%00'])
    expect([query, (await root.get(`/admin/list-events?${query}`)).status]).toEqual([query, 400])
  expect((await list(root, 'limit=200')).events).toHaveLength(2)
})

describe('as a file', () => {
  const file = (visitor: Visitor, query = '') => visitor.request('GET', `/admin/audit/export${query}`)
  const rows = ({ text }: TestAnswer) => text.trim().split('\r\n').slice(1)

  test('has everything that happened, newest first, and nothing that a spreadsheet would run', async () => {
    await using server = await createTestServer()
    const root = await server.administrator('Root')
    const ada = await server.signedUp('=1+1"')
    const { id: organizationId } = (await ada.post('/organization/create', { name: 'Acme', slug: 'acme' })).body
    const { ctx } = server.tollgate.internals
    // More than the export reads at once.
    await ctx.transaction(async (tx) => {
      for (let n = 0; n < 600; n += 1)
        await emit(tx, ctx.clock.now(), { type: 'user.updated', actorId: null, userId: ada.id })
    })
    server.clock.advance(minutes(1))
    await root.post('/admin/ban-user', { userId: ada.id, banReason: '@SUM(A1)' })

    const answer = await file(root)

    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="audit.csv"',
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).toMatch(/"actor","actor_email","user","user_email","details","id","organization_id"\r\n/)
    const ids = (await ctx.db.selectFrom('event').select('id').orderBy('id', 'desc').execute()).map(({ id }) => id)
    expect(rows(answer).map((row) => row.split(',').at(-2))).toEqual(ids.map((id) => `"${id}"`))
    expect(rows(answer)[0]).toContain('"user.banned","Root"')
    // This file continues where the other ended.
    expect(rows(await file(root, `?cursor=${ids[599]}`))).toEqual(rows(answer).slice(600))
    expect((await file(root, '?cursor=%00')).status).toBe(404)
    expect(answer.text).toContain(`"'=1+1"""`)
    expect(answer.text).not.toMatch(/(^|,)"?[=+@]/m)
    expect(rows(await file(root, `?organization=${organizationId}&type=member.added`))).toEqual([
      expect.stringContaining(`,"${organizationId}"`),
    ])
    const ofRoot = await file(root, `?actor=${root.id}&user=${ada.id}`)
    expect(rows(ofRoot)).toEqual([expect.stringContaining('user.banned')])
    expect(rows(await file(root, '?type=there.is_none'))).toEqual([])
  })

  test('is for administrators who act as themselves', async () => {
    await using server = await createTestServer()
    const root = await server.administrator('Root')
    const boss = await server.administrator('Boss')
    const ada = await server.signedUp('Ada')

    expect((await file(ada)).status).toBe(404)
    const toSignIn = await file(server.visitor(), '?type=user.banned')
    expect([toSignIn.status, toSignIn.headers.get('location')]).toEqual([302, expect.stringContaining('/sign-in')])
    for (const query of [`?user=${'x'.repeat(5000)}`, '?type=%00', `?organization=${'x'.repeat(300)}`])
      expect([query, (await file(root, query)).status]).toEqual([query, 404])
    expect((await boss.post('/admin/impersonate-user', { userId: ada.id, reason: 'support' })).status).toBe(200)
    expect((await file(boss)).status).toBe(404)
    expect((await file(root)).status).toBe(200)
  })
})
