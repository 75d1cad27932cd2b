import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { billingCalls, fromWire } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { authCalls, type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import { firstAdminRole } from './access.ts'
import { createDiskStore } from './billing/catalog/files/store.ts'
import { type Clock, standingClock } from './clock.ts'
import type { TollgateConfig } from './config.ts'
import { inOrder } from './http/billing-api.ts'
import type { PasswordCost } from './identity/passwords.ts'
import { newId } from './ids.ts'
import { createLogger } from './log.ts'
import type { InboxMessage } from './mail/inbox.page.ts'
import type { EventType } from './outbox.ts'
import { createTollgate, type Tollgate, type TollgateOptions } from './server.ts'

/** The moment at which tests begin; their clock stands still until it is moved. */
export const testStart = new Date('2026-03-01T12:00:00.000Z')

export type TestAnswer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
}

export type TestServer = AsyncDisposable & {
  readonly tollgate: Tollgate
  readonly baseURL: string
  readonly clock: Clock
  /** What was logged, as JSON lines. */
  readonly logs: string[]
  /** A visitor with a cookie jar of its own. */
  visitor(options?: VisitorOptions): Visitor
  /** A visitor who has signed up (and is signed in). */
  signedUp(name?: string, options?: VisitorOptions): Promise<Person>
  /** The same, with the first of the roles that administer. */
  administrator(name?: string): Promise<Person>
  /** Runs due jobs, then gives the mails to an address, newest first. */
  mailsTo(email: string): Promise<InboxMessage[]>
  /** The first link of the newest mail to an address, as a path with its query. */
  linkTo(email: string): Promise<string>
  /** What has happened of one kind, oldest first. */
  events(type: EventType): Promise<{ actorId: string | null; userId: string | null; data: unknown }[]>
}

export type Person = Visitor & { readonly id: string; readonly email: string; readonly password: string }

export type VisitorOptions = { readonly address?: string; readonly headers?: Record<string, string> }

export type Visitor = {
  /** Cookies by name, as the browser would send them. */
  readonly cookies: Map<string, string>
  /** A request below the base URL; cookies are sent and kept, as is the origin of our own pages. */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; raw?: string },
  ): Promise<TestAnswer>
  /** GET of an API call below the base path. */
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  /** POST of JSON to an API call below the base path. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
}

export type TestServerOptions = Pick<TollgateOptions, 'fetch' | 'resolveTxt' | 'resolveAddresses' | 'clock'> & {
  /** Default: next to nothing. Tests of passwords and of what attempts take give that of production. */
  readonly passwordCost?: PasswordCost
  /** Where the test's database is; default: what `useTestDatabases` makes, else in memory. */
  readonly databaseUrl?: string
  readonly env?: Record<string, string>
}

/** A database for one test server; disposing of it removes it. */
export type TestDatabase = AsyncDisposable & Pick<TollgateOptions, 'openDatabase'> & { readonly url: string }

let makeDatabase: (() => Promise<TestDatabase>) | undefined

/** Gives every further test server a database that `make` makes, such as one on PostgreSQL. */
export function useTestDatabases(make: () => Promise<TestDatabase>): void {
  makeDatabase = make
}

const basePath = '/api/auth'
const cheap: PasswordCost = { memoryCost: 8, timeCost: 1 }
const password = 'correct horse battery'

/**
 * A whole server with a database of its own, a clock that stands still, jobs that run when asked, and the developer
 * inbox for mails. Answers are checked against the contract.
 */
export async function createTestServer(
  config: TollgateConfig = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const logs: string[] = []
  const clock = options.clock ?? standingClock(testStart)
  const baseURL = config.baseURL ?? 'http://localhost:3000'
  const database = options.databaseUrl === undefined ? await makeDatabase?.() : undefined
  // Made by the first upload.
  const files = path.join(tmpdir(), `tollgate-files-${newId()}`)
  const tollgate = await createTollgate(config, {
    clock,
    files: createDiskStore(files),
    log: createLogger({ level: 'info', format: 'json', stream: { write: (line) => void logs.push(line) } }),
    env: {
      TOLLGATE_MODE: 'development',
      SECRET: 'a secret of tests that is long enough to be one',
      DATABASE_URL: options.databaseUrl ?? database?.url ?? 'sqlite::memory:',
      ...options.env,
    },
    passwordCost: options.passwordCost ?? cheap,
    ...(database?.openDatabase && { openDatabase: database.openDatabase }),
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.resolveTxt && { resolveTxt: options.resolveTxt }),
    ...(options.resolveAddresses && { resolveAddresses: options.resolveAddresses }),
  })
  const { ctx } = tollgate.internals
  // What a start leaves to do is done before a test counts transactions.
  await ctx.jobs.runDue()

  const visitor = (visitorOptions: VisitorOptions = {}): Visitor => createVisitor(tollgate, baseURL, visitorOptions)

  const mailsTo: TestServer['mailsTo'] = async (email) => {
    await ctx.jobs.runDue()
    const { body } = await visitor().request('GET', `/dev/inbox/messages?to=${encodeURIComponent(email)}`)
    return body
  }

  let people = 0
  const signedUp: TestServer['signedUp'] = async (name = 'Ada', visitorOptions = {}) => {
    people += 1
    const email = `${name.toLowerCase().replace(/\W/g, '')}${people}@example.com`
    const person = visitor(visitorOptions)
    const { status, text, body } = await person.post('/sign-up/email', { name, email, password })
    if (status !== 200) throw new Error(`sign-up answered ${status}: ${text}`)
    return Object.assign(person, { id: body.user.id as string, email, password })
  }

  return {
    tollgate,
    baseURL,
    clock,
    logs,
    visitor,
    mailsTo,
    signedUp,
    administrator: async (name = 'Root') => {
      const person = await signedUp(name)
      const role = firstAdminRole(ctx.config)
      await ctx.transaction((tx) => tx.updateTable('user').set({ role }).where('id', '=', person.id).execute())
      return person
    },
    linkTo: async (email) => {
      const [newest] = await mailsTo(email)
      const link = newest?.links[0]
      if (!link) throw new Error(`no mail with a link to ${email}`)
      const { pathname, search } = new URL(link)
      return pathname + search
    },
    events: (type) =>
      ctx.db.selectFrom('event').select(['actorId', 'userId', 'data']).where('type', '=', type).orderBy('id').execute(),
    [Symbol.asyncDispose]: async () => {
      await tollgate.close()
      await database?.[Symbol.asyncDispose]()
      await rm(files, { recursive: true, force: true })
    },
  }
}

