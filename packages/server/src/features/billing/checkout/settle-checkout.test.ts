import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { createCaller } from '../../../foundation/http/caller.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import type { Processor } from '../payments/processor.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, newBuyer, type OpenCheckout, type Shop } from '../testing/shop.ts'
import { confirmClientCheckout } from './confirm.service.ts'

const statuses = (answers: readonly TestAnswer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  )

describe('everything at the same moment', () => {
  let server: TestServer
  let shop: Shop
  let course: string
  beforeAll(async () => {
    server = await createTestServer()
    shop = await createShop(server)
    course = await shop.product([fixedPrice(1900)])
  })
  afterAll(async () => {
    const { ctx } = server.tollgate.internals
    await ctx.jobs.runDue()
    expect(await faultsInBooks(ctx.db)).toEqual([])
    await server[Symbol.asyncDispose]()
  })

  test('of a hundred confirmations of one checkout one buys: one order, one charge', async () => {
    const checkout = await shop.checkout(course)
    const buyer = newBuyer()

    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.confirm(checkout, buyer)))

    expect(statuses(answers)).toEqual({ 200: 1, 403: 99 })
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
    expect(await shop.paymentsOf(checkout)).toHaveLength(1)
  })

  test('of fifty buyers of a code with ten left ten get it, and the others buy nothing', async () => {
    const { id, code } = await shop.discount({ max_redemptions: 10 })
    const checkouts = await Promise.all(Array.from({ length: 50 }, () => shop.checkout(course)))

    const answers = await Promise.all(checkouts.map((checkout) => shop.confirm(checkout, { discount_code: code })))

    expect(statuses(answers)).toEqual({ 200: 10, 422: 40 })
    expect((await shop.get(`/discounts/${id}`)).body.redemptions_count).toBe(10)
    const states = await Promise.all(checkouts.map(shop.statusOf))
    expect(states.filter((status) => status === 'succeeded')).toHaveLength(10)
    expect(states.filter((status) => status === 'open')).toHaveLength(40)
  })

  test('invoice numbers have no gaps, also where others are declined in between', async () => {
    const seller = await createShop(server)
    const product = await seller.product([fixedPrice(500)])
    const checkouts = await Promise.all(Array.from({ length: 50 }, () => seller.checkout(product)))

    const answers = await Promise.all(
      checkouts.map((checkout, index) =>
        seller.confirm(checkout, index % 5 === 4 ? { confirmation_token_id: 'ctoken_sandbox_decline' } : {}),
      ),
    )

    expect(statuses(answers)).toEqual({ 200: 40, 400: 10 })
    const { body } = await seller.get('/orders?limit=100')
    expect(body.items.map(({ invoice_number }: { invoice_number: string }) => invoice_number).sort()).toEqual(
      Array.from({ length: 40 }, (_, at) => `${seller.slug.toUpperCase()}-${String(at + 1).padStart(6, '0')}`),
    )
    expect(body.pagination).toMatchObject({ total_count: 40, max_page: 1 })
  })

  test('a buyer’s change and their confirmation do not mix', async () => {
    const checkout = await shop.checkout(course)
    const change = () =>
      server.visitor().request('PATCH', `/v1/checkouts/client/${checkout.client_secret}`, {
        body: { customer_name: 'Somebody else' },
      })

    const [confirmed, ...changes] = await Promise.all([shop.confirm(checkout), change(), change(), change()])

    expect(confirmed!.status).toBe(200)
    expect(changes.every(({ status }) => status === 200 || status === 403)).toBe(true)
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('for every purchase, the amounts of the order agree, and equal the payment', async () => {
    const custom = await shop.product([{ amount_type: 'custom', minimum_amount: 50, maximum_amount: 1_000_000 }])
    const amount = fc.integer({ min: 50, max: 1_000_000 })
    const terms = fc.oneof(
      fc.record({ type: fc.constant('percentage'), basis_points: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({
        type: fc.constant('fixed'),
        amount: fc.integer({ min: 0, max: 2_000_000 }),
        currency: fc.constant('usd'),
      }),
      fc.constant(undefined),
    )

    await fc.assert(
      fc.asyncProperty(amount, terms, async (asked, discount) => {
        const code = discount && (await shop.discount(discount)).code
        const { checkout, order } = await shop.buy(custom, { amount: asked, ...(code && { discount_code: code }) })
        const [payment] = await shop.paymentsOf(checkout)

        const { subtotal_amount, discount_amount, net_amount, tax_amount, total_amount, items } = order
        expect(subtotal_amount).toBe(asked)
        expect(discount_amount).toBe(expectedDiscount(asked, discount))
        expect(net_amount).toBe(subtotal_amount - discount_amount)
        expect(order.amount).toBe(net_amount)
        expect(total_amount).toBe(net_amount + tax_amount)
        expect(items.reduce((sum: number, item: { amount: number }) => sum + item.amount, 0)).toBe(subtotal_amount)
        expect(payment?.amount ?? 0).toBe(total_amount)
      }),
      { numRuns: 25 },
    )
  })
})

type Terms = { type: string; basis_points: number } | { type: string; amount: number } | undefined
/** Computed independently of the server: in whole hundredths of a unit. */
function expectedDiscount(amount: number, terms: Terms): number {
  if (!terms) return 0
  if ('amount' in terms) return Math.min(terms.amount, amount)
  const tenThousandths = amount * terms.basis_points // below 2^53
  const rest = tenThousandths % 10_000
  return (tenThousandths - rest) / 10_000 + (rest >= 5000 ? 1 : 0)
}

describe.each(['once', 'twice', 'late', 'never'] as const)('where events come %s', (events) => {
  let server: TestServer
  let shop: Shop
  let course: string
  let ctx: Context
  beforeAll(async () => {
    server = await createTestServer({ billing: { processors: { sandbox: { events, eventDelay: 3600 } } } })
    ctx = server.tollgate.internals.ctx
    shop = await createShop(server)
    course = await shop.product([fixedPrice(1900)])
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const settled = async () => {
    await ctx.jobs.runDue()
    expect(await faultsInBooks(ctx.db)).toEqual([])
  }

  test('a purchase, a decline and a confirmed payment each end once', async () => {
    const { checkout } = await shop.buy(course)
    const declined = await shop.checkout(course)
    await shop.confirm(declined, { confirmation_token_id: 'ctoken_sandbox_decline' })
    const waiting = await shop.checkout(course)
    const { body } = await shop.confirm(waiting, { confirmation_token_id: 'ctoken_sandbox_requires_action' })
    const secret = body.payment_processor_metadata.intent_client_secret
    await server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome: 'succeed' } })
    await ctx.jobs.runDue()
    expect(await shop.statusOf(waiting)).toBe(events === 'once' || events === 'twice' ? 'succeeded' : 'confirmed')

    // Without an event, reconciliation runs after a minute.
    server.clock.advance(minutes(1))
    await settled()
    server.clock.advance(hours(2))
    await settled()

    expect(await shop.ordersOf(checkout)).toHaveLength(1)
    expect(await shop.ordersOf(waiting)).toHaveLength(1)
    expect(await shop.statusOf(declined)).toBe('open')
    expect(await shop.paymentsOf(declined)).toHaveLength(1)
    const paid = await ctx.db.selectFrom('event').select('id').where('type', '=', 'order.paid').execute()
    expect(paid).toHaveLength(2)
    const left = await ctx.db.selectFrom('job').select(['kind', 'lastError']).where('kind', '!=', 'sweep').execute()
    expect(left.filter(({ kind }) => kind === 'reconcile-payment' || kind === 'processor-event')).toEqual([])
  })
})

describe('a processor that fails us', () => {
  let server: TestServer
  let shop: Shop
  let course: string
  let ctx: Context
  beforeAll(async () => {
    server = await createTestServer({ billing: { processors: { sandbox: { events: 'never' } } } })
    ctx = server.tollgate.internals.ctx
    shop = await createShop(server)
    course = await shop.product([fixedPrice(1900)])
  })
  afterAll(async () => {
    expect(await faultsInBooks(ctx.db)).toEqual([])
    await server[Symbol.asyncDispose]()
  })

  /** Confirms as the API does, with a faulty processor. */
  const confirmBy = ({ client_secret }: OpenCheckout, changed: (sandbox: Processor) => Partial<Processor>) => {
    const { sandbox } = ctx.payments
    const processor: Processor = { ...sandbox, ...changed(sandbox) }
    const faulty: Context = { ...ctx, payments: { ...ctx.payments, byName: () => processor } }
    const buyer = {
      customerEmail: 'buyer@example.com',
      customerName: 'Buyer',
      customerBillingAddress: { country: 'DE' },
      confirmationTokenId: 'ctoken_sandbox_success',
    }
    return confirmClientCheckout({
      ctx: faulty,
      caller: createCaller(ctx, new Headers(), ''),
      params: { clientSecret: client_secret },
      body: buyer as never,
    }) // only the relevant members
  }
  const gone = () => Promise.reject(new Error('connection reset'))

  test('and answers nothing after the charge: the server asks, and the purchase is fulfilled', async () => {
    const checkout = await shop.checkout(course)
    const answer = await confirmBy(checkout, ({ charge }) => ({
      charge: async (asked) => {
        await charge(asked)
        return gone()
      },
    }))
    expect(answer.status).toBe('confirmed')
    expect(await shop.statusOf(checkout)).toBe('confirmed')
    expect((await shop.confirm(checkout)).status).toBe(403)

    server.clock.advance(minutes(1))
    await ctx.jobs.runDue()

    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('and never hears of the charge: the checkout is open again, and a charge that comes later is not made', async () => {
    const checkout = await shop.checkout(course)
    let asked: Parameters<Processor['charge']>[0] | undefined
    await confirmBy(checkout, () => ({
      charge: (given) => {
        asked = given
        return gone()
      },
    }))

    server.clock.advance(minutes(1))
    await ctx.jobs.runDue()
    expect(await shop.statusOf(checkout)).toBe('confirmed')
    server.clock.advance(minutes(1))
    await ctx.jobs.runDue()

    expect(await shop.statusOf(checkout)).toBe('open')
    expect(await ctx.payments.sandbox.charge(asked!)).toMatchObject({ status: 'failed', reason: 'canceled' })
    expect((await shop.confirm(checkout)).status).toBe(200)
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('and sends its event before the answer: the answer changes nothing', async () => {
    const checkout = await shop.checkout(course)

    await confirmBy(checkout, ({ charge }) => ({
      charge: async (asked) => {
        const attempt = await charge(asked)
        expect(await settlePayment(ctx, asked.paymentId, attempt)).toEqual({ status: 'succeeded' })
        return attempt
      },
    }))

    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('and sends its event ten times concurrently: it counts once', async () => {
    const checkout = await shop.checkout(course)

    await confirmBy(checkout, ({ charge }) => ({
      charge: async (asked) => {
        const attempt = await charge(asked)
        await Promise.all(Array.from({ length: 10 }, () => settlePayment(ctx, asked.paymentId, attempt)))
        return attempt
      },
    }))

    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('and is late: an event of a settled payment changes nothing, and the log records money taken for a failed one', async () => {
    const checkout = await shop.checkout(course)
    await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_decline' })
    const [payment] = await shop.paymentsOf(checkout)

    const settled = await settlePayment(ctx, payment.id, {
      status: 'succeeded',
      reference: 'sandbox_intent_late',
      amount: 1900,
      currency: 'usd',
      method: { type: 'card', brand: 'visa', lastFour: '4242', expMonth: 12, expYear: 2030 },
      methodReference: undefined,
    })

    expect(settled.status).toBe('failed')
    expect(await shop.statusOf(checkout)).toBe('open')
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect(server.logs.join('\n')).toContain('sandbox_intent_late')
  })

  test('and no longer knows a recent token: the error is at the token, and the checkout is open again', async () => {
    const checkout = await shop.checkout(course)
    const card = { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' }
    const { body } = await server.visitor().request('POST', '/v1/sandbox/confirmation-tokens', { body: card })
    const second = await shop.checkout(course)

    const answers = await Promise.all([
      shop.confirm(checkout, { confirmation_token_id: body.id }),
      shop.confirm(second, { confirmation_token_id: body.id }),
    ])

    expect(statuses(answers)).toEqual({ 200: 1, 422: 1 })
    expect(await Promise.all([checkout, second].map(shop.statusOf))).toEqual(
      expect.arrayContaining(['succeeded', 'open']),
    )
  })

  test('and is switched off: payments that wait keep waiting, and nothing breaks', async () => {
    const checkout = await shop.checkout(course)
    await confirmBy(checkout, () => ({ charge: gone }))
    const { createReconcileHandler } = await import('../settlement/reconcile.service.ts')
    const [payment] = await shop.paymentsOf(checkout)
    const without: Context = { ...ctx, payments: { ...ctx.payments, byName: () => undefined } }

    const again = await createReconcileHandler(without)({
      id: 'x',
      kind: 'reconcile-payment',
      payload: payment.id,
      attempts: 1,
    })

    expect(again).toEqual(new Date(server.clock.now().getTime() + minutes(1)))
    expect(await shop.statusOf(checkout)).toBe('confirmed')
    server.clock.advance(minutes(5))
    await ctx.jobs.runDue()
    expect(await shop.statusOf(checkout)).toBe('open')
  })
})
