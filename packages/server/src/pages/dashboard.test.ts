import { expect, test } from 'vitest'
import { days } from '../clock.ts'
import { createTestServer, type TestAnswer, type Visitor } from '../testing.ts'

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
    expect(answer.text).not.toMatch(/<script(?![^>]* (src|type="application\/json"))|<style|style=/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(propsOf(answer)).toMatchObject({
      appName: 'Northwind',
      basePath: '/api/auth',
      session: { user: { id: grace.id } },
      now: '2026-03-01T12:00:00.000Z',
      roles: ['user', 'admin'],
      providers: ['credential'],
    })
  }
})

test('organizations are offered where there are any', async () => {
  const offered = async (organization: false | undefined) => {
    await using server = await createTestServer(organization === undefined ? {} : { organization })
    return propsOf(await page(await server.administrator(), '/admin')).features.organizations
  }

  expect(await offered(undefined)).toBe(true)
  expect(await offered(false)).toBe(false)
})

test('the files of the dashboard that its document names are there', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator()

  const { text } = await page(grace, '/admin/users')
  const addresses = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => address!)

  expect(addresses.some((address) => /users\.page-/.test(address))).toBe(true)
  for (const address of addresses) expect((await page(server.visitor(), address)).status, address).toBe(200)
})

test('whoever is not signed in does that first and comes back to where they were going', async () => {
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

test('to everybody else there is nothing here', async () => {
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

test('who has lost the role, or acts as somebody else, has lost the dashboard', async () => {
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

  expect(propsOf(answer).roles).toEqual(['member', 'owner'])
})

test('a name cannot break out of the document', async () => {
  await using server = await createTestServer({ appName: '</title><script>' })
  const grace = await server.administrator()
  await grace.post('/update-user', { name: '</script><b>Grace' })

  const answer = await page(grace, '/admin')

  expect(answer.text).not.toMatch(/<\/title><script>|<\/script><b>/)
  expect(propsOf(answer).session.user.name).toBe('</script><b>Grace')
})

test('the scheme that somebody has chosen is kept and drawn from the first moment on', async () => {
  await using server = await createTestServer()
  const grace = await server.administrator()

  await page(grace, '/admin?scheme=dark')
  const answer = await page(grace, '/admin')

  expect(answer.text).toContain('data-tg="root" data-scheme="dark"')
  expect(answer.text).toContain('<meta name="color-scheme" content="dark">')
})
