import { authCalls, type Call } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { resolveConfig } from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'
import { createOrigins } from '../foundation/http/origin.ts'
import { createTestServer, type Person } from '../testing.ts'

const isSoak = process.env.SOAK === '1'
/** Inputs per property: enough for common faults at every run; `SOAK=1` searches for rare ones. */
const runs = (usual: number): number => (isSoak ? 1_000_000 : usual)
/** A soak takes hours. */
const timeout = isSoak ? 24 * 3_600_000 : 600_000

const calls = (Object.entries(authCalls) as [keyof typeof authCalls, Call][]).map(([name, call]) => {
  const endpoint: Endpoint = authSchemas[name]
  const schemas = [endpoint.body, endpoint.query]
  return { ...call, members: schemas.flatMap((each) => membersOf(each)), required: schemas.flatMap(requiredOf) }
})

/** The names that a call reads. */
function membersOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** The names that a call requires. */
function requiredOf(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.keys(schema.shape).filter((name) => !schema.shape[name].safeParse(undefined).success)
}

/** Texts that have broken servers: by length, by encoding, by their meaning to a parser. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  '\ufeff',
  '%',
  '%00',
  '%c0%af',
  '../../etc/passwd',
  "' or 1=1 --",
  '{{7*7}}',
  '__proto__',
  'constructor',
  'a@example.com',
  'A@EXAMPLE.COM',
  'a@example.com, b@example.com',
  '"a@b"@example.com',
  'a@[127.0.0.1]',
  '//evil.example',
  'javascript:alert(1)',
  '2026-03-01T12:00:00Z',
  'null',
  '-1',
  '1e400',
  'x'.repeat(5000),
  '😀'.repeat(100),
  'e\u0301'.repeat(100),
  'eyJhbGciOiJub25lIn0.e30.',
)
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), nasty)
const value = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) })
/** Names that any call reads. */
const everyMember = [...new Set(calls.flatMap(({ members }) => members))]
const member = fc.oneof(
  fc.constantFrom(...everyMember),
  fc.constantFrom(
    'email',
    'password',
    'name',
    'image',
    'callbackURL',
    'redirectTo',
    'rememberMe',
    'token',
    'newPassword',
    'currentPassword',
    'newEmail',
    'setupToken',
    'revokeOtherSessions',
    'disableCookieCache',
    'disableRefresh',
    '__proto__',
  ),
  text,
)
/** A placeholder for the id of an existing user. */
const somebody = 'THE-ID-OF-ADA'
/** Valid values for a call, so that it passes the check of its shape. */
const plausible = fc.oneof(
  { weight: 2, arbitrary: fc.emailAddress() },
  {
    weight: 2,
    arbitrary: fc.constantFrom('ada1@example.com', 'correct horse battery', '12345678', '/account', true, false),
  },
  { weight: 2, arbitrary: fc.constantFrom(somebody, 'admin', 'user', 'name', 'createdAt', 'desc', 'eq', 'lt', '3') },
  { weight: 1, arbitrary: fc.constantFrom({ user: ['list'] }, { name: 'Ada', username: 'ada' }) },
  { weight: 1, arbitrary: fc.webUrl() },
  { weight: 2, arbitrary: text },
)
/** One value for each name that any call reads. */
const fitting = fc.record(Object.fromEntries(everyMember.map((name) => [name, plausible])), { requiredKeys: [] })
const body = fc.oneof(
  { weight: 6, arbitrary: fitting.map((given) => JSON.stringify(given)) },
  { weight: 6, arbitrary: fc.dictionary(member, value, { maxKeys: 8 }).map((given) => JSON.stringify(given)) },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
)
const query = fc
  .array(fc.tuple(member, fc.oneof(text, plausible.map(String))), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, given]) => `${encode(name)}=${encode(given)}`).join('&'))
/** The characters that a header can carry; clients refuse to send others. */
const headerText = fc
  .oneof(fc.string({ unit: 'binary-ascii' }), nasty)
  .map((given) => given.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim())
