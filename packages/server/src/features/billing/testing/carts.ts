import { createHash } from 'node:crypto'
import type { TestAnswer, TestServer } from '../../../testing.ts'
import { chances } from './chances.ts'
import { normalizer } from './normalize.ts'
import { createShop, fixedPrice, freePrice, type Shop } from './shop.ts'

type Chance = (below: number) => number

/** A shop with a product, a discount and a tax of every kind. */
type Stock = {
  readonly shop: Shop
  readonly products: readonly string[]
  readonly codes: readonly string[]
}

const places: readonly object[] = [
  { country: 'DE' },
  { country: 'DE', line1: 'Weg 1', city: 'Kiel', postal_code: '24103' },
  { country: 'FR' },
  { country: 'AT' },
  { country: 'CH' },
  { country: 'GB' },
  { country: 'US', state: 'NY', line1: '1 Road', city: 'Albany', postal_code: '12207' },
  { country: 'US', state: 'OR', line1: '1 Road', city: 'Salem', postal_code: '97301' },
  { country: 'US' },
  { country: 'CA', state: 'QC', line1: '1 Rue', city: 'Laval', postal_code: 'H7N 0A1' },
  { country: 'CA', state: 'ON', line1: '1 Road', city: 'Guelph', postal_code: 'N1C 1A1' },
  { country: 'JP' },
]

const taxIds = [null, 'DE136695976', 'FR53000004605', 'ATU12345675', 'not a number']

/** Creates the shop. What it sells never changes: each recorded line depends on it. */
export async function stockShop(server: TestServer): Promise<Stock> {
  const shop = await createShop(server)
  const tax = {
    address: { country: 'DE', line1: 'Am Markt 1', city: 'Kiel', postal_code: '24103' },
    registrations: [
      { country: 'DE' },
      { country: 'FR' },
      { country: 'GB' },
      { country: 'CA' },
      { country: 'US', state: 'NY' },
    ],
  }
  const set = await shop.patch(`/organizations/${shop.organizationId}/tax`, tax)
  if (set.status !== 200) throw new Error(set.text)
  const meter = await shop.post('/meters', {
    name: 'Calls',
    filter: { conjunction: 'and', clauses: [] },
    aggregation: { func: 'count' },
  })
  const usage = { amount_type: 'metered_unit', meter_id: meter.body.id, unit_amount: '0.015', cap_amount: 5000 }
  const custom = (terms: object) => ({ amount_type: 'custom', ...terms })
  const inEuro = (price: object) => ({ ...price, price_currency: 'eur' })
  const products = [
    await shop.product([fixedPrice(1900)], null, 'A book'),
    await shop.product([fixedPrice(50)], null, 'A sticker'),
    await shop.product([fixedPrice(99_999_999)], null, 'A house'),
    await shop.product([inEuro(fixedPrice(4999))], null, 'A course'),
    await shop.product([custom({})], null, 'A gift'),
    await shop.product([custom({ minimum_amount: 500, maximum_amount: 9000, preset_amount: 1250 })], null, 'A tip'),
    await shop.product([freePrice], null, 'A sample'),
    await shop.product([fixedPrice(900)], 'month', 'Starter'),
    await shop.product([fixedPrice(3333)], 'month', 'Team'),
    await shop.product([inEuro(fixedPrice(29_900))], 'year', 'Business'),
    await shop.product([fixedPrice(2500), usage], 'month', 'With usage'),
    await shop.product([usage], 'month', 'Usage alone'),
    await shop.product([custom({ minimum_amount: 100, preset_amount: 700 })], 'year', 'A patron'),
    await shop.product([freePrice], 'month', 'Hobby'),
    await shop.product([fixedPrice(777)], null, 'A lesson'),
  ]
  const exempt = await shop.patch(`/products/${products.at(-1)}`, { is_tax_exempt: true })
  if (exempt.status !== 200) throw new Error(exempt.text)
  const made = [
    {},
    { basis_points: 3333, duration: 'forever' },
    { basis_points: 10_000 },
    { basis_points: 10_000, duration: 'forever' },
    { basis_points: 2500, duration: 'repeating', duration_in_months: 3 },
    { type: 'fixed', amount: 300, currency: 'usd', basis_points: undefined },
    { type: 'fixed', amount: 100_000, currency: 'eur', basis_points: undefined, duration: 'forever' },
    { basis_points: 1234, products: [products[0], products[8]] },
    { basis_points: 5000, max_redemptions: 5 },
  ]
  const codes: string[] = []
  for (const [at, terms] of made.entries())
    codes.push((await shop.discount({ name: `Discount ${at}`, code: `GOLDEN${at}`, ...terms })).code)
  return { shop, products, codes }
}

