import { expect, test } from 'vitest'
import { insertMerchant } from '../features/billing/merchant/merchant.repository.ts'
import { insertSale } from '../features/billing/testing/sale.ts'
import { type Company, foundedCompany, verified } from '../features/organization/testing/company.ts'
import { days, minutes } from '../foundation/clock.ts'
import type { TollgateConfig } from '../foundation/config/config.ts'
import { createTestServer, type Person, type TestServer } from '../testing.ts'
import { dataOf, location, page, send, stateOf } from './testing/forms.ts'

const sections = ['', '/members', '/invitations', '/teams', '/roles', '/settings', '/audit', '/danger']
const withTeams = { organization: { teams: { enabled: true } } } satisfies TollgateConfig

/** Opens a page and returns its props. */
const seen = async (person: Person, path: string) => dataOf(await page(person, path))

/** The answer of one call to a user. */
const read = async (person: Person, path: string) => (await person.get(`/organization${path}`)).body

async function acme(config: TollgateConfig = withTeams): Promise<{ server: TestServer; company: Company }> {
  const server = await createTestServer(config)
  return { server, company: await foundedCompany(server) }
}

test('every page of an organization is there for its members', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()

  for (const section of ['', '/members', '/invitations', '/teams', '/roles', '/settings', '/danger'])
    for (const person of [company.owner, max]) {
      const answer = await page(person, `/org/acme${section}`)
      expect([section, answer.status, dataOf(answer).page]).toEqual([
        section,
        200,
        `organization-${section.slice(1) || 'overview'}`,
      ])
    }
  const overview = await seen(company.owner, '/org/acme')
  expect(overview).toMatchObject({
    organization: { id: company.id, slug: 'acme' },
    member: { id: company.owner.memberId, role: 'owner', permissions: { organization: ['update', 'delete'] } },
    isOwner: true,
    counts: { members: 2, membershipLimit: 100, invitations: 0, requests: 0 },
    features: { teams: true, deletion: true, removingLastTeam: false },
  })
  expect(overview.events.map(({ type }: { type: string }) => type)).toContain('organization.created')
  expect(await seen(max, '/org/acme')).not.toHaveProperty('events')
})

test('the menu of the user leads to the other color scheme, and to both before a choice', async () => {
  const { server, company } = await acme()
  await using _ = server
  const offered = async (path: string) =>
    [...(await page(company.owner, path)).text.matchAll(/href="\?scheme=(\w+)"/g)].map(([, scheme]) => scheme)

  expect(await offered('/org/acme/members')).toEqual(['dark', 'light'])
  expect(await offered('/org/acme/members?scheme=dark')).toEqual(['light'])
  expect(await offered('/account')).toEqual(['light'])
  expect(await offered('/account?scheme=system')).toEqual(['dark', 'light'])
})

test('an unknown organization and one of others are the same page, form and file', async () => {
  const { server, company } = await acme()
  await using _ = server
  const eve = await server.signedUp('Eve')
  const shown = async (path: string) => {
    const { status, text } = await page(eve, path)
    return [status, text.slice(text.indexOf('<body>')).replaceAll(/acme|nope/g, 'x')]
  }

  for (const section of [...sections, '/audit/export']) {
    const foreign = await shown(`/org/acme${section}`)
    expect(foreign, section).toEqual(await shown(`/org/nope${section}`))
    expect(foreign[0]).toBe(404)
  }
  const forms = [
    ['settings', { form: 'organization-update', name: 'Mine', slug: 'mine' }],
    ['danger', { form: 'organization-delete', confirmation: 'acme' }],
    ['members', { form: 'member-remove', memberId: company.owner.memberId }],
    ['invitations', { form: 'invite-members', emails: 'eve@example.com', role: 'owner' }],
  ] as const
  for (const [section, values] of forms) {
    expect((await send(eve, `/org/acme/${section}`, values)).status).toBe(404)
    expect((await send(eve, `/org/nope/${section}`, values)).status).toBe(404)
  }
  expect((await seen(company.owner, '/org/acme')).organization.name).toBe('acme')
})

test('the pages of an organization that may sell lead only its sellers to the dashboard', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const grace = await server.administrator('Grace')
  const dashboards = async () => [
    (await seen(company.owner, '/org/acme')).dashboard,
    (await seen(company.owner, '/org/acme/teams')).dashboard,
    (await seen(max, '/org/acme')).dashboard,
  ]

  expect(await dashboards()).toEqual([undefined, undefined, undefined])
  await grace.post('/admin/set-selling', { organizationId: company.id, maySell: true })
  expect(await dashboards()).toEqual(['/dashboard/acme', '/dashboard/acme', undefined])
  expect((await page(company.owner, '/org/acme')).text).toContain('href="/dashboard/acme"')
})

