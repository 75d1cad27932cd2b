import { type AnyCall, type ErrorName, errorCode, errors } from '@tollgate/contract/calls'
import type { Endpoint } from '@tollgate/contract/schemas'
import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { AnyApi } from './api.ts'
import { createDescriber, type Describe, type JsonSchema } from './described-schema.ts'

/** The content on the wire: JSON, or the bytes of a file. */
type Content = { readonly [type in 'application/json' | 'application/octet-stream']?: { readonly schema: JsonSchema } }
type Responses = Readonly<Record<string, { readonly description: string; readonly content?: Content }>>

/** One call in the description. */
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** Any one of them suffices. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
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

/** The parts of an API's description that its rows and schemas lack. */
export type ApiDescription<Row extends AnyCall> = {
  /** One sentence. */
  readonly about: string
  /** Shapes that many answers contain, by their public names. */
  readonly shapes: Readonly<Record<string, z.ZodType>>
  /** The group that lists the call. */
  tag(call: Row): string
  /** The credentials that a call accepts; undefined for a public call. */
  security(call: Row): Operation['security']
  securitySchemes(config: Config): Readonly<Record<string, object>>
  /** The shapes of refusals, and the choice of one for these names. */
  readonly refusalShapes: Readonly<Record<string, object>>
  refusalShape(names: readonly ErrorName[]): string
  /** The code of a refusal in wire format. */
  refusalCode(code: string): string
}

/** Describes APIs (OpenAPI 3.1), derived from the contract: paths, shapes, and every refusal with its text. */
export function openApi(config: Config, apis: readonly AnyApi[]) {
  const paths: Record<string, Record<string, Operation>> = {}
  const found: Record<string, JsonSchema> = {}
  const served = apis.filter((api) => callsOf(config, api).length > 0)
  for (const api of served) {
    const describe = createDescriber(api.spelling, api.description.shapes, found)
    for (const [name, call] of callsOf(config, api)) {
      const inBraces = call.path.replace(/:(\w+)/g, (_, parameter: string) => `{${api.spelling.key(parameter)}}`)
      const path = api.basePath(config) + inBraces
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(api, name, call, describe) }
    }
  }
  const descriptions = served.map((api) => api.description)
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.appName} API`,
      version: '1',
      description: descriptions.map(({ about }) => about).join(' '),
    },
    servers: [{ url: config.baseURL.origin }],
    paths,
    components: {
      securitySchemes: Object.assign({}, ...descriptions.map((each) => each.securitySchemes(config))),
      schemas: Object.assign({}, ...descriptions.map(({ refusalShapes }) => refusalShapes), found),
    },
  }
}

/** Calls that a request can reach, in the order of their groups. */
const callsOf = (config: Config, { calls, isServed, description: { tag } }: AnyApi): [string, AnyCall][] =>
  Object.entries<AnyCall>(calls)
    .filter(([, call]) => !call.serverOnly && isServed(config, call))
    .toSorted(([, a], [, b]) => tag(a).localeCompare(tag(b)))

function operation({ description, schemas }: AnyApi, name: string, call: AnyCall, describe: Describe): Operation {
  const endpoint: Endpoint = schemas[name]
  const security = description.security(call)
  return {
    operationId: name,
    tags: [description.tag(call)],
    summary: endpoint.summary,
    ...(security && { security }),
    parameters: [
      ...parameters(endpoint.params, 'path', describe),
      ...parameters(endpoint.query, 'query', describe),
      ...(call.onceByKey ? [idempotencyKey] : []),
    ],
    ...requestBody(call, endpoint, describe),
    responses: {
      ...success(call, endpoint, describe),
      ...refusals(description, call.limit === 'none' ? endpoint.errors : [...endpoint.errors, 'TOO_MANY_REQUESTS']),
    },
  }
}

const idempotencyKey: Operation['parameters'][number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For a day, a repeated request with the same key runs once and gets the same response.',
  schema: { type: 'string' },
}

function requestBody(call: AnyCall, { body }: Endpoint, describe: Describe): Pick<Operation, 'requestBody'> {
  if (call.takesFile)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string' } } } } }
  if (!body) return {}
  return { requestBody: { required: true, content: { 'application/json': { schema: describe(body, 'input') } } } }
}

const statusTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No content' } as const

function success(call: AnyCall, endpoint: Endpoint, describe: Describe): Responses {
  if (call.page) return { 200: { description: 'A page.' } }
  if (call.takesForm) return { 303: { description: 'Redirects to GET.' } }
  const { status = 200, navigates } = call
  const { output } = endpoint
  const description = statusTexts[status]
  const content: Content | undefined = output && { 'application/json': { schema: describe(output, 'output') } }
  return {
    ...((output || !navigates) && { [status]: { description, ...(content && { content }) } }),
    ...(mayRedirect(call, endpoint, describe) && { 302: { description: 'Redirects to the callback URL.' } }),
  }
}

/** Links that people follow: those without an answer, or any with a callbackURL. */
const mayRedirect = ({ method, navigates }: AnyCall, { query }: Endpoint, describe: Describe): boolean =>
  navigates || (method === 'GET' && parameters(query, 'query', describe).some(({ name }) => name === 'callbackURL'))

/** The refusals of a call by status, each with its codes and texts. */
function refusals(described: AnyApi['description'], names: readonly ErrorName[]): Responses {
  const byStatus = Object.groupBy(new Set(names), (name) => errors[name].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, rows = []]) => {
      const lines = rows.map((row) => `\`${described.refusalCode(errorCode(row))}\`: ${errors[row].message}`)
      const schema = { $ref: `#/components/schemas/${described.refusalShape(rows)}` }
      return [status, { description: lines.join('  \n'), content: { 'application/json': { schema } } }]
    }),
  )
}

function parameters(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  describe: Describe,
): Operation['parameters'] {
  if (!schema) return []
  const { properties = {}, required = [] } = describe(schema, 'input')
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(isMap(value) && { style: 'deepObject', explode: true }),
    schema: oneOrMore(value),
  }))
}

const isMap = ({ type, properties }: JsonSchema): boolean => type === 'object' && properties === undefined

/** A parameter that may occur once or several times is described as a list. */
export const oneOrMore = <Schema extends Pick<JsonSchema, 'type'> & { readonly anyOf?: readonly Schema[] | undefined }>(
  schema: Schema,
): Schema => schema.anyOf?.find(({ type }) => type === 'array') ?? schema
