import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { faultsInBooks } from '../testing/books.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
beforeAll(async () => {
  server = await createTestServer({ billing: { tax: { provider: 'table' } } })
  shop = await createShop(server)
  const registrations = [{ country: 'DE' }, { country: 'CA' }, { country: 'CA', state: 'QC' }]
  const address = { country: 'DE', line1: 'Am Markt 1', city: 'Kiel', postal_code: '24103' }
  expect((await shop.patch(settings(), { registrations, address })).status).toBe(200)
})
afterAll(async () => {
  expect(await faultsInBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const settings = () => `/organizations/${shop.organizationId}/tax`
const inclusive = (amount: number) => ({ ...fixedPrice(amount), tax_behavior: 'inclusive' })
const kiel = { country: 'DE', line1: 'Weg 1', city: 'Kiel', postal_code: '24103' }

const amountsOf = ({ amount, subtotal_amount, discount_amount, net_amount, tax_amount, total_amount }: Amounts) => [
  subtotal_amount ?? amount,
  discount_amount,
  net_amount,
  tax_amount,
  total_amount,
]
type Amounts = Record<string, number>

test('a price that contains its tax costs what it says, wherever the buyer is', async () => {
  const product = await shop.product([inclusive(11_900)])
  const at = async (address: object | null) =>
    amountsOf((await shop.post('/checkouts', { products: [product], customer_billing_address: address })).body)

  expect(await at(null)).toEqual([11_900, 0, 11_900, null, 11_900])
  expect(await at({ country: 'DE' })).toEqual([10_000, 0, 10_000, 1900, 11_900])
  // Two taxes on the same net amount, rounded together.
  expect(await at({ country: 'CA', state: 'QC' })).toEqual([10_350, 0, 10_350, 1550, 11_900])
  expect(await at({ country: 'US', state: 'OR' })).toEqual([11_900, 0, 11_900, 0, 11_900])
})

test('a discount lowers the price with its tax; order, invoice, refund and books agree', async () => {
  const product = await shop.product([inclusive(11_900)], 'month')
  const { code } = await shop.discount({ basis_points: 1000, duration: 'forever' })
  const checkout = await shop.checkout(product)
  const client = `/v1/checkouts/client/${checkout.client_secret}`
  const patch = (body: object) => server.visitor().request('PATCH', client, { body })
  await patch({ customer_billing_address: kiel })
  const { body: shown } = await patch({ discount_code: code })

  const { status } = await shop.confirm(checkout, { customer_billing_address: kiel, expected_total_amount: 10_710 })
  const [order] = await shop.ordersOf(checkout)
  const invoice = (await shop.get(`/orders/${order.id}/documents`)).body.items.map(
    (each: { kind: string }) => each.kind,
  )
  const refund = await shop.post('/refunds', { order_id: order.id, amount: 9000, reason: 'customer_request' })

  expect(amountsOf(shown)).toEqual([10_000, 1000, 9000, 1710, 10_710])
  expect(shown.tax_behavior).toBe('inclusive')
  expect(status).toBe(200)
  expect(amountsOf(order)).toEqual([10_000, 1000, 9000, 1710, 10_710])
  expect(order.tax.lines).toMatchObject([{ taxable_amount: 9000, amount: 1710 }])
  expect(invoice.sort()).toEqual(['invoice', 'receipt'])
  expect(refund.body).toMatchObject({ amount: 9000, tax_amount: 1710, status: 'succeeded' })
})

test('a change of the address takes the tax out of the price anew, and never out of what is left', async () => {
  const product = await shop.product([inclusive(11_900)])
  const checkout = await shop.checkout(product)
  const shownIn = async (customer_billing_address: object) => {
    const path = `/v1/checkouts/client/${checkout.client_secret}`
    return amountsOf((await server.visitor().request('PATCH', path, { body: { customer_billing_address } })).body)
  }

  expect(await shownIn({ country: 'DE' })).toEqual([10_000, 0, 10_000, 1900, 11_900])
  expect(await shownIn({ country: 'US', state: 'OR' })).toEqual([11_900, 0, 11_900, 0, 11_900])
  expect(await shownIn({ country: 'DE' })).toEqual([10_000, 0, 10_000, 1900, 11_900])
})

test('new prices follow the organization’s default; earlier ones stay as they are', async () => {
  const before = await shop.product([fixedPrice(1000)])
  const set = await shop.patch(settings(), { tax_behavior: 'inclusive' })
  const [following, explicit] = [
    await shop.product([fixedPrice(1000)]),
    await shop.product([{ ...fixedPrice(1000), tax_behavior: 'exclusive' }]),
  ]
  const behaviorOf = async (id: string) => (await shop.get(`/products/${id}`)).body.prices[0].tax_behavior
  await shop.patch(settings(), { tax_behavior: 'exclusive' })

  expect(set.body.tax_behavior).toBe('inclusive')
  expect([await behaviorOf(before), await behaviorOf(following), await behaviorOf(explicit)]).toEqual([
    null,
    'inclusive',
    null,
  ])
})

test('prices of one product treat tax alike', async () => {
  const meter = await shop.post('/meters', {
    name: 'Calls',
    filter: { conjunction: 'and', clauses: [] },
    aggregation: { func: 'count' },
  })
  const usage = { amount_type: 'metered_unit', meter_id: meter.body.id, unit_amount: '0.5' }
  const mixed = await shop.post('/products', {
    name: 'Mixed',
    recurring_interval: 'month',
    prices: [inclusive(1000), usage],
  })

  expect(wrongAt(mixed)).toBe('422 prices.1.tax_behavior')
  expect(wrongAt(await shop.patch(settings(), { tax_behavior: 'both' }))).toBe('422 tax_behavior')
})
