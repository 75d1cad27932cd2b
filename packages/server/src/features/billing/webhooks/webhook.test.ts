import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { billingEventTypes, webhookEventTypes } from '@tollgate/contract/events'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, days, hours, minutes, seconds, systemClock } from '../../../foundation/clock.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, insertTestToken, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { openSink, type Received, type Sink } from '../testing/sink.ts'

let server: TestServer
let sink: Sink
let shop: Shop

beforeAll(async () => {
  server = await createTestServer()
  sink = await openSink()
  shop = await createShop(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const runJobs = () => ctx().jobs.runDue()

let endpoints = 0

/** A new endpoint at a path of its own. */
async function endpoint(of: TestMerchant, given: object = {}) {
  endpoints += 1
  const path = `/hook-${endpoints}`
  const asked = { url: sink.origin + path, events: ['product.created', 'product.updated'], ...given }
  const { status, body, text } = await of.post('/webhooks/endpoints', asked)
  if (status !== 201) throw new Error(text)
  return { path, id: body.id as string, secret: body.secret as string, body }
}

/** A new endpoint that its owner creates: it may get events about people. */
async function endpointOfMember({ organizationId, owner }: TestMerchant, events: readonly string[]) {
  endpoints += 1
  const path = `/hook-${endpoints}`
  const asked = { url: sink.origin + path, events, organization_id: organizationId }
  const { status, body, text } = await owner.request('POST', '/v1/webhooks/endpoints', { body: asked })
  if (status !== 201) throw new Error(text)
  return { path, id: body.id as string }
}

/** Calls with another token of an organization, with the given scopes. */
async function asToken({ organizationId }: TestMerchant, held: readonly string[]) {
  const token = await ctx().transaction((tx) => insertTestToken(tx, organizationId, held, server.clock.now()))
  const visitor = server.visitor({ headers: { authorization: `Bearer ${token}` } })
  return (method: string, path: string, body?: object) =>
    visitor.request(method, `/v1/webhooks${path}`, { ...(method !== 'GET' && { body: body ?? {} }) })
}

const product = (of: TestMerchant, name = 'A book') =>
  of.post('/products', { name, recurring_interval: null, prices: [fixedPrice(1000)] })

const types = (received: readonly Received[]): string[] => received.map(({ body }) => body.type)
const headersOf = ({ headers }: Received) => headers as Record<string, string>
const merchant = () => createTestMerchant(server)
const state = async (of: TestMerchant, id: string) => (await of.get(`/webhooks/endpoints/${id}`)).body

test('an event is sent once, signed in both ways, with the id that it has in the records', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const made = await product(seller)
  await runJobs()

  const [received, ...more] = sink.at(hook.path)
  expect(more).toEqual([])
  expect(received!.body).toEqual({
    type: 'product.created',
    timestamp: server.clock.now().toISOString(),
    data: made.body,
  })
  const [event] = await ctx()
    .db.selectFrom('event')
    .select('id')
    .where('subjectId', '=', made.body.id)
    .where('type', '=', 'product.created')
    .execute()
  expect(received!.id).toBe(event!.id)
  expect(received!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tollgate-Webhooks/1' })
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(() => new Webhook(hook.secret).verify(received!.raw, headersOf(received!))).not.toThrow()
  const asText = Buffer.from(hook.secret).toString('base64')
  expect(() => new Webhook(asText).verify(received!.raw, headersOf(received!))).not.toThrow()
  expect(() => new Webhook(hook.secret).verify(`${received!.raw} `, headersOf(received!))).toThrow()
  expect((await state(seller, hook.id)).pending_count).toBe(0)
})

test('a recurring purchase sends its events in the order of the contract, and a checkout’s events carry its secret and addresses', async () => {
  const hook = await endpoint(shop, { events: billingEventTypes })
  const plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
  const { checkout } = await shop.buy(plan)
  await runJobs()

  const told = sink.at(hook.path)
  expect(types(told).slice(types(told).indexOf('checkout.created'))).toEqual([
    'checkout.created',
    'customer.created',
    'checkout.updated',
    'subscription.created',
    'subscription.active',
    'subscription.updated',
    'order.created',
    'order.updated',
    'order.paid',
    'checkout.updated',
    'customer.state_changed',
  ])
  const ofCheckout = told.filter(({ body }) => body.type.startsWith('checkout.'))
  expect(ofCheckout.map(({ body }) => body.data.status)).toEqual(['open', 'confirmed', 'succeeded'])
  for (const { body } of ofCheckout) {
    expect(body.data.client_secret).toBe(checkout.client_secret)
    expect(body.data.url).toBe(`${server.baseURL}/checkout/${checkout.client_secret}`)
    expect(body.data.success_url).toBe(`${server.baseURL}/checkout/${checkout.client_secret}/confirmation`)
  }
  // Neither the record nor its view contains the secret.
  const { body } = await shop.get(`/webhooks/deliveries?endpoint_id=${hook.id}&type=checkout.updated`)
  expect(JSON.stringify(body)).not.toContain(checkout.client_secret)
  const detail = await shop.get(`/webhooks/deliveries/${body.items[0].id}`)
  const page = `${server.baseURL}/checkout/[redacted]`
  expect(detail.body.request.is_redacted).toBe(true)
  expect(JSON.parse(detail.body.request.body).data).toMatchObject({
    client_secret: '[redacted]',
    url: page,
    success_url: `${page}/confirmation`,
  })
  expect(JSON.stringify(detail.body)).not.toContain(checkout.client_secret)
  await shop.delete(`/webhooks/endpoints/${hook.id}`)
})

test('an enabled endpoint gets only the events that it subscribes to, of its own organization', async () => {
  const [seller, other] = [await merchant(), await merchant()]
  const updates = await endpoint(seller, { events: ['product.updated'] })
  const foreign = await endpoint(other)
  const off = await endpoint(seller)
  await seller.patch(`/webhooks/endpoints/${off.id}`, { enabled: false })
  const { body } = await product(seller)
  await seller.patch(`/products/${body.id}`, { name: 'Another name' })
  await runJobs()

  expect(types(sink.at(updates.path))).toEqual(['product.updated'])
  expect(sink.at(foreign.path)).toEqual([])
  expect(sink.at(off.path)).toEqual([])
})

test('a rolled-back transaction sends no event', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const [first] = [await product(seller)]
  const refused = await seller.patch(`/products/${first.body.id}`, { name: 'New', prices: [{ id: first.body.id }] })
  expect(refused.status).toBe(422)
  await runJobs()

  expect(types(sink.at(hook.path))).toEqual(['product.created'])
})

test('a failed delivery is retried by the schedule, the same bytes under the same id, until the last attempt', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  sink.answer(hook.path, () => 500)
  await product(seller)
  await runJobs()
  expect(sink.at(hook.path)).toHaveLength(1)

  const waits = [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
  for (const [index, wait] of waits.entries()) {
    server.clock.advance(wait - 1)
    await runJobs()
    expect([index, sink.at(hook.path).length]).toEqual([index, index + 1])
    server.clock.advance(wait * 0.1 + 2)
    await runJobs()
    expect([index, sink.at(hook.path).length]).toEqual([index, index + 2])
  }
  server.clock.advance(days(20))
  await runJobs()
  const told = sink.at(hook.path)
  expect(told).toHaveLength(10)
  expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  expect(new Set(told.map(({ raw }) => raw)).size).toBe(1)
  // The machine's time, not the moved test clock's (WH-3).
  const wall = systemClock.now().getTime()
  expect(Math.abs(Number(told.at(-1)!.headers['webhook-timestamp']) * 1000 - wall)).toBeLessThan(60_000)

  const { body } = await seller.get(`/webhooks/deliveries?endpoint_id=${hook.id}&limit=100`)
  expect(body.items).toHaveLength(10)
  expect(body.items[0]).toMatchObject({ attempt: 10, succeeded: false, http_code: 500, response: 'answered 500' })
  expect(body.items[0].webhook_event).toMatchObject({
    succeeded: false,
    skipped: false,
    attempts: 10,
    next_attempt_at: null,
  })
})

test('a receiver that asks for time gets it, by seconds or by a date, up to a day', async () => {
  const inFuture = (milliseconds: number) => after(systemClock.now(), milliseconds).toUTCString()
  const cases: [string, number][] = [
    ['600', seconds(600)],
    [inFuture(hours(2)), hours(2) - seconds(2)],
    ['9999999', days(1)],
  ]
  for (const [asked, wait] of cases) {
    const seller = await merchant()
    const hook = await endpoint(seller)
    sink.answer(hook.path, (_, response) => {
      response.writeHead(429, { 'retry-after': asked }).end()
      return undefined
    })
    await product(seller)
    await runJobs()
    server.clock.advance(wait - seconds(5))
    await runJobs()
    expect([asked, sink.at(hook.path).length]).toEqual([asked, 1])
    sink.answer(hook.path, () => 204)
    server.clock.advance(seconds(10))
    await runJobs()
    expect([asked, sink.at(hook.path).length]).toEqual([asked, 2])
  }
})

test.each([
  ['asks for an hour by 429', 429, { 'retry-after': '3600' }, 1],
  ['answers 500', 500, {}, 10],
])(
  'a receiver that %s gets no further requests, whatever happens meanwhile',
  async (_, status, headers, mostInMinute) => {
    const seller = await merchant()
    const hook = await endpoint(seller)
    sink.answer(hook.path, (_, response) => {
      response.writeHead(status, headers).end()
      return undefined
    })
    for (let minute = 1; minute <= 3; minute += 1) {
      const before = sink.at(hook.path).length
      for (let part = 0; part < 12; part += 1) {
        await product(seller)
        await product(seller)
        await runJobs()
        server.clock.advance(seconds(5))
      }
      expect([minute, sink.at(hook.path).length - before <= mostInMinute]).toEqual([minute, true])
    }

    // An explicit retry after a fix does not wait for the schedule.
    sink.answer(hook.path, () => 204)
    const before = sink.at(hook.path).length
    await seller.patch(`/webhooks/endpoints/${hook.id}`, { url: sink.origin + hook.path })
    await runJobs()
    expect(sink.at(hook.path).length).toBeGreaterThan(before)
    server.clock.advance(hours(2))
    await runJobs()
    expect((await state(seller, hook.id)).pending_count).toBe(0)
  },
)

test('answers of other kinds are failures: redirects are not followed, and nothing waits for ever', async () => {
  const seller = await merchant()
  const elsewhere = await endpoint(seller, { events: [] })
  for (const [status, location] of [
    [302, sink.origin + elsewhere.path],
    [307, 'http://169.254.169.254/'],
    [404, ''],
  ] as const) {
    const hook = await endpoint(seller)
    sink.answer(hook.path, (_, response) => {
      response.writeHead(status, { location }).end('x'.repeat(5000))
      return undefined
    })
    await product(seller)
    await runJobs()
    const { body } = await seller.get(`/webhooks/deliveries?endpoint_id=${hook.id}`)
    expect(body.items).toMatchObject([{ http_code: status, succeeded: false, response: 'x'.repeat(2000) }])
    await seller.delete(`/webhooks/endpoints/${hook.id}`)
  }
  expect(sink.at(elsewhere.path)).toEqual([])
})

test('the report of a missing or silent receiver reveals nothing of this network', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const seller = await merchant()
  const hook = await endpoint(seller, { url: `http://127.0.0.1:${port}/` })
  await product(seller)
  await runJobs()

  const { body } = await seller.get(`/webhooks/deliveries?endpoint_id=${hook.id}`)
  expect(body.items).toMatchObject([{ http_code: null, response: 'The connection failed (ECONNREFUSED)' }])
})

test('410 switches an endpoint off at once; pending deliveries are skipped, and the members who can fix it get a mail', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  await ctx().transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', seller.owner.id).execute(),
  )
  sink.answer(hook.path, () => 410)
  await product(seller)
  await product(seller)
  await runJobs()

  expect(sink.at(hook.path)).toHaveLength(1)
  expect(await state(seller, hook.id)).toMatchObject({ enabled: false, disabled_reason: 'gone', pending_count: 0 })
  const mail = (await server.mailsTo(seller.owner.email)).find(({ subject }) => subject.includes('Webhook'))
  expect(mail!.subject).toBe('Webhook endpoint disabled at Tollgate')
  expect(mail!.links).toContain(`${server.baseURL}/dashboard/${seller.slug}/webhooks/${hook.id}`)
  expect(mail!.text).toContain('Your server answered that the endpoint no longer exists (status 410).')
  expect((await audited(hook.id)).at(-1)).toEqual(['disabled', null, 'gone'])
})

