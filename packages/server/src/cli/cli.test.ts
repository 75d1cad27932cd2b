import type { ChildProcess } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createStripeServer, stripeTestKeys } from '../features/billing/testing/stripe-server.ts'
import { openDatabase } from '../foundation/db/database.ts'
import { releasedMigrations } from '../foundation/db/testing/released-migrations.ts'
import { createTestServer } from '../testing.ts'
import { inFolder, type Outcome } from './testing/folder.ts'

/** Waits until a running server has printed a text; returns its whole output up to then. */
const printed = (child: ChildProcess, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = ''
    const read = (chunk: Buffer) => {
      seen += chunk.toString()
      if (seen.includes(text)) resolve(seen)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (status) => reject(new Error(`ended with ${status}: ${seen}`)))
  })

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve))

test('without words, or asked for help, the commands are listed', async () => {
  await using folder = await inFolder()

  const [nothing, help, one] = await Promise.all([
    folder.run([]),
    folder.run(['--help']),
    folder.run(['migrate', '--help']),
  ])

  for (const name of [
    'dev',
    'start',
    'migrate',
    'seed',
    'admin create',
    'organization create',
    'token create',
    'clock advance',
    'doctor',
    'export',
    'import',
    'version',
  ])
    expect(help.out).toContain(`  ${name}`)
  expect([nothing.status, nothing.out]).toEqual([0, help.out])
  expect([one.status, one.out]).toEqual([0, expect.stringContaining('tollgate migrate [--plan] [--json]')])
})

test('an unknown command is an error with status 2; --version prints the version', async () => {
  await using folder = await inFolder()

  const [unknown, half, wrong, option, asked, version] = await Promise.all([
    folder.run(['sing', 'loud']),
    folder.run(['admin']),
    folder.run(['admin', 'remove']),
    folder.run(['--verbose']),
    folder.run(['--version']),
    folder.run(['version']),
  ])

  const listed = '`tollgate help` lists all commands.'
  expect([unknown, half, wrong, option].map(({ status, out, err }) => [status, out, err.trim()])).toEqual([
    [2, '', `There is no command "sing". ${listed}`],
    [2, '', 'There is no command "admin". Did you mean admin create?'],
    [2, '', 'There is no command "admin remove". Did you mean admin create?'],
    [2, '', `There is no option "--verbose". ${listed}`],
  ])
  expect([asked.status, asked.out]).toEqual([0, version.out])
  expect(version.out).toMatch(/^tollgate \d+\.\d+\.\d+ on Node /)
})