const headers = fc.dictionary(
  fc.constantFrom(
    'cookie',
    'origin',
    'referer',
    'user-agent',
    'accept-language',
    'content-type',
    'x-forwarded-for',
    'forwarded',
    'host',
    'authorization',
    'sec-fetch-site',
    'x-request-id',
    'content-length',
  ),
  headerText,
  { maxKeys: 4 },
)

function encode(given: string): string {
  return encodeURIComponent(given.toWellFormed())
}

test('every call answers any input, and never with a 5xx', { timeout }, async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  const root = await server.administrator()
  const { handler } = server.tollgate
  const cookieOf = (person: Person) => [...person.cookies].map(([name, given]) => `${name}=${given}`).join('; ')

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      body,
      query,
      headers,
      text,
      fc.constantFrom(undefined, ada, root),
      async ({ method, path }, template, search, given, parameter, person) => {
        const raw = template.replaceAll(somebody, ada.id)
        const url = new URL(
          `http://localhost:3000/api/auth${path.replace(':token', encode(parameter) || 'x')}?${search.replaceAll(somebody, ada.id)}`,
        )
        const request = new Request(url, {
          method,
          headers: {
            'content-type': 'application/json',
            ...(person && { cookie: cookieOf(person), origin: 'http://localhost:3000' }),
            ...given,
          },
          ...(method === 'POST' && { body: raw }),
        })

        const answer = await handler(request, { remoteAddress: '127.0.0.1' })

        const told = await answer.text()
        expect([answer.status < 500, told.slice(0, 200)]).toEqual([true, told.slice(0, 200)])
        if (answer.status >= 400 && told)
          expect(JSON.parse(told)).toEqual({ code: expect.any(String), message: expect.any(String) })
        if (answer.status === 302) expect(leaves(answer.headers.get('location') ?? '')).toBe(false)
        // A call has signed them out; the next calls need signed-in users.
        if (answer.status === 401 && person) await person.post('/sign-in/email', person)
      },
    ),
    { numRuns: runs(inject('database') === 'postgres' ? 300 : 1500), endOnFailure: true },
  )
})

/** Placeholders for existing objects, in the calls of organizations. */
const present = [
  'THE-ORGANIZATION',
  'THE-SLUG',
  'THE-MEMBER',
  'THE-OTHER-MEMBER',
  'THE-OTHER-USER',
  'THE-TEAM',
  'THE-ROLE',
  'THE-INVITATION',
  'THE-LINK',
  'THE-TOKEN',
  'THE-REQUEST',
  'THE-DOMAIN',
] as const
type Present = Record<(typeof present)[number], string>

