import {
  type BillingCall,
  type BillingCallName,
  billingCalls,
  billingPath,
  fromWire,
  toWire,
} from '@tollgate/contract/billing'
import type { BillingAnswer, BillingBody, BillingParams, BillingQuery } from '@tollgate/contract/billing-types'
import { resolveBaseURL } from './base-url.ts'
import { defaultEnvironment } from './environment.ts'
import { buildRequest, type CallOptions, type Result, send } from './request.ts'

type Calls = typeof billingCalls

/**
 * The client's calls. Files are uploaded to their signed addresses directly, and calls that answer with a file are
 * links.
 */
export type BillingClientCallName = {
  [Name in BillingCallName]: Calls[Name] extends { takesFile: true } | { givesFile: true } ? never : Name
}[BillingCallName]

/** Nothing is required for a part that is missing or empty. */
type Part<Given> = [Given] extends [never] | [Record<string, never>] ? unknown : Given

/** A call's input: its path parameters, and its body or, for a GET, its query. */
export type BillingCallInput<Name extends BillingClientCallName> = Part<BillingParams<Name>> &
  Part<BillingBody<Name>> &
  Part<BillingQuery<Name>>

type Arguments<Name extends BillingClientCallName> =
  Partial<BillingCallInput<Name>> extends BillingCallInput<Name>
    ? [input?: BillingCallInput<Name>, options?: CallOptions<BillingAnswer<Name>>]
    : [input: BillingCallInput<Name>, options?: CallOptions<BillingAnswer<Name>>]

/** One method per billing call, with the same name; camelCase in and out. */
export type BillingClient = {
  readonly [Name in BillingClientCallName]: (...given: Arguments<Name>) => Promise<Result<BillingAnswer<Name>>>
}

export type BillingClientOptions = {
  /** The server's origin. Default: the page's own. */
  readonly baseURL?: string
  /** An organization access token. Without one the session cookie is sent. */
  readonly token?: string
  /** The organization that a signed-in member acts for. Default: the active organization. */
  readonly organizationId?: string
  readonly headers?: HeadersInit
  readonly fetch?: typeof fetch
  /** How often a failed GET is retried, one second apart. Default: 0. */
  readonly retry?: number
}

/** Creates a client for billing. */
export function createBillingClient(options: BillingClientOptions = {}): BillingClient {
  const base = () => resolveBaseURL(options.baseURL, billingPath, defaultEnvironment.origin())
  const fetcher: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)
  const shared = new Headers(options.headers)
  if (options.token !== undefined) shared.set('authorization', `Bearer ${options.token}`)

  async function invoke(call: BillingCall, input: object = {}, given: CallOptions = {}): Promise<Result<unknown>> {
    const { path, rest } = filled(call, input as Readonly<Record<string, unknown>>)
    const scoped = call.auth === 'seller' || call.auth === 'user'
    const organization = scoped && options.organizationId ? { organizationId: options.organizationId } : {}
    const isRead = call.method === 'GET' || call.method === 'DELETE'
    const { force, ...body } = rest
    const query = isRead ? { ...organization, ...rest } : { ...organization, ...(force === undefined ? {} : { force }) }
    const request = buildRequest(
      base(),
      path,
      { ...given, method: call.method, query: wireQuery(query), ...(isRead ? {} : { body: toWire(body) }) },
      shared,
    )
    if (call.method === 'DELETE') delete request.body
    const result = await send<unknown>(request, fetcher, given.retry ?? options.retry ?? 0, defaultEnvironment.after)
    return result.error ? result : { data: fromWire(result.data), error: null }
  }

  const methods = Object.entries<BillingCall>(billingCalls)
    .filter(([, call]) => !call.takesFile && !call.givesFile)
    .map(([name, call]) => [name, (input?: object, given?: CallOptions) => invoke(call, input, given)])
  return Object.fromEntries(methods) as BillingClient // one method per call of the table
}

/** The path with its parameters, and the remaining input. */
function filled(call: BillingCall, input: Readonly<Record<string, unknown>>) {
  const rest: Record<string, unknown> = { ...input }
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
    // The one body that repeats its path: an upload's id is its file's.
    if (call !== billingCalls.completeFile) delete rest[name]
    return encodeURIComponent(String(input[name] ?? ''))
  })
  return { path, rest }
}

/** A map becomes `metadata[key]=value`, as the server expects. */
function wireQuery(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(toWire(query) as Record<string, unknown>)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) wire[name] = value
    else for (const [key, member] of Object.entries(value)) wire[`${name}[${key}]`] = member
  }
  return wire
}
