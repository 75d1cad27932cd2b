import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours, seconds } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import type { CheckoutStatus, SubscriptionStatus } from '../states.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'

let server: TestServer
let shop: TestMerchant
let other: TestMerchant
let meterId: string
/** The shop's products, by our names for them. */
let sold: Record<'book' | 'gift' | 'plan' | 'free' | 'freePlan' | 'metered' | 'euro' | 'foreign' | 'archived', string>

const fixed = (price_amount: number, price_currency = 'usd') => ({ amount_type: 'fixed', price_amount, price_currency })

beforeAll(async () => {
  server = await createTestServer()
  shop = await createTestMerchant(server)
  other = await createTestMerchant(server)
  const meter = await shop.post('/meters', {
    name: 'Calls',
    filter: { conjunction: 'and', clauses: [] },
    aggregation: { func: 'count' },
  })
  meterId = meter.body.id
  sold = {
    book: await product({ prices: [fixed(1999)] }),
    gift: await product({
      prices: [{ amount_type: 'custom', minimum_amount: 500, maximum_amount: 5000, preset_amount: 2500 }],
    }),
    plan: await product({ prices: [fixed(900)], recurring_interval: 'month' }),
    free: await product({ prices: [{ amount_type: 'free' }] }),
    freePlan: await product({ prices: [{ amount_type: 'free' }], recurring_interval: 'month' }),
    metered: await product({
      prices: [{ amount_type: 'metered_unit', meter_id: meter.body.id, unit_amount: '0.5' }],
      recurring_interval: 'month',
    }),
    euro: await product({ prices: [fixed(700, 'eur')] }),
    foreign: await product({ prices: [fixed(1)].map((price) => ({ ...price, price_amount: 100 })) }, other),
    archived: await product({ prices: [fixed(1999)] }),
  }
  await shop.patch(`/products/${sold.archived}`, { is_archived: true })
})
afterAll(() => server[Symbol.asyncDispose]())

let things = 0

async function product(given: object, of = shop): Promise<string> {
  things += 1
  const { status, text, body } = await of.post('/products', {
    name: `Thing ${things}`,
    recurring_interval: null,
    ...given,
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

async function discount(given: object = {}) {
  things += 1
  const usual = { name: 'Less', code: `LESS${things}`, type: 'percentage', basis_points: 1000, duration: 'once' }
  const { status, text, body } = await shop.post('/discounts', { ...usual, ...given })
  if (status !== 201) throw new Error(text)
  return body
}

async function customer(given: object = {}) {
  things += 1
  const { status, text, body } = await shop.post('/customers', { email: `customer${things}@example.com`, ...given })
  if (status !== 201) throw new Error(text)
  return body
}

async function begun(given: object = {}) {
  const { status, text, body } = await shop.post('/checkouts/', { products: [sold.book], ...given })
  if (status !== 201) throw new Error(text)
  return body
}

type Begun = { readonly client_secret: string }

/** The buyer's calls, authorized by the secret alone. */
const client = (visitor = server.visitor()) => ({
  get: ({ client_secret }: Begun) => visitor.request('GET', `/v1/checkouts/client/${client_secret}`),
  patch: ({ client_secret }: Begun, body: object) =>
    visitor.request('PATCH', `/v1/checkouts/client/${client_secret}`, { body }),
})

const issue = (path: (string | number)[], msg: unknown = expect.any(String), type: unknown = expect.any(String)) => ({
  status: 422,
  body: { error: 'RequestValidationError', detail: [{ loc: ['body', ...path], msg, type }] },
})

const later = async () => {
  const { ctx } = server.tollgate.internals
  const rows = await ctx.db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('type', 'like', 'checkout.%')
    .execute()
  return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload ?? '') }))
}
const eventsOf = async (id: string) => (await later()).filter(({ data }) => data.id === id)

const unknownId = '00000000-0000-4000-8000-000000000000'

test('CHK-1: the first of its products is selected, at its price', async () => {
  const body = await begun({ products: [sold.book, sold.plan, sold.book] })

  expect(body).toMatchObject({
    status: 'open',
    payment_processor: 'stripe',
    processor: 'sandbox',
    product_id: sold.book,
    products: [{ id: sold.book }, { id: sold.plan }],
    product_price: { amount_type: 'fixed', price_amount: 1999 },
    amount: 1999,
    discount_amount: 0,
    net_amount: 1999,
    tax_amount: null,
    total_amount: 1999,
    currency: 'usd',
    customer_id: null,
    customer_email: null,
    metadata: {},
    custom_field_data: {},
    payment_processor_metadata: {},
    allow_discount_codes: true,
    require_billing_address: false,
    modified_at: null,
    embed_origin: null,
  })
  expect(body.product_price_id).toBe(body.product_price.id)
  expect(body.client_secret).toMatch(/^tollgate_co_[A-Za-z0-9]{43}$/)
  expect(body.url).toBe(`http://localhost:3000/checkout/${body.client_secret}`)
  expect(body.success_url).toBe(`${body.url}/confirmation`)
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(hours(24))
  expect(Object.keys(body.prices)).toEqual([sold.book, sold.plan])
  expect((await shop.get(`/checkouts/${body.id}`)).body).toEqual(body)
})

test('CHK-1: the older bodies with one product or one price are taken, too', async () => {
  const byProduct = await begun({ products: undefined, product_id: sold.gift })
  const byPrice = await begun({ products: undefined, product_price_id: byProduct.product_price_id })

  expect(byProduct).toMatchObject({ product_id: sold.gift, amount: 2500 })
  expect(byPrice).toMatchObject({ product_id: sold.gift, product_price_id: byProduct.product_price_id })
})

test('CHK-1: the answer lists every fault at once, each with its field', async () => {
  const products = [sold.book, sold.foreign, sold.archived, unknownId]
  const { status, body } = await shop.post('/checkouts', {
    products,
    customer_id: unknownId,
    customer_email: 'nobody',
    customer_billing_address: { country: 'XX' },
    customer_ip_address: 'here',
    discount_id: unknownId,
    subscription_id: unknownId,
  })

  expect(status).toBe(422)
  expect(body.detail.map(({ loc, msg }: { loc: string[]; msg: string }) => [loc.slice(1).join('.'), msg])).toEqual(
    expect.arrayContaining([
      ['products.1', 'Product does not exist.'],
      ['products.2', 'Product is archived.'],
      ['products.3', 'Product does not exist.'],
      ['customer_id', 'Customer does not exist.'],
      ['customer_email', 'The email address is not valid.'],
      ['customer_billing_address.country', 'Input should be a country of ISO 3166-1'],
      ['customer_ip_address', 'Input should be a valid IP address.'],
      ['discount_id', 'Discount does not exist.'],
      ['subscription_id', 'Subscription does not exist.'],
    ]),
  )
  expect(body.detail).toHaveLength(9)
})