test('wrong options are status 2 and a sentence', async () => {
  await using folder = await inFolder()

  const outcomes = await Promise.all([
    folder.run(['migrate', '--plam']),
    folder.run(['version', 'now']),
    folder.run(['admin', 'create']),
    folder.run(['admin', 'create', '--email', 'nobody']),
    folder.run(['organization', 'create', '--name', 'Acme', '--slug', 'acme']),
    folder.run(['organization', 'create', '--name', 'Acme', '--slug', 'acme', '--owner', 'nobody']),
    folder.run(['token', 'create']),
    folder.run(['token', 'create', '--organization', 'acme']),
    folder.run(['token', 'create', '--organization', 'acme', '--scope', 'everything']),
    folder.run(['clock', 'advance']),
    folder.run(['clock', 'advance', 'soon']),
    folder.run(['clock', 'advance', '--', '-P1D']),
  ])

  for (const { status, out, err } of outcomes) {
    expect([status, out]).toEqual([2, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('wrong settings are status 1 and one message, for every command that needs them', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'production', LOG_LEVEL: 'loud' })

  const outcomes = await Promise.all([folder.run(['start']), folder.run(['migrate']), folder.run(['seed'])])

  for (const { status, err } of outcomes) {
    expect(status).toBe(1)
    expect(err).toContain('Invalid configuration:')
    expect(err).toContain('LOG_LEVEL is "loud"')
    expect(err).toContain('SECRET is missing')
    expect(err).not.toContain('    at ')
  }
  await expect(stat(path.join(folder.path, 'data'))).rejects.toThrow()
})

test('F-failclosed: dev serves only this machine unless configured otherwise', async () => {
  await using folder = await inFolder({ HOST: '0.0.0.0' })

  const [open, production] = await Promise.all([folder.run(['dev']), folder.run(['dev'], { NODE_ENV: 'production' })])

  expect([open.status, open.err]).toEqual([
    1,
    expect.stringContaining('development mode on an address that other machines can reach (HOST 0.0.0.0'),
  ])
  expect([production.status, production.err]).toEqual([1, expect.stringContaining('SECRET is missing')])
})

test('migrate lists the pending migrations, runs them, and then has nothing to do', async () => {
  await using folder = await inFolder()

  const plan = await folder.run(['migrate', '--plan', '--json'])
  const first = await folder.run(['migrate', '--json'])
  const second = await folder.run(['migrate'])

  expect([plan.status, JSON.parse(plan.out)]).toEqual([0, { pending: releasedMigrations }])
  expect([first.status, JSON.parse(first.out)]).toEqual([0, { applied: releasedMigrations }])
  expect([second.status, second.out]).toEqual([0, 'The database is up to date.\n'])
})

test('seed makes demo people who can sign in and organizations of theirs, once, and never in production', async () => {
  await using folder = await inFolder()
  await writeFile(
    path.join(folder.path, 'tollgate.config.mjs'),
    'export default { organization: { teams: { enabled: true } } }\n',
  )

  const first = await folder.run(['seed', '--json'])
  const second = await folder.run(['seed', '--json'])
  const production = await folder.run(['seed'], {
    TOLLGATE_MODE: 'production',
    SECRET: 'x'.repeat(32),
    BASE_URL: 'https://accounts.example.com',
  })

  const { users, organizations, shop } = JSON.parse(first.out)
  expect(first.err).toBe('')
  expect(users.map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
    ['ada@example.com', 'admin'],
    ['grace@example.com', 'user'],
    ['alan@example.com', 'user'],
    ['katherine@example.com', 'user'],
    ['edsger@example.com', 'user'],
  ])
  expect(organizations.map(({ slug, owner }: Record<string, string>) => [slug, owner])).toEqual([
    ['northwind', 'ada@example.com'],
    ['contoso', 'grace@example.com'],
  ])
  expect(shop).toMatchObject({ slug: 'northwind', token: expect.stringMatching(/^tollgate_oat_/) })
  expect([second.status, JSON.parse(second.out)]).toEqual([0, { users: [], organizations: [], shop: null }])
  expect([production.status, production.err]).toEqual([
    2,
    expect.stringContaining('Demo data is for development mode only'),
  ])
  await using server = await createTestServer(
    { organization: { teams: { enabled: true } } },
    { databaseUrl: `sqlite:${path.join(folder.path, 'data/tollgate.db')}` },
  )
  const [{ email, password }] = users
  const visitor = server.visitor()
  expect((await visitor.post('/sign-in/email', { email, password })).status).toBe(200)
  expect((await visitor.get('/get-session')).body.user).toMatchObject({ role: 'admin', emailVerified: true })
  const { body: whole } = await visitor.get('/organization/get-full-organization?organizationSlug=northwind')
  const roles = whole.members.map((member: { user: { email: string }; role: string }) => [
    member.user.email,
    member.role,
  ])
  expect(roles.sort()).toEqual([
    ['ada@example.com', 'owner'],
    ['alan@example.com', 'member,auditor'],
    ['grace@example.com', 'admin'],
    ['katherine@example.com', 'member'],
  ])
  expect(whole.teams.map(({ name }: { name: string }) => name).sort()).toEqual([
    'Engineering',
    'Flight research',
    'Northwind Traders',
  ])
  expect(whole.invitations.map(({ email: invited }: { email: string }) => invited).sort()).toEqual([
    'edsger@example.com',
    'hedy@example.com',
  ])
})

test('admin create prints a link to choose a password, and makes who exists an administrator', async () => {
  await using folder = await inFolder()

  const made = JSON.parse((await folder.run(['admin', 'create', '--email', 'Boss@Example.com', '--json'])).out)
  const again = JSON.parse((await folder.run(['admin', 'create', '--email', 'boss@example.com', '--json'])).out)

  expect(made).toMatchObject({ email: 'boss@example.com', created: true })
  // The address's owner is not proved yet, so there is a new link, and the old one is void.
  expect(again).toEqual({ email: 'boss@example.com', created: false, link: expect.stringContaining('token=') })
  await using server = await createTestServer(
    {},
    { databaseUrl: `sqlite:${path.join(folder.path, 'data/tollgate.db')}` },
  )
  // The link was made by the machine's clock, and the test's clock is behind it.
  const [old, token] = [made.link, again.link].map((link) => new URL(link).searchParams.get('token'))
  const visitor = server.visitor()
  expect((await visitor.post('/reset-password', { token: old, newPassword: 'the boss’s word' })).status).toBe(400)
  expect((await visitor.post('/reset-password', { token, newPassword: 'the boss’s word' })).status).toBe(200)
  expect((await visitor.post('/reset-password', { token, newPassword: 'the boss’s word' })).status).toBe(400)
  expect(
    (await visitor.post('/sign-in/email', { email: 'boss@example.com', password: 'the boss’s word' })).status,
  ).toBe(200)
  expect((await visitor.get('/get-session')).body.user.role).toBe('admin')
  const proved = JSON.parse((await folder.run(['admin', 'create', '--email', 'boss@example.com', '--json'])).out)
  expect(proved).toEqual({ email: 'boss@example.com', created: false, link: null })
})

test('doctor asks Stripe, where it is on', async () => {
  const stripe = createStripeServer()
  const standIn = createHttpServer(async (request, response) => {
    const headers = { authorization: request.headers.authorization ?? '' }
    const answer = await stripe.fetch(`http://stripe.test${request.url}`, { headers })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
  const { port } = standIn.address() as AddressInfo // listening on a port
  await using folder = await inFolder({ ...stripeTestKeys, STRIPE_API_BASE: `http://127.0.0.1:${port}` })

  const { out } = await folder.run(['doctor', '--json'])

  standIn.close()
  const findings: { check: string; ok: boolean }[] = JSON.parse(out)
  expect(findings.filter(({ check }) => ['stripe', 'events', 'time'].includes(check))).toMatchObject([
    { check: 'stripe', ok: true, detail: 'the keys work, test mode' },
    { check: 'events', ok: true },
    { check: 'time', ok: true },
  ])
})

test('doctor --books verifies what is sold, and has a line for each violation', async () => {
  await using folder = await inFolder()
  const early = await folder.run(['doctor', '--books'])
  await folder.run(['seed'])

  const sound = await folder.run(['doctor', '--books'])
  const database = openDatabase(`sqlite:${path.join(folder.path, 'data/tollgate.db')}`)
  const { id } = await database.db.selectFrom('order').select('id').limit(1).executeTakeFirstOrThrow()
  await database.db.updateTable('orderItem').set({ taxAmount: 77 }).where('orderId', '=', id).execute()
  await database.close()
  const broken = await folder.run(['doctor', '--books'])
  const asJson = await folder.run(['doctor', '--books', '--json'])

  expect([early.status, early.err.trim()]).toEqual([2, 'The database has pending migrations: run tollgate migrate'])
  expect([sound.status, sound.out.trim()]).toEqual([0, '✓ books     all 21 invariants hold'])
  expect(broken.status).toBe(1)
  expect(broken.out).toContain(`✗ The taxes of an order’s items add up to its tax: ${id}: 77, and not 0`)
  expect(JSON.parse(asJson.out)).toContainEqual({
    invariant: 'The taxes of an order’s items add up to its tax',
    subject: id,
    detail: '77, and not 0',
  })
})

test('doctor finds no problem, or reports each one', async () => {
  await using folder = await inFolder()

  const fresh = await folder.run(['doctor', '--json'])
  await folder.run(['migrate'])
  const migrated = await folder.run(['doctor', '--json'])
  const noDatabase = await folder.run(['doctor', '--json'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  const noMail = await folder.run(['doctor', '--json'], { SMTP_URL: 'smtp://127.0.0.1:1' })
  const wrong = await folder.run(['doctor', '--json'], { PORT: 'x' })
  await folder.run(['seed'])
  const seeded = await folder.run(['doctor', '--json'])
  const secret = await readFile(path.join(folder.path, 'data/secret'), 'utf8')
  const changed = { SECRET: 'x'.repeat(40), SECRET_PREVIOUS: secret.trim() }
  const waiting = await folder.run(['doctor', '--json'], changed)
  const renamed = 'export default { organization: { creatorRole: "boss" } }\n'
  await writeFile(path.join(folder.path, 'tollgate.config.mjs'), renamed)
  const ownerless = await folder.run(['doctor', '--json'])

  const failing = ({ out }: Outcome) =>
    JSON.parse(out)
      .filter(({ ok }: { ok: boolean }) => !ok)
      .map(({ check }: { check: string }) => check)
  expect([fresh.status, failing(fresh)]).toEqual([1, ['database']])
  expect([migrated.status, failing(migrated)]).toEqual([0, []])
  expect(JSON.parse(migrated.out)).toContainEqual({
    check: 'documents',
    ok: true,
    detail: 'invoices have the fonts of all supported scripts',
  })
  expect([noDatabase.status, failing(noDatabase)]).toEqual([1, ['database']])
  expect([noMail.status, failing(noMail)]).toEqual([1, ['mail']])
  expect([wrong.status, failing(wrong)]).toEqual([1, ['settings']])
  expect([seeded.status, failing(seeded)]).toEqual([0, []])
  expect(JSON.parse(waiting.out)).toContainEqual({
    check: 'secrets',
    ok: true,
    detail: expect.stringMatching(/^\d+ stored values still need SECRET_PREVIOUS/),
  })
  expect([ownerless.status, failing(ownerless)]).toEqual([1, ['owners']])
})

test('start serves, keeps a secret of its own in development, and stops at a signal with status 0', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'development' })
  const base = `http://localhost:${folder.env.PORT}`
  const child = folder.start(['start'])
  const stopped = ended(child)
  try {
    const words = await printed(child, 'API docs')

    expect(words).toContain(`${base}/sign-up`)
    expect(words).toMatch(/setupToken=\w{24}/)
    const ask = (pathname: string, init?: RequestInit) => fetch(base + pathname, init)
    expect(await (await ask('/api/health/ready')).json()).toEqual({ status: 'ready' })
    const token = /setupToken=(\w{24})/.exec(words)?.[1]
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: '12345678', setupToken: token })
    const headers = { 'content-type': 'application/json' }
    const signedUp = await ask('/api/auth/sign-up/email', { method: 'POST', headers, body })
    expect(signedUp.status).toBe(200)
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const session = await (await ask('/api/auth/get-session', { headers: { cookie } })).json()
    expect(session).toMatchObject({ user: { role: 'admin' } })

    const second = await folder.run(['start'])
    expect([second.status, second.err.trim()]).toEqual([
      1,
      `Port ${folder.env.PORT} is in use: stop the process that uses it, or set PORT.`,
    ])
    const moved = await folder.run(['clock', 'advance', 'P8D', '--json'])
    expect(moved.status).toBe(0)
    expect(await (await ask('/api/auth/get-session', { headers: { cookie } })).json()).toBeNull()
  } finally {
    child.kill('SIGTERM')
  }
  expect(await stopped).toBe(0)
  const secretFile = path.join(folder.path, 'data/secret')
  expect((await readFile(secretFile, 'utf8')).length).toBeGreaterThanOrEqual(32)
  for (const name of ['data', 'data/secret', 'data/tollgate.db'])
    expect([name, (await stat(path.join(folder.path, name))).mode & 0o077]).toEqual([name, 0])
})

