import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'

let server: TestServer
let shop: TestMerchant
let other: TestMerchant
let book: string
let gift: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createTestMerchant(server)
  other = await createTestMerchant(server)
  const field = { type: 'number', slug: 'count', name: 'Count', properties: { ge: 1 }, metadata: {} }
  const { body } = await shop.post('/custom-fields', field)
  book = await product({ attached_custom_fields: [{ custom_field_id: body.id, required: true }] })
  gift = await product({ prices: [{ amount_type: 'custom', minimum_amount: 500, preset_amount: 2500 }] })
})
afterAll(() => server[Symbol.asyncDispose]())

let things = 0

async function product(given: object = {}, of = shop): Promise<string> {
  things += 1
  const usual = {
    name: `Thing ${things}`,
    recurring_interval: null,
    prices: [{ amount_type: 'fixed', price_amount: 1999 }],
  }
  const { status, text, body } = await of.post('/products', { ...usual, ...given })
  if (status !== 201) throw new Error(text)
  return body.id
}

async function discount(given: object = {}) {
  things += 1
  const usual = { name: 'Less', code: `LINK${things}`, type: 'percentage', basis_points: 1000, duration: 'once' }
  return (await shop.post('/discounts', { ...usual, ...given })).body
}

async function link(given: object = {}, of = shop) {
  const { status, text, body } = await of.post('/checkout-links', { products: [book], ...given })
  if (status !== 201) throw new Error(text)
  return body
}

type Link = { readonly url: string }

const open = ({ url }: Link, query = '', method = 'GET', headers: Record<string, string> = {}) =>
  server.visitor().request(method, `${new URL(url).pathname}${query}`, { headers })

/** Follows a link and returns the checkout as its seller sees it. */
async function opened(from: Link, query = '') {
  const { status, headers, text } = await open(from, query)
  if (status !== 303) throw new Error(`${status} ${text}`)
  const secret = headers.get('location')?.replace('http://localhost:3000/checkout/', '')
  const { body } = await server.visitor().request('GET', `/v1/checkouts/client/${secret}`)
  return (await shop.get(`/checkouts/${body.id}`)).body
}

const countCheckouts = async () => (await shop.get('/checkouts?limit=1')).body.pagination.total_count

const issue = (path: (string | number)[], msg: unknown = expect.any(String)) => ({
  status: 422,
  body: { detail: [{ loc: ['body', ...path], msg, type: expect.any(String) }] },
})

const unknownId = '00000000-0000-4000-8000-000000000000'

test('a link shows its products, its discount and its address', async () => {
  const { id } = await discount()
  const body = await link({
    products: [gift, book, gift],
    discount_id: id,
    label: 'Spring',
    success_url: 'https://shop.example/{CHECKOUT_ID}',
    allow_discount_codes: false,
    require_billing_address: true,
    metadata: { a: 1 },
  })

  expect(body).toMatchObject({
    payment_processor: 'stripe',
    organization_id: shop.organizationId,
    products: [{ id: gift, prices: [{ amount_type: 'custom' }] }, { id: book }],
    discount: { id, redemptions_count: 0 },
    discount_id: id,
    label: 'Spring',
    success_url: 'https://shop.example/{CHECKOUT_ID}',
    return_url: null,
    allow_discount_codes: false,
    require_billing_address: true,
    metadata: { a: 1 },
    modified_at: null,
  })
  expect(body.client_secret).toMatch(/^tollgate_cl_[A-Za-z0-9]{43}$/)
  expect(body.url).toBe(`http://localhost:3000/buy/${body.client_secret}`)
  expect((await shop.get(`/checkout-links/${body.id}`)).body).toEqual(body)
})

test('the older bodies with one product or one price are taken, too', async () => {
  const byProduct = await link({ products: undefined, product_id: gift, payment_processor: 'stripe' })
  const byPrice = await link({ products: undefined, product_price_id: byProduct.products[0].prices[0].id })

  expect(byPrice.products.map(({ id }: { id: string }) => id)).toEqual([gift])
  expect(byPrice).toMatchObject({ discount: null, allow_discount_codes: true, require_billing_address: false })
})

test.each([
  ['no products', () => ({}), ['products']],
  ['an unknown product', () => ({ products: [book, unknownId] }), ['products', 1]],
  ['an unknown discount', () => ({ products: [book], discount_id: unknownId }), ['discount_id']],
  ['a script to go to', () => ({ products: [book], success_url: 'javascript:1' }), ['success_url']],
  ['half an address', () => ({ products: [book], success_url: 'https:evil' }), ['success_url']],
  ['half an address to return to', () => ({ products: [book], return_url: 'https:/evil.example' }), ['return_url']],
])('refuses %s', async (_, given, path) => {
  expect(await shop.post('/checkout-links', given())).toMatchObject(issue(path))
})

