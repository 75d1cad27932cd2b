import { expect, test, vi } from 'vitest'
import { beforeNextTransaction, createTestServer, testStart } from '../../testing.ts'
import { activeOf, created, joined } from './testing/organizations.ts'

const create = '/organization/create'
const id = expect.stringMatching(/^[A-Za-z0-9]{32}$/)
const createdAt = testStart.toISOString()
const isTaken = { code: 'ORGANIZATION_ALREADY_EXISTS', message: 'Organization already exists' }
const notAllowed = {
  code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION',
  message: 'You are not allowed to create a new organization',
}
const limitReached = {
  code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS',
  message: 'You have reached the maximum number of organizations',
}

test('a user who creates an organization owns it, and acts in it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')

  const { status, body } = await ada.post(create, {
    name: ' Acme Inc. ',
    slug: ' ACME ',
    logo: 'https://acme.example/logo.png',
    metadata: { plan: { seats: 3 }, tags: ['a'] },
  })

  expect([status, body]).toEqual([
    200,
    {
      id,
      name: 'Acme Inc.',
      slug: 'acme',
      logo: 'https://acme.example/logo.png',
      metadata: { plan: { seats: 3 }, tags: ['a'] },
      requireVerifiedEmail: false,
      createdAt,
      members: [{ id, organizationId: body.id, userId: ada.id, role: 'owner', createdAt }],
    },
  ])
  expect((await ada.get('/get-session')).body).toMatchObject({
    session: { activeOrganizationId: body.id },
    organization: { id: body.id, slug: 'acme', name: 'Acme Inc.', roles: ['owner'] },
  })
  expect(await server.events('organization.created')).toEqual([
    { actorId: ada.id, userId: null, data: { name: 'Acme Inc.', slug: 'acme' } },
  ])
  expect(await server.events('member.added')).toEqual([
    { actorId: ada.id, userId: ada.id, data: { role: 'owner', by: 'creation' } },
  ])
})

test('omitted fields are null, and metadata is left out', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const made = await created(ada)

  expect(made.logo).toBeNull()
  expect(made).not.toHaveProperty('metadata')
  expect((await created(ada, 'other', { logo: '' })).logo).toBeNull()
  expect((await created(ada, 'empty', { metadata: {} })).metadata).toEqual({})
})

test('the organization that is active stays so when the creator wants to keep it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const first = await created(ada, 'first')

  await created(ada, 'second', { keepCurrentActiveOrganization: true })

  expect(await activeOf(ada)).toEqual([first.id, 'first'])
  await created(ada, 'third')
  expect((await activeOf(ada))[1]).toBe('third')
})

test('only the session that created it acts in it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)

  await created(ada)

  expect((await phone.get('/get-session')).body.organization).toBeNull()
})

test('the cookie cache knows which organization is active', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()

  const made = await created(ada)

  const { session, organization } = (await ada.get('/get-session')).body
  expect([session.activeOrganizationId, organization]).toEqual([made.id, undefined])
})

test('with teams there is one of the same name, which the creator is in and acts for', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const ada = await server.signedUp()

  const made = await created(ada, 'acme', { name: 'Acme' })

  const { teams, members } = (await ada.get('/organization/get-full-organization')).body
  expect(teams).toEqual([{ id, name: 'Acme', organizationId: made.id, createdAt, updatedAt: null }])
  expect([made.members[0]?.teamId, members[0].teamId]).toEqual([teams[0].id, teams[0].id])
  expect((await ada.get('/get-session')).body.session.activeTeamId).toBe(teams[0].id)
  expect(await server.events('team.created')).toHaveLength(1)
})

test('there is no default team where it is switched off', async () => {
  await using server = await createTestServer({
    organization: { teams: { enabled: true, defaultTeam: { enabled: false } } },
  })
  const ada = await server.signedUp()

  const made = await created(ada)

  expect(made.members[0]?.teamId).toBeNull()
  expect((await ada.get('/organization/get-full-organization')).body.teams).toEqual([])
})