test('the first administrator is led on to an organization, which sells at once', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  expect(dataOf(await page(visitor, '/sign-up'))).not.toHaveProperty('callbackURL')
  expect(dataOf(await page(visitor, '/sign-up?setupToken=x'))).toMatchObject({ callbackURL: '/organizations/new' })
  expect(dataOf(await page(visitor, '/sign-up?setupToken=x&callbackURL=%2Faccount'))).toMatchObject({
    callbackURL: '/account',
  })

  const grace = await server.administrator('Grace')
  const ada = await server.signedUp('Ada')
  expect(await seen(grace, '/account')).toMatchObject({ administers: true })
  expect(await seen(ada, '/account')).toMatchObject({ administers: false })
  expect(await seen(grace, '/organizations/new')).toMatchObject({ administers: true, dashboard: '/dashboard' })
  expect(await seen(ada, '/organizations/new')).not.toHaveProperty('dashboard')

  await send(grace, '/organizations/new', { form: 'organization-create', name: 'Acme', slug: 'acme' })
  expect(await seen(grace, '/org/acme')).toMatchObject({ administers: true, dashboard: '/dashboard/acme' })
  // Further organizations need the operator's approval.
  expect(await seen(grace, '/organizations/new')).not.toHaveProperty('dashboard')
})

test('without organizations, the first administrator is led to the administration', async () => {
  await using server = await createTestServer({ organization: false })

  const { callbackURL } = dataOf(await page(server.visitor(), '/sign-up?setupToken=x'))

  expect(callbackURL).toBe('/admin')
})

test('a signed-out visitor signs in first, and comes back', async () => {
  const { server } = await acme()
  await using _ = server

  for (const path of [
    ...sections.map((each) => `/org/acme${each}?search=x`),
    '/organizations/new',
    '/account/organizations',
  ])
    expect(location(await page(server.visitor(), path))).toEqual([
      302,
      `/sign-in?callbackURL=${encodeURIComponent(path)}`,
    ])
  expect(location(await page(server.visitor(), '/org/acme/audit/export'))[0]).toBe(302)
  expect(location(await send(server.visitor(), '/org/acme/danger', { form: 'organization-delete' }))).toEqual([
    303,
    '/sign-in?callbackURL=%2Forg%2Facme%2Fdanger',
  ])
})

test('without organizations there are none of their pages, and the account does not name them', async () => {
  await using server = await createTestServer({ organization: false })
  const ada = await server.signedUp()

  for (const path of [
    ...sections.map((section) => `/org/acme${section}`),
    '/org/acme/audit/export',
    '/organizations/new',
    '/account/organizations',
    '/accept-invitation/some?proof=thing',
    '/join/token',
  ])
    expect([path, (await page(ada, path)).status]).toEqual([path, 404])
  expect((await send(ada, '/organizations/new', { form: 'organization-create', name: 'A', slug: 'a' })).status).toBe(
    404,
  )
  expect((await seen(ada, '/account')).features.organizations).toBe(false)
  expect((await page(ada, '/account/delete')).status).toBe(200)
})

test('without teams there is no page of them', async () => {
  const { server, company } = await acme({ organization: { teams: { enabled: false } } })
  await using _ = server

  expect((await page(company.owner, '/org/acme/teams')).status).toBe(404)
  expect((await send(company.owner, '/org/acme/teams', { form: 'team-create', name: 'Red' })).status).toBe(404)
  expect((await seen(company.owner, '/org/acme/members')).features.teams).toBe(false)
})

test('a user creates an organization and is its owner; a refusal keeps the input', async () => {
  await using server = await createTestServer({ organization: { organizationLimit: 1 } })
  const ada = await server.signedUp()
  const create = (values: Record<string, string>) =>
    send(ada, '/organizations/new', { form: 'organization-create', ...values })
  expect(await seen(ada, '/organizations/new')).toMatchObject({ may: 'create' })

  expect(stateOf(await create({ name: ' ', slug: 'acme' })).fields).toEqual({ name: 'NAME_REQUIRED' })
  expect(stateOf(await create({ name: 'Acme', slug: '' })).fields).toEqual({ slug: 'SLUG_REQUIRED' })
  const refused = await create({ name: 'Acme', slug: 'a b' })
  expect([refused.status, stateOf(refused).values]).toEqual([400, { name: 'Acme', slug: 'a b' }])
  expect(location(await create({ name: 'Acme', slug: 'acme' }))).toEqual([303, '/org/acme?done=organization-created'])

  expect(await seen(ada, '/org/acme?done=organization-created')).toMatchObject({
    state: { done: 'organization-created' },
    isOwner: true,
  })
  expect(await seen(ada, '/organizations/new')).toMatchObject({ may: 'limit', limit: 1 })
})

test('the page of a new organization shows once whose page it is', async () => {
  await using server = await createTestServer({ appName: 'Northwind Portal' })
  const ada = await server.signedUp()

  const { text } = await page(ada, '/organizations/new')

  const body = text.slice(text.indexOf('<body>'), text.indexOf('<script id="props"'))
  expect(body.match(/Northwind Portal/g)).toHaveLength(1)
})

