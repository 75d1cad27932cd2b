import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, days } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import type { DisputeTold } from '../payments/processor.ts'
import { disputeTransitions } from '../states.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { recordDispute } from './dispute.service.ts'

let server: TestServer
let shop: Shop
let course: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  course = await shop.product([fixedPrice(1000)])
  const proven = { emailVerified: true }
  await ctx().transaction((tx) => tx.updateTable('user').set(proven).where('id', '=', shop.owner.id).execute())
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const bought = async (card = 'success') => {
  const { checkout, order } = await shop.buy(course, { confirmation_token_id: `ctoken_sandbox_${card}` })
  await ctx().jobs.runDue()
  const [payment] = await shop.paymentsOf(checkout)
  return { order, payment }
}
const disputesOf = async ({ id }: { id: string }) => (await shop.get(`/disputes?order_id=${id}`)).body.items
const eventsOf = async (id: string) =>
  (await ctx().db.selectFrom('event').select('type').where('subjectId', '=', id).orderBy('id').execute()).map(
    ({ type }) => type,
  )
/** The decision of the sandbox's bank. */
const decide = ({ id }: { id: string }, outcome: string) => shop.post(`/disputes/${id}/sandbox-decision`, { outcome })
/** A processor's report of a dispute of a payment. */
const told = (paymentId: string, given: Partial<DisputeTold> = {}): DisputeTold => ({
  reference: `case-${newUuid()}`,
  paymentId,
  status: 'needs_response',
  reason: 'fraudulent',
  amount: 1000,
  currency: 'usd',
  evidenceDueBy: null,
  ...given,
})
const record = (dispute: DisputeTold) => recordDispute(ctx(), ctx().payments.sandbox, dispute)

