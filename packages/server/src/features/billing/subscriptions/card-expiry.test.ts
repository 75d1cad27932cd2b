import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { createShop, fixedPrice, freePrice } from '../testing/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
const ctx = () => server.tollgate.internals.ctx
const monthsAhead = (count: number, shift = 0) => {
  const now = ctx().clock.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1) + shift)
}

let buyers = 0
/** A monthly subscription whose saved card is valid through the month that is so many months ahead. */
async function subscribed(ahead: number, given: { price?: number; language?: string } = {}) {
  const { price = 1000, language = 'en' } = given
  const shop = await createShop(server)
  const product = await shop.product([price === 0 ? freePrice : fixedPrice(price)], 'month', 'Team')
  const email = `holder${++buyers}@example.com`
  const checkout = await shop.checkout(product)
  await shop.confirm(checkout, { customer_email: email }, { 'accept-language': language })
  const [order] = await shop.ordersOf(checkout)
  const until = monthsAhead(ahead)
  await ctx()
    .db.updateTable('paymentMethod')
    .set({ expMonth: until.getUTCMonth() + 1, expYear: until.getUTCFullYear() })
    .where('organizationId', '=', shop.organizationId)
    .execute()
  return { shop, email, id: order!.subscription_id as string }
}

const mailsTo = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => /^(Your card|Ihre Karte)/.test(subject))
const subjectsTo = async (email: string) =>
  (await mailsTo(email)).map(({ subject }) => subject.replace(/\bat .* (expires|has)/, 'at … $1'))
const lastDay = (ahead: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(monthsAhead(ahead + 1, -1))

test('the holder is told when the last month of their card begins, and once more when it is over', async () => {
  const { email } = await subscribed(2)
  const german = await subscribed(2, { language: 'de' })
  const [day, tag] = [lastDay(2, 'en'), lastDay(2, 'de')]
  const [begins, ends] = [monthsAhead(2), monthsAhead(3)]

  await moveClock(ctx(), new Date(begins.getTime() - 1))
  expect(await mailsTo(email)).toEqual([])
  await moveClock(ctx(), new Date(begins.getTime() + 1))
  expect(await subjectsTo(email)).toEqual([`Your card at … expires on ${day}`])
  await moveClock(ctx(), new Date(ends.getTime() - 1))
  expect(await mailsTo(email)).toHaveLength(1)
  await moveClock(ctx(), monthsAhead(3))

  expect(await subjectsTo(email)).toEqual(expect.arrayContaining(['Your card at … has expired']))
  const [first, second, ...more] = await mailsTo(email)
  expect(more).toEqual([])
  for (const { text } of [first!, second!])
    expect(text).toContain('The card ending in 4242 pays for your subscription to Team')
  const told = (await mailsTo(german.email)).map(({ text }) => text).join()
  expect(told).toContain(`Sie ist bis zum ${tag} gültig.`)
  expect(told).toContain(`Sie war bis zum ${tag} gültig`)
})

test('a server that stood still tells only that the card has expired; several processes tell it once', async () => {
  const { email } = await subscribed(1)
  ctx().clock.advance(monthsAhead(2, hours(2)).getTime() - ctx().clock.now().getTime())

  await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])
  await ctx().jobs.runDue()

  expect(await subjectsTo(email)).toEqual(['Your card at … has expired'])
})

test('the holder of a card that pays for no subscription which continues gets no mail about its expiry', async () => {
  const canceling = await subscribed(1)
  const free = await subscribed(1, { price: 0 })
  const replaced = await subscribed(1)
  const removed = await subscribed(1)
  await canceling.shop.patch(`/subscriptions/${canceling.id}`, { cancel_at_period_end: true })
  const { db } = ctx()
  const card = await db
    .selectFrom('paymentMethod')
    .selectAll()
    .where('organizationId', '=', replaced.shop.organizationId)
    .executeTakeFirstOrThrow()
  const other = {
    ...card,
    id: crypto.randomUUID(),
    referenceHash: 'other',
    lastFour: '1881',
    expYear: card.expYear + 9,
  }
  await db.updateTable('paymentMethod').set({ isDefault: false }).where('id', '=', card.id).execute()
  await db
    .insertInto('paymentMethod')
    .values(other as never)
    .execute()
  await db
    .updateTable('subscription')
    .set({ paymentMethodId: other.id as never })
    .where('id', '=', replaced.id)
    .execute()
  await db
    .updateTable('paymentMethod')
    .set({ deletedAt: ctx().clock.now() })
    .where('organizationId', '=', removed.shop.organizationId)
    .execute()

  await moveClock(ctx(), monthsAhead(2, hours(1)))

  for (const { email } of [canceling, free, replaced, removed]) expect(await mailsTo(email)).toEqual([])
})

test('installations can leave the mails out', async () => {
  await using silent = await createTestServer({ billing: { reminders: { cardExpiry: false } } })
  const shop = await createShop(silent)
  const product = await shop.product([fixedPrice(1000)], 'month', 'Team')
  await shop.buy(product, { customer_email: 'silent@example.com' })
  const silentCtx = silent.tollgate.internals.ctx
  const now = silentCtx.clock.now()
  await silentCtx.db
    .updateTable('paymentMethod')
    .set({ expMonth: now.getUTCMonth() + 1, expYear: now.getUTCFullYear() })
    .execute()

  await moveClock(silentCtx, new Date(now.getTime() + hours(30)))

  const mails = await silent.mailsTo('silent@example.com')
  expect(mails.filter(({ subject }) => subject.includes('card'))).toEqual([])
})