test.each([
  ['no products', {}, ['products'], 'Field required'],
  ['an empty list', { products: [] }, ['products'], undefined],
  ['a product of others', () => ({ product_id: sold.foreign }), ['product_id'], 'Product does not exist.'],
  ['an archived one', () => ({ product_id: sold.archived }), ['product_id'], 'Product is archived.'],
  ['an unknown price', { product_price_id: unknownId }, ['product_price_id'], 'Price does not exist.'],
  ['what is no id', { products: ['book'] }, ['products', 0], 'Input should be a valid UUID'],
  ['an amount as a text', () => ({ products: [sold.gift], amount: '1000' }), ['amount'], undefined],
  ['a fraction', () => ({ products: [sold.gift], amount: 1000.5 }), ['amount'], undefined],
  ['a negative amount', () => ({ products: [sold.gift], amount: -1 }), ['amount'], undefined],
  ['a huge amount', () => ({ products: [sold.gift], amount: 1e15 }), ['amount'], undefined],
  ['no number', () => ({ products: [sold.gift], amount: Number.NaN, customer_email: 'a@b.co' }), undefined, undefined],
  [
    'a script as an address',
    () => ({ products: [sold.book], success_url: 'javascript:alert(1)' }),
    ['success_url'],
    undefined,
  ],
  [
    'a secret in an address',
    () => ({ products: [sold.book], embed_origin: 'https://a:b@c.com' }),
    ['embed_origin'],
    undefined,
  ],
  ['metadata beyond fifty keys', () => ({ products: [sold.book], metadata: manyKeys(51) }), ['metadata'], undefined],
  [
    'another organization',
    () => ({ products: [sold.book], organization_id: other.organizationId }),
    ['organization_id'],
    undefined,
  ],
])('refuses %s', async (_, given, path, msg) => {
  const answer = await shop.post('/checkouts', typeof given === 'function' ? given() : given)

  if (path === undefined)
    expect(answer).toMatchObject({ status: 201, body: { amount: 2500 } }) // JSON has no NaN: null
  else expect(answer).toMatchObject(issue(path, msg))
})

/** Parsers disagree about the host of these, or find none. */
const ambiguous = [
  'https:evil',
  'https:/evil.example',
  'https:///evil.example',
  'https:\\\\evil.example',
  'https://shop.example\\@evil.example',
  'https://user:secret@shop.example',
  'https://shop.example@evil.example',
  ' https://shop.example',
  'https://shop.example ',
  'ht\ttps://shop.example',
  'https://shop.example/\t',
  'https://shop.example/\nset-cookie:',
  '//shop.example',
  '/thanks',
  'shop.example',
]

describe.each(['success_url', 'return_url', 'embed_origin'])('%s', (field) => {
  test.each(ambiguous)('is refused as %j, in a new checkout and in one that is there', async (address) => {
    const { id } = await begun({ products: [sold.book] })

    const answers = [
      await shop.post('/checkouts', { products: [sold.book], [field]: address }),
      await shop.patch(`/checkouts/${id}`, { [field]: address }),
    ]

    for (const answer of answers) expect(answer).toMatchObject(issue([field], 'Input should be a valid URL'))
  })
})

test.each([
  'https://a;sandbox',
  'https://a,https://b.example',
  'https://*',
  'https://*.example',
  'https://shop.example.',
  'http://[::1]:3000',
])('an origin that no page policy can name is refused: %s', async (origin) => {
  expect(await shop.post('/checkouts', { products: [sold.book], embed_origin: origin })).toMatchObject(
    issue(['embed_origin'], 'Input should be the origin of a named host or an IPv4 address'),
  )
})

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

test.each([
  ['book', 1, 1999], // the caller's amount is ignored for a fixed price
  ['gift', undefined, 2500],
  ['gift', 500, 500],
  ['gift', 5000, 5000],
  ['free', 700, 0],
  ['metered', 700, 0],
] as const)('CHK-2: a %s for %s costs %i', async (name, amount, expected) => {
  const created = await begun({ products: [sold[name]], amount })
  const changed = await client().patch(created, { amount: amount ?? null })

  expect(created.amount).toBe(expected)
  expect(changed.body.amount).toBe(expected)
})

test.each([
  [499, 'Input should be greater than or equal to 500', 'greater_than_equal'],
  [5001, 'Input should be less than or equal to 5000', 'less_than_equal'],
])('CHK-2: a limited product does not sell at %i', async (amount, msg, type) => {
  const created = await begun({ products: [sold.gift] })
  const refusal = issue(['amount'], msg, type)

  expect(await shop.post('/checkouts', { products: [sold.gift], amount })).toMatchObject(refusal)
  expect(await shop.patch(`/checkouts/${created.id}`, { amount })).toMatchObject(refusal)
  expect(await client().patch(created, { amount })).toMatchObject(refusal)
  expect((await shop.get(`/checkouts/${created.id}`)).body).toEqual(created)
})

test('F-checkout-order: the server ignores a price, a total or a discount that the buyer sends', async () => {
  const created = await begun()

  const { status, body } = await client().patch(created, {
    amount: 1,
    total_amount: 1,
    net_amount: 1,
    discount_amount: 1998,
    product_price: { price_amount: 1 },
    status: 'succeeded',
    discount_id: (await discount({ basis_points: 10_000 })).id,
    allow_discount_codes: true,
    metadata: { paid: true },
    customer_id: unknownId,
    user_id: 'me',
    expires_at: '2099-01-01T00:00:00Z',
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    amount: 1999,
    total_amount: 1999,
    discount_amount: 0,
    discount_id: null,
    status: 'open',
  })
  const seen = (await shop.get(`/checkouts/${created.id}`)).body
  expect({ ...seen, customer_ip_address: null, modified_at: null }).toEqual(created)
})

test('CHK-3: tax is not known before the country is, and none where there is nothing to pay', async () => {
  const created = await begun()
  const free = await begun({ products: [sold.free] })

  expect([created.tax_amount, free.tax_amount]).toEqual([null, 0])
  const known = await client().patch(created, { customer_billing_address: { country: 'de' } })
  expect(known.body).toMatchObject({
    tax_amount: 0,
    total_amount: 1999,
    customer_billing_address: { country: 'DE', line1: null, line2: null, postal_code: null, city: null, state: null },
  })
  expect((await client().patch(created, { customer_billing_address: null })).body.tax_amount).toBeNull()
})