/** Does something when the next transaction is about to begin: between what was found and what is decided. */
export function beforeNextTransaction(server: TestServer, act: () => Promise<unknown>): void {
  const { ctx } = server.tollgate.internals
  const { transaction } = ctx
  const once: typeof transaction = async (work) => {
    Object.assign(ctx, { transaction })
    await act()
    return transaction(work)
  }
  Object.assign(ctx, { transaction: once })
}

function createVisitor(tollgate: Tollgate, baseURL: string, options: VisitorOptions): Visitor {
  const cookies = new Map<string, string>()

  const request: Visitor['request'] = async (method, path, { body, headers = {}, raw } = {}) => {
    const hasBody = body !== undefined || raw !== undefined
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await tollgate.handler(
      new Request(new URL(path, baseURL), {
        method,
        headers: {
          ...(method !== 'GET' && { origin: new URL(baseURL).origin }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(cookie && { cookie }),
          ...options.headers,
          ...headers,
        },
        ...(hasBody && { body: raw ?? JSON.stringify(body) }),
      }),
      { remoteAddress: options.address ?? '127.0.0.1' },
    )
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line)
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) }
    checkAgainstContract(method, path, answer)
    return answer
  }
  return {
    cookies,
    request,
    get: (path, headers = {}) => request('GET', basePath + path, { headers }),
    post: (path, body, headers = {}) => request('POST', basePath + path, { body: body ?? {}, headers }),
  }
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  if (attributes.some((attribute) => attribute.trim().toLowerCase() === 'max-age=0')) cookies.delete(name)
  else cookies.set(name, pair.slice(pair.indexOf('=') + 1))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every answer that a test causes must be one that the contract describes. */
function checkAgainstContract(method: string, path: string, answer: TestAnswer): void {
  const { status, body, text } = answer
  const { pathname } = new URL(path, 'http://localhost')
  if (pathname.startsWith('/v1/')) {
    checkBillingAnswer(method, pathname, answer)
    return
  }
  const name = (Object.keys(authCalls) as (keyof typeof authCalls)[]).find(
    (each) => authCalls[each].method === method && basePath + authCalls[each].path === pathname,
  )
  if (!name || 'serverOnly' in authCalls[name]) return
  const endpoint: Endpoint = authSchemas[name]
  if (status === 200 && endpoint.output) {
    const parsed = endpoint.output.safeParse(body)
    if (!parsed.success)
      throw new Error(`${name} answered what its contract does not describe: ${parsed.error.message}\n${text}`)
  }
  if (status >= 400 && body && !isListed(endpoint.errors, status, body))
    throw new Error(`${name} answered a refusal that its contract does not list: ${status} ${text}`)
}

/** In the order in which they are served. */
const billingNames = inOrder(Object.keys(billingCalls) as (keyof typeof billingCalls)[]).map((name) => ({
  name,
  pattern: new RegExp(`^/v1${billingCalls[name].path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

function checkBillingAnswer(method: string, pathname: string, { status, body, text }: TestAnswer): void {
  const name = billingNames.find(
    (each) => billingCalls[each.name].method === method && each.pattern.test(pathname),
  )?.name
  if (!name) return
  const endpoint: Endpoint = billingSchemas[name]
  if (status < 300 && endpoint.output) {
    const parsed = endpoint.output.safeParse(fromWire(body))
    if (!parsed.success)
      throw new Error(`${name} answered what its contract does not describe: ${parsed.error.message}\n${text}`)
  }
  if (status >= 500 && status !== 503) throw new Error(`${name} failed: ${status} ${text}`)
  if (status >= 400 && (typeof body?.error !== 'string' || body.detail === undefined))
    throw new Error(`${name} answered a refusal in another shape than the contract's: ${status} ${text}`)
}

const isListed = (names: readonly ErrorName[], status: number, body: { code?: string; message?: string }): boolean =>
  [
    ...names,
    'TOO_MANY_REQUESTS' as const,
    'MALFORMED_REQUEST' as const,
    'SERVICE_UNAVAILABLE' as const,
    'INTERNAL_SERVER_ERROR' as const,
  ].some((name) => errors[name].status === status && fits(name, body))

/** Some messages name something: what stands there is read from the message itself. */
function fits(name: ErrorName, { code, message = '' }: { code?: string; message?: string }): boolean {
  const [before = '', after] = errors[name].message.split(/\{\w+\}/)
  if (after === undefined) return errors[name].message === message && errorCode(name) === code
  const value = message.slice(before.length, message.length - after.length)
  return message === before + value + after && errorCode(name, { provider: value }) === code
}
