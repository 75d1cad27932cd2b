import { expect, test, vi } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { insertMerchant } from '../billing/merchant/merchant.repository.ts'
import { insertSale } from '../billing/testing/sale.ts'
import { created, joined } from './testing/organizations.ts'

const onlyOwner = {
  code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
  message: 'You cannot leave the organization as the only owner',
}

/** Requests the mail; returns its link. */
async function deletionLink(server: TestServer, person: Person): Promise<string> {
  await server.mailsTo(person.email)
  server.clock.advance(1) // so that the next mail is the newest
  await person.post('/delete-user', { callbackURL: '/bye' })
  return server.linkTo(person.email)
}

type Removal = () => Promise<{ status: number; body: unknown }>

/** By password, by mailed link, or by an administrator: the preparation, then the deletion itself. */
const ways: Record<string, (server: TestServer, person: Person) => Promise<Removal>> = {
  'with the password': async (_, person) => () => person.post('/delete-user', { password: person.password }),
  'by the mailed link': async (server, person) => {
    const link = await deletionLink(server, person)
    return async () => {
      const { status, body } = await person.request('GET', link)
      return { status: status === 302 ? 200 : status, body }
    }
  },
  'with the mailed token': async (server, person) => {
    const token = new URLSearchParams((await deletionLink(server, person)).split('?')[1]).get('token')
    return () => person.post('/delete-user', { token })
  },
  'by an administrator': async (server, person) => {
    const root = await server.administrator()
    return () => root.post('/admin/remove-user', { userId: person.id })
  },
}
const everyWay = Object.entries(ways)

const slugsOf = async (person: Person): Promise<string[]> =>
  (await person.get('/organization/list')).body.map(({ slug }: { slug: string }) => slug)

const isThere = async (server: TestServer, id: string): Promise<boolean> =>
  (await server.tollgate.internals.ctx.db.selectFrom('user').select('id').where('id', '=', id).execute()).length === 1

const organizationsLeft = async (server: TestServer): Promise<string[]> =>
  (await server.tollgate.internals.ctx.db.selectFrom('organization').select('slug').orderBy('slug').execute()).map(
    ({ slug }) => slug,
  )

test.each(everyWay)('the only owner of an organization with others is not deleted %s', async (_, way) => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const remove = await way(server, ada)
  await created(ada, 'alone')
  const shared = await created(ada, 'shared')
  await joined(server, shared, ben, 'admin')

  const { status, body } = await remove()

  expect([status, body]).toEqual([400, onlyOwner])
  // All or nothing: their own organization still exists too.
  expect(await slugsOf(ada)).toEqual(expect.arrayContaining(['alone', 'shared']))
  expect(await server.events('organization.deleted')).toEqual([])
  expect(await server.events('user.deleted')).toEqual([])
})

test.each(everyWay)('%s an organization without other members is deleted along with its owner', async (_, way) => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  await created(ada, 'one')
  await created(ada, 'two')
  const remove = await way(server, ada)

  expect((await remove()).status).toBe(200)

  expect([await isThere(server, ada.id), await organizationsLeft(server)]).toEqual([false, []])
  expect(await server.events('organization.deleted')).toHaveLength(2)
})

test.each(everyWay)('%s a member leaves, and the organization stays', async (_, way) => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  const remove = await way(server, ben)

  expect((await remove()).status).toBe(200)

  const { members } = (await ada.get('/organization/get-full-organization')).body
  expect(members).toMatchObject([{ userId: ada.id }])
  expect(await server.events('member.removed')).toMatchObject([{ userId: ben.id, data: { role: 'admin' } }])
})

test('the page shows the effect on organizations before the account is deleted, and so does the mail', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const solo = await created(ada, 'solo')
  const shared = await created(ada, 'shared')
  const member = await joined(server, shared, ben)
  await joined(server, await created(ben, 'theirs'), ada)
  const preview = async () => (await ada.get('/organization/preview-user-deletion')).body

  const named = ({ id, name, slug }: typeof solo) => ({ id, name, slug })
  const purchases = { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }
  expect(await preview()).toEqual({ purchases, blocking: [named(shared)], ending: [named(solo)] })

  await ada.post('/organization/transfer-ownership', { organizationId: shared.id, memberId: member.id })
  expect(await preview()).toEqual({ purchases, blocking: [], ending: [named(solo)] })

  await server.mailsTo(ada.email)
  server.clock.advance(1) // so that the next mail is the newest
  await ada.post('/delete-user')
  const [mail] = await server.mailsTo(ada.email)
  expect(mail?.text).toContain('are deleted with your account: solo.')
})