test('the page shows when people may not create organizations', async () => {
  await using server = await createTestServer({ organization: { allowUserToCreateOrganization: false } })
  const ada = await server.signedUp()

  expect(await seen(ada, '/organizations/new')).toMatchObject({ may: 'not-allowed' })
  expect((await send(ada, '/organizations/new', { name: 'Acme', slug: 'acme' })).status).toBe(403)
})

test('visiting changes no active organization; the switcher does, and leads only where is safe', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  await owner.post('/organization/create', { name: 'Other', slug: 'other' })
  const active = async () => (await owner.get('/get-session')).body.organization?.slug
  const turn = (organizationId: string, to: string) =>
    send(owner, '/organizations/switch', { form: 'organization-switch', organizationId, to })

  await page(owner, '/org/acme/members')
  expect(await active()).toBe('other')
  expect(location(await turn(company.id, '/org/acme/members'))).toEqual([303, '/org/acme/members'])
  expect(await active()).toBe('acme')
  expect(location(await turn('', 'https://evil.example'))).toEqual([303, '/account'])
  expect(await active()).toBeUndefined()
  expect(location(await page(owner, '/organizations/switch'))).toEqual([302, '/account'])
})

test('a non-member does not switch to the organization', async () => {
  const { server, company } = await acme()
  await using _ = server
  const eve = await server.signedUp('Eve')

  const values = { form: 'organization-switch', organizationId: company.id, to: '/account' }
  const answer = await send(eve, '/organizations/switch', values)

  expect(answer.status).toBe(403)
  expect((await eve.get('/get-session')).body.organization).toBeNull()
})

test('forms act in the organization of their page, whichever is active', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  await owner.post('/organization/create', { name: 'Other', slug: 'other' })

  const values = { form: 'organization-update', name: 'Acme Works', slug: 'works' }
  expect(location(await send(owner, '/org/acme/settings', values))).toEqual([
    303,
    '/org/works/settings?done=organization-saved',
  ])

  expect((await seen(owner, '/org/works')).organization.name).toBe('Acme Works')
  expect((await seen(owner, '/org/other')).organization.name).toBe('Other')
})

test('a user changes settings; a refusal keeps the input', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  await verified(server, owner)
  const change = (values: Record<string, string>) => send(owner, '/org/acme/settings', values)
  await owner.post('/organization/create', { name: 'Other', slug: 'other' })

  const taken = await change({ form: 'organization-update', name: 'Acme', slug: 'other' })
  expect([taken.status, stateOf(taken).values]).toEqual([400, { name: 'Acme', slug: 'other' }])
  expect((await change({ form: 'organization-update', name: '', slug: 'acme' })).status).toBe(400)
  const metadata = { form: 'organization-metadata', metadata: '{"plan":' }
  expect([(await change(metadata)).status, stateOf(await change(metadata)).values]).toEqual([
    400,
    { metadata: '{"plan":' },
  ])
  for (const text of ['[1]', '"text"', '7', 'null'])
    expect((await change({ form: 'organization-metadata', metadata: text })).status).toBe(400)
  const saved = [303, '/org/acme/settings?done=organization-saved']
  expect(location(await change({ form: 'organization-metadata', metadata: '{"plan":"pilot"}' }))).toEqual(saved)
  expect(location(await change({ form: 'organization-policy', requireVerifiedEmail: 'on' }))).toEqual(saved)
  expect((await seen(owner, '/org/acme/settings')).organization).toMatchObject({
    metadata: { plan: 'pilot' },
    requireVerifiedEmail: true,
  })
  expect(location(await change({ form: 'organization-policy' }))).toEqual(saved)
  expect(location(await change({ form: 'organization-metadata', metadata: '' }))).toEqual(saved)
  expect((await seen(owner, '/org/acme/settings')).organization).toMatchObject({ requireVerifiedEmail: false })
})

test('each form refuses a member without its permission, and changes nothing', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const forms: [string, Record<string, string>][] = [
    ['settings', { form: 'organization-update', name: 'Mine', slug: 'mine' }],
    ['settings', { form: 'organization-policy', requireVerifiedEmail: 'on' }],
    ['settings', { form: 'organization-metadata', metadata: '{}' }],
    ['settings', { form: 'domain-add', domain: 'example.org', joinMode: 'auto' }],
    ['danger', { form: 'organization-delete', confirmation: 'acme' }],
    ['danger', { form: 'organization-transfer', memberId: max.memberId }],
    ['members', { form: 'member-role', memberId: max.memberId, 'role.owner': 'on' }],
    ['members', { form: 'member-remove', memberId: company.owner.memberId }],
    ['invitations', { form: 'invite-members', emails: 'eve@example.org', role: 'member' }],
    ['invitations', { form: 'link-create', role: 'member' }],
    ['teams', { form: 'team-create', name: 'Red' }],
    ['roles', { form: 'role-create', role: 'boss', 'permission.member.create': 'on' }],
  ]

  for (const [section, values] of forms) {
    const answer = await send(max, `/org/acme/${section}`, values)
    expect([values.form, answer.status >= 400 && answer.status < 500]).toEqual([values.form, true])
    expect(dataOf(answer).page).toBe(`organization-${section}`)
  }
  expect(await seen(company.owner, '/org/acme')).toMatchObject({
    organization: { name: 'acme', slug: 'acme', requireVerifiedEmail: false },
    counts: { members: 2, invitations: 0 },
  })
})

