import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { createStripeServer, stripeTestKeys } from '../testing/stripe-server.ts'

/** A fake Stripe Tax: the requests it got, and its answers. */
const asked: URLSearchParams[] = []
let answer: () => Response | Promise<Response>
const stripe = createStripeServer()
const standIn: typeof fetch = async (input, init) => {
  if (!String(input).endsWith('/v1/tax/calculations')) return stripe.fetch(input, init)
  asked.push(new URLSearchParams(String(init?.body)))
  return answer()
}

/** A calculation in Stripe's shape, with the members that the code reads. */
const calculation = (taxed: number, ...breakdown: object[]) =>
  Response.json({
    id: 'taxcalc_1',
    object: 'tax.calculation',
    amount_total: 1900 + taxed,
    currency: 'usd',
    tax_amount_exclusive: taxed,
    tax_amount_inclusive: 0,
    tax_breakdown: breakdown,
  })
const part = (amount: number, percent: string, reason: string, details: object) => ({
  amount,
  inclusive: false,
  tax_rate_details: { percentage_decimal: percent, flat_amount: null, rate_type: 'percentage', ...details },
  taxability_reason: reason,
  taxable_amount: amount === 0 ? 0 : 1900,
})
const californian = () =>
  calculation(
    176,
    part(119, '6.25', 'standard_rated', { country: 'US', state: 'CA', tax_type: 'sales_tax' }),
    part(57, '3.0', 'standard_rated', { country: 'US', state: 'CA', tax_type: 'sales_tax' }),
  )
const none = (reason: string) => () =>
  calculation(0, part(0, '0.0', reason, { country: 'FR', state: null, tax_type: 'vat' }))
const refused =
  (code: string | undefined, param?: string, status = 400) =>
  () =>
    Response.json({ error: { type: 'invalid_request_error', code, param, message: 'No.' } }, { status })

let server: TestServer
let shop: Shop
let productId: string
beforeAll(async () => {
  server = await createTestServer(
    { billing: { processors: { sandbox: true }, tax: { provider: 'stripe' } } },
    { fetch: standIn, env: stripeTestKeys },
  )
  shop = await createShop(server)
  productId = await shop.product([fixedPrice(1900)])
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  answer = californian
})

const address = { country: 'US', state: 'CA', line1: '1 Pier', city: 'San Francisco', postal_code: '94111' }
const confirm = (checkout: Awaited<ReturnType<Shop['checkout']>>, given: object = {}) =>
  shop.confirm(checkout, { confirmation_token_id: stripe.token('success'), ...given })

test('is calculated once for each change, and not before the buyer’s country is known', async () => {
  const checkout = await shop.checkout(productId)
  expect(asked).toEqual([])

  const { body } = await shop.patch(`/checkouts/${checkout.id}`, { customer_billing_address: address })

  expect(body).toMatchObject({ tax_amount: 176, total_amount: 2076 })
  expect(body.tax.lines).toEqual([
    { name: 'Sales tax', country: 'US', state: 'US-CA', percent: '6.25', taxable_amount: 1900, amount: 119 },
    { name: 'Sales tax', country: 'US', state: 'US-CA', percent: '3', taxable_amount: 1900, amount: 57 },
  ])
  expect(asked.map((parameters) => Object.fromEntries(parameters))).toEqual([
    {
      currency: 'usd',
      'line_items[0][amount]': '1900',
      'line_items[0][reference]': productId,
      'line_items[0][tax_behavior]': 'exclusive',
      'customer_details[address][country]': 'US',
      'customer_details[address][state]': 'CA',
      'customer_details[address][city]': 'San Francisco',
      'customer_details[address][postal_code]': '94111',
      'customer_details[address][line1]': '1 Pier',
      'customer_details[address_source]': 'billing',
    },
  ])
})

test('is not asked again while nothing about the sale changes, and once more when it is confirmed', async () => {
  const checkout = await shop.checkout(productId, { customer_billing_address: address })
  expect(asked).toHaveLength(1)

  const { body } = await shop.patch(`/checkouts/${checkout.id}`, { customer_name: 'Ada' })
  expect([body.tax_amount, asked.length]).toEqual([176, 1])
  await shop.patch(`/checkouts/${checkout.id}`, { is_business_customer: true })
  expect(asked).toHaveLength(2)
  await shop.patch(`/checkouts/${checkout.id}`, { is_business_customer: false })

  expect((await confirm(checkout, { customer_billing_address: address })).status).toBe(200)
  expect(asked).toHaveLength(4)
})

