import { type BillingCall, type BillingCallName, billingCalls } from '@tollgate/contract/billing'
import { billingSchemas, type Endpoint } from '@tollgate/contract/billing-schemas'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { createDescriber, type JsonSchema } from '../../foundation/http/described-schema.ts'
import { snakeCase } from '../../foundation/http/spelling.ts'
import { createTestServer } from '../../testing.ts'
import { billingShapes } from './billing-description.ts'
import { violationsOfBooks } from './books/books.service.ts'
import { createTestMerchant } from './testing/merchant.ts'

const isSoak = process.env.SOAK === '1'
/** Number of inputs: enough to find common faults in every run; `SOAK=1` searches for rare ones. */
const runs = (usual: number): number => (isSoak ? 1_000_000 : usual)
const timeout = isSoak ? 24 * 3_600_000 : 600_000

/** Values that often break servers, by type, size, encoding or meaning to a reader. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    [[]],
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    '%00',
    "' or 1=1 --",
    '__proto__',
    'constructor',
    '-1',
    '1e400',
    '99999999999999999999',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00+23:59',
    'javascript:alert(1)',
    'x'.repeat(3000),
    '😀'.repeat(100),
    0,
    -0,
    -1,
    0.5,
    1e21,
    1e308,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    Number.MIN_VALUE,
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
)
const plausibleText = fc.constantFrom(
  'Ada Lovelace',
  'notes',
  'spring',
  'x',
  'A longer text, of a few words',
  'a@example.com',
)

/** Valid values for members with a special format, by name. */
const particular: readonly (readonly [RegExp, readonly string[]])[] = [
  [/email/, ['buyer@example.com', 'BUYER@example.com', 'buyer+tag@example.com', 'eve@example.com']],
  [/url|website|origin/, ['https://example.com/thanks?id={CHECKOUT_ID}', 'http://localhost:4000', '']],
  [/slug/, ['notes', 'size', 'shop-2', 'Notes']],
  [/code$/, ['SPRING', 'spring', 'HALF50']],
  [/confirmation_token/, ['ctoken_sandbox_success', 'ctoken_sandbox_decline', 'ctoken_sandbox_requires_action']],
  [/^number$/, ['4242424242424242', '4000 0025 0000 3155']],
  [/^expiry$/, ['12/30', '01 / 2031']],
  [/^cvc$/, ['123']],
  [/unit_amount/, ['0.015', '12', '1e3']],
  [/expires_in/, ['P30D', 'PT1H', '3600']],
  [/tax_id/, ['DE123456789', 'eu_vat', 'DE136695976']],
  [/mime_type/, ['image/png', 'image/svg+xml']],
  [/^state$/, ['CA', 'US-CA']],
  [/external/, ['x', 'a/b?c']],
  [/^(page|limit)$/, ['1', '2', '100']],
  [/cursor/, ['']],
]

/** A placeholder for an existing object of a kind, sometimes of any kind; resolved when the request is sent. */
const present = (kind: string) =>
  fc.tuple(fc.constantFrom(kind, kind, kind, kind, 'anything'), fc.nat(99)).map(([of, index]) => `<${of} ${index}>`)

/** The kind of object that a name refers to: `customer_id`, `products`, `/custom-fields/:id`. */
const kindOf = (name: string): string =>
  ({ medias: 'file', organization_id: 'organization', product_price_id: 'price' })[name] ??
  name.replace(/_id$|_ids$|s$/, '').replaceAll('-', '_')

type Json = JsonSchema & {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Json[]
  readonly allOf?: readonly Json[]
  readonly items?: Json
  readonly prefixItems?: readonly Json[]
  readonly additionalProperties?: Json
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

const shapes: Record<string, JsonSchema> = {}
const describeSchema = createDescriber(snakeCase, billingShapes, shapes)

/** A value that fits the schema, and rarely an odd one. */
function fitting(schema: Json, depth = 0, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 80, arbitrary: exactly(schema, depth, name) }, { weight: 1, arbitrary: odd })
}

function exactly(schema: Json, depth: number, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref)
    return depth > 6 ? odd : exactly(shapes[schema.$ref.split('/').at(-1) ?? ''] as Json, depth + 1, name)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((each) => exactly(each as Json, depth + 1, name)))
  if (schema.allOf) return allOf(schema.allOf, depth)
  const [type] = [schema.type].flat()
  if (type === 'object') return object(schema, depth)
  if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((each) => fitting(each, depth + 1)))
  if (type === 'array')
    return fc.array(fitting(schema.items ?? {}, depth + 1, name), { minLength: schema.minItems ?? 0, maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') return number(schema)
  if (schema.format === 'uuid' || name === 'organization_id') return present(kindOf(name))
  const letters = /^\^\[A-Za-z\]\{(\d)\}\$$/.exec(schema.pattern ?? '')?.[1]
  if (letters) return letters === '2' ? fc.constantFrom('DE', 'us') : fc.constantFrom('usd', 'USD', 'eur')
  if (schema.format === 'date-time') return fc.constantFrom('2026-03-01T00:00:00Z', '2026-06-01T12:00:00+02:00')
  const [, fit] = particular.find(([names]) => names.test(name)) ?? []
  if (fit) return fc.constantFrom(...fit)
  return fc.oneof({ weight: 3, arbitrary: plausibleText }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) })
}