test('members are searched, filtered by role and shown page by page', async () => {
  const { server, company } = await acme()
  await using _ = server
  await company.member('admin', 'Grace')
  await company.member('member', 'Alan')
  const names = async (query: string) =>
    (await seen(company.owner, `/org/acme/members${query}`)).members.map(
      ({ user }: { user: { name: string } }) => user.name,
    )

  expect(await names('')).toEqual(['Alan', 'Grace', 'Olga'])
  expect(await names('?search=GRA')).toEqual(['Grace'])
  expect(await names('?role=admin')).toEqual(['Grace'])
  expect(await names('?offset=2')).toEqual(['Olga'])
  expect(await names('?offset=-1&search=&role=')).toEqual(['Alan', 'Grace', 'Olga'])
  expect(await names(`?search=${'%25'.repeat(300)}&offset=99999999999`)).toEqual([])
  expect(await seen(company.owner, '/org/acme/members')).toMatchObject({ total: 3, limit: 25, soleOwner: true })
})

test('members get other roles, and are removed', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const change = (values: Record<string, string>) => send(company.owner, '/org/acme/members', values)
  const role = async () => (await read(company.owner, '/list-members?search=Max')).members[0]?.role

  expect(stateOf(await change({ form: 'member-role', memberId: max.memberId }))).toMatchObject({
    values: { memberId: max.memberId },
  })
  expect(location(await change({ form: 'member-role', memberId: max.memberId, 'role.admin': 'on' }))).toEqual([
    303,
    '/org/acme/members?done=member-updated',
  ])
  expect(await role()).toBe('admin')
  const own = await change({ form: 'member-role', memberId: company.owner.memberId, 'role.member': 'on' })
  expect(own.status).toBe(400)
  expect(location(await change({ form: 'member-remove', memberId: max.memberId }))).toEqual([
    303,
    '/org/acme/members?done=member-removed',
  ])
  expect(await role()).toBeUndefined()
  expect((await change({ form: 'member-remove', memberId: max.memberId })).status).toBe(400)
})

test('a member invites several at once; each error names its address, and the rest is sent', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  const invite = (emails: string) =>
    send(owner, '/org/acme/invitations', { form: 'invite-members', emails, role: 'member' })

  expect(location(await invite('alan@example.org, grace@example.org;ada@example.org\nalan@example.org'))).toEqual([
    303,
    '/org/acme/invitations?done=members-invited&count=3',
  ])
  const partly = await invite(`alan@example.org nobody ${owner.email} new@example.org`)
  expect(partly.status).toBe(200)
  expect(stateOf(partly)).toMatchObject({
    form: 'invite-members',
    done: 'members-invited',
    values: {
      count: '1',
      emails: `nobody\nalan@example.org\n${owner.email}`,
      'alan@example.org': 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
      nobody: 'INVALID_EMAIL',
      [owner.email]: 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
    },
  })
  expect((await invite('  ')).status).toBe(400)
  expect((await invite(Array.from({ length: 51 }, (_, n) => `n${n}@example.org`).join(' '))).status).toBe(400)
  const shown = await seen(owner, '/org/acme/invitations?done=members-invited&count=3')
  expect(shown.state).toEqual({ form: 'invite-members', done: 'members-invited', values: { count: '3' } })
  expect(shown.invitations).toHaveLength(4)
  expect(shown.acceptURL).toBe('http://localhost:3000/accept-invitation/')
  expect((await server.mailsTo('alan@example.org')).length).toBe(1)
})

test('an invitation is sent again and taken back', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  const { body } = await owner.post('/organization/invite-member', { email: 'alan@example.org', role: 'member' })
  const form = (name: string, invitationId = body.id) =>
    send(owner, '/org/acme/invitations', { form: name, invitationId })

  expect(location(await form('invitation-resend'))).toEqual([303, '/org/acme/invitations?done=invitation-resent'])
  expect(await server.mailsTo('alan@example.org')).toHaveLength(2)
  expect(location(await form('invitation-cancel'))).toEqual([303, '/org/acme/invitations?done=invitation-canceled'])
  expect((await form('invitation-cancel')).status).toBe(400)
  expect((await form('invitation-resend')).status).toBe(400)
  expect((await form('invitation-resend', 'nothing')).status).toBe(400)
  expect((await seen(owner, '/org/acme/invitations?status=canceled')).invitations).toHaveLength(1)
  expect((await seen(owner, '/org/acme/invitations?status=nonsense')).status).toBe('pending')
})