test('products and discounts of others, and archived ones, are refused', async () => {
  const foreign = await product({}, other)
  const archived = await product()
  await shop.patch(`/products/${archived}`, { is_archived: true })
  const { id } = await link()

  for (const call of [
    (products: string[]) => shop.post('/checkout-links', { products }),
    (products: string[]) => shop.patch(`/checkout-links/${id}`, { products }),
  ]) {
    expect(await call([foreign])).toMatchObject(issue(['products', 0], 'Product does not exist.'))
    expect(await call([book, archived])).toMatchObject(issue(['products', 1], 'Product is archived.'))
  }
  const theirs = (await other.post('/discounts', { name: 'x', type: 'percentage', basis_points: 1, duration: 'once' }))
    .body
  expect(await shop.patch(`/checkout-links/${id}`, { discount_id: theirs.id })).toMatchObject(
    issue(['discount_id'], 'Discount does not exist.'),
  )
})

test('a fixed discount that buyers with another currency would miss is refused, and a percentage is not', async () => {
  const price = (price_amount: number, price_currency: string) => ({
    amount_type: 'fixed',
    price_amount,
    price_currency,
  })
  const inBoth = await product({ prices: [price(2000, 'usd'), price(1800, 'eur')] })
  const fixed = await discount({ type: 'fixed', amount: 500, currency: 'usd', basis_points: undefined })
  const percentage = await discount()
  const others = 'A fixed discount in USD does not apply to prices in EUR: use a percentage.'
  const { id } = await link({ discount_id: fixed.id })

  const made = await shop.post('/checkout-links', { products: [book, inBoth], discount_id: fixed.id })
  expect(made).toMatchObject(issue(['discount_id'], others))
  expect(await shop.patch(`/checkout-links/${id}`, { products: [inBoth] })).toMatchObject(
    issue(['discount_id'], others),
  )
  const both = { products: [inBoth], discount_id: percentage.id }
  expect((await shop.patch(`/checkout-links/${id}`, both)).status).toBe(200)
  const back = await shop.patch(`/checkout-links/${id}`, { discount_id: fixed.id })
  expect(back).toMatchObject(issue(['discount_id'], others))
})

test('a product gets no price in another currency while a link promises a fixed discount on it', async () => {
  const price = (price_amount: number, price_currency: string) => ({
    amount_type: 'fixed',
    price_amount,
    price_currency,
  })
  const own = await product({ prices: [price(2000, 'usd')] })
  const fixed = await discount({ type: 'fixed', amount: 500, currency: 'usd', basis_points: undefined })
  const { id, url } = await link({ products: [own, book], discount_id: fixed.id })
  const inBoth = () => shop.patch(`/products/${own}`, { prices: [price(2000, 'usd'), price(1800, 'eur')] })

  const refused = await inBoth()

  const msg =
    'A checkout link offers this product with a fixed discount in USD, which does not apply to prices in EUR: give the link a percentage first.'
  expect(refused).toMatchObject(issue(['prices', 1, 'price_currency'], msg))
  expect((await shop.patch(`/products/${own}`, { prices: [price(2500, 'usd')] })).status).toBe(200)
  expect((await opened({ url }, '?currency=eur')).discount_amount).toBe(500)
  const percentage = await discount()
  await shop.patch(`/checkout-links/${id}`, { discount_id: percentage.id })
  expect((await inBoth()).status).toBe(200)
  expect(await opened({ url }, '?currency=eur')).toMatchObject({ currency: 'eur', discount_amount: 180 })
})

test.each<[string, (it: { id: string; discount: string }) => Promise<unknown>]>([
  ['the link', ({ id }) => shop.delete(`/checkout-links/${id}`)],
  ['the discount', ({ discount: its }) => shop.delete(`/discounts/${its}`)],
])('without %s, further currencies are free', async (_, removed) => {
  const price = (price_amount: number, price_currency: string) => ({
    amount_type: 'fixed',
    price_amount,
    price_currency,
  })
  const own = await product({ prices: [price(2000, 'usd')] })
  const fixed = await discount({ type: 'fixed', amount: 500, currency: 'usd', basis_points: undefined })
  const { id } = await link({ products: [own], discount_id: fixed.id })

  await removed({ id, discount: fixed.id })

  const inBoth = { prices: [price(2000, 'usd'), price(1800, 'eur')] }
  expect((await shop.patch(`/products/${own}`, inBoth)).status).toBe(200)
})

