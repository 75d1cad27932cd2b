import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { reconcileJobId } from '../settlement/settle-payment.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { chances } from '../testing/chances.ts'
import { createShop, fixedPrice, type OpenCheckout } from '../testing/shop.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'
import { type StripeEvent, sendFromStripe, tellAtRandom } from '../testing/stripe-story.ts'

/**
 * Stripe may deliver events late, out of order, several times or never (security, F-dup, F-reorder). The test replays
 * one purchase's events in many orders, each from before the outcome was known; all must end alike.
 */
let stripe: StripeServer
let server: TestServer
let checkout: OpenCheckout
let paymentId: string
let intentId: string
let disputeId: string

/** Stripe's events for the purchase, in order. */
let events: StripeEvent[]

/** Stripe's objects after each step of the purchase. */
const steps = [
  { intent: 'requires_action', dispute: undefined },
  { intent: 'succeeded', dispute: undefined },
  { intent: 'succeeded', dispute: 'needs_response' },
  { intent: 'succeeded', dispute: 'under_review' },
  { intent: 'succeeded', dispute: 'lost' },
] as const
/** The step after which an event can be sent. */
const madeBy = ({ type, data: { object } }: StripeEvent): number =>
  object.object === 'dispute'
    ? steps.findIndex(({ dispute }) => dispute === object.status)
    : type === 'payment_intent.succeeded'
      ? 1
      : 0

const ctx = () => server.tollgate.internals.ctx

beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer({}, { fetch: stripe.fetch, env: stripeTestKeys })
  const shop = await createShop(server)
  checkout = await shop.checkout(await shop.product([fixedPrice(1900)]))
  await ctx().jobs.runDue()
  await shop.confirm(checkout, { confirmation_token_id: stripe.token('action') })
  paymentId = (await shop.paymentsOf(checkout))[0].id
  const intent = stripe.intentOf(paymentId)
  intentId = intent.id
  stripe.answerAction(intent.client_secret, 'succeed')
  disputeId = stripe.dispute(intent.id, 'needs_response')
  stripe.dispute(intent.id, 'under_review', disputeId)
  stripe.dispute(intent.id, 'lost', disputeId)
  // Without events that the server ignores.
  events = stripe.events.filter(({ type }) => type !== 'payment_intent.created' && type !== 'charge.succeeded')
})
afterAll(() => server[Symbol.asyncDispose]())

/** Stripe's state after a step. */
function bringTo(step: number): void {
  const { intent, dispute } = steps[step]!
  stripe.tamper(intentId, { status: intent })
  stripe.tamper(disputeId, { status: dispute ?? 'needs_response' })
}

/** This server's state when the buyer had just been asked to confirm. */
async function begin(): Promise<void> {
  bringTo(0)
  await ctx().transaction(async (tx) => {
    const now = ctx().clock.now()
    await tx
      .updateTable('payment')
      .set({ status: 'pending', orderId: null, methodMetadata: null, settledAt: null, createdAt: now })
      .where('id', '=', paymentId)
      .execute()
    await tx
      .updateTable('checkout')
      .set({ status: 'confirmed', confirmedAt: now })
      .where('id', '=', checkout.id)
      .execute()
    for (const table of ['document', 'dispute', 'orderItem', 'order', 'event', 'job', 'processorEvent'] as const)
      await tx.deleteFrom(table).execute()
    await tx.deleteFrom('orderCount').execute()
    await tx.updateTable('invoiceSeries').set({ lastNumber: 0 }).execute()
    const job = { id: reconcileJobId(paymentId), kind: 'reconcile-payment', payload: paymentId, lane: 'general' }
    const runAt = new Date(now.getTime() + minutes(1))
    await tx
      .insertInto('job')
      .values({ ...job, runAt, attempts: 0, calls: 0, createdAt: now })
      .execute()
  })
}

const send = (event: StripeEvent) => sendFromStripe(ctx(), stripe, event)
const runDue = () => ctx().jobs.runDue()

/** The parts of the end state that no order may change. */
async function end(): Promise<object> {
  server.clock.advance(minutes(1))
  await ctx().jobs.runDue()
  const { db } = ctx()
  const [payments, orders, disputes, left] = await Promise.all([
    db.selectFrom('payment').select(['status', 'amount']).execute(),
    db.selectFrom('order').select(['status', 'totalAmount', 'invoiceNumber']).execute(),
    db.selectFrom('dispute').select(['status', 'amount']).execute(),
    db.selectFrom('job').select('id').where('kind', 'in', ['reconcile-payment', 'processor-event']).execute(),
  ])
  const told = await db
    .selectFrom('event')
    .select('type')
    .where('type', 'in', ['order.created', 'order.paid', 'dispute.created'])
    .execute()
  return { payments, orders, disputes, left, told: told.map(({ type }) => type).sort() }
}

const expected = (hasDispute: boolean) => ({
  payments: [{ status: 'succeeded', amount: 1900 }],
  orders: [{ status: 'paid', totalAmount: 1900, invoiceNumber: expect.stringMatching(/-000001$/) }],
  disputes: hasDispute ? [{ status: 'lost', amount: 1900 }] : [],
  left: [],
  told: [...(hasDispute ? ['dispute.created'] : []), 'order.created', 'order.paid'],
})

test('every order of all events ends alike', async () => {
  expect(events.map(({ type }) => type)).toEqual([
    'payment_intent.requires_action',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
  ])
  for (const order of permutations(events)) {
    await begin()
    bringTo(steps.length - 1)
    for (const event of order) {
      await send(event)
      await ctx().jobs.runDue()
    }
    expect(await end()).toEqual(expected(true))
  }
})

/** The suite's count; `STRIPE_ORDERS=10000` takes some minutes. */
const rounds = Number(process.env.STRIPE_ORDERS ?? (process.env.TEST_ALL ? 200 : 40))

test('random orders of repeated, delayed, simultaneous and lost events end alike', {
  timeout: 600_000 + rounds * 100,
}, async () => {
  const chance = chances(20_261_122)
  for (let round = 0; round < rounds; round += 1) {
    await begin()
    const told = await tellAtRandom({ events, steps: steps.length, bringTo, madeBy }, chance, { send, runDue })
    // A payment is found without any event; a dispute needs at least one.
    const isTold = told.some(({ data }) => data.object.object === 'dispute')
    if (isTold) await send({ ...events.at(-1)!, id: 'evt_last' })
    expect(await end(), `round ${round}`).toEqual(expected(isTold))
  }
  expect(await faultsInBooks(ctx().db)).toEqual([])
})

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((first, index) => permutations(all.toSpliced(index, 1)).map((rest) => [first, ...rest]))
}
