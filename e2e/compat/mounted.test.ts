import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { toNodeHandler } from '../../packages/server/src/app/node.ts'
import { createTollgate, type Tollgate } from '../../packages/server/src/app/server.ts'

const baseURL = 'http://localhost:3000'
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

type Send = (path: string, init?: RequestInit) => Promise<Response>
/** An application with a page of its own that lets Tollgate answer below /api/auth. */
type Application = AsyncDisposable & { readonly send: Send }

const bare = (tollgate: Tollgate) => {
  const handle = toNodeHandler(tollgate)
  return serve((request, response) => {
    if (request.url?.startsWith('/api/auth/')) return handle(request, response)
    response.end('own page')
  })
}

const hono = async (tollgate: Tollgate): Promise<Application> => {
  const app = new Hono()
  app.all('/api/auth/*', (c) => tollgate.handler(c.req.raw, { remoteAddress: '127.0.0.1' }))
  app.get('/', (c) => c.text('own page'))
  return {
    send: async (path, init) => app.request(new URL(path, baseURL), init),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** As a route file of Next.js exports them: one function per method, with a Request to a Response. */
const fetchHandlers = async (tollgate: Tollgate): Promise<Application> => {
  const GET = (request: Request) => tollgate.handler(request, { remoteAddress: '127.0.0.1' })
  const routes: Record<string, (request: Request) => Promise<Response>> = { GET, HEAD: GET, POST: GET, DELETE: GET }
  return {
    send: async (path, init) => {
      const request = new Request(new URL(path, baseURL), init)
      return path.startsWith('/api/auth/') ? routes[request.method]!(request) : new Response('own page')
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const mounts = [
  ['node:http', bare],
  ['Hono', hono],
  ['a Fetch handler', fetchHandlers],
] as const

test.each(mounts)('in %s: bodies, cookies, addresses, HEAD and unknown paths are as at home', async (_, mount) => {
  await using tollgate = await development()
  await using application = await mount(tollgate.tollgate)
  const { send } = application

  expect(await (await send('/')).text()).toBe('own page')
  const signedUp = await send('/api/auth/sign-up/email', post(ada))
  expect(signedUp.status).toBe(200)
  expect(signedUp.headers.get('content-type')).toBe('application/json')
  expect(await signedUp.json()).toMatchObject({ user: { email: ada.email } })

  // Two cookies stay two.
  const signedIn = await send('/api/auth/sign-in/email', post({ ...ada, rememberMe: false }))
  const cookies = signedIn.headers.getSetCookie()
  expect(cookies.map((line) => line.split('=')[0])).toEqual(['better-auth.session_token', 'better-auth.dont_remember'])
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  const session = await (await send('/api/auth/get-session', { headers: { cookie } })).json()
  expect(session).toMatchObject({ user: { email: ada.email }, session: { ipAddress: '127.0.0.1' } })

  const head = await send('/api/auth/ok', { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  for (const [path, method] of [
    ['/api/auth/no-such-call', 'GET'],
    ['/api/auth/sign-in/email', 'GET'],
    ['/api/auth/ok', 'DELETE'],
  ] as const) {
    const unknown = await send(path, { method })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toBe('')
  }

  expect((await send('/api/auth/sign-out', post({}, { cookie, origin: 'https://evil.example' }))).status).toBe(403)
  expect((await send('/api/auth/sign-in/email', { ...post({}), body: '{' })).status).toBe(400)
  expect((await send('/api/auth/sign-in/email', post({}, { 'content-type': 'text/plain' }))).status).toBe(415)
  const big = await send('/api/auth/sign-in/email', post({ ...ada, callbackURL: 'x'.repeat(1_100_000) }))
  expect(big.status).toBe(413)
  const streamed = await send('/api/auth/sign-in/email', {
    ...post({}),
    body: new Blob([JSON.stringify(ada)]).stream(),
    duplex: 'half',
  } as RequestInit) // undici wants `duplex`, which the types of the DOM do not know
  expect(streamed.status).toBe(200)
  expect((await send('/api/auth/sign-out', post({}, { cookie }))).status).toBe(200)
})

test('without an address of the peer, forwarded headers are not believed', async () => {
  await using tollgate = await development()
  const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }

  const answer = await tollgate.tollgate.handler(new Request(`${baseURL}/api/auth/sign-up/email`, post(ada, headers)))

  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const session = await tollgate.tollgate.api.getSession({ headers: { cookie } })
  expect(session?.session.ipAddress).toBe('')
})

test('a JSON body that the framework has read already still counts', async () => {
  await using tollgate = await development()
  const handle = toNodeHandler(tollgate.tollgate)
  await using application = await serve((request, response) => {
    // As express.json() does before every route.
    void readAll(request).then((text) => {
      Object.assign(request, { body: JSON.parse(text) })
      handle(request, response)
    })
  })

  const answer = await application.send('/api/auth/sign-up/email', { ...post(ada), signal: AbortSignal.timeout(5000) })

  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ user: { email: ada.email } })
})

test('two applications in one process keep their users apart', async () => {
  await using first = await development()
  await using second = await development()

  const answer = await first.tollgate.handler(new Request(`${baseURL}/api/auth/sign-up/email`, post(ada)))
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!

  expect((await first.tollgate.api.getSession({ headers: { cookie } }))?.user.email).toBe(ada.email)
  expect(await second.tollgate.api.getSession({ headers: { cookie } })).toBeNull()
})

async function development(): Promise<AsyncDisposable & { readonly tollgate: Tollgate }> {
  const tollgate = await createTollgate(
    { baseURL },
    {
      env: {
        TOLLGATE_MODE: 'development',
        DATABASE_URL: 'sqlite::memory:',
        SECRET: 'a secret of tests that is long enough to be one',
        LOG_LEVEL: 'silent',
      },
    },
  )
  return { tollgate, [Symbol.asyncDispose]: tollgate.close }
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: baseURL, ...headers },
  body: JSON.stringify(body),
})

async function serve(listener: RequestListener): Promise<Application> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on a port, so not a pipe
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
  return Buffer.concat(chunks).toString('utf8')
}