/** The valid values of each name. Any other name, and one time in eight these too, takes anything. */
const fittingByName: Record<string, fc.Arbitrary<unknown>> = {
  organizationId: fc.constantFrom('THE-ORGANIZATION', 'THE-ORGANIZATION', 'THE-TEAM', null),
  organizationSlug: fc.constantFrom('THE-SLUG', 'THE-SLUG ', ''),
  memberId: fc.constantFrom('THE-MEMBER', 'THE-OTHER-MEMBER', 'THE-ORGANIZATION'),
  memberIdOrEmail: fc.constantFrom('THE-OTHER-MEMBER', 'bob2@example.com', '@', 'THE-MEMBER'),
  userId: fc.constantFrom('THE-OTHER-USER', somebody, 'THE-MEMBER'),
  teamId: fc.constantFrom('THE-TEAM', ['THE-TEAM', 'THE-TEAM'], [], '', null),
  roleId: fc.constantFrom('THE-ROLE', 'THE-TEAM'),
  roleName: fc.constantFrom('sailor', 'admin', 'Sailor ', 'mate'),
  role: fc.constantFrom(
    'member',
    'owner',
    'sailor',
    ['admin', 'sailor'],
    'mate,owner',
    ',',
    'member,,member',
    [' '],
    'Sailor',
  ),
  permission: fc.constantFrom(
    { team: ['create'] },
    { team: [] },
    Object.fromEntries([['__proto__', ['x']]]),
    { constructor: ['name'] },
    {},
  ),
  permissions: fc.constantFrom(
    { team: ['create'] },
    { team: { actions: ['create', 'x'], connector: 'OR' } },
    { toString: [] },
    {},
  ),
  invitationId: fc.constantFrom('THE-INVITATION', 'THE-LINK'),
  id: fc.constantFrom('THE-INVITATION', 'THE-LINK'),
  linkId: fc.constantFrom('THE-LINK', 'THE-INVITATION'),
  token: fc.constantFrom('THE-TOKEN', 'THE-LINK'),
  requestId: fc.constantFrom('THE-REQUEST', 'THE-LINK'),
  domainId: fc.constantFrom('THE-DOMAIN', 'THE-LINK'),
  domain: fc.constantFrom(
    'new.example',
    'xn--',
    '*.example',
    'example.com.',
    'a'.repeat(64),
    'localhost',
    '１.example',
  ),
  emails: fc.array(fc.emailAddress(), { maxLength: 3 }),
  email: fc.emailAddress(),
  name: fc.string({ minLength: 1, maxLength: 120 }),
  slug: fc.stringMatching(/^[a-zA-Z0-9 -]{1,70}$/),
  data: fc.record(
    {
      name: fc.constantFrom('New', ' '),
      slug: fc.constantFrom('new-slug', 'THE-SLUG'),
      requireVerifiedEmail: fc.constant(false),
      organizationId: fc.constant('THE-ORGANIZATION'),
      roleName: fc.constantFrom('pirate', 'owner', 'sailor'),
      permission: fc.constantFrom({ team: ['update'] }, { organization: ['delete'] }, {}),
      metadata: fc.oneof(fc.constant(null), fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })),
    },
    { requiredKeys: [] },
  ),
  maxUses: fc.constantFrom(1, 10_000, 0, -1, 1.5),
  expiresIn: fc.constantFrom(1, 31_536_000, 31_536_001, null),
  emailDomains: fc.constantFrom(['example.com'], [], ['x'], ['example.com', 'EXAMPLE.com']),
  joinMode: fc.constantFrom('auto', 'request', 'off', 'on'),
  limit: fc.constantFrom('0', '1', '500', '-1', '1e3', ''),
  offset: fc.constantFrom('0', '10000000', '10000001', ' 1'),
  cursor: fc.constantFrom('0', 'THE-MEMBER', '%'),
  search: fc.constantFrom('%', '_', 'ada', '\\'),
  sortBy: fc.constantFrom('createdAt', 'name', 'email', 'password'),
  filterField: fc.constantFrom('role', 'userId', 'createdAt', 'id'),
  filterValue: fc.constantFrom('member', '2026-03-01', '2026-03-01T12:00:00Z', '9999-99-99', '%'),
  filterOperator: fc.constantFrom('eq', 'ne', 'lt', 'contains'),
  resend: fc.boolean(),
  requiresApproval: fc.boolean(),
  keepCurrentActiveOrganization: fc.boolean(),
}

const organizationCall = fc
  .constantFrom(...calls.filter(({ path }) => path.startsWith('/organization/')))
  .chain((call) => {
    const given = call.members.map((name): [string, fc.Arbitrary<unknown>] => [
      name,
      fc.oneof({ weight: 7, arbitrary: fittingByName[name] ?? value }, { weight: 1, arbitrary: value }),
    ])
    const whole = fc.record(Object.fromEntries(given), { requiredKeys: call.required })
    const torn = fc.record(Object.fromEntries(given), { requiredKeys: [] })
    return fc.record({ call: fc.constant(call), given: fc.oneof({ weight: 4, arbitrary: whole }, torn) })
  })