test.each([
  ['book', [false, true, true, false, true]],
  ['plan', [false, true, true, true, true]],
  ['free', [true, false, false, false, false]],
  ['freePlan', [true, false, false, false, false]],
  ['metered', [false, true, false, true, true]],
] as const)('CHK-4: the flags of a %s', async (name, [isFree, isDiscountable, isPaid, isSetUp, isForm]) => {
  expect(await begun({ products: [sold[name]] })).toMatchObject({
    is_free_product_price: isFree,
    is_discount_applicable: isDiscountable,
    is_payment_required: isPaid,
    is_payment_setup_required: isSetUp,
    is_payment_form_required: isForm,
  })
})

test('CHK-5: the required lines of an address, and that giving one line requires all', async () => {
  const fields = (state: boolean, lines: boolean) => ({
    country: true,
    state,
    line1: lines,
    line2: false,
    city: lines,
    postal_code: lines,
  })
  const plain = await begun({ customer_billing_address: { country: 'DE' } })
  const lined = await begun({ customer_billing_address: { country: 'DE', city: 'Kiel' } })

  expect(plain).toMatchObject({ require_billing_address: false, customer_billing_address_fields: fields(false, false) })
  expect(lined).toMatchObject({ require_billing_address: true, customer_billing_address_fields: fields(false, true) })
  const american = await client().patch(plain, { customer_billing_address: { country: 'US', state: 'us-ca' } })
  expect(american.body).toMatchObject({
    customer_billing_address: { country: 'US', state: 'US-CA' },
    customer_billing_address_fields: fields(true, true),
    billing_address_fields: { country: 'required', state: 'required', line1: 'required', line2: 'optional' },
  })
  const business = await client().patch(plain, {
    customer_billing_address: { country: 'CA' },
    is_business_customer: true,
  })
  expect(business.body.customer_billing_address_fields).toEqual(fields(true, true))
  expect(await client().patch(plain, { customer_billing_address: { country: 'US', state: 'XY' } })).toMatchObject(
    issue(['customer_billing_address', 'state']),
  )
})

test('CHK-6: a known customer is filled in, and keeps their address', async () => {
  const known = await customer({
    name: 'Ada',
    external_id: `ada-${things}`,
    billing_address: { country: 'DE', line1: 'Weg 1' },
    tax_id: ['DE136695976', 'eu_vat'],
  })
  const filled = {
    customer_id: known.id,
    customer_external_id: known.external_id,
    external_customer_id: known.external_id,
    customer_email: known.email,
    customer_name: 'Ada',
    customer_billing_address: { country: 'DE', line1: 'Weg 1' },
    customer_tax_id: 'DE136695976',
    tax_amount: 0,
  }

  const byId = await begun({ customer_id: known.id, customer_email: 'else@example.com' })
  expect(byId).toMatchObject(filled)
  expect(await begun({ customer_external_id: known.external_id })).toMatchObject(filled)
  expect(await begun({ external_customer_id: known.external_id, customer_name: 'Countess' })).toMatchObject({
    ...filled,
    customer_name: 'Countess',
  })
  const changed = await client().patch(byId, { customer_email: 'mine@example.com', customer_name: 'Byron' })
  expect(changed.body).toMatchObject({ customer_email: known.email, customer_name: 'Byron' })

  await shop.delete(`/customers/${known.id}`)
  expect(await shop.post('/checkouts', { products: [sold.book], customer_id: known.id })).toMatchObject(
    issue(['customer_id'], 'Customer does not exist.'),
  )
})

test('CHK-6: a customer that is only known to the seller is remembered by that name', async () => {
  expect(await begun({ customer_external_id: 'nobody-yet', customer_metadata: { plan: 'a', seats: 3 } })).toMatchObject(
    {
      customer_id: null,
      customer_external_id: 'nobody-yet',
      customer_email: null,
      customer_metadata: { plan: 'a', seats: 3 },
    },
  )
  const foreign = (await other.post('/customers', { email: 'foreign@example.com' })).body
  expect(await shop.post('/checkouts', { products: [sold.book], customer_id: foreign.id })).toMatchObject(
    issue(['customer_id'], 'Customer does not exist.'),
  )
})

test('CHK-7: a code is found however it is written, and null takes it off', async () => {
  const created = await begun()
  const { id, code } = await discount({ basis_points: 2500 })

  const given = await client().patch(created, { discount_code: code.toLowerCase() })
  expect(given.body).toMatchObject({
    discount_id: id,
    discount: { id, code, type: 'percentage', basis_points: 2500 },
    amount: 1999,
    discount_amount: 500, // 499.75
    net_amount: 1499,
    total_amount: 1499,
  })
  expect((await client().patch(created, { customer_name: 'Ada' })).body.discount_amount).toBe(500)
  const without = await client().patch(created, { discount_code: '' })
  expect(without.body).toMatchObject({ discount_id: null, discount: null, discount_amount: 0, total_amount: 1999 })
})

test.each([
  ['is not there', async () => 'NOTHING'],
  ['has ended', async () => (await discount({ ends_at: '2026-02-28T00:00:00Z' })).code],
  ['has not begun', async () => (await discount({ starts_at: '2026-03-02T00:00:00Z' })).code],
  ['is for another product', async () => (await discount({ products: [sold.plan] })).code],
  ['repeats', async () => (await discount({ duration: 'repeating', duration_in_months: 3 })).code],
  ['is in another currency', async () => (await discount({ type: 'fixed', amount: 100, currency: 'eur' })).code],
  ['was deleted', deletedCode],
  ['is used up', usedUpCode],
])('CHK-7: a code that %s does not exist, for a buyer and for the seller', async (_, make) => {
  const created = await begun()
  const code = await make()
  const { items } = (await shop.get(`/discounts?query=${code}`)).body

  expect(await client().patch(created, { discount_code: code })).toMatchObject(
    issue(['discount_code'], 'Discount does not exist.', 'value_error'),
  )
  const refusal = issue(['discount_id'], 'Discount does not exist.', 'value_error')
  const discount_id = items[0]?.id ?? unknownId
  expect(await shop.patch(`/checkouts/${created.id}`, { discount_id })).toMatchObject(refusal)
  expect(await shop.post('/checkouts', { products: [sold.book], discount_id })).toMatchObject(refusal)
})

async function deletedCode(): Promise<string> {
  const { id, code } = await discount()
  await shop.delete(`/discounts/${id}`)
  return code
}

async function usedUpCode(): Promise<string> {
  const { id, code } = await discount({ max_redemptions: 1 })
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('discount').set({ redemptionsCount: 1 }).where('id', '=', id).execute())
  return code
}

test('CHK-7: where the seller allows no codes theirs still counts, and no user takes it off', async () => {
  const preset = await discount({ code: null, basis_points: 5000 })
  const { code } = await discount({ basis_points: 10_000 })
  const created = await begun({ discount_id: preset.id, allow_discount_codes: false })

  for (const discount_code of [code, null, 'NOTHING']) {
    const { status, body } = await client().patch(created, { discount_code, customer_name: `${discount_code}` })
    expect([status, body.discount_id, body.discount_amount]).toEqual([200, preset.id, 1000])
  }
  expect((await shop.patch(`/checkouts/${created.id}`, { discount_id: null })).body.discount_id).toBeNull()
})