test('an endpoint is switched off when it has failed for three days with ten events, not before; and comes back', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  await ctx().transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', seller.owner.id).execute(),
  )
  sink.answer(hook.path, () => 500)
  for (let made = 0; made < 9; made += 1) await product(seller)
  for (let round = 0; round < 40; round += 1) {
    await runJobs()
    server.clock.advance(hours(2))
  }
  // Three days, and nine events.
  expect(await state(seller, hook.id)).toMatchObject({ enabled: true, disabled_reason: null })
  expect((await state(seller, hook.id)).failing_since).not.toBeNull()
  const { body: last } = await product(seller)
  await runJobs()
  server.clock.advance(minutes(2))
  await runJobs()
  expect(await state(seller, hook.id)).toMatchObject({ enabled: false, disabled_reason: 'failing', pending_count: 0 })
  const about = (await server.mailsTo(seller.owner.email)).filter(({ subject }) => subject.includes('Webhook'))
  expect(about).toHaveLength(1)
  expect((await audited(hook.id)).at(-1)).toEqual(['disabled', null, 'failing'])

  const sent = sink.at(hook.path).length
  sink.answer(hook.path, () => 204)
  const on = await seller.patch(`/webhooks/endpoints/${hook.id}`, { enabled: true })
  expect(on.body).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
  const replayed = await seller.post(`/webhooks/endpoints/${hook.id}/replay`, {
    since: '2026-01-01T00:00:00Z',
    only_failed: true,
  })
  expect([replayed.status, replayed.body]).toEqual([202, { count: 10 }])
  await runJobs()
  const again = sink.at(hook.path).slice(sent)
  expect(again).toHaveLength(10)
  expect(again.at(-1)!.body.data.id).toBe(last.id)
})

