import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { cardholder, setCard } from '../testing/subscribers.ts'
import { pass, passTo } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const patch = (shop: Shop, id: string, body: object) => shop.patch(`/subscriptions/${id}`, body)
const markPaid = (shop: Shop, { id }: { id: string }) =>
  shop.post(`/orders/${id}/mark-paid`, { reference: 'Transfer 17' })
const balancesOf = async (shop: Shop, customerId: string) =>
  (await shop.get(`/customers/${customerId}/balance`)).body.balances
const refusal = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]

let customers = 0

/** A subscription by invoice of 10.00 for each unit, to which the first invoice is open. Its customer has a card. */
async function subscribed({ quantity = 1, net_terms_days = 30 } = {}) {
  const shop = await createShop(server)
  customers += 1
  const email = `open-${customers}@example.com`
  const given = { customer_email: email, customer_name: 'Ada', customer_billing_address: { country: 'DE' } }
  const customer_id = await cardholder(server, shop, given)
  const product_id = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const terms = { collection_method: 'send_invoice', net_terms_days }
  const begun = await shop.post('/subscriptions', { product_id, customer_id, quantity, ...terms })
  expect(begun.status).toBe(201)
  return { shop, email, customer_id, product_id, id: begun.body.id as string }
}

const tokenIn = (url: string) => url.split('/pay/')[1]
const open = (url: string) => server.visitor().request('GET', `/v1/pay-links/${tokenIn(url)}`)
const pay = (url: string, body: object) =>
  server.visitor().request('POST', `/v1/pay-links/${tokenIn(url)}/confirm`, { body })

describe('a change while the invoice of the running period is open', () => {
  test('gives no credit for what is not paid, and may wait for the end of the period', async () => {
    const { shop, id, customer_id } = await subscribed({ quantity: 10 })
    const yearly = await shop.product([fixedPrice(10_000)], 'year', 'Team by the year')
    await pass(server, days(1))
    const pending = [409, 'SubscriptionChangePending']

    for (const change of [{ quantity: 1 }, { product_id: yearly }])
      for (const proration_behavior of ['invoice', 'prorate']) {
        const body = { ...change, proration_behavior }
        expect(refusal(await shop.post(`/subscriptions/${id}/preview`, body))).toEqual(pending)
        expect(refusal(await patch(shop, id, body))).toEqual(pending)
      }
    const later = await patch(shop, id, { quantity: 1, proration_behavior: 'next_period' })
    await shop.delete(`/subscriptions/${id}`)

    expect([later.status, later.body.pending_update.quantity]).toEqual([200, 1])
    expect(await ordersOf(shop, id)).toMatchObject([{ status: 'pending', voided_at: expect.any(String) }])
    expect(await balancesOf(shop, customer_id)).toEqual([])
  })

  test('may bill more at once, and gives credit once all of the period is paid', async () => {
    const { shop, id, customer_id } = await subscribed({ quantity: 10 })
    const decrease = { quantity: 1, proration_behavior: 'invoice' }

    const more = await patch(shop, id, { quantity: 20, proration_behavior: 'invoice' })
    const [first, second] = await ordersOf(shop, id)
    await markPaid(shop, first)
    const refused = await patch(shop, id, decrease)
    await markPaid(shop, second)
    const fewer = await patch(shop, id, decrease)

    expect([more.status, fewer.status]).toEqual([200, 200])
    expect(refusal(refused)).toEqual([409, 'SubscriptionChangePending'])
    expect(await balancesOf(shop, customer_id)).toEqual([{ currency: 'usd', amount: 19_000 }])
  })
})