test('a discount that has run out since can be taken off, and keeps its amount until then', async () => {
  const preset = await discount({ basis_points: 5000 })
  const created = await begun({ discount_id: preset.id, allow_discount_codes: false })
  await shop.delete(`/discounts/${preset.id}`)

  expect((await client().patch(created, { customer_name: 'Ada' })).body.discount_amount).toBe(1000)
  expect((await client().patch(created, { discount_code: null })).body.discount_amount).toBe(0)
})

test('a buyer keeps the discount that they saw, whatever the seller changes meanwhile', async () => {
  const { id, code } = await discount({ basis_points: 5000 })
  const created = await begun()
  await client().patch(created, { discount_code: code })

  await shop.patch(`/discounts/${id}`, { basis_points: 100 })

  expect((await client().patch(created, { discount_code: code, customer_name: 'Ada' })).body.discount_amount).toBe(1000)
})

test('a discount that its seller has given to other products meanwhile does not count for an amount that is chosen anew', async () => {
  const { id, code } = await discount({ basis_points: 5000 })
  const [seen, changed] = [await begun({ products: [sold.gift] }), await begun({ products: [sold.gift] })]
  for (const each of [seen, changed]) await client().patch(each, { discount_code: code })
  await shop.patch(`/discounts/${id}`, { products: [sold.book] })

  expect((await client().patch(seen, { customer_name: 'Ada' })).body.discount_amount).toBe(1250)
  const refused = await server
    .visitor()
    .request('POST', `/v1/checkouts/client/${changed.client_secret}/confirm`, { body: { ...complete, amount: 3000 } })
  expect(refused).toMatchObject(issue(['discount_code'], 'Discount is no longer redeemable.'))
  const anew = await client().patch(changed, { amount: 3000 })
  expect(anew.body).toMatchObject({ amount: 3000, discount_id: null, discount_amount: 0, total_amount: 3000 })
})

test('CHK-8: another of its products is another price, without a discount that is not for it', async () => {
  const { code } = await discount({ products: [sold.book] })
  const created = await begun({ products: [sold.book, sold.gift, sold.euro] })
  await client().patch(created, { discount_code: code })

  const gift = await client().patch(created, { product_id: sold.gift, amount: 1000 })
  expect(gift.body).toMatchObject({
    product_id: sold.gift,
    product: { id: sold.gift },
    product_price: { amount_type: 'custom' },
    amount: 1000,
    discount_id: null,
    discount_amount: 0,
  })
  const euro = await client().patch(created, { product_id: sold.euro })
  expect(euro.body).toMatchObject({ amount: 700, currency: 'eur' })
  const back = await client().patch(created, { product_price_id: created.product_price_id })
  expect(back.body).toMatchObject({ product_id: sold.book, amount: 1999, currency: 'usd' })
  expect((await client().patch(created, { product_id: sold.gift })).body.amount).toBe(2500)
})

test('CHK-8: a buyer cannot switch to a product that is not offered or no longer sold', async () => {
  const soon = await product({ prices: [fixed(100)] })
  const created = await begun({ products: [sold.book, soon] })
  await shop.patch(`/products/${soon}`, { is_archived: true })

  expect(await client().patch(created, { product_id: sold.plan })).toMatchObject(
    issue(['product_id'], 'Product is not available in this checkout.'),
  )
  expect(await client().patch(created, { product_id: soon })).toMatchObject(
    issue(['product_id'], 'Product is archived.'),
  )
  expect(await client().patch(created, { product_price_id: unknownId })).toMatchObject(
    issue(['product_price_id'], 'Price is not available in this checkout.'),
  )
  expect((await client().get(created)).body.products).toEqual([expect.objectContaining({ id: sold.book })])
})

test('a price that was changed while a checkout was open is paid as it was seen, until the product is chosen again', async () => {
  const changing = await product({ prices: [fixed(1000)] })
  const created = await begun({ products: [changing] })
  await shop.patch(`/products/${changing}`, { prices: [fixed(3000)] })

  const seen = await client().patch(created, { customer_name: 'Ada' })
  expect(seen.body).toMatchObject({ amount: 1000, product_price: { price_amount: 1000, is_archived: true } })
  const chosen = await client().patch(created, { product_id: changing })
  expect(chosen.body).toMatchObject({ amount: 3000, product_price: { price_amount: 3000, is_archived: false } })
})

test('a buyer who saw usage prices that have changed chooses the product again before buying', async () => {
  const usage = (unit_amount: string) => ({ amount_type: 'metered_unit', meter_id: meterId, unit_amount })
  const changing = await product({ prices: [fixed(1000), usage('1')], recurring_interval: 'month' })
  const created = await begun({ products: [changing] })
  const confirm = () =>
    server.visitor().request('POST', `/v1/checkouts/client/${created.client_secret}/confirm`, { body: complete })
  const [kept] = (await shop.get(`/products/${changing}`)).body.prices
  await shop.patch(`/products/${changing}`, { prices: [{ id: kept.id }, usage('99999')] })

  expect(await confirm()).toMatchObject(issue(['product_price_id'], 'Price is archived.'))

  const chosen = await client().patch(created, { product_id: changing })
  expect(chosen.body).toMatchObject({ amount: 1000, product_price_id: kept.id })
  expect((await confirm()).status).toBe(200)
  const { body } = await shop.get(`/subscriptions?product_id=${changing}`)
  expect(body.items[0].prices.map((price: { unit_amount?: string }) => price.unit_amount)).toEqual([undefined, '99999'])
})

test('usage pricing added to a chosen product does not charge buyers who chose it before', async () => {
  const growing = await product({ prices: [fixed(1000)], recurring_interval: 'month' })
  const created = await begun({ products: [growing] })
  const [kept] = (await shop.get(`/products/${growing}`)).body.prices
  const usage = { amount_type: 'metered_unit', meter_id: meterId, unit_amount: '5' }
  await shop.patch(`/products/${growing}`, { prices: [{ id: kept.id }, usage] })

  const body = { ...complete, customer_email: 'before@example.com' }
  await server.visitor().request('POST', `/v1/checkouts/client/${created.client_secret}/confirm`, { body })

  const { items } = (await shop.get(`/subscriptions?product_id=${growing}`)).body
  expect(items[0].prices).toEqual([expect.objectContaining({ id: kept.id })])
})