/** An organization with every kind of content, which is its owner's active one. */
async function arranged(ada: Person, bob: Person, count: number): Promise<Present> {
  const done = async (person: Person, path: string, given: object = {}) => {
    const { status, text, body } = await person.post(`/organization/${path}`, given)
    expect([path, status, text]).toEqual([path, 200, text])
    return body
  }
  const slug = `acme-${count}`
  const { id, members } = await done(ada, 'create', { name: 'Acme', slug })
  const { roleData } = await done(ada, 'create-role', { role: 'sailor', permission: { team: ['create'] } })
  const link = await done(ada, 'create-invitation-link')
  const asking = await done(ada, 'create-invitation-link', { requiresApproval: true })
  const tokenOf = ({ url }: { url: string }) => url.slice(url.lastIndexOf('/') + 1)
  await done(bob, 'join-by-link', { token: tokenOf(asking) })
  const [request] = (await ada.get('/organization/list-join-requests')).body
  const { member: other } = await done(ada, 'approve-join-request', { requestId: request.id })
  const { id: invitation } = await done(ada, 'invite-member', { email: 'new@example.com', role: 'sailor' })
  const { id: team } = await done(ada, 'create-team', { name: 'Ships' })
  const { id: domain } = await done(ada, 'add-domain', { domain: `acme-${count}.example` })
  return {
    'THE-ORGANIZATION': id,
    'THE-SLUG': slug,
    'THE-MEMBER': members[0].id,
    'THE-OTHER-MEMBER': other.id,
    'THE-OTHER-USER': bob.id,
    'THE-TEAM': team,
    'THE-ROLE': roleData.id,
    'THE-INVITATION': invitation,
    'THE-LINK': link.id,
    'THE-TOKEN': tokenOf(link),
    'THE-REQUEST': request.id,
    'THE-DOMAIN': domain,
  }
}

test('every call of a member to their organization is answered, and never by a 5xx', { timeout }, async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const { ctx } = server.tollgate.internals
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  await ctx.transaction((tx) => tx.updateTable('user').set({ emailVerified: true }).execute())
  let made = 0
  let current: Present | undefined

  await fc.assert(
    fc.asyncProperty(organizationCall, fc.boolean(), async ({ call, given }, byOwner) => {
      if (!current) {
        made += 1
        current = await arranged(ada, bob, made)
      }
      const there = current
      const filled = present
        .reduce((json, name) => json.replaceAll(name, there[name]), JSON.stringify(given))
        .replaceAll(somebody, ada.id)
      const members: Record<string, unknown> = JSON.parse(filled)
      const person = byOwner ? ada : bob

      // The visitor also compares each answer with the contract.
      const { status, text: said } =
        call.method === 'GET'
          ? await person.get(`${call.path}?${searchOf(members)}`)
          : await person.post(call.path, members)

      expect([status < 500, said.slice(0, 200)]).toEqual([true, said.slice(0, 200)])
      // After any change, the next call finds a consistent organization.
      if (status === 200 && call.method === 'POST' && !harmless.has(call.path)) current = undefined
    }),
    { numRuns: runs(inject('database') === 'postgres' ? 400 : 2500), endOnFailure: true },
  )
  // A run in which all calls are refused would also pass.
  expect(made).toBeGreaterThan(10)
  expect(await ownerless(ctx.db)).toEqual([])
})

