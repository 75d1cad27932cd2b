import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { minutes, seconds } from '../clock.ts'
import type { TollgateConfig } from '../config/config.ts'

const production = {
  TOLLGATE_MODE: 'production',
  SECRET: 'a secret of tests that is long enough to be one',
  BASE_URL: 'http://localhost:3000',
}
const limited = (config: TollgateConfig = {}) =>
  createTestServer({ ...config, rateLimit: { enabled: true, ...config.rateLimit } })

const wrong = { email: 'nobody@example.com', password: 'wrong password' }
const tooMany = { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' }

/** Statuses of consecutive calls from one address. */
async function statuses(
  server: TestServer,
  count: number,
  path = '/sign-in/email',
  body: unknown = wrong,
  address = '198.51.100.1',
): Promise<number[]> {
  const visitor = server.visitor({ address })
  const all: number[] = []
  for (let index = 0; index < count; index += 1) all.push((await visitor.post(path, body)).status)
  return all
}

test('the fourth sign-in of an address within ten seconds is refused, with the time to wait', async () => {
  await using server = await limited()
  expect(await statuses(server, 3)).toEqual([401, 401, 401])
  server.clock.advance(seconds(3))

  const { status, body, headers } = await server.visitor({ address: '198.51.100.1' }).post('/sign-in/email', wrong)

  expect([status, body]).toEqual([429, tooMany])
  expect([headers.get('retry-after'), headers.get('x-retry-after')]).toEqual(['7', '7'])
  server.clock.advance(seconds(7) - 1)
  expect(await statuses(server, 1)).toEqual([429])
  server.clock.advance(1)
  expect(await statuses(server, 1)).toEqual([401])
})

test.each<[string, unknown, number]>([
  ['/sign-in/email', wrong, 401],
  ['/sign-up/email', {}, 400],
  ['/change-password', { newPassword: 'x', currentPassword: 'x' }, 401],
  ['/change-email', { newEmail: 'new@example.com' }, 401],
])('%s takes three requests in ten seconds', async (path, body, first) => {
  await using server = await limited()

  expect(await statuses(server, 5, path, body)).toEqual([first, first, first, 429, 429])
})

test('other calls take a hundred in ten seconds; get-session is not counted', async () => {
  await using server = await limited()
  const visitor = server.visitor({ address: '198.51.100.1' })

  const all = await statuses(server, 101, '/sign-out', {})
  for (let index = 0; index < 150; index += 1) {
    expect((await visitor.get('/get-session')).status).toBe(200)
    expect((await visitor.get('/ok')).status).toBe(index < 100 ? 200 : 429)
  }

  expect(all.slice(0, 100)).toEqual(Array(100).fill(400))
  expect(all[100]).toBe(429)
})

test('addresses are counted apart, paths too', async () => {
  await using server = await limited()
  await statuses(server, 4)

  expect(await statuses(server, 1, '/sign-in/email', wrong, '198.51.100.2')).toEqual([401])
  expect(await statuses(server, 1, '/sign-up/email', {})).toEqual([400])
})

test('one household is one address: IPv6 counts by /64, however it is spelled', async () => {
  await using server = await limited()
  const from = (address: string) => statuses(server, 1, '/sign-in/email', wrong, address)

  expect(await from('2001:db8:1:2::1')).toEqual([401])
  expect(await from('2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd')).toEqual([401])
  expect(await from('2001:DB8:1:2:0:0:0:9')).toEqual([401])
  expect(await from('2001:db8:1:2::ffff')).toEqual([429])
  expect(await from('2001:db8:1:3::1')).toEqual([401])
  expect(await from('::ffff:198.51.100.1')).toEqual([401])
})

test('one IPv4 address is one, however it is written inside IPv6, and shares its count with no other', async () => {
  await using server = await limited()
  const from = (address: string) => statuses(server, 1, '/sign-in/email', wrong, address)

  for (const spelling of ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401'])
    expect([spelling, await from(spelling)]).toEqual([spelling, [401]])
  expect(await from('0:0:0:0:0:ffff:c633:6401')).toEqual([429])
  expect(await from('::ffff:c633:6402')).toEqual([401])
})

test('a forwarded header of a stranger opens no new count', async () => {
  await using server = await limited()

  const all: number[] = []
  for (let index = 0; index < 4; index += 1) {
    const visitor = server.visitor({ address: '198.51.100.1', headers: { 'x-forwarded-for': `203.0.113.${index}` } })
    all.push((await visitor.post('/sign-in/email', wrong)).status)
  }

  expect(all).toEqual([401, 401, 401, 429])
})

test('behind a trusted proxy its clients are counted, not the proxy', async () => {
  await using server = await limited({ advanced: { trustedProxies: ['10.0.0.1'] } })

  const all: number[] = []
  for (let index = 0; index < 4; index += 1) {
    const visitor = server.visitor({ address: '10.0.0.1', headers: { 'x-forwarded-for': `203.0.113.${index}` } })
    all.push((await visitor.post('/sign-in/email', wrong)).status)
  }

  expect(all).toEqual([401, 401, 401, 401])
})

test('requests without an address share one count', async () => {
  await using server = await limited()

  expect(await statuses(server, 4, '/sign-in/email', wrong, '')).toEqual([401, 401, 401, 429])
})

test('other spellings of a path reach neither the call nor its count', async () => {
  await using server = await limited()
  const visitor = server.visitor({ address: '198.51.100.1' })

  for (const path of [
    '/api/auth//sign-in/email',
    '/api/auth/sign-in/email/',
    '/api/auth/sign-in//email',
    '//api/auth/sign-in/email',
    '/api/auth/SIGN-IN/email',
  ])
    expect([path, (await visitor.request('POST', path, { body: wrong })).status]).toEqual([path, 404])

  // An encoded letter is the same path, and the same count.
  const encoded = '/api/auth/sign-in/%65mail'
  const all: number[] = []
  for (let index = 0; index < 4; index += 1) all.push((await visitor.request('POST', encoded, { body: wrong })).status)
  expect([
    [401, 401, 401, 429],
    [404, 404, 404, 404],
  ]).toContainEqual(all)
})

test('guessing the password of one account from everywhere is stopped after ten failures in a quarter of an hour', async () => {
  await using server = await limited()
  const ada = await server.signedUp('Ada')
  const tryFrom = (index: number, password: string, email = ada.email) =>
    server.visitor({ address: `198.51.100.${index}` }).post('/sign-in/email', { email, password })
  for (let index = 0; index < 10; index += 1) expect((await tryFrom(index, 'wrong password')).status).toBe(401)

  const eleventh = await tryFrom(11, 'wrong password')
  const right = await tryFrom(12, ada.password)
  const otherCase = await tryFrom(13, 'wrong password', ada.email.toUpperCase())

  expect([eleventh.status, eleventh.body, eleventh.headers.get('retry-after')]).toEqual([429, tooMany, '900'])
  expect([right.status, otherCase.status]).toEqual([429, 429])
  server.clock.advance(minutes(15))
  expect((await tryFrom(14, ada.password)).status).toBe(200)
})

test('an unknown address is counted the same way', async () => {
  await using server = await limited()
  const tryFrom = (index: number) => server.visitor({ address: `198.51.100.${index}` }).post('/sign-in/email', wrong)
  for (let index = 0; index < 10; index += 1) expect((await tryFrom(index)).status).toBe(401)

  expect((await tryFrom(11)).status).toBe(429)
})

test('right passwords are not counted as guesses', async () => {
  await using server = await limited()
  const { email, password } = await server.signedUp('Ada')

  for (let index = 0; index < 15; index += 1) {
    const visitor = server.visitor({ address: `198.51.100.${index}` })
    expect((await visitor.post('/sign-in/email', { email, password })).status).toBe(200)
  }
})

test('guesses at the same moment do not slip through together', async () => {
  await using server = await limited()
  const ada = await server.signedUp('Ada')

  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      server
        .visitor({ address: `198.51.100.${index}` })
        .post('/sign-in/email', { email: ada.email, password: 'wrong password' }),
    ),
  )

  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
})

