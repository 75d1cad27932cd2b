import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { reconcileRefundJobId } from '../refund/settle-refund.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { chances } from '../testing/chances.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'
import { type StripeEvent, sendFromStripe, tellAtRandom } from '../testing/stripe-story.ts'

/**
 * The refunds of one purchase, with events in many orders (security, F-dup, F-reorder, F-refund): one by this server
 * that succeeds and comes back later, one made at Stripe, and one made there that takes its time. Each round begins
 * when the first was just requested; all must end alike.
 */
let stripe: StripeServer
let server: TestServer
let shop: Shop
let orderId: string
let ours: { id: string; there: string }
let atOnce: string
let slow: string
let events: StripeEvent[]

/** The refunds at Stripe after each step; the immediate one exists from the second step on. */
const steps = [
  { ours: 'pending', slow: undefined },
  { ours: 'pending', slow: undefined },
  { ours: 'succeeded', slow: 'pending' },
  { ours: 'succeeded', slow: 'succeeded' },
  { ours: 'failed', slow: 'succeeded' },
] as const

/** The step after which an event can be sent. */
const madeBy = ({ data: { object } }: StripeEvent): number =>
  object.id === ours.there
    ? steps.findIndex((step) => step.ours === object.status)
    : object.id === slow
      ? steps.findIndex((step) => step.slow === object.status)
      : 1

const ctx = () => server.tollgate.internals.ctx

beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer({}, { fetch: stripe.fetch, env: stripeTestKeys })
  shop = await createShop(server)
  const checkout = await shop.checkout(await shop.product([fixedPrice(1900)]))
  await shop.confirm(checkout, { confirmation_token_id: stripe.token('renewal') }) // refunds of this card take their time
  const [order] = await shop.ordersOf(checkout)
  const intent = stripe.intentOf((await shop.paymentsOf(checkout))[0].id)
  orderId = order.id
  await ctx().jobs.runDue()

  const before = stripe.events.length
  const { body } = await shop.post('/refunds', { order_id: orderId, amount: 500, reason: 'other' })
  ours = { id: body.id, there: latestRefund() }
  stripe.refundThere(intent.id!, 700)
  atOnce = latestRefund()
  stripe.tamper(atOnce, { status: 'succeeded' })
  stripe.moveRefund(ours.there, 'succeeded')
  stripe.refundThere(intent.id!, 100)
  slow = latestRefund()
  stripe.moveRefund(slow, 'succeeded')
  stripe.moveRefund(ours.there, 'failed', 'lost_or_stolen_card')
  events = stripe.events.slice(before)
})
afterAll(() => server[Symbol.asyncDispose]())

const latestRefund = (): string => [...stripe.refunds.keys()].at(-1)!

function bringTo(step: number): void {
  const state = steps[step]!
  stripe.tamper(ours.there, { status: state.ours, failure_reason: state.ours === 'failed' ? 'expired_card' : null })
  stripe.tamper(slow, { status: state.slow ?? 'pending' })
}

/** The state when the seller had just requested the refund and no answer had come. */
async function begin(): Promise<void> {
  bringTo(0)
  await ctx().transaction(async (tx) => {
    const now = ctx().clock.now()
    for (const table of ['event', 'job', 'processorEvent'] as const) await tx.deleteFrom(table).execute()
    await tx.deleteFrom('document').where('refundId', 'is not', null).execute()
    await tx.deleteFrom('refund').where('id', '!=', ours.id).execute()
    const asked = { status: 'pending' as const, processorReference: null, failureReason: null, creditNoteNumber: null }
    await tx
      .updateTable('refund')
      .set({ ...asked, settledAt: null, modifiedAt: null, createdAt: now })
      .execute()
    await tx.updateTable('order').set({ status: 'paid', refundedAmount: 0, refundedTaxAmount: 0 }).execute()
    await tx.updateTable('invoiceSeries').set({ lastNumber: 0 }).where('kind', '=', 'credit_note').execute()
    const job = { id: reconcileRefundJobId(ours.id), kind: 'reconcile-refund', payload: ours.id, lane: 'general' }
    await tx
      .insertInto('job')
      .values({ ...job, runAt: after(now, minutes(1)), attempts: 0, calls: 0, createdAt: now })
      .execute()
  })
}

const send = (event: StripeEvent) => sendFromStripe(ctx(), stripe, event)
const runDue = () => ctx().jobs.runDue()

/** The end state after all scheduled lookups. */
async function end(): Promise<object> {
  for (const wait of [minutes(1), days(1), days(7)]) {
    server.clock.advance(wait)
    await ctx().jobs.runDue()
  }
  const { db } = ctx()
  const refunds = db.selectFrom('refund').select(['processorReference', 'status', 'amount']).orderBy('amount')
  const left = db.selectFrom('job').select('id').where('kind', '=', 'processor-event')
  const { status, refunded_amount } = (await shop.get(`/orders/${orderId}`)).body
  return { status, refunded_amount, refunds: await refunds.execute(), left: await left.execute() }
}

const expected = () => ({
  status: 'partially_refunded',
  refunded_amount: 800,
  refunds: [
    { processorReference: slow, status: 'succeeded', amount: 100 },
    { processorReference: ours.there, status: 'failed', amount: 500 },
    { processorReference: atOnce, status: 'succeeded', amount: 700 },
  ],
  left: [],
})

test('events', () => {
  expect(events.map(({ type, data: { object } }) => [type, object.amount, object.status])).toEqual([
    ['refund.created', 500, 'pending'],
    ['refund.created', 700, 'pending'],
    ['refund.updated', 500, 'succeeded'],
    ['refund.created', 100, 'pending'],
    ['refund.updated', 100, 'succeeded'],
    ['refund.updated', 500, 'failed'],
    ['refund.failed', 500, 'failed'],
  ])
})

/** The suite's count; `STRIPE_ORDERS=10000` takes some minutes. */
const rounds = Number(process.env.STRIPE_ORDERS ?? 50)

test('random orders of repeated, delayed, simultaneous and lost events of refunds end alike', {
  timeout: 600_000 + rounds * 500,
}, async () => {
  const chance = chances(20_261_122)
  for (let round = 0; round < rounds; round += 1) {
    await begin()
    const told = await tellAtRandom({ events, steps: steps.length, bringTo, madeBy }, chance, { send, runDue })
    // The server's own refund is found without any event; a refund made at Stripe needs one.
    for (const there of [atOnce, slow])
      if (!told.some(({ data }) => data.object.id === there))
        await send({
          ...events.find(({ data }) => data.object.id === there)!,
          id: `evt_last${there.replace(/\W/g, '')}`,
        })
    expect(await end(), `round ${round}`).toEqual(expected())
  }
  expect(await faultsInBooks(ctx().db)).toEqual([])
})