/** Attempts of a member to gain more permissions; all of them are well-formed. */
const grab = (() => {
  const role = fc.constantFrom('member', 'admin', 'mate', 'made', 'owner', 'made,owner', 'admin,mate')
  const memberId = fc.constantFrom('THE-MEMBER', 'THE-OTHER-MEMBER', 'THE-THIRD-MEMBER')
  const permission = fc.constantFrom(
    { organization: ['delete'] },
    { organization: ['update'] },
    { member: ['update'], ac: ['create', 'update'] },
    { organization: ['update', 'delete'], member: ['delete'] },
    {},
  )
  const roleName = fc.constantFrom('made', 'mate', 'sailor')
  const act = (path: string, given: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record({ path: fc.constant(path), given: fc.record(given) })
  return fc.oneof(
    act('update-member-role', { memberId, role }),
    act('remove-member', { memberIdOrEmail: memberId }),
    act('transfer-ownership', { memberId }),
    act('invite-member', { email: fc.constantFrom('dan4@example.com', 'eve@example.com'), role }),
    act('create-invitation-link', { role }),
    act('join-by-link', { token: fc.constant('THE-TOKEN') }),
    act('create-role', { role: fc.constant('made'), permission }),
    act('update-role', { roleName, data: fc.record({ permission }) }),
    act('update-role', { roleName, data: fc.record({ roleName: fc.constantFrom('owner', 'made', 'admin') }) }),
    act('delete-role', { roleName }),
    act('delete', {}),
  )
})()

/** A role with many permissions, except the owner's own. */
const mate = {
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  ac: ['create', 'read', 'update', 'delete'],
}

test('no collusion of members who are not owners gains the permissions of owners', {
  timeout,
}, async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const { ctx } = server.tollgate.internals
  const names = ['Ada', 'Bob', 'Cleo', 'Dan'] as const
  const [ada, bob, cleo, dan] = [
    await server.signedUp(names[0]),
    await server.signedUp(names[1]),
    await server.signedUp(names[2]),
    await server.signedUp(names[3]),
  ]
  await ctx.transaction((tx) => tx.updateTable('user').set({ emailVerified: true }).execute())
  let made = 0
  let done = 0
  const step = fc.tuple(fc.constantFrom(bob, bob, cleo, cleo, dan), grab)

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      made += 1
      const there = await arranged(ada, bob, made)
      const organizationId = there['THE-ORGANIZATION']
      await ada.post('/organization/update-member-role', { memberId: there['THE-OTHER-MEMBER'], role: 'admin' })
      await ada.post('/organization/create-role', { role: 'mate', permission: mate })
      const third = await server.tollgate.api.addMember({ body: { organizationId, userId: cleo.id, role: 'mate' } })

      for (const [person, { path, given }] of steps) {
        const filled = present
          .reduce((json, name) => json.replaceAll(name, there[name]), JSON.stringify(given))
          .replaceAll('THE-THIRD-MEMBER', third.id)
        const { status } = await person.post(`/organization/${path}`, { ...JSON.parse(filled), organizationId })
        if (status === 200) done += 1
      }

      const held = await ctx.db.selectFrom('member').selectAll().where('organizationId', '=', organizationId).execute()
      const owners = held.filter(({ role }) => role.split(',').includes('owner')).map(({ userId }) => userId)
      expect(owners).toEqual([ada.id])
      for (const one of [bob, cleo, dan]) {
        const permissions = { organization: ['delete'] }
        const { body } = await one.post('/organization/has-permission', { organizationId, permissions })
        expect(body.success).not.toBe(true)
      }
      // Nor does any way in grant it to a newcomer.
      const ways = [
        ...(await ctx.db
          .selectFrom('invitation')
          .select('role')
          .where('organizationId', '=', organizationId)
          .execute()),
        ...(await ctx.db
          .selectFrom('invitationLink')
          .select('role')
          .where('organizationId', '=', organizationId)
          .execute()),
      ]
      expect(ways.filter(({ role }) => role.split(',').includes('owner'))).toEqual([])
      const roles = await ctx.db
        .selectFrom('organizationRole')
        .select(['role', 'permission'])
        .where('organizationId', '=', organizationId)
        .execute()
      expect(
        roles.filter(({ permission }) => JSON.stringify(permission).match(/"organization":\[[^\]]*"delete"/)),
      ).toEqual([])
    }),
    { numRuns: runs(inject('database') === 'postgres' ? 15 : 60), endOnFailure: true },
  )
  expect(done).toBeGreaterThan(30)
})

/** Calls that change nothing. */
const harmless = new Set(['/organization/check-slug', '/organization/has-permission'])

const searchOf = (given: Record<string, unknown>): string =>
  Object.entries(given)
    .map(([name, one]) => `${encode(name)}=${encode(typeof one === 'string' ? one : JSON.stringify(one))}`)
    .join('&')

/** Organizations without an owner. */
async function ownerless(db: Context['db']): Promise<string[]> {
  const organizations = await db.selectFrom('organization').select('id').execute()
  const members = await db.selectFrom('member').select(['organizationId', 'role']).execute()
  const owned = new Set(
    members.filter(({ role }) => role.split(',').includes('owner')).map((row) => row.organizationId),
  )
  return organizations.map(({ id }) => id).filter((id) => !owned.has(id))
}

