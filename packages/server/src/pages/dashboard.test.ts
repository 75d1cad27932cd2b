import { expect, test } from 'vitest'
import { setSelling } from '../features/billing/merchant/approval.service.ts'
import { days } from '../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../testing.ts'

const page = (visitor: Visitor, path: string): Promise<TestAnswer> => visitor.request('GET', path)

const propsOf = ({ text }: TestAnswer) =>
  JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')

test('an administrator gets the dashboard at every path of it, with nothing that a policy would refuse', async () => {
  await using server = await createTestServer({ appName: 'Northwind' })
  const grace = await server.administrator('Grace')

  for (const path of ['/admin', '/admin/users', '/admin/users/somebody', '/admin/audit?page=2', '/admin/no/such']) {
    const answer = await page(grace, path)
    expect(answer.status, path).toBe(200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(answer.text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`)
    expect(answer.text).not.toMatch(/<script(?![^>]* (src|type="application\/json"))| style=/)
    for (const [, of] of answer.text.matchAll(/<style([^>]*)>/g)) expect(of).toContain(`nonce="${nonce}"`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(propsOf(answer)).toMatchObject({
      appName: 'Northwind',
      basePath: '/api/auth',
      session: { user: { id: grace.id } },
      now: '2026-03-01T12:00:00.000Z',
      administration: { roles: ['user', 'admin'], providers: ['credential'] },
    })
    expect(propsOf(answer)).not.toHaveProperty('seller')
  }
})

test('organizations are offered where there are any', async () => {
  const offered = async (organization: false | undefined) => {
    await using server = await createTestServer(organization === undefined ? {} : { organization })
    return propsOf(await page(await server.administrator(), '/admin')).administration.features.organizations
  }

  expect(await offered(undefined)).toBe(true)
  expect(await offered(false)).toBe(false)
})

const dataOf = ({ text }: TestAnswer): readonly (readonly [readonly unknown[], unknown])[] =>
  JSON.parse(/<script id="data" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')

test('the document shows the page and its data before any script runs', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator('Grace')
  const ada = await server.signedUp('Ada')

  const answer = await page(grace, '/admin/users')

  const drawn = answer.text.slice(answer.text.indexOf('<div id="page">'), answer.text.indexOf('<script id="props"'))
  expect(drawn).toContain('<h1 tabindex="-1">Users</h1>')
  for (const user of [grace, ada]) expect(drawn).toContain(user.email)
  expect(JSON.stringify(dataOf(answer))).toContain(ada.email)
})

test('the data of the document is what the viewer may read by calls', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')
  await ada.post('/organization/create', { name: 'Acme', slug: 'acme' })

  expect((await page(ada, '/dashboard/acme')).text).toContain('<div id="page"><')
  const stranger = await page(eve, '/dashboard/acme')
  expect(stranger.status).toBe(404)
  expect(stranger.text).not.toContain('id="data"')
})

test('dates of the first picture are in the zone that the visitor’s browser has kept', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator('Grace')
  const drawn = async (zone: string) => {
    grace.cookies.set('tollgate_zone', zone)
    const answer = await page(grace, '/admin/audit')
    return /<time[^>]*>([^<]*)<\/time>/.exec(answer.text)?.[1]
  }

  expect(await drawn('')).toMatch(/12:00\sPM/)
  expect(await drawn('Asia%2FTokyo')).toMatch(/9:00\sPM/)
  expect(await drawn('Nowhere')).toMatch(/12:00\sPM/)
})

test('the first picture is in the language of the visitor, whichever was drawn before', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator('Grace')
  const heading = async (language: string) =>
    /<h1[^>]*>([^<]*)/.exec((await page(grace, `/admin/users?lang=${language}`)).text)?.[1]

  expect([await heading('de'), await heading('en'), await heading('de')]).toEqual(['Benutzer', 'Users', 'Benutzer'])
})

test('the files of the dashboard that its document names are there', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator()

  const { text } = await page(grace, '/admin/users')
  const addresses = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => address!)

  expect(addresses.some((address) => /users\.page-/.test(address))).toBe(true)
  for (const address of addresses) expect((await page(server.visitor(), address)).status, address).toBe(200)
})

test.each([
  ['/admin/users', 'de', 'de'],
  ['/admin/users', 'fr', 'en'],
  ['/dashboard/acme', 'de', 'de'],
])('%s for a visitor who reads %s is in %s', async (path, asked, language) => {
  await using server = await createTestServer()
  const grace = await server.administrator()
  await grace.post('/organization/create', { name: 'Acme', slug: 'acme' })

  const { headers, text } = await page(grace, `${path}?lang=${asked}`)

  expect(headers.get('content-language')).toBe(language)
  expect(text).toContain(`<html lang="${language}"`)
  const scripts = [...text.matchAll(/<script type="module" src="\/assets\/([\w-]+)-.{8}\.js">/g)].map(
    ([, name]) => name,
  )
  expect(scripts).toEqual([...(language === 'de' ? ['dashboard-de'] : []), 'dashboard'])
})

test('a signed-out visitor signs in first and comes back to where they were going', async () => {
  await using server = await createTestServer()

  const answer = await page(server.visitor(), '/admin/users?q=ada%40example.com')

  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/sign-in?callbackURL=%2Fadmin%2Fusers%3Fq%3Dada%2540example.com')
})

test('a session that has ended counts as none', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator()

  server.clock.advance(days(8))

  expect((await page(grace, '/admin')).status).toBe(302)
})

test('to every other user there is nothing here', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const [dashboard, nowhere] = [await page(ada, '/admin/users'), await page(ada, '/nowhere')]

  const plain = ({ text }: TestAnswer) =>
    text
      .replace(/nonce="[^"]*"/g, '')
      .replaceAll('/admin/users', '/nowhere')
      .replaceAll('%2Fadmin%2Fusers', '%2Fnowhere')
  expect(dashboard.status).toBe(404)
  expect(plain(dashboard)).toBe(plain(nowhere))
})

test('states whether administrators decide who may sell', async () => {
  for (const [billing, expected] of [
    [{}, true],
    [{ whoMaySell: 'everyone' }, false],
    [false, false],
  ] as const) {
    await using server = await createTestServer({ billing })
    const { administration } = propsOf(await page(await server.administrator(), '/admin'))
    expect(administration.features.selling).toBe(expected)
  }
})

test('an administrator who lost the role or impersonates a user gets no dashboard', async () => {
  await using server = await createTestServer()
  const [grace, alan, ada] = [
    await server.administrator('Grace'),
    await server.administrator('Alan'),
    await server.signedUp('Ada'),
  ]

  await grace.post('/admin/set-role', { userId: alan.id, role: 'user' })
  await grace.post('/admin/impersonate-user', { userId: ada.id })

  expect((await page(alan, '/admin')).status).toBe(404)
  expect((await page(grace, '/admin')).status).toBe(404)
})

test('administrators are those of the configuration', async () => {
  await using server = await createTestServer({ admin: { adminRoles: ['owner'], defaultRole: 'member' } })
  const grace = await server.administrator()

  const answer = await page(grace, '/admin')

  expect(propsOf(answer).administration.roles).toEqual(['member', 'owner'])
})

test('a name cannot break out of the document', async () => {
  await using server = await createTestServer({ appName: '</title><script>' })
  const grace = await server.administrator()
  await grace.post('/update-user', { name: '</script><b>Grace' })

  const answer = await page(grace, '/admin')

  expect(answer.text).not.toMatch(/<\/title><script>|<\/script><b>/)
  expect(propsOf(answer).session.user.name).toBe('</script><b>Grace')
})

test('the chosen scheme is kept and applies from the first paint on', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator()

  await page(grace, '/admin?scheme=dark')
  const answer = await page(grace, '/admin')

  expect(answer.text).toContain('data-tg="root" data-mantine-color-scheme="dark" data-scheme="dark"')
  expect(answer.text).toContain('<meta name="color-scheme" content="dark">')
})

/** An organization, its owner, and members by role. */
async function openCompany(server: TestServer, roles: readonly string[] = []) {
  const owner = await server.signedUp('Owner')
  const { body } = await owner.post('/organization/create', { name: 'Northwind', slug: 'northwind' })
  const organizationId: string = body.id
  const members = []
  for (const role of roles) {
    const person = await server.signedUp(role)
    await server.tollgate.api.addMember({ body: { organizationId, userId: person.id, role } })
    members.push(person)
  }
  return { organizationId, owner, members }
}

test('a member with a selling permission gets the dashboard, with the actions that they may take', async () => {
  await using server = await createTestServer({
    billing: { whoMaySell: 'everyone' },
    organization: { roles: { support: { order: ['read'] } } },
  })
  const { organizationId, owner, members } = await openCompany(server, ['admin', 'support'])
  const northwind = { id: organizationId, name: 'Northwind', slug: 'northwind' }

  for (const path of ['', '/products', '/products/new', '/no/such']) {
    const answer = await page(owner, `/dashboard/northwind${path}`)
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(propsOf(answer)).toMatchObject({
      session: { user: { id: owner.id } },
      seller: {
        organization: northwind,
        organizations: [northwind],
        maySell: true,
        sandbox: true,
        administers: false,
        impersonated: false,
      },
    })
    expect(propsOf(answer)).not.toHaveProperty('administration')
  }
  const [admin, support] = members
  expect(propsOf(await page(admin!, '/dashboard/northwind')).seller.permissions.product).toEqual(['read', 'write'])
  expect(propsOf(await page(support!, '/dashboard/northwind')).seller.permissions).toEqual({ order: ['read'] })
})

test.each([true, false])('the dashboard knows whether organizations have teams: %s', async (enabled) => {
  await using server = await createTestServer({
    billing: { whoMaySell: 'everyone' },
    organization: { teams: { enabled } },
  })
  const { owner } = await openCompany(server)
  expect(propsOf(await page(owner, '/dashboard/northwind')).seller.teams).toBe(enabled)
})

test('members who sell nothing and every other user see that there is nothing, as at a path that is none of ours', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const { members } = await openCompany(server, ['member', 'billing'])
  const stranger = await server.signedUp('Stranger')

  for (const person of [...members, stranger]) {
    for (const path of ['/dashboard/northwind', '/dashboard/northwind/orders', '/dashboard/nobody']) {
      const answer = await page(person, path)
      expect(answer.status, path).toBe(404)
      expect(answer.text).not.toContain('Northwind')
    }
    expect((await page(person, '/dashboard')).status).toBe(404)
  }
})

test('a signed-out visitor signs in first, whether the organization exists or not', async () => {
  await using server = await createTestServer()
  await openCompany(server)

  for (const slug of ['northwind', 'nobody']) {
    const answer = await page(server.visitor(), `/dashboard/${slug}/orders?q=ada`)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`/sign-in?callbackURL=%2Fdashboard%2F${slug}%2Forders%3Fq%3Dada`)
  }
})

test('the dashboard shows an organization that the operator has not approved it', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'approved', processors: { sandbox: false } } })
  const { owner } = await openCompany(server)

  expect(propsOf(await page(owner, '/dashboard/northwind')).seller).toMatchObject({ maySell: false, sandbox: false })
})

test('where nothing is sold there is no dashboard of it', async () => {
  await using server = await createTestServer({ billing: false })
  const { owner } = await openCompany(server)

  expect((await page(owner, '/dashboard/northwind')).status).toBe(404)
  expect((await page(owner, '/dashboard')).status).toBe(404)
})

test('the address without a name leads to the active organization that one sells in, else to another one', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const { owner } = await openCompany(server)
  const other = await owner.post('/organization/create', { name: 'Contoso', slug: 'contoso' })

  expect((await page(owner, '/dashboard')).headers.get('location')).toBe('/dashboard/contoso')
  await owner.post('/organization/delete', { organizationId: other.body.id })
  expect((await page(owner, '/dashboard')).headers.get('location')).toBe('/dashboard/northwind')
})

test('a signed-in seller begins in the dashboard of the organization that may sell, and everyone else in the account', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'approved' } })
  const { organizationId, owner, members } = await openCompany(server, ['member'])
  const start = async (person: typeof owner) => (await page(person, '/')).headers.get('location')
  const { ctx } = server.tollgate.internals

  expect(await start(owner)).toBe('/account')
  await ctx.transaction((tx) => setSelling(ctx, tx, { organizationId, maySell: true, actorId: null }))
  await owner.post('/organization/create', { name: 'Contoso', slug: 'contoso' })
  expect(await start(owner)).toBe('/dashboard/northwind')
  expect(await start(members[0]!)).toBe('/account')
})

test('the dashboard knows all organizations of the viewer, and how many people the shown one has', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const { owner, members } = await openCompany(server, ['member'])
  const other = await members[0]!.post('/organization/create', { name: 'Contoso', slug: 'contoso' })
  await server.tollgate.api.addMember({
    body: { organizationId: other.body.id, userId: owner.id, role: 'member' },
  })

  const { seller } = propsOf(await page(owner, '/dashboard/northwind'))

  expect(seller.counts).toEqual({ members: 2, invitations: 0, requests: 0 })
  const sells = ({ slug, sells }: { slug: string; sells: boolean }) => `${slug} ${sells}`
  expect(seller.organizations.map(sells).sort()).toEqual(['contoso false', 'northwind true'])
})

test('an administrator who acts as a seller is shown to do so', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const { owner } = await openCompany(server)
  const grace = await server.administrator('Grace')

  expect((await page(grace, '/dashboard/northwind')).status).toBe(404)
  await grace.post('/admin/impersonate-user', { userId: owner.id })
  expect(propsOf(await page(grace, '/dashboard/northwind')).seller).toMatchObject({
    impersonated: true,
    administers: false,
  })
})

test('a member who must verify their address sees it, with the name of their organization', async () => {
  await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
  const { organizationId, members } = await openCompany(server, ['admin'])
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('organization').set({ requireVerifiedEmail: true }).where('id', '=', organizationId).execute(),
  )

  const answer = await page(members[0]!, '/dashboard/northwind')

  expect(answer.status).toBe(403)
  expect(answer.text).toContain('Northwind')
  expect(propsOf(answer).seller).toBeUndefined()
})
