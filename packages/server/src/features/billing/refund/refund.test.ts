import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes, seconds } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createCaller } from '../../../foundation/http/caller.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import type { Processor } from '../payments/processor.ts'
import { sellerOfObject } from '../seller/seller.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { insertTestToken } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { recordRefund } from './record-refund.service.ts'
import { createRefund } from './refund.service.ts'

let server: TestServer
let shop: Shop
let other: Shop
let course: string
let plan: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  other = await createShop(server)
  course = await shop.product([fixedPrice(1000)])
  plan = await shop.product([fixedPrice(2000)], 'month')
})
afterAll(async () => {
  const { ctx } = server.tollgate.internals
  server.clock.advance(days(31))
  await ctx.jobs.runDue()
  expect(await faultsInBooks(ctx.db)).toEqual([])
  expect(
    server.logs.filter((line) => JSON.parse(line).level >= 50 && !line.includes('No response from the processor')),
  ).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
/** An order paid by one of the test cards. */
const bought = async (card = 'success', product = course, by = shop) =>
  (await by.buy(product, { confirmation_token_id: `ctoken_sandbox_${card}` })).order
const refund = (order: { id: string }, given: object = {}, by: Pick<Shop, 'post'> = shop) =>
  by.post('/refunds', { order_id: order.id, reason: 'customer_request', amount: 1000, ...given })
const orderOf = async ({ id }: { id: string }) => (await shop.get(`/orders/${id}`)).body
const refundsOf = async ({ id }: { id: string }) => (await shop.get(`/refunds?order_id=${id}&limit=100`)).body.items
const told = ({ status, body }: TestAnswer) => `${status} ${body.error ?? body.status}`

/** The events about some objects, in order. */
async function eventsOf(...ids: string[]): Promise<string[]> {
  const rows = await ctx().db.selectFrom('event').select('type').where('subjectId', 'in', ids).orderBy('id').execute()
  return rows.map(({ type }) => type)
}

/** Sets an order's tax directly, without tax rules: only net amount and tax matter here. */
async function withTax({ id }: { id: string }, netAmount: number, taxAmount: number): Promise<void> {
  const total = netAmount + taxAmount
  await ctx().transaction(async (tx) => {
    const amounts = { subtotalAmount: netAmount, netAmount, taxAmount, totalAmount: total }
    await tx.updateTable('order').set(amounts).where('id', '=', id).execute()
    await tx.updateTable('orderItem').set({ amount: netAmount, taxAmount }).where('orderId', '=', id).execute()
    const { id: paymentId } = await tx
      .updateTable('payment')
      .set({ amount: total })
      .where('orderId', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.updateTable('paymentAllocation').set({ amount: total }).where('paymentId', '=', paymentId).execute()
    await tx.updateTable('sandboxIntent').set({ amount: total }).where('id', '=', paymentId).execute()
  })
}

describe('a refund', () => {
  test('of everything gives everything back: the order is refunded', async () => {
    const order = await bought()
    const asked = { reason: 'duplicate', metadata: { ticket: 7 }, comment: 'Paid twice', revoke_benefits: true }

    const { status, body } = await refund(order, asked)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'succeeded',
      reason: 'duplicate',
      amount: 1000,
      tax_amount: 0,
      currency: 'usd',
      organization_id: shop.organizationId,
      order_id: order.id,
      subscription_id: null,
      customer_id: order.customer_id,
      revoke_benefits: true,
      metadata: { ticket: 7 },
      dispute: null,
      failure_reason: null,
      credit_note_number: expect.stringMatching(/^SELLER-\d+-CN-0{5}\d$/),
    })
    expect(body.comment).toBeUndefined()
    expect(await orderOf(order)).toMatchObject({
      status: 'refunded',
      paid: true,
      net_amount: 1000,
      refunded_amount: 1000,
      refundable_amount: 0,
    })
    const { body: read } = await shop.get(`/refunds/${body.id}`)
    expect(read).toEqual({ ...body, comment: 'Paid twice' })
    expect(await refundsOf(order)).toMatchObject([body])
  })

  test('sends its events in the order of the contract (REF-6)', async () => {
    const order = await bought()

    const { body } = await refund(order, { amount: 400 })

    expect((await eventsOf(order.id, body.id)).slice(3)).toEqual([
      'refund.created',
      'order.updated',
      'order.refunded',
      'refund.updated',
    ])
    const payloads = await ctx()
      .db.selectFrom('event')
      .select([bodyOfEvent().as('payload'), 'customerId'])
      .where('subjectId', '=', body.id)
      .orderBy('id')
      .execute()
    expect(payloads.map(({ payload }) => JSON.parse(payload ?? '').status)).toEqual(['pending', 'succeeded'])
    expect(JSON.parse(payloads[1]?.payload ?? '')).toEqual(body)
    expect(payloads.map(({ customerId }) => customerId)).toEqual([order.customer_id, order.customer_id])
  })

  test('of parts leads from partly refunded to refunded, and no further', async () => {
    const order = await bought()

    expect(told(await refund(order, { amount: 300 }))).toBe('200 succeeded')
    expect(await orderOf(order)).toMatchObject({ status: 'partially_refunded', refunded_amount: 300 })
    expect(told(await refund(order, { amount: 701 }))).toBe('400 RefundAmountTooHigh')
    expect(told(await refund(order, { amount: 700 }))).toBe('200 succeeded')
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_amount: 1000 })
    expect(told(await refund(order, { amount: 1 }))).toBe('403 RefundedAlready')
    expect(await refundsOf(order)).toHaveLength(2)
  })

  test.each([
    ['everything at once', [1000], [190]],
    ['halves', [500, 500], [95, 95]],
    ['thirds, rounded half away from zero, with what is left at last', [333, 333, 334], [63, 63, 64]],
    ['smallest parts', [1, 1, 998], [0, 0, 190]],
  ])('of %s takes its share of the tax along (REF-2)', async (_, amounts, taxes) => {
    const order = await bought()
    await withTax(order, 1000, 190)

    const given: number[] = []
    for (const amount of amounts) given.push((await refund(order, { amount })).body.tax_amount)

    expect(given).toEqual(taxes)
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_tax_amount: 190, total_amount: 1190 })
  })

  test('never gives back more tax than is left, where shares are rounded up', async () => {
    const order = await bought()
    await withTax(order, 8, 4)

    const taxes: number[] = []
    for (let part = 0; part < 8; part += 1) taxes.push((await refund(order, { amount: 1 })).body.tax_amount)

    expect(taxes).toEqual([1, 1, 1, 1, 0, 0, 0, 0])
  })

  test('of a subscription order leaves the subscription as it is (REF-4)', async () => {
    const order = await bought('success', plan)

    const prohibited = await refund(order, { amount: 2000, revoke_benefits: true })
    const { body } = await refund(order, { amount: 2000 })

    expect(told(prohibited)).toBe('400 RevokeSubscriptionBenefitsProhibited')
    expect(body).toMatchObject({ status: 'succeeded', subscription_id: order.subscription_id })
    expect((await shop.get(`/subscriptions/${order.subscription_id}`)).body.status).toBe('active')
  })

  test('whose processor refuses is kept as failed, and the order as it was', async () => {
    const order = await bought('disputed')

    const refused = await refund(order)

    expect(told(refused)).toBe('400 RefundFailed')
    expect(refused.body.detail).toBe('The payment is disputed, so the bank decides.')
    const [failed] = await refundsOf(order)
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: refused.body.detail,
      credit_note_number: null,
    })
    expect(await orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0, refundable_amount: 1000 })
    expect(await eventsOf(failed.id)).toEqual(['refund.created', 'refund.updated'])
  })

  test('that is pending is reserved, and moves the order once it has succeeded', async () => {
    const order = await bought('refund_pending')

    const { status, body } = await refund(order, { amount: 600 })

    expect([status, body.status, body.credit_note_number]).toEqual([200, 'pending', null])
    expect(await orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0 })
    expect(told(await refund(order, { amount: 401 }))).toBe('400 RefundAmountTooHigh')
    server.clock.advance(minutes(1))
    await ctx().jobs.runDue()
    expect((await shop.get(`/refunds/${body.id}`)).body).toMatchObject({ status: 'succeeded' })
    expect(await orderOf(order)).toMatchObject({ status: 'partially_refunded', refunded_amount: 600 })
    expect(await eventsOf(body.id)).toEqual(['refund.created', 'refund.updated'])
  })

  test('that fails after it had succeeded is taken back, and can be made again (REF-5)', async () => {
    const order = await bought('refund_fails_later')
    const { body } = await refund(order)
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_amount: 1000 })

    server.clock.advance(minutes(1))
    await ctx().jobs.runDue()

    const { body: failed } = await shop.get(`/refunds/${body.id}`)
    expect(failed).toMatchObject({ status: 'failed', credit_note_number: body.credit_note_number })
    expect(failed.failure_reason).toMatch(/expired or was canceled/)
    expect(await orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0, refundable_amount: 1000 })
    expect((await eventsOf(order.id, body.id)).slice(-2)).toEqual(['refund.updated', 'order.updated'])
    expect(told(await refund(order))).toBe('200 succeeded')
  })

  test('asked for again with its key is the one that was made', async () => {
    const order = await bought()
    const key = { 'idempotency-key': newUuid() }
    const body = { order_id: order.id, reason: 'other', amount: 100 }

    const answers = [await shop.post('/refunds', body, key), await shop.post('/refunds', body, key)]

    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await refundsOf(order)).toHaveLength(1)
  })
})

