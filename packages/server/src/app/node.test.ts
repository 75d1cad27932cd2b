import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing.ts'
import { listen, openServer, type RunningServer } from './node.ts'

type Site = AsyncDisposable & { readonly server: TestServer; readonly running: RunningServer }

/** Connections do not depend on the database, so the fastest one suffices. */
async function listening(baseURL = 'http://localhost:3000'): Promise<Site> {
  const options = { env: { PORT: '0' }, databaseUrl: 'sqlite::memory:' }
  const server = await createTestServer({ baseURL }, options)
  const running = await listen(server.tollgate)
  return {
    server,
    running,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Sends raw bytes; returns everything received until the connection ends. */
function send({ running }: Site, ...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(running.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while we still write.
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
    })
    for (const part of parts) socket.write(part)
  })
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
const close = 'Host: localhost\r\nConnection: close\r\n'
const requestOf = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

test('an answer goes out whole: its length in bytes, each cookie in a line of its own, nothing after HEAD', async () => {
  await using site = await listening()
  const name = 'Ada Ł. ☃'
  const ada = await site.server.signedUp(name)
  const body = JSON.stringify({ email: ada.email, password: ada.password, rememberMe: false })
  const signIn = `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

  const [head = '', text = ''] = (await send(site, signIn)).split('\r\n\r\n')
  const [shortHead = '', nothing] = (await send(site, `HEAD /api/health/live HTTP/1.1\r\n${close}\r\n`)).split(
    '\r\n\r\n',
  )

  expect(statusOf(head)).toBe(200)
  expect(JSON.parse(text).user.name).toBe(name)
  expect(head).toContain(`content-length: ${Buffer.byteLength(text)}`)
  expect(head.match(/^set-cookie: /gim)).toHaveLength(2)
  expect(statusOf(shortHead)).toBe(200)
  expect(nothing).toBe('')
})

test.each([
  ['TRACE', `TRACE /api/auth/ok HTTP/1.1\r\n${close}\r\n`],
  ['an absolute target', `GET http://evil.example/api/auth/ok HTTP/1.1\r\n${close}\r\n`],
  ['an absolute target of our own', `GET http://localhost:3000/api/auth/ok HTTP/1.1\r\n${close}\r\n`],
  ['a star', `OPTIONS * HTTP/1.1\r\n${close}\r\n`],
  ['another star', `GET * HTTP/1.1\r\n${close}\r\n`],
  ['a method of file servers', `PROPFIND / HTTP/1.1\r\n${close}\r\n`],
  ['a method nobody knows', `HELLO / HTTP/1.1\r\n${close}\r\n`],
  ['a target without a slash', `GET api/auth/ok HTTP/1.1\r\n${close}\r\n`],
  ['a path with a backslash', `GET /\\evil.example HTTP/1.1\r\n${close}\r\n`],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex').toString('latin1')],
  ['a header without a colon', `GET / HTTP/1.1\r\n${close}broken\r\n\r\n`],
  ['a header with a line feed inside', `GET / HTTP/1.1\r\n${close}x: a\rb\r\n\r\n`],
  ['two lengths', `POST /api/auth/sign-out HTTP/1.1\r\n${close}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  [
    'a length and chunks',
    `POST /api/auth/sign-out HTTP/1.1\r\n${close}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a negative length', `POST /api/auth/sign-out HTTP/1.1\r\n${close}Content-Length: -1\r\n\r\n`],
  ['a blank before a colon', `GET /api/auth/ok HTTP/1.1\r\n${close}Content-Length : 5\r\n\r\n`],
  ['no host', 'GET /api/auth/ok HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['headers of 200 kB', `GET /api/auth/ok HTTP/1.1\r\n${close}x: ${'x'.repeat(200_000)}\r\n\r\n`],
])('%s is answered by a 4xx, and the connection ends', async (_, bytes) => {
  await using site = await listening()

  const answer = await send(site, bytes)

  expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
  expect(statusOf(answer)).toBeLessThan(500)
})

test('every answer names its request; the log repeats it but for the shortest ways, and requests that are none', async () => {
  await using site = await listening('https://accounts.example.com')
  const { server } = site
  const ada = await server.signedUp()
  const cookie = `Cookie: ${[...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}\r\n`
  const asking = (target: string, head = '') => `${target} HTTP/1.1\r\n${close}${head}\r\n`
  const requests: [string, { readonly isLogged: boolean }][] = [
    [asking('GET /api/auth/get-session'), { isLogged: false }],
    [asking('GET /api/auth/get-session', cookie), { isLogged: false }], // read
    [asking('GET /api/auth/get-session', cookie), { isLogged: false }], // kept
    [asking('GET /api/auth/get-session?', cookie), { isLogged: true }],
    [asking('GET /nothing'), { isLogged: true }],
    [asking('TRACE /'), { isLogged: false }],
    [asking('GET /\\evil.example'), { isLogged: false }],
    [asking('GET http://evil.example/'), { isLogged: false }],
  ]
  const ids = new Set<string>()

  for (const [bytes, { isLogged }] of requests) {
    const answer = await send(site, bytes)
    const id = /^x-request-id: ([0-9a-z]{7,})\r$/m.exec(answer)?.[1] ?? ''
    ids.add(id)
    const logged = server.logs.filter((line) => JSON.parse(line).request === id)
    expect([bytes, logged.length]).toEqual([bytes, isLogged ? 1 : 0])
    expect(answer).toContain('\r\nstrict-transport-security: ')
    if (statusOf(answer) === 400) expect(answer).toContain('{"code":"MALFORMED_REQUEST","message":"Malformed request"}')
  }

  expect(ids.size).toBe(requests.length)
})

test('a tunnel is not opened', async () => {
  await using site = await listening()

  const answer = await send(site, `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n`)

  expect(answer).not.toContain(' 200 ')
})

test.each(['evil.example', 'evil.example:1', 'localhost@evil.example', ':', '[', ''])(
  'the Host header %j decides nothing: no link, no redirect, no 5xx',
  async (host) => {
    await using site = await listening()
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: '12345678' })

    const answer = await send(
      site,
      `POST /api/auth/sign-up/email HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: ${host}\r\nX-Forwarded-Proto: ftp\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )

    expect(statusOf(answer)).toBe(200)
    const [mail] = await site.server.mailsTo('ada@example.com')
    expect(mail!.links.map((link) => new URL(link).origin)).toContain('http://localhost:3000')
    expect(JSON.stringify(mail)).not.toContain('evil.example')
  },
)

test.each([
  'evil.example',
  'evil.example:3000',
  'localhost@evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'accounts.internal@evil.example',
  ':',
  '[',
  '',
])('under the Host %j a developer’s mails and clock are not there, so no site can read them', async (host) => {
  await using site = await listening('http://accounts.internal:3000')

  for (const path of ['/dev/inbox', '/dev/inbox/messages', '/%64ev/inbox/messages', '/dev/clock', '/dev/inbox.js'])
    expect([path, statusOf(await send(site, requestOf(path, host)))]).toEqual([path, 404])
})

test.each(['localhost', 'localhost:3000', 'tollgate.localhost', '127.0.0.1:1', '[::1]:3000', 'accounts.internal:8080'])(
  'under the Host %j they are',
  async (host) => {
    await using site = await listening('http://accounts.internal:3000')

    expect(statusOf(await send(site, requestOf('/dev/inbox/messages', host)))).toBe(200)
  },
)

test('a body over the limit is refused by its announced length, before it is sent', async () => {
  await using site = await listening()

  const answer = await send(
    site,
    `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
  )

  expect(statusOf(answer)).toBe(413)
  expect(answer).toContain('REQUEST_BODY_IS_TOO_LARGE')
})