const number = ({ minimum = -1000, maximum = 1_000_000 }: Json) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: Math.max(minimum, -1000), max: Math.min(maximum, 1_000_000) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, 50, 1000) },
  )

/** Required members are nearly always present, optional ones sometimes. */
function object({ properties = {}, required = [], additionalProperties }: Json, depth: number): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, fitting(each as Json, depth + 1, name)]),
  )
  const optional = Object.keys(members).filter((name) => !required.includes(name))
  const known = fc
    .subarray(optional, { maxLength: Math.min(4, optional.length) })
    .chain((more) => record(members, [...required, ...more]))
  if (!additionalProperties) return known
  const key = fc.oneof(plausibleText, fc.constantFrom('__proto__', 'constructor', 'a\'b"c', 'someKey', '$.x'))
  return fc.dictionary(key, fitting(additionalProperties, depth + 1), { maxKeys: 4 })
}

/** Nearly always complete. */
const record = (members: Record<string, fc.Arbitrary<unknown>>, names: readonly string[]): fc.Arbitrary<object> => {
  const chosen = Object.fromEntries(names.map((name) => [name, members[name]!]))
  return fc.oneof(
    { weight: 30, arbitrary: fc.record(chosen) },
    { weight: 1, arbitrary: fc.record(chosen, { requiredKeys: [] }) },
  )
}

const allOf = (parts: readonly Json[], depth: number): fc.Arbitrary<unknown> =>
  fc.tuple(...parts.map((each) => exactly(each, depth + 1))).map((made) => Object.assign({}, ...made))

/** The placeholder for a path's parameter; a path has at most one. */
function parameterOf(path: string): fc.Arbitrary<string> {
  if (path.includes(':externalId')) return fc.constantFrom('x', 'a/b?c')
  if (path.includes(':slug')) return present('slug')
  if (path.includes('ecret')) return present('secret')
  return present(kindOf(path.split('/')[1] ?? ''))
}

/** A call whose placeholders are not resolved yet. */
const attempts = (Object.entries(billingCalls) as [BillingCallName, BillingCall][])
  // Excluded, because its body is bytes.
  .filter(([name]) => name !== 'uploadFilePart')
  .map(([name, call]) => {
    const endpoint: Endpoint = billingSchemas[name]
    const body = endpoint.body ? fitting(describeSchema(endpoint.body, 'input') as Json) : fc.constant(undefined)
    const query = endpoint.query
      ? exactly(describeSchema(endpoint.query, 'input') as Json, 0).map((each) => each as object)
      : fc.constant({})
    const given = fc.oneof(
      { weight: 9, arbitrary: body.map((each) => JSON.stringify(each)) },
      { weight: 1, arbitrary: fc.json() },
    )
    const parameter = fc.oneof(
      { weight: 20, arbitrary: parameterOf(call.path) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    )
    return fc.record({ name: fc.constant(name), call: fc.constant(call), given, query, parameter })
  })

const who = fc.constantFrom('token', 'token', 'token', 'token', 'owner', 'nobody')

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const search = (query: object): string =>
  Object.entries(query)
    .flatMap(([name, value]) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return Object.entries(value).map(([key, each]) => `${encode(name)}[${encode(key)}]=${encode(String(each))}`)
      return [value]
        .flat()
        .map((each) => `${encode(name)}=${encode(typeof each === 'string' ? each : (JSON.stringify(each) ?? ''))}`)
    })
    .join('&')