test('an endpoint records since when it has missed events, until all of them were retried', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const path = `/webhooks/endpoints/${hook.id}`
  const missedSince = async () => (await state(seller, hook.id)).missed_since
  const since = server.clock.now().toISOString()
  expect(await missedSince()).toBeNull()

  // The first event is given up; the next success does not clear that.
  sink.answer(hook.path, () => 500)
  await product(seller)
  for (let round = 0; round < 40; round += 1) {
    await runJobs()
    server.clock.advance(hours(4))
  }
  expect(await missedSince()).toBe(since)
  sink.answer(hook.path, () => 204)
  await product(seller)
  await runJobs()
  expect(await state(seller, hook.id)).toMatchObject({ failing_since: null, missed_since: since, enabled: true })

  // Events during the disabled period are missed too; enabling alone does not send them.
  await seller.patch(path, { enabled: false })
  await product(seller)
  await seller.patch(path, { enabled: true })
  expect(await missedSince()).toBe(since)
  const asked = { since, only_failed: true }
  expect((await seller.post(`${path}/replay`, { ...asked, dry_run: true })).body).toEqual({ count: 2 })
  await seller.post(`${path}/replay`, { ...asked, since: server.clock.now().toISOString() })
  await seller.post(`${path}/replay`, { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' })
  expect(await missedSince()).toBe(since)
  await runJobs()
  sink.answer(hook.path, () => 410)
  const before = sink.at(hook.path).length

  // Requested, and disabled before it could be sent.
  await seller.patch(path, { enabled: false })
  await ctx().transaction(async (tx) => {
    await tx.updateTable('webhookEndpoint').set({ missedSince: null }).where('id', '=', hook.id).execute()
    const from = new Date(since).getTime().toString(36).padStart(9, '0')
    const payload = JSON.stringify({ endpointId: hook.id, from, until: 'z', onlyFailed: true })
    await enqueue(tx, server.clock.now(), { kind: 'webhook-endpoint', payload })
  })
  await runJobs()
  expect(sink.at(hook.path)).toHaveLength(before)
  expect(await missedSince()).toBe(since)
  sink.answer(hook.path, () => 204)
  await seller.patch(path, { enabled: true })
  await seller.post(`${path}/replay`, asked)
  await runJobs()
  expect(sink.at(hook.path).length).toBeGreaterThan(before)
  expect(await missedSince()).toBeNull()
})

test('the audit log of an organization records members’ and tokens’ changes to its endpoints, without secrets', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const { organizationId } = seller
  const patch = async (body: object, path = '') => {
    const own = `/v1/webhooks/endpoints/${hook.id}${path}?organization_id=${organizationId}`
    expect((await seller.owner.request('PATCH', own, { body })).status).toBe(200)
  }
  await patch({ url: `${sink.origin}/secret-of-the-receiver`, name: 'Books' })
  await patch({})
  await patch({ enabled: false })
  await patch({ enabled: false })
  await patch({ enabled: true, name: 'Ledger' })
  await patch({}, '/secret')
  await seller.delete(`/webhooks/endpoints/${hook.id}`)

  expect(await audited(hook.id)).toEqual([
    ['created', null, undefined],
    ['updated', seller.owner.id, undefined],
    ['disabled', seller.owner.id, 'by_hand'],
    ['updated', seller.owner.id, undefined],
    ['enabled', seller.owner.id, undefined],
    ['secret_rotated', seller.owner.id, undefined],
    ['deleted', null, undefined],
  ])
  const log = await seller.owner.get(`/organization/list-events?organizationId=${organizationId}`)
  expect(log.text).toContain('webhook_endpoint.secret_rotated')
  expect(log.body.events.find(({ type }: { type: string }) => type === 'webhook_endpoint.deleted').data).toEqual({
    endpointId: hook.id,
    name: 'Ledger',
    host: new URL(sink.origin).host,
    coversInstallation: false,
  })
  expect(log.text).not.toMatch(/whsec_|secret-of-the-receiver/)
})

/** The audit records of an endpoint: each change, with actor and reason. */
async function audited(endpointId: string): Promise<[type: string, actorId: string | null, reason: unknown][]> {
  const rows = await ctx().db.selectFrom('event').select(['type', 'actorId', 'data']).orderBy('id').execute()
  return rows.flatMap(({ type, actorId, data }) => {
    const { endpointId: id, reason } = (data ?? {}) as { endpointId?: string; reason?: string } // plain records
    return type.startsWith('webhook_endpoint.') && id === endpointId ? [[type.split('.')[1]!, actorId, reason]] : []
  })
}

const verifies = (secret: string, one: Received): boolean => {
  try {
    new Webhook(secret).verify(one.raw, headersOf(one))
    return true
  } catch {
    return false
  }
}

test('a new secret signs at once, the old one for a day longer', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const rotated = await seller.patch(`/webhooks/endpoints/${hook.id}/secret`)
  expect(rotated.body.secret).not.toBe(hook.secret)
  expect(new Date(rotated.body.previous_secret_expires_at).getTime()).toBe(server.clock.now().getTime() + days(1))
  for (const [advance, old] of [
    [0, true],
    [hours(23), true],
    [hours(2), false],
  ] as const) {
    server.clock.advance(advance)
    await product(seller)
    await runJobs()
    const one = sink.at(hook.path).at(-1)!
    expect([verifies(rotated.body.secret, one), verifies(hook.secret, one)]).toEqual([true, old])
  }
  expect((await state(seller, hook.id)).previous_secret_expires_at).toBeNull()
})

test('of several new secrets within a day each earlier one signs until its own end; a fourth is not made before', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const secrets = [hook.secret]
  const rotate = () => seller.patch(`/webhooks/endpoints/${hook.id}/secret`)
  /** The secrets that sign the current message. */
  const signing = async () => {
    await product(seller)
    await runJobs()
    const one = sink.at(hook.path).at(-1)!
    return secrets.map((secret) => verifies(secret, one))
  }
  for (let made = 0; made < 3; made += 1) {
    secrets.push((await rotate()).body.secret)
    server.clock.advance(hours(1))
  }
  expect(await signing()).toEqual([true, true, true, true])
  const refused = await rotate()
  expect([wrongAt(refused), refused.body.detail[0].type]).toEqual(['422 id', 'too_many'])
  expect((await state(seller, hook.id)).secret).toBe(secrets[3])
  const [row] = await ctx().db.selectFrom('webhookEndpoint').selectAll().where('id', '=', hook.id).execute()
  for (const secret of secrets) expect(JSON.stringify(row)).not.toContain(secret.slice(6, 30))

  // The first has expired.
  server.clock.advance(hours(21))
  expect(await signing()).toEqual([false, true, true, true])
  secrets.push((await rotate()).body.secret)
  expect(await signing()).toEqual([false, true, true, true, true])
  server.clock.advance(hours(2))
  expect(await signing()).toEqual([false, false, false, true, true])
})