test('a fixed discount gets no product that a link offers in another currency', async () => {
  const price = (price_amount: number, price_currency: string) => ({
    amount_type: 'fixed',
    price_amount,
    price_currency,
  })
  const inBoth = await product({ prices: [price(2000, 'usd'), price(1800, 'eur')] })
  const terms = { type: 'fixed', amount: 500, currency: 'usd', basis_points: undefined, products: [book] }
  const fixed = await discount(terms)
  await link({ products: [book, inBoth], discount_id: fixed.id })

  const msg =
    'A checkout link with this discount offers a product with prices in EUR, to which a fixed discount in USD does not apply.'
  for (const products of [[book, inBoth], []])
    expect(await shop.patch(`/discounts/${fixed.id}`, { products })).toMatchObject(issue(['products'], msg))
  expect((await shop.patch(`/discounts/${fixed.id}`, { products: [book, gift] })).status).toBe(200)
})

test('omitted fields stay, null clears, and the rest changes', async () => {
  const before = await link({ label: 'Old', success_url: 'https://shop.example/', metadata: { a: 1 } })

  const { body } = await shop.patch(`/checkout-links/${before.id}`, {
    label: null,
    products: [gift],
    metadata: { b: 2 },
  })

  expect(body).toMatchObject({ label: null, success_url: 'https://shop.example/', metadata: { b: 2 }, url: before.url })
  expect(body.products.map(({ id }: { id: string }) => id)).toEqual([gift])
  expect(body.modified_at).not.toBeNull()
})

test('lists are filtered by product, and sorted', async () => {
  const own = await product()
  await link({ products: [own], label: 'b' })
  await link({ products: [book, own], label: 'a' })
  const labels = async (query: string) =>
    (await shop.get(`/checkout-links/?product_id=${own}&${query}`)).body.items.map(
      (one: { label: string }) => one.label,
    )

  expect(await labels('sorting=label')).toEqual(['a', 'b'])
  expect(await labels('sorting=-label')).toEqual(['b', 'a'])
  expect(await labels('sorting=allow_discount_codes&sorting=label&limit=1&page=2')).toEqual(['b'])
  expect((await other.get('/checkout-links')).body.items).toEqual([])
})

test('links of others are not found, and deleted ones neither', async () => {
  const { id, url } = await link()
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
    const headers = { authorization: `Bearer ${other.token}` }
    const answer = await server.visitor().request(method, `/v1/checkout-links/${id}`, { headers, body })
    expect(answer.status).toBe(404)
  }

  expect((await shop.delete(`/checkout-links/${id}`)).status).toBe(204)
  expect((await shop.delete(`/checkout-links/${id}`)).status).toBe(404)
  expect((await shop.get(`/checkout-links/${id}`)).status).toBe(404)
  const gone = await open({ url })
  expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

test('a visitor who follows a link gets their own checkout, with the link’s settings', async () => {
  const { id } = await discount({ basis_points: 5000 })
  const from = await link({
    products: [gift, book],
    discount_id: id,
    success_url: 'https://shop.example/thanks',
    allow_discount_codes: false,
    require_billing_address: true,
    metadata: { campaign: 'spring' },
  })

  const { status, headers, text } = await open(from)
  expect([status, text]).toEqual([303, ''])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('location')).toMatch(/^http:\/\/localhost:3000\/checkout\/tollgate_co_[A-Za-z0-9]{43}$/)

  const [one, another] = [await opened(from), await opened(from)]
  expect(one.id).not.toBe(another.id)
  expect(one).toMatchObject({
    product_id: gift,
    products: [{ id: gift }, { id: book }],
    amount: 2500,
    discount_id: id,
    discount_amount: 1250,
    success_url: 'https://shop.example/thanks',
    allow_discount_codes: false,
    require_billing_address: true,
    metadata: { campaign: 'spring' },
    customer_email: null,
    customer_ip_address: '127.0.0.1',
  })
})