test('the clock moves also while nothing serves, and never in production', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'development' })

  const first = JSON.parse((await folder.run(['clock', 'advance', 'P1D', '--json'])).out)
  const second = JSON.parse((await folder.run(['clock', 'advance', 'P1D', '--json'])).out)
  const refused = await folder.run(['clock', 'advance', 'P1D'], {
    TOLLGATE_MODE: 'production',
    SECRET: 'x'.repeat(32),
    BASE_URL: 'https://accounts.example.com',
  })

  const apart = Date.parse(second.now) - Date.parse(first.now)
  expect(apart).toBeGreaterThanOrEqual(86_400_000)
  expect(apart).toBeLessThan(86_400_000 + 60_000)
  expect([refused.status, refused.err.trim()]).toEqual([2, 'The clock can be advanced in development mode only'])
})

test('the file is found by its name or by TOLLGATE_CONFIG, in TypeScript too; a missing one is reported', async () => {
  await using folder = await inFolder()
  await writeFile(path.join(folder.path, 'tollgate.config.ts'), 'export default { appName: 1 as unknown as string }\n')
  await writeFile(path.join(folder.path, 'other.mjs'), 'export default { basePath: "nowhere" }\n')
  await writeFile(path.join(folder.path, 'empty.mjs'), 'export const x = 1\n')

  const [byName, unnamed, named, missing, empty] = await Promise.all([
    folder.run(['migrate']),
    folder.run(['migrate'], { TOLLGATE_CONFIG: '' }),
    folder.run(['migrate'], { TOLLGATE_CONFIG: 'other.mjs' }),
    folder.run(['migrate'], { TOLLGATE_CONFIG: 'gone.mjs' }),
    folder.run(['migrate'], { TOLLGATE_CONFIG: 'empty.mjs' }),
  ])

  expect([byName.status, byName.err]).toEqual([1, expect.stringContaining('appName is 1')])
  expect([unnamed.status, unnamed.err]).toEqual([1, byName.err])
  expect([named.status, named.err]).toEqual([1, expect.stringContaining('basePath is "nowhere"')])
  expect([missing.status, missing.err]).toEqual([
    1,
    expect.stringContaining('TOLLGATE_CONFIG is "gone.mjs": the file does not exist'),
  ])
  expect([empty.status, empty.err]).toEqual([1, expect.stringContaining('empty.mjs has no default export')])
})

