import { type BillingCallName, fromWire } from '@tollgate/contract/billing'
import { escapeHtml } from '../../foundation/html.ts'
import { polarMethods } from './polar-methods.ts'
import type { Reference, ReferenceCall } from './reference.ts'
import { sampleOf } from './schema.ts'

/** The same request in one language, as HTML. The reader's token takes the place of the marked one. */
export type Sample = { readonly id: 'curl' | 'client' | 'polar'; readonly name: string; readonly html: string }

/** What stands for the access token until the reader has entered one. */
const tokenMark = '$TOLLGATE_TOKEN'

/** A call with sample values. */
type Filled = {
  readonly call: ReferenceCall
  readonly origin: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The request of a call in every language that can make it. */
export function samplesOf({ origin, shapes }: Reference, call: ReferenceCall): readonly Sample[] {
  const { parameters, requestBody } = call.operation
  const values = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, schema }) => [name, sampleOf(schema, shapes, 'input', name)]),
    )
  const schema = requestBody?.content['application/json']?.schema
  const filled: Filled = {
    call,
    origin,
    params: values('path'),
    query: values('query'),
    body: schema && sampleOf(schema, shapes, 'input'),
  }
  const polar = polarSample(filled)
  return [
    { id: 'curl', name: 'curl', html: curlSample(filled) },
    { id: 'client', name: 'JavaScript', html: clientSample(filled) },
    ...(polar ? [{ id: 'polar' as const, name: 'Polar SDK', html: polar }] : []),
  ]
}

/** The answer of a successful call, as sample JSON; undefined for an answer without a body. */
export function answerSample({ shapes }: Reference, { operation }: ReferenceCall): string | undefined {
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = answer?.content?.['application/json']?.schema
  return schema && escapeHtml(JSON.stringify(sampleOf(schema, shapes, 'output'), null, 2))
}

const takesToken = ({ operation }: ReferenceCall) => operation.security?.some(({ token }) => token) ?? false
const takesSession = ({ operation }: ReferenceCall) => operation.security !== undefined

function curlSample({ call, origin, params, query, body }: Filled): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const credentials = takesToken(call)
    ? `-H "Authorization: Bearer ${tokenMark}"`
    : takesSession(call) && '-b cookies.txt'
  const lines = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} '${origin}${path}${search.size > 0 ? `?${search}` : ''}'`,
    credentials,
    // Auth calls that change something are refused without an origin.
    call.method !== 'GET' && !takesToken(call) && `-H 'Origin: ${origin}'`,
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].filter(Boolean)
  return withToken(lines.join(' \\\n  '))
}

function clientSample({ call, origin, params, query, body }: Filled): string {
  const maker = call.isBilling ? 'createBillingClient' : 'createTollgateClient'
  const name = call.isBilling ? 'billing' : 'tollgate'
  const options = { baseURL: origin, ...(takesToken(call) && { token: tokenMark }) }
  const input = { ...params, ...query, ...(isObject(body) ? body : {}) }
  const given = call.isBilling ? fromWire(input) : input
  return withToken(
    [
      `import { ${maker} } from '@tollgate/client'`,
      '',
      `const ${name} = ${maker}(${literal(options)})`,
      '',
      `const { data, error } = await ${name}.${call.id}(${Object.keys(input).length > 0 ? literal(given) : ''})`,
    ].join('\n'),
  )
}

function polarSample({ call, origin, params, query, body }: Filled): string | undefined {
  const [method, bodyMember] = polarMethods[call.id as BillingCallName] ?? [] // undefined for every other name
  if (!method) return undefined
  const sent = isObject(body) ? (bodyMember ? { [bodyMember]: body } : body) : {}
  const input = { ...params, ...query, ...sent }
  return withToken(
    [
      `import { Polar } from '@polar-sh/sdk'`,
      '',
      `const polar = new Polar(${literal({ serverURL: origin, accessToken: tokenMark })})`,
      '',
      `const result = await polar.${method}(${Object.keys(input).length > 0 || method.endsWith('.list') ? literal(fromWire(input)) : ''})`,
    ].join('\n'),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as JavaScript is written: names without quotes, texts in single ones. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(member, inner)}`,
  )
  if (members.length === 0) return '{}'
  const short = `{ ${members.join(', ')} }`
  return short.length < 60 && !short.includes('\n')
    ? short
    : `{\n${members.map((member) => `${inner}${member},`).join('\n')}\n${indent}}`
}

const withToken = (text: string): string =>
  escapeHtml(text).replaceAll(tokenMark, `<span data-token>${tokenMark}</span>`)
