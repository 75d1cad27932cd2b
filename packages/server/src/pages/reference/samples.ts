import { type BillingCallName, billingCalls, fromWire } from '@tollgate/contract/billing'
import { type AnyCall, authCalls, type Signal } from '@tollgate/contract/calls'
import { escapeHtml } from '../../foundation/html.ts'
import type { Operation } from '../../foundation/http/openapi.ts'
import { polarMethods } from './polar-methods.ts'
import type { Reference, ReferenceCall } from './reference.ts'
import { sampleInputs, sampleOf } from './sample-values.ts'

/** The same request in one language, as HTML. The reader's token takes the place of the marked one. */
export type Sample = { readonly id: 'curl' | 'client' | 'polar'; readonly name: string; readonly html: string }

/** Where the access token stands in a sample before it is HTML. */
const tokenMark = '$TOLLGATE_TOKEN'
/** The same for a customer’s own calls. No token that the reader enters takes its place: it would be one of a seller. */
const customerTokenMark = '$CUSTOMER_SESSION_TOKEN'

/** What stands there until the reader has entered a token: the token of the environment. */
const tokenOfEnvironment = { shell: '$TOLLGATE_TOKEN', js: 'process.env.TOLLGATE_TOKEN' } as const

/** Calls that work without a session, and say something else with one. */
const readsSession: readonly string[] = ['getSession', 'signOut', 'getAccessToken', 'refreshToken']

type Row = AnyCall & { readonly refreshes?: readonly Signal[] }
const rows: Readonly<Record<string, Row>> = { ...authCalls, ...billingCalls }

/** A call with sample values. */
type Filled = {
  readonly call: ReferenceCall
  readonly origin: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A call with sample values for what it requires. */
export function valuesOf({ origin, shapes }: Reference, call: ReferenceCall): Filled {
  const { id, path, isBilling } = call
  const { parameters, requestBody } = call.operation
  // What stands before the first parameter: `orders` in `/v1/orders/{id}/invoice`.
  const resource = /([\w-]+)\/\{/.exec(path)?.[1]?.replaceAll('-', '_') ?? id
  const given = Object.hasOwn(sampleInputs, call.id) ? sampleInputs[call.id] : undefined
  const values = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, schema }) => [
          name,
          sampleOf(schema, shapes, { io: 'input', name, owner: place === 'path' ? resource : id, isBilling }),
        ]),
    )
  const schema = requestBody?.content['application/json']?.schema
  return {
    call,
    origin,
    params: given?.params ?? values('path'),
    query: given?.query ?? values('query'),
    body: given?.body ?? (schema && sampleOf(schema, shapes, { io: 'input', owner: id, isBilling })),
  }
}

/** The request of a call in every language that can make it. */
export function samplesOf(reference: Reference, call: ReferenceCall): readonly Sample[] {
  const filled = valuesOf(reference, call)
  const polar = polarSample(filled)
  const client = clientSample(filled)
  return [
    { id: 'curl', name: 'curl', html: curlSample(filled) },
    ...(client ? [{ id: 'client' as const, name: 'JavaScript', html: client }] : []),
    ...(polar ? [{ id: 'polar' as const, name: 'Polar SDK', html: polar }] : []),
  ]
}

/** The answer of a successful call with sample values; undefined for an answer without a body. */
export function answerOf({ shapes }: Reference, { id, isBilling, operation }: ReferenceCall): unknown {
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = answer?.content?.['application/json']?.schema
  return schema && sampleOf(schema, shapes, { io: 'output', owner: id, isBilling })
}

/** What the token of a call is written as; undefined where it takes none. */
function tokenMarkOf({ operation: { security = [] } }: ReferenceCall): string | undefined {
  if (isOfCustomer(security)) return customerTokenMark
  return security.some(({ token }) => token) ? tokenMark : undefined
}

/** Whether a call takes the token of a customer’s portal session, and nothing else. */
export const isOfCustomer = (security: Operation['security'] = []): boolean =>
  security.some(({ customerSession }) => customerSession)