test.each<[string, unknown]>([
  ['/verify-password', { password: 'wrong password' }],
  ['/delete-user', { password: 'wrong password' }],
])('%s counts as guessing too', async (path, body) => {
  await using server = await limited()
  const ada = await server.signedUp('Ada')
  const { email } = ada

  const all: number[] = []
  for (let index = 0; index < 11; index += 1) all.push((await ada.post(path, body)).status)

  expect(all).toEqual([...Array(10).fill(400), 429])
  // … and against the same account: a caller who only names it sees no limit, but even the right password fails.
  const elsewhere = await server
    .visitor({ address: '198.51.100.9' })
    .post('/sign-in/email', { email, password: ada.password })
  expect(elsewhere.status).toBe(401)
})

test.each([
  ['/forget-password', '/request-password-reset'],
  ['/send-verification-email', '/send-verification-email'],
])('%s sends five mails in ten minutes to one address, known or not', async (path, sameKind) => {
  await using server = await limited()
  const ada = await server.signedUp('Ada')
  await server.mailsTo(ada.email)
  server.clock.advance(1)

  for (const email of [ada.email, 'nobody@example.com']) {
    const from = (index: number, to: string, call = path) =>
      server.visitor({ address: `198.51.100.${index}` }).post(call, { email: to })
    for (let index = 0; index < 5; index += 1) expect((await from(index, email)).status).toBe(200)

    const sixth = await from(6, email)
    expect([email, sixth.status, sixth.body, sixth.headers.get('retry-after')]).toEqual([email, 429, tooMany, '600'])
    expect((await from(7, email.toUpperCase(), sameKind)).status).toBe(429)
  }
  server.clock.advance(minutes(10))
  expect((await server.visitor().post(path, { email: ada.email })).status).toBe(200)
  // Five, the one at sign-up or none, and the one after the wait; never a seventh.
  expect((await server.mailsTo(ada.email)).length).toBe(path === '/forget-password' ? 7 : 7)
})