test('the query of the address fills in the fields as far as it is understood', async () => {
  const { id, code } = await discount({ products: [book] })
  const from = await link({ products: [gift, book], metadata: { utm_source: 'ours' } })
  const query = new URLSearchParams({
    utm_source: 'theirs',
    utm_campaign: 'may',
    reference_id: 'r-1',
    other: 'dropped',
    product_id: book,
    customer_email: ' ada@example.com ',
    customer_name: 'Ada',
    discount_code: code,
    'custom_field_data.count': '3',
    amount: '700',
  })

  expect(await opened(from, `?${query}`)).toMatchObject({
    metadata: { utm_source: 'ours', utm_campaign: 'may', reference_id: 'r-1' },
    product_id: book,
    customer_email: 'ada@example.com',
    customer_name: 'Ada',
    discount_id: id,
    custom_field_data: { count: 3 },
    amount: 1999,
  })
  expect(await opened(from, '?amount=700')).toMatchObject({ product_id: gift, amount: 700 })
})

test.each([
  ['an unknown product', 'product_id=nothing'],
  ['no address', 'customer_email=nobody'],
  ['a code that nobody has', 'discount_code=NOTHING'],
  ['an amount below the least', 'amount=499'],
  ['an amount that is none', 'amount=1e9'],
  ['a name beyond any', `customer_name=${'x'.repeat(300)}`],
  ['half of a letter', 'customer_name=%ED%A0%80&utm_source=%00'],
  ['an answer that does not fit', 'custom_field_data.count=many'],
  ['somebody else’s name', 'customer_external_id=ada&customer_id=ada'],
  ['metadata beyond any', `utm_${'x'.repeat(40)}=a&utm_source=${'x'.repeat(501)}&reference_id=`],
])('%s in the address leads into no wall', async (_, query) => {
  const from = await link({ products: [gift, book] })

  const body = await opened(from, `?${query}`)

  expect(body).toMatchObject({
    product_id: gift,
    amount: 2500,
    discount_id: null,
    customer_email: null,
    customer_external_id: null,
    customer_id: null,
    custom_field_data: {},
  })
  expect(Object.values(body.metadata).join('')).not.toMatch(/x|\0/)
})

test('metadata of a checkout has its limit, and the link’s own comes first', async () => {
  const own = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, index]))
  const from = await link({ metadata: own })

  const { metadata } = await opened(from, '?utm_source=a&utm_medium=b&reference_id=c')

  expect(Object.keys(metadata)).toHaveLength(50)
  expect(metadata).toMatchObject({ ...own, utm_source: 'a' })
})

test('a discount that has run out since is left out', async () => {
  const gone = await discount()
  const ended = await discount({ ends_at: '2026-02-01T00:00:00Z' })
  const [first, second] = [await link({ discount_id: gone.id }), await link({ discount_id: ended.id })]
  await shop.delete(`/discounts/${gone.id}`)

  for (const from of [first, second])
    expect(await opened(from)).toMatchObject({ discount_id: null, discount_amount: 0, amount: 1999 })
})

test('an archived product is no longer offered, and a link with no other product leads nowhere', async () => {
  const soon = await product()
  const [both, alone] = [await link({ products: [soon, book] }), await link({ products: [soon] })]

  await shop.patch(`/products/${soon}`, { is_archived: true })

  expect((await opened(both)).products.map(({ id }: { id: string }) => id)).toEqual([book])
  expect((await open(alone)).status).not.toBe(303)
})

test('only who really comes gets a checkout', async () => {
  const from = await link()
  const before = await countCheckouts()

  expect((await open(from, '', 'HEAD')).status).toBe(204)
  for (const headers of [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])
    expect((await open(from, '', 'GET', headers)).status).toBe(204)
  expect((await open(from, '', 'POST')).status).not.toBe(303)
  for (const secret of ['x', `tollgate_cl_${'A'.repeat(43)}`, `${from.client_secret}/`, '%2e%2e'])
    expect((await open({ url: `http://localhost:3000/buy/${secret}` })).status).not.toBe(303)
  expect(await countCheckouts()).toBe(before)

  await opened(from)
  expect(await countCheckouts()).toBe(before + 1)
})

test('a link of an organization that may sell no more leads nowhere', async () => {
  const closing = await createTestMerchant(server)
  const from = await link({ products: [await product({}, closing)] }, closing)
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('merchant').set({ approvedAt: null }).where('organizationId', '=', closing.organizationId).execute(),
  )

  expect((await open(from)).status).not.toBe(303)
})

test('one address opens only so many links at a time', async () => {
  await using own = await createTestServer({ rateLimit: { enabled: true, max: 3 } })
  const seller = await createTestMerchant(own)
  const from = await link({ products: [await product({}, seller)] }, seller)
  const follow = async () => (await own.visitor().request('GET', new URL(from.url).pathname)).status

  expect([await follow(), await follow(), await follow(), await follow()]).toEqual([303, 303, 303, 429])
})
