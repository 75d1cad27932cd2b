import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
let shop: Shop
let plan: string
beforeAll(async () => {
  const registrations = [{ country: 'DE' }, { country: 'FR' }]
  server = await createTestServer({ billing: { tax: { provider: 'table', registrations } } })
  shop = await createShop(server)
  const address = { country: 'DE', line1: 'Torstraße 1', city: 'Berlin', postal_code: '10119' }
  await shop.patch(`/organizations/${shop.organizationId}/tax`, { address })
  plan = await shop.product([fixedPrice(1000)], 'month')
})
afterAll(() => server[Symbol.asyncDispose]())

/** The taxes of a subscription's first order and of its renewal. */
async function taxesOf(given: object) {
  const lyon = { country: 'FR', line1: 'Rue Mercière 1', city: 'Lyon', postal_code: '69002' }
  const { order } = await shop.buy(plan, { customer_billing_address: lyon, customer_tax_id: 'FR40303265045', ...given })
  await pass(server, days(32))
  const orders = await ordersOfSubscription(shop, order.subscription_id)
  return orders.map(({ tax, tax_amount }) => [tax.treatment, tax_amount])
}

test('a renewal is taxed as its buyer was: a consumer’s tax number does not make them a business', async () => {
  expect(await taxesOf({})).toEqual([
    ['taxed', 200],
    ['taxed', 200],
  ])
})

test('a business pays its renewals by reverse charge too', async () => {
  expect(await taxesOf({ is_business_customer: true, customer_billing_name: 'Dupont SARL' })).toEqual([
    ['reverse_charge', 0],
    ['reverse_charge', 0],
  ])
})
