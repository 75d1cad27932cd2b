import { expect, test, vi } from 'vitest'
import { minutes, seconds } from '../../foundation/clock.ts'
import { beforeNextTransaction, createTestServer, type Person } from '../../testing.ts'
import { activeOf, created, joined, verified } from './testing/organizations.ts'

const checkSlug = '/organization/check-slug'
const update = '/organization/update'
const remove = '/organization/delete'
const list = '/organization/list'
const getOne = '/organization/get-organization'
const getFull = '/organization/get-full-organization'
const setActive = '/organization/set-active'

const notAMember = {
  code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  message: 'User is not a member of the organization',
}
const wantsVerified = {
  code: 'EMAIL_VERIFICATION_REQUIRED',
  message: 'This organization is for people with a verified email address',
}

const slugs = async (person: Person, query = ''): Promise<string[]> =>
  (await person.get(list + query)).body.map(({ slug }: { slug: string }) => slug)

test.each([
  ['POST', checkSlug],
  ['POST', update],
  ['POST', remove],
  ['GET', list],
  ['GET', getOne],
  ['GET', getFull],
  ['POST', setActive],
])('%s %s is for signed-in users', async (method, path) => {
  await using server = await createTestServer()
  const body = { slug: 'acme', data: {}, organizationId: 'x' }

  const answer = await server.visitor().request(method, `/api/auth${path}`, method === 'POST' ? { body } : {})

  expect([answer.status, answer.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
})

// Slugs

test('a slug is free until a user has it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const taken = { code: 'SLUG_IS_TAKEN', message: 'slug is taken' }

  expect((await ada.post(checkSlug, { slug: 'acme' })).body).toEqual({ status: true })
  const { id } = await created(ada)
  for (const slug of ['acme', ' ACME'])
    expect(await ada.post(checkSlug, { slug })).toMatchObject({ status: 400, body: taken })
  await ada.post(remove, { organizationId: id })
  expect((await ada.post(checkSlug, { slug: 'acme' })).body).toEqual({ status: true })
  expect(await ada.post(checkSlug, { slug: 'ac me' })).toMatchObject({ status: 400, body: { code: 'INVALID_SLUG' } })
})

// Changes

test('given fields change, and the rest stays', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const made = await created(ada, 'acme', { logo: 'https://acme.example/a.png', metadata: { a: 1 } })
  const { members: _, ...before } = made

  const renamed = await ada.post(update, { data: { name: ' Acme Inc. ', slug: 'ACME-inc' } })
  server.clock.advance(seconds(1))
  const cleared = await ada.post(update, { organizationId: made.id, data: { logo: null, metadata: null } })
  server.clock.advance(seconds(1))
  const filled = await ada.post(update, { data: { metadata: { b: { c: 2 } } } })

  const after = { ...before, name: 'Acme Inc.', slug: 'acme-inc' }
  const { metadata: __, ...withoutMetadata } = { ...after, logo: null }
  expect([renamed.status, renamed.body]).toEqual([200, after])
  expect([cleared.status, cleared.body]).toEqual([200, withoutMetadata])
  expect(filled.body).toEqual({ ...withoutMetadata, metadata: { b: { c: 2 } } })
  expect((await ada.get('/get-session')).body.organization).toMatchObject({ name: 'Acme Inc.', slug: 'acme-inc' })
  expect(await server.events('organization.updated')).toEqual([
    { actorId: ada.id, userId: null, data: { fields: 'name,slug' } },
    { actorId: ada.id, userId: null, data: { fields: 'logo,metadata' } },
    { actorId: ada.id, userId: null, data: { fields: 'metadata' } },
  ])
})

test('nothing given changes nothing, and is no event', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { members: _, ...before } = await created(ada)

  expect((await ada.post(update, { data: {} })).body).toEqual(before)

  expect(await server.events('organization.updated')).toEqual([])
})