test('the error for a broken file, or one without options, names the place and shows no line of it', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'production' })
  const secret = 'a secret that is nobody else’s business'
  const files = {
    'malformed.ts': `export default {\n  secret: "${secret}" appName: 'Acme',\n}\n`,
    'malformed.mjs': `export default {\n  secret: "${secret}" appName: 'Acme',\n}\n`,
    'importing.mjs': "import './malformed.mjs'\nexport default {}\n",
    'throwing.ts': "const name: string = 'boom'\n\nthrow new Error(name)\n",
    'function.mjs': 'export default async () => ({})\n',
    'promise.mjs': 'export default Promise.resolve({})\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder.path, name), text)

  const outcomes = await Promise.all(
    Object.keys(files).map((name) => folder.run(['doctor'], { TOLLGATE_CONFIG: name })),
  )

  const malformed = "SyntaxError: Unexpected identifier 'appName'"
  const object = 'must be an object, `export default defineConfig({ … })`'
  const told = outcomes.map(({ status, out, err }) => [status, out.split('\n').slice(1).join('\n').trim(), err])
  expect(told).toEqual(
    [
      expect.stringMatching(/^- malformed\.ts cannot be read: SyntaxError: .* \(malformed\.ts:2\)$/),
      `- malformed.mjs cannot be read: ${malformed} (malformed.mjs:2)`,
      `- importing.mjs cannot be read: ${malformed} (in a file that it imports)`,
      '- throwing.ts cannot be read: Error: boom (throwing.ts:3)',
      `- function.mjs exports a value of type function: ${object}`,
      `- promise.mjs exports a promise: ${object}`,
    ].map((line) => [1, line, '']),
  )
  expect(JSON.stringify(outcomes)).not.toContain('business')
})