test('every path answers every method, and never with a 5xx', { timeout }, async () => {
  await using server = await createTestServer({}, { databaseUrl: 'sqlite::memory:' })
  const part = fc.oneof(
    fc.constantFrom(
      'api',
      'auth',
      'dev',
      'inbox',
      'docs',
      'openapi.json',
      'health',
      'live',
      '..',
      '.',
      '%2e%2e',
      '%',
      '%00',
      '',
      '*',
      'sign-in',
      'email',
      '%ff',
      '%2f',
    ),
    text.map(encode),
  )

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.array(part, { maxLength: 6 }),
      headers,
      async (method, parts, given) => {
        const request = new Request(`http://localhost:3000/${parts.join('/')}`, { method, headers: given })

        const answer = await server.tollgate.handler(request)

        await answer.arrayBuffer()
        expect([request.url, answer.status < 500, server.logs.at(-2)]).toEqual([request.url, true, server.logs.at(-2)])
      },
    ),
    { numRuns: runs(1500), endOnFailure: true },
  )
})

const own = 'https://accounts.example.com'
const trusted = ['https://app.example', 'https://*.tenants.example']

/** The target of a browser on one of our pages, by the parser of browsers (WHATWG). */
function leaves(target: string): boolean {
  const base = target.startsWith('http') ? undefined : `${own}/api/auth/verify-email`
  if (!URL.canParse(target, base)) return true
  const { protocol, origin, hostname, port, username, password } = new URL(target, base)
  if (username || password) return true
  const isTenant = protocol === 'https:' && port === '' && hostname.endsWith('.tenants.example')
  const isLocal = hostname === 'localhost' && protocol === 'http:'
  return !(origin === own || origin === 'https://app.example' || isTenant || isLocal)
}

const piece = fc.constantFrom(
  '/',
  '//',
  '\\',
  ':',
  '@',
  '?',
  '#',
  '.',
  '..',
  '%2f',
  '%5c',
  '%2e',
  '%00',
  '%0a',
  '\t',
  '\n',
  '\r',
  ' ',
  '\0',
  '\u3002',
  '\uff0f',
  '\u2028',
  '\u00ad',
  'http:',
  'https:',
  'https://',
  'javascript:',
  'data:',
  'accounts.example.com',
  'app.example',
  'tenants.example',
  '.tenants.example',
  'x.tenants.example',
  'evil.example',
  ':443',
  ':8443',
  '[::1]',
  '0x7f.1',
  '*',
  'a',
)
const address = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(piece, text), { maxLength: 5 }).map((pieces) => pieces.join('')) },
)

test('no accepted address leads a browser away from the trusted origins', { timeout }, () => {
  const env = { TOLLGATE_MODE: 'production', SECRET: 'x'.repeat(32), BASE_URL: own }
  const { isSafeTarget } = createOrigins(resolveConfig({ trustedOrigins: trusted }, env))
  let passed = 0

  fc.assert(
    fc.property(address, (target) => {
      if (!isSafeTarget(target)) return
      passed += 1
      expect([target, leaves(target)]).toEqual([target, false])
    }),
    { numRuns: runs(50_000) },
  )
  // A check that refuses everything would also pass.
  expect(passed).toBeGreaterThan(100)
})

test('an accepted address still leads there with a token or an error added to it', { timeout }, async () => {
  const { withQuery } = await import('../foundation/http/handler.ts')
  const env = { TOLLGATE_MODE: 'production', SECRET: 'x'.repeat(32), BASE_URL: own }
  const { isSafeTarget } = createOrigins(resolveConfig({ trustedOrigins: trusted }, env))

  fc.assert(
    fc.property(address, text, (target, token) => {
      if (!isSafeTarget(target)) return
      const redirected = withQuery(target, 'token', token.toWellFormed())
      expect([redirected, leaves(redirected)]).toEqual([redirected, false])
      expect(new URL(redirected, own).searchParams.getAll('token').at(-1)).toBe(token.toWellFormed())
    }),
    { numRuns: runs(20_000) },
  )
})
