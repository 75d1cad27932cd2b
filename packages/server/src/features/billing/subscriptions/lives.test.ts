import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { type Beginning, type Behavior, type Credit, Life, type Outcome, type Plan } from '../testing/life.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let plans: readonly Plan[]
beforeAll(async () => {
  const tax = { provider: 'table' as const, registrations: [{ country: 'DE' }] }
  server = await createTestServer({ billing: { tax, processors: { sandbox: { events: 'never' } } } })
  shop = await createShop(server)
  const address = { country: 'DE', line1: 'Am Markt 1', city: 'Kiel', postal_code: '24103' }
  await shop.patch(`/organizations/${shop.organizationId}/tax`, { address })
  const plan = async (name: string, amount: number, interval: 'month' | 'year'): Promise<Plan> => ({
    id: await shop.product([fixedPrice(amount)], interval, name),
    amount,
    months: interval === 'month' ? 1 : 12,
  })
  plans = [
    await plan('Solo', 999, 'month'),
    await plan('Team', 2999, 'month'),
    await plan('Business', 7001, 'month'),
    await plan('Yearly', 19_990, 'year'),
    await plan('Yearly Business', 219_990, 'year'),
  ]
})
afterAll(() => server[Symbol.asyncDispose]())

const ctx = () => server.tollgate.internals.ctx
const now = () => ctx().clock.now()
const iso = (time: Date | null | undefined) => time?.toISOString()

/** What happens on a day of a life. */
type Step = {
  readonly does:
    | 'nothing'
    | 'change'
    | 'cancel'
    | 'uncancel'
    | 'revoke'
    | 'pause'
    | 'resume'
    | 'refund'
    | 'card fails'
    | 'card works'
    | 'pay by link'
  readonly daysBefore: number
  readonly plan: number
  readonly behavior: Behavior | undefined
  readonly credit: Credit
  readonly atEnd: boolean
  readonly resumesIn: number | undefined
  readonly part: number
}

const steps = fc.record<Step>({
  does: fc.oneof(
    ...(
      [
        [4, 'nothing'],
        [8, 'change'],
        [2, 'cancel'],
        [3, 'uncancel'],
        [1, 'revoke'],
        [4, 'pause'],
        [4, 'resume'],
        [3, 'refund'],
        [3, 'card fails'],
        [3, 'card works'],
        [2, 'pay by link'],
      ] as const
    ).map(([weight, what]) => ({ weight, arbitrary: fc.constant(what) })),
  ),
  daysBefore: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 70 })),
  plan: fc.nat(4),
  behavior: fc.constantFrom(undefined, 'invoice', 'prorate', 'next_period', 'reset'),
  credit: fc.constantFrom('none', 'prorated', 'full'),
  atEnd: fc.boolean(),
  resumesIn: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
  part: fc.integer({ min: 1, max: 100 }),
})

const beginnings = fc.record({
  plan: fc.nat(4),
  trialDays: fc.constantFrom(0, 0, 0, 14),
  /** Of a buyer in Germany, or one where the seller collects no tax. */
  taxPercent: fc.constantFrom(0, 19),
  halfOff: fc.constantFrom(
    undefined,
    undefined,
    { months: 1, isOnce: true },
    { months: 3, isOnce: false },
    { months: Number.POSITIVE_INFINITY, isOnce: false },
  ),
})

type Story = { readonly id: string; readonly customerId: string; readonly life: Life }

async function begin({
  plan,
  trialDays,
  halfOff,
  taxPercent,
}: { plan: number } & Omit<Beginning, 'plan'>): Promise<Story> {
  const { id: product } = plans[plan]!
  const trial = trialDays > 0 ? { trial_interval: 'day', trial_interval_count: trialDays } : {}
  const terms = halfOff && {
    basis_points: 5000,
    duration: halfOff.isOnce ? 'once' : Number.isFinite(halfOff.months) ? 'repeating' : 'forever',
    ...(!halfOff.isOnce && Number.isFinite(halfOff.months) && { duration_in_months: halfOff.months }),
  }
  const code = terms && (await shop.discount(terms)).code
  const checkout = await shop.checkout(product, trial)
  const answer = await shop.confirm(checkout, {
    ...newBuyer(),
    customer_billing_address: { country: taxPercent > 0 ? 'DE' : 'SG' },
    ...(code && { discount_code: code }),
  })
  expect([answer.status, answer.body.detail]).toEqual([200, undefined])
  const [order] = await shop.ordersOf(checkout)
  const life = new Life(now(), { plan: plans[plan]!, trialDays, halfOff, taxPercent })
  return { id: order.subscription_id, customerId: order.customer_id, life }
}