test('CHK-17: only a free subscription of the same customer is switched, and to a recurring product', async () => {
  const ada = await customer()
  const free = await subscription(ada.id, sold.freePlan)
  const paid = await subscription(ada.id, sold.plan)
  const ended = await subscription(ada.id, sold.freePlan, 'canceled')
  const create = (subscription_id: string, given: object = {}) =>
    shop.post('/checkouts', { products: [sold.plan], subscription_id, ...given })

  expect((await create(free)).body).toMatchObject({
    subscription_id: free,
    customer_id: ada.id,
    customer_email: ada.email,
  })
  expect(await create(paid)).toMatchObject(issue(['subscription_id'], 'Only free subscriptions can be upgraded.'))
  expect(await create(ended)).toMatchObject(issue(['subscription_id'], 'Subscription does not exist.'))
  expect(await create(free, { customer_id: (await customer()).id })).toMatchObject(
    issue(['subscription_id'], 'Subscription is of another customer.'),
  )
  expect(await create(free, { products: [sold.book] })).toMatchObject(
    issue(['subscription_id'], 'A subscription can only be switched to a recurring product.'),
  )
})

async function subscription(
  customerId: string,
  productId: string,
  status: SubscriptionStatus = 'active',
): Promise<string> {
  const { ctx } = server.tollgate.internals
  const now = ctx.clock.now()
  const id = newUuid()
  const { prices } = (await shop.get(`/products/${productId}`)).body
  await ctx.transaction(async (tx) => {
    await tx
      .insertInto('subscription')
      .values({
        id,
        organizationId: shop.organizationId,
        status,
        amount: 0,
        currency: 'usd',
        recurringInterval: 'month',
        anchorDay: 1,
        currentPeriodStart: now,
        cancelAtPeriodEnd: false,
        customerId,
        productId,
        customFieldData: {},
        metadata: {},
        createdAt: now,
      })
      .execute()
    await tx
      .insertInto('subscriptionItem')
      .values({
        id: newUuid(),
        subscriptionId: id,
        productPriceId: prices[0].id,
        quantity: 1,
        currency: 'usd',
        position: 0,
        createdAt: now,
      })
      .execute()
  })
  return id
}

test.each(['active', 'trialing', 'past_due'] as const)(
  'CHK-16: a customer with a subscription that is %s gets no second one',
  async (status) => {
    const ada = await customer()
    const created = await begun({ products: [sold.plan, sold.book] })
    const named = await begun({ products: [sold.plan], customer_id: ada.id })
    const upgraded = await subscription(ada.id, sold.freePlan, status)
    const refusal = {
      status: 403,
      body: { error: 'AlreadyActiveSubscriptionError', detail: 'You already have an active subscription.' },
    }

    expect(await shop.patch(`/checkouts/${created.id}`, { customer_email: ada.email.toUpperCase() })).toMatchObject(
      refusal,
    )
    expect((await shop.get(`/checkouts/${created.id}`)).body).toEqual(created)
    expect(await client().patch(named, { customer_name: 'Ada' })).toMatchObject(refusal)
    expect(await shop.patch(`/checkouts/${named.id}`, { metadata: { a: 1 } })).toMatchObject(refusal)
    // A one-time purchase is no second subscription, and neither is an upgrade.
    const once = await client().patch(created, { customer_email: ada.email, product_id: sold.book })
    expect(once.status).toBe(200)
    expect((await client().patch(created, { product_id: sold.plan })).status).toBe(200)
    expect(await shop.patch(`/checkouts/${created.id}`, { metadata: { a: 1 } })).toMatchObject(refusal)
    const upgrade = await begun({ products: [sold.plan], subscription_id: upgraded })
    expect((await client().patch(upgrade, { customer_name: 'Ada' })).status).toBe(200)
  },
)

test('CHK-16: a checkout reveals no subscriber: it mails an unverified address at its end', async () => {
  const ada = await customer()
  await subscription(ada.id, sold.freePlan)
  const created = await begun({ products: [sold.freePlan] })

  const typed = await client().patch(created, { customer_email: ada.email })
  const unknown = await client().patch(created, { customer_email: 'nobody-there@example.com' })

  expect([typed.status, unknown.status]).toEqual([200, 200])
  await client().patch(created, { customer_email: ada.email })
  const confirmed = await server.visitor().request('POST', `/v1/checkouts/client/${created.client_secret}/confirm`, {
    body: {},
  })
  expect(confirmed.status).toBe(403)
})

test('CHK-16: a subscription that has ended, or a seller who allows several, does not get in the way', async () => {
  const ada = await customer()
  await subscription(ada.id, sold.freePlan, 'canceled')
  const created = await begun({ products: [sold.plan] })
  expect((await shop.patch(`/checkouts/${created.id}`, { customer_email: ada.email })).status).toBe(200)

  const many = await customer()
  await subscription(many.id, sold.freePlan)
  await shop.patch(`/organizations/${shop.organizationId}`, {
    subscription_settings: { allow_multiple_subscriptions: true },
  })
  expect((await shop.patch(`/checkouts/${created.id}`, { customer_email: many.email })).status).toBe(200)
  await shop.patch(`/organizations/${shop.organizationId}`, {
    subscription_settings: { allow_multiple_subscriptions: false },
  })
  expect((await shop.patch(`/checkouts/${created.id}`, { customer_name: 'Ada' })).status).toBe(403)
})

test('CHK-16: the account identifies a signed-in user, whatever address they give, and only at this seller', async () => {
  const ada = await server.signedUp('Ada')
  const known = await customer({ user_id: ada.id, email: ada.email })
  await subscription(known.id, sold.freePlan)
  const theirs = await product({ prices: [fixed(900)], recurring_interval: 'month' }, other)
  const elsewhere = (await other.post('/checkouts', { products: [theirs] })).body

  const created = await begun({ products: [sold.plan] })
  expect((await client(ada).patch(created, { customer_email: 'second@example.com' })).status).toBe(403)
  expect((await client().patch(created, { customer_email: 'second@example.com' })).status).toBe(200)
  expect((await client(ada).patch(elsewhere, { customer_email: known.email })).status).toBe(200)
})

test('a signed-in user need not give their name again, and other users do not see it', async () => {
  const ada = await server.signedUp('Ada')
  const created = await begun({ products: [sold.plan] })
  const named = await begun({ products: [sold.plan], customer_name: 'Countess' })

  expect((await client(ada).get(created)).body).toMatchObject({ customer_name: 'Ada', customer_email: ada.email })
  expect((await client(ada).get(named)).body.customer_name).toBe('Countess')
  expect((await client().get(created)).body.customer_name).toBeNull()

  const changed = { customer_billing_address: { country: 'DE' } }
  expect((await client(ada).patch(created, changed)).body.customer_name).toBe('Ada')
  expect((await client(ada).patch(created, { customer_name: null })).body.customer_name).toBeNull()
})