describe('a dispute', () => {
  test('of the sandbox stands beside its order, whose amounts stay, and is decided', async () => {
    const { order, payment } = await bought('disputed')

    const [dispute] = await disputesOf(order)
    expect(dispute).toMatchObject({
      status: 'needs_response',
      resolved: false,
      closed: false,
      past_due: false,
      amount: 1000,
      tax_amount: 0,
      currency: 'usd',
      reason: 'fraudulent',
      order_id: order.id,
      payment_id: payment.id,
      customer_id: order.customer_id,
      organization_id: shop.organizationId,
      case_id: expect.stringMatching(/^sandbox_dispute_/),
    })
    expect(dispute.evidence_due_by).toBe(after(server.clock.now(), days(7)).toISOString())
    expect((await decide(dispute, 'lost')).body).toEqual({ status: 'lost' })
    await ctx().jobs.runDue()

    const { body } = await shop.get(`/disputes/${dispute.id}`)
    expect(body).toMatchObject({ status: 'lost', resolved: true, closed: true })
    expect(await eventsOf(dispute.id)).toEqual(['dispute.created', 'dispute.updated'])
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'paid', refunded_amount: 0 })
    // The bank's decision is final.
    expect((await decide(dispute, 'won')).body).toEqual({ status: 'lost' })
  })

  test('that is won lets its payment be given back, which was refused before', async () => {
    const { order } = await bought('disputed')
    const [dispute] = await disputesOf(order)
    const refund = () => shop.post('/refunds', { order_id: order.id, reason: 'other', amount: 1000 })
    const refused = await refund()
    expect(refused.body.error).toBe('RefundFailed')

    await decide(dispute, 'won')
    await ctx().jobs.runDue()

    expect((await refund()).body.status).toBe('succeeded')
    const { items } = (await shop.get(`/refunds?order_id=${order.id}&sorting=created_at`)).body
    // The first mail was for the open dispute; the second came after its end.
    expect(items.map((item: { dispute: { id: string } | null }) => item.dispute?.id).sort()).toEqual([
      dispute.id,
      undefined,
    ])
    expect((await shop.get(`/refunds/${items[0].id}`)).status).toBe(200)
  })

  test('is mailed to those who may answer, once, with the day until which they may', async () => {
    const { order, payment } = await bought()
    const { owner } = shop
    const about = async () =>
      (await server.mailsTo(owner.email)).filter(({ text }) => text.includes(order.invoice_number))
    const dueBy = new Date('2026-11-29T10:00:00.000Z')
    const dispute = told(payment.id, { status: 'early_warning', evidenceDueBy: null })

    await record(dispute)
    expect(await about()).toEqual([])
    await record({ ...dispute, status: 'needs_response', evidenceDueBy: dueBy })
    await record({ ...dispute, status: 'needs_response', evidenceDueBy: dueBy })

    const [mail, ...more] = await about()
    expect(more).toEqual([])
    expect(mail!.text).toContain('Respond by: November 29, 2026')
    expect(mail!.links).toContain(`${server.baseURL}/dashboard/${shop.slug}/orders/${order.id}`)
  })

  test('that a bank only asks about is mailed as soon as there is a day, and is past due after it', async () => {
    const { order, payment } = await bought()
    const about = async () =>
      (await server.mailsTo(shop.owner.email)).filter(({ text }) => text.includes(order.invoice_number))
    const dispute = told(payment.id, { status: 'early_warning' })
    const kept = await record(dispute)
    expect(await about()).toEqual([])

    const evidenceDueBy = after(server.clock.now(), days(1))
    await record({ ...dispute, evidenceDueBy })
    await record({ ...dispute, evidenceDueBy: after(evidenceDueBy, days(1)) })

    expect((await about()).map(({ subject }) => subject)).toEqual([expect.stringContaining('A bank asks')])
    const read = async () => (await shop.get(`/disputes/${kept?.id}`)).body
    expect(await read()).toMatchObject({ status: 'early_warning', past_due: false })
    server.clock.advance(days(2))
    expect(await read()).toMatchObject({ past_due: true })
  })

  test('has its share of the tax', async () => {
    const { order, payment } = await bought()
    await ctx().transaction((tx) =>
      tx
        .updateTable('order')
        .set({ subtotalAmount: 840, netAmount: 840, taxAmount: 160 })
        .where('id', '=', order.id)
        .execute(),
    )

    await record(told(payment.id, { amount: 1000 }))
    await record(told(payment.id, { amount: 333 }))

    const shares = (await disputesOf(order)).map((each: Record<string, number>) => [each.amount, each.tax_amount])
    expect(shares).toEqual(
      expect.arrayContaining([
        [840, 160],
        [280, 53],
      ]),
    )
    await ctx().transaction((tx) =>
      tx
        .updateTable('order')
        .set({ subtotalAmount: 1000, netAmount: 1000, taxAmount: 0 })
        .where('id', '=', order.id)
        .execute(),
    )
  })

  test('counts once when it arrives many times, also concurrently', async () => {
    const { order, payment } = await bought()
    const dispute = told(payment.id)

    await Promise.all(Array.from({ length: 10 }, () => record(dispute)))
    await record(dispute)

    const [kept, ...others] = await disputesOf(order)
    expect(others).toEqual([])
    expect(await eventsOf(kept.id)).toEqual(['dispute.created'])
  })

  const states = Object.keys(disputeTransitions) as (keyof typeof disputeTransitions)[]
  const steps = states.flatMap((from) => states.map((next) => [from, next] as const))
  test.each(steps)('goes from %s to %s only forward', async (from, next) => {
    const { payment } = await shared()
    const dispute = told(payment.id, { status: from })
    await record(dispute)

    const kept = await record({ ...dispute, status: next })

    const isForward = (disputeTransitions[from] as readonly string[]).includes(next)
    expect(kept?.status).toBe(isForward ? next : from)
    expect(await eventsOf(kept?.id ?? '')).toHaveLength(isForward ? 2 : 1)
  })

  test('may be given more time, and is past due when that is over', async () => {
    const { payment } = await shared()
    const dispute = told(payment.id, { evidenceDueBy: after(server.clock.now(), days(1)) })
    const kept = await record(dispute)
    const read = async () => (await shop.get(`/disputes/${kept?.id}`)).body

    await record({ ...dispute, evidenceDueBy: after(server.clock.now(), days(2)) })
    expect(await read()).toMatchObject({ evidence_due_by: after(server.clock.now(), days(2)).toISOString() })
    server.clock.advance(days(2))

    expect(await read()).toMatchObject({ past_due: true })
    expect(await eventsOf(kept?.id ?? '')).toEqual(['dispute.created', 'dispute.updated'])
  })

  test('that is not of the sandbox is not decided there, and nothing else than won or lost', async () => {
    const { payment } = await shared()
    const real = await record(told(payment.id))
    await ctx().transaction((tx) =>
      tx.updateTable('dispute').set({ processor: 'stripe' }).where('id', '=', real!.id).execute(),
    )
    const { order } = await bought('disputed')
    const [dispute] = await disputesOf(order)

    expect((await decide(real!, 'won')).status).toBe(404)
    expect((await decide({ id: newUuid() }, 'won')).status).toBe(404)
    expect((await decide(dispute, 'perhaps')).status).toBe(422)
  })

  test('of an unknown payment is no dispute of ours', async () => {
    expect(await record(told(newUuid()))).toBeUndefined()
  })

  test('that arrives before its payment waits until that is paid', async () => {
    const checkout = await shop.checkout(course)
    const { sandbox } = ctx().payments
    const confirmed = await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_requires_action' })
    const [payment] = await shop.paymentsOf(checkout)
    const dispute = told(payment.id)
    await expect(record(dispute)).rejects.toThrow(/still pending/)

    await sandbox.completeAction(confirmed.body.payment_processor_metadata.intent_client_secret, 'succeed')
    const kept = await record(dispute)

    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect(kept?.status).toBe('needs_response')
  })
})