test('each invitation names the member who sent it', async () => {
  const { server, company } = await acme()
  await using _ = server
  const grace = await company.member('admin', 'Grace')
  const max = await company.member()
  for (const [person, email] of [
    [company.owner, 'one@example.org'],
    [grace, 'two@example.org'],
  ] as const)
    await person.post('/organization/invite-member', { email, role: 'member', organizationId: company.id })
  const names = { [company.owner.id]: 'Olga', [grace.id]: 'Grace' }

  expect((await seen(max, '/org/acme/invitations')).inviters).toEqual(names)
  expect((await seen(max, '/org/acme/invitations?status=canceled')).inviters).toEqual({})
  expect((await page(max, '/org/acme/invitations')).text).toContain('By Grace')
  await grace.post('/organization/leave', { organizationId: company.id })
  expect((await seen(max, '/org/acme/invitations')).inviters).toEqual({ [company.owner.id]: 'Olga' })
})

test('a member creates and revokes links, and approves or denies the requests that they bring', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  const form = (values: Record<string, string>) => send(owner, '/org/acme/invitations', values)
  const create = { form: 'link-create', role: 'member', maxUses: '5', expiresIn: '7', requiresApproval: 'on' }

  expect((await form({ ...create, maxUses: 'many' })).status).toBe(400)
  expect((await form({ ...create, expiresIn: '1.5' })).status).toBe(400)
  expect(location(await form({ ...create, emailDomains: 'example.com' }))).toEqual([
    303,
    '/org/acme/invitations?done=link-created',
  ])
  const { links } = await seen(owner, '/org/acme/invitations')
  expect(links).toMatchObject([
    { role: 'member', maxUses: 5, emailDomains: ['example.com'], requiresApproval: true, url: expect.any(String) },
  ])
  expect(new Date(links[0].expiresAt).getTime() - server.clock.now().getTime()).toBe(days(7))

  const token = new URL(links[0].url).pathname.split('/').at(-1) ?? ''
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  for (const person of [ada, bob]) {
    await verified(server, person)
    expect(location(await send(person, `/join/${token}`, { form: 'link-join', token }))[1]).toMatch(
      /done=join-requested/,
    )
  }
  const { requests } = await seen(owner, '/org/acme/invitations')
  const requestOf = (person: Person) => requests.find(({ userId }: { userId: string }) => userId === person.id).id
  expect(location(await form({ form: 'join-approve', requestId: requestOf(ada) }))[1]).toMatch(/done=join-approved$/)
  expect(location(await form({ form: 'join-deny', requestId: requestOf(bob) }))[1]).toMatch(/done=join-denied$/)
  expect((await form({ form: 'join-deny', requestId: requestOf(bob) })).status).toBe(400)
  expect((await page(ada, '/org/acme')).status).toBe(200)
  expect((await page(bob, '/org/acme')).status).toBe(404)

  expect(location(await form({ form: 'link-revoke', linkId: links[0].id }))[1]).toMatch(/done=link-revoked$/)
  expect((await seen(owner, '/org/acme/invitations')).links).toEqual([])
})

test('teams are made, renamed, filled and removed', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const form = (values: Record<string, string>) => send(company.owner, '/org/acme/teams', values)
  const saved = [303, '/org/acme/teams?done=team-saved']
  const teams = async () => (await seen(company.owner, '/org/acme/teams')).teams

  expect((await form({ form: 'team-create', name: '' })).status).toBe(400)
  expect(location(await form({ form: 'team-create', name: 'Red' }))).toEqual(saved)
  const { id: teamId } = (await teams())
    .map(({ team }: { team: object }) => team)
    .find(({ name }: { name: string }) => name === 'Red')
  expect(location(await form({ form: 'team-rename', teamId, name: 'Blue' }))).toEqual(saved)
  expect(location(await form({ form: 'team-member-add', teamId, userId: max.id }))).toEqual(saved)
  expect((await teams()).find(({ team }: { team: { id: string } }) => team.id === teamId)).toMatchObject({
    team: { name: 'Blue' },
    members: [{ userId: max.id, user: { name: 'Max' } }],
    total: 1,
  })
  expect((await seen(company.owner, '/org/acme/members')).teamNames).toEqual({
    [company.owner.memberId]: ['acme'],
    [max.memberId]: ['Blue'],
  })
  expect(location(await form({ form: 'team-member-remove', teamId, userId: max.id }))).toEqual(saved)
  expect(location(await form({ form: 'team-remove', teamId }))).toEqual([303, '/org/acme/teams?done=team-removed'])
  const [last] = await teams()
  await form({ form: 'team-member-remove', teamId: last.team.id, userId: company.owner.id })
  expect((await form({ form: 'team-remove', teamId: last.team.id })).status).toBe(400)
  expect((await form({ form: 'team-rename', teamId, name: 'Gone' })).status).toBe(400)
})