test('the role of a creator may have another name, and may do everything', async () => {
  await using server = await createTestServer({ organization: { creatorRole: 'boss' } })
  const ada = await server.signedUp()

  const made = await created(ada)

  expect(made.members[0]?.role).toBe('boss')
  expect((await ada.post('/organization/delete', { organizationId: made.id })).status).toBe(200)
})

test.each([
  ['INVALID_NAME', { name: ' ', slug: 'acme' }],
  ['INVALID_NAME', { name: 'a'.repeat(101), slug: 'acme' }],
  ['INVALID_NAME', { name: 'Ac\u202eme', slug: 'acme' }],
  ['INVALID_SLUG', { name: 'Acme', slug: 'ac me' }],
  ['INVALID_SLUG', { name: 'Acme', slug: 'new' }],
  ['INVALID_LOGO', { name: 'Acme', slug: 'acme', logo: 'javascript:alert(1)' }],
  ['INVALID_LOGO', { name: 'Acme', slug: 'acme', logo: 'data:image/png;base64,AA' }],
  ['METADATA_IS_TOO_LARGE', { name: 'Acme', slug: 'acme', metadata: { text: 'x'.repeat(16 * 1024) } }],
  ['METADATA_IS_TOO_LARGE', { name: 'Acme', slug: 'acme', metadata: { text: 'é'.repeat(8 * 1024) } }],
  ['VALIDATION_ERROR', { name: 'Acme', slug: 'acme', metadata: { text: 'a\0b' } }],
  ['VALIDATION_ERROR', { name: 'Acme', slug: 'acme', metadata: { deep: [{ 'a\ud800': 1 }] } }],
  ['VALIDATION_ERROR', { name: 'Ac\ud800me', slug: 'acme' }],
  ['VALIDATION_ERROR', { name: 'Acme', slug: 'acme', metadata: 'text' }],
  ['VALIDATION_ERROR', { name: '', slug: 'acme' }],
  ['VALIDATION_ERROR', { name: 'Acme' }],
  ['VALIDATION_ERROR', { name: 'Acme', slug: 7 }],
])('refuses with %s (case %#), and creates nothing', async (code, body) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const answer = await ada.post(create, body)

  expect([answer.status, answer.body.code]).toEqual([400, code])
  expect((await ada.get('/organization/list')).body).toEqual([])
})

test('a slug is a user’s, however it is written', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  await created(ada, 'acme')

  for (const slug of ['acme', 'ACME', ' Acme '])
    expect((await eve.post(create, { name: 'Acme', slug })).body).toEqual(isTaken)

  expect((await eve.get('/organization/list')).body).toEqual([])
})

test('of several who take one slug at the same moment, one gets it', async () => {
  await using server = await createTestServer()
  const people = await Promise.all(['Ada', 'Bob', 'Eve', 'Max'].map((name) => server.signedUp(name)))

  const answers = await Promise.all(people.map((person) => person.post(create, { name: 'Acme', slug: 'acme' })))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  for (const { status, body } of answers) if (status === 400) expect(body).toEqual(isTaken)
  expect(await server.events('organization.created')).toHaveLength(1)
})

test.each([
  ['nobody may', false],
  ['the function says no', () => false],
  ['the function promises no', async () => false],
  ['the function fails', () => Promise.reject(new Error('the plan service is down'))],
])('no user creates one where %s', async (_, allowUserToCreateOrganization) => {
  await using server = await createTestServer({ organization: { allowUserToCreateOrganization } })
  const ada = await server.signedUp()

  const { status, body } = await ada.post(create, { name: 'Acme', slug: 'acme' })

  expect([status, body]).toEqual([403, notAllowed])
})