test('a seller’s own notes are not shown to buyers', async () => {
  const noted = { margin: 'secret 80%' }
  const field = await shop.post('/custom-fields', {
    type: 'text',
    slug: 'why',
    name: 'Why',
    properties: {},
    metadata: noted,
  })
  const attached_custom_fields = [{ custom_field_id: field.body.id, required: false }]
  const [one, two] = [
    await product({ prices: [fixed(100)], metadata: noted, attached_custom_fields }),
    await product({ prices: [fixed(200)], metadata: noted }),
  ]
  const { id, client_secret } = await begun({ products: [one, two] })

  const shown = await client().get({ client_secret })

  expect(shown.body.attached_custom_fields[0].custom_field).toMatchObject({ slug: 'why', metadata: {} })
  expect(shown.text).not.toContain('80%')
  expect(shown.body.product).not.toHaveProperty('metadata')
  expect((await shop.get(`/checkouts/${id}`)).body.attached_custom_fields[0].custom_field.metadata).toEqual(noted)
})

test('CHK-20: answers to custom fields are checked, those to none are dropped, and none is wanted yet', async () => {
  const field = async (given: object) => (await shop.post('/custom-fields', { metadata: {}, ...given })).body.id
  const size = await field({
    type: 'select',
    slug: 'size',
    name: 'Size',
    properties: {
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
  })
  const terms = await field({ type: 'checkbox', slug: 'terms', name: 'Terms', properties: {} })
  const shirt = await product({
    prices: [fixed(1500)],
    attached_custom_fields: [
      { custom_field_id: size, required: true },
      { custom_field_id: terms, required: true },
    ],
  })
  const created = await begun({ products: [shirt, sold.book], custom_field_data: { size: 'l', colour: 'red' } })

  expect(created.custom_field_data).toEqual({ size: 'l' })
  expect(
    created.attached_custom_fields.map(({ custom_field }: { custom_field: { slug: string } }) => custom_field.slug),
  ).toEqual(['size', 'terms'])
  expect(await client().patch(created, { custom_field_data: { size: 'xl' } })).toMatchObject(
    issue(['custom_field_data', 'size']),
  )
  const answered = await client().patch(created, { custom_field_data: { size: 's', terms: true } })
  expect(answered.body.custom_field_data).toEqual({ size: 's', terms: true })
  const switched = await client().patch(created, { product_id: sold.book })
  expect(switched.body).toMatchObject({ custom_field_data: {}, attached_custom_fields: [] })
})

const complete = {
  customer_email: 'ada@example.com',
  customer_name: 'Ada',
  customer_billing_address: { country: 'DE' },
  confirmation_token_id: 'ctoken_sandbox_success',
}
const lines = { line1: 'Weg 1', city: 'Kiel', postal_code: '24103' }

test.each([
  // product, seller's settings, buyer's values; missing fields
  ['book', {}, {}, ['confirmation_token_id', 'customer_billing_address', 'customer_email', 'customer_name']],
  ['metered', {}, {}, ['confirmation_token_id', 'customer_billing_address', 'customer_email', 'customer_name']],
  ['free', {}, {}, ['customer_email']],
  ['freePlan', {}, {}, ['customer_email']],
  ['free', { require_billing_address: true }, {}, ['customer_billing_address', 'customer_email']],
  [
    'book',
    {},
    { ...complete, customer_name: '', confirmation_token_id: null },
    ['confirmation_token_id', 'customer_name'],
  ],
  ['book', { require_billing_address: true }, complete, ['city', 'line1', 'postal_code']],
  ['book', {}, { ...complete, is_business_customer: true }, ['city', 'customer_billing_name', 'line1', 'postal_code']],
  [
    'book',
    {},
    { ...complete, is_business_customer: true, customer_billing_address: { ...lines, country: 'US' } },
    ['customer_billing_name', 'state'],
  ],
  [
    'book',
    {},
    { ...complete, is_business_customer: true, customer_billing_address: { ...lines, country: 'FR' } },
    ['customer_billing_name'],
  ],
] as const)('CHK-10: a %s with %j, confirmed with %j', async (name, wanted, said, missing) => {
  const created = await begun({ products: [sold[name]], ...wanted })

  const { status, body } = await server
    .visitor()
    .request('POST', `/v1/checkouts/client/${created.client_secret}/confirm`, { body: said })

  expect(status).toBe(422)
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1)).sort()).toEqual(missing)
  for (const { type, msg } of body.detail) expect([type, msg]).toEqual(['missing', 'Field is required.'])
  expect((await shop.get(`/checkouts/${created.id}`)).body).toEqual(created)
})

test('a tax number is checked by the country, and goes with it', async () => {
  const created = await begun()

  const noted = await client().patch(created, { customer_tax_id: 'DE 136695976' })
  expect(noted.body.customer_tax_id).toBe('DE 136695976') // the country is still unknown
  const known = await client().patch(created, { customer_billing_address: { country: 'DE' } })
  expect(known.body.customer_tax_id).toBe('DE136695976')
  expect(await client().patch(created, { customer_tax_id: 'DE136695977' })).toMatchObject(
    issue(['customer_tax_id'], 'Invalid tax ID.'),
  )
  const moved = await client().patch(created, { customer_billing_address: { country: 'FR' } })
  expect(moved.body.customer_tax_id).toBeNull()
})

test('addresses to go to hold the checkout’s id, and an embedding page is known by its origin', async () => {
  const body = await begun({
    success_url: 'https://shop.example/thanks?id={CHECKOUT_ID}&again={CHECKOUT_ID}',
    embed_origin: 'https://shop.example/page?x=1',
    return_url: 'https://shop.example/back',
    metadata: { a: 'b', n: 1.5, yes: true },
  })

  expect(body).toMatchObject({
    success_url: `https://shop.example/thanks?id=${body.id}&again=${body.id}`,
    embed_origin: 'https://shop.example',
    return_url: 'https://shop.example/back',
    metadata: { a: 'b', n: 1.5, yes: true },
  })
  const changed = await shop.patch(`/checkouts/${body.id}`, {
    success_url: '',
    embed_origin: null,
    metadata: { c: 'd' },
  })
  expect(changed.body).toMatchObject({
    success_url: `${body.url}/confirmation`,
    embed_origin: null,
    return_url: 'https://shop.example/back',
    metadata: { c: 'd' },
  })
})

test('the buyer sees the seller, and nothing that the seller keeps for themselves', async () => {
  const created = await begun({
    metadata: { secret: 'margin' },
    customer_metadata: { rating: 1 },
    customer_external_id: 'x',
  })

  const { status, body, headers } = await client().get(created)

  expect(status).toBe(200)
  expect(headers.get('cache-control')).toContain('no-store')
  expect(body.organization).toMatchObject({ id: shop.organizationId, slug: shop.slug, socials: [] })
  for (const key of [
    'metadata',
    'customer_metadata',
    'customer_external_id',
    'external_customer_id',
    'subscription_id',
  ])
    expect(body).not.toHaveProperty(key)
})