const takesSession = ({ operation }: ReferenceCall) => operation.security !== undefined

function curlSample({ call, origin, params, query, body }: Filled): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const { takesFile, refreshes } = rows[call.id] ?? {}
  const isSessionOf = takesSession(call) || readsSession.includes(call.id)
  const token = tokenMarkOf(call)
  const credentials = token
    ? [`-H "Authorization: Bearer ${token}"`]
    : // The session goes from call to call in a file.
      [isSessionOf && '-b cookies.txt', refreshes?.includes('session') && '-c cookies.txt']
  const lines = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} '${origin}${path}${search.size > 0 ? `?${search}` : ''}'`,
    ...credentials,
    // Auth calls that change something are refused without an origin.
    call.method !== 'GET' && !token && `-H 'Origin: ${origin}'`,
    body !== undefined && `-H 'Content-Type: application/json'`,
    takesFile && `-H 'Content-Type: ${call.isBilling ? 'application/octet-stream' : 'image/png'}'`,
    takesFile && `--data-binary @${call.isBilling ? 'handbook.pdf' : 'picture.png'}`,
    body !== undefined && `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].filter(Boolean)
  return withToken(lines.join(' \\\n  '), 'shell')
}

/** Undefined for pages, redirects and the files of billing, which are no calls of the client. */
function clientSample({ call, origin, params, query, body }: Filled): string | undefined {
  const { navigates, takesFile, givesFile, takesForm } = rows[call.id] ?? {}
  if (navigates || takesForm || (call.isBilling && (takesFile || givesFile))) return undefined
  const maker = call.isBilling ? 'createBillingClient' : 'createTollgateClient'
  const name = call.isBilling ? 'billing' : 'tollgate'
  const token = tokenMarkOf(call)
  const options = { baseURL: origin, ...(token && { token }) }
  const input = { ...params, ...query, ...(isObject(body) ? body : {}) }
  const given = call.isBilling ? fromWire(input) : input
  // What a field of a page has: no file can be written as text.
  const text = takesFile ? `{ file }` : Object.keys(input).length > 0 ? literal(given) : ''
  return withToken(
    [
      `import { ${maker} } from '@tollgate/client'`,
      '',
      `const ${name} = ${maker}(${literal(options)})`,
      '',
      ...(takesFile ? [`const file = document.querySelector('input[type=file]').files[0]`] : []),
      `const { data, error } = await ${name}.${call.id}(${text})`,
    ].join('\n'),
    'js',
  )
}

function polarSample({ call, origin, params, query, body }: Filled): string | undefined {
  const [method, bodyMember] = polarMethods[call.id as BillingCallName] ?? [] // undefined for every other name
  if (!method) return undefined
  const sent = asObject(fromWire(body))
  const input = { ...asObject(fromWire({ ...params, ...query })), ...(bodyMember ? { [bodyMember]: sent } : sent) }
  // The SDK's lists and exports take an object even where nothing is required.
  const isNeeded = Object.keys(input).length > 0 || /\.(?:list|export)$/.test(method)
  return withToken(
    [
      `import { Polar } from '@polar-sh/sdk'`,
      '',
      `const polar = new Polar(${literal({ serverURL: origin, accessToken: tokenMark })})`,
      '',
      `const result = await polar.${method}(${isNeeded ? literal(input) : ''})`,
    ].join('\n'),
    'js',
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

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

/** The token is text between quotes in JavaScript, and the environment's variable is not. */
function withToken(text: string, language: keyof typeof tokenOfEnvironment): string {
  const unset = tokenOfEnvironment[language]
  const written = language === 'js' ? `'${tokenMark}'` : tokenMark
  return escapeHtml(text)
    .replaceAll(escapeHtml(`'${customerTokenMark}'`), 'process.env.CUSTOMER_SESSION_TOKEN')
    .replaceAll(escapeHtml(written), `<span data-token="${language}">${unset}</span>`)
}