test('every command reports an unavailable database in a sentence', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'development', SECRET: 'x'.repeat(32) })
  await writeFile(path.join(folder.path, 'file'), '')
  const blocked = { DATABASE_URL: 'sqlite:./file/data/x.db' }

  const outcomes = await Promise.all([
    folder.run(['start'], blocked),
    folder.run(['migrate'], blocked),
    folder.run(['migrate'], { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/nothing' }),
  ])

  const place = path.join(folder.path, 'file/data')
  const reason = `DATABASE_URL names the file ${place}/x.db, which cannot be made: ENOTDIR: not a directory, mkdir '${place}'`
  expect(outcomes.map(({ status, err }) => [status, err.trim()])).toEqual([
    [1, `Invalid configuration:\n  - ${reason}`],
    [1, `Invalid configuration:\n  - ${reason}`],
    [
      1,
      expect.stringMatching(/^Invalid configuration:\n {2}- DATABASE_URL \(postgres:[^\n]* cannot be opened: [^\n]*$/),
    ],
  ])
  expect(outcomes[2]?.err).not.toContain('hidden')
})

test('the error for an address that the server cannot listen at is a sentence', async () => {
  await using folder = await inFolder({ TOLLGATE_MODE: 'development', SECRET: 'x'.repeat(32) })

  const outcomes = await Promise.all([
    // Addresses and names that belong to no machine (RFC 5737, RFC 2606).
    folder.run(['start'], { HOST: '192.0.2.1' }),
    folder.run(['start'], { HOST: 'nowhere.invalid' }),
    folder.run(['start'], { HOST: '999.1.1.1' }),
  ])

  expect(outcomes.map(({ status, err }) => [status, err.trim()])).toEqual([
    [1, 'HOST is "192.0.2.1": must be an address of this machine.'],
    [1, 'HOST is "nowhere.invalid": must be an address of this machine, or a name for one; this name is unknown here.'],
    [1, 'Invalid configuration:\n  - HOST is "999.1.1.1": must be an address of this machine, or a name for one'],
  ])
  // Nothing was started.
  await expect(stat(path.join(folder.path, 'data'))).rejects.toThrow()
})

test('version names the program and the Node that runs it', async () => {
  await using folder = await inFolder()

  const { status, out } = await folder.run(['version'])

  expect([status, out]).toEqual([0, expect.stringMatching(/^tollgate \d+\.\d+\.\d+ on Node 24\.\d+\.\d+\n$/)])
})

test('organization create creates an organization that a user owns, and reports errors', async () => {
  await using folder = await inFolder()
  await folder.run(['admin', 'create', '--email', 'boss@example.com'])
  const create = (slug: string, owner: string) =>
    folder.run(['organization', 'create', '--name', 'Acme', '--slug', slug, '--owner', owner, '--json'])

  const made = await create('Acme', 'Boss@Example.com')
  const [again, unknown, invalid] = [
    await create('acme', 'boss@example.com'),
    await create('other', 'nobody@example.com'),
    await create('no slug', 'boss@example.com'),
  ]

  expect(JSON.parse(made.out)).toMatchObject({ name: 'Acme', slug: 'acme', members: [{ role: 'owner' }] })
  expect([again.status, again.out, again.err]).toEqual([2, '', 'Another organization has this slug\n'])
  expect([unknown.status, unknown.err]).toEqual([2, 'No user has the address in --owner\n'])
  expect([invalid.status, invalid.err]).toEqual([2, expect.stringContaining('--slug needs')])
})

test('organization create --sell makes one that may sell, and token create lets a program act for it', async () => {
  await using folder = await inFolder()
  await folder.run(['admin', 'create', '--email', 'boss@example.com'])
  const create = (slug: string, ...rest: string[]) =>
    folder.run(['organization', 'create', '--name', 'Acme', '--slug', slug, '--owner', 'boss@example.com', ...rest])
  const sold = await create('acme', '--sell')
  const idle = await create('idle')
  const token = (...rest: string[]) => folder.run(['token', 'create', '--organization', ...rest])

  const [every, some, waiting] = [
    await token('Acme'),
    await token('acme', '--scope', 'orders:read', '--scope', 'customers:write,orders:read', '--json'),
    await token('idle'),
  ]

  expect([sold.status, sold.out]).toEqual([0, expect.stringContaining('It can sell.')])
  expect(idle.out).not.toContain('may sell')
  expect([every.status, every.out]).toEqual([0, expect.stringMatching(/^tollgate_oat_[A-Za-z0-9]{43}\n$/)])
  expect(JSON.parse(some.out)).toEqual({ token: expect.stringMatching(/^tollgate_oat_/) })
  expect([waiting.status, waiting.err]).toEqual([0, expect.stringContaining('can’t sell yet')])
  expect(every.err).not.toContain('can’t sell yet')
  await using server = await createTestServer(
    {},
    { databaseUrl: `sqlite:${path.join(folder.path, 'data/tollgate.db')}` },
  )
  const ask = (token: string, place: string, method = 'GET') =>
    server.visitor().request(method, `/v1${place}`, { headers: { authorization: `Bearer ${token.trim()}` } })
  expect((await ask(every.out, '/products')).status).toBe(200)
  expect((await ask(JSON.parse(some.out).token, '/orders')).status).toBe(200)
  expect((await ask(JSON.parse(some.out).token, '/products')).body.error).toBe('insufficient_scope')
  expect((await ask(waiting.out, '/products', 'POST')).body.error).toBe('OrganizationNotApproved')
})
