import {
  type BillingCall,
  type BillingCallName,
  billingCalls,
  billingPath,
  camelKey,
  toWire,
} from '@tollgate/contract/billing'
import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { apiHeaders, jsonAnswer } from './answer.ts'
import { billingRoutes, dispatchBilling } from './billing-dispatch.ts'
import { Download } from './billing-route.ts'
import { readJson } from './body.ts'
import type { RequestEnv } from './request.ts'

/** The billing API below `/v1`, with and without the trailing slash of collections: never by a redirect. */
export function billingApi(ctx: Context): Hono<RequestEnv> {
  const api = new Hono<RequestEnv>()
  for (const name of inOrder(Object.keys(billingRoutes) as BillingCallName[])) {
    const call: BillingCall = billingCalls[name]
    api.on(call.method, [call.path, `${call.path}/`], async (c) => {
      const request = c.req.raw
      const { origins, remoteAddress } = c.env
      const hasBody = call.method !== 'GET' && call.method !== 'DELETE' && !call.takesFile
      const { status, answer, headers } = await dispatchBilling(
        ctx,
        name,
        {
          readBody: hasBody ? () => readJson(request) : undefined,
          file: call.takesFile ? request.body : null,
          query: queryOf(request.url),
          params: c.req.param(),
          headers: request.headers,
          remoteAddress,
        },
        origins,
      )
      const given: unknown = answer
      if (given instanceof Download) return fileAnswer(given)
      return status === 204
        ? new Response(null, { status, headers: { ...apiHeaders, ...headers } })
        : jsonAnswer(toWire(answer ?? {}), status, { ...headers })
    })
  }
  api.all('*', () => {
    throw new TollgateError('RESOURCE_NOT_FOUND')
  })
  return api
}

const fileAnswer = ({ type, name, body }: Download): Response =>
  new Response(body, {
    headers: {
      ...apiHeaders,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': "default-src 'none'",
    },
  })

/**
 * Calls in the order in which they are looked for: at the first place where two paths differ, the one with a fixed word
 * there before the one with a parameter. So `/customers/external/state` is whoever the seller calls `state`.
 */
export const inOrder = (names: readonly BillingCallName[]): BillingCallName[] =>
  [...names].sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
const orderKey = (name: BillingCallName): string => billingCalls[name].path.replace(/:\w+/g, '~')

export const isBillingPath = (path: string): boolean => path.startsWith(`${billingPath}/`)

/** Names that are given several times are lists; `metadata[key]=value` is a map of them. */
function queryOf(address: string): Record<string, unknown> {
  const query: Record<string, string | string[]> = Object.create(null)
  const maps: Record<string, Record<string, string[]>> = Object.create(null)
  for (const [name, value] of new URL(address).searchParams) {
    // Keys are whatever their owner has chosen, brackets too; a name that is no key (`metadata[]`) is refused as an empty one.
    const [, map, key] = /^([a-z_]+)\[(.*?)\]?$/s.exec(name) ?? []
    if (map !== undefined && key !== undefined) {
      maps[camelKey(map)] ??= Object.create(null)
      const values = maps[camelKey(map)]!
      values[key] = [...(values[key] ?? []), value]
    } else if (!/[A-Z]/.test(name)) {
      const ours = camelKey(name)
      const before = query[ours]
      query[ours] = before === undefined ? value : [before, value].flat()
    }
  }
  return { ...query, ...maps }
}
