import { type AuthCallName, type authCalls, type Call, captchaHeader, type Signal } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { parseHttp, resolveBaseURL } from './base-url.ts'
import type { ClientCallName, ClientMethods, ClientOptions } from './client.ts'
import { defaultEnvironment, type Environment } from './environment.ts'
import { buildRequest, type CallOptions, type ClientError, type FetchOptions, type Result, send } from './request.ts'
import { createSignals, madeStale } from './signals.ts'
import { createStore, type Store } from './store.ts'

/** Some of the calls, or all of them. */
type CallTable = Partial<Pick<typeof authCalls, AuthCallName>>

/** A failed captcha counts as no answer: the server refuses if it needs one. */
async function answered(captcha: NonNullable<ClientOptions['captcha']>, name: ClientCallName) {
  try {
    return await captcha(name)
  } catch {
    return undefined
  }
}

/** Where the input of a call goes. */
function partsOf({ method, takesFile }: Call, input: object): Pick<FetchOptions, 'query' | 'body'> {
  if (method === 'GET') return { query: input }
  if (!takesFile) return { body: input }
  const { file, ...query } = input as { readonly file: Blob } // by the type of the method
  return { query, body: file }
}

/** A method for each call of a table, and stores that refetch when a call makes them stale. */
export function createCallMethods<Table extends CallTable>(table: Table, options: ClientOptions) {
  const { basePath = '/api/auth', baseURL } = options
  const environment: Environment = {
    ...defaultEnvironment,
    ...options.environment,
    ...(options.navigate ? { navigate: options.navigate } : {}),
  }
  if (baseURL !== undefined) resolveBaseURL(baseURL, basePath, undefined)
  const base = () => resolveBaseURL(baseURL, basePath, environment.origin())
  const calls: Readonly<Partial<Record<AuthCallName, Call>>> = table
  const signals = createSignals(environment, `tollgate:${baseURL ?? ''}${basePath}`)

  async function $fetch<Data>(path: string, given: FetchOptions<Data> = {}): Promise<Result<Data>> {
    const request = buildRequest(base(), path, given, options.headers)
    // Looked up per call and called without `this`, so that a page may replace it and browsers accept it.
    const fetcher = options.fetch ?? ((input, init) => fetch(input, init))
    const result = await send<Data>(request, fetcher, given.retry ?? options.retry ?? 0, environment.after)

    if (result.error) given.onError?.(result.error)
    else given.onSuccess?.(result.data)
    return result
  }

  async function invoke(name: ClientCallName, call: Call, input: object | undefined, given: CallOptions = {}) {
    const part = partsOf(call, input ?? {})
    const captcha = options.captcha && call.method === 'POST' ? await answered(options.captcha, name) : undefined
    const headers = new Headers(given.headers)
    if (captcha !== undefined) headers.set(captchaHeader, captcha)
    const result = await $fetch<unknown>(call.path, { ...given, headers, method: call.method, ...part })

    if (!result.error) {
      refreshAfter(call)
      follow(result.data)
    }
    return result
  }

  /** A call that only reads changes nothing for other tabs. */
  function refreshAfter(call: Call) {
    const stale = madeStale(call)
    signals.raise(stale)
    if (stale.length > 0 && (call.method === 'POST' || call.refreshes)) signals.tell(stale)
  }

  /** Only http(s): an answer must not run a `javascript:` address. */
  function follow(data: unknown) {
    const { url, redirect } = (data ?? {}) as { url?: unknown; redirect?: unknown }
    if (redirect !== true || typeof url !== 'string') return
    if (parseHttp(url, environment.origin() ?? base())) environment.navigate(url)
  }

  /** A call without input, as a store's reader. It bypasses the methods, so that reading marks nothing stale. */
  function createCallStore<Name extends keyof Table & AuthCallName>(
    signal: Signal,
    name: Name,
    initial: NonNullable<Answer<Name>> | null | undefined,
    isNothing?: (error: ClientError) => boolean,
  ): Store<NonNullable<Answer<Name>>> {
    type Data = NonNullable<Answer<Name>>
    const { store, refresh } = createStore<Data>({
      read: () => $fetch<Data | null>(calls[name]?.path ?? ''),
      environment,
      listen: signals.listen,
      initial,
      ...(isNothing ? { isNothing } : {}),
    })
    signals.on(signal, refresh)
    return store
  }

  const methods = Object.fromEntries(
    Object.entries(calls)
      .filter(([, call]) => !call.navigates && !call.serverOnly)
      .map(([name, call]) => [
        name,
        (input?: object, given?: CallOptions) => invoke(name as ClientCallName, call, input, given),
      ]),
  )
  // The table creates exactly the methods that the type derives from the same data.
  return { methods: methods as Pick<ClientMethods, keyof Table & ClientCallName>, $fetch, createCallStore }
}