test('asking whether addresses are taken by change-email is limited per person', async () => {
  await using server = await limited({ rateLimit: { customRules: { '/change-email': false } } })
  const ada = await server.signedUp('Ada')
  const grace = await server.signedUp('Grace')

  const all: number[] = []
  for (let index = 0; index < 6; index += 1)
    all.push((await ada.post('/change-email', { newEmail: grace.email })).status)

  expect(all).toEqual([400, 400, 400, 400, 400, 429])
})

test.each(['/v1/checkouts/client/*/confirm', '/v1/sandbox/confirmation-tokens'])(
  'attempts to pay are limited for each address, whichever checkout they are for: %s',
  async (path) => {
    await using server = await limited()
    const attempt = async (index: number) =>
      (await server.visitor().request('POST', `${path.replace('*', `c${index}`)}`, { body: {} })).status

    const first = await Promise.all(Array.from({ length: 10 }, (_, index) => attempt(index)))

    expect(first.filter((status) => status === 429)).toEqual([])
    expect(await attempt(10)).toBe(429)
    server.clock.advance(minutes(1))
    expect(await attempt(11)).not.toBe(429)
  },
)

test('rules of the configuration come first; false switches a limit off', async () => {
  await using server = await limited({
    rateLimit: { window: 60, max: 5, customRules: { '/sign-in/*': { window: 30, max: 1 }, '/sign-up/email': false } },
  })

  expect(await statuses(server, 3)).toEqual([401, 429, 429])
  expect(await statuses(server, 10, '/sign-up/email', {})).toEqual(Array(10).fill(400))
  expect(await statuses(server, 6, '/sign-out', {})).toEqual([400, 400, 400, 400, 400, 429])
  server.clock.advance(seconds(30))
  expect(await statuses(server, 1)).toEqual([401])
  expect(await statuses(server, 1, '/sign-out', {})).toEqual([429])
})

test('limits are on in production and off in development, unless configured otherwise', async () => {
  const fifth = async (config: TollgateConfig, env: Record<string, string> = {}) => {
    await using server = await createTestServer(config, { env })
    return (await statuses(server, 5)).at(-1)
  }

  expect(await fifth({})).toBe(401)
  expect(await fifth({}, production)).toBe(429)
  expect(await fifth({ rateLimit: { enabled: false } }, production)).toBe(401)
  expect(await fifth({ rateLimit: { enabled: true } })).toBe(429)
})