test('the pages explain that the last team and one’s own team stay', async () => {
  for (const allowRemovingAllTeams of [false, true]) {
    const { server, company } = await acme({ organization: { teams: { enabled: true, allowRemovingAllTeams } } })
    await using _ = server
    const { owner } = company
    const shown = async () => {
      const answer = await page(owner, '/org/acme/teams')
      const { text } = answer
      return {
        ...dataOf(answer),
        removable: text.includes('value="team-remove"'),
        last: text.includes('<p data-tg="hint">You can’t remove the last team'),
        own: text.includes('<p data-tg="hint">You are in this team'),
      }
    }

    // The founder is in the organization's first team.
    expect(await shown()).toMatchObject({
      features: { removingLastTeam: allowRemovingAllTeams },
      teams: [{ isOwn: true, total: 1 }],
      removable: false,
      own: true,
      last: false,
    })

    await owner.post('/organization/remove-team-member', {
      teamId: (await shown()).teams[0].team.id,
      userId: owner.id,
      organizationId: company.id,
    })
    expect(await shown()).toMatchObject({
      teams: [{ isOwn: false, total: 0 }],
      removable: allowRemovingAllTeams,
      own: false,
      last: !allowRemovingAllTeams,
    })
  }
})

test('ticked permissions make an organization’s own role; the page shows a member’s permissions', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const form = (values: Record<string, string>) => send(company.owner, '/org/acme/roles', values)
  const saved = [303, '/org/acme/roles?done=role-saved']
  const own = async () =>
    (await seen(company.owner, '/org/acme/roles')).roles.find(({ id }: { id?: string }) => id !== undefined)

  const ticks = { 'permission.invitation.create': 'on', 'permission.audit.read': 'on' }
  expect(location(await form({ form: 'role-create', role: 'scout', ...ticks }))).toEqual(saved)
  expect(await own()).toMatchObject({ name: 'scout', permissions: { invitation: ['create'], audit: ['read'] } })
  const taken = await form({ form: 'role-create', role: 'scout', ...ticks })
  expect([taken.status, stateOf(taken).values]).toEqual([400, { role: 'scout', ...ticks }])
  expect((await form({ form: 'role-create', role: 'x', 'permission.nothing.x': 'on' })).status).toBe(400)
  const roleId = (await own()).id
  expect(location(await form({ form: 'role-update', roleId, role: 'scout', 'permission.audit.read': 'on' }))).toEqual(
    saved,
  )
  expect((await own()).permissions).toEqual({ audit: ['read'] })

  const roles = { form: 'member-role', memberId: max.memberId, 'role.member': 'on', 'role.scout': 'on' }
  await send(company.owner, '/org/acme/members', roles)
  expect((await seen(company.owner, `/org/acme/roles?member=${max.memberId}`)).preview).toMatchObject({
    member: { id: max.memberId },
    permissions: { audit: ['read'], ac: ['read'] },
  })
  expect(await seen(company.owner, '/org/acme/roles?member=nobody')).not.toHaveProperty('preview')
  expect((await page(max, '/org/acme/audit')).status).toBe(200)
  expect((await form({ form: 'role-delete', roleId })).status).toBe(400)
  await send(company.owner, '/org/acme/members', { form: 'member-role', memberId: max.memberId, 'role.member': 'on' })
  expect(location(await form({ form: 'role-delete', roleId }))).toEqual([303, '/org/acme/roles?done=role-removed'])
})

test('domains are added, proved, changed and removed', async () => {
  const records: string[][] = []
  await using server = await createTestServer(withTeams, { resolveTxt: async () => records })
  const { owner } = await foundedCompany(server)
  const form = (values: Record<string, string>) => send(owner, '/org/acme/settings', values)
  const at = (done: string) => [303, `/org/acme/settings?done=${done}`]

  expect((await form({ form: 'domain-add', domain: 'gmail.com', joinMode: 'auto' })).status).toBe(400)
  expect((await form({ form: 'domain-add', domain: 'example.org', joinMode: 'perhaps' })).status).toBe(400)
  expect(location(await form({ form: 'domain-add', domain: 'example.org', joinMode: 'request' }))).toEqual(
    at('domain-saved'),
  )
  const [domain] = (await seen(owner, '/org/acme/settings')).domains
  const domainId = domain.id
  const unproven = await form({ form: 'domain-verify', domainId })
  expect([unproven.status, stateOf(unproven).values]).toEqual([400, { domainId }])
  records.push([domain.record.value])
  expect(location(await form({ form: 'domain-verify', domainId }))).toEqual(at('domain-verified'))
  expect(location(await form({ form: 'domain-update', domainId, joinMode: 'auto' }))).toEqual(at('domain-saved'))
  expect((await seen(owner, '/org/acme/settings')).domains).toMatchObject([{ joinMode: 'auto' }])
  expect(location(await form({ form: 'domain-remove', domainId }))).toEqual(at('domain-removed'))
  expect((await form({ form: 'domain-remove', domainId })).status).toBe(400)
})