test('a delivery that can no longer be signed fails, is listed and continues with a new secret; an old one is optional', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const seal = (values: { sealedSecret?: string; sealedPreviousSecret?: string }) =>
    ctx().transaction((tx) => tx.updateTable('webhookEndpoint').set(values).where('id', '=', hook.id).execute())
  await seal({ sealedSecret: 'sealed under another SECRET' })
  await product(seller)
  await runJobs()
  const listed = await seller.get(`/webhooks/deliveries?endpoint_id=${hook.id}`)
  expect(listed.body.items).toMatchObject([{ succeeded: false, http_code: null }])
  expect(listed.body.items[0].response).toContain('secret')
  expect((await state(seller, hook.id)).failing_since).not.toBeNull()
  expect(sink.at(hook.path)).toEqual([])

  const { body } = await seller.patch(`/webhooks/endpoints/${hook.id}/secret`)
  server.clock.advance(seconds(10))
  await runJobs()
  const [received] = sink.at(hook.path)
  expect(() => new Webhook(body.secret).verify(received!.raw, headersOf(received!))).not.toThrow()
  expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(2)
})

test.each([
  ['a new secret', '/secret', {}],
  ['it is switched on, though it is on', '', { enabled: true }],
  ['it is called something else', '', { name: 'Mended' }],
])('an endpoint whose job died gets its pending events when %s', async (_, path, body) => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  sink.answer(hook.path, () => 500)
  await product(seller)
  await runJobs()
  const job = `webhook-endpoint ${hook.id}`
  await ctx().transaction((tx) =>
    tx.updateTable('job').set({ deadAt: server.clock.now() }).where('id', '=', job).execute(),
  )
  server.clock.advance(minutes(1))
  await runJobs()
  expect(sink.at(hook.path)).toHaveLength(1)

  sink.answer(hook.path, () => 204)
  expect((await seller.patch(`/webhooks/endpoints/${hook.id}${path}`, body)).status).toBe(200)
  await runJobs()

  expect(sink.at(hook.path)).toHaveLength(2)
})

test('members who may change endpoints see the whole secret, which is sealed in storage', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const reader = await asToken(seller, ['webhooks:read'])
  const shown = await reader('GET', `/endpoints/${hook.id}`)
  expect(shown.body.secret).toBe(`whsec_…${hook.secret.slice(-4)}`)
  expect((await state(seller, hook.id)).secret).toBe(hook.secret)
  expect((await reader('PATCH', `/endpoints/${hook.id}`)).status).toBe(403)
  expect((await reader('PATCH', `/endpoints/${hook.id}/secret`)).status).toBe(403)
  const [row] = await ctx().db.selectFrom('webhookEndpoint').selectAll().where('id', '=', hook.id).execute()
  expect(JSON.stringify(row)).not.toContain(hook.secret.slice(6, 30))
})

test('an administrator who acts as a user does not read the secrets of their endpoints', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const path = `/v1/webhooks/endpoints/${hook.id}?organization_id=${seller.organizationId}`
  expect((await seller.owner.request('GET', path)).body.secret).toBe(hook.secret)
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: seller.owner.id, reason: 'Support' })

  const { status, body } = await root.request('GET', path)
  const listed = await root.request('GET', `/v1/webhooks/endpoints?organization_id=${seller.organizationId}`)

  expect([status, body.secret]).toEqual([200, `whsec_…${hook.secret.slice(-4)}`])
  expect(listed.text).not.toContain(hook.secret)
})

test('a member who may not change an endpoint reads only the host of its address: the rest may be a secret', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller, { format: 'slack' })
  await product(seller)
  await runJobs()
  const { body: sent } = await seller.get('/webhooks/deliveries')
  const of = `?organization_id=${seller.organizationId}`
  const paths = [`/endpoints/${hook.id}`, '/endpoints', '/deliveries', `/deliveries/${sent.items[0].id}`]
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: seller.owner.id, reason: 'Support' })
  const [whole, reader] = [await asToken(seller, ['webhooks:write']), await asToken(seller, ['webhooks:read'])]
  const asked: [who: string, ask: (path: string) => Promise<TestAnswer>, isWhole: boolean][] = [
    ['may write', (path) => whole('GET', path), true],
    ['owns it', (path) => seller.owner.request('GET', `/v1/webhooks${path}${of}`), true],
    ['may read', (path) => reader('GET', path), false],
    ['acts as its owner', (path) => root.request('GET', `/v1/webhooks${path}${of}`), false],
  ]
  for (const [who, ask, isWhole] of asked) {
    const answers = await Promise.all(paths.map(ask))
    expect([who, answers.map(({ status }) => status)]).toEqual([who, [200, 200, 200, 200]])
    const [one, , , delivery] = answers.map(({ body }) => body)
    const shown = isWhole ? sink.origin + hook.path : `${sink.origin}/…`
    expect([who, one.url, delivery.request.url]).toEqual([who, shown, shown])
    expect([who, answers.some(({ text }) => text.includes(hook.path))]).toEqual([who, isWhole])
  }
})

test('an endpoint reveals only what its owner could read otherwise', async () => {
  const seller = await merchant()
  const ofProducts = await endpoint(seller)
  const ofPeople = await endpointOfMember(seller, ['invitation.created'])
  const invitation = { organizationId: seller.organizationId, email: 'guest@example.com', role: 'member' }
  await seller.owner.post('/organization/invite-member', invitation)
  await product(seller)
  await runJobs()
  const ask = await asToken(seller, ['webhooks:write'])
  const make = async (events: readonly string[]) => {
    const { status, body } = await ask('POST', '/endpoints', { url: sink.origin, events })
    return [status, body.error]
  }
  const allowed = [201, undefined]
  const refused = [403, 'insufficient_scope']
  for (const events of [[], ['order.paid'], ['checkout.created', 'organization.updated']])
    expect([events, ...(await make(events))]).toEqual([events, ...allowed])
  for (const type of ['member.added', 'invitation.created'])
    expect([type, ...(await make([type]))]).toEqual([type, ...refused])

  // Nor by those of other organizations.
  for (const [method, path, body] of [
    ['PATCH', '', { url: sink.origin }],
    ['PATCH', '', { events: [] }],
    ['PATCH', '/secret', {}],
    ['POST', '/test', {}],
    ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
  ] as const)
    expect([path, (await ask(method, `/endpoints/${ofPeople.id}${path}`, body)).status]).toEqual([path, 403])
  const { body } = await ask('GET', '/deliveries')
  expect(body.items).toHaveLength(2)
  for (const { id, webhook_event: event } of body.items) {
    expect([event.payload, event.is_archived]).toEqual([null, false])
    expect((await ask('GET', `/deliveries/${id}`)).body.request.body).toBeNull()
    const again = await ask('POST', `/events/${event.id}/redeliver`)
    expect([event.type, again.status]).toEqual([event.type, event.type === 'product.created' ? 202 : 403])
  }
  const { items: listed } = (await ask('GET', '/endpoints')).body
  expect(listed.find(({ id }: { id: string }) => id === ofPeople.id).secret).toMatch(/^whsec_…/)

  // The replay above has been delivered.
  await runJobs()
  // The scope of the object also opens the payload; for people, a token that may change the organization does.
  const reader = await asToken(seller, ['webhooks:write', 'products:read'])
  expect((await reader('PATCH', `/endpoints/${ofProducts.id}`, { name: 'Read' })).status).toBe(200)
  const { items } = (await reader('GET', '/deliveries')).body
  type Item = { webhook_event: { type: string; payload: string | null } }
  expect(items.map(({ webhook_event: event }: Item) => [event.type, event.payload !== null]).toSorted()).toEqual([
    ['invitation.created', false],
    ['product.created', true],
    ['product.created', true],
  ])
  expect((await seller.patch(`/webhooks/endpoints/${ofPeople.id}`, { name: 'People' })).status).toBe(200)
})

