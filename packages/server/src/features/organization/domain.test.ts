import { expect, test } from 'vitest'
import { createTestServer, type Person, testStart } from '../../testing.ts'
import { arrived, context, founded, joined, nameServers, refusal } from './testing/joining.ts'

const add = (person: Person, domain: string, more = {}) => person.post('/organization/add-domain', { domain, ...more })
const check = (person: Person, domainId: string) => person.post('/organization/verify-domain', { domainId })
const list = async (person: Person) => (await person.get('/organization/list-domains')).body

test('a domain is added in one spelling, and is nothing before it is proved', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)

  const { status, body } = await add(owner, ' Acme.Example ')

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.any(String),
    organizationId: id,
    domain: 'acme.example',
    joinMode: 'request',
    verifiedAt: null,
    createdAt: testStart.toISOString(),
    record: {
      name: '_tollgate.acme.example',
      value: expect.stringMatching(/^tollgate-domain-verification=[A-Za-z0-9]{32}$/),
    },
  })
  expect(await list(owner)).toEqual([body])
  expect(await server.events('domain.added')).toEqual([
    { actorId: owner.id, userId: null, data: { domain: 'acme.example', joinMode: 'request' } },
  ])
  const ada = await arrived(server, 'ada@acme.example')
  expect((await ada.get('/organization/list-joinable')).body).toEqual([])
})

test('the TXT record proves a domain, also in pieces and among others, once', async () => {
  const names = nameServers()
  await using server = await createTestServer({}, { resolveTxt: names.resolveTxt })
  const { owner } = await founded(server)
  const { id, record } = (await add(owner, 'acme.example', { joinMode: 'auto' })).body
  names.records.set(record.name, [['something else'], [record.value.slice(0, 20), record.value.slice(20)]])

  const { status, body } = await check(owner, id)

  expect([status, body.verifiedAt]).toEqual([200, testStart.toISOString()])
  expect(names.asked).toEqual(['_tollgate.acme.example'])
  names.records.clear()
  expect((await check(owner, id)).body).toEqual(body)
  expect(names.asked).toHaveLength(1)
  expect(await server.events('domain.verified')).toEqual([
    { actorId: owner.id, userId: null, data: { domain: 'acme.example', joinMode: 'auto' } },
  ])
})

test('without the record, or with another, a domain is not proved, whatever name servers answer', async () => {
  const names = nameServers()
  await using server = await createTestServer({}, { resolveTxt: names.resolveTxt })
  const { owner } = await founded(server)
  const other = await founded(server, 'other')
  const { id, record } = (await add(owner, 'acme.example')).body
  const theirs = (await add(other.owner, 'acme.example')).body.record
  const notProven = [400, 'THE_DNS_RECORD_WAS_NOT_FOUND']

  expect(refusal(await check(owner, id))).toEqual(notProven)
  for (const answer of [[], [[]], [['']], [[`${record.value}x`]], [[` ${record.value}`]], [[theirs.value]]]) {
    names.records.set(record.name, answer)
    expect(refusal(await check(owner, id))).toEqual(notProven)
  }
  // The domain's own record is not queried.
  names.records.delete(record.name)
  names.records.set('acme.example', [[record.value]])
  expect(refusal(await check(owner, id))).toEqual(notProven)
  expect((await list(owner))[0].verifiedAt).toBeNull()
})

test('looking for records is limited for each organization', async () => {
  const names = nameServers()
  await using server = await createTestServer(
    { rateLimit: { enabled: true, max: 1000, customRules: { '/sign-up/email': false } } },
    { resolveTxt: names.resolveTxt },
  )
  const { owner } = await founded(server)
  const { id } = (await add(owner, 'acme.example')).body

  for (let tried = 0; tried < 5; tried += 1) expect((await check(owner, id)).status).toBe(400)
  expect((await check(owner, id)).status).toBe(429)
  expect(names.asked).toHaveLength(5)
  const other = await founded(server, 'other')
  expect((await check(other.owner, (await add(other.owner, 'acme.example')).body.id)).status).toBe(400)
})

