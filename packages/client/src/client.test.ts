import { authCalls } from '@tollgate/contract/calls'
import type { SessionAnswer } from '@tollgate/contract/types'
import { describe, expect, test } from 'vitest'
import { type ClientOptions, createTollgateClient } from './client.ts'
import { createEntranceClient } from './entrance-client.ts'
import type { Environment } from './environment.ts'

type Sent = { url: string; method: string; headers: Headers; body: unknown; credentials: string | undefined }
type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | Error

const aSession = (name: string) =>
  ({ session: { id: 's1', token: 't1' }, user: { id: 'u1', name } }) as unknown as SessionAnswer

/** A client whose server, clock, other tabs and window are all in the test's hands. */
function setUp(options: ClientOptions = {}, answer: (sent: Sent) => Reply = () => ({ body: null })) {
  const sent: Sent[] = []
  const left: string[] = []
  const timers = new Set<{ at: number; callback: () => void }>()
  const tabs = new Set<(message: string) => void>()
  const said: string[] = []
  const focusListeners = new Set<() => void>()
  let now = 0

  const environment: Environment = {
    origin: () => 'https://app.example.com',
    navigate: (url) => left.push(url),
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    elapsed: () => now,
    openChannel(_, onMessage) {
      tabs.add(onMessage)
      return { send: (message) => said.push(message), close: () => tabs.delete(onMessage) }
    },
    onFocus(callback) {
      focusListeners.add(callback)
      return () => focusListeners.delete(callback)
    },
  }

  const client = createTollgateClient({
    environment,
    async fetch(input, init) {
      const request = {
        url: String(input),
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body: init?.body ? JSON.parse(String(init.body)) : undefined,
        credentials: init?.credentials,
      }
      sent.push(request)
      const reply = answer(request)
      if (reply instanceof Error) throw reply
      return new Response(reply.body === undefined ? null : JSON.stringify(reply.body), {
        status: reply.status ?? 200,
        headers: reply.headers ?? {},
      })
    },
    ...options,
  })

  /** Lets everything that is under way come to rest, then moves the clock and runs what is due. */
  async function advance(milliseconds: number) {
    await settled()
    now += milliseconds
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer)
      timer.callback()
    }
    await settled()
  }

  return {
    client,
    sent,
    left,
    advance,
    tellFromOtherTab: (message = 'session') => tabs.forEach((tell) => void tell(message)),
    focus: () => focusListeners.forEach((tell) => void tell()),
    told: () => said.length,
    said,
    environment,
    openTabs: () => tabs.size,
    reads: (path = '/get-session') => sent.filter(({ url }) => url.endsWith(path)).length,
  }
}