test.each([
  ['INVALID_NAME', { name: ' ' }],
  ['INVALID_SLUG', { slug: 'a' }],
  ['INVALID_LOGO', { logo: 'ftp://acme.example/a.png' }],
  ['METADATA_IS_TOO_LARGE', { metadata: { text: 'x'.repeat(16 * 1024) } }],
  ['ORGANIZATION_ALREADY_EXISTS', { slug: 'other' }],
  ['VALIDATION_ERROR', { requireVerifiedEmail: 'yes' }],
])('refuses with %s, and changes nothing', async (code, data) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await created(ada, 'other')
  await created(ada, 'acme')

  const answer = await ada.post(update, { data })

  expect([answer.status, answer.body.code]).toEqual([400, code])
  expect((await ada.get(getOne)).body).toMatchObject({ name: 'acme', slug: 'acme', logo: null })
})

test('its own slug is none that another user has', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await created(ada)

  expect((await ada.post(update, { data: { slug: 'acme' } })).status).toBe(200)
})

test('of two organizations that take one slug at the same moment, one gets it', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  await created(ada, 'first')
  await created(eve, 'second')

  const answers = await Promise.all([ada, eve].map((person) => person.post(update, { data: { slug: 'acme' } })))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('changing takes the permission, and being a member', async () => {
  await using server = await createTestServer()
  const [ada, ben, max, eve] = await Promise.all(['Ada', 'Ben', 'Max', 'Eve'].map((name) => server.signedUp(name)))
  const made = await created(ada!)
  await joined(server, made, ben!, 'admin')
  await joined(server, made, max!, 'member')
  await created(eve!, 'other')
  const data = { name: 'Changed' }
  const organizationId = made.id

  expect(await max!.post(update, { organizationId, data })).toMatchObject({
    status: 403,
    body: {
      code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
      message: 'You are not allowed to update this organization',
    },
  })
  for (const asked of [organizationId, 'no such organization'])
    expect(await eve!.post(update, { organizationId: asked, data })).toMatchObject({ status: 400, body: notAMember })
  expect(await max!.post(update, { data })).toMatchObject({
    status: 400,
    body: { code: 'ORGANIZATION_NOT_FOUND', message: 'Organization not found' },
  })
  expect((await ben!.post(update, { organizationId, data })).body.name).toBe('Changed')
})

test('who has lost the right a moment ago changes nothing', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const member = await joined(server, made, ben, 'admin')
  await beforeNextTransaction(server, () =>
    ada.post('/organization/update-member-role', { memberId: member.id, role: 'member' }),
  )

  const { status } = await ben.post(update, { organizationId: made.id, data: { name: 'Changed' } })

  expect(status).toBe(403)
  expect((await ada.get(getOne)).body.name).toBe('acme')
})

// Required verified addresses

test('an organization may be for people with a verified address', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben)
  await ben.post(setActive, { organizationId: made.id })
  const data = { requireVerifiedEmail: true }

  // An owner without a verified address would lock themselves out.
  expect(await ada.post(update, { data })).toMatchObject({ status: 403, body: wantsVerified })
  await verified(server, ada)
  expect((await ada.post(update, { data })).body.requireVerifiedEmail).toBe(true)

  for (const answer of [
    await ben.get(getOne),
    await ben.get(getFull),
    await ben.post(setActive),
    await ben.post(update, { data: { name: 'Changed' } }),
    await ben.post(remove, { organizationId: made.id }),
    await ben.get('/organization/list-events'),
  ])
    expect(answer).toMatchObject({ status: 403, body: wantsVerified })
  expect(await slugs(ben)).toEqual(['acme'])
  await verified(server, ben)
  expect((await ben.get(getFull)).status).toBe(200)
})

test('but no admin makes it so while that would shut out an owner', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  await verified(server, ben)
  const set = (requireVerifiedEmail: boolean) =>
    ben.post(update, { organizationId: made.id, data: { requireVerifiedEmail } })

  expect(await set(true)).toMatchObject({
    status: 403,
    body: { code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION' },
  })
  expect((await ada.get(getOne)).body.requireVerifiedEmail).toBe(false)
  expect((await set(false)).status).toBe(200)
  await verified(server, ada)
  expect((await set(true)).body.requireVerifiedEmail).toBe(true)
})

