import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { forgetCheckouts } from '../checkout/checkout.repository.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { openSink, type Sink } from '../testing/sink.ts'
import { deleteEventsOfSeller } from '../timeline/timeline.repository.ts'
import { updateEndpointRow } from './webhook-endpoint.repository.ts'
import { skipPending } from './webhook-message.repository.ts'

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
const ofOrder = ['order.created', 'order.updated', 'order.paid'] as const

const rowsOf = (subjectId: string) =>
  ctx()
    .db.selectFrom('event')
    .select(['id', 'type', 'payload', 'payloadOf'])
    .where('subjectId', '=', subjectId)
    .orderBy('id')
    .execute()

async function endpoint(path: string) {
  const asked = { url: sink.origin + path, events: ofOrder }
  return (await shop.post('/webhooks/endpoints', asked)).body.id as string
}

test('one body of a change is stored once, and every delivery of its events has it', async () => {
  const hook = await endpoint('/orders')
  const { order } = await shop.buy(await shop.product([fixedPrice(4900)]))
  await ctx().jobs.runDue()

  const rows = await rowsOf(order.id)
  expect(rows.map(({ type }) => type)).toEqual(ofOrder)
  expect(rows.map(({ payload, payloadOf }) => [payload !== null, payloadOf])).toEqual([
    [true, null],
    [false, rows[0]!.id],
    [false, rows[0]!.id],
  ])
  const body = rows[0]!.payload!
  const timestamp = server.clock.now().toISOString()
  const sent = rows.map(({ id, type }) => [id, `{"type":"${type}","timestamp":"${timestamp}","data":${body}}`])
  expect(sink.at('/orders').map(({ id, raw }) => [id, raw])).toEqual(sent)

  // The views of a delivery, the search in them, and a second delivery have it too.
  const found = await shop.get(`/webhooks/deliveries?endpoint_id=${hook}&query=${order.id}`)
  expect(found.body.items.map((item: { webhook_event: { id: string } }) => item.webhook_event.id).toSorted()).toEqual(
    rows.map(({ id }) => id),
  )
  for (const { id } of found.body.items) {
    const { body: shown } = await shop.get(`/webhooks/deliveries/${id}`)
    expect(shown.request.body).toBe(sent.find(([event]) => event === shown.webhook_event.id)?.[1])
  }
  const paid = rows[2]!.id
  expect((await shop.post(`/webhooks/events/${paid}/redeliver`, {})).body.payload).toBe(sent[2]![1])
  await ctx().jobs.runDue()
  expect(sink.at('/orders').at(-1)?.raw).toBe(sent[2]![1])
})

/** What a process of the version before does with messages whose event has no body of its own. */
const skippedBefore = (endpointId: string) =>
  ctx().transaction(async (tx) => {
    const pending = await tx
      .selectFrom('webhookMessage')
      .innerJoin('event', 'event.id', 'webhookMessage.eventId')
      .select('webhookMessage.id')
      .where('webhookMessage.endpointId', '=', endpointId)
      .where('webhookMessage.state', '=', 'pending')
      .where('event.payload', 'is', null)
      .execute()
    const ids = pending.map(({ id }) => id)
    await skipPending(tx, endpointId, server.clock.now(), ids)
    return ids.length
  })

test('what a process of the version before has skipped is sent by the next sweep, once', async () => {
  const hook = await endpoint('/skipped')
  // Nothing is sent before the other process has had its turn.
  const resumeAt = new Date(server.clock.now().getTime() + minutes(1))
  await ctx().transaction((tx) => updateEndpointRow(tx, hook, { resumeAt }))
  await shop.buy(await shop.product([fixedPrice(4900)]))
  expect(await skippedBefore(hook)).toBe(2)
  server.clock.advance(minutes(1))
  await ctx().jobs.runDue()
  expect(sink.at('/skipped').map(({ body }) => body.type)).toEqual(['order.created'])

  for (let sweeps = 0; sweeps < 2; sweeps += 1) {
    server.clock.advance(hours(1))
    await ctx().jobs.runDue()
  }

  expect(sink.at('/skipped').map(({ body }) => body.type)).toEqual(ofOrder)
  expect(sink.at('/skipped')[2]?.body.data.amount).toBe(4900)
})

