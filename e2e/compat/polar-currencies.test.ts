import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOfBooks } from '../../packages/server/src/features/billing/books/books.service.ts'
import { createShop } from '../../packages/server/src/features/billing/testing/shop.ts'
import type { TestServer } from '../../packages/server/src/testing.ts'
import { createListeningServer } from './listening-server.ts'
import { type PolarClient, polarVersions } from './polar-clients.ts'

/** A product with prices in several currencies, as both generations of the client sell it. */

let server: TestServer

beforeAll(async () => {
  server = await createListeningServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server?.[Symbol.asyncDispose]()
})

const fixed = (price_amount: number, price_currency: string) => ({ amount_type: 'fixed', price_amount, price_currency })
const from = (country: string) => ({ country, line1: 'Street 1', postal_code: '10115', city: 'Town' })

describe.each(polarVersions)('$name', ({ client }) => {
  let polar: PolarClient
  let plan: string

  beforeAll(async () => {
    polar = client(server.baseURL, (await createShop(server)).token)
    const prices = [fixed(2000, 'usd'), fixed(1800, 'eur'), fixed(2900, 'jpy')]
    const made = await polar.create('products', { name: 'Plan', recurring_interval: 'month', prices })
    expect(made.prices).toMatchObject(prices)
    plan = made.id
  })

  test.each([
    ['DE', 'eur', 1800],
    ['JP', 'jpy', 2900],
    // No price is in its currency: the first one is.
    ['CH', 'usd', 2000],
  ] as const)('a buyer from %s pays in %s, and their subscription stays in it', async (country, currency, amount) => {
    const email = `buyer-${country.toLowerCase()}@example.com`
    const { id, client_secret: secret } = await polar.create('checkouts', { products: [plan], customer_email: email })
    const priced = await polar.updateClientCheckout(secret, { customer_billing_address: from(country) })
    await polar.confirmClientCheckout(secret, {
      customer_name: 'A buyer',
      confirmation_token_id: 'ctoken_sandbox_success',
    })

    const { items: orders } = await polar.list('orders', { checkout_id: id })
    const { items: subscriptions } = await polar.list('subscriptions', { customer_id: orders[0].customer_id })
    const { items: payments } = await polar.list('payments', { checkout_id: id })
    expect(priced).toMatchObject({ currency, amount, product_price: { price_currency: currency } })
    expect(orders).toMatchObject([{ currency, subtotal_amount: amount, total_amount: amount }])
    expect(subscriptions).toMatchObject([{ currency, amount }])
    expect(payments).toMatchObject([{ currency, amount }])
  })

  test('a change of the plan keeps the subscription’s currency', async () => {
    const prices = [fixed(5000, 'usd'), fixed(4500, 'eur')]
    const large = await polar.create('products', { name: 'Large', recurring_interval: 'month', prices })
    const dollars = await polar.create('products', {
      name: 'Dollars alone',
      recurring_interval: 'month',
      prices: [fixed(9000, 'usd')],
    })
    const { items } = await polar.list('subscriptions', { product_id: plan })
    const { id } = items.find(({ currency }: { currency: string }) => currency === 'eur')

    await expect(polar.update('subscriptions', id, { product_id: dollars.id })).rejects.toThrow()
    const changed = await polar.update('subscriptions', id, { product_id: large.id, proration_behavior: 'invoice' })

    expect(changed).toMatchObject({ product_id: large.id, currency: 'eur', amount: 4500 })
    const { items: orders } = await polar.list('orders', { product_id: large.id })
    expect(orders).toMatchObject([{ currency: 'eur', subtotal_amount: 2700 }])
  })
})
