import { expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import { createTestServer, type Person, testStart } from '../../testing.ts'
import { created, joined, verified } from './testing/organizations.ts'

const path = '/organization/list-events'

type Event = { id: string; type: string }

const list = async (person: Person, query = ''): Promise<{ events: Event[]; nextCursor: string | null }> => {
  const { status, body } = await person.get(`${path}?${query}`)
  expect([status, body]).toEqual([200, body])
  return body
}
const types = async (person: Person, query = '') => (await list(person, query)).events.map(({ type }) => type)

test('lists the organization’s events, newest first, with the names of actors and the people concerned', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  server.clock.advance(seconds(1))
  const member = await joined(server, made, ben)
  server.clock.advance(seconds(1))
  await ada.post('/organization/update-member-role', { memberId: member.id, role: 'admin' })

  const { events, nextCursor } = await list(ada)

  expect(nextCursor).toBeNull()
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'member.added',
    'member.added',
    'member.role_changed',
    'organization.created',
  ])
  expect(events[0]).toEqual({
    id: expect.any(String),
    type: 'member.role_changed',
    actorId: ada.id,
    actor: { id: ada.id, name: 'Ada', email: ada.email },
    userId: ben.id,
    user: { id: ben.id, name: 'Ben', email: ben.email },
    organizationId: made.id,
    data: { before: 'member', after: 'admin' },
    createdAt: new Date(testStart.getTime() + seconds(2)).toISOString(),
    byAdministrator: false,
  })
  expect(events[1]).toMatchObject({ type: 'member.added', actorId: null, actor: null, userId: ben.id })
})

test('reveals nothing of other organizations, nor of accounts', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  const first = await created(ada, 'first')
  const second = await created(ada, 'second')
  await created(eve, 'other')
  await eve.post('/organization/update', { data: { name: 'Changed' } })
  await ada.post('/change-password', { currentPassword: ada.password, newPassword: 'another good password' })

  for (const { id } of [first, second]) {
    const { events } = await list(ada, `organizationId=${id}`)
    expect(events).toHaveLength(2)
    for (const event of events) expect(event).toMatchObject({ organizationId: id, actorId: ada.id })
  }
  expect(await types(ada, `organizationId=${first.id}&actorId=${eve.id}`)).toEqual([])
  expect(await types(ada, `actorId=${ada.id}&type=user.created`)).toEqual([])
})

test('lists the events of one kind, of one actor, or of both', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await ben.post('/organization/update', { organizationId: made.id, data: { name: 'Changed' } })
  await ada.post('/organization/update', { data: { name: 'Again' } })

  expect(await types(ada, 'type=organization.updated')).toEqual(['organization.updated', 'organization.updated'])
  expect(await types(ada, `actorId=${ben.id}`)).toEqual(['organization.updated'])
  expect(await types(ada, `actorId=${ben.id}&type=organization.created`)).toEqual([])
  expect(await types(ada, 'type=no.such')).toEqual([])
})

test('goes on where the page before ended, and shows each event once', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  await created(ada)
  for (const name of ['one', 'two', 'three', 'four', 'five']) await ada.post('/organization/update', { data: { name } })
  const whole = (await list(ada)).events

  const paged: Event[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 10; page += 1) {
    const next = await list(ada, `limit=3${cursor && `&cursor=${cursor}`}`)
    expect(next.events.length).toBeLessThanOrEqual(3)
    paged.push(...next.events)
    cursor = next.nextCursor
  }

  expect(whole).toHaveLength(7)
  expect(paged).toEqual(whole)
})

test('owners and those who administer it read it, and no other user does', async () => {
  await using server = await createTestServer({
    organization: { roles: { auditor: { audit: ['read'] } } },
  })
  const [ada, ben, aud, max, eve] = (await Promise.all(
    ['Ada', 'Ben', 'Aud', 'Max', 'Eve'].map((name) => server.signedUp(name)),
  )) as [Person, Person, Person, Person, Person]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await joined(server, made, aud, 'auditor')
  await joined(server, made, max, 'member')
  await created(eve, 'other')
  const query = `?organizationId=${made.id}`

  for (const person of [ada, ben, aud]) expect((await person.get(path + query)).status).toBe(200)
  expect(await max.get(path + query)).toMatchObject({
    status: 403,
    body: {
      code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_THE_EVENTS_OF_THIS_ORGANIZATION',
      message: 'You are not allowed to list the events of this organization',
    },
  })
  for (const asked of [made.id, 'no-such-organization'])
    expect(await eve.get(`${path}?organizationId=${asked}`)).toMatchObject({
      status: 403,
      body: {
        code: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
        message: 'You are not a member of this organization',
      },
    })
  expect((await server.visitor().get(path + query)).status).toBe(401)
  expect(await max.get(path)).toMatchObject({ status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } })
})