test('counts krónur in hundredths, and their tax is whole ones', async () => {
  const price = { ...fixedPrice(5099), price_currency: 'isk' }
  const detail = { country: 'IS', state: null, tax_type: 'vat' }
  answer = () => calculation(122_376, part(61_188, '12', 'standard_rated', detail), part(61_188, '12', 'x', detail))

  const products = [await shop.product([price])]
  const { body } = await shop.post('/checkouts', { products, customer_billing_address: { country: 'IS' } })

  expect(asked[0]?.get('line_items[0][amount]')).toBe('509900')
  expect([body.tax_amount, body.total_amount]).toEqual([1224, 6323])
  expect(body.tax.lines.map((line: { amount: number }) => line.amount)).toEqual([612, 612])
})

test('takes the tax out of a price that contains it, in the buyer’s currency, from checkout to refund', async () => {
  const product = await shop.product([
    fixedPrice(2000),
    { ...fixedPrice(2380), price_currency: 'eur', tax_behavior: 'inclusive' },
  ])
  answer = () =>
    Response.json({
      id: 'taxcalc_2',
      object: 'tax.calculation',
      amount_total: 2380,
      currency: 'eur',
      tax_amount_exclusive: 0,
      tax_amount_inclusive: 380,
      tax_breakdown: [
        {
          amount: 380,
          inclusive: true,
          tax_rate_details: { percentage_decimal: '19.0', country: 'DE', state: null, tax_type: 'vat' },
          taxability_reason: 'standard_rated',
          taxable_amount: 2000,
        },
      ],
    })
  const kiel = { country: 'DE', line1: 'Weg 1', city: 'Kiel', postal_code: '24103' }
  const checkout = await shop.checkout(product, { customer_billing_address: kiel })

  const { status } = await confirm(checkout, { customer_billing_address: kiel, expected_total_amount: 2380 })
  await server.tollgate.internals.ctx.jobs.runDue()

  expect(status).toBe(200)
  const [request] = asked
  expect([request!.get('currency'), request!.get('line_items[0][tax_behavior]')]).toEqual(['eur', 'inclusive'])
  expect(request!.get('line_items[0][amount]')).toBe('2380')
  const [order] = await shop.ordersOf(checkout)
  expect(order).toMatchObject({
    currency: 'eur',
    net_amount: 2000,
    tax_amount: 380,
    total_amount: 2380,
    tax: { lines: [{ percent: '19', taxable_amount: 2000, amount: 380 }] },
  })
  const refund = await shop.post('/refunds', { order_id: order.id, amount: 1000, reason: 'customer_request' })
  expect(refund.body).toMatchObject({ amount: 1000, tax_amount: 190, currency: 'eur' })
})

test('receives the number of a business', async () => {
  answer = none('reverse_charge')
  const given = {
    is_business_customer: true,
    customer_tax_id: 'FR40303265045',
    customer_billing_address: { country: 'FR' },
  }

  const { body } = await shop.post('/checkouts', { products: [productId], ...given })

  expect([body.tax_amount, body.tax]).toEqual([0, { treatment: 'reverse_charge', lines: [] }])
  expect(asked[0]?.get('customer_details[tax_ids][0][type]')).toBe('eu_vat')
  expect(asked[0]?.get('customer_details[tax_ids][0][value]')).toBe('FR40303265045')
})

test.each([
  ['not_collecting', 'not_registered'],
  ['product_exempt', 'exempt'],
  ['zero_rated', 'taxed'],
])('no tax, because of %s, is %s', async (reason, treatment) => {
  answer = none(reason)

  const { body } = await shop.post('/checkouts', { products: [productId], customer_billing_address: { country: 'FR' } })

  expect([body.tax_amount, body.tax.treatment]).toEqual([0, treatment])
})