describe('is refused:', () => {
  test.each([
    ['an order that nobody has', { order_id: newUuid() }, '422 order_id'],
    ['something that is no order’s id', { order_id: 'x' }, '422 order_id'],
    ['no order', { order_id: undefined }, '422 order_id'],
    ['nothing', { amount: 0 }, '422 amount'],
    ['less than nothing', { amount: -1 }, '422 amount'],
    ['half a cent', { amount: 0.5 }, '422 amount'],
    ['more than there is', { amount: 1e15 }, '422 amount'],
    ['no amount', { amount: undefined }, '422 amount'],
    ['an unknown reason', { reason: 'whim' }, '422 reason'],
    ['no reason', { reason: undefined }, '422 reason'],
    ['a comment as long as a book', { comment: 'x'.repeat(2001) }, '422 comment'],
    ['metadata that is none', { metadata: { a: [] } }, '422 metadata.a'],
  ])('%s', async (_, given, at) => {
    const order = await bought()

    // A union of types lists its members after the key.
    expect(
      wrongAt(await refund(order, given))
        .split(' ')
        .slice(0, 2)
        .join(' '),
    ).toMatch(new RegExp(`^${at}`))
  })

  test('more than was paid', async () => {
    expect(told(await refund(await bought(), { amount: 1001 }))).toBe('400 RefundAmountTooHigh')
  })

  test('an order that cost nothing', async () => {
    const { order } = await shop.buy(await shop.product([freePrice]))

    expect(told(await refund(order, { amount: 1 }))).toBe('404 ResourceNotFound')
  })

  test('an order that is not paid yet', async () => {
    const order = await bought()
    const { db } = ctx()
    const paid = await db
      .deleteFrom('paymentAllocation')
      .where('orderId', '=', order.id)
      .returningAll()
      .executeTakeFirstOrThrow()

    expect(told(await refund(order))).toBe('404 ResourceNotFound')
    await db.insertInto('paymentAllocation').values(paid).execute()
  })

  test('another seller’s order, and looking at another seller’s refund', async () => {
    const order = await bought()
    const { body } = await refund(order)

    expect(wrongAt(await refund(order, {}, other))).toBe('422 order_id')
    expect((await other.get(`/refunds/${body.id}`)).status).toBe(404)
    expect((await other.get(`/refunds?order_id=${order.id}`)).body.items).toEqual([])
    expect((await other.get(`/refunds?organization_id=${shop.organizationId}`)).body.items).toEqual([])
  })

  test('a token that may only read', async () => {
    const order = await bought()
    const token = await ctx().transaction((tx) =>
      insertTestToken(tx, shop.organizationId, ['refunds:read'], ctx().clock.now()),
    )
    const ask = (method: string, path: string, body?: object) =>
      server
        .visitor()
        .request(method, `/v1${path}`, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) })

    const refused = await ask('POST', '/refunds', { order_id: order.id, reason: 'other', amount: 1 })

    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
    expect((await ask('GET', '/refunds')).status).toBe(200)
    // Order names and customers need the right to read orders.
    const listed = (await ask('GET', '/refunds')).body.items
    expect(listed.map(({ order }: { order: unknown }) => order)).toEqual(listed.map(() => null))
    expect((await ask('GET', '/disputes')).status).toBe(200)
  })

  test('a member without the permission, and a visitor without a session', async () => {
    const order = await bought()
    const member = await server.signedUp('Member')
    await ctx().transaction((tx) =>
      tx
        .insertInto('member')
        .values({
          id: newUuid(),
          organizationId: shop.organizationId,
          userId: member.id,
          role: 'member',
          createdAt: ctx().clock.now(),
        })
        .execute(),
    )
    const body = { order_id: order.id, reason: 'other', amount: 1, organization_id: shop.organizationId }

    expect(told(await member.request('POST', '/v1/refunds', { body }))).toBe('403 NotPermitted')
    expect((await server.visitor().request('POST', '/v1/refunds', { body })).status).toBe(401)
    expect(told(await shop.owner.request('POST', '/v1/refunds', { body }))).toBe('200 succeeded')
    const [{ actorId }] = (await ctx()
      .db.selectFrom('refund')
      .select('actorId')
      .where('orderId', '=', order.id)
      .execute()) as [{ actorId: string }]
    expect(actorId).toBe(shop.owner.id)
  })

  test('an administrator who acts as the seller', async () => {
    const order = await bought()
    const root = await server.administrator()
    await root.post('/admin/impersonate-user', { userId: shop.owner.id, reason: 'Support' })
    const body = { order_id: order.id, reason: 'other', amount: 1, organization_id: shop.organizationId }

    expect(told(await root.request('POST', '/v1/refunds', { body }))).toBe('403 NotAllowedWhileImpersonating')
    expect(await refundsOf(order)).toEqual([])
  })
})