test('what was skipped while an endpoint was off is left to a replay', async () => {
  const hook = await endpoint('/off')
  const resumeAt = new Date(server.clock.now().getTime() + minutes(1))
  await ctx().transaction((tx) => updateEndpointRow(tx, hook, { resumeAt }))
  await shop.buy(await shop.product([fixedPrice(4900)]))
  await shop.patch(`/webhooks/endpoints/${hook}`, { enabled: false })
  await ctx().jobs.runDue()
  await shop.patch(`/webhooks/endpoints/${hook}`, { enabled: true })

  server.clock.advance(hours(1))
  await ctx().jobs.runDue()

  expect(sink.at('/off')).toEqual([])
})

test('a timeline shows the amounts of events without a body of their own', async () => {
  const { order } = await shop.buy(await shop.product([fixedPrice(3100)]))

  const { body } = await shop.get(`/timeline?customer_id=${order.customer_id}&type=${ofOrder.join('&type=')}`)

  type Item = { type: string; data: { amount: number } }
  expect(body.items.map(({ type, data }: Item) => [type, data.amount])).toEqual(
    ofOrder.toReversed().map((type) => [type, order.total_amount]),
  )
})

test('events of different bodies keep their own', async () => {
  const id = await shop.product([fixedPrice(100)])
  await shop.patch(`/products/${id}`, { name: 'Another' })

  expect((await rowsOf(id)).map(({ payload, payloadOf }) => [payload !== null, payloadOf])).toEqual([
    [true, null],
    [true, null],
  ])
})

test('no slice of a deletion takes a body away from an event that stays', async () => {
  const other = await createShop(server)
  const product = await other.product([fixedPrice(4900)], 'month')
  for (let bought = 0; bought < 3; bought += 1) {
    server.clock.advance(1)
    await other.buy(product)
  }
  const left = () =>
    ctx().db.selectFrom('event').select(['id', 'payloadOf']).where('merchantId', '=', other.organizationId).execute()
  const before = new Date(server.clock.now().getTime() + days(1))
  expect((await left()).filter(({ payloadOf }) => payloadOf !== null).length).toBeGreaterThan(5)

  for (let deleted = 1; deleted > 0; ) {
    deleted = await ctx().transaction((tx) => deleteEventsOfSeller(tx, other.organizationId, before, 2))
    const events = await left()
    const ids = new Set(events.map(({ id }) => id))
    expect(events.filter(({ payloadOf }) => payloadOf !== null && !ids.has(payloadOf))).toEqual([])
  }

  expect(await left()).toEqual([])
})

test('a forgotten checkout takes all its events with it, and no body of another', async () => {
  const product = await shop.product([fixedPrice(4900)])
  const [left, kept] = [await shop.checkout(product), await shop.checkout(product)]
  server.clock.advance(days(2))
  await ctx().jobs.runDue()
  const now = server.clock.now()
  expect((await rowsOf(left.id)).some(({ payloadOf }) => payloadOf !== null)).toBe(true)
  const before = await rowsOf(kept.id)

  await ctx().transaction(async (tx) => {
    await tx.updateTable('checkout').set({ forgetAt: now }).where('id', '=', left.id).execute()
    expect(await forgetCheckouts(tx, now, 10)).toBe(1)
  })

  expect(await rowsOf(left.id)).toEqual([])
  expect(await rowsOf(kept.id)).toEqual(before)
  expect(before.map(({ payload, payloadOf }) => payload !== null || before.some(({ id }) => id === payloadOf))).toEqual(
    before.map(() => true),
  )
})