test('a user who has lost the right reads it no longer, from the next request on', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const member = await joined(server, made, ben, 'admin')
  await ben.post('/organization/set-active', { organizationId: made.id })
  expect((await ben.get(path)).status).toBe(200)

  await ada.post('/organization/update-member-role', { memberId: member.id, role: 'member' })

  expect((await ben.get(path)).status).toBe(403)
})

test('an unverified address is not enough where the organization wants a verified one', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await verified(server, ada)
  await ada.post('/organization/update', { data: { requireVerifiedEmail: true } })

  expect(await ben.get(`${path}?organizationId=${made.id}`)).toMatchObject({
    status: 403,
    body: { code: 'EMAIL_VERIFICATION_REQUIRED' },
  })
})

test('events stay readable after their actor is deleted', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await ben.post('/organization/update', { organizationId: made.id, data: { name: 'Changed' } })

  await ben.post('/delete-user', { password: ben.password })

  const [updated] = (await list(ada, 'type=organization.updated')).events
  expect(updated).toMatchObject({ actorId: ben.id, actor: null })
})

test('a user who has left keeps their present name and address to themselves', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await ben.post('/organization/update', { organizationId: made.id, data: { name: 'Changed' } })
  await ben.post('/organization/leave', { organizationId: made.id })
  await ben.post('/update-user', { name: 'Somebody Private' })

  const text = JSON.stringify(await list(ada))
  const [updated] = (await list(ada, 'type=organization.updated')).events
  const [left] = (await list(ada, 'type=member.removed')).events

  expect(text).not.toMatch(/Ben|Private|ben\d*@/)
  expect(updated).toMatchObject({ actorId: ben.id, actor: null, byAdministrator: false })
  expect(left).toMatchObject({ actorId: ben.id, actor: null, userId: ben.id, user: null })
  await joined(server, made, ben)
  expect((await list(ada, 'type=organization.updated')).events[0]).toMatchObject({
    actor: { id: ben.id, name: 'Somebody Private', email: ben.email },
  })
})

test('who only declined an invitation is not named', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  await verified(server, ben)
  await created(ada)
  const { body } = await ada.post('/organization/invite-member', { email: ben.email, role: 'member' })
  await ben.post('/organization/reject-invitation', { invitationId: body.id })

  const [rejected] = (await list(ada, 'type=invitation.rejected')).events

  expect(rejected).toMatchObject({ actorId: ben.id, actor: null, user: null, byAdministrator: false })
})

test('an administrator who acted as a member is no more than that, and named to administrators only', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const made = await created(ada)
  const root = await server.administrator('Root')
  await root.post('/admin/impersonate-user', { userId: ada.id })
  await root.post('/organization/update', { organizationId: made.id, data: { name: 'Changed' } })
  await root.post('/admin/stop-impersonating')

  const [updated] = (await list(ada, 'type=organization.updated')).events
  const { body } = await root.get('/admin/list-events?type=organization.updated')

  expect(updated).toMatchObject({ actorId: root.id, actor: null, byAdministrator: true })
  expect(body.events).toEqual([
    expect.objectContaining({ actorId: root.id, actor: { id: root.id, name: 'Root', email: root.email } }),
  ])
  expect((await list(ada, 'type=organization.created')).events[0]).toMatchObject({ byAdministrator: false })
})

test('refuses limits and cursors that are none', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await created(ada)

  for (const query of ['limit=201', 'limit=-1', 'limit=x', `cursor=${'x'.repeat(65)}`, 'cursor=%00', 'type=%00'])
    expect([query, (await ada.get(`${path}?${query}`)).status]).toEqual([query, 400])
  expect((await list(ada, 'limit=200')).events).toHaveLength(2)
  expect((await list(ada, 'limit=0')).events).toHaveLength(2)
})
