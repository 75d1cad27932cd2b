import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { cardholder, giveCredit } from '../testing/subscribers.ts'
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

const byInvoice = { collection_method: 'send_invoice', net_terms_days: 14 } as const
const start = (shop: Shop, body: object) => shop.post('/subscriptions', body)
const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

let customers = 0

/** A plan of 10.00 a month, with a customer who has no card. */
async function setUp() {
  const shop = await createShop(server)
  customers += 1
  const email = `payer-${customers}@example.com`
  const given = { email, name: 'Ada', billing_address: { country: 'DE' } }
  const customer_id: string = (await shop.post('/customers', given)).body.id
  const product_id = await shop.product([fixedPrice(1000)], 'month', 'Team')
  return { shop, email, customer_id, product_id }
}

/** A subscription of such a customer by invoices that are due in so many days. */
async function subscribed(net_terms_days = 14) {
  const given = await setUp()
  const { shop, product_id, customer_id } = given
  const begun = await start(shop, { product_id, customer_id, collection_method: 'send_invoice', net_terms_days })
  expect(begun.status).toBe(201)
  return { ...given, id: begun.body.id as string }
}

/** The subjects of the mails about invoices, without their numbers and names, in order. */
const mailsAbout = async (email: string) =>
  (await server.mailsTo(email))
    .toReversed()
    .map(({ subject }) => subject)
    .filter((subject) => /^Invoice|ended|continues|failed/.test(subject))
    .map((subject) => /, due on|is due on|overdue|ended|continues|failed/.exec(subject)?.[0])

const markPaid = (shop: Shop, order: { id: string }, reference = 'Transfer 17') =>
  shop.post(`/orders/${order.id}/mark-paid`, { reference })
const refusal = ({ status, body }: { status: number; body: { detail: { loc: string[] }[] | string } }) => [
  status,
  typeof body.detail === 'string' ? body.detail : body.detail[0]?.loc.join('.'),
]

/** Lets the time pass until the next period has begun. */
async function passToRenewal(shop: Shop, id: string) {
  await passTo(server, (await read(shop, id)).current_period_end)
}

const linksIn = async (email: string, subject: RegExp) =>
  (await server.mailsTo(email)).filter((mail) => subject.test(mail.subject)).map(({ links }) => links[0]!)

const payAt = (link: string) =>
  server.visitor().request('POST', `/v1/pay-links/${link.split('/pay/')[1]}/confirm`, {
    body: { confirmation_token_id: 'ctoken_sandbox_success' },
  })

