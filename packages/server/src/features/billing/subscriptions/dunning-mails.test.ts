import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { setCard } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
const ctx = () => server.tollgate.internals.ctx

/** A monthly subscription whose saved card behaves as another one when it renews. */
async function subscribed(email: string, card: string, language = 'en') {
  const shop = await createShop(server)
  const checkout = await shop.checkout(await shop.product([fixedPrice(1200)], 'month', 'Team'))
  await shop.confirm(checkout, { customer_email: email }, { 'accept-language': language })
  const [order] = await shop.ordersOf(checkout)
  await setCard(server, shop, card)
  return { shop, id: order!.subscription_id as string }
}

/** The mails to a subscriber besides their receipts. */
const mailsTo = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => /failed|ended|fehlgeschlagen/.test(subject))
const wordsOf = ({ text }: { text: string }) => text.replace(/\u00a0/g, ' ')
const renewalOf = async (shop: Shop, id: string) => (await ordersOfSubscription(shop, id)).at(-1)

test('each declined attempt is told once with its reason, the link to pay and the next attempt; then the end', async () => {
  await subscribed('ada@example.com', 'renewal_decline')

  await pass(server, days(32))
  const [first, ...more] = await mailsTo('ada@example.com')
  await pass(server, days(22))

  expect(more).toEqual([])
  expect(wordsOf(first!)).toContain('The payment of $12.00 to')
  expect(wordsOf(first!)).toContain('The card was declined.')
  expect(wordsOf(first!)).toMatch(/tries again on \w+ \d+, \d{4}\./)
  const token = first!.links[0]!.split('/pay/')[1]
  expect((await server.visitor().request('GET', `/v1/pay-links/${token}`)).status).toBe(200)
  const all = await mailsTo('ada@example.com')
  expect(all.map(({ subject }) => subject.split(' ').at(-1)).sort()).toEqual([
    'ended',
    'failed',
    'failed',
    'failed',
    'failed',
  ])
  expect(all.filter((mail) => wordsOf(mail).includes('the subscription ends.'))).toHaveLength(1)
  const ended = all.find(({ subject }) => subject.endsWith('ended'))
  expect(wordsOf(ended!)).toContain('because $12.00 stayed unpaid')
  expect(ended!.links).toEqual([])
  expect((await server.visitor().request('GET', `/v1/pay-links/${token}`)).body.status).toBe('void')
})

test('a payment that the bank wants confirmed is told in the subscriber’s language, with the day of the end', async () => {
  await subscribed('dora@example.com', 'requires_action', 'de-AT,de;q=0.9')

  await pass(server, days(40))

  const [mail, ...more] = await mailsTo('dora@example.com')
  expect(more).toEqual([])
  expect(mail!.subject).toMatch(/^Ihre Zahlung an .+ ist fehlgeschlagen$/)
  expect(wordsOf(mail!)).toContain('Ihre Bank bittet Sie, die Zahlung zu bestätigen.')
  expect(wordsOf(mail!)).toContain('endet das Abonnement')
})

test('without a saved card, the subscriber gets the link to pay', async () => {
  const { shop } = await subscribed('carol@example.com', 'success')
  await ctx()
    .db.updateTable('paymentMethod')
    .set({ deletedAt: ctx().clock.now() })
    .where('organizationId', '=', shop.organizationId)
    .execute()

  await pass(server, days(32))

  const [mail] = await mailsTo('carol@example.com')
  expect(wordsOf(mail!)).toContain('There is no saved card to charge.')
  expect(mail!.links[0]).toContain('/pay/')
  // Nothing is tried: each step says when the subscription ends.
  await pass(server, days(25))
  const all = await mailsTo('carol@example.com')
  const reminders = all.filter(({ subject }) => subject.endsWith('failed'))
  expect(reminders.length).toBeGreaterThan(2)
  const ends = reminders.map((each) => /on (\w+ \d+, \d{4}), the subscription ends/.exec(wordsOf(each))?.[1])
  expect(ends).toEqual(reminders.map(() => expect.stringMatching(/\d{4}$/)))
  expect(new Set(ends).size).toBe(1)
  expect(reminders.some((each) => wordsOf(each).includes('tries again'))).toBe(false)
  expect(all.filter(({ subject }) => subject.endsWith('ended'))).toHaveLength(1)
})

test('a subscriber whose card is declined on the page of the link gets no mail about it', async () => {
  const { shop, id } = await subscribed('bob@example.com', 'renewal_decline')
  await pass(server, days(32))
  const { url } = (await shop.post(`/orders/${(await renewalOf(shop, id)).id}/pay-link`, {})).body

  const body = { confirmation_token_id: 'ctoken_sandbox_insufficient_funds' }
  const refused = await server.visitor().request('POST', `/v1/pay-links/${url.split('/pay/')[1]}/confirm`, { body })

  expect(refused.body.error).toBe('PaymentError')
  expect(await mailsTo('bob@example.com')).toHaveLength(1)
})