/** Every promise that can go on has gone on: a macrotask comes after all of them. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('calls', () => {
  test('each call of the contract that a page can make is a method of the same name', () => {
    const { client } = setUp()

    const others = ['session', 'organizations', 'activeOrganization', 'activeMember', '$fetch']
    const methods = Object.keys(client).filter((name) => !others.includes(name))

    const expected = Object.entries(authCalls).filter(([, call]) => !('navigates' in call || 'serverOnly' in call))
    expect(methods.sort()).toEqual(expected.map(([name]) => name).sort())
    expect(methods).not.toContain('setPassword')
    expect(methods).not.toContain('errorPage')
  })

  test('a POST sends its input as JSON with credentials', async () => {
    const { client, sent } = setUp()

    await client.signInEmail({ email: 'ada@example.com', password: 'correct horse' })

    expect(sent[0]).toMatchObject({
      url: 'https://app.example.com/api/auth/sign-in/email',
      method: 'POST',
      body: { email: 'ada@example.com', password: 'correct horse' },
      credentials: 'include',
    })
    expect(sent[0]?.headers.get('content-type')).toBe('application/json')
  })

  test('a POST without input sends an empty object', async () => {
    const { client, sent } = setUp()

    await client.signOut()

    expect(sent[0]).toMatchObject({ method: 'POST', body: {} })
  })

  test('a GET sends its input as query and leaves unset members out', async () => {
    const { client, sent } = setUp()

    await client.verifyEmail({ token: 'a b&c' })
    await client.getSession({ disableCookieCache: true })
    await client.listMembers({ filterField: 'role', filterOperator: 'in', filterValue: ['owner', 'admin'] })

    expect(sent[0]?.url).toBe('https://app.example.com/api/auth/verify-email?token=a+b%26c')
    expect(sent[1]?.url).toBe('https://app.example.com/api/auth/get-session?disableCookieCache=true')
    expect(sent[1]?.body).toBeUndefined()
    expect(sent[2]?.url).toMatch(/\?filterField=role&filterOperator=in&filterValue=owner&filterValue=admin$/)
  })

  test('headers of the client and of the call are merged, the call winning', async () => {
    const { client, sent } = setUp({ headers: { 'x-app': 'web', 'x-both': 'client' } })

    await client.listSessions(undefined, { headers: { 'X-Both': 'call' } })

    expect(sent[0]?.headers.get('x-app')).toBe('web')
    expect(sent[0]?.headers.get('x-both')).toBe('call')
  })

  test('$fetch is a POST with a body and a GET without, unless the method is named', async () => {
    const { client, sent } = setUp()

    await client.$fetch('/anything', { body: { a: 1 } })
    await client.$fetch('anything', { query: { b: 2 } })
    await client.$fetch('/anything', { method: 'delete' })

    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://app.example.com/api/auth/anything',
      'GET https://app.example.com/api/auth/anything?b=2',
      'DELETE https://app.example.com/api/auth/anything',
    ])
  })

  test('onSuccess and onError hear of the one call they were given to', async () => {
    const heard: unknown[] = []
    const { client } = setUp({}, ({ url }) =>
      url.endsWith('/ok') ? { body: { ok: true } } : { status: 401, body: { code: 'UNAUTHORIZED' } },
    )

    await client.ok(undefined, { onSuccess: (data) => heard.push(data) })
    await client.listSessions(undefined, { onError: (error) => heard.push(error.code) })

    expect(heard).toEqual([{ ok: true }, 'UNAUTHORIZED'])
  })
})

describe('errors', () => {
  test('a refusal of the billing API explains in a sentence which member is wrong', async () => {
    const issues = [
      { loc: ['body', 'customer_email'], msg: 'Input should be an email address', type: 'email' },
      { loc: ['body', 'prices', 0, 'amount'], msg: 'Field required', type: 'missing' },
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' },
    ]
    let body: object = { error: 'RequestValidationError', detail: issues }
    const { client } = setUp({}, () => ({ status: 422, body }))
    const refused = async () => (await client.$fetch('/anything', { method: 'POST' })).error

    expect(await refused()).toMatchObject({
      code: 'RequestValidationError',
      issues,
      message:
        'customer_email: Input should be an email address; prices.0.amount: Field required; Input should be a valid dictionary',
    })
    body = { error: 'ResourceNotFound', detail: 'Not found' }
    expect(await refused()).toEqual({
      status: 422,
      statusText: '',
      code: 'ResourceNotFound',
      message: 'Not found',
    })
  })

  test('a refusal carries status, code, message and the time to wait', async () => {
    const { client } = setUp({}, () => ({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' },
      headers: { 'retry-after': '7' },
    }))

    const { data, error } = await client.signInEmail({ email: 'ada@example.com', password: 'x' })

    expect(data).toBeNull()
    expect(error).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: 7 })
  })

  test('a refusal that is no JSON, or nothing at all, still has its status', async () => {
    const { client } = setUp({ fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })

    const { error } = await client.ok()

    expect(error).toEqual({ status: 502, statusText: '' })
  })

  test('a call that gets no answer has status 500', async () => {
    const { client } = setUp({}, () => new TypeError('Failed to fetch'))

    const { error } = await client.ok()

    expect(error).toEqual({ status: 500, statusText: 'Fetch error', message: 'Failed to fetch' })
  })

  test('an aborted call answers with an error and does not reject', async () => {
    const { client } = setUp({ fetch: async (_, init) => Promise.reject(init?.signal?.reason) })

    const { error } = await client.ok(undefined, { signal: AbortSignal.abort() })

    expect(error?.status).toBe(500)
  })
})

describe('the address', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/api/auth/ok'],
    ['https://api.example.com/', 'https://api.example.com/api/auth/ok'],
    ['https://api.example.com/auth/', 'https://api.example.com/auth/ok'],
  ])('base URL %s leads to %s', async (baseURL, url) => {
    const { client, sent } = setUp({ baseURL })

    await client.ok()

    expect(sent[0]?.url).toBe(url)
  })

  test('the base path can be another one', async () => {
    const { client, sent } = setUp({ basePath: 'identity' })

    await client.ok()

    expect(sent[0]?.url).toBe('https://app.example.com/identity/ok')
  })

  test.each(['nonsense', 'ftp://example.com', 'javascript:alert(1)', '/relative'])('%s is refused', (baseURL) => {
    expect(() => createTollgateClient({ baseURL })).toThrow(
      `Invalid base URL: ${baseURL}. Please provide a valid base URL.`,
    )
  })

  test('without a page or a base URL a call names what is missing, and creating the client does not', async () => {
    const client = createTollgateClient()

    await expect(client.ok()).rejects.toThrow('Could not get origin from request. Please provide a valid base URL.')
  })
})

describe('navigation', () => {
  const redirecting =
    (url: string, redirect = true) =>
    () => ({ body: { url, redirect, token: 't', user: {} } })
  const credentials = { email: 'ada@example.com', password: 'x', callbackURL: '/welcome' }

  test('an answer with url and redirect is followed', async () => {
    const { client, left } = setUp({}, redirecting('/welcome'))

    await client.signInEmail(credentials)

    expect(left).toEqual(['/welcome'])
  })

  test('an address without redirect is not', async () => {
    const { client, left } = setUp({}, redirecting('/welcome', false))

    await client.signInEmail(credentials)

    expect(left).toEqual([])
  })

  test('an address that would run a script is never followed', async () => {
    const { client, left } = setUp({}, redirecting('javascript:alert(1)'))

    await client.signInEmail(credentials)

    expect(left).toEqual([])
  })

  test('a router can take the place of the navigation', async () => {
    const pushed: string[] = []
    const { client, left } = setUp({ navigate: (url) => pushed.push(url) }, redirecting('/welcome'))

    await client.signInEmail(credentials)

    expect([pushed, left]).toEqual([['/welcome'], []])
  })
})

test('a file is sent as it is, beside its query', async () => {
  const file = new Blob(['picture'], { type: 'image/png' })
  let sent: { url: string; init: RequestInit | undefined } | undefined
  const client = createTollgateClient({
    baseURL: 'https://accounts.example',
    fetch: async (url, init) => {
      sent = { url: String(url), init }
      return Response.json({ logo: 'x' })
    },
  })

  await client.uploadOrganizationLogo({ file, organizationId: 'o1' })

  expect(sent?.url).toBe('https://accounts.example/api/auth/organization/upload-logo?organizationId=o1')
  expect(sent?.init).toMatchObject({ method: 'POST', body: file, credentials: 'include' })
  expect(new Headers(sent?.init?.headers).get('content-type')).toBeNull()
})

describe('retry', () => {
  const failing = () => ({ status: 503 })

  test('nothing is tried again unless asked for', async () => {
    const { client, sent } = setUp({}, failing)

    await client.ok()

    expect(sent).toHaveLength(1)
  })

  test('a failed GET is tried again after one second each time', async () => {
    let failures = 2
    const { client, sent, advance } = setUp({ retry: 3 }, () =>
      failures-- > 0 ? new TypeError('Failed to fetch') : { body: { ok: true } },
    )
    const answer = client.ok()

    await advance(999)
    expect(sent).toHaveLength(1)
    await advance(1)
    expect(sent).toHaveLength(2)
    await advance(1000)

    expect(await answer).toEqual({ data: { ok: true }, error: null })
    expect(sent).toHaveLength(3)
  })

  test('a write is never repeated, and neither is a refusal', async () => {
    const { client, sent } = setUp({ retry: 3 }, ({ method }) => ({ status: method === 'POST' ? 503 : 401 }))

    await client.signOut()
    await client.listSessions()

    expect(sent).toHaveLength(2)
  })

  test('an abort ends the waiting', async () => {
    const { client, sent, advance } = setUp({}, failing)
    const abort = new AbortController()
    const answer = client.ok(undefined, { retry: 3, signal: abort.signal })
    await advance(0)

    abort.abort()

    expect((await answer).error?.status).toBe(503)
    expect(sent.length).toBeLessThan(3)
  })
})

describe('the session store', () => {
  const signedIn =
    (name = 'Ada') =>
    ({ url }: Sent) => ({ body: url.endsWith('/get-session') ? aSession(name) : {} })

  test('it reads when the first subscriber comes, and not before', async () => {
    const { client, reads, advance } = setUp({}, signedIn())
    const before = client.session.get()
    await advance(0)
    expect([before.pending, reads()]).toEqual([true, 0])

    client.session.subscribe(() => {})
    client.session.subscribe(() => {})
    await advance(0)

    expect(reads()).toBe(1)
    expect(client.session.get()).toMatchObject({ data: { user: { name: 'Ada' } }, error: null, pending: false })
  })

  test('a signed-out visitor is null, and no longer pending', async () => {
    const { client, advance } = setUp()
    client.session.subscribe(() => {})

    await advance(0)

    expect(client.session.get()).toEqual({ data: null, error: null, pending: false })
  })

  test('the state stays the same object until something changes', async () => {
    const { client, advance } = setUp({}, signedIn())
    let changes = 0
    client.session.subscribe(() => changes++)
    await advance(0)
    const state = client.session.get()

    await client.session.refetch()

    expect(client.session.get()).toBe(state)
    expect(changes).toBe(1)
  })

  test('a call that changes the session causes one read, ten milliseconds later', async () => {
    const { client, reads, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})
    await advance(0)

    await client.updateUser({ name: 'Ada' })
    await advance(9)
    expect(reads()).toBe(1)
    await advance(1)

    expect(reads()).toBe(2)
  })

  const refreshing = [
    'signOut',
    'signInEmail',
    'signInUsername',
    'signInSocial',
    'signInOAuth2',
    'signInEmailOtp',
    'verifyMagicLink',
    'adminImpersonateUser',
    'adminStopImpersonating',
    'signUpEmail',
    'updateUser',
    'updateSession',
    'deleteUser',
    'deleteUserCallback',
    'verifyEmail',
    'changeEmail',
    // They end sessions, and the own one may be among them, or make a new one in its place.
    'changePassword',
    'resetPassword',
    'revokeSession',
    'revokeSessions',
  ] as const

  test.each(refreshing)('%s refreshes the session', async (name) => {
    const { client, reads, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})
    await advance(0)

    await (client[name] as (input: object) => Promise<unknown>)({})
    await advance(10)

    expect(reads()).toBe(2)
  })

  test.each(['isUsernameAvailable', 'listSessions', 'sendVerificationEmail', 'revokeOtherSessions'] as const)(
    '%s leaves the session as it is',
    async (name) => {
      const { client, reads, advance } = setUp({}, signedIn())
      client.session.subscribe(() => {})
      await advance(0)

      await (client[name] as (input: object) => Promise<unknown>)({})
      await advance(10)

      expect(reads()).toBe(1)
    },
  )

  test('a burst of calls causes one read', async () => {
    const { client, reads, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})
    await advance(0)

    await Promise.all([1, 2, 3, 4].map(() => client.updateUser({ name: 'Ada' })))
    await advance(10)
    await advance(1000)

    expect(reads()).toBe(2)
  })

  test('a refused call causes none', async () => {
    const { client, reads, advance } = setUp({}, ({ url }) =>
      url.endsWith('/get-session') ? { body: null } : { status: 400, body: { code: 'INVALID_NAME' } },
    )
    client.session.subscribe(() => {})
    await advance(0)

    await client.updateUser({ name: '' })
    await advance(10)

    expect(reads()).toBe(1)
  })

  test('a change during a read is not missed', async () => {
    const { client, reads, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})

    client.session.refetch()
    await advance(0)

    expect(reads()).toBe(2)
  })

  test('a failed read keeps the previous value', async () => {
    let up = true
    const { client, advance } = setUp({}, (sent) => (up ? signedIn()(sent) : { status: 503 }))
    client.session.subscribe(() => {})
    await advance(0)

    up = false
    await client.session.refetch()

    expect(client.session.get()).toMatchObject({ data: { user: { name: 'Ada' } }, error: { status: 503 } })
  })

  test('the session that the server rendered with needs no read, and null means signed out', async () => {
    const { client, reads, advance } = setUp({ initialSession: aSession('Ada') })
    const out = setUp({ initialSession: null })
    client.session.subscribe(() => {})
    out.client.session.subscribe(() => {})
    await advance(0)

    expect(client.session.get()).toBe(client.session.getInitial())
    expect(out.client.session.get()).toMatchObject({ data: null, pending: false })
    expect([reads(), out.reads()]).toEqual([0, 0])
  })

  test('a store notifies other tabs, and reads when another one notifies it', async () => {
    const { client, reads, told, tellFromOtherTab, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})
    await advance(0)

    await client.signOut()
    expect(told()).toBe(1)
    await advance(10)
    tellFromOtherTab()
    await advance(10)

    expect(reads()).toBe(3)
    expect(told()).toBe(1)
  })

  test('a page that comes to the front reads again when its answer is older than a minute', async () => {
    const { client, reads, focus, advance } = setUp({}, signedIn())
    client.session.subscribe(() => {})
    await advance(0)

    focus()
    await advance(60_001)
    expect(reads()).toBe(1)
    focus()
    await advance(0)

    expect(reads()).toBe(2)
  })

  test('without subscribers nothing is open, and the next one reads the changes since', async () => {
    const { client, reads, openTabs, advance } = setUp({}, signedIn())
    const leave = client.session.subscribe(() => {})
    await advance(0)

    leave()
    leave()
    expect(openTabs()).toBe(0)
    await client.updateUser({ name: 'Ada' })
    await advance(10)
    expect([reads(), openTabs()]).toEqual([1, 0])
    client.session.subscribe(() => {})
    await advance(0)

    expect(reads()).toBe(2)
  })

  /** A server whose answers wait until they are let go, in the order of the requests. */
  function slowServer() {
    const waiting: ((body: unknown) => void)[] = []
    const fetch = (input: Parameters<typeof globalThis.fetch>[0]) =>
      String(input).endsWith('/get-session')
        ? new Promise<Response>((resolve) => waiting.push((body) => resolve(Response.json(body))))
        : Promise.resolve(Response.json({}))
    return { fetch, waiting }
  }

  test.each([
    ['nobody listens any more', ['leave', 'sign up']],
    ['whoever listened leaves before the store has read again', ['sign up', 'leave']],
  ])('an answer from before a sign-up is not used for the next user where %s', async (_, order) => {
    const { fetch, waiting } = slowServer()
    const { client, advance } = setUp({ fetch })
    const leave = client.session.subscribe(() => {})
    await advance(0)

    for (const step of order) {
      if (step === 'leave') leave()
      else await client.signUpEmail({ name: 'Ada', email: 'ada@example.com', password: 'correct horse' })
    }
    waiting[0]!(null)
    await advance(100)
    client.session.subscribe(() => {})
    await advance(0)
    waiting[1]!(aSession('Ada'))
    await advance(0)

    expect(client.session.get()).toMatchObject({ data: { user: { name: 'Ada' } }, pending: false })
    expect(waiting).toHaveLength(2)
  })

  test('a caller that comes during a read from before a sign-up gets one more', async () => {
    const { fetch, waiting } = slowServer()
    const { client, advance } = setUp({ fetch })
    client.session.subscribe(() => {})()
    await advance(0)
    await client.signUpEmail({ name: 'Ada', email: 'ada@example.com', password: 'correct horse' })

    client.session.subscribe(() => {})
    waiting[0]!(null)
    await advance(0)
    waiting[1]!(aSession('Ada'))
    await advance(0)

    expect(client.session.get().data?.user.name).toBe('Ada')
  })

  test('a read that cannot even be made is an error of the state, and the next one is made', async () => {
    let origin: string | undefined
    const { environment } = setUp()
    const client = createTollgateClient({
      environment: { ...environment, origin: () => origin },
      fetch: async () => Response.json(aSession('Ada')),
    })

    client.session.subscribe(() => {})
    await settled()
    expect(client.session.get()).toEqual({
      data: null,
      error: {
        status: 500,
        statusText: 'Fetch error',
        message: 'Could not get origin from request. Please provide a valid base URL.',
      },
      pending: false,
    })
    origin = 'https://app.example.com'
    await client.session.refetch()

    expect(client.session.get()).toMatchObject({ data: { user: { name: 'Ada' } }, error: null })
  })

  test('a listener that fails is heard of by itself; the others are called, and the store goes on', async () => {
    let name = 'Ada'
    const { client, advance } = setUp({}, (sent) => signedIn(name)(sent))
    const seen: (string | undefined)[] = []
    client.session.subscribe(() => {
      throw new Error('a fault of the page')
    })
    client.session.subscribe(() => seen.push(client.session.get().data?.user.name))

    await expect(advance(0)).rejects.toThrow('a fault of the page')
    name = 'Grace'
    await client.session.refetch()

    expect(seen).toEqual(['Ada', 'Grace'])
  })
})