test('of two organizations that prove one domain at the same moment one has it', async () => {
  const names = nameServers()
  await using server = await createTestServer({}, { resolveTxt: names.resolveTxt })
  const organizations = [await founded(server, 'one'), await founded(server, 'two')]
  const added = await Promise.all(organizations.map(async ({ owner }) => (await add(owner, 'acme.example')).body))
  names.records.set(
    '_tollgate.acme.example',
    added.map(({ record }) => [record.value]),
  )

  const answers = await Promise.all(organizations.map(({ owner }, at) => check(owner, added[at].id)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const loser = answers.findIndex(({ status }) => status === 400)
  const taken = [400, 'DOMAIN_IS_VERIFIED_BY_ANOTHER_ORGANIZATION']
  expect(refusal(answers[loser]!)).toEqual(taken)
  expect(refusal(await check(organizations[loser]!.owner, added[loser].id))).toEqual(taken)
  expect(await server.events('domain.verified')).toHaveLength(1)

  // After its holder removes it, the other can prove it.
  const winner = 1 - loser
  await organizations[winner]!.owner.post('/organization/remove-domain', { domainId: added[winner].id })
  expect((await check(organizations[loser]!.owner, added[loser].id)).status).toBe(200)
})

test('the same organization that proves a domain twice at the same moment has proved it', async () => {
  const names = nameServers()
  await using server = await createTestServer({}, { resolveTxt: names.resolveTxt })
  const { owner } = await founded(server)
  const { id, record } = (await add(owner, 'acme.example')).body
  names.records.set(record.name, [[record.value]])

  const answers = await Promise.all([check(owner, id), check(owner, id), check(owner, id)])

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await server.events('domain.verified')).toHaveLength(1)
})

test('a domain that is removed while its record is looked for is not proved', async () => {
  let whileAsking = async (): Promise<unknown> => undefined
  const answered: string[][] = []
  await using server = await createTestServer(
    {},
    {
      resolveTxt: async () => {
        await whileAsking()
        return answered
      },
    },
  )
  const { id: organizationId, owner } = await founded(server)
  const first = (await add(owner, 'first.example')).body
  const second = (await add(owner, 'second.example')).body
  answered.push([first.record.value], [second.record.value])

  whileAsking = () => owner.post('/organization/remove-domain', { domainId: first.id })
  expect(refusal(await check(owner, first.id))).toEqual([400, 'DOMAIN_NOT_FOUND'])
  // Nor one by a member who lost the permission.
  whileAsking = () =>
    context(server).transaction((tx) =>
      tx.updateTable('member').set({ role: 'member' }).where('organizationId', '=', organizationId).execute(),
    )
  expect(refusal(await check(owner, second.id))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION'])
  expect(await server.events('domain.verified')).toEqual([])
})

test('an invalid domain, a public one and an existing one are refused', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  for (const domain of ['localhost', '192.0.2.1', 'a@acme.example', 'people.invalid'])
    expect(refusal(await add(owner, domain))).toEqual([400, 'INVALID_DOMAIN'])
  for (const domain of ['gmail.com', 'GMail.com', 'proton.me'])
    expect(refusal(await add(owner, domain))).toEqual([400, 'A_DOMAIN_OF_A_PUBLIC_MAIL_SERVICE_CANNOT_BE_CLAIMED'])
  await add(owner, 'acme.example')
  expect(refusal(await add(owner, 'ACME.example'))).toEqual([400, 'DOMAIN_IS_ALREADY_ADDED'])
  for (const body of [{}, { domain: '' }, { domain: 'x'.repeat(254) }, { domain: 'a.example', joinMode: 'open' }])
    expect(refusal(await owner.post('/organization/add-domain', body))).toEqual([400, 'VALIDATION_ERROR'])
})

test('an organization has twenty domains at most, and each once, also at the same moment', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  for (let at = 0; at < 16; at += 1) await add(owner, `d${at}.example`)

  const twice = await Promise.all([add(owner, 'twice.example'), add(owner, 'twice.example')])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  const more = await Promise.all(Array.from({ length: 6 }, (_, at) => add(owner, `more${at}.example`)))

  expect(more.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(more.filter(({ status }) => status !== 200).map(refusal)).toEqual(Array(3).fill([403, 'DOMAIN_LIMIT_REACHED']))
  expect(await list(owner)).toHaveLength(20)
})

test('who comes in by a domain is decided, and the domain removed, by who may change the organization', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')
  const domainId = (await add(owner, 'acme.example')).body.id

  const changed = await admin.post('/organization/update-domain', { domainId, joinMode: 'auto' })
  expect([changed.status, changed.body.joinMode]).toEqual([200, 'auto'])
  const removed = await admin.post('/organization/remove-domain', { domainId })
  expect([removed.status, removed.body.id]).toEqual([200, domainId])
  expect(await list(owner)).toEqual([])
  for (const type of ['domain.updated', 'domain.removed'] as const)
    expect(await server.events(type)).toEqual([
      { actorId: admin.id, userId: null, data: { domain: 'acme.example', joinMode: 'auto' } },
    ])
  const notFound = [400, 'DOMAIN_NOT_FOUND']
  expect(refusal(await owner.post('/organization/update-domain', { domainId, joinMode: 'off' }))).toEqual(notFound)
  expect(refusal(await owner.post('/organization/remove-domain', { domainId }))).toEqual(notFound)
  expect(refusal(await check(owner, domainId))).toEqual(notFound)
})

test('no other user sees or decides an organization’s domains', async () => {
  const names = nameServers()
  await using server = await createTestServer({}, { resolveTxt: names.resolveTxt })
  const { id, owner } = await founded(server)
  const other = await founded(server, 'other')
  const member = await joined(server, id, 'member@acme.example', 'member')
  const outsider = await arrived(server, 'out@home.example')
  const { id: domainId, record } = (await add(owner, 'acme.example')).body
  names.records.set(record.name, [[record.value]])
  const answersOf = async (person: Person, organizationId?: string) =>
    (
      await Promise.all([
        person.get(`/organization/list-domains${organizationId ? `?organizationId=${organizationId}` : ''}`),
        person.post('/organization/add-domain', { domain: 'b.example', organizationId }),
        person.post('/organization/verify-domain', { domainId, organizationId }),
        person.post('/organization/update-domain', { domainId, joinMode: 'auto', organizationId }),
        person.post('/organization/remove-domain', { domainId, organizationId }),
      ])
    ).map(refusal)
  const all = (expected: unknown) => Array(5).fill(expected)

  expect(await answersOf(member)).toEqual(all([403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION']))
  for (const stranger of [outsider, other.owner])
    expect(await answersOf(stranger, id)).toEqual(all([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION']))
  expect(await answersOf(outsider)).toEqual(all([400, 'NO_ACTIVE_ORGANIZATION']))
  expect(await answersOf(server.visitor() as Person, id)).toEqual(all([401, 'UNAUTHORIZED']))
  // A domain of another organization looks unknown.
  expect((await answersOf(other.owner)).slice(2)).toEqual(Array(3).fill([400, 'DOMAIN_NOT_FOUND']))
  expect(names.asked).toEqual([])
  expect(await list(owner)).toMatchObject([{ id: domainId, joinMode: 'request', verifiedAt: null }])
})
