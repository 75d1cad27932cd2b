import { expect, test } from 'vitest'
import { minutes } from '../clock.ts'
import { createTestServer, type Person, testStart } from '../testing.ts'

type Event = { id: string; type: string; actorId: string | null; userId: string | null }

const list = async (root: Person, query = '') => {
  const { status, body } = await root.get(`/admin/list-events?${query}`)
  expect([status, body]).toEqual([200, body])
  return body as { events: Event[]; nextCursor: string | null }
}
const types = async (root: Person, query: string) => (await list(root, query)).events.map(({ type }) => type)

test('tells what has happened, newest first, with the names of who acted and whom it concerns', async () => {
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
    data: { reason: 'spam', until: null },
    createdAt: new Date(testStart.getTime() + minutes(1)).toISOString(),
  })
})

test('tells of one user, of one actor, or of one kind, and of all three together', async () => {
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

test('tells of one organization', async () => {
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

test('what has happened stays known when whoever it was is gone, and what the server does has no actor', async () => {
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
