import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BillingCall, type BillingCallName, billingCalls } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { authCalls, type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import type { EventType } from '@tollgate/contract/events'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import { createTollgate, type Tollgate, type TollgateOptions } from './app/server.ts'
import { createDiskStore } from './features/billing/catalog/files/store.ts'
import { firstAdminRole } from './features/identity/access.ts'
import type { PasswordCost } from './features/identity/passwords.ts'
import { type Clock, standingClock } from './foundation/clock.ts'
import type { TollgateConfig } from './foundation/config/config.ts'
import { inOrder, patternOf } from './foundation/http/router.ts'
import { fromWire } from './foundation/http/wire-shape.ts'
import { newId } from './foundation/ids.ts'
import { createLogger } from './foundation/log.ts'
import type { InboxMessage } from './foundation/mail/inbox.page.ts'

/** The initial time of tests; their clock stands still until a test moves it. */
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
  /** The log, as JSON lines. */
  readonly logs: string[]
  /** A visitor with a cookie jar of its own. */
  visitor(options?: VisitorOptions): Visitor
  /** A visitor who has signed up (and is signed in). */
  signedUp(name?: string, options?: VisitorOptions): Promise<Person>
  /** The same, with the first administrator role. */
  administrator(name?: string): Promise<Person>
  /** Runs due jobs, then returns the mails to an address, newest first. */
  mailsTo(email: string): Promise<InboxMessage[]>
  /** The first link of the newest mail to an address, as a path with its query. */
  linkTo(email: string): Promise<string>
  /** The events of one type, oldest first. */
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
    options?: { body?: unknown; headers?: Record<string, string>; raw?: string | Uint8Array<ArrayBuffer> },
  ): Promise<TestAnswer>
  /** GET of an API call below the base path. */
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  /** POST of JSON to an API call below the base path. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
}

export type TestServerOptions = Pick<
  TollgateOptions,
  'fetch' | 'resolveTxt' | 'resolveAddresses' | 'clock' | 'openDatabase'
> & {
  /** Default: minimal. Tests of passwords and of timing pass the cost of production. */
  readonly passwordCost?: PasswordCost
  /** The test's database; default: the one of `useTestDatabases`, else in memory. */
  readonly databaseUrl?: string
  readonly env?: Record<string, string>
}

/** A database for one test server; disposing of it removes it. */
export type TestDatabase = AsyncDisposable & Pick<TollgateOptions, 'openDatabase'> & { readonly url: string }

let makeDatabase: (() => Promise<TestDatabase>) | undefined

/** Gives every further test server a database from `make`, such as one on PostgreSQL. */
export function useTestDatabases(make: () => Promise<TestDatabase>): void {
  makeDatabase = make
}

const basePath = '/api/auth'
const cheap: PasswordCost = { memoryCost: 8, timeCost: 1 }
const password = 'correct horse battery'

/**
 * A complete server with its own database, a clock that stands still, jobs that run on request, and the developer
 * inbox for mails. Checks every answer against the contract.
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
    ...(options.openDatabase && { openDatabase: options.openDatabase }),
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.resolveTxt && { resolveTxt: options.resolveTxt }),
    ...(options.resolveAddresses && { resolveAddresses: options.resolveAddresses }),
  })
  const { ctx } = tollgate.internals
  // The start's pending work is done before a test counts transactions.
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

/**
 * Runs `act` before the next transaction begins: between a check and its write. Pending jobs run first, because theirs
 * could be the next transaction.
 */
export async function beforeNextTransaction(server: TestServer, act: () => Promise<unknown>): Promise<void> {
  const { ctx } = server.tollgate.internals
  await ctx.settled()
  await ctx.jobs.runDue()
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

/** Every answer in a test must match the contract. */
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

/** In serving order. */
const billingPatterns = inOrder(Object.entries<BillingCall>(billingCalls)).map(([name, call]) => ({
  name: name as BillingCallName,
  method: call.method,
  pattern: patternOf(`/v1${call.path}`, true),
}))

function checkBillingAnswer(method: string, pathname: string, { status, body, text }: TestAnswer): void {
  const name = billingPatterns.find((each) => each.method === method && each.pattern.test(pathname))?.name
  if (!name) return
  const endpoint: Endpoint = billingSchemas[name]
  if (status < 300 && endpoint.output) {
    const parsed = endpoint.output.safeParse(fromWire(body, endpoint.output))
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
    // Any POST may name a target in its query.
    'INVALID_CALLBACK_URL' as const,
    'INVALID_REDIRECT_URL' as const,
    'INVALID_ERROR_CALLBACK_URL' as const,
    'INVALID_NEW_USER_CALLBACK_URL' as const,
  ].some((name) => errors[name].status === status && fits(name, body))

/** Some messages contain values, which are read back from the message itself. */
function fits(name: ErrorName, { code, message = '' }: { code?: string; message?: string }): boolean {
  const [before = '', after] = errors[name].message.split(/\{\w+\}/)
  if (after === undefined) return errors[name].message === message && errorCode(name) === code
  const value = message.slice(before.length, message.length - after.length)
  return message === before + value + after && errorCode(name, { provider: value }) === code
}