test('with storage in the database, processes that share it share the counts of guesses', async () => {
  const shared: TollgateConfig = { rateLimit: { enabled: true, storage: 'database' } }
  await using server = await createTestServer(shared)
  const { ctx } = server.tollgate.internals
  const ada = await server.signedUp('Ada')
  await statuses(server, 3, '/sign-in/email', { email: ada.email, password: 'wrong password' })

  const rows = await ctx.db.selectFrom('rateLimit').selectAll().orderBy('key').execute()

  // Attempts on the address (hashed) and its account, one mail, the caller's sign-ins, and one sign-up.
  expect(rows.map(({ key, count }) => [key.replace(/[0-9a-f]{64}/, 'HASH'), count])).toEqual(
    [
      ['attempt HASH', 3],
      ['attempt HASH', 3],
      ['mail sign-up HASH', 1],
      ['path 127.0.0.1 /sign-up/*', 1],
      ['path 198.51.100.1 /sign-in/*', 3],
    ].map(([key, count]) => [String(key).replace('/*', '/email'), count]),
  )
  expect(JSON.stringify(rows)).not.toContain(ada.email)
  expect(await statuses(server, 1)).toEqual([429])
})

test('counters that have run out begin anew, and are swept away', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true, storage: 'database' } })
  const { ctx } = server.tollgate.internals
  expect(await statuses(server, 4)).toEqual([401, 401, 401, 429])
  server.clock.advance(seconds(10))
  expect(await statuses(server, 4)).toEqual([401, 401, 401, 429])

  server.clock.advance(minutes(60))
  await ctx.jobs.runDue()

  expect(await ctx.db.selectFrom('rateLimit').selectAll().execute()).toEqual([])
})

test('counts in the database are exact at the same moment', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true, storage: 'database' } })

  const answers = await Promise.all(
    Array.from({ length: 12 }, () => server.visitor({ address: '198.51.100.1' }).post('/sign-in/email', wrong)),
  )

  expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
})

test('a request over the limit, or from another origin, is refused before its body is read', async () => {
  await using server = await limited()
  await statuses(server, 3)
  let isRead = false
  const post = (address: string, origin: string) =>
    server.tollgate.handler(
      new Request('http://localhost:3000/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: 'a=b', origin },
        // Pulled for its first piece only when the server reads the body.
        body: new ReadableStream(
          {
            pull: (stream) => {
              isRead = true
              stream.close()
            },
          },
          { highWaterMark: 0 },
        ),
        ...{ duplex: 'half' }, // the browser's types, which tests share, do not have it
      }),
      { remoteAddress: address },
    )

  expect((await post('198.51.100.1', 'http://localhost:3000')).status).toBe(429)
  expect((await post('198.51.100.2', 'https://evil.example')).status).toBe(403)
  expect(isRead).toBe(false)
  expect((await post('198.51.100.2', 'http://localhost:3000')).status).toBe(400)
  expect(isRead).toBe(true)
})

test.each(['/sign-in', '/api/auth/error'])('the page %s takes a hundred views in ten seconds', async (path) => {
  await using server = await limited()
  const visitor = server.visitor({ address: '198.51.100.1' })
  const view = () => visitor.request('GET', path)

  const all: number[] = []
  for (let index = 0; index < 100; index += 1) all.push((await view()).status)
  const refused = await view()

  expect(new Set(all)).toEqual(new Set([200]))
  expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([429, tooMany.message, '10'])
  expect((await server.visitor({ address: '198.51.100.2' }).request('GET', path)).status).toBe(200)
  server.clock.advance(seconds(10))
  expect((await view()).status).toBe(200)
})

test('forms are counted with the views of their page, and paths that are none with each other', async () => {
  await using server = await limited({ rateLimit: { max: 2 } })
  const visitor = server.visitor({ address: '198.51.100.1' })
  const post = () =>
    visitor.request('POST', '/forgot-password', {
      raw: 'email=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  const forms = [await visitor.request('GET', '/forgot-password'), await post(), await post()]
  const invented = []
  for (const path of ['/a', '/b', '/c']) invented.push(await visitor.request('GET', path))

  expect(forms.map(({ status }) => status)).toEqual([200, 400, 429])
  expect(invented.map(({ status }) => status)).toEqual([404, 404, 429])
})