describe('deliveries are listed', () => {
  let seller: TestMerchant
  /** The messages by endpoint: each letter is an endpoint of its own. */
  const hooks: Record<string, { id: string; path: string }> = {}
  let created: string
  let updated: string
  let items: { id: string; endpoint_id: string; webhook_event: { id: string; type: string } }[]
  beforeAll(async () => {
    seller = await merchant()
    for (const name of ['failing', 'well', 'moved', 'silent']) hooks[name] = await endpoint(seller)
    sink.answer(hooks.failing!.path, () => 503)
    sink.answer(hooks.moved!.path, () => 302)
    sink.answer(hooks.silent!.path, (_, response) => {
      response.destroy()
      return undefined
    })
    created = server.clock.now().toISOString()
    const { body } = await product(seller, 'Übung')
    await runJobs()
    server.clock.advance(1)
    updated = server.clock.now().toISOString()
    await seller.patch(`/products/${body.id}`, { name: '100% sure' })
    await runJobs()
    items = (await seller.get('/webhooks/deliveries?limit=100')).body.items
  })

  type Items = typeof items
  const shown = (some: Items) =>
    some
      .map(({ endpoint_id, webhook_event: { type } }) => {
        const [name] = Object.entries(hooks).find(([, { id }]) => id === endpoint_id)!
        return type === 'product.created' ? name : `${name}, ${type}`
      })
      .toSorted()
  const last = () => items.find(({ webhook_event: { type } }) => type === 'product.updated')!

  const first = ['failing', 'moved', 'silent', 'well']
  const second = ['well, product.updated']
  test.each<[query: () => string, expected: string[]]>([
    [() => '', [...first, ...second]],
    [() => 'event_type=product.updated', second],
    [() => 'type=product.updated', second],
    [() => 'event_type=product.updated&event_type=product.created', [...first, ...second]],
    [() => 'event_type=product.updated&type=product.created', []],
    [() => 'http_code_class=2xx', ['well', ...second]],
    [() => 'http_code_class=3xx', ['moved']],
    [() => 'http_code_class=4xx', []],
    [() => 'http_code_class=5xx', ['failing']],
    [() => 'http_code_class=5xx&succeeded=true', []],
    [() => 'succeeded=false', ['failing', 'moved', 'silent']],
    [() => `endpoint_id=${hooks.well!.id}&endpoint_id=${hooks.moved!.id}`, ['moved', 'well', ...second]],
    [() => `start_timestamp=${updated}`, second],
    [() => `end_timestamp=${created}`, first],
    [() => `start_timestamp=${created}&end_timestamp=${updated}&event_type=product.updated`, second],
    [() => 'query=PRODUCT.UPD', second],
    [() => `query=${last().webhook_event.id}`, second],
    [() => `query=${last().id.toUpperCase()}`, second],
    [() => 'query=answered%20503', ['failing']],
    [() => `query=${encodeURIComponent('üBUNG')}`, first],
    [() => `query=${encodeURIComponent('üBUNG')}&http_code_class=2xx`, ['well']],
    [() => 'query=100%25%20SURE', second],
    [() => 'query=100_', []],
    [() => `query=${hooks.well!.path}`, []],
  ])('by a filter %#', async (query, expected) => {
    const { status, body } = await seller.get(`/webhooks/deliveries?limit=100&${query()}`)

    expect([status, shown(body.items)]).toEqual([200, expected])
    expect(body.pagination.total_count).toBe(expected.length)
  })

  test('page by page, also those in which a text is found', async () => {
    const texts: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = `query=product&limit=2&cursor=${encodeURIComponent(cursor)}`
      const { body } = await seller.get(`/webhooks/deliveries?${page}`)
      texts.push(...shown(body.items))
      cursor = body.pagination.next_cursor
    }

    expect(texts.toSorted()).toEqual([...first, ...second])
  })

  test('by no text that the caller may not read', async () => {
    const [reader, both] = [
      await asToken(seller, ['webhooks:read']),
      await asToken(seller, ['webhooks:read', 'products:read']),
    ]
    const found = async (ask: typeof reader, text: string) =>
      shown((await ask('GET', `/deliveries?query=${encodeURIComponent(text)}`)).body.items)

    expect(await found(reader, 'übung')).toEqual([])
    expect(await found(reader, 'product.created')).toEqual(first)
    expect(await found(both, 'übung')).toEqual(first)
  })

  test.each([
    ['event_type=product.vanished', 'event_type'],
    ['http_code_class=6xx', 'http_code_class'],
    ['http_code_class=2xx&http_code_class=3xx', 'http_code_class'],
    ['start_timestamp=yesterday', 'start_timestamp'],
    [`query=${'x'.repeat(257)}`, 'query'],
    ['query=%00', 'query'],
  ])('by nothing that makes no sense: %s', async (query, name) => {
    const { status, body } = await seller.get(`/webhooks/deliveries?${query}`)

    expect([status, body.detail?.[0]?.loc]).toMatchObject([422, ['query', name]])
  })

  test('by a text in the newest ten thousand, which may be those of a time', async () => {
    // Enough new ones to push the first ones out of the search window.
    const members = sql.raw(`organization_id, endpoint_id, message_id, event_id, type, attempt, url, format, succeeded,
      http_code, duration_ms, request_headers, response, response_headers, created_at`)
    await ctx().transaction((tx) =>
      sql`
        insert into webhook_attempt (id, ${members})
        with recursive copy(number) as (select 1 union all select number + 1 from copy where number < 9999)
        select 'copy-' || cast(number as text), ${members} from copy cross join webhook_attempt where id = ${last().id}
      `.execute(tx.withoutPlugins()),
    )
    const found = async (query: string) => {
      const { body } = await seller.get(`/webhooks/deliveries?limit=100&query=${encodeURIComponent('übung')}${query}`)
      return body.pagination.total_count
    }

    expect(await found('')).toBe(0)
    expect(await found(`&end_timestamp=${created}`)).toBe(4)
    expect((await seller.get('/webhooks/deliveries?query=product.updated')).body.pagination.total_count).toBe(10_000)
  })
})