// Deletion

test('a deleted organization is gone with everything in it, and no user acts in it', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const other = await created(ada, 'other')
  const { members: _, ...made } = await created(ada, 'acme')
  await joined(server, made, ben)
  await ben.post(setActive, { organizationId: made.id })
  await ada.post('/organization/invite-member', { email: 'eve@example.com', role: 'member' })

  const { status, body } = await ada.post(remove, { organizationId: made.id })

  expect([status, body]).toEqual([200, made])
  for (const person of [ada, ben]) expect(await activeOf(person)).toEqual([null, null])
  expect([await slugs(ada), await slugs(ben)]).toEqual([['other'], []])
  const { db } = server.tollgate.internals.ctx
  for (const table of ['member', 'team', 'invitation'] as const)
    expect(await db.selectFrom(table).select('id').where('organizationId', '=', made.id).execute()).toEqual([])
  expect(await server.events('organization.deleted')).toEqual([
    { actorId: ada.id, userId: null, data: { name: 'acme', slug: 'acme' } },
  ])
  expect((await ada.post(setActive, { organizationId: other.id })).status).toBe(200)
})

test('deleting another organization than the active one leaves that one active', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const first = await created(ada, 'first')
  await created(ada, 'second')

  await ada.post(remove, { organizationId: first.id })

  expect((await activeOf(ada))[1]).toBe('second')
})

test('the cookie cache does not show a deleted organization as the active one', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  const { id } = await created(ada)

  await ada.post(remove, { organizationId: id })

  expect((await ada.get('/get-session')).body.session.activeOrganizationId).toBeNull()
})

test('only who may delete an organization does', async () => {
  await using server = await createTestServer()
  const [ada, ben, max, eve] = await Promise.all(['Ada', 'Ben', 'Max', 'Eve'].map((name) => server.signedUp(name)))
  const made = await created(ada!)
  await joined(server, made, ben!, 'admin')
  await joined(server, made, max!, 'member')
  const body = { organizationId: made.id }

  for (const person of [ben!, max!])
    expect(await person.post(remove, body)).toMatchObject({
      status: 403,
      body: {
        code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION',
        message: 'You are not allowed to delete this organization',
      },
    })
  for (const organizationId of [made.id, 'no such organization'])
    expect(await eve!.post(remove, { organizationId })).toMatchObject({ status: 400, body: notAMember })
  expect((await ada!.post(remove, {})).body.code).toBe('VALIDATION_ERROR')
  expect((await ada!.post(remove, body)).status).toBe(200)
  expect(await ada!.post(remove, body)).toMatchObject({ status: 400, body: notAMember })
})

test('of two owners who delete it at the same moment, one does', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'owner')

  const answers = await Promise.all([ada, ben].map((person) => person.post(remove, { organizationId: made.id })))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await server.events('organization.deleted')).toHaveLength(1)
})

test('deletion can be switched off', async () => {
  await using server = await createTestServer({ organization: { disableOrganizationDeletion: true } })
  const ada = await server.signedUp()
  const { id } = await created(ada)

  expect(await ada.post(remove, { organizationId: id })).toMatchObject({
    status: 403,
    body: { code: 'ORGANIZATION_DELETION_IS_DISABLED', message: 'Organization deletion is disabled' },
  })
})

test('no user deletes one while acting as another user', async () => {
  await using server = await createTestServer()
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  const { id } = await created(ada)
  await root.post('/admin/impersonate-user', { userId: ada.id })

  const { status, body } = await root.post(remove, { organizationId: id })

  expect([status, body.code]).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
})

test('a change by who acts as another user names who it was', async () => {
  await using server = await createTestServer()
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  const { id } = await created(ada)
  await root.post('/admin/impersonate-user', { userId: ada.id })

  await root.post(update, { organizationId: id, data: { name: 'Changed' } })

  expect(await server.events('organization.updated')).toMatchObject([{ actorId: root.id }])
})