describe('the stores of organizations', () => {
  const stores = {
    session: '/get-session',
    organizations: '/organization/list',
    activeOrganization: '/organization/get-full-organization',
    activeMember: '/organization/get-active-member',
  } as const
  type StoreName = keyof typeof stores

  /** A client of which every store is subscribed to and read once. */
  async function subscribed(options: ClientOptions = {}, answer?: (sent: Sent) => Reply) {
    const tools = setUp(options, answer ?? (() => ({ body: { id: 'x' } })))
    for (const name of Object.keys(stores) as StoreName[]) tools.client[name].subscribe(() => {})
    await tools.advance(0)
    const before = tools.sent.length
    /** The stores that were read again since, in the order above. */
    const readAgain = async () => {
      await tools.advance(9)
      const early = tools.sent.slice(before).filter(({ method }) => method === 'GET').length
      await tools.advance(1)
      await tools.advance(1000)
      const paths = tools.sent.slice(before).map(({ url }) => new URL(url).pathname.replace('/api/auth', ''))
      const counts = Object.entries(stores).map(
        ([name, path]) => [name, paths.filter((one) => one === path).length] as const,
      )
      // More than once each would show in the name.
      return {
        early,
        names: counts.flatMap(([name, count]) => (count === 0 ? [] : count === 1 ? [name] : [`${name} × ${count}`])),
      }
    }
    return { ...tools, readAgain }
  }

  const call = (client: object, name: string) => (client as Record<string, (input: object) => unknown>)[name]!({})

  test('each is one call, made when the first subscriber comes', async () => {
    const { client, sent, advance } = setUp({}, ({ url }) => ({ body: [url] }))
    expect(client.organizations.get()).toEqual({ data: null, error: null, pending: true })

    client.organizations.subscribe(() => {})
    await advance(0)

    expect(sent).toHaveLength(1)
    expect(client.organizations.get()).toMatchObject({
      data: ['https://app.example.com/api/auth/organization/list'],
      pending: false,
    })
  })

  test.each([
    ['createOrganization', ['session', 'organizations', 'activeOrganization']],
    ['updateOrganization', ['session', 'organizations', 'activeOrganization']],
    ['deleteOrganization', ['session', 'organizations', 'activeOrganization']],
    ['leaveOrganization', ['session', 'organizations', 'activeOrganization']],
    ['setActiveOrganization', ['session', 'activeOrganization', 'activeMember']],
    ['updateMemberRole', ['session', 'activeOrganization', 'activeMember']],
    ['acceptInvitation', ['session', 'organizations', 'activeOrganization', 'activeMember']],
    ['joinByLink', ['session', 'organizations', 'activeOrganization', 'activeMember']],
    ['updateRole', ['activeOrganization', 'activeMember']],
    ['inviteMember', ['activeOrganization']],
    ['createTeam', ['activeOrganization']],
    // The contract does not mention these: the active organization is read again after any organization call.
    ['createInvitationLink', ['activeOrganization']],
    ['checkOrganizationSlug', ['activeOrganization']],
    ['hasPermission', ['activeOrganization']],
  ])('%s makes stale %j, ten milliseconds later', async (name, names) => {
    const { client, readAgain } = await subscribed()

    await call(client, name)

    expect(await readAgain()).toEqual({ early: 0, names })
  })

  test('a call that only reads counts as an organization call too, and ends with one read', async () => {
    const { client, readAgain, said, sent } = await subscribed()

    await client.listTeams()

    const read = sent.length
    expect((await readAgain()).names).toEqual(['activeOrganization'])
    expect(sent).toHaveLength(read + 1)
    // It has changed nothing that another tab would have to hear of.
    expect(said).toEqual([])
  })

  test.each([
    ['answers the same', () => ({ body: { id: 'x' } })],
    ['fails every time', ({ url }: Sent) => (url.includes('full') ? { status: 503 } : { body: [] })],
  ] as const)('who reads whenever the store changes does not go round in circles where it %s', async (_, answer) => {
    const { client, sent, advance } = setUp({}, answer)
    client.activeOrganization.subscribe(() => void client.listMembers())

    for (let round = 0; round < 20; round++) await advance(10)

    expect(sent.length).toBeLessThan(5)
  })

  test('signing in or out makes all of them stale: they are about another person now', async () => {
    const { client, readAgain } = await subscribed()

    await client.signOut()

    expect((await readAgain()).names).toEqual(['session', 'organizations', 'activeOrganization', 'activeMember'])
  })

  test('a refused call and one that concerns none of them change nothing', async () => {
    const { client, readAgain } = await subscribed({}, ({ method }) =>
      method === 'GET' ? { body: null } : { status: 403, body: { code: 'NO' } },
    )

    await client.deleteOrganization({ organizationId: 'x' })
    await client.listSessions()

    expect((await readAgain()).names).toEqual([])
  })

  test('other tabs learn what is stale, and read just that', async () => {
    const { client, said, tellFromOtherTab, readAgain } = await subscribed()
    await client.setActiveOrganization({ organizationId: 'x' })
    expect(said).toEqual(['activeOrganization,activeMember,session'])

    const other = await subscribed()
    other.tellFromOtherTab('activeOrganization,activeMember,of a later version')
    expect((await other.readAgain()).names).toEqual(['activeOrganization', 'activeMember'])
    expect(other.said).toEqual([])
    tellFromOtherTab('')
    expect((await readAgain()).names).toEqual(['session', 'activeOrganization', 'activeMember'])
  })

  test('all stores share one line to the other tabs, which closes with the last subscriber', async () => {
    const { client, openTabs } = setUp()

    const leave = [client.session, client.organizations, client.activeMember].map((store) => store.subscribe(() => {}))
    expect(openTabs()).toBe(1)
    leave[0]!()
    leave[1]!()
    expect(openTabs()).toBe(1)
    leave[2]!()

    expect(openTabs()).toBe(0)
  })

  test.each([
    ['no organization is active', { status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } }],
    ['the membership has ended', { status: 400, body: { code: 'MEMBER_NOT_FOUND' } }],
    ['nobody is signed in any more', { status: 401 }],
  ])('%s is no error but none: the previous value is removed', async (_, refusal) => {
    let now: Reply = { body: { id: 'm1', permissions: {} } }
    const { client, advance } = setUp({}, () => now)
    client.activeMember.subscribe(() => {})
    await advance(0)
    expect(client.activeMember.get().data).not.toBeNull()

    now = refusal
    await client.activeMember.refetch()

    expect(client.activeMember.get()).toEqual({ data: null, error: null, pending: false })
  })

  test('any other refusal is an error, and the previous value stays', async () => {
    let now: Reply = { body: [{ id: 'o1' }] }
    const { client, advance } = setUp({}, () => now)
    client.organizations.subscribe(() => {})
    await advance(0)

    now = { status: 403, body: { code: 'EMAIL_VERIFICATION_REQUIRED' } }
    await client.organizations.refetch()

    expect(client.organizations.get()).toMatchObject({ data: [{ id: 'o1' }], error: { status: 403 } })
  })

  test('server-rendered data needs no read, and null means none', async () => {
    const { client, sent, advance } = setUp({
      initialOrganizations: [],
      initialActiveOrganization: null,
      initialActiveMember: null,
    })
    for (const store of [client.organizations, client.activeOrganization, client.activeMember])
      store.subscribe(() => {})
    await advance(0)

    expect(client.organizations.get()).toEqual({ data: [], error: null, pending: false })
    expect(client.activeMember.get()).toEqual({ data: null, error: null, pending: false })
    expect(sent).toEqual([])
  })
})