test("another user's endpoints and deliveries do not exist", async () => {
  const [seller, other] = [await merchant(), await merchant()]
  const hook = await endpoint(seller)
  await product(seller)
  await runJobs()
  const { body } = await seller.get('/webhooks/deliveries')
  const [delivery] = body.items
  expect((await seller.get(`/webhooks/deliveries/${delivery.id}`)).status).toBe(200)

  const path = `/webhooks/endpoints/${hook.id}`
  const answers = [
    await other.get(path),
    await other.patch(path, { url: 'https://example.com/' }),
    await other.patch(`${path}/secret`),
    await other.delete(path),
    await other.post(`${path}/test`),
    await other.post(`${path}/replay`, { since: '2026-01-01T00:00:00Z' }),
    await other.get(`/webhooks/deliveries/${delivery.id}`),
    await other.post(`/webhooks/events/${delivery.webhook_event.id}/redeliver`),
    await other.post(`/webhooks/events/${delivery.webhook_event.id}/redeliver`, { endpoint_id: hook.id }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await other.get('/webhooks/endpoints')).body.items).toEqual([])
  expect((await other.get(`/webhooks/deliveries?endpoint_id=${hook.id}`)).body.items).toEqual([])
})

test('a deleted endpoint is gone from everywhere, and is sent nothing that waits', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  sink.answer(hook.path, () => 500)
  await product(seller)
  await runJobs()
  expect((await seller.delete(`/webhooks/endpoints/${hook.id}`)).status).toBe(204)
  server.clock.advance(minutes(6))
  await runJobs()
  expect(sink.at(hook.path)).toHaveLength(1)
  expect((await seller.get(`/webhooks/endpoints/${hook.id}`)).status).toBe(404)
  expect((await seller.delete(`/webhooks/endpoints/${hook.id}`)).status).toBe(404)
  expect((await seller.get('/webhooks/endpoints')).body.items).toEqual([])
})

test('a delivery follows the endpoint’s changes; an empty change changes nothing', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const unchanged = await seller.patch(`/webhooks/endpoints/${hook.id}`, {})
  expect(unchanged.body).toEqual((await seller.get(`/webhooks/endpoints/${hook.id}`)).body)
  expect(unchanged.body.modified_at).toBeNull()
  const changed = await seller.patch(`/webhooks/endpoints/${hook.id}`, {
    url: `${sink.origin}/elsewhere`,
    name: 'Books',
    events: ['product.updated', 'product.updated'],
  })
  expect(changed.body).toMatchObject({ url: `${sink.origin}/elsewhere`, name: 'Books', events: ['product.updated'] })
  const { body } = await product(seller)
  await seller.patch(`/products/${body.id}`, { name: 'Another' })
  await runJobs()
  expect(sink.at(hook.path)).toEqual([])
  expect(types(sink.at('/elsewhere'))).toEqual(['product.updated'])
})

test('a delivery shows its request and its answer', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  sink.answer(hook.path, (_, response) => {
    response.writeHead(200, { 'x-receiver': 'here' }).end('thanks\0')
    return undefined
  })
  await product(seller)
  await runJobs()
  const { body: list } = await seller.get(`/webhooks/deliveries?succeeded=true&endpoint_id=${hook.id}`)
  expect((await seller.get(`/webhooks/deliveries?succeeded=false&endpoint_id=${hook.id}`)).body.items).toEqual([])
  const { body } = await seller.get(`/webhooks/deliveries/${list.items[0].id}`)
  const [received] = sink.at(hook.path)
  expect(body.request.url).toBe(sink.origin + hook.path)
  expect(body.request).toMatchObject({ body: received!.raw, is_redacted: false })
  expect(body.request.headers).toMatchObject({
    'webhook-id': received!.id,
    'webhook-signature': received!.headers['webhook-signature'],
  })
  expect(body).toMatchObject({ response: 'thanks\uFFFD', response_headers: { 'x-receiver': 'here' }, attempt: 1 })
  expect(body.webhook_event).toMatchObject({ id: received!.id, succeeded: true, payload: received!.raw })

  // As it was sent, even if the endpoint has changed since.
  await seller.patch(`/webhooks/endpoints/${hook.id}`, { format: 'slack' })
  const later = await seller.get(`/webhooks/deliveries/${list.items[0].id}`)
  expect(later.body.request.body).toBe(received!.raw)
})

test('an event is sent again when a user asks, with the same id; one that waits is sent now', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const second = await endpoint(seller)
  await product(seller)
  await runJobs()
  const [received] = sink.at(hook.path)
  const all = await seller.post(`/webhooks/events/${received!.id}/redeliver`)
  expect(all.status).toBe(202)
  expect(all.body).toMatchObject({ id: received!.id, succeeded: null, attempts: 1 })
  await runJobs()
  await seller.post(`/webhooks/events/${received!.id}/redeliver`, { endpoint_id: second.id })
  await runJobs()
  expect(sink.at(hook.path).map(({ raw }) => raw)).toEqual([received!.raw, received!.raw])
  expect(sink.at(second.path)).toHaveLength(3)
  expect((await seller.post('/webhooks/events/unknown/redeliver')).status).toBe(404)

  await seller.patch(`/webhooks/endpoints/${second.id}`, { enabled: false })
  const off = await seller.post(`/webhooks/events/${received!.id}/redeliver`, { endpoint_id: second.id })
  expect(off.status).toBe(422)
})

test('a test sends the newest event of a kind to this endpoint alone, or an example of its shape', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller, { events: ['order.paid', 'product.created'] })
  const other = await endpoint(seller, { events: ['order.paid'] })
  const example = await seller.post(`/webhooks/endpoints/${hook.id}/test`)
  expect(example.status).toBe(202)
  await runJobs()
  const [sent] = sink.at(hook.path)
  expect(sent!.body.type).toBe('order.paid')
  expect(sent!.id).toMatch(/^example_/)
  expect(sent!.body.data).toMatchObject({ currency: 'usd', status: expect.any(String), items: [] })
  expect(sink.at(other.path)).toEqual([])

  const { body } = await product(seller)
  await runJobs()
  const newest = await seller.post(`/webhooks/endpoints/${hook.id}/test`, { type: 'product.created' })
  await runJobs()
  expect(sink.at(hook.path).at(-1)!.body.data.id).toBe(body.id)
  expect(newest.body.id).toBe(sink.at(hook.path).at(-1)!.id)
  for (const type of webhookEventTypes) {
    const path = `/v1/webhooks/endpoints/${hook.id}/test?organization_id=${seller.organizationId}`
    expect((await seller.owner.request('POST', path, { body: { type } })).status).toBe(202)
  }
  await runJobs()
  expect((await state(seller, hook.id)).pending_count).toBe(0)
  await seller.patch(`/webhooks/endpoints/${hook.id}`, { enabled: false })
  expect((await seller.post(`/webhooks/endpoints/${hook.id}/test`)).status).toBe(422)
})