test('a function decides who may create organizations, and knows the user', async () => {
  const allowUserToCreateOrganization = vi.fn(({ name }: { name: string }) => name === 'Ada')
  await using server = await createTestServer({ organization: { allowUserToCreateOrganization } })
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]

  expect((await ada.post(create, { name: 'A', slug: 'aa' })).status).toBe(200)
  expect((await eve.post(create, { name: 'E', slug: 'ee' })).body).toEqual(notAllowed)

  expect(allowUserToCreateOrganization).toHaveBeenCalledWith({ id: ada.id, email: ada.email, name: 'Ada' })
})

test('no user belongs to more organizations than the limit when they create one', async () => {
  await using server = await createTestServer({ organization: { organizationLimit: 2 } })
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  const first = await created(ada, 'first')
  await created(ada, 'second')
  await joined(server, first, eve)
  await created(eve, 'third')

  for (const person of [ada, eve]) {
    const { status, body } = await person.post(create, { name: 'More', slug: 'more' })
    expect([status, body]).toEqual([403, limitReached])
  }
  await ada.post('/organization/delete', { organizationId: first.id })
  expect((await ada.post(create, { name: 'More', slug: 'more' })).status).toBe(200)
})

test('the limit is exact when several are created at the same moment', async () => {
  await using server = await createTestServer({ organization: { organizationLimit: 3 } })
  const ada = await server.signedUp()

  const answers = await Promise.all(
    ['one', 'two', 'three', 'four', 'five', 'six'].map((slug) => ada.post(create, { name: slug, slug })),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403, 403])
  expect((await ada.get('/organization/list')).body).toHaveLength(3)
})

test.each([
  ['a number', async ({ name }: { name: string }) => (name === 'Ada' ? 1 : 0), [200, 403]],
  ['what is no number', () => Number.NaN, [403, 403]],
  ['nothing', () => undefined as unknown as number, [403, 403]],
  ['a failure', () => Promise.reject(new Error('down')), [403, 403]],
])('a function that answers %s decides the limit', async (_, organizationLimit, expected) => {
  await using server = await createTestServer({ organization: { organizationLimit } })
  const ada = await server.signedUp('Ada')

  const statuses = [
    (await ada.post(create, { name: 'One', slug: 'one' })).status,
    (await ada.post(create, { name: 'Two', slug: 'two' })).status,
  ]

  expect(statuses).toEqual(expected)
})

test('a failing function of the configuration is logged', async () => {
  await using server = await createTestServer({
    organization: {
      allowUserToCreateOrganization: () => {
        throw new Error('the plan service is down')
      },
    },
  })
  const ada = await server.signedUp()

  await ada.post(create, { name: 'Acme', slug: 'acme' })

  expect(server.logs.some((line) => line.includes('the plan service is down'))).toBe(true)
})

test('an administrator creates one for another user, and acts where they did', async () => {
  await using server = await createTestServer({ organization: { allowUserToCreateOrganization: false } })
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]

  const { status, body } = await root.post(create, { name: 'Acme', slug: 'acme', userId: ada.id })

  expect([status, body.members]).toEqual([200, [expect.objectContaining({ userId: ada.id, role: 'owner' })]])
  expect(await activeOf(root)).toEqual([null, null])
  expect(await activeOf(ada)).toEqual([null, null])
  expect((await ada.get('/organization/list')).body).toHaveLength(1)
  expect(await server.events('organization.created')).toMatchObject([{ actorId: root.id }])
  const unknown = await root.post(create, { name: 'Other', slug: 'other', userId: 'nobody' })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'USER_NOT_FOUND'])
})

test('the limit of whom an administrator names counts', async () => {
  await using server = await createTestServer({ organization: { organizationLimit: 1 } })
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  await created(ada)

  const { status, body } = await root.post(create, { name: 'More', slug: 'more', userId: ada.id })

  expect([status, body]).toEqual([403, limitReached])
})

test('a user who does not administer creates only for themselves, whatever user they name', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]

  const made = await created(eve, 'acme', { userId: ada.id })

  expect(made.members[0]?.userId).toBe(eve.id)
  expect((await ada.get('/organization/list')).body).toEqual([])
})