/**
 * A line for each random cart: what its checkout costs at each step, what its order says, and a digest of every answer
 * of the API about it.
 */
export async function recordCarts(server: TestServer, count: number): Promise<string[]> {
  const stock = await stockShop(server)
  const lines: string[] = []
  for (let number = 0; number < count; number += 1) lines.push(await recordCart(server, stock, number))
  return lines
}

async function recordCart(server: TestServer, { shop, products, codes }: Stock, number: number): Promise<string> {
  const chance = chances(number + 1)
  const normalize = normalizer()
  const digest = createHash('sha256')
  const words: string[] = [String(number)]
  const note = (step: string, { status, text, body }: TestAnswer) => {
    digest.update(normalize(text))
    words.push(status < 300 ? `${step} ${totalsOf(body)}` : `${step} ${status}`)
    return status < 300
  }
  const offered = [oneOf(chance, products), ...(chance(4) === 0 ? [oneOf(chance, products)] : [])]
  const created = await shop.post('/checkouts', {
    products: offered,
    ...(chance(3) === 0 && { amount: oneOf(chance, [1, 50, 499, 700, 1250, 10_000, 1_000_000]) }),
    ...(chance(5) === 0 && { customer_billing_address: oneOf(chance, places) }),
    ...(chance(6) === 0 && { metadata: { cart: number } }),
  })
  const client = `/v1/checkouts/client/${created.body.client_secret}`
  const visitor = server.visitor()
  if (note('created', created)) {
    for (let change = chance(3); change > 0; change -= 1)
      note('changed', await visitor.request('PATCH', client, { body: changeOf(chance, offered, codes) }))
    // A confirmation costs more than ten changes.
    if (number % 3 === 0) {
      const confirmed = await visitor.request('POST', `${client}/confirm`, { body: confirmationOf(chance, number) })
      if (note('confirmed', confirmed)) {
        const [order] = await shop.ordersOf(created.body)
        if (order) {
          note('order', await shop.get(`/orders/${order.id}`))
          if (order.subscription_id) note('subscription', await shop.get(`/subscriptions/${order.subscription_id}`))
        }
        digest.update(normalize(JSON.stringify(await shop.paymentsOf(created.body))))
      }
    }
    note('left', await shop.get(`/checkouts/${created.body.id}`))
  }
  return `${words.join(', ')} · ${digest.digest('base64url').slice(0, 16)}`
}

const oneOf = <T>(chance: Chance, those: readonly T[]): T => those[chance(those.length)]!

function changeOf(chance: Chance, offered: readonly string[], codes: readonly string[]): object {
  const business = { is_business_customer: true, customer_billing_name: 'Golden GmbH' }
  return {
    ...(chance(2) === 0 && { discount_code: oneOf(chance, [...codes, 'NONE', null]) }),
    ...(chance(2) === 0 && { customer_billing_address: oneOf(chance, places) }),
    ...(chance(4) === 0 && { ...business, customer_tax_id: oneOf(chance, taxIds) }),
    ...(chance(4) === 0 && { amount: oneOf(chance, [100, 500, 999, 8999, 9001]) }),
    ...(chance(5) === 0 && { product_id: oneOf(chance, offered) }),
  }
}

const tokens = ['success', 'success', 'success', 'success', 'decline', 'requires_action']

const confirmationOf = (chance: Chance, number: number): object => ({
  customer_email: `cart-${number}@example.com`,
  customer_name: `Buyer of ${number}`,
  ...(chance(2) === 0 && { customer_billing_address: oneOf(chance, places) }),
  confirmation_token_id: `ctoken_sandbox_${oneOf(chance, tokens)}`,
})

/** Each total of an answer: of a checkout, an order or a subscription. */
function totalsOf(body: TestAnswer['body']): string {
  if (body.total_amount === undefined) return `${body.amount} ${body.currency} ${body.status}`
  const { amount, subtotal_amount, discount_amount, net_amount, tax_amount, total_amount, currency, status } = body
  return `${subtotal_amount ?? amount}-${discount_amount}=${net_amount}+${tax_amount}=${total_amount} ${currency} ${status}`
}