test('F-idor: a checkout cannot be read without its secret or its seller’s token', async () => {
  const created = await begun()
  const refused = { status: 404, body: { error: 'ResourceNotFound', detail: 'Not found' } }

  for (const secret of [created.id, `${created.client_secret}x`, created.client_secret.slice(0, -1), 'x', '%00'])
    expect([404, 422]).toContain((await client().get({ client_secret: secret })).status)
  expect(await client().get({ client_secret: created.id })).toMatchObject(refused)
  expect(await client().patch({ client_secret: created.id }, { customer_name: 'x' })).toMatchObject(refused)
  expect(await other.get(`/checkouts/${created.id}`)).toMatchObject(refused)
  expect(await other.patch(`/checkouts/${created.id}`, { metadata: {} })).toMatchObject(refused)
  expect((await server.visitor().request('GET', `/v1/checkouts/${created.id}`)).status).toBe(401)
  expect((await other.get('/checkouts?limit=100')).text).not.toContain(created.id)
})

test('no client secret is in the database, nor in the events', async () => {
  const created = await begun()
  await client().patch(created, { customer_name: 'Ada' })
  const { ctx } = server.tollgate.internals
  const rows = await ctx.db.selectFrom('checkout').selectAll().where('id', '=', created.id).execute()

  expect(JSON.stringify([rows, await later()])).not.toContain(created.client_secret)
  expect(server.logs.join('')).not.toContain(created.client_secret)
})

test('a SECRET that is configured no more keeps no user from their checkouts', async () => {
  const created = await begun()
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('checkout').set({ sealedClientSecret: 'gone.AAAA' }).where('id', '=', created.id).execute(),
  )

  expect((await client().get(created)).body).toMatchObject({ client_secret: created.client_secret, url: created.url })
  expect((await client().patch(created, { customer_name: 'Ada' })).body.url).toBe(created.url)
  expect((await shop.get(`/checkouts/${created.id}`)).body).toMatchObject({ client_secret: '', customer_name: 'Ada' })
  expect((await shop.get('/checkouts')).status).toBe(200)
})

test('each change sends one event with its state at that time; no change sends none', async () => {
  const created = await begun()
  await client().patch(created, { customer_name: 'Ada' })
  await client().patch(created, { customer_name: 'Ada' })
  await shop.patch(`/checkouts/${created.id}`, {})
  await shop.patch(`/checkouts/${created.id}`, { metadata: { a: 1 } })
  await client().patch(created, { amount: -5 })

  expect((await eventsOf(created.id)).map(({ type, data }) => [type, data.customer_name, data.metadata])).toEqual([
    ['checkout.created', null, {}],
    ['checkout.updated', 'Ada', {}],
    ['checkout.updated', 'Ada', { a: 1 }],
  ])
})

test.each(['confirmed', 'succeeded', 'failed'] as const)(
  'CHK-9: a checkout that is %s stays unchanged, and still shows',
  async (status) => {
    const created = await begun()
    await setStatus(created.id, status)
    const refusal = { status: 403, body: { error: 'NotOpenCheckout', detail: 'The checkout is not open.' } }

    expect(await client().patch(created, { customer_name: 'Ada' })).toMatchObject(refusal)
    expect(await shop.patch(`/checkouts/${created.id}`, { metadata: {} })).toMatchObject(refusal)
    expect((await client().get(created)).body.status).toBe(status)
  },
)

async function setStatus(id: string, status: CheckoutStatus): Promise<void> {
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('checkout').set({ status }).where('id', '=', id).execute())
}

test('parallel changes are made one after the other: amounts always fit the product and the discount', async () => {
  const { code } = await discount({ basis_points: 5000 })
  const created = await begun({ products: [sold.book, sold.gift] })

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client().patch(
        created,
        [
          { product_id: sold.book },
          { product_id: sold.gift, amount: 600 },
          { discount_code: code },
          { discount_code: null },
          { customer_billing_address: { country: 'DE' } },
        ][index % 5]!,
      ),
    ),
  )

  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body.amount).toBe(body.product_id === sold.book ? 1999 : 600)
    expect(body.discount_amount).toBe(body.discount_id === null ? 0 : body.product_id === sold.book ? 1000 : 300)
    expect(body.total_amount).toBe(body.amount - body.discount_amount)
  }
})

test('a signed-in buyer finds their address, and is linked when they do something', async () => {
  const created = await begun()
  const ada = await server.signedUp('Ada')

  const seen = await client(ada).get(created)
  expect(seen.body.customer_email).toBe(ada.email)
  expect((await client().get(created)).body.customer_email).toBeNull()
  expect((await shop.get(`/checkouts/${created.id}`)).body.customer_email).toBeNull()

  await client(ada).patch(created, { customer_name: 'Ada' })
  expect((await shop.get(`/checkouts/${created.id}`)).body.customer_email).toBe(ada.email)
  expect(await linkOf(created.id)).toEqual({ userId: ada.id, buyerOrganizationId: null })

  await client(ada).patch(created, { customer_email: 'office@example.com' })
  expect((await client(ada).get(created)).body.customer_email).toBe('office@example.com')
  // Another visitor has the link now.
  await client().patch(created, { customer_name: 'Byron' })
  expect(await linkOf(created.id)).toEqual({ userId: null, buyerOrganizationId: null })
})