describe('a subscription that is collected by invoice', () => {
  test('begins at once with an open invoice, which its customer pays by the link', async () => {
    const { shop, email, customer_id, product_id } = await setUp()

    const begun = await start(shop, {
      product_id,
      customer_id,
      ...byInvoice,
    })
    const [open] = await ordersOf(shop, begun.body.id)
    await pass(server, 1)
    const [link] = await linksIn(email, /^Invoice .+ due on/)
    const paid = await payAt(link!)

    expect(begun.body).toMatchObject({ status: 'active', collection_method: 'send_invoice', net_terms_days: 14 })
    expect(open).toMatchObject({ status: 'pending', due_amount: 1000, is_invoice_generated: true })
    expect(open.invoice_number).not.toBeNull()
    expect(new Date(open.due_at).getTime() - new Date(open.created_at).getTime()).toBe(days(14))
    expect(paid.body.status).toBe('paid')
    expect(await ordersOf(shop, begun.body.id)).toMatchObject([
      { status: 'paid', invoice_number: open.invoice_number, due_at: open.due_at },
    ])
    expect(await read(shop, begun.body.id)).toMatchObject({ status: 'active' })
  })

  test('is reminded of three days before an invoice is due and on the day, and is past due the day after', async () => {
    const { shop, email, id } = await subscribed()

    const seen: unknown[] = []
    for (const day of [1, 9, 1, 1, 2, 1]) {
      await pass(server, days(day))
      seen.push([(await read(shop, id)).status, (await mailsAbout(email)).length])
    }

    expect(seen).toEqual([
      ['active', 1],
      ['active', 1],
      ['active', 2],
      ['active', 2],
      ['active', 3],
      ['past_due', 4],
    ])
    expect(await mailsAbout(email)).toEqual([', due on', 'is due on', 'is due on', 'overdue'])
  })

  test('ends unpaid after the reminders of the dunning, and its invoice gets a credit note', async () => {
    const { shop, email, id } = await subscribed()

    await pass(server, days(15 + 22))

    const [order, ...more] = await ordersOf(shop, id)
    const documents = (await shop.get(`/orders/${order.id}/documents`)).body.items
    expect(await read(shop, id)).toMatchObject({ status: 'canceled' })
    expect(more).toEqual([])
    expect(order).toMatchObject({ status: 'pending', due_amount: 0, voided_at: expect.any(String) })
    expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual(['invoice', 'credit_note'])
    // The first notice and one for each of the reminders before the end.
    expect((await mailsAbout(email)).slice(3)).toEqual([...Array(4).fill('overdue'), 'ended'])
    expect((await shop.get(`/payments?order_id=${order.id}`)).body.items).toEqual([])
  })

  test('lives for 14 months: paid by card, in other ways, late and too late', async () => {
    const { shop, email, id } = await subscribed()
    const open = async () => (await ordersOf(shop, id)).filter(({ status }) => status === 'pending')
    const pay = [
      async () => payAt((await linksIn(email, /, due on/))[0]!),
      async () => markPaid(shop, (await open())[0]!),
    ]
    for (let month = 0; month < 12; month += 1) {
      await pass(server, days(7))
      await pay[month % 2]!()
      expect([month, await open()]).toEqual([month, []])
      await passToRenewal(shop, id)
    }
    // The thirteenth is late, and the fourteenth stays unpaid.
    await pass(server, days(16))
    const late = await read(shop, id)
    await markPaid(shop, (await open())[0]!)
    const recovered = await read(shop, id)
    await passToRenewal(shop, id)
    await pass(server, days(15 + 22))

    const orders = await ordersOf(shop, id)
    expect([late.status, recovered.status, (await read(shop, id)).status]).toEqual(['past_due', 'active', 'canceled'])
    expect(orders).toHaveLength(14)
    expect(orders.map(({ paid }) => paid)).toEqual([...Array(13).fill(true), false])
    expect(new Set(orders.map(({ invoice_number }) => invoice_number)).size).toBe(14)
    const starts = orders.map(({ created_at }) => created_at)
    expect(starts).toEqual(starts.toSorted())
    expect((await mailsAbout(email)).filter((about) => about === 'continues')).toHaveLength(1)
  })

  test('may have several open invoices, of which one alone makes it past due', async () => {
    const { shop, id } = await subscribed(45)

    await pass(server, days(47))
    const due = await read(shop, id)
    const [first, second] = await ordersOf(shop, id)
    await markPaid(shop, first)
    const recovered = await read(shop, id)

    expect([due.status, recovered.status]).toEqual(['past_due', 'active'])
    expect(second).toMatchObject({ status: 'pending', due_amount: 1000 })
  })

  test('is due at once without terms, and its first notice is that of the day after', async () => {
    const { shop, email, id } = await subscribed(0)

    await pass(server, days(2))

    expect(await mailsAbout(email)).toEqual([', due on', 'overdue'])
    expect((await read(shop, id)).status).toBe('past_due')
  })

  test('charges no saved card, neither at a renewal nor when it is past due', async () => {
    const { shop, product_id } = await setUp()
    const customer_id = await cardholder(server, shop)
    const { body } = await start(shop, { product_id, customer_id, ...byInvoice })

    await pass(server, days(20))
    const dueAgain = await read(shop, body.id)
    const [order] = await ordersOf(shop, body.id)
    await pass(server, days(20))

    expect(dueAgain.status).toBe('past_due')
    expect((await read(shop, body.id)).status).toBe('canceled')
    expect((await shop.get(`/payments?order_id=${order.id}`)).body.items).toEqual([])
  })

  test('begins on trial without a card, and sends the invoice at its end', async () => {
    const { shop, email, customer_id, product_id } = await setUp()
    const trial = { trial_interval: 'day', trial_interval_count: 10 }

    const begun = await start(shop, { product_id, customer_id, ...byInvoice, ...trial })
    await pass(server, days(11))

    expect(begun.body.status).toBe('trialing')
    expect((await read(shop, begun.body.id)).status).toBe('active')
    expect(await ordersOf(shop, begun.body.id)).toMatchObject([
      { status: 'paid', total_amount: 0, due_at: null },
      { status: 'pending', due_amount: 1000, due_at: expect.any(String) },
    ])
    expect(await mailsAbout(email)).toEqual([', due on'])
  })

  test('renews without an invoice to pay where credit pays it', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await giveCredit(server, shop, customer_id, 1500)

    const { body } = await start(shop, { product_id, customer_id, ...byInvoice })
    await pass(server, days(32))

    expect(await ordersOf(shop, body.id)).toMatchObject([
      { status: 'paid', due_at: null, applied_balance_amount: -1000 },
      { status: 'pending', due_amount: 500 },
    ])
  })

  test('changes its plan at once, with an invoice of the change', async () => {
    const { shop, email, id } = await subscribed()
    const more = await shop.product([fixedPrice(3000)], 'month', 'Business')

    await pass(server, 1000)
    const change = { product_id: more, proration_behavior: 'invoice' }
    const changed = await shop.patch(`/subscriptions/${id}`, change)
    await pass(server, 1)

    expect([changed.status, changed.body.product_id]).toEqual([200, more])
    expect(await ordersOf(shop, id)).toMatchObject([
      { status: 'pending', due_amount: 1000 },
      { status: 'pending', due_amount: 2000, billing_reason: 'subscription_update', due_at: expect.any(String) },
    ])
    expect(await mailsAbout(email)).toEqual([', due on', ', due on'])
  })

  test('changes its quantity at once, with an invoice of the change', async () => {
    const { shop, id } = await subscribed()
    await pass(server, 1000)

    const changed = await shop.patch(`/subscriptions/${id}`, { quantity: 3, proration_behavior: 'invoice' })

    expect([changed.status, changed.body.amount]).toEqual([200, 3000])
    expect(await ordersOf(shop, id)).toMatchObject([
      { status: 'pending', due_amount: 1000 },
      { status: 'pending', due_amount: 2000, billing_reason: 'subscription_update', due_at: expect.any(String) },
    ])
  })

  test('sends each notice once, also where its job runs again', async () => {
    const { email } = await subscribed()
    await pass(server, days(12))
    const before = await mailsAbout(email)

    // As after a kill between the commit of a notice and the end of its job.
    await ctx().db.updateTable('job').set({ runAt: ctx().clock.now() }).where('kind', '=', 'collect-invoice').execute()
    await ctx().jobs.runDue()

    expect(before).toEqual([', due on', 'is due on'])
    expect(await mailsAbout(email)).toEqual(before)
  })

  test('waits for its seller to sell again before it is past due, and sends no reminder meanwhile', async () => {
    const { shop, email, id } = await subscribed()
    const approve = (approvedAt: Date | null) =>
      ctx().db.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', shop.organizationId).execute()
    await approve(null)

    await pass(server, days(20))
    const stopped = [(await read(shop, id)).status, await mailsAbout(email)]
    await approve(ctx().clock.now())
    await pass(server, days(2))

    expect(stopped).toEqual(['active', [', due on']])
    expect((await read(shop, id)).status).toBe('past_due')
    expect(await mailsAbout(email)).toEqual([', due on', 'overdue'])
  })

  test('keeps what is open when it ends with its period, and reminds of it', async () => {
    const { shop, email, id } = await subscribed(45)
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })

    await pass(server, days(50))

    expect((await read(shop, id)).status).toBe('canceled')
    expect(await ordersOf(shop, id)).toMatchObject([{ status: 'pending', due_amount: 1000, voided_at: null }])
    expect(await mailsAbout(email)).toEqual([', due on', 'is due on', 'is due on', 'overdue'])
  })

  test('does not keep the card that pays an invoice, and says so on the page', async () => {
    const { shop, email, customer_id, id } = await subscribed()
    const [link] = await linksIn(email, /, due on/)

    const shown = await server.visitor().request('GET', `/v1/pay-links/${link!.split('/pay/')[1]}`)
    await payAt(link!)

    const [order] = await ordersOf(shop, id)
    expect(shown.body).toMatchObject({ invoice_number: order.invoice_number, due_at: order.due_at })
    expect(new Date(shown.body.expires_at).getTime()).toBe(new Date(order.due_at).getTime() + days(30))
    expect((await shop.get(`/customers/${customer_id}/payment-methods`)).body.items).toEqual([])
  })

  test('is previewed without a card, and begins for what the quote says', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const asked = { product_id, customer_id, ...byInvoice }

    const quote = (await shop.post('/subscriptions/preview', asked)).body
    const byOthers = await start(shop, { ...asked, net_terms_days: 30, quote_id: quote.id })
    const begun = await start(shop, { ...asked, quote_id: quote.id })

    expect(quote.order).toMatchObject({ due_amount: 1000 })
    expect([byOthers.status, byOthers.body.error]).toEqual([409, 'QuoteChanged'])
    expect([begun.status, (await ordersOf(shop, begun.body.id))[0].due_amount]).toEqual([201, 1000])
  })

  test('says in its other mails that an invoice follows, and no charge', async () => {
    const { shop, email, customer_id } = await setUp()
    const product_id = await shop.product([fixedPrice(12_000)], 'year', 'Team')
    const { id } = (await start(shop, { product_id, customer_id, ...byInvoice })).body
    await markPaid(shop, (await ordersOf(shop, id))[0])
    const textOf = async (subject: RegExp) =>
      (await server.mailsTo(email)).find((mail) => subject.test(mail.subject))?.text.replaceAll('\u00a0', ' ')

    await pass(server, days(340))
    const reminder = await textOf(/renews on/)
    await shop.post(`/subscriptions/${id}/pause`, { at: 'now' })
    await shop.post(`/subscriptions/${id}/resume`, {})

    expect(reminder).toContain('then sends you an invoice of $120.00.')
    expect(await textOf(/has resumed/)).toContain('An invoice follows by mail.')
  })

  test('has an invoice that its seller can read before it is paid', async () => {
    const { shop, id } = await subscribed()
    const [order] = await ordersOf(shop, id)

    const invoice = await shop.get(`/orders/${order.id}/invoice`)
    const receipt = await shop.get(`/orders/${order.id}/receipt`)

    expect([invoice.status, receipt.status]).toEqual([200, 422])
  })

  test('goes on after a pause, over which no invoice is overdue', async () => {
    const { shop, id } = await subscribed()
    await shop.post(`/subscriptions/${id}/pause`, { at: 'now' })

    await pass(server, days(20))
    const paused = await read(shop, id)
    await shop.post(`/subscriptions/${id}/resume`, {})
    await pass(server, days(2))

    expect(paused.paused_at).not.toBeNull()
    expect((await read(shop, id)).status).toBe('past_due')
  })

  test('recovers where its overdue invoice is voided', async () => {
    const { shop, id } = await subscribed()
    await pass(server, days(16))
    const [order] = await ordersOf(shop, id)

    const voided = await shop.post(`/orders/${order.id}/void`, { reason: 'Billed in error' })

    expect(voided.status).toBe(200)
    expect((await read(shop, id)).status).toBe('active')
  })
})