/** The orders of a subscription, as the calculator keeps them, in an order of their own. */
async function ordersOf(id: string): Promise<string[]> {
  const rows = await ctx().db.selectFrom('order').selectAll().where('subscriptionId', '=', id).execute()
  return rows
    .map((row) => {
      const state = stateOf(row.status)
      return shownOrder({
        reason: row.billingReason,
        start: row.periodStart!,
        end: row.periodEnd!,
        total: row.totalAmount,
        applied: row.appliedBalanceAmount,
        state,
        refunded: row.refundedAmount,
      })
    })
    .toSorted()
}

const stateOf = (status: string) => (status === 'pending' || status === 'void' ? status : 'paid')

type Shown = Pick<Life['orders'][number], 'start' | 'end' | 'total' | 'applied' | 'state' | 'refunded'>
const shownOrder = ({ reason, start, end, total, applied, state, refunded }: Shown & { readonly reason: string }) =>
  `${iso(start)} to ${iso(end)} ${reason} ${state} ${total}, by balance ${applied}, back ${refunded}`

const outcomeOf = ({ status }: TestAnswer): Outcome =>
  status < 300 ? 'done' : status === 402 ? 'declined' : status < 500 ? 'refused' : expect.fail(`answered ${status}`)

/** The calls of a step: what it sends, what it asks to be shown first, and what the calculator makes of it. */
function callOf({ id, life }: Story, { does, plan, behavior, credit, atEnd, resumesIn }: Step) {
  const path = `/subscriptions/${id}`
  const next = plans[plan]!
  const resumesAt = resumesIn === undefined ? undefined : new Date(now().getTime() + days(resumesIn))
  const pause = {
    at: atEnd ? 'period_end' : 'now',
    ...(atEnd ? {} : { credit }),
    ...(resumesAt && { resumes_at: iso(resumesAt) }),
  } as const
  const change = { product_id: next.id, ...(behavior && { proration_behavior: behavior }) }
  switch (does) {
    case 'change':
      return {
        shown: change,
        send: (quote: object) => shop.patch(path, { ...change, ...quote }),
        live: () => life.change(next, behavior),
      }
    case 'cancel': {
      const body = { cancel_at_period_end: true }
      return { shown: body, send: () => shop.patch(path, body), live: () => life.cancel() }
    }
    case 'uncancel':
      return { send: () => shop.patch(path, { cancel_at_period_end: false }), live: () => life.uncancel() }
    case 'revoke': {
      const body = { revoke: true, credit }
      return { shown: body, send: () => shop.patch(path, body), live: () => life.revoke(credit) }
    }
    case 'pause': {
      const live = () => life.pause(pause.at, atEnd ? 'none' : credit, resumesAt)
      return { shown: { pause }, send: () => shop.post(`${path}/pause`, pause), live }
    }
    case 'resume':
      return { send: () => shop.post(`${path}/resume`, {}), live: () => life.resume() }
    default:
      return undefined
  }
}

async function take(story: Story, step: Step): Promise<void> {
  const { life, customerId } = story
  const call = callOf(story, step)
  if (call) {
    const before = life.orders.length
    const quote = call.shown && (await shop.post(`/subscriptions/${story.id}/preview`, call.shown))
    const quoted = quote?.body.id ? { quote_id: quote.body.id } : {}
    const outcome = outcomeOf(await call.send(quoted))
    expect([step.does, outcome]).toEqual([step.does, call.live()])
    // What was shown is what was posted; what is not allowed is not shown.
    const posted = life.orders.slice(before)
    if (quote && outcome === 'done')
      expect([quote.body.order?.total_amount, quote.body.order?.due_amount]).toEqual([
        posted[0]?.total,
        posted[0] && Math.max(0, posted[0].total + posted[0].applied),
      ])
    if (quote && outcome === 'refused') expect(quote.status).toBeGreaterThanOrEqual(400)
  }
  if (step.does === 'card fails' || step.does === 'card works') await useCard(story, step.does === 'card works')
  if (step.does === 'pay by link' && life.payByLink() === 'done') await payByLink(story)
  if (step.does === 'refund') await refund(story, step.part)
  await ctx().jobs.runDue()
  expect(await balanceOf(ctx().db, customerId, 'usd')).toBe(life.balance)
}