test('events since a moment are sent again in order, page by page, and in bounds', async () => {
  const seller = await merchant()
  for (let made = 0; made < 3; made += 1) await product(seller, `Book ${made}`)
  server.clock.advance(hours(1))
  const since = server.clock.now().toISOString()
  for (let made = 3; made < 6; made += 1) await product(seller, `Book ${made}`)
  const { rows } = await manyEvents(seller, 450)
  const hook = await endpoint(seller)
  expect((await seller.post(`/webhooks/endpoints/${hook.id}/replay`, { since })).body).toEqual({ count: 3 + rows })
  await runJobs()
  const told = sink.at(hook.path)
  expect(told).toHaveLength(3 + rows)
  const written = await ctx()
    .db.selectFrom('webhookMessage')
    .select('eventId')
    .where('endpointId', '=', hook.id)
    .orderBy('sequence')
    .execute()
  expect(written.map(({ eventId }) => eventId)).toEqual(told.map(({ id }) => id).sort())
  expect(new Set(told.map(({ id }) => id)).size).toBe(3 + rows)

  const none = await seller.post(`/webhooks/endpoints/${hook.id}/replay`, { since, only_failed: true })
  await runJobs()
  expect([none.status, none.body]).toEqual([202, { count: 0 }])
  expect(sink.at(hook.path)).toHaveLength(3 + rows)
  const until = await seller.post(`/webhooks/endpoints/${hook.id}/replay`, {
    since: '2026-01-01T00:00:00Z',
    until: since,
  })
  expect(until.body.count).toBeGreaterThanOrEqual(3)
})

test.each([
  [true, ['failed', 'skipped', 'never told']],
  [false, ['failed', 'skipped', 'never told', 'succeeded']],
])('with the filter for failures (%s), the count equals the number sent', async (onlyFailed, wanted) => {
  const seller = await merchant()
  server.clock.advance(minutes(1))
  const since = server.clock.now().toISOString()
  const hook = await endpoint(seller, { events: ['product.created'] })
  const made = ['failed', 'skipped', 'never told', 'succeeded'] as const
  for (const name of made) await product(seller, name)
  await runJobs()
  const messages = () =>
    ctx().db.selectFrom('webhookMessage').select(['id', 'eventId']).where('endpointId', '=', hook.id)
  for (const [at, { id }] of (await messages().orderBy('sequence').execute()).entries())
    await ctx().transaction(async (tx) => {
      const state = made[at]
      if (state === undefined || state === 'never told')
        await tx.deleteFrom('webhookMessage').where('id', '=', id).execute()
      else await tx.updateTable('webhookMessage').set({ state }).where('id', '=', id).execute()
    })
  const before = sink.at(hook.path).length

  const asked = await seller.post(`/webhooks/endpoints/${hook.id}/replay`, { since, only_failed: onlyFailed })
  await runJobs()

  expect([asked.status, asked.body]).toEqual([202, { count: wanted.length }])
  const told = sink.at(hook.path).slice(before)
  expect(told.map(({ body }) => body.data.name).toSorted()).toEqual(wanted.toSorted())
})

/** Update events of this many products, written at once. */
async function manyEvents(seller: TestMerchant, rows: number) {
  const now = server.clock.now()
  const prefix = now.getTime().toString(36).padStart(9, '0')
  const events = Array.from({ length: rows }, (_, index) => ({
    id: `${prefix}zzzz${String(index).padStart(6, '0')}${seller.slug}`,
    type: 'product.updated',
    actorId: null,
    userId: null,
    organizationId: null,
    merchantId: seller.organizationId,
    subjectId: `subject ${index % 20}`,
    payload: JSON.stringify({ id: `subject ${index % 20}`, index }),
    data: null,
    createdAt: now,
  }))
  await ctx().transaction((tx) => tx.insertInto('event').values(events).execute())
  return { rows }
}

test('of many that wait some are sent at once, and those of one object in their order', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  const { rows } = await manyEvents(seller, 300)
  sink.answer(hook.path, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2))
    return 204
  })
  await seller.post(`/webhooks/endpoints/${hook.id}/replay`, { since: server.clock.now().toISOString() })
  await runJobs()
  const told = sink.at(hook.path)
  expect(told).toHaveLength(rows)
  expect(Math.max(...told.map(({ atOnce }) => atOnce))).toBeGreaterThan(1)
  for (let subject = 0; subject < 20; subject += 1) {
    const order = told.filter(({ body }) => body.data.id === `subject ${subject}`).map(({ body }) => body.data.index)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  }
})

test.each([
  [
    'discord',
    {
      content: expect.stringContaining('**The product A book was created** · <http'),
      allowed_mentions: { parse: [] },
    },
  ],
  [
    'slack',
    expect.objectContaining({ text: expect.stringMatching(/^\*The product A book was created\* <http.*\|Open>$/) }),
  ],
])('%s gets a line that people read', async (format, message) => {
  const seller = await merchant()
  const hook = await endpoint(seller, { format })
  const { body } = await product(seller)
  await product(seller, '@everyone <!channel> [x](http://evil.example)')
  await runJobs()
  const [first, second] = sink.at(hook.path)
  expect(first!.body).toEqual(message)
  expect(first!.raw).toContain(`${server.baseURL}/dashboard/${seller.slug}/products/${body.id}`)
  expect(second!.raw).not.toContain('<!channel>')
  expect(second!.raw).not.toContain(format === 'discord' ? ' @everyone' : '<http://evil')
})