describe('the way of collection', () => {
  test('is changed for the orders that follow', async () => {
    const { shop, product_id } = await setUp()
    const customer_id = await cardholder(server, shop)
    const { id } = (await start(shop, { product_id, customer_id })).body

    const invoiced = await shop.patch(`/subscriptions/${id}`, { collection_method: 'send_invoice' })
    const shorter = await shop.patch(`/subscriptions/${id}`, { net_terms_days: 7 })
    await pass(server, days(32))
    const back = await shop.patch(`/subscriptions/${id}`, { collection_method: 'charge_automatically' })
    const open = await ordersOf(shop, id)
    await markPaid(shop, open[1]!)
    await pass(server, days(31))

    expect(invoiced.body).toMatchObject({ collection_method: 'send_invoice', net_terms_days: 30 })
    expect(shorter.body).toMatchObject({ collection_method: 'send_invoice', net_terms_days: 7 })
    expect(back.body).toMatchObject({ collection_method: 'charge_automatically', net_terms_days: null })
    expect(open).toMatchObject([
      { paid: true, due_at: null },
      { paid: false, due_at: expect.any(String) },
    ])
    expect((await ordersOf(shop, id))[2]).toMatchObject({ paid: true, due_at: null })
  })

  test('is refused with terms that no invoice has, and where nothing could be collected', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const nameless = (await shop.post('/customers', { email: 'nameless@example.com' })).body.id
    const begin = (given: object) => start(shop, { product_id, customer_id, ...given })

    expect(refusal(await begin({ net_terms_days: 14 }))).toEqual([422, 'body.net_terms_days'])
    expect(refusal(await begin({ ...byInvoice, net_terms_days: 91 }))).toEqual([422, 'body.net_terms_days'])
    expect(refusal(await begin({ ...byInvoice, net_terms_days: -1 }))).toEqual([422, 'body.net_terms_days'])
    expect(refusal(await begin({ ...byInvoice, net_terms_days: 1.5 }))).toEqual([422, 'body.net_terms_days'])
    expect(refusal(await begin({ collection_method: 'by_post' }))).toEqual([422, 'body.collection_method'])
    expect(refusal(await start(shop, { product_id, customer_id: nameless, ...byInvoice }))).toEqual([
      422,
      'body.customer_id',
    ])
    expect(refusal(await shop.post('/subscriptions/preview', { product_id, customer_id, net_terms_days: 1 }))).toEqual([
      422,
      'body.net_terms_days',
    ])
    const { id } = (await begin(byInvoice)).body
    const patch = (given: object) => shop.patch(`/subscriptions/${id}`, given)
    expect(refusal(await patch({ collection_method: 'charge_automatically' }))).toEqual([422, 'body.collection_method'])
    expect(refusal(await patch({ collection_method: 'charge_automatically', net_terms_days: 3 }))).toEqual([
      422,
      'body.net_terms_days',
    ])
    expect((await patch({ net_terms_days: 3, revoke: true })).status).toBe(422)
  })

  test('of a subscription by invoice needs no saved card, so that the last one can be removed', async () => {
    const { shop, product_id } = await setUp()
    const customer_id = await cardholder(server, shop)
    await start(shop, { product_id, customer_id, ...byInvoice })
    const [method] = (await shop.get(`/customers/${customer_id}/payment-methods`)).body.items

    const removed = await shop.delete(`/customers/${customer_id}/payment-methods/${method.id}`)

    expect(removed.status).toBe(204)
  })
})