/** Objects to create first, so that random calls can succeed. */
const beginnings: readonly (readonly [string, object])[] = [
  ['/custom-fields', { type: 'text', slug: 'notes', name: 'Notes', properties: {} }],
  ['/meters', { name: 'Calls', filter: { conjunction: 'and', clauses: [] }, aggregation: { func: 'count' } }],
  [
    '/products',
    {
      name: 'Plan',
      recurring_interval: 'month',
      prices: [
        { amount_type: 'fixed', price_amount: 1000 },
        { amount_type: 'metered_unit', meter_id: '<meter 0>', unit_amount: '0.5' },
      ],
      attached_custom_fields: [{ custom_field_id: '<custom_field 0>', required: false }],
    },
  ],
  ['/products', { name: 'Gift', recurring_interval: null, prices: [{ amount_type: 'custom', minimum_amount: 50 }] }],
  ['/products', { name: 'Free', recurring_interval: null, prices: [{ amount_type: 'free' }] }],
  ['/discounts', { name: 'Half', code: 'SPRING', type: 'percentage', basis_points: 5000, duration: 'once' }],
  ['/customers', { email: 'ada@example.com', external_id: 'x', billing_address: { country: 'DE' } }],
  ['/checkouts', { products: ['<product 0>', '<product 1>', '<product 2>'] }],
  ['/checkouts', { products: ['<product 1>'], amount: 70 }],
  [
    '/checkouts/client/<secret 0>/confirm',
    {
      customer_email: 'eve@example.com',
      customer_name: 'Eve',
      customer_billing_address: { country: 'DE' },
      confirmation_token_id: 'ctoken_sandbox_success',
    },
  ],
  ['/checkouts', { products: ['<product 2>'], customer_id: '<customer 0>' }],
  [
    '/files',
    {
      name: 'cover.png',
      mime_type: 'image/png',
      size: 10,
      service: 'product_media',
      upload: { parts: [{ number: 1, chunk_start: 0, chunk_end: 10 }] },
    },
  ],
  ['/checkout-links', { products: ['<product 0>'] }],
]

test('every call of billing answers any input as the contract defines, and never with a 5xx', {
  timeout,
}, async () => {
  await using server = await createTestServer()
  const merchant = await createTestMerchant(server)
  const { owner, organizationId } = merchant
  await owner.post('/organization/set-active', { organizationId })
  const visitor = server.visitor()
  /** Ids of all created objects, by kind. */
  const known = new Map([
    ['organization', [organizationId]],
    ['slug', [merchant.slug]],
  ])
  const done = new Set<string>()
  let asked = 0

  const keep = (kind: string, id: unknown): void => {
    const those = known.get(kind) ?? known.set(kind, []).get(kind)!
    if (typeof id === 'string' && !those.includes(id) && those.length < 40) those.push(id)
  }
  const fill = (text: string): string =>
    text.replace(/<(\w+) (\d+)>/g, (_, kind: string, index) => {
      const those = kind === 'anything' ? [...known.values()].flat() : (known.get(kind) ?? ['none'])
      return those[Number(index) % those.length] ?? 'none'
    })
  const remember = (path: string, body: Record<string, unknown>, text: string): void => {
    const kind = kindOf(path.split('/')[1] ?? '')
    for (const each of [body, ...((body.items as Record<string, unknown>[] | undefined) ?? [])]) keep(kind, each.id)
    for (const [, id] of text.matchAll(/\{[^{}]*"id":"([^"]+)"[^{}]*"amount_type"/g)) keep('price', id)
    for (const [, secret] of text.matchAll(/"(?:intent_)?client_secret":"([^"]+)"/g)) keep('secret', secret)
  }
  for (const [path, given] of beginnings) {
    const { status, body, text } = await merchant.post(fill(path), JSON.parse(fill(JSON.stringify(given))))
    expect([path, status < 300, text]).toEqual([path, true, text])
    remember(path, body, text)
  }

  await fc.assert(
    fc.asyncProperty(fc.oneof(...attempts), who, async ({ name, call, given, query, parameter }, asker) => {
      const path = call.path.replace(/:(\w+)/g, () => encode(fill(parameter)) || 'x')
      const headers = {
        'content-type': 'application/json',
        ...(asker === 'token' && { authorization: `Bearer ${merchant.token}` }),
      }
      const hasBody = call.method !== 'GET' && call.method !== 'DELETE'
      const by = asker === 'owner' ? owner : visitor

      const answer = await by.request(call.method, `/v1${path}?${fill(search(query))}`, {
        headers,
        ...(hasBody && { raw: fill(given ?? '') }),
      })

      const { status, body, text } = answer
      expect([name, status < 500, text.slice(0, 300)]).toEqual([name, true, text.slice(0, 300)])
      if (status === 422) {
        expect(body.detail.length).toBeGreaterThan(0)
        for (const issue of body.detail)
          expect(issue).toMatchObject({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) })
      } else if (status >= 400) expect([typeof body.error, typeof body.detail]).toEqual(['string', 'string'])
      if (status < 300) {
        done.add(name)
        remember(call.path, body ?? {}, text)
      }
      // Jobs process the created objects too; none may fail for good.
      asked += 1
      if (asked % 1000 === 0) {
        server.clock.advance(minutes(1))
        await server.tollgate.internals.ctx.jobs.runDue()
      }
    }),
    { numRuns: runs(inject('database') === 'postgres' ? 800 : 5000), endOnFailure: true },
  )

  // The test would also pass if every call were refused.
  expect(done.size).toBeGreaterThan(inject('database') === 'postgres' ? 25 : 50)
  expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  expect(await violationsOfBooks(server.tollgate.internals.ctx.db)).toEqual([])
})