test('a seller who may no longer sell can still refund', async () => {
  const seller = await createShop(server)
  const order = await bought('success', await seller.product([fixedPrice(1000)]), seller)
  await ctx().transaction((tx) =>
    tx.updateTable('merchant').set({ approvedAt: null }).where('organizationId', '=', seller.organizationId).execute(),
  )

  expect((await seller.post('/products', {})).status).toBe(403)
  expect(told(await refund(order, {}, seller))).toBe('200 succeeded')
})

describe('at the same moment', () => {
  const counted = (answers: readonly TestAnswer[]) =>
    Object.fromEntries(
      [200, 400, 403].map((status) => [status, answers.filter((each) => each.status === status).length]),
    )

  test('of twenty refunds of everything one is made (F-refund)', async () => {
    const order = await bought()

    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(order)))

    const { 200: made, 400: tooHigh, 403: already } = counted(answers)
    expect([made, (tooHigh ?? 0) + (already ?? 0)]).toEqual([1, 19])
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_amount: 1000 })
    expect(await refundsOf(order)).toHaveLength(1)
  })

  test('of parts that sum over the total as many are made as it has room for (F-refund)', async () => {
    const order = await bought()
    await withTax(order, 1000, 77)

    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(order, { amount: 130 })))

    expect(counted(answers)).toEqual({ 200: 7, 400: 13, 403: 0 })
    expect(await orderOf(order)).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 910,
      refunded_tax_amount: 70,
    })
    expect(told(await refund(order, { amount: 90 }))).toBe('200 succeeded')
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_tax_amount: 77 })
  })

  test('credit notes of several orders are numbered without gaps', async () => {
    const seller = await createShop(server)
    const product = await seller.product([fixedPrice(1000)])
    const cards = ['success', 'disputed', 'success', 'refund_pending', 'refund_fails_later']
    const orders = []
    for (let count = 0; count < 10; count += 1) orders.push(await bought(cards[count % 5], product, seller))

    await Promise.all(orders.map((order) => refund(order, {}, seller)))

    const { items } = (await seller.get('/refunds?limit=100')).body
    const numbers = items.map((item: { credit_note_number: string | null }) => item.credit_note_number)
    expect(numbers.filter((number: string | null) => number !== null).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((count) => `${seller.slug.toUpperCase()}-CN-00000${count}`),
    )
  })
})

