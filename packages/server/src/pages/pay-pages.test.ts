import { afterAll, beforeAll, expect, test } from 'vitest'
import { ordersOfSubscription } from '../features/billing/testing/orders.ts'
import { createShop, fixedPrice } from '../features/billing/testing/shop.ts'
import { pass } from '../features/billing/testing/time.ts'
import { days } from '../foundation/clock.ts'
import { createTestServer, type TestServer } from '../testing.ts'
import { dataOf, page } from './testing/forms.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A renewal that its card did not pay, and the path of its pay link. */
async function unpaid() {
  const shop = await createShop(server)
  const product = await shop.product([fixedPrice(1200)], 'month', 'Team')
  const { order } = await shop.buy(product, { confirmation_token_id: 'ctoken_sandbox_renewal_decline' })
  await pass(server, days(32))
  const [, renewal] = await ordersOfSubscription(shop, order.subscription_id)
  const { url } = (await shop.post(`/orders/${renewal.id}/pay-link`, {})).body
  const path = new URL(url).pathname
  const pay = (body: object) =>
    server.visitor().request('POST', `/v1/pay-links/${path.split('/').at(-1)}/confirm`, { body })
  return { shop, subscriptionId: order.subscription_id as string, path, pay }
}
const open = (path: string) => page(server.visitor(), path)

test('a pay link shows what is due, why it is not paid, and the saved card first', async () => {
  const { path } = await unpaid()

  const answer = await open(path)

  expect(answer.status).toBe(200)
  for (const part of ['Team', '$12.00', 'Confirm with Visa •••• 0341', 'Use another card', 'The payment was declined.'])
    expect(answer.text).toContain(part)
  expect(dataOf(answer)).toMatchObject({ page: 'pay', due: { status: 'open', dueAmount: 1200 } })
  expect(answer.text.match(/<form[^>]*>/g)).toEqual([expect.stringContaining('method="dialog"')])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('a pay link names the reason of the latest decline', async () => {
  const { path, pay } = await unpaid()

  await pay({ confirmation_token_id: 'ctoken_sandbox_insufficient_funds' })

  expect((await open(path)).text).toContain('The card has insufficient funds.')
})

test('a paid link says thanks', async () => {
  const { path, pay } = await unpaid()

  await pay({ confirmation_token_id: 'ctoken_sandbox_success' })
  const { text } = await open(path)

  expect(text).toContain('Thank you for your payment')
  expect(text).not.toContain('<form')
})

test('nothing is to be paid once the subscription has ended', async () => {
  const { shop, subscriptionId, path } = await unpaid()

  await shop.delete(`/subscriptions/${subscriptionId}`)

  expect((await open(path)).text).toContain('No payment is due')
})

test('an unknown link and one that has expired say so in plain words', async () => {
  const { path } = await unpaid()
  await pass(server, days(31))

  for (const each of [path, '/pay/unknown', `/pay/${'x'.repeat(600)}`]) {
    const answer = await open(each)
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('This payment link doesn’t work')
  }
})