/** All tests that only read disputes share one order. */
let first: ReturnType<typeof bought> | undefined
const shared = () => {
  first ??= bought()
  return first
}

describe('the list', () => {
  let seller: Shop
  let customers: string[]
  beforeAll(async () => {
    seller = await createShop(server)
    const product = await seller.product([fixedPrice(1000)])
    customers = []
    for (const [status, amount] of [
      ['needs_response', 100],
      ['won', 300],
      ['early_warning', 200],
    ] as const) {
      const { checkout, order } = await seller.buy(product)
      const [payment] = await seller.paymentsOf(checkout)
      await record(told(payment.id, { status, amount }))
      customers.push(order.customer_id)
      server.clock.advance(1000)
    }
  })

  test.each([
    [() => '', [200, 300, 100]],
    [() => '?sorting=amount', [100, 200, 300]],
    [() => '?status=won', [300]],
    [() => '?status=won&status=needs_response', [300, 100]],
    [() => `?customer_id=${customers[0]}`, [100]],
    [() => `?order_id=${newUuid()}`, []],
  ])('filtered and sorted %#', async (query, amounts) => {
    const { body } = await seller.get(`/disputes${query()}`)

    expect(body.items.map(({ amount }: { amount: number }) => amount)).toEqual(amounts)
    expect(body.pagination.total_count).toBe(amounts.length)
  })

  test('and one of another seller is not found', async () => {
    const [{ order, ...dispute }] = (await seller.get('/disputes')).body.items
    const { invoice_number, customer } = (await seller.get(`/orders/${dispute.order_id}`)).body

    expect(order).toEqual({ invoice_number, customer_name: customer.name, customer_email: customer.email })
    expect((await shop.get(`/disputes/${dispute.id}`)).status).toBe(404)
    expect((await seller.get(`/disputes/${dispute.id}`)).body).toEqual(dispute)
    expect((await seller.get('/disputes?status=open')).status).toBe(422)
  })
})
