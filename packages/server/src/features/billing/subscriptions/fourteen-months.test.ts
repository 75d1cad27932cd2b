import { expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'

/*
 * The same fourteen months, lived again and again: what they leave is the same, byte for byte, but for ids and secrets.
 * RUNS=100 lives them as often.
 */

const runs = Number(process.env.RUNS ?? 3)

/** Two products and what the buyers of a shop do with them, each at a moment of their own. */
async function live(server: TestServer): Promise<void> {
  const shop = await createShop(server)
  const address = { country: 'DE', line1: 'Am Markt 1', city: 'Kiel', postal_code: '24103' }
  await shop.patch(`/organizations/${shop.organizationId}/tax`, { address })
  const solo = await shop.product([fixedPrice(999)], 'month', 'Solo')
  const team = await shop.product([fixedPrice(2999)], 'month', 'Team')
  const yearly = await shop.product([fixedPrice(19_990)], 'year', 'Yearly')
  const half = await shop.discount({ code: 'HALF', basis_points: 5000, duration: 'repeating', duration_in_months: 3 })
  const buy = async (product: string, given: object = {}, trial: object = {}): Promise<string> => {
    const checkout = await shop.checkout(product, trial)
    expect((await shop.confirm(checkout, { ...newBuyer(), ...given })).status).toBe(200)
    const [order] = await shop.ordersOf(checkout)
    await pass(server, minutes(7))
    return order.subscription_id
  }
  const changes = async (id: string, body: object) =>
    expect((await shop.patch(`/subscriptions/${id}`, body)).status).toBe(200)
  const fails = await buy(team, { confirmation_token_id: 'ctoken_sandbox_renewal_decline' })
  const grows = await buy(solo, { discount_code: half.code })
  const tries = await buy(team, {}, { trial_interval: 'day', trial_interval_count: 14 })
  const rests = await buy(solo)
  const stays = await buy(yearly)

  await pass(server, days(10))
  await changes(grows, { product_id: team, proration_behavior: 'invoice' })
  await pass(server, days(25))
  await payByLink(server, shop, fails)
  await changes(tries, { product_id: solo, proration_behavior: 'next_period' })
  await pass(server, days(40))
  await shop.post(`/subscriptions/${rests}/pause`, { at: 'now', credit: 'prorated' })
  await changes(stays, { product_id: solo, proration_behavior: 'prorate' })
  await pass(server, days(50))
  await shop.post(`/subscriptions/${rests}/resume`, {})
  const [first] = await ordersOfSubscription(shop, tries)
  const [, second] = await ordersOfSubscription(shop, grows)
  for (const { id, net_amount } of [first, second])
    if (net_amount > 0)
      await shop.post('/refunds', { order_id: id, amount: Math.ceil(net_amount / 3), reason: 'other' })
  await pass(server, days(200))
  await changes(grows, { cancel_at_period_end: true })
  await changes(tries, { product_id: yearly, proration_behavior: 'reset' })
  await pass(server, days(101))
}

async function payByLink(server: TestServer, shop: Shop, id: string): Promise<void> {
  const open = (await ordersOfSubscription(shop, id)).find(({ status }: { status: string }) => status === 'pending')
  const { body } = await shop.post(`/orders/${open.id}/pay-link`, {})
  const path = `/v1/pay-links/${body.url.split('/pay/')[1]}/confirm`
  const paid = { confirmation_token_id: 'ctoken_sandbox_success' }
  expect((await server.visitor().request('POST', path, { body: paid })).status).toBe(200)
}

/** All that a life has left, in the order in which it happened: ids and secrets have names by their first appearance. */
async function recordOf(server: TestServer): Promise<string> {
  const { db } = server.tollgate.internals.ctx
  const events = await db.selectFrom('event').selectAll().orderBy('id').execute()
  const orders = await db.selectFrom('order').selectAll().orderBy('createdAt').orderBy('invoiceNumber').execute()
  const payments = await db.selectFrom('payment').selectAll().orderBy('createdAt').orderBy('settledAt').execute()
  const entries = await db
    .selectFrom('customerBalanceEntry')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('amount')
    .execute()
  const refunds = await db.selectFrom('refund').selectAll().orderBy('createdAt').orderBy('creditNoteNumber').execute()
  const mails = await db
    .selectFrom('inboxMessage')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('recipient')
    .orderBy('subject')
    .execute()
  const lines = [events, orders, payments, entries, refunds, mails].flat().map((row) => JSON.stringify(row))
  return named(lines.join('\n'))
}

/** Ids, secrets, the numbers of receipts, and those of test people. */
const differing = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{32,}|\bR-[0-9A-F]{10}\b|(?:buyer|seller)[ -]?\d+/gi

function named(text: string): string {
  const names = new Map<string, string>()
  return text.replace(differing, (value) => {
    const name = names.get(value) ?? `<${names.size + 1}>`
    names.set(value, name)
    return name
  })
}

test(`fourteen months leave the same, byte for byte, in each of ${runs} runs`, { timeout: runs * 60_000 }, async () => {
  const records = new Set<string>()
  for (let run = 0; run < runs; run += 1) {
    await using server = await createTestServer({
      billing: { tax: { provider: 'table', registrations: [{ country: 'DE' }] } },
    })
    await live(server)
    expect(await violationsOfBooks(server.tollgate.internals.ctx.db)).toEqual([])
    const record = await recordOf(server)

    // The first difference, where there is one.
    const [former = record] = records
    const lines = former.split('\n')
    const differs = record.split('\n').findIndex((line, at) => line !== lines[at])
    expect([record.split('\n')[differs], record.length]).toEqual([lines[differs], former.length])
    records.add(record)
  }

  expect(records.size).toBe(1)
  const [record = ''] = records
  for (const type of ['order.paid', 'subscription.past_due', 'order.refunded', 'subscription.canceled'])
    expect(record).toContain(`"type":"${type}"`)
})
