import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { created, joined } from './testing/organizations.ts'

const getFull = '/organization/get-full-organization'
const full = async (person: Person) => (await person.get(getFull)).body

type Scene = {
  server: TestServer
  ada: Person
  ben: Person
  id: string
  memberId: string
  teamId: string
  invitationId: string
}

/** Ada's organization with Ben, a team and an open invitation, already cached. */
async function scene(server: TestServer): Promise<Scene> {
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const member = await joined(server, made, ben)
  const invited = await ada.post('/organization/invite-member', { email: 'eve@example.com', role: 'member' })
  const { teams } = await full(ada)
  await full(ada)
  return { server, ada, ben, id: made.id, memberId: member.id, teamId: teams[0].id, invitationId: invited.body.id }
}

const changes: Record<string, (scene: Scene) => Promise<{ status: number } | object>> = {
  'its name changes': ({ ada }) => ada.post('/organization/update', { data: { name: 'Changed' } }),
  'somebody comes': async ({ server, id }) => joined(server, { id }, await server.signedUp('Max')),
  'somebody goes': ({ ben, id }) => ben.post('/organization/leave', { organizationId: id }),
  'a role changes': ({ ada, memberId }) => ada.post('/organization/update-member-role', { memberId, role: 'admin' }),
  'a member is called otherwise': ({ ben }) => ben.post('/update-user', { name: 'Benjamin' }),
  'a member is deleted': ({ ben }) => ben.post('/delete-user', { password: ben.password }),
  'somebody is invited': ({ ada }) =>
    ada.post('/organization/invite-member', { email: 'max@example.com', role: 'member' }),
  'an invitation is canceled': ({ ada, invitationId }) => ada.post('/organization/cancel-invitation', { invitationId }),
  'a team is made': ({ ada }) => ada.post('/organization/create-team', { name: 'More' }),
  'a team is renamed': ({ ada, teamId }) => ada.post('/organization/update-team', { teamId, data: { name: 'Other' } }),
  'somebody joins a team': ({ ada, ben, teamId }) =>
    ada.post('/organization/add-team-member', { teamId, userId: ben.id }),
}

test.each(Object.entries(changes))('the whole organization is correct once %s', async (_, change) => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const before = await scene(server)
  const told = await full(before.ada)

  const answer = await change(before)
  const now = await full(before.ada)

  expect('status' in answer ? answer.status : 200).toBe(200)
  expect(now).not.toEqual(told)
  // Other limits bypass the cache.
  expect((await before.ada.get(`${getFull}?membersLimit=1000`)).body).toEqual(now)
})

const listOf = async (person: Person) => (await person.get('/organization/list')).body

const changesOfList: Record<string, (scene: Scene) => Promise<{ status: number } | object>> = {
  'one is called otherwise': ({ ada }) => ada.post('/organization/update', { data: { name: 'Changed' } }),
  'they have made another': ({ ben }) => created(ben, 'another'),
  'somebody else has let them in': async ({ server, ben }) =>
    joined(server, await created(await server.signedUp('Max'), 'max'), ben),
  'they have left': ({ ben, id }) => ben.post('/organization/leave', { organizationId: id }),
  'they were removed': ({ ada, memberId }) => ada.post('/organization/remove-member', { memberIdOrEmail: memberId }),
  'it is deleted': ({ ada, id }) => ada.post('/organization/delete', { organizationId: id }),
}

test.each(Object.entries(changesOfList))('the list of organizations is correct once %s', async (_, change) => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const before = await scene(server)
  const told = await listOf(before.ben)
  expect(await listOf(before.ben)).toEqual(told)
  expect(await listOf(await server.signedUp('Eve'))).toEqual([])

  const answer = await change(before)
  const now = await listOf(before.ben)

  expect('status' in answer ? answer.status : 200).toBe(200)
  expect(now).not.toEqual(told)
  // Pages of it bypass the cache.
  expect((await before.ben.get('/organization/list?limit=1000')).body).toEqual(now)
  expect((await before.ben.get('/organization/list?offset=1')).body).toEqual(now.slice(1))
})

test('a concurrent caller gets the same answer, and nothing meant for other callers', async () => {
  await using server = await createTestServer()
  const [ada, ben, eve] = [await server.signedUp('Ada'), await server.signedUp('Ben'), await server.signedUp('Eve')]
  const made = await created(ada)
  await joined(server, made, ben)
  const query = `${getFull}?organizationId=${made.id}`

  const [first, second, refused, ...lists] = await Promise.all([
    ada.get(query),
    ben.get(query),
    eve.get(query),
    ...[ada, ben, eve].map((person) => listOf(person)),
  ])

  expect([first.status, second.status, refused.status]).toEqual([200, 200, 403])
  expect(first.body).toEqual(second.body)
  expect(lists.map((list: unknown[]) => list.length)).toEqual([1, 1, 0])
})

test('a removed user does not learn what is kept', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const member = await joined(server, made, ben)
  const query = `${getFull}?organizationId=${made.id}`
  expect((await ben.get(query)).status).toBe(200)

  await ada.post('/organization/remove-member', { memberIdOrEmail: member.id })

  expect((await ben.get(query)).status).toBe(403)
})

test('server code’s change of its answer reaches no other user', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  await created(ada)
  const told = await full(ada)
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const answer = await server.tollgate.api.getFullOrganization({ headers: { cookie } })
  answer!.members.length = 0
  const list = await server.tollgate.api.listOrganizations({ headers: { cookie } })
  list.length = 0

  expect(await full(ada)).toEqual(told)
  expect(await listOf(ada)).toHaveLength(1)
})

test('another process’s writes are sent, too', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-kept-'))
  const file = path.join(folder, 'tollgate.db')
  {
    await using server = await createTestServer({}, { databaseUrl: `sqlite:${file}` })
    const ada = await server.signedUp('Ada')
    await created(ada)
    await full(ada)
    await server.tollgate.internals.ctx.jobs.runDue()

    const other = new DatabaseSync(file)
    other.exec(`update "organization" set "name" = 'Changed'`)
    other.close()

    expect((await full(ada)).name).toBe('Changed')
  }
  await rm(folder, { recursive: true, force: true })
})

test('the list of many organizations is complete, however many are kept', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const slugs = Array.from({ length: 30 }, (_, number) => `number-${number}`)
  for (const slug of slugs) await created(ada, slug)

  for (const round of [1, 2])
    for (const slug of slugs)
      expect([round, (await ada.get(`${getFull}?organizationSlug=${slug}`)).body.slug]).toEqual([round, slug])
})