test('a body over the limit that comes in chunks is refused, too', async () => {
  await using site = await listening()
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`

  const answer = await send(
    site,
    `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...Array.from({ length: 18 }, () => chunk),
  )

  expect(statusOf(answer)).toBe(413)
})

test('HEAD is answered like GET, without a body', async () => {
  await using site = await listening()

  const answer = await send(site, `HEAD /api/auth/ok HTTP/1.1\r\n${close}\r\n`)

  expect(statusOf(answer)).toBe(200)
  expect(answer).toMatch(/\r\n\r\n$/)
})

test('two requests in one packet get two answers, in order', async () => {
  await using site = await listening()

  const answer = await send(
    site,
    `GET /api/auth/ok HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/auth/nothing HTTP/1.1\r\n${close}\r\n`,
  )

  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
})

test('a caller who goes away in the middle leaves the server as it was', async () => {
  await using site = await listening()
  const socket = connect(site.running.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"em`,
  )
  socket.destroy()

  expect(statusOf(await send(site, `GET /api/auth/ok HTTP/1.1\r\n${close}\r\n`))).toBe(200)
})

/** The next answer on a keep-alive connection. */
const nextAnswer = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))

test('a stop finishes running requests, accepts no new ones, and closes idle connections at once', async () => {
  await using site = await listening()
  const { port } = site.running
  const { ctx } = site.server.tollgate.internals
  const resting = connect(port, '127.0.0.1')
  resting.write('GET /api/auth/ok HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(statusOf(await nextAnswer(resting))).toBe(200)
  const busy = connect(port, '127.0.0.1')
  const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: '12345678' })
  busy.write(
    `POST /api/auth/sign-up/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  // The server has the head of the request as soon as it answers a later one.
  expect(statusOf(await send(site, `GET /api/auth/ok HTTP/1.1\r\n${close}\r\n`))).toBe(200)

  const restingEnded = new Promise((resolve) => resting.once('close', resolve))
  const stopped = site.running.stop()
  await restingEnded
  const refused = await new Promise<string>((resolve) => {
    connect(port, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  expect(await ctx.db.selectFrom('user').selectAll().execute()).toEqual([])
  const answer = nextAnswer(busy)
  busy.write(body.slice(10))

  expect(refused).toBe('ECONNREFUSED')
  expect(statusOf(await answer)).toBe(200)
  await stopped
  await expect(ctx.database.ping()).rejects.toThrow()
})

test('stopping twice, and closing a closed one, is no failure', async () => {
  const site = await listening()

  await site.running.stop()
  await site.server.tollgate.close()

  await site[Symbol.asyncDispose]()
})

test('the error for a port in use names it', async () => {
  await using site = await listening()

  await expect(openServer({ host: '127.0.0.1', port: site.running.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('before the server can serve, only its liveness is public', async () => {
  const opened = await openServer({ host: '127.0.0.1', port: 0 })
  await using server = await createTestServer({ baseURL: 'http://localhost:3000' })
  const running = opened.serve(server.tollgate)
  await running.stop()

  const waiting = await openServer({ host: '127.0.0.1', port: running.port })
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { connection: 'close' } })
    expect((await ask('/api/health/live')).status).toBe(200)
    const ready = await ask('/api/health/ready')
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([
      503,
      '1',
      { status: 'not ready', reason: 'migrating' },
    ])
    expect((await ask('/api/auth/ok')).status).toBe(503)
  } finally {
    await waiting.close()
  }
})

test('a refused link whose page cannot be made gets the plain refusal, and the server goes on', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp('Ada')
  const cookie = [...ada.cookies, ['better-auth.admin_session', 'x']].map((pair) => pair.join('=')).join('; ')
  Object.assign(site.server.tollgate.internals.ctx.database, {
    findSessionRow: () => Promise.reject(new Error('the database is away')),
  })

  const link = `GET /api/auth/list-sessions HTTP/1.1\r\n${close}Sec-Fetch-Mode: navigate\r\nCookie: ${cookie}\r\n\r\n`
  const refused = await send(site, link)
  const next = await send(site, requestOf('/api/auth/ok', 'localhost'))

  expect([statusOf(refused), statusOf(next)]).toEqual([500, 200])
})

test('a connection whose body was refused as too large carries no other request', async () => {
  await using site = await listening()
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const head =
    'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

  const answer = await send(site, head, ...Array.from({ length: 20 }, () => chunk), '0\r\n\r\n')

  expect(statusOf(answer)).toBe(413)
  expect(answer).toMatch(/^connection: close\r$/im)
})

test('a connection whose upload was refused unread carries the next request', async () => {
  await using site = await listening()
  const upload = `PUT /v1/files/parts/forged HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`

  const answers = await send(site, upload, requestOf('/api/auth/ok', 'localhost'))

  expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
})

test('HEAD of the error page is answered as GET', async () => {
  await using site = await listening()

  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => send(site, `${method} /api/auth/error?error=x HTTP/1.1\r\n${close}\r\n`)),
  )

  expect(statusOf(head ?? '')).toBe(statusOf(get ?? ''))
  expect(statusOf(get ?? '')).not.toBe(404)
})