describe('a refund that a user has made at the processor', () => {
  const there = async (order: { id: string }, amount: number) => {
    const { items } = (await shop.get(`/payments?order_id=${order.id}`)).body
    return ctx().payments.sandbox.refundThere(items[0].id, amount, 'usd')
  }

  test('counts like every other, with its share of the tax', async () => {
    const order = await bought()
    await withTax(order, 1000, 190)

    await there(order, 595)
    await ctx().jobs.runDue()

    expect(await orderOf(order)).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 500,
      refunded_tax_amount: 95,
    })
    const [refunded] = await refundsOf(order)
    expect(refunded).toMatchObject({ status: 'succeeded', reason: 'other', credit_note_number: expect.any(String) })
    expect((await eventsOf(order.id, refunded.id)).slice(3)).toEqual([
      'refund.created',
      'order.updated',
      'order.refunded',
      'refund.updated',
    ])
    expect(told(await refund(order, { amount: 501 }))).toBe('400 RefundAmountTooHigh')
    await there(order, 595)
    await ctx().jobs.runDue()
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_tax_amount: 190 })
  })

  test('never leaves tax behind that the seller could not give back', async () => {
    const order = await bought()
    await withTax(order, 10, 2)
    // The share of one in ten is 0.2, which rounds to zero.
    for (let part = 0; part < 9; part += 1) expect((await refund(order, { amount: 1 })).body.tax_amount).toBe(0)

    await there(order, 1)
    await ctx().jobs.runDue()

    expect(await orderOf(order)).toMatchObject({ status: 'partially_refunded', refundable_amount: 1 })
    expect((await refund(order, { amount: 1 })).body).toMatchObject({ amount: 1, tax_amount: 1 })
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_amount: 10, refunded_tax_amount: 2 })
    expect(told(await refund(order, { amount: 1 }))).toBe('403 RefundedAlready')
  })

  test('counts once when it arrives many times, also concurrently', async () => {
    const order = await bought()
    const attempt = await there(order, 300)
    const { sandbox } = ctx().payments
    const foreign = (await sandbox.lookForeignRefund(attempt.reference ?? ''))!

    await Promise.all(Array.from({ length: 10 }, () => recordRefund(ctx(), sandbox, foreign)))
    await ctx().jobs.runDue()

    expect(await refundsOf(order)).toHaveLength(1)
    expect(await orderOf(order)).toMatchObject({ refunded_amount: 300 })
  })

  test('is counted no more where it fails later', async () => {
    const order = await bought('refund_fails_later')
    await there(order, 300)
    await ctx().jobs.runDue()
    expect(await orderOf(order)).toMatchObject({ refunded_amount: 300 })

    server.clock.advance(minutes(1))
    await ctx().jobs.runDue()

    expect(await orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0 })
  })

  test('of tax alone that comes back at the end is made good by an amount of tax', async () => {
    const order = await bought('refund_fails_later')
    await withTax(order, 1, 2)
    await there(order, 1)
    await ctx().jobs.runDue()
    expect(await orderOf(order)).toMatchObject({ refunded_amount: 0, refunded_tax_amount: 1 })
    server.clock.advance(seconds(30))
    expect((await refund(order, { amount: 1 })).body).toMatchObject({ amount: 1, tax_amount: 1 })
    expect(await orderOf(order)).toMatchObject({ status: 'refunded' })

    server.clock.advance(seconds(30))
    await ctx().jobs.runDue()

    const left = { status: 'partially_refunded', refundable_amount: 0, refundable_tax_amount: 1 }
    expect(await orderOf(order)).toMatchObject(left)
    expect(told(await refund(order, { amount: 2 }))).toBe('400 RefundAmountTooHigh')
    expect((await refund(order, { amount: 1 })).body).toMatchObject({ status: 'succeeded', amount: 0, tax_amount: 1 })
    expect(await orderOf(order)).toMatchObject({ status: 'refunded', refunded_tax_amount: 2 })
  })

  test('waits where one of ours is on its way that the processor will refuse because of it', async () => {
    const order = await bought()
    const { sandbox } = ctx().payments
    const hanging: Processor = { ...sandbox, refund: () => Promise.reject(new Error('connection reset')) }
    const deaf = { ...ctx(), payments: { ...ctx().payments, byName: () => hanging } }
    const asked = { orderId: order.id, reason: 'other', amount: 800, revokeBenefits: false, comment: null } as const
    const pending = await createRefund({
      ctx: deaf,
      caller: createCaller(deaf, new Headers(), ''),
      current: undefined,
      seller: sellerOfObject(shop),
      body: asked,
    })
    const attempt = await there(order, 1000)

    const foreign = (await sandbox.lookForeignRefund(attempt.reference ?? ''))!
    await expect(recordRefund(ctx(), sandbox, foreign)).rejects.toThrow(/more of order/)
    server.clock.advance(minutes(2))
    await ctx().jobs.runDue()
    server.clock.advance(minutes(2))
    await ctx().jobs.runDue()

    const states = (await refundsOf(order)).map(({ status }: { status: string }) => status)
    expect(states.sort()).toEqual(['failed', 'succeeded'])
    expect((await shop.get(`/refunds/${pending.id}`)).body.failure_reason).toMatch(/exceeds the remaining amount/)
    expect(await orderOf(order)).toMatchObject({ status: 'refunded' })
  })

  test('of an unknown payment, or of one that had failed before we heard of it, is none of ours', async () => {
    const order = await bought()
    const { sandbox } = ctx().payments
    const [payment] = (await shop.get(`/payments?order_id=${order.id}`)).body.items
    const attempt = { status: 'failed', reference: 'x', reason: 'lost', message: 'Lost.' } as const
    const foreign = { reference: 'x', amount: 1, currency: 'usd', reason: 'other', attempt } as const

    expect(await recordRefund(ctx(), sandbox, { ...foreign, paymentId: newUuid() })).toBeUndefined()
    expect(await recordRefund(ctx(), sandbox, { ...foreign, paymentId: payment.id })).toBeUndefined()
    expect(await sandbox.lookForeignRefund('nothing')).toBeUndefined()
    expect(await refundsOf(order)).toEqual([])
  })
})