test('shows the charged amount', async () => {
  const checkout = await shop.checkout(productId)

  const { status, body } = await confirm(checkout, { customer_billing_address: address })

  expect([status, body.tax_amount, body.total_amount]).toEqual([200, 176, 2076])
  expect(asked).toHaveLength(1)
  const [payment] = await shop.paymentsOf(checkout)
  expect([payment.amount, payment.status]).toEqual([2076, 'succeeded'])
})

test.each([
  ['does not answer', () => new Response('', { status: 503 })],
  [
    'answers what does not add up',
    () => calculation(1, part(2, '1', 'standard_rated', { country: 'US', state: 'CA' })),
  ],
])('who %s leaves the tax of an open checkout unknown, and nothing is sold', async (_, wrong) => {
  answer = wrong
  const checkout = await shop.checkout(productId, { customer_billing_address: address })
  expect((await shop.get(`/checkouts/${checkout.id}`)).body).toMatchObject({ tax_amount: null, tax: null })

  const { status, body } = await confirm(checkout, { customer_billing_address: address })

  expect([status, body.error]).toEqual([503, 'ServiceUnavailable'])
  expect(await shop.statusOf(checkout)).toBe('open')
  answer = californian
  expect((await confirm(checkout, { customer_billing_address: address })).status).toBe(200)
})

test.each([
  ['by its code', 'tax_id_invalid', undefined],
  ['by its place', undefined, 'customer_details[tax_ids][0][value]'],
])(
  'a number that Stripe does not take (%s) is none, and is sold to with the tax of who has none',
  async (_, code, param) => {
    answer = () => {
      const hasNumber = asked.at(-1)?.has('customer_details[tax_ids][0][value]')
      return hasNumber ? refused(code, param)() : californian()
    }
    const checkout = await shop.checkout(productId)
    const given = {
      is_business_customer: true,
      customer_billing_name: 'GmbH',
      customer_tax_id: 'DE136695976',
      customer_billing_address: { country: 'DE', line1: 'A 1', city: 'B', postal_code: '10115' },
    }

    const { status, body } = await confirm(checkout, given)

    expect([status, body.tax_amount]).toEqual([200, 176])
    expect(asked).toHaveLength(2)
  },
)

test('a fault of our keys is no error that the buyer could fix', async () => {
  answer = refused('tax_id_invalid', 'customer_details[address][country]', 403)
  const checkout = await shop.checkout(productId)
  expect((await confirm(checkout, { customer_billing_address: address })).status).toBe(503)
})

test.each([
  ['customer_tax_location_invalid', undefined],
  [undefined, 'customer_details[address][country]'],
])('an address that Stripe cannot place (%s, %s) is wrong, once it is to be sold to', async (code, param) => {
  answer = refused(code, param)
  const checkout = await shop.checkout(productId, { customer_billing_address: { country: 'US', state: 'CA' } })
  expect((await shop.get(`/checkouts/${checkout.id}`)).body.tax_amount).toBeNull()

  expect(wrongAt(await confirm(checkout, { customer_billing_address: { country: 'US', state: 'CA' } }))).toBe(
    '422 customer_billing_address',
  )
})

/** Does something while Stripe Tax computes. */
const meanwhile = (work: () => Promise<unknown>) => async () => {
  await work()
  return californian()
}
const setApproved = (approvedAt: Date | null) => {
  const { ctx } = server.tollgate.internals
  return ctx.transaction((tx) =>
    tx.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', shop.organizationId).execute(),
  )
}

test('a product that is archived while Stripe computes is sold by no new checkout', async () => {
  const id = await shop.product([fixedPrice(1900)])
  answer = meanwhile(() => shop.patch(`/products/${id}`, { is_archived: true }))

  const refused = await shop.post('/checkouts', { products: [id], customer_billing_address: address })

  expect(wrongAt(refused)).toBe('422 products.0')
})

test('a seller whose approval is withdrawn while Stripe computes neither begins nor concludes a sale', async () => {
  const checkout = await shop.checkout(productId)
  answer = meanwhile(() => setApproved(null))

  const begun = await shop.post('/checkouts', { products: [productId], customer_billing_address: address })
  await setApproved(server.clock.now())
  const concluded = await confirm(checkout, { customer_billing_address: address })
  await setApproved(server.clock.now())

  expect([begun.status, concluded.status]).toEqual([403, 403])
  expect((await shop.get(`/checkouts/${checkout.id}`)).body.status).toBe('open')
})
