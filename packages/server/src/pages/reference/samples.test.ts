import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { apis } from '../../app/app.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { callPage } from './call-page.ts'
import { polarMethods } from './polar-methods.ts'
import { createReference, type Reference } from './reference.ts'
import { sampleInputs, unknownText } from './sample-values.ts'
import { answerOf, samplesOf, valuesOf } from './samples.ts'
import { titleOf } from './titles.ts'

let server: TestServer
let reference: Reference

beforeAll(async () => {
  server = await createTestServer(
    { jwt: {}, organization: { teams: { enabled: true } } },
    { databaseUrl: 'sqlite::memory:' },
  )
  reference = createReference(server.tollgate.internals.ctx.config, apis)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Each call with its sample values, and with the parts of the contract that read them. */
const samples = () =>
  [...reference.calls.values()].map((call) => {
    const api = apis.find(
      ({ calls, name }) => Object.hasOwn(calls, call.id) && (name === 'billing') === call.isBilling,
    )!
    const { params, query, body } = valuesOf(reference, call)
    const { spelling } = api
    return {
      call,
      schemas: api.schemas[call.id]!,
      spelling,
      values: { params, query, body, output: answerOf(reference, call) },
    }
  })

const parts = ['params', 'query', 'body', 'output'] as const

test('the contract accepts what each sample sends and answers', () => {
  const refused = samples().flatMap(({ call, schemas, spelling, values }) =>
    parts.flatMap((part) => {
      const schema = schemas[part]
      if (!schema || values[part] === undefined) return []
      const read: z.ZodType = schema
      const issues = read.safeParse(spelling.decode(values[part], read)).error?.issues ?? []
      return issues.map(({ path, message }) => `${call.id} ${part} ${path.join('.')}: ${message}`)
    }),
  )

  expect(refused).toEqual([])
})

test('each text of a sample means something, and each id is of its own kind', () => {
  const unknown = samples().flatMap(({ call, values }) =>
    textsIn(values).flatMap(([path, text]) => (text === unknownText ? [`${call.id} ${path}`] : [])),
  )
  const { params, body } = valuesOf(reference, reference.calls.get('updateProductBenefits')!)
  const { query } = valuesOf(reference, reference.calls.get('adminGetUser')!)

  expect(unknown).toEqual([])
  expect(params.id).toMatch(/^[0-9a-f]{8}-/)
  expect(body).not.toEqual({ benefits: [params.id] })
  expect(query.id).toMatch(/^[A-Za-z0-9]{32}$/)
})

function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${path}.${name}`))
}

test('a shell replaces the token in each sample of curl, and JavaScript reads it from the environment', () => {
  for (const call of reference.calls.values())
    for (const { id, html } of samplesOf(reference, call)) {
      // Between single quotes a shell replaces nothing, and JavaScript has no such names at all.
      const before = html.split('<span data-token')[0] ?? ''
      const isQuoted = before.split('&#39;').length % 2 === 0
      const kinds = [...html.matchAll(/data-token="(\w+)">([^<]*)</g)].map(([, language, text]) => [language, text])
      const expected = id === 'curl' ? ['shell', '$TOLLGATE_TOKEN'] : ['js', 'process.env.TOLLGATE_TOKEN']
      expect([call.id, id, html.includes('data-token') && isQuoted]).toEqual([call.id, id, false])
      for (const kind of kinds) expect(kind).toEqual(expected)
      if (html.includes('TOLLGATE_TOKEN')) expect(kinds).toHaveLength(1)
    }
})

test('a customer’s own call takes the token of their session, and none of a seller', () => {
  const call = reference.calls.get('addPortalPaymentMethod')!
  const [curl, client] = samplesOf(reference, call).map(({ html }) => html)

  expect(curl).toContain('Bearer $CUSTOMER_SESSION_TOKEN&#34;')
  expect(client).toContain('token: process.env.CUSTOMER_SESSION_TOKEN')
  expect([curl, client].filter((html) => html?.includes('data-token'))).toEqual([])
  const { text, aside } = callPage(reference, call)
  expect(`${text}${aside}`).toContain('Customer session token')
  expect(`${text}${aside}`).not.toContain('your session is used')
})

test('a sample of the Polar SDK has the body below the member that its method takes', () => {
  const polar = (name: string) =>
    samplesOf(reference, reference.calls.get(name)!).find(({ id }) => id === 'polar')?.html

  for (const [name, [, member]] of Object.entries(polarMethods))
    if (member) expect(polar(name)).toContain(`${member}: {`)
  expect(polar('updateProduct')).toContain('productUpdate: { name: &#39;Pro plan&#39; }')
  expect(polar('exportSubscriptions')).toContain('polar.subscriptions.export({})')
})

test('samples and titles of their own belong to calls, and every title reads as words', () => {
  expect(Object.keys(sampleInputs).filter((name) => !reference.calls.has(name))).toEqual([])
  const titles = [...reference.calls.keys()].map(titleOf)
  expect(titles.filter((title) => !/^[A-Z][a-zA-Z0-9-]*(?: [a-zA-Z0-9(),-]+)*$/.test(title))).toEqual([])
  expect(['createCheckoutLink', 'getMerchant', 'adminListUsers', 'constructor'].map(titleOf)).toEqual([
    'Create checkout link',
    'Get organization',
    'List users',
    'Constructor',
  ])
})
