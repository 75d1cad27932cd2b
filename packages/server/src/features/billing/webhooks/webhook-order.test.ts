import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { openSink, type Sink } from '../testing/sink.ts'

/** WH-5: messages of one object arrive in order, and messages of other objects do not wait for them. */
let server: TestServer
let sink: Sink

beforeAll(async () => {
  server = await createTestServer()
  sink = await openSink()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const runJobs = () => ctx().jobs.runDue()
const now = () => server.clock.now().getTime()
const runAfter = async (milliseconds: number) => {
  server.clock.advance(milliseconds)
  await runJobs()
}

let endpoints = 0

/** A seller with products, and an endpoint for every change: `change` renames a product. */
async function changing(products: number) {
  const seller = await createTestMerchant(server)
  const ids: string[] = []
  for (let made = 0; made < products; made += 1) {
    const { body } = await seller.post('/products', {
      name: 'New',
      recurring_interval: null,
      prices: [fixedPrice(100)],
    })
    ids.push(body.id)
  }
  endpoints += 1
  const path = `/order-${endpoints}`
  const asked = { url: sink.origin + path, events: ['product.updated'] }
  const { body: hook } = await seller.post('/webhooks/endpoints', asked)
  return {
    path,
    hookId: hook.id as string,
    change: async (product: number, name: string) =>
      expect((await seller.patch(`/products/${ids[product]}`, { name })).status).toBe(200),
    told: () => sink.at(path).map(({ body }) => body.data.name as string),
    state: async () => (await seller.get(`/webhooks/endpoints/${hook.id}`)).body,
    deliveries: async (): Promise<{ succeeded: boolean; webhook_event: { failing_since: string | null } }[]> =>
      (await seller.get(`/webhooks/deliveries?endpoint_id=${hook.id}&limit=100`)).body.items,
  }
}

/** Whether an endpoint rests at this time after many consecutive failures. */
async function rests(endpointId: string): Promise<boolean> {
  const [row] = await ctx().db.selectFrom('webhookEndpoint').select('resumeAt').where('id', '=', endpointId).execute()
  return row!.resumeAt !== null && row!.resumeAt > server.clock.now()
}

test('later events of an object wait for one that has failed, for a minute at most, and then go on', async () => {
  const { path, change, told, state } = await changing(2)
  sink.answer(path, ({ body }) => (body.data.name === 'first' ? 500 : 204))
  await change(0, 'first')
  await runJobs()
  // Its next attempt fails again, for five minutes; other messages do not wait for it.
  await change(0, 'second')
  await change(1, 'of another')
  await runAfter(seconds(6))
  expect(told()).toEqual(['first', 'first', 'of another'])
  expect((await state()).pending_count).toBe(2)

  await runAfter(seconds(53))
  expect(told()).toHaveLength(3)
  await runAfter(seconds(1))
  expect(told().slice(3)).toEqual(['second'])
  sink.answer(path, () => 204)
  await runAfter(minutes(6))
  expect(told().slice(4)).toEqual(['first'])
  expect(await state()).toMatchObject({ pending_count: 0, failing_since: null })
})

test('an order’s events are sent in their order, however old it was when the first attempt failed', async () => {
  const shop = await createShop(server)
  const events = ['order.created', 'order.updated', 'order.paid']
  await shop.post('/webhooks/endpoints', { url: `${sink.origin}/old`, events })
  let failures = 1
  sink.answer('/old', () => (failures-- > 0 ? 500 : 204))
  const product = await shop.product([fixedPrice(1000)])
  await shop.buy(product)
  await runAfter(hours(2))
  await runAfter(seconds(6))

  expect(sink.at('/old').map(({ body }) => body.type)).toEqual(['order.created', ...events])
})

test('an event that a receiver always refuses delays nothing else, and is reported as stuck', async () => {
  const { path, change, told, state, deliveries } = await changing(2)
  sink.answer(path, ({ body }) => (body.data.name === 'poison' ? 500 : 204))
  await change(0, 'poison')
  const begun = server.clock.now().toISOString()
  await runJobs()
  expect(await state()).toMatchObject({ stuck_count: 0, stuck_since: null })
  for (const wait of [seconds(6), minutes(6), minutes(35)]) await runAfter(wait)
  const before = told().length
  await change(1, 'fine')
  await change(0, 'later')
  await runJobs()

  expect(told().slice(before)).toEqual(['fine', 'later'])
  expect(await state()).toMatchObject({ pending_count: 1, stuck_count: 1, stuck_since: begun, failing_since: null })
  const shown = await deliveries()
  expect(shown.map((each) => [each.succeeded, each.webhook_event.failing_since]).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => [false, begun]),
    [true, null],
    [true, null],
  ])

  sink.answer(path, () => 204)
  await runAfter(hours(3))
  expect(await state()).toMatchObject({ pending_count: 0, stuck_count: 0, stuck_since: null })
  expect((await deliveries()).filter(({ webhook_event: event }) => event.failing_since !== null)).toEqual([])
})