async function linkOf(id: string) {
  const { ctx } = server.tollgate.internals
  const { userId, buyerOrganizationId } = await ctx.db
    .selectFrom('checkout')
    .select(['userId', 'buyerOrganizationId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { userId, buyerOrganizationId }
}

test('a caller who may pay for the active organization buys for it, others for themselves', async () => {
  const created = await begun()
  const ada = await server.signedUp('Ada')
  const { body } = await ada.post('/organization/create', { name: 'Engines', slug: 'engines' })
  await client(ada).patch(created, { customer_name: 'Ada' })
  expect(await linkOf(created.id)).toEqual({ userId: null, buyerOrganizationId: body.id })

  const { ctx } = server.tollgate.internals
  const setRole = (role: string) =>
    ctx.transaction((tx) => tx.updateTable('member').set({ role }).where('userId', '=', ada.id).execute())
  await setRole('member')
  await client(ada).patch(created, { customer_name: 'Countess' })
  expect(await linkOf(created.id)).toEqual({ userId: ada.id, buyerOrganizationId: null })
  await setRole('billing')
  await client(ada).patch(created, { customer_name: 'Ada' })
  expect(await linkOf(created.id)).toEqual({ userId: null, buyerOrganizationId: body.id })
})

test('an organization does not buy from itself: its owner buys for themselves', async () => {
  const created = await begun()
  await client(shop.owner).patch(created, { customer_name: 'Owner' })

  expect(await linkOf(created.id)).toEqual({ userId: shop.owner.id, buyerOrganizationId: null })
})

test('a caller who is signed in is not linked to a checkout of another user’s', async () => {
  const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
  const known = await customer({ user_id: ada.id, email: ada.email })
  const created = await begun({ customer_id: known.id })

  await client(eve).patch(created, { customer_name: 'Eve' })
  expect(await linkOf(created.id)).toEqual({ userId: null, buyerOrganizationId: null })
  await client(ada).patch(created, { customer_name: 'Ada' })
  expect(await linkOf(created.id)).toEqual({ userId: ada.id, buyerOrganizationId: null })
})

test('an administrator who acts as another user buys nothing in their name', async () => {
  const created = await begun()
  const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
  expect((await root.post('/admin/impersonate-user', { userId: ada.id })).status).toBe(200)

  await client(root).patch(created, { customer_name: 'Root' })

  expect(await linkOf(created.id)).toEqual({ userId: null, buyerOrganizationId: null })
  expect((await client(root).get(created)).body.customer_email).toBeNull()
})

test('another site changes nothing with a buyer’s cookies', async () => {
  const created = await begun()
  const ada = await server.signedUp('Ada')

  const { status } = await ada.request('PATCH', `/v1/checkouts/client/${created.client_secret}`, {
    body: { customer_name: 'Eve' },
    headers: { origin: 'https://evil.example' },
  })

  expect(status).toBe(403)
  expect((await shop.get(`/checkouts/${created.id}`)).body).toEqual(created)
})

test('the buyer’s address of the network is noted when they act', async () => {
  const created = await begun({ customer_ip_address: '203.0.113.7' })
  expect(created.customer_ip_address).toBe('203.0.113.7')

  await client(server.visitor({ address: '198.51.100.9' })).patch(created, { customer_name: 'Ada' })

  expect((await shop.get(`/checkouts/${created.id}`)).body.customer_ip_address).toBe('198.51.100.9')
})

test('lists are filtered by product, customer, status and address, and paged either way', async () => {
  await using own = await createTestServer()
  const seller = await createTestMerchant(own)
  const [a, b] = [await product({ prices: [fixed(100)] }, seller), await product({ prices: [fixed(200)] }, seller)]
  const ada = (await seller.post('/customers', { email: 'ada@example.com', external_id: 'ada' })).body
  const make = async (given: object) => {
    own.clock.advance(seconds(1))
    return (await seller.post('/checkouts', given)).body.id as string
  }
  const first = await make({ products: [a], customer_id: ada.id })
  const second = await make({ products: [b], customer_email: 'byron@example.org' })
  const third = await make({ products: [b, a] })
  const list = async (query: string) => {
    const { status, body, text } = (await seller.get(`/checkouts/?${query}`)) as TestAnswer
    if (status !== 200) throw new Error(text)
    return body.items.map(({ id }: { id: string }) => id)
  }

  expect(await list('')).toEqual([third, second, first])
  expect(await list('sorting=created_at')).toEqual([first, second, third])
  expect(await list('sorting=-expires_at&limit=1')).toEqual([third])
  expect(await list(`product_id=${a}`)).toEqual([first])
  expect(await list(`product_id=${a}&product_id=${b}`)).toEqual([third, second, first])
  expect(await list(`customer_id=${ada.id}`)).toEqual([first])
  expect(await list('external_customer_id=ada')).toEqual([first])
  expect(await list('query=EXAMPLE')).toEqual([second, first])
  expect(await list('status=open&status=succeeded')).toHaveLength(3)
  expect(await list('status=expired')).toEqual([])
  expect((await seller.get('/checkouts?status=paid')).status).toBe(422)
  const page = (await seller.get('/checkouts?cursor=&limit=2')).body
  expect(page.items.map(({ id }: { id: string }) => id)).toEqual([third, second])
  expect(await list(`limit=2&cursor=${page.pagination.next_cursor}`)).toEqual([first])
})

test('CHK-9: a checkout ends with its time, for its buyer at once and for every user when that is written down', async () => {
  await using own = await createTestServer({ billing: { checkoutExpiresIn: 7200 } })
  const seller = await createTestMerchant(own)
  const book = await product({ prices: [fixed(100)] }, seller)
  const create = async () => (await seller.post('/checkouts', { products: [book] })).body
  const [created, paid] = [await create(), await create()]
  const { ctx } = own.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('checkout').set({ status: 'succeeded' }).where('id', '=', paid.id).execute(),
  )
  const path = ({ client_secret }: Begun) => `/v1/checkouts/client/${client_secret}`
  const visitor = own.visitor()
  const over = { status: 410, body: { error: 'ExpiredCheckoutError', detail: 'The checkout has expired.' } }

  const countExpired = async () => (await seller.get('/checkouts?status=expired&limit=1')).body.pagination.total_count

  own.clock.advance(hours(2) - 1)
  expect((await visitor.request('GET', path(created))).status).toBe(200)
  own.clock.advance(1)
  expect(await visitor.request('GET', path(created))).toMatchObject(over)
  expect(await visitor.request('PATCH', path(created), { body: { customer_name: 'Ada' } })).toMatchObject(over)
  expect((await seller.get(`/checkouts/${created.id}`)).body.status).toBe('open')
  expect((await seller.patch(`/checkouts/${created.id}`, { metadata: {} })).body.error).toBe('NotOpenCheckout')
  expect((await visitor.request('GET', path(paid))).body.status).toBe('succeeded')

  await ctx.jobs.runDue()
  expect((await seller.get(`/checkouts/${created.id}`)).body.status).toBe('expired')
  expect((await seller.get(`/checkouts/${paid.id}`)).body.status).toBe('succeeded')
  expect(await visitor.request('GET', path(created))).toMatchObject(over)
  const told = await ctx.db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('type', 'in', ['checkout.updated', 'checkout.expired'])
    .orderBy('id')
    .execute()
  expect(
    told.map(({ type, payload }) => [type, JSON.parse(payload ?? '').id, JSON.parse(payload ?? '').status]),
  ).toEqual([
    ['checkout.updated', created.id, 'expired'],
    ['checkout.expired', created.id, 'expired'],
  ])

  // Exactly at the hour, and more than one batch at once.
  const many = await Promise.all(Array.from({ length: 101 }, create))
  own.clock.advance(seconds(10))
  const late = await create()
  own.clock.advance(hours(2) - seconds(11))
  await ctx.jobs.runDue()
  expect(await countExpired()).toBe(1)
  own.clock.advance(seconds(1))
  await ctx.jobs.runDue()
  expect(await countExpired()).toBe(1 + many.length)
  own.clock.advance(seconds(10))
  await ctx.jobs.runDue()
  expect((await seller.get(`/checkouts/${late.id}`)).body.status).toBe('expired')
})