describe('the invoices of periods that begin late, because the seller might not sell', () => {
  test('are due by their terms from their issue, and their links work', async () => {
    const { shop, email, id } = await subscribed({ net_terms_days: 14 })
    await markPaid(shop, (await ordersOf(shop, id))[0])
    const approve = (approvedAt: Date | null) =>
      ctx().db.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', shop.organizationId).execute()
    await approve(null)
    await pass(server, days(100))
    const again = ctx().clock.now()
    await approve(again)
    await pass(server, days(2))

    const [, ...late] = await ordersOf(shop, id)
    const documents = await ctx()
      .db.selectFrom('document')
      .select('content')
      .where('kind', '=', 'invoice')
      .where(
        'orderId',
        'in',
        late.map((order) => order.id),
      )
      .execute()
    const mails = (await server.mailsTo(email)).filter(({ subject }) => /^Invoice .+ due on/.test(subject))
    const links = [
      ...mails.slice(0, late.length).map((mail) => mail.links[0]!),
      ...documents.map(({ content }) => JSON.parse(content).payUrl),
    ]
    const shown = await Promise.all(links.map(open))

    const dueIn = late.map(({ due_at }) => new Date(due_at).getTime() - again.getTime())
    expect(late).toHaveLength(3)
    // The search for what is due looks at a stopped seller once a day.
    for (const time of dueIn) expect([time >= days(14), time <= days(15)]).toEqual([true, true])
    // The later ones carry the moment that their period began at.
    expect(late.filter(({ created_at }) => new Date(created_at) < again)).toHaveLength(2)
    expect(shown.map(({ body }) => body.status)).toEqual(Array(6).fill('open'))
    expect((await read(shop, id)).status).toBe('active')
  })

  test('without days to pay are not reminded of with their issue', async () => {
    const { shop, email, id } = await subscribed({ net_terms_days: 0 })
    await markPaid(shop, (await ordersOf(shop, id))[0])
    const approve = (approvedAt: Date | null) =>
      ctx().db.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', shop.organizationId).execute()
    await approve(null)
    await pass(server, days(70))
    await approve(ctx().clock.now())
    await pass(server, days(1))

    const subjects = (await server.mailsTo(email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /^Invoice .+ due on/.test(subject))).toHaveLength(3)
    expect(subjects.filter((subject) => /^Invoice .+ is due on/.test(subject))).toEqual([])
  })
})

describe('a dunning with two open orders', () => {
  test('ends the subscription where its last retry pays one, and the overdue invoice is left', async () => {
    const { shop, email, id } = await subscribed({ net_terms_days: 40 })
    await patch(shop, id, { collection_method: 'charge_automatically' })
    await setCard(server, shop, 'renewal_decline')
    await pass(server, days(35))
    const due = await read(shop, id)
    const passToDay = (day: number) => passTo(server, after(new Date(due.past_due_at), days(day)).toISOString())

    await passToDay(20)
    await setCard(server, shop, 'success')
    await passToDay(21)

    const [invoice, renewal, ...more] = await ordersOf(shop, id)
    expect(due.status).toBe('past_due')
    expect(renewal.paid).toBe(true)
    expect(invoice).toMatchObject({ paid: false, voided_at: expect.any(String) })
    expect([(await read(shop, id)).status, more]).toEqual(['canceled', []])
    expect((await server.mailsTo(email)).filter(({ subject }) => /ended/.test(subject))).toHaveLength(1)
  })

  test.each([
    ['is marked as paid', markPaid],
    ['is voided', (shop: Shop, { id }: { id: string }) => shop.post(`/orders/${id}/void`, { reason: 'Error' })],
  ])('ends it where one %s after the last retry, and nothing pays the other', async (_, settle) => {
    const { shop, id } = await subscribed({ net_terms_days: 45 })
    await pass(server, days(47))
    const [first, second] = await ordersOf(shop, id)
    // As where the second is overdue too, and a payment of the last retry was under way.
    await ctx().db.updateTable('order').set({ dueNotice: 3 }).where('id', '=', second.id).execute()
    const over = { dunningStep: 4, nextActionAt: null }
    await ctx().db.updateTable('subscription').set(over).where('id', '=', id).execute()

    await settle(shop, first)

    expect((await read(shop, id)).status).toBe('canceled')
    expect((await ordersOf(shop, id))[1]).toMatchObject({ voided_at: expect.any(String) })
  })
})

describe('the link of an invoice', () => {
  test('charges no saved card: more people read it than the customer', async () => {
    const { shop, id } = await subscribed()
    const [order] = await ordersOf(shop, id)
    const { url } = (await shop.post(`/orders/${order.id}/pay-link`, {})).body

    const shown = await open(url)
    const bySaved = await pay(url, {})
    const byNew = await pay(url, { confirmation_token_id: 'ctoken_sandbox_success' })

    expect(shown.body).toMatchObject({ status: 'open', saved_method: null })
    expect([bySaved.status, bySaved.body.detail[0].loc]).toEqual([422, ['body', 'confirmation_token_id']])
    expect([byNew.status, byNew.body.status]).toEqual([200, 'paid'])
  })
})