test('the page of an organization that has sold says that it stays, and offers no deletion', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { ctx } = server.tollgate.internals
  const text = async () => (await page(company.owner, '/org/acme/danger')).text

  expect(await text()).toContain('value="organization-delete"')
  await ctx.transaction(async (tx) => {
    await insertMerchant(tx, company.id, ctx.clock.now(), true)
    await insertSale(tx, company.id, ctx.clock.now())
  })
  expect(await text()).toContain('its orders and invoices must be kept')
  expect(await text()).not.toContain('value="organization-delete"')
})

test('a member leaves; the only owner cannot, and the page explains it before', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  const leave = (person: Person, path: string) =>
    send(person, path, { form: 'organization-leave', organizationId: company.id })

  expect((await seen(company.owner, '/org/acme/danger')).soleOwner).toBe(true)
  expect((await leave(company.owner, '/org/acme/danger')).status).toBe(400)
  const refused = await leave(company.owner, '/account/organizations')
  expect([refused.status, dataOf(refused).page]).toEqual([400, 'account-organizations'])
  expect((await seen(max, '/org/acme/danger')).soleOwner).toBe(false)
  expect(location(await leave(max, '/org/acme/members'))).toEqual([
    303,
    '/account/organizations?done=organization-left',
  ])
  expect((await page(max, '/org/acme')).status).toBe(404)
})

test('ownership is handed over, with the password once the session is old', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  const max = await company.member()
  const transfer = (values: Record<string, string> = {}) =>
    send(owner, '/org/acme/danger', { form: 'organization-transfer', memberId: max.memberId, ...values })
  server.clock.advance(days(2))

  const stale = await transfer()
  expect([stale.status, dataOf(stale).asksPassword]).toEqual([403, true])
  for (const password of ['', 'wrong password']) {
    const refused = await transfer({ password })
    expect([refused.status, dataOf(refused).asksPassword]).toEqual([400, true])
    expect(refused.text).not.toContain('wrong password')
  }
  expect(location(await transfer({ password: owner.password }))).toEqual([
    303,
    '/org/acme/danger?done=ownership-transferred',
  ])
  expect(await seen(owner, '/org/acme/danger?done=ownership-transferred')).toMatchObject({
    isOwner: false,
    state: { form: 'organization-transfer', done: 'ownership-transferred' },
  })
  expect((await seen(max, '/org/acme/danger')).isOwner).toBe(true)
})

test('an owner without a password signs in again before handing an organization over', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.deleteFrom('account').where('userId', '=', company.owner.id).execute(),
  )
  server.clock.advance(days(2))

  const stale = await send(company.owner, '/org/acme/danger', { form: 'organization-transfer', memberId: max.memberId })

  expect([stale.status, dataOf(stale)]).toMatchObject([403, { asksPassword: true, hasPassword: false }])
  expect(stale.text).toContain('href="/sign-in?switch=1&amp;callbackURL=%2Forg%2Facme%2Fdanger"')
  expect(stale.text).not.toContain('name="password"')
})

test('an organization is deleted by who types its slug', async () => {
  const { server, company } = await acme()
  await using _ = server
  const remove = (confirmation: string) =>
    send(company.owner, '/org/acme/danger', { form: 'organization-delete', confirmation })

  const refused = await remove('acm')
  expect([refused.status, stateOf(refused)?.values]).toEqual([400, { confirmation: 'acm' }])
  expect(location(await remove('acme'))).toEqual([303, '/account/organizations?done=organization-deleted'])
  expect((await page(company.owner, '/org/acme')).status).toBe(404)
})

test('a member who must verify their address sees it, and the mail leads back', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  await verified(server, company.owner)
  await send(company.owner, '/org/acme/settings', { form: 'organization-policy', requireVerifiedEmail: 'on' })

  const refused = await page(max, '/org/acme/members?search=x')
  expect([refused.status, dataOf(refused)]).toMatchObject([
    403,
    { page: 'organization-unverified', organization: 'acme', session: { user: { id: max.id } } },
  ])
  expect(refused.text).toContain(
    `acme is for people with a confirmed address. Confirm ${max.email} and come back here.`,
  )
  expect(refused.text).toContain('href="/account/organizations"')
  const form = { form: 'team-create', name: 'Red' }
  const posted = await send(max, '/org/acme/teams', form)
  expect([posted.status, dataOf(posted).page]).toEqual([403, 'organization-unverified'])
  expect((await page(max, '/org/nope')).status).toBe(404)

  const fields = [...refused.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const verify = Object.fromEntries(fields.map(([, name, value]) => [name, value?.replaceAll('&amp;', '&')]))
  expect(verify).toEqual({ form: 'resend-verification', email: max.email, callbackURL: '/org/acme/members?search=x' })
  server.clock.advance(minutes(1))
  expect(location(await send(max, '/verify-email', verify))[0]).toBe(303)
  const { pathname, search, searchParams } = new URL(await server.linkTo(max.email), server.baseURL)
  expect(searchParams.get('callbackURL')).toBe('/org/acme/members?search=x')
  expect((await seen(max, '/account/organizations')).memberships).toHaveLength(1)
  expect(location(await page(max, pathname + search))).toEqual([302, expect.stringMatching(/\/org\/acme\/members/)])
  expect((await page(max, '/org/acme/members')).status).toBe(200)
})