describe('the client of an entrance', () => {
  test('has the features for signing in and up, and nothing that comes later', () => {
    const client = createEntranceClient({ baseURL: 'https://app.example.com' })

    expect(Object.keys(client)).toEqual(expect.arrayContaining(['signInEmail', 'signInMagicLink', 'session', '$fetch']))
    expect(Object.keys(client)).not.toContain('createOrganization')
    expect(Object.keys(client)).not.toContain('adminListUsers')
  })

  test('notifies other tabs of everything that a sign-in makes stale, whatever stores it has itself', async () => {
    const { environment, said } = setUp()
    const client = createEntranceClient({ environment, fetch: async () => Response.json({ token: 't' }) })

    await client.signInEmail({ email: 'ada@example.com', password: 'x' })

    expect(said).toEqual(['session,organizations,activeOrganization,activeMember'])
  })
})

describe('a captcha', () => {
  const answerOf = ({ headers }: Sent) => headers.get('x-captcha-response')

  test('asks for an answer before a change, by the name of the call', async () => {
    const asked: string[] = []
    const { client, sent } = setUp({
      captcha: async (call) => {
        asked.push(call)
        return call === 'signInEmail' ? 'an answer' : undefined
      },
    })

    await client.signInEmail({ email: 'ada@example.com', password: 'x' }, { headers: { 'x-own': '1' } })
    await client.signOut()
    await client.getSession()

    expect(asked).toEqual(['signInEmail', 'signOut'])
    expect(sent.map(answerOf)).toEqual(['an answer', null, null])
    expect(sent[0]?.headers.get('x-own')).toBe('1')
  })

  test('that fails counts as no answer: the call runs, and returns the server’s refusal', async () => {
    const { client, sent } = setUp({
      captcha: () => {
        throw new Error('blocked')
      },
    })

    expect((await client.signInEmail({ email: 'ada@example.com', password: 'x' })).error).toBeNull()
    expect(sent.map(answerOf)).toEqual([null])
  })
})
