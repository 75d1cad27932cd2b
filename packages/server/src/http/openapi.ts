import { type AuthCallName, authCalls, type Call, type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { isBillingServed } from './billing-dispatch.ts'
import { describeBilling } from './billing-openapi.ts'
import { cookieNames } from './cookies.ts'
import { isUnlimited } from './dispatch.ts'
import type { WireSchema as JsonSchema } from './wire-schema.ts'

/** What goes over the wire: JSON, or the bytes of a file. */
type Content = { readonly [type in 'application/json' | 'application/octet-stream']?: { readonly schema: JsonSchema } }
type Responses = Readonly<Record<string, { readonly description: string; readonly content?: Content }>>

/** One call in the description. */
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** Any one of them will do. */
  readonly security?: readonly { readonly session?: readonly string[]; readonly token?: readonly string[] }[]
  readonly parameters: readonly {
    name: string
    in: 'path' | 'query' | 'header'
    required: boolean
    description?: string
    schema: JsonSchema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Responses
}

/** The API's description (OpenAPI 3.1), derived from the contract: paths, shapes, and every refusal with its text. */
export function openApi(config: Config) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, call] of Object.entries(authCalls) as [AuthCallName, Call][]) {
    if (call.serverOnly) continue
    const path = `${config.basePath}${call.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call, authSchemas[name]) }
  }
  const billing = isBillingServed(config) ? describeBilling() : undefined
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.appName} API`,
      version: '1',
      description: billing
        ? 'Accounts, sessions, organizations, and what they sell.'
        : 'Accounts, sessions and everything around them.',
    },
    servers: [{ url: config.baseURL.origin }],
    paths: { ...paths, ...billing?.paths },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieNames(config).sessionToken },
        ...(billing && { token: { type: 'http', scheme: 'bearer', description: 'An organization access token.' } }),
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'string' }, message: { type: 'string' } },
        },
        ...billing?.schemas,
      },
    },
  }
}

function operation(name: AuthCallName, call: Call, endpoint: Endpoint): Operation {
  return {
    operationId: name,
    tags: [tagOf(call.path)],
    summary: endpoint.summary,
    ...(call.auth === 'session' && { security: [{ session: [] }] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } } },
    }),
    responses: {
      ...success(call, endpoint),
      ...refusals(isUnlimited(name) ? endpoint.errors : [...endpoint.errors, 'TOO_MANY_REQUESTS']),
    },
  }
}

const tagOf = (path: string): string =>
  path.startsWith('/organization')
    ? 'Organizations and members'
    : path.startsWith('/admin')
      ? 'Administration'
      : 'Accounts'

function success(call: Call, endpoint: Endpoint): Responses {
  if (call.path === '/error') return { 200: { description: 'A page.' } }
  if (call.takesForm) return { 303: { description: 'Sent on to GET.' } }
  const { output } = endpoint
  const done = output && {
    200: { description: 'Done.', content: { 'application/json': { schema: jsonSchema(output, 'output') } } },
  }
  return { ...done, ...(mayRedirect(call, endpoint) && { 302: { description: 'Sent on to the callback URL.' } }) }
}

/** Links that people follow: without an answer of their own, or wherever they are given a callbackURL. */
const mayRedirect = ({ method }: Call, { output, query }: Endpoint): boolean =>
  !output || (method === 'GET' && parameters(query, 'query').some(({ name }) => name === 'callbackURL'))

/** The refusals of a call by status, each with its codes and texts. */
function refusals(names: readonly ErrorName[]): Responses {
  const byStatus = Object.groupBy(new Set(names), (name) => errors[name].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, rows = []]) => [
      status,
      {
        description: rows.map((row) => `\`${errorCode(row)}\`: ${errors[row].message}`).join('  \n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Operation['parameters'] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema // an object of JSON Schema 2020-12, as zod promises
}