async function useCard({ customerId, life }: Story, isGood: boolean): Promise<void> {
  life.hasGoodCard = isGood
  const processorReference = `sandbox_method:${isGood ? 'success' : 'renewal_decline'}:12:2099`
  await ctx().db.updateTable('paymentMethod').set({ processorReference }).where('customerId', '=', customerId).execute()
}

async function payByLink(story: Story): Promise<void> {
  const { id } = story
  const open = ctx()
    .db.selectFrom('order')
    .select('id')
    .where('subscriptionId', '=', id)
    .where('status', '=', 'pending')
  const order = await open.executeTakeFirstOrThrow()
  const { body } = await shop.post(`/orders/${order.id}/pay-link`, {})
  const path = `/v1/pay-links/${body.url.split('/pay/')[1]}/confirm`
  const paid = { confirmation_token_id: 'ctoken_sandbox_success' }
  expect((await server.visitor().request('POST', path, { body: paid })).status).toBe(200)
  // The card that the customer pays with is the saved one by its number.
  await useCard(story, true)
}

/** Gives back a part of what is left of the newest paid order. */
async function refund({ id, life }: Story, part: number): Promise<void> {
  const order = life.orders.findLast(({ state, net, refunded }) => state === 'paid' && net > refunded)
  if (!order) return
  const { id: orderId } = await ctx()
    .db.selectFrom('order')
    .select('id')
    .where('subscriptionId', '=', id)
    .where('periodStart', '=', order.start)
    .where('billingReason', '=', order.reason)
    .where('totalAmount', '=', order.total)
    .where('appliedBalanceAmount', '=', order.applied)
    .where('refundedAmount', '=', order.refunded)
    .where('status', 'in', ['paid', 'partially_refunded'])
    .executeTakeFirstOrThrow()
  const amount = Math.max(1, Math.floor(((order.net - order.refunded) * part) / 100))
  const { status } = await shop.post('/refunds', { order_id: orderId, amount, reason: 'customer_request' })
  expect(status).toBe(200)
  life.refund(order, amount)
}

/** Moves the clock; the order that was shown as the next one is the one that follows. */
async function pass({ id, life }: Story, count: number): Promise<void> {
  const { body: shown, status } = await shop.post(`/subscriptions/${id}/preview`, {})
  const before = life.orders.length
  const target = new Date(now().getTime() + days(count))
  await moveClock(ctx(), target)
  life.live(target)
  const next = life.orders.slice(before).find(({ start }) => iso(start) === shown.applies_at)
  // A void order has given its balance back.
  if (status === 200 && next && next.state !== 'void')
    expect([shown.next_order.total_amount, shown.next_order.applied_balance_amount]).toEqual([next.total, next.applied])
}

async function expectSame({ id, life }: Story): Promise<void> {
  const row = await ctx().db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(await ordersOf(id)).toEqual(life.orders.map(shownOrder).toSorted())
  expect([row.status, row.productId, iso(row.currentPeriodStart), iso(row.currentPeriodEnd)]).toEqual([
    life.status,
    life.plan.id,
    iso(life.start),
    iso(life.end),
  ])
}

/* SOAK=1 lives ten thousand lives. LIFE_STEPS=500 lives three of so many steps, of one subscription after another. */
const isSoak = process.env.SOAK === '1'
const longLife = Number(process.env.LIFE_STEPS ?? 0)
const length = longLife > 0 ? { minLength: longLife, maxLength: longLife } : { minLength: 10, maxLength: 20 }
const lives = isSoak ? 10_000 : longLife > 0 ? 3 : inject('database') === 'postgres' ? 2 : 8

test('whatever happens to a subscription, it has billed what its days cost, and its books hold after each step', {
  timeout: isSoak || longLife > 0 ? 24 * 3_600_000 : 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(beginnings, fc.array(steps, length), async (beginning, happens) => {
      let story = await begin(beginning)
      await expectSame(story)
      for (const [at, step] of happens.entries()) {
        // What ends early shows little: the next subscription goes on.
        if (at % 10 === 9 && story.life.status === 'canceled') story = await begin(beginning)
        await pass(story, step.daysBefore)
        await expectSame(story)
        await take(story, step)
        await expectSame(story)
        expect(await violationsOfBooks(ctx().db)).toEqual([])
      }
      if (story.life.status !== 'canceled') await shop.delete(`/subscriptions/${story.id}`)
      await ctx().jobs.runDue()
    }),
    { numRuns: lives, endOnFailure: true },
  )
})