test('the application gets the deletion event after the commit', async () => {
  const onOrganizationDeleted = vi.fn()
  await using server = await createTestServer({ hooks: { onOrganizationDeleted } })
  const ada = await server.signedUp()
  const { id } = await created(ada)

  await ada.post(remove, { organizationId: id })
  await server.tollgate.internals.ctx.settled()

  expect(onOrganizationDeleted.mock.calls).toEqual([[{ id, name: 'acme', slug: 'acme' }]])
})

// Reading

test('a user’s organizations are listed in the order in which they joined, a page at a time', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const theirs = await created(ben, 'theirs')
  await created(ada, 'first', { metadata: { a: 1 } })
  server.clock.advance(seconds(1))
  await created(ada, 'second')
  server.clock.advance(seconds(1))
  await joined(server, theirs, ada)

  expect(await slugs(ada)).toEqual(['first', 'second', 'theirs'])
  expect(await slugs(ada, '?limit=2')).toEqual(['first', 'second'])
  expect(await slugs(ada, '?limit=2&offset=1')).toEqual(['second', 'theirs'])
  expect(await slugs(ada, '?offset=3')).toEqual([])
  expect((await ada.get(list)).body[0].metadata).toEqual({ a: 1 })
  for (const query of ['?limit=1001', '?limit=-1', '?limit=x', '?offset=-1'])
    expect([query, (await ada.get(list + query)).status]).toEqual([query, 400])
})

test('the whole organization: members with who they are, invitations newest first, teams', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const { members, ...made } = await created(ada)
  server.clock.advance(minutes(1))
  await joined(server, made, ben)
  for (const email of ['one@example.com', 'two@example.com']) {
    server.clock.advance(minutes(1))
    await ada.post('/organization/invite-member', { email, role: 'member' })
  }

  const { status, body } = await ada.get(getFull)

  const [owner] = members
  expect(status).toBe(200)
  expect(body).toEqual({
    ...made,
    members: [
      { ...owner, user: { id: ada.id, name: 'Ada', email: ada.email, image: null } },
      {
        id: expect.any(String),
        organizationId: made.id,
        userId: ben.id,
        role: 'member',
        teamId: null,
        createdAt: expect.any(String),
        user: { id: ben.id, name: 'Ben', email: ben.email, image: null },
      },
    ],
    invitations: [
      expect.objectContaining({ email: 'two@example.com', status: 'pending' }),
      expect.objectContaining({ email: 'one@example.com', status: 'pending' }),
    ],
    teams: [expect.objectContaining({ name: 'acme', organizationId: made.id })],
  })
})

test('a call identifies an organization by slug, by id, or as the active one, in this order', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  expect([(await ada.get(getFull)).body, (await ada.get(getOne)).body]).toEqual([null, null])
  const [first, second, third] = [
    await created(ada, 'first'),
    await created(ada, 'second'),
    await created(ada, 'third'),
  ]

  for (const path of [getFull, getOne]) {
    expect((await ada.get(path)).body.id).toBe(third.id)
    expect((await ada.get(`${path}?organizationId=${second.id}`)).body.id).toBe(second.id)
    expect((await ada.get(`${path}?organizationId=${second.id}&organizationSlug=FIRST`)).body.id).toBe(first.id)
  }
})

test('a user does not learn whether an organization of others exists', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  const made = await created(ada)
  await created(eve, 'other')

  for (const path of [getFull, getOne])
    for (const query of [
      `organizationId=${made.id}`,
      'organizationSlug=acme',
      'organizationId=no',
      'organizationSlug=no',
    ])
      expect(await eve.get(`${path}?${query}`)).toMatchObject({ status: 403, body: notAMember })
})