describe('the list', () => {
  let seller: Shop
  const made: Record<string, { id: string; [member: string]: unknown }> = {}
  beforeAll(async () => {
    seller = await createShop(server)
    const product = await seller.product([fixedPrice(1000)])
    const monthly = await seller.product([fixedPrice(1000)], 'month')
    const ada = { customer_email: 'ada@example.com', customer_name: 'Ada' }
    await seller.post('/customers', { email: ada.customer_email, external_id: 'ada' })
    for (const [name, card, of, amount] of [
      ['small', 'success', product, 100],
      ['large', 'success', product, 900],
      ['monthly', 'success', monthly, 500],
      ['refused', 'disputed', product, 600],
      ['pending', 'refund_pending', product, 700],
    ] as const) {
      const checkout = await seller.checkout(of)
      await seller.confirm(checkout, { ...ada, confirmation_token_id: `ctoken_sandbox_${card}` })
      const [order] = await seller.ordersOf(checkout)
      await refund(order, { amount }, seller)
      made[name] = (await seller.get(`/refunds?order_id=${order.id}`)).body.items[0]
      server.clock.advance(1000)
    }
  })
  const namesOf = (items: { id: string }[]) =>
    items.map(({ id }) => Object.keys(made).find((name) => made[name]?.id === id))

  test.each([
    [() => '', ['pending', 'refused', 'monthly', 'large', 'small']],
    [() => '?sorting=created_at', ['small', 'large', 'monthly', 'refused', 'pending']],
    [() => '?sorting=-amount', ['large', 'pending', 'refused', 'monthly', 'small']],
    [() => '?succeeded=true', ['monthly', 'large', 'small']],
    [() => '?succeeded=false', ['pending', 'refused']],
    [() => '?status=failed', ['refused']],
    [() => '?status=pending&status=failed', ['pending', 'refused']],
    [() => `?id=${made.small?.id}&id=${made.large?.id}`, ['large', 'small']],
    [() => `?order_id=${made.large?.order_id}`, ['large']],
    [() => `?subscription_id=${made.monthly?.subscription_id}`, ['monthly']],
    [() => `?customer_id=${made.small?.customer_id}&status=succeeded`, ['monthly', 'large', 'small']],
    [() => `?customer_id=${newUuid()}`, []],
    [() => '?external_customer_id=ada&external_customer_id=nobody&status=succeeded', ['monthly', 'large', 'small']],
    [() => '?external_customer_id=nobody', []],
    [() => '?limit=2&page=2', ['monthly', 'large']],
  ])('filtered and sorted %#', async (query, names) => {
    const { status, body } = await seller.get(`/refunds${query()}`)

    expect([status, namesOf(body.items)]).toEqual([200, names])
  })

  test('by cursor', async () => {
    const first = (await seller.get('/refunds?sorting=-amount&limit=3&cursor=')).body
    const { invoice_number, customer } = (await seller.get(`/orders/${made.large?.order_id}`)).body
    expect(first.items[0].order).toEqual({
      invoice_number,
      customer_name: customer.name,
      customer_email: customer.email,
    })
    const cursor = encodeURIComponent(first.pagination.next_cursor)
    const second = (await seller.get(`/refunds?sorting=-amount&limit=3&cursor=${cursor}`)).body

    expect(namesOf([...first.items, ...second.items])).toEqual(['large', 'pending', 'refused', 'monthly', 'small'])
    expect(second.pagination.next_cursor).toBeNull()
  })

  test.each(['?status=lost', '?id=x', '?sorting=status', '?succeeded=perhaps'])('%s is refused', async (query) => {
    expect((await seller.get(`/refunds${query}`)).status).toBe(422)
  })
})