test('a member with an unverified address may leave an organization that requires verification', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()
  await verified(server, company.owner)
  await send(company.owner, '/org/acme/settings', { form: 'organization-policy', requireVerifiedEmail: 'on' })

  expect((await seen(max, '/account/organizations')).memberships).toHaveLength(1)
  const leave = { form: 'organization-leave', organizationId: company.id }
  expect(location(await send(max, '/account/organizations', leave))[0]).toBe(303)
})

test('the account lists its organizations; one with no other owner blocks the deletion', async () => {
  const { server, company } = await acme({ ...withTeams, user: { deleteUser: { enabled: true } } })
  await using _ = server
  const max = await company.member()

  const listed = [{ organization: { slug: 'acme' }, role: 'owner', soleOwner: true }]
  expect(await seen(company.owner, '/account/organizations')).toMatchObject({
    memberships: listed,
    invitations: [],
    joinable: [],
    may: 'create',
  })
  const kept = { blocking: [{ slug: 'acme' }], ending: [] }
  expect((await seen(company.owner, '/account/delete')).preview).toMatchObject(kept)
  expect((await seen(max, '/account/delete')).preview).toMatchObject({ blocking: [], ending: [] })
  const both = { form: 'member-role', memberId: max.memberId, 'role.owner': 'on' }
  await send(company.owner, '/org/acme/members', both)
  expect((await seen(company.owner, '/account/organizations')).memberships).toMatchObject([{ soleOwner: false }])
  expect((await seen(company.owner, '/account/delete')).preview).toMatchObject({ blocking: [], ending: [] })
})

test('the audit log is read by who may, by kind and page by page', async () => {
  const { server, company } = await acme()
  await using _ = server
  const max = await company.member()

  expect((await page(max, '/org/acme/audit')).status).toBe(404)
  const shown = await seen(company.owner, '/org/acme/audit?type=member.added')
  expect(shown.events.map(({ type }: { type: string }) => type)).toEqual(['member.added', 'member.added'])
  expect(shown).toMatchObject({ type: 'member.added', exportURL: '/org/acme/audit/export', nextCursor: null })
  expect((await seen(company.owner, '/org/acme/audit?type=nonsense')).type).toBe('')
  expect((await page(company.owner, `/org/acme/audit?cursor=${'x'.repeat(90)}`)).status).toBeLessThan(500)
})

test.each([
  ['=1+1"', `"'=1+1"""`],
  ['＝1+1', `"'＝1+1"`],
  ['x;=1+1', `"x;'=1+1"`],
  ['x; "@SUM(A1)', `"x; ""'@SUM(A1)"`],
  ['Ada-Lu; née +', `"Ada-Lu; née +"`],
])('the name %j is plain text in the file, whatever separates its cells', async (name, cell) => {
  const { server, company } = await acme()
  await using _ = server
  await company.member('member', name)

  const { text } = await page(company.owner, '/org/acme/audit/export')

  expect(text).toContain(`,${cell},`)
})

test('everything that happened is a file that no spreadsheet runs', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { owner } = company
  const max = await company.member('member', '=1+1"')
  const { ctx } = server.tollgate.internals
  // More than the export reads at once.
  await ctx.transaction(async (tx) => {
    for (let n = 0; n < 1100; n += 1)
      await tx
        .insertInto('event')
        .values({
          id: `0000-${String(n).padStart(6, '0')}`,
          type: 'team.updated',
          actorId: owner.id,
          userId: null,
          organizationId: company.id,
          data: null,
          createdAt: server.clock.now(),
        })
        .execute()
  })

  const { status, headers, text } = await page(owner, '/org/acme/audit/export')

  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="acme-audit.csv"',
  ])
  expect(headers.get('cache-control')).toBe('no-store')
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toContain('"time","event","actor"')
  const events = await ctx.db.selectFrom('event').select('id').where('organizationId', '=', company.id).execute()
  expect(lines.length).toBe(events.length + 1)
  expect(new Set(lines).size).toBe(lines.length)
  expect(text).toContain(`"'=1+1"""`)
  expect(text).not.toMatch(/(^|,)"?[=+@]/m)
  const last = lines[1000]?.split(',').at(-1)?.replaceAll('"', '')
  const older = await page(owner, `/org/acme/audit/export?cursor=${last}`)
  expect(older.text.trim().split('\r\n').slice(1)).toEqual(lines.slice(1001))
  expect((await page(max, '/org/acme/audit/export')).status).toBe(404)
})