test('events in an organization are sent in their order, too', async () => {
  const { organizationId, owner } = await createTestMerchant(server)
  const asked = { url: `${sink.origin}/people`, events: ['invitation.created'], organization_id: organizationId }
  expect((await owner.request('POST', '/v1/webhooks/endpoints', { body: asked })).status).toBe(201)
  const invite = (email: string) => owner.post('/organization/invite-member', { organizationId, email, role: 'member' })
  let failures = 1
  sink.answer('/people', () => (failures-- > 0 ? 500 : 204))
  const invited = ['one@example.com', 'two@example.com', 'three@example.com']
  for (const email of invited) await invite(email)
  await runAfter(minutes(3))
  await runAfter(seconds(6))

  expect(sink.at('/people').map(({ body }) => body.data.details.email)).toEqual([invited[0], ...invited])
})

/** One run of the next test: the changes, the time of each delivery, and the response to each attempt. */
const story = fc.record({
  steps: fc.array(
    fc.record({
      changed: fc.array(fc.nat(2), { maxLength: 4 }),
      wait: fc.constantFrom(0, seconds(4), seconds(20), seconds(61), minutes(6)),
    }),
    { minLength: 4, maxLength: 10 },
  ),
  answers: fc.array(fc.constantFrom(204, 204, 204, 500), { minLength: 7, maxLength: 40 }),
})

test('after any failure, however old, an event overtakes one of its own object only after a minute, and never waits for another object', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ steps, answers }) => {
      const { path, hookId, change, told } = await changing(3)
      /** The names of each object in order; and when each name first failed and was delivered. */
      const names: string[][] = [[], [], []]
      const failedAt = new Map<string, number>()
      const cameThrough = new Set<string>()
      const holds = (name: string) => !cameThrough.has(name) && (failedAt.get(name) ?? 0) > now() - minutes(1)
      const before = (name: string) => {
        const all = names[Number(name[0])]!
        return all.slice(0, all.indexOf(name))
      }
      let attempts = 0
      let isMended = false
      const overtaken: string[] = []
      sink.answer(path, ({ body }) => {
        const name: string = body.data.name
        overtaken.push(
          ...before(name)
            .filter((each) => !cameThrough.has(each) && (holds(each) || !failedAt.has(each)))
            .map((each) => `${each} by ${name}`),
        )
        // The receiver always rejects one of them.
        const answer = name === '0 event 1' ? 500 : answers[attempts++ % answers.length]!
        const status = isMended ? 204 : answer
        if (status === 204) cameThrough.add(name)
        else if (!failedAt.has(name)) failedAt.set(name, now())
        return status
      })
      server.clock.advance(minutes(2))
      for (const { changed, wait } of steps) {
        for (const object of changed) {
          const name = `${object} event ${names[object]!.length}`
          names[object]!.push(name)
          await change(object, name)
        }
        await runAfter(wait)
        if (await rests(hookId)) continue
        const waiting = names.flat().filter((name) => !told().includes(name))
        expect(waiting.filter((name) => !before(name).some(holds))).toEqual([])
      }
      isMended = true
      await runAfter(hours(10))
      expect(overtaken).toEqual([])
      expect(names.flat().filter((name) => !cameThrough.has(name))).toEqual([])
    }),
    { numRuns: 8 },
  )
})
