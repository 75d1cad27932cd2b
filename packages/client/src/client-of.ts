import { type BillingCall, billingPath, fromWire, toWire } from '@tollgate/contract/billing'
import { resolveBaseURL } from './base-url.ts'
import type { BillingClient, BillingClientCallName, BillingClientOptions } from './billing-client.ts'
import { defaultEnvironment } from './environment.ts'
import { buildRequest, type CallOptions, type Result, send } from './request.ts'

/** A client with a method for each call of a table that neither takes nor gives a file. */
export function clientOf<Name extends BillingClientCallName>(
  calls: { readonly [Each in Name]: BillingCall },
  options: BillingClientOptions,
): Pick<BillingClient, Name> {
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

  const methods = Object.entries<BillingCall>(calls)
    .filter(([, call]) => !call.takesFile && !call.givesFile)
    .map(([name, call]) => [name, (input?: object, given?: CallOptions) => invoke(call, input, given)])
  return Object.fromEntries(methods) as Pick<BillingClient, Name> // one method per call of the table
}

/** The path with its parameters, and the remaining input. */
function filled(call: BillingCall, input: Readonly<Record<string, unknown>>) {
  const rest: Record<string, unknown> = { ...input }
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
    if (!call.repeatsPath) delete rest[name]
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
