import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { listen } from '../../app/node.ts'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { type Company, foundedCompany } from './testing/company.ts'

type Answer = { readonly status: number; readonly body: unknown; readonly headers: Record<string, unknown> }
type Asking = { readonly headers?: Record<string, string>; readonly body?: string | Buffer; readonly path?: string }

const question = JSON.stringify({ permissions: { member: ['update'] } })
const yes = { error: null, success: true }
const no = { error: null, success: false }

/** A server behind a real connection, because the fast path begins there. */
async function site(config: TollgateConfig = {}) {
  const server: TestServer = await createTestServer(
    { baseURL: 'http://localhost:3000', ...config },
    { env: { PORT: '0' } },
  )
  const acme: Company = await foundedCompany(server)
  const running = await listen(server.tollgate)

  const ask = (person: Pick<Person, 'cookies'>, { headers = {}, body = question, path = '' }: Asking = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const asked = request(
        {
          port: running.port,
          host: '127.0.0.1',
          method: 'POST',
          path: `/api/auth/organization/has-permission${path}`,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...(cookie && { cookie }),
            ...headers,
          },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: response.headers }),
          )
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  return {
    server,
    acme,
    ask,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Only the general path logs its requests. */
const isShort = ({ logs }: TestServer, { headers }: Answer): boolean =>
  !logs.some((line) => JSON.parse(line).request === headers['x-request-id'])

test('our own pages and servers are answered on the short way, as the general way would', async () => {
  await using here = await site()
  const { server, acme, ask } = here
  const max = await acme.member()

  for (const headers of [{}, { origin: 'http://localhost:3000' }]) {
    const short = await ask(acme.owner, { headers })
    const general = await ask(acme.owner, { headers, path: '?' })

    expect([short.status, short.body]).toEqual([200, yes])
    expect([general.status, general.body]).toEqual([200, yes])
    expect([isShort(server, short), isShort(server, general)]).toEqual([true, false])
    const { 'x-request-id': id, date: _, ...expected } = general.headers
    expect(short.headers['x-request-id']).toMatch(/^[0-9a-z]{7,}$/)
    expect(short.headers['x-request-id']).not.toBe(id)
    expect({ ...short.headers, date: undefined, connection: expected.connection }).toMatchObject(
      Object.fromEntries(
        Object.entries(expected).filter(([name]) => !['keep-alive', 'transfer-encoding'].includes(name)),
      ),
    )
    expect((await ask(max, { headers })).body).toEqual(no)
  }
})

test('a cached permission is invalid after a change: of the role, the organization, the session', async () => {
  await using here = await site()
  const { server, acme, ask } = here
  const max = await acme.member()
  const change = (role: string) => acme.owner.post('/organization/update-member-role', { memberId: max.memberId, role })
  expect((await ask(max)).body).toEqual(no)

  await change('admin')
  expect((await ask(max)).body).toEqual(yes)
  await change('member')
  expect((await ask(max)).body).toEqual(no)
  await acme.owner.post('/organization/remove-member', { memberIdOrEmail: max.memberId })
  expect((await ask(max)).body).toMatchObject({ code: 'NO_ACTIVE_ORGANIZATION' })
  expect((await ask(acme.owner)).body).toEqual(yes)
  server.clock.advance(days(8))
  expect((await ask(acme.owner)).status).toBe(401)
})

test('a role that the organization made is read with each question', async () => {
  await using here = await site()
  const { acme, ask } = here
  await acme.owner.post('/organization/create-role', { role: 'host', permission: { member: ['update'] } })
  const max = await acme.member('host')
  expect((await ask(max)).body).toEqual(yes)

  await acme.owner.post('/organization/update-role', { roleName: 'host', data: { permission: {} } })

  expect((await ask(max)).body).toEqual(no)
})

test.each<[string, Asking, number, string]>([
  ['of a stranger’s page', { headers: { origin: 'https://evil.example' } }, 403, 'INVALID_ORIGIN'],
  ['of a browser that does not say which page', { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'INVALID_ORIGIN'],
  ['of a page that only its referer names', { headers: { referer: 'https://evil.example/' } }, 403, 'INVALID_ORIGIN'],
  [
    'whose bytes are no text',
    { body: Buffer.from('{"permissions":{"member":["update"]},"organizationId":"\xff"}', 'latin1') },
    400,
    'INVALID_JSON_IN_REQUEST_BODY',
  ],
  ['that is no JSON', { body: '{"permissions":' }, 400, 'INVALID_JSON_IN_REQUEST_BODY'],
  [
    'that is nested deeper than any call needs',
    { body: `{"permissions":{"member":["update"]},"x":${'['.repeat(40)}${']'.repeat(40)}}` },
    400,
    'JSON_IS_NESTED_TOO_DEEPLY',
  ],
  ['of another shape', { body: '{"permissions":{"member":"update"}}' }, 400, 'VALIDATION_ERROR'],
  ['about nothing', { body: '{}' }, 400, 'VALIDATION_ERROR'],
  ['of another type', { headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'about another organization',
    { body: '{"permission":{},"organizationId":"x"}' },
    401,
    'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  ],
  ['with a wrong signature', { headers: { cookie: 'better-auth.session_token=a.b' } }, 401, 'UNAUTHORIZED'],
  ['without a session', { headers: { cookie: '' } }, 401, 'UNAUTHORIZED'],
])('a question %s is refused as ever', async (_, asking, status, code) => {
  await using here = await site()
  const { acme, ask } = here
  await ask(acme.owner)

  const answer = await ask(acme.owner, asking)

  expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code])
})

test('questions on the short way are counted', async () => {
  await using here = await site({ rateLimit: { enabled: true, max: 5 } })
  const { acme, ask } = here
  const statuses: number[] = []

  for (let count = 0; count < 6; count += 1) statuses.push((await ask(acme.owner)).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('over the limit no session is read, and a refusal of the general limit counts once', async () => {
  await using here = await site({ rateLimit: { enabled: true, max: 5 } })
  const { server, acme, ask } = here
  const nobody = { cookies: new Map([['better-auth.session_token', 'a.b']]) }
  const statuses: number[] = []
  for (let count = 0; count < 3; count += 1) statuses.push((await ask(nobody)).status)
  for (let count = 0; count < 2; count += 1) statuses.push((await ask(acme.owner)).status)
  const max = await acme.member()
  const reading = vi.spyOn(server.tollgate.internals.ctx.database, 'findSessionRow')

  for (const person of [acme.owner, max, nobody]) statuses.push((await ask(person)).status)

  expect(statuses).toEqual([401, 401, 401, 200, 200, 429, 429, 429])
  expect(reading).not.toHaveBeenCalled()
})

test('a limit of its own for the call counts in the same way', async () => {
  const customRules = { '/organization/has-permission': { window: 60, max: 2 } }
  await using here = await site({ rateLimit: { enabled: true, customRules } })
  const { acme, ask } = here
  const nobody = { cookies: new Map([['better-auth.session_token', 'a.b']]) }

  expect([(await ask(nobody)).status, (await ask(acme.owner)).status, (await ask(acme.owner)).status]).toEqual([
    401, 200, 429,
  ])
})

test('requests behind a proxy are counted by the client that it names, in the configured header of any case', async () => {
  const advanced = { trustedProxies: ['127.0.0.1'], ipAddressHeaders: ['X-Client'] }
  await using here = await site({ rateLimit: { enabled: true, max: 1 }, advanced })
  const { acme, ask } = here
  const askFrom = async (address: string) => (await ask(acme.owner, { headers: { 'x-client': address } })).status

  expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.2'), await askFrom('192.0.2.1')]).toEqual([200, 200, 429])
})

test('where organizations are off there is no such call', async () => {
  await using server = await createTestServer({ organization: false })

  expect((await server.visitor().post('/organization/has-permission', { permissions: {} })).status).toBe(404)
})
