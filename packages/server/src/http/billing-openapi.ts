import { type BillingCall, type BillingCallName, billingCalls, billingPath, snakeKey } from '@tollgate/contract/billing'
import { billingSchemas, type Endpoint } from '@tollgate/contract/billing-schemas'
import { type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import { wireCode } from './billing-errors.ts'
import type { Operation } from './openapi.ts'
import { type WireSchema, wireSchema } from './wire-schema.ts'

type Parameters = Operation['parameters']

/** The calls of the billing API by their paths, and the shapes that they refer to. */
export function describeBilling(): { paths: Record<string, Record<string, Operation>>; schemas: object } {
  const found: Record<string, WireSchema> = {}
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, call] of Object.entries(billingCalls) as [BillingCallName, BillingCall][]) {
    const path = billingPath + call.path.replace(/:(\w+)/g, (_, parameter: string) => `{${snakeKey(parameter)}}`)
    const operation = describe(name, call, billingSchemas[name], found)
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation }
  }
  return { paths, schemas: { ...refusalShapes, ...found } }
}

function describe(name: string, call: BillingCall, endpoint: Endpoint, found: Record<string, WireSchema>): Operation {
  const security = securityOf(call)
  return {
    operationId: name,
    tags: [tagOf(call.path)],
    summary: endpoint.summary,
    ...(security && { security }),
    parameters: [
      ...parameters(endpoint, 'params', found),
      ...parameters(endpoint, 'query', found),
      ...(call.method === 'POST' && call.auth !== 'none' ? [idempotencyKey] : []),
    ],
    ...requestBody(call, endpoint, found),
    responses: { ...success(call, endpoint, found), ...refusals([...endpoint.errors, 'TOO_MANY_REQUESTS']) },
  }
}

function securityOf({ auth, scope }: BillingCall): Operation['security'] {
  if (auth === 'seller') return [{ token: scope ? [scope] : [] }, { session: [] }]
  return auth === 'user' ? [{ session: [] }] : undefined
}

/** `/checkout-links/:id` is about checkout links. */
export const tagOf = (path: string): string => {
  const [, resource = ''] = path.split('/')
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1).replaceAll('-', ' ')}`
}

const idempotencyKey: Parameters[number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For a day the same request with the same key is carried out once, and answered alike.',
  schema: { type: 'string' },
}

function requestBody(call: BillingCall, { body }: Endpoint, found: Record<string, WireSchema>) {
  if (call.takesFile)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string' } } } } }
  if (!body) return {}
  return {
    requestBody: { required: true, content: { 'application/json': { schema: wireSchema(body, 'input', found) } } },
  }
}

function success(call: BillingCall, { output }: Endpoint, found: Record<string, WireSchema>): Operation['responses'] {
  const description = call.status === 201 ? 'Made.' : 'Done.'
  if (!output) return { [call.status ?? 200]: { description } }
  const schema = wireSchema(output, 'output', found)
  return { [call.status ?? 200]: { description, content: { 'application/json': { schema } } } }
}

function parameters(endpoint: Endpoint, part: 'params' | 'query', found: Record<string, WireSchema>): Parameters {
  const schema = endpoint[part]
  if (!schema) return []
  const { properties = {}, required = [] } = wireSchema(schema, 'input', found)
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: part === 'params' ? ('path' as const) : ('query' as const),
    required: part === 'params' || required.includes(name),
    ...(name === 'metadata' && { style: 'deepObject', explode: true }),
    schema: oneOrMore(value),
  }))
}

/** What may be given once or several times is a list, in the language of descriptions. */
const oneOrMore = (schema: WireSchema): WireSchema => schema.anyOf?.find(({ type }) => type === 'array') ?? schema

const refusalShapes = {
  BillingError: {
    type: 'object',
    required: ['error', 'detail'],
    properties: { error: { type: 'string' }, detail: { type: 'string' } },
  },
  BillingInvalid: {
    type: 'object',
    required: ['error', 'detail'],
    properties: {
      error: { type: 'string' },
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
        },
      },
    },
  },
} as const

/** The refusals of a call by status, each with its name and text. */
function refusals(names: readonly ErrorName[]): Operation['responses'] {
  const byStatus = Object.groupBy(new Set(names), (name) => errors[name].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, rows = []]) => {
      const shape = rows.includes('REQUEST_INVALID') ? 'BillingInvalid' : 'BillingError'
      const lines = rows.map((row) => `\`${wireCode(errorCode(row))}\`: ${errors[row].message}`)
      const schema = { $ref: `#/components/schemas/${shape}` }
      return [status, { description: lines.join('  \n'), content: { 'application/json': { schema } } }]
    }),
  )
}