test('server code creates one for a user without a session, and no other user does', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const { api } = server.tollgate
  const body = { name: 'Acme', slug: 'acme', userId: ada.id }

  expect((await server.visitor().post(create, body)).status).toBe(401)
  await expect(api.createOrganization({ body: { name: 'Acme', slug: 'acme' } })).rejects.toThrow('Unauthorized')
  await expect(api.createOrganization({ body: { ...body, userId: 'nobody' } })).rejects.toThrow('User not found')
  const made = await api.createOrganization({ body })

  expect(made.members).toMatchObject([{ userId: ada.id, role: 'owner' }])
  expect(await server.events('organization.created')).toMatchObject([{ actorId: null }])
  expect(await activeOf(ada)).toEqual([null, null])
})

test('no user creates one while acting as another user', async () => {
  await using server = await createTestServer()
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  await root.post('/admin/impersonate-user', { userId: ada.id })

  const { status, body } = await root.post(create, { name: 'Acme', slug: 'acme' })

  expect([status, body.code]).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
})

test('a session that ends at this moment creates nothing', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)
  await beforeNextTransaction(server, () => phone.post('/revoke-other-sessions'))

  expect((await ada.post(create, { name: 'Acme', slug: 'acme' })).status).toBe(401)

  expect((await phone.get('/organization/list')).body).toEqual([])
})

test('the application gets the events of the organization and of its first member, after the commit', async () => {
  const [onOrganizationCreated, onMemberAdded] = [vi.fn(), vi.fn()]
  await using server = await createTestServer({ hooks: { onOrganizationCreated, onMemberAdded } })
  const ada = await server.signedUp()

  const made = await created(ada)
  await ada.post(create, { name: 'Acme', slug: 'acme' })
  await server.tollgate.internals.ctx.settled()

  expect(onOrganizationCreated.mock.calls).toEqual([[{ id: made.id, name: 'acme', slug: 'acme' }]])
  const { id: memberId } = made.members[0]!
  expect(onMemberAdded.mock.calls).toEqual([[{ id: memberId, organizationId: made.id, userId: ada.id, role: 'owner' }]])
})

test('a failing hook fails no call', async () => {
  const onOrganizationCreated = () => {
    throw new Error('the crm is down')
  }
  await using server = await createTestServer({ hooks: { onOrganizationCreated } })
  const ada = await server.signedUp()

  await created(ada)
  await server.tollgate.internals.ctx.settled()

  expect(server.logs.some((line) => line.includes('the crm is down'))).toBe(true)
})

test('where organizations are off there are no such calls', async () => {
  await using server = await createTestServer({ organization: false })
  const ada = await server.signedUp()

  expect((await ada.post(create, { name: 'Acme', slug: 'acme' })).status).toBe(404)
})

test('a session that ends while the configuration decides creates nothing', async () => {
  await using server = await createTestServer()
  const [ada, other] = [await server.signedUp('Ada'), server.visitor()]
  await other.post('/sign-in/email', { email: ada.email, password: ada.password })
  await beforeNextTransaction(server, async () => void (await other.post('/revoke-other-sessions', {})))

  const { status, body } = await ada.post(create, { name: 'Acme', slug: 'acme', keepCurrentActiveOrganization: true })

  expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  expect((await other.get('/organization/list')).body).toEqual([])
})

test('an administrator who is demoted meanwhile creates none for another user', async () => {
  await using server = await createTestServer()
  const [root, ada] = [await server.administrator('Root'), await server.signedUp('Ada')]
  const mallory = await server.administrator('Mallory')
  const demote = () => root.post('/admin/set-role', { userId: mallory.id, role: 'user' })
  await beforeNextTransaction(server, async () => void (await demote()))

  const { status, body } = await mallory.post(create, { name: 'Acme', slug: 'acme', userId: ada.id })

  expect([status, body]).toEqual([403, notAllowed])
  expect((await ada.get('/organization/list')).body).toEqual([])
})
