import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, days, minutes, systemClock } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
const ctx = () => server.tollgate.internals.ctx

/** A shop whose subscriptions have no next action, as those of before renewals. */
async function formerShop(): Promise<Shop> {
  const shop = await createShop(server)
  const { code } = await shop.discount({ basis_points: 5000, duration: 'once' })
  const plan = await shop.product([fixedPrice(1000)], 'month')
  await shop.buy(plan)
  await shop.buy(plan, { discount_code: code })
  await shop.buy(await shop.product([fixedPrice(9000)], 'year'))
  await shop.buy(await shop.product([freePrice], 'month'))
  await ctx()
    .db.updateTable('subscription')
    .set({ nextActionAt: null })
    .where('organizationId', '=', shop.organizationId)
    .execute()
  return shop
}
const path = ({ organizationId }: { organizationId: string }) => `/organizations/${organizationId}/missed-periods`
const subscriptionsOf = ({ organizationId }: Shop) =>
  ctx()
    .db.selectFrom('subscription')
    .select(['nextActionAt', 'currentPeriodStart', 'currentPeriodEnd', 'amount', 'recurringInterval'])
    .where('organizationId', '=', organizationId)
    .orderBy('amount')
    .orderBy('id')
    .execute()

test('new subscriptions renew by themselves, and nothing is to be decided', async () => {
  const shop = await createShop(server)
  await shop.buy(await shop.product([fixedPrice(1000)], 'month'))

  const [row] = await subscriptionsOf(shop)

  expect(row?.nextActionAt).toEqual(row?.currentPeriodEnd)
  expect((await shop.get(path(shop))).body).toMatchObject({ subscriptions_count: 0, chosen: null })
})

test('a seller sees what each choice would charge; by default nothing is billed backwards', async () => {
  const shop = await formerShop()
  server.clock.advance(days(75))

  const { body } = await shop.get(path(shop))

  // Two monthly periods of each monthly plan have begun, at full price: the discount was for the first one.
  expect(body).toMatchObject({
    subscriptions_count: 4,
    chosen: null,
    choices: [
      { name: 'start_again', orders_count: 0, amounts: [] },
      { name: 'bill_missed', orders_count: 6, amounts: [{ currency: 'usd', amount: 4000 }] },
    ],
  })
  expect((await subscriptionsOf(shop)).every(({ nextActionAt }) => nextActionAt === null)).toBe(true)
})

test('starting again bills nothing: each subscription stands in the period that runs now', async () => {
  const shop = await formerShop()
  server.clock.advance(days(75))
  const before = (await shop.get('/orders')).body.pagination.total_count

  const answer = await shop.post(path(shop), { choice: 'start_again' })
  await ctx().jobs.runDue()

  expect(answer.body).toMatchObject({ chosen: 'start_again' })
  const now = server.clock.now()
  for (const { nextActionAt, recurringInterval, currentPeriodStart, currentPeriodEnd } of await subscriptionsOf(shop)) {
    // The renewal, or before a year's renewal its first reminder.
    const first = recurringInterval === 'year' ? after(currentPeriodEnd!, -days(30)) : currentPeriodEnd
    expect(nextActionAt).toEqual(first)
    expect(currentPeriodStart <= now && currentPeriodEnd! > now).toBe(true)
  }
  expect((await shop.get('/orders')).body.pagination.total_count).toBe(before)
  expect((await shop.get(path(shop))).body.subscriptions_count).toBe(0)
})

test('missed periods are billed only where the seller chooses so, and cost what the choice has shown', async () => {
  const shop = await formerShop()
  server.clock.advance(days(75))
  const { choices } = (await shop.get(path(shop))).body
  const billing = choices.find(({ name }: { name: string }) => name === 'bill_missed')

  await shop.post(path(shop), { choice: 'bill_missed' })
  await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])

  const { items } = (await shop.get('/orders?limit=100')).body
  const renewals = items.filter(
    ({ billing_reason }: { billing_reason: string }) => billing_reason === 'subscription_cycle',
  )
  const charged = renewals.reduce((sum: number, { total_amount }: { total_amount: number }) => sum + total_amount, 0)
  expect(renewals).toHaveLength(billing.orders_count)
  expect([{ currency: 'usd', amount: charged }]).toEqual(billing.amounts)
  expect(renewals.every(({ paid }: { paid: boolean }) => paid)).toBe(true)
})

test('a choice that is made while the job of an earlier one ends is not lost', async () => {
  const shop = await formerShop()
  const id = `begin-renewals ${shop.organizationId}`
  const now = server.clock.now()
  // Another process runs the job: it has found nothing to do, and has not put it away yet.
  const leaseUntil = after(systemClock.now(), minutes(1))
  const job = { id, kind: 'begin-renewals' as const, payload: shop.organizationId, runAt: now, createdAt: now }
  const { organizationId } = shop
  await ctx()
    .db.insertInto('job')
    .values({ ...job, lane: 'general', organizationId, attempts: 1, calls: 0, leaseUntil })
    .execute()

  await shop.post(path(shop), { choice: 'start_again' })
  await ctx().db.deleteFrom('job').where('id', '=', id).where('calls', '=', 0).execute()
  await ctx().db.updateTable('job').set({ leaseUntil: null }).where('id', '=', id).execute()
  await ctx().jobs.runDue()

  expect((await shop.get(path(shop))).body.subscriptions_count).toBe(0)
})

test('only the seller decides, and only for themselves', async () => {
  const shop = await formerShop()
  const other = await createTestMerchant(server)
  const reader = await createTestMerchant(server, ['subscriptions:read'])

  expect(wrongAt(await shop.post(path(shop), { choice: 'forget' }))).toBe('422 choice')
  expect((await other.post(path(shop), { choice: 'bill_missed' })).status).toBe(404)
  expect((await reader.post(path(reader), { choice: 'bill_missed' })).status).toBe(403)
})
