import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

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
      collection_method: 'send_invoice',
      net_terms_days: 14,
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
})