test('the answer has as many members as the organization may have, or fewer on request', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 3 } })
  const ada = await server.signedUp('Ada')
  const made = await created(ada)
  for (const name of ['Ben', 'Max']) {
    server.clock.advance(seconds(1))
    await joined(server, made, await server.signedUp(name))
  }
  const names = async (query = '') =>
    (await ada.get(getFull + query)).body.members.map(({ user }: { user: { name: string } }) => user.name)

  expect(await names()).toEqual(['Ada', 'Ben', 'Max'])
  expect(await names('?membersLimit=2')).toEqual(['Ada', 'Ben'])
  expect((await ada.get(`${getFull}?membersLimit=1001`)).status).toBe(400)
})

// The active organization

test('a session acts in the organization that is named, by id or by slug, and in none', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const ada = await server.signedUp()
  const [first, second] = [await created(ada, 'first'), await created(ada, 'second')]

  const byId = await ada.post(setActive, { organizationId: first.id })
  expect(byId.status).toBe(200)
  expect(byId.body).toMatchObject({ id: first.id, members: [{ userId: ada.id }], invitations: [], teams: null })
  expect(await activeOf(ada)).toEqual([first.id, 'first'])
  const bySlug = await ada.post(setActive, { organizationId: first.id, organizationSlug: 'Second' })
  expect(bySlug.body.id).toBe(second.id)
  expect(await activeOf(ada)).toEqual([second.id, 'second'])
  expect((await ada.post(setActive, {})).body.id).toBe(second.id)
  const cleared = await ada.post(setActive, { organizationId: null })
  expect([cleared.status, cleared.body]).toEqual([200, null])
  expect(await activeOf(ada)).toEqual([null, null])
  expect((await ada.post(setActive, {})).body).toBeNull()
})

test('of another organization no team is active, and of the same one it stays', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const ada = await server.signedUp()
  const first = await created(ada, 'first')
  const second = await created(ada, 'second')
  const team = async () => (await ada.get('/get-session')).body.session.activeTeamId

  const before = await team()
  await ada.post(setActive, { organizationId: second.id })
  const same = await team()
  await ada.post(setActive, { organizationId: first.id })

  expect([before, same, await team()]).toEqual([expect.any(String), before, null])
})

test('a refusal leaves the active organization as it is', async () => {
  await using server = await createTestServer()
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  const made = await created(ada)
  const own = await created(eve, 'own')

  for (const body of [{ organizationId: made.id }, { organizationSlug: 'acme' }, { organizationId: 'no such' }])
    expect(await eve.post(setActive, body)).toMatchObject({ status: 403, body: notAMember })

  expect(await activeOf(eve)).toEqual([own.id, 'own'])
})

test('a user who is removed while they make it their active one does not act in it', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben)
  await beforeNextTransaction(server, () => ada.post('/organization/remove-member', { memberIdOrEmail: ben.email }))

  const answer = await ben.post(setActive, { organizationId: made.id })

  expect([answer.status, answer.body]).toEqual([403, notAMember])
  expect(await activeOf(ben)).toEqual([null, null])
})

test('a removed organization is no session’s active one, also when it is chosen at that moment', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  for (let round = 0; round < 10; round += 1) {
    const made = await created(ada, `round-${round}`)
    await joined(server, made, ben)

    await Promise.all([ada.post(remove, { organizationId: made.id }), ben.post(setActive, { organizationId: made.id })])

    expect(await activeOf(ben)).toEqual([null, null])
  }
})

test('the cookie cache follows the active organization', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  const first = await created(ada, 'first')
  await created(ada, 'second')

  await ada.post(setActive, { organizationId: first.id })
  expect((await ada.get('/get-session')).body.session.activeOrganizationId).toBe(first.id)
  await ada.post(setActive, { organizationId: null })
  expect((await ada.get('/get-session')).body.session.activeOrganizationId).toBeNull()
})

test('a session that ends with the browser stays one when its active organization changes', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { id } = await created(ada)
  const phone = server.visitor()
  await phone.post('/sign-in/email', { email: ada.email, password: ada.password, rememberMe: false })

  const { headers } = await phone.post(setActive, { organizationId: id })

  const cookie = headers.getSetCookie().find((line) => line.startsWith('better-auth.session_token='))
  expect(cookie).not.toContain('Max-Age')
})