test('an organization that has sold keeps its only member, who sees this beforehand', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const sold = await created(ada, 'sold')
  const { ctx } = server.tollgate.internals
  await ctx.transaction(async (tx) => {
    await insertMerchant(tx, sold.id, ctx.clock.now(), true)
    await insertSale(tx, sold.id, ctx.clock.now())
  })

  const { body } = await ada.get('/organization/preview-user-deletion')

  expect(body).toMatchObject({ blocking: [{ slug: 'sold' }], ending: [] })
  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(400)
})

test('the audit log names the actor: oneself, or the administrator', async () => {
  await using server = await createTestServer()
  const [ada, ben, max] = [await server.signedUp('Ada'), await server.signedUp('Ben'), await server.signedUp('Max')]
  const root = await server.administrator()
  const made = await created(ada)
  for (const person of [ben, max]) await joined(server, made, person)

  await ben.post('/delete-user', { password: ben.password })
  server.clock.advance(1)
  await root.post('/admin/remove-user', { userId: max.id })

  expect(await server.events('member.removed')).toEqual([
    { actorId: ben.id, userId: ben.id, data: { role: 'member', left: true } },
    { actorId: root.id, userId: max.id, data: { role: 'member', left: false } },
  ])
})

test('one of several owners may go', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  await joined(server, await created(ada), ben, 'owner')

  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(200)

  expect(await slugsOf(ben)).toEqual(['acme'])
})

test('once it is handed over, the owner of before may go', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const member = await joined(server, await created(ada), ben)
  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(400)

  await ada.post('/organization/transfer-ownership', { memberId: member.id })

  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(200)
})

test('a refused mailed link works once nothing is in its way any more', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const link = await deletionLink(server, ada)
  await joined(server, made, ben)
  expect((await ada.request('GET', link)).body).toEqual(onlyOwner)

  await ben.post('/organization/leave', { organizationId: made.id })

  expect((await ada.request('GET', link)).status).toBe(302)
  expect(await isThere(server, ada.id)).toBe(false)
})

test('a user who could not be deleted is sent no link', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  await joined(server, await created(ada), ben)
  const before = await server.mailsTo(ada.email)

  const { status, body } = await ada.post('/delete-user')

  expect([status, body]).toEqual([400, onlyOwner])
  expect(await server.mailsTo(ada.email)).toEqual(before)
})