test('an organization has at most fifty endpoints, however many concurrent calls create one', async () => {
  const seller = await merchant()
  const asked = { url: 'http://127.0.0.1:9/', events: [] }
  for (let made = 0; made < 48; made += 1) await seller.post('/webhooks/endpoints', asked)
  const answers = await Promise.all(Array.from({ length: 4 }, () => seller.post('/webhooks/endpoints', asked)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
  const { body } = await seller.get('/webhooks/endpoints?limit=100')
  expect(body.pagination.total_count).toBe(50)
})

test.each([
  [{ url: 'ftp://example.com/' }, '422 url'],
  [{ url: 'https://ada:secret@example.com/' }, '422 url'],
  [{ url: 'https://example.com:25/' }, '422 url'],
  [{ url: 'not an address' }, '422 url'],
  [{ format: 'telegram' }, '422 format'],
  [{ events: ['order.eaten'] }, '422 events.0'],
])('an endpoint of %j is refused', async (given, refusal) => {
  const answer = await shop.post('/webhooks/endpoints', { url: 'https://example.com/', events: [], ...given })
  expect(wrongAt(answer)).toBe(refusal)
})

test('an organization’s endpoints get events about its people; only administrators’ endpoints get those about accounts', async () => {
  const seller = await merchant()
  const own = await endpointOfMember(seller, webhookEventTypes)
  const asked = { url: `${sink.origin}/installation`, events: [...webhookEventTypes], coversInstallation: true }
  const wire = {
    url: asked.url,
    events: asked.events,
    covers_installation: true,
    organization_id: seller.organizationId,
  }
  // Neither a token nor a member may cover the installation.
  expect((await seller.post('/webhooks/endpoints', wire)).status).toBe(403)
  expect((await seller.owner.request('POST', '/v1/webhooks/endpoints', { body: wire })).status).toBe(403)
  expect((await seller.patch(`/webhooks/endpoints/${own.id}`, { covers_installation: true })).status).toBe(403)
  const { api } = server.tollgate
  const covering = await api.createWebhookEndpoint({ body: { ...asked, organizationId: seller.organizationId } })

  const ada = await server.signedUp('Ada')
  const company = await ada.post('/organization/create', { name: 'Company', slug: `company-${endpoints}` })
  await ada.post('/organization/update', { organizationId: company.body.id, data: { name: 'Renamed' } })
  await seller.patch(`/organizations/${seller.organizationId}`, { name: 'Renamed, too' })
  await seller.owner.post('/organization/invite-member', {
    organizationId: seller.organizationId,
    email: 'invited@example.com',
    role: 'member',
  })
  await runJobs()

  const toOwn = sink.at(own.path)
  expect(types(toOwn).toSorted()).toEqual(['invitation.created', 'organization.changed', 'organization.updated'])
  expect(toOwn.find(({ body }) => body.type === 'organization.updated')!.body.data.name).toBe('Renamed, too')
  expect(toOwn.find(({ body }) => body.type === 'invitation.created')!.body.data).toMatchObject({
    organization_id: seller.organizationId,
    actor_id: seller.owner.id,
    details: { email: 'invited@example.com', role: 'member' },
    organization: { id: seller.organizationId, slug: seller.slug },
  })
  const toAll = sink.at('/installation')
  expect(types(toAll)).toEqual(
    expect.arrayContaining([
      'user.created',
      'session.created',
      'organization.created',
      'member.added',
      'invitation.created',
    ]),
  )
  const created = toAll.find(({ body }) => body.type === 'user.created')!
  expect(created.body.data.user).toMatchObject({ id: ada.id, email: ada.email, name: 'Ada' })
  expect(toAll.find(({ body }) => body.type === 'organization.created')!.body.data.organization.id).toBe(
    company.body.id,
  )
  const changed = toAll.filter(({ body }) => body.type === 'organization.changed')
  expect(changed.map(({ body }) => body.data.organization.name).toSorted()).toEqual(['Renamed', 'Renamed, too'])
  expect(changed[0]!.body.data).toMatchObject({ user: null, details: expect.any(Object) })
  for (const { raw } of toAll) expect(raw).not.toMatch(/password|ip_?address|user_?agent|token/i)

  // A caller without the right can neither redirect it nor read its deliveries.
  const path = `/webhooks/endpoints/${covering.id}`
  expect((await seller.patch(path, { url: 'https://example.com/' })).status).toBe(403)
  expect((await seller.patch(`${path}/secret`)).status).toBe(403)
  expect((await seller.post(`${path}/test`, { type: 'user.created' })).status).toBe(403)
  expect((await seller.post(`${path}/replay`, { since: '2026-01-01T00:00:00Z' })).status).toBe(403)
  expect((await seller.get(path)).body.secret).toMatch(/^whsec_…/)
  expect((await seller.get(`/webhooks/deliveries?endpoint_id=${covering.id}`)).body.items).toEqual([])
  const answered = await api.listWebhookDeliveries({
    query: { organizationId: seller.organizationId, endpointId: covering.id },
  })
  expect(answered.items.length).toBeGreaterThan(0)

  // A replay builds their payload anew from the record.
  const before = sink.at('/installation').length
  const { count } = await api.replayWebhookEvents({
    params: { id: covering.id },
    query: { organizationId: seller.organizationId },
    body: { since: '2026-01-01T00:00:00Z' },
  })
  await runJobs()
  expect(sink.at('/installation')).toHaveLength(before + count)
  const raws = (ofType: string) =>
    sink.at('/installation').flatMap(({ body, raw, id }) => (body.type === ofType ? [id + raw] : []))
  expect(new Set(raws('organization.changed')).size).toBe(2)
  expect(new Set(raws('organization.created').filter((raw) => raw.includes(company.body.id))).size).toBe(1)
  await api.deleteWebhookEndpoint({ params: { id: covering.id }, query: { organizationId: seller.organizationId } })
})

test('an administrator who is a member may let an endpoint hear of every user, and change it; demoted, no longer', async () => {
  const seller = await merchant()
  const asRole = (role: string | null) =>
    ctx().transaction((tx) => tx.updateTable('user').set({ role }).where('id', '=', seller.owner.id).execute())
  const ask = (method: string, path: string, body: object) =>
    seller.owner.request(method, `/v1/webhooks/endpoints${path}?organization_id=${seller.organizationId}`, { body })
  const hook = await endpoint(seller)
  await asRole('admin')
  const covering = await ask('PATCH', `/${hook.id}`, { covers_installation: true })
  expect([covering.status, covering.body.covers_installation]).toEqual([200, true])
  expect((await ask('PATCH', `/${hook.id}`, { name: 'Everybody' })).status).toBe(200)

  // Its history would be open to the organization, and could be sent elsewhere.
  const uncovering = await ask('PATCH', `/${hook.id}`, { covers_installation: false })
  expect(wrongAt(uncovering)).toBe('422 covers_installation')
  expect((await state(seller, hook.id)).covers_installation).toBe(true)
  const other = await endpoint(seller)
  expect((await ask('PATCH', `/${other.id}`, { covers_installation: false })).status).toBe(200)

  await asRole(null)
  expect((await ask('PATCH', `/${hook.id}`, { url: 'https://example.com/' })).status).toBe(403)
  expect((await ask('PATCH', `/${hook.id}/secret`, {})).status).toBe(403)
})

test('sent deliveries are removed with the events of their time', async () => {
  const seller = await merchant()
  const hook = await endpoint(seller)
  await product(seller)
  await runJobs()
  expect((await seller.get('/webhooks/deliveries')).body.items).toHaveLength(1)
  server.clock.advance(days(399))
  await runJobs()
  expect((await seller.get('/webhooks/deliveries')).body.items).toHaveLength(1)
  server.clock.advance(days(2))
  await runJobs()
  expect((await seller.get('/webhooks/deliveries')).body.items).toEqual([])
  const left = await ctx().db.selectFrom('webhookMessage').select('id').where('endpointId', '=', hook.id).execute()
  expect(left).toEqual([])
})
