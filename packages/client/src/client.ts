import { type AuthCallName, authCalls, type Call, captchaHeader } from '@tollgate/contract/calls'
import type { Answer, Body, ParsedQuery, Query, SessionAnswer } from '@tollgate/contract/types'
import { parseHttp, resolveBaseURL } from './base-url.ts'
import { defaultEnvironment, type Environment } from './environment.ts'
import { buildRequest, type CallOptions, type FetchOptions, type Result, send } from './request.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

type Calls = typeof authCalls

/** The calls that the client makes: not those that lead to a page, nor those that only the server's own code may make. */
export type ClientCallName = {
  [Name in AuthCallName]: Calls[Name] extends { navigates: true } | { serverOnly: true } ? never : Name
}[AuthCallName]

/** A flag travels as text in a query; callers give a boolean. */
type QueryInput<Name extends AuthCallName> = {
  [Key in keyof Query<Name>]:
    | Query<Name>[Key]
    | (Key extends keyof ParsedQuery<Name> ? (boolean extends ParsedQuery<Name>[Key] ? boolean : never) : never)
}

/** What a call is given: its body, or for a GET its query. */
export type Input<Name extends ClientCallName> = Calls[Name]['method'] extends 'GET'
  ? [Query<Name>] extends [never]
    ? never
    : QueryInput<Name>
  : Body<Name>

type Arguments<Name extends ClientCallName> = [Input<Name>] extends [never]
  ? [input?: undefined, options?: CallOptions<Answer<Name>>]
  : Partial<Input<Name>> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions<Answer<Name>>]
    : [input: Input<Name>, options?: CallOptions<Answer<Name>>]

/** One method for each call of the API, by the same name. */
export type ClientMethods = {
  [Name in ClientCallName]: (...args: Arguments<Name>) => Promise<Result<Answer<Name>>>
}

/** The typed client: a method for each call, the session as a store, and `$fetch` for everything else. */
export type TollgateClient = ClientMethods & {
  readonly session: SessionStore
  /** Any path below the base path, with the client's headers, credentials and errors. */
  $fetch<Data = unknown>(path: string, options?: FetchOptions<Data>): Promise<Result<Data>>
}

export type ClientOptions = {
  /** Where the server is; the page's own origin by default. With a path, it is taken as the whole address. */
  baseURL?: string
  /** Where the calls are below it. */
  basePath?: string
  fetch?: typeof fetch
  /** Sent with every call. */
  headers?: HeadersInit
  /** The answer to a captcha, asked for before each call that changes something; nothing where it needs none. */
  captcha?: (call: ClientCallName) => string | undefined | Promise<string | undefined>
  /** How often a failed GET is tried again, one second apart; not at all by default. */
  retry?: number
  /** The session as the server read it, so that the first screen needs no call. Null means signed out. */
  initialSession?: SessionAnswer
  /** Leaves the page when an answer asks for it; a router can take its place. */
  navigate?: (url: string) => void
  /** Timers, other tabs and focus, for tests and unusual hosts. */
  environment?: Partial<Environment>
}

/** A captcha that fails counts as one without an answer: the server says so where it wants one. */
async function answered(captcha: NonNullable<ClientOptions['captcha']>, name: ClientCallName) {
  try {
    return await captcha(name)
  } catch {
    return undefined
  }
}

/** Makes a client. An invalid `baseURL` is refused here; a missing one only when a call needs it. */
export function createTollgateClient(options: ClientOptions = {}): TollgateClient {
  const { basePath = '/api/auth', baseURL } = options
  const environment: Environment = {
    ...defaultEnvironment,
    ...options.environment,
    ...(options.navigate ? { navigate: options.navigate } : {}),
  }
  if (baseURL !== undefined) resolveBaseURL(baseURL, basePath, undefined)
  const base = () => resolveBaseURL(baseURL, basePath, environment.origin())

  async function $fetch<Data>(path: string, given: FetchOptions<Data> = {}): Promise<Result<Data>> {
    const request = buildRequest(base(), path, given, options.headers)
    // Looked up for each call and called bare, so that a page may replace it and browsers accept it.
    const fetcher = options.fetch ?? ((input, init) => fetch(input, init))
    const result = await send<Data>(request, fetcher, given.retry ?? options.retry ?? 0, environment.after)

    if (result.error) given.onError?.(result.error)
    else given.onSuccess?.(result.data)
    return result
  }

  const { store, changed } = createSessionStore({
    read: () => $fetch<SessionAnswer>(authCalls.getSession.path),
    environment,
    channelName: `tollgate:${baseURL ?? ''}${basePath}`,
    ...(options.initialSession === undefined ? {} : { initial: options.initialSession }),
  })

  async function invoke(name: ClientCallName, input: object | undefined, given: CallOptions = {}) {
    const call: Call = authCalls[name]
    const part = call.method === 'GET' ? { query: input ?? {} } : { body: input ?? {} }
    const captcha = options.captcha && call.method === 'POST' ? await answered(options.captcha, name) : undefined
    const headers = new Headers(given.headers)
    if (captcha !== undefined) headers.set(captchaHeader, captcha)
    const result = await $fetch<unknown>(call.path, { ...given, headers, method: call.method, ...part })

    if (!result.error && call.refreshes?.includes('session')) changed()
    if (!result.error) follow(result.data)
    return result
  }

  /** Only ever to http(s): an answer must not be able to run a `javascript:` address. */
  function follow(data: unknown) {
    const { url, redirect } = (data ?? {}) as { url?: unknown; redirect?: unknown }
    if (redirect !== true || typeof url !== 'string') return
    if (parseHttp(url, environment.origin() ?? base())) environment.navigate(url)
  }

  const methods = Object.fromEntries(
    Object.entries<Call>(authCalls)
      .filter(([, call]) => !call.navigates && !call.serverOnly)
      .map(([name]) => [name, (input?: object, given?: CallOptions) => invoke(name as ClientCallName, input, given)]),
  )
  // The table above makes exactly the methods that the type derives from the same data.
  return Object.assign(methods as ClientMethods, { session: store, $fetch })
}