test('two owners who delete their accounts at the same moment do not leave others without one', async () => {
  await using server = await createTestServer()
  for (let round = 0; round < 5; round += 1) {
    const people = await Promise.all(['Ada', 'Ben', 'Max'].map((name) => server.signedUp(name)))
    const [ada, ben, max] = people as [Person, Person, Person]
    const made = await created(ada, `round-${round}`)
    await joined(server, made, ben, 'owner')
    await joined(server, made, max)

    const answers = await Promise.all(
      [ada, ben].map((person) => person.post('/delete-user', { password: person.password })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  }
})

test('two owners without other members who delete their accounts at the same moment take the organization along', async () => {
  await using server = await createTestServer()
  for (let round = 0; round < 5; round += 1) {
    const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
    const shared = [await created(ada, `one-${round}`), await created(ada, `two-${round}`)]
    for (const made of shared) await joined(server, made, ben, 'owner')

    const answers = await Promise.all(
      [ada, ben].map((person) => person.post('/delete-user', { password: person.password })),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await organizationsLeft(server)).toEqual([])
  }
  expect(server.logs.filter((line) => line.includes('serialization failure') || line.includes('deadlock'))).toEqual([])
})

test('an owner who goes and another who leaves at the same moment do not leave others without one', async () => {
  await using server = await createTestServer()
  for (let round = 0; round < 5; round += 1) {
    const people = await Promise.all(['Ada', 'Ben', 'Max'].map((name) => server.signedUp(name)))
    const [ada, ben, max] = people as [Person, Person, Person]
    const made = await created(ada, `round-${round}`)
    await joined(server, made, ben, 'owner')
    await joined(server, made, max)

    const answers = await Promise.all([
      ada.post('/delete-user', { password: ada.password }),
      ben.post('/organization/leave', { organizationId: made.id }),
    ])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  }
})

test('the rule is the same while organizations are switched off', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  await joined(server, await created(ada), ben)
  await created(ben, 'alone')
  Object.assign(server.tollgate.internals.ctx.config, { organization: false })

  expect((await ada.post('/delete-user', { password: ada.password })).body).toEqual(onlyOwner)
  expect((await ben.post('/delete-user', { password: ben.password })).status).toBe(200)
  expect(await organizationsLeft(server)).toEqual(['acme'])
  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(200)
  expect(await organizationsLeft(server)).toEqual([])
})

test('the application gets the events of what ended along with a user', async () => {
  const hooks = { onOrganizationDeleted: vi.fn(), onMemberRemoved: vi.fn(), onUserDeleted: vi.fn() }
  await using server = await createTestServer({ hooks })
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const shared = await created(ada, 'shared')
  const member = await joined(server, shared, ben)
  const own = await created(ben, 'own')

  await ben.post('/delete-user', { password: ben.password })
  await server.tollgate.internals.ctx.settled()

  expect(hooks.onOrganizationDeleted.mock.calls).toEqual([[{ id: own.id, name: 'own', slug: 'own' }]])
  expect(hooks.onMemberRemoved.mock.calls).toEqual([
    [{ id: member.id, organizationId: shared.id, userId: ben.id, role: 'member' }],
  ])
  expect(hooks.onUserDeleted).toHaveBeenCalledOnce()
})

test('an invitation stays when its inviter is gone, and admits no user', async () => {
  await using server = await createTestServer({ organization: { requireEmailVerificationOnInvitation: false } })
  const [ada, ben, eve] = [await server.signedUp('Ada'), await server.signedUp('Ben'), await server.signedUp('Eve')]
  const made = await created(ada)
  await joined(server, made, ben, 'admin')
  const invited = await ben.post('/organization/invite-member', {
    organizationId: made.id,
    email: eve.email,
    role: 'member',
  })

  await ben.post('/delete-user', { password: ben.password })

  const accepted = await eve.post('/organization/accept-invitation', { invitationId: invited.body.id })
  expect([accepted.status, accepted.body.code]).toEqual([400, 'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION'])
  expect((await ada.get('/organization/get-full-organization')).body).toMatchObject({
    members: [{ userId: ada.id }],
    invitations: [{ email: eve.email, status: 'pending' }],
  })
})

test('who is deleted while they join, create, or choose an organization is gone, and no transaction waits for another', async () => {
  await using server = await createTestServer()
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  const made = await created(ada)
  const { api } = server.tollgate
  for (let round = 0; round < 10; round += 1) {
    const ben = await server.signedUp('Ben')
    const own = await created(ben, `own-${round}`)

    const [deleted] = await Promise.all([
      root.post('/admin/remove-user', { userId: ben.id }),
      ben.post('/organization/create', { name: 'More', slug: `more-${round}` }),
      ben.post('/organization/set-active', { organizationId: own.id }),
      ben.post('/organization/update', { organizationId: own.id, data: { name: 'Changed' } }),
      ben.post('/organization/delete', { organizationId: own.id }),
      api.addMember({ body: { organizationId: made.id, userId: ben.id, role: 'admin' } }).catch(() => undefined),
    ])

    expect(deleted.status).toBe(200)
  }
  expect(await organizationsLeft(server)).toEqual(['acme'])
  const { members } = (await ada.get('/organization/get-full-organization')).body
  expect(members).toMatchObject([{ userId: ada.id }])
  expect(server.logs.filter((line) => /serialization failure|deadlock|unexpected failure/i.test(line))).toEqual([])
})
