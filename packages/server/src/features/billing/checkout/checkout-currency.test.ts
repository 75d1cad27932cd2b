import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let meterId: string
/** A book and a plan in three currencies, a gift of the buyer's choice in two, and a lesson in dollars alone. */
let sold: Record<'book' | 'plan' | 'gift' | 'lesson' | 'sample', string>

const fixed = (price_amount: number, price_currency: string, more: object = {}) => ({
  amount_type: 'fixed',
  price_amount,
  price_currency,
  ...more,
})

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  await shop.patch(`/organizations/${shop.organizationId}`, { default_presentment_currency: 'usd' })
  const filter = { conjunction: 'and', clauses: [] }
  meterId = (await shop.post('/meters', { name: 'Calls', filter, aggregation: { func: 'count' } })).body.id
  const usage = (price_currency: string, unit_amount: string) => ({
    amount_type: 'metered_unit',
    meter_id: meterId,
    price_currency,
    unit_amount,
  })
  const custom = (price_currency: string, minimum_amount: number, preset_amount: number) => ({
    amount_type: 'custom',
    price_currency,
    minimum_amount,
    preset_amount,
  })
  sold = {
    book: await shop.product([fixed(1800, 'eur'), fixed(2000, 'usd'), fixed(2900, 'jpy')], null, 'A book'),
    plan: await shop.product(
      [fixed(1000, 'usd'), fixed(900, 'eur'), usage('usd', '0.5'), usage('eur', '0.4')],
      'month',
      'A plan',
    ),
    gift: await shop.product([custom('usd', 500, 1500), custom('jpy', 600, 1700)], null, 'A gift'),
    lesson: await shop.product([fixed(700, 'usd')], null, 'A lesson'),
    sample: await shop.product([{ amount_type: 'free' }], null, 'A sample'),
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const begun = (given: object, product = sold.book) => shop.checkout(product, given).then(({ id }) => of(id))
const of = async (id: string) => (await shop.get(`/checkouts/${id}`)).body
type Begun = { readonly id: string; readonly client_secret: string }
const changed = ({ client_secret }: Begun, body: object) =>
  server.visitor().request('PATCH', `/v1/checkouts/client/${client_secret}`, { body })
const from = (country: string) => ({ customer_billing_address: { country } })
const refusal = (path: string) => ({
  status: 422,
  body: { error: 'RequestValidationError', detail: [{ loc: ['body', path] }] },
})
/** A discount in the default currency. */
const less = () => shop.discount({ type: 'fixed', amount: 300, currency: 'usd', basis_points: undefined })

describe('a product', () => {
  test('has its prices in the default currency first', async () => {
    const { body } = await shop.get(`/products/${sold.book}`)

    expect(body.prices.map((price: { price_currency: string }) => price.price_currency)).toEqual(['usd', 'eur', 'jpy'])
  })

  test('keeps some prices, gets and loses others', async () => {
    const id = await shop.product([fixed(2000, 'usd'), fixed(1800, 'eur')])
    const { prices } = (await shop.get(`/products/${id}`)).body

    const { status, body } = await shop.patch(`/products/${id}`, {
      prices: [{ id: prices[0].id }, fixed(1700, 'eur'), fixed(1500, 'gbp')],
    })

    expect([status, body.prices[0]]).toEqual([200, prices[0]])
    expect(body.prices.slice(1)).toMatchObject([fixed(1700, 'eur'), fixed(1500, 'gbp')])
  })

  test('has the default currency among several, and the same kinds of prices in each', async () => {
    const given = (prices: object[]) => shop.post('/products', { name: 'Thing', recurring_interval: null, prices })

    expect(await given([fixed(1800, 'eur'), fixed(1500, 'gbp')])).toMatchObject(refusal('prices'))
    expect(await given([fixed(1800, 'usd'), { amount_type: 'custom', price_currency: 'eur' }])).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'prices', 1, 'price_currency'] }] },
    })
  })

  test('can treat tax in each currency as its buyers expect', async () => {
    const id = await shop.product([fixed(2000, 'usd'), fixed(1900, 'eur', { tax_behavior: 'inclusive' })])

    expect(await begun(from('DE'), id)).toMatchObject({ currency: 'eur', tax_behavior: 'inclusive' })
    expect(await begun(from('US'), id)).toMatchObject({ currency: 'usd', tax_behavior: null })
  })

  test('is sorted and exported by its first price', async () => {
    const { status, body } = await shop.get('/products?sorting=-price_amount&limit=100')

    expect(status).toBe(200)
    const ids = body.items.map(({ id }: { id: string }) => id)
    expect(ids.indexOf(sold.book)).toBeLessThan(ids.indexOf(sold.plan))
    const file = await shop.get('/products/export?columns=id&columns=price_currency')
    expect(file.text).toContain(`"${sold.book}","usd"`)
  })
})

describe('the currency of a checkout', () => {
  test('is the default one before the country is known', async () => {
    expect(await begun({})).toMatchObject({ currency: 'usd', amount: 2000, currencies: ['usd', 'eur', 'jpy'] })
  })

  test.each([
    ['DE', 'eur', 1800],
    ['JP', 'jpy', 2900],
    ['US', 'usd', 2000],
    ['GB', 'usd', 2000], // no price in pounds
  ])('of a buyer in %s is %s', async (country, currency, amount) => {
    const body = await begun(from(country))

    expect(body).toMatchObject({ currency, amount, product_price: { price_currency: currency } })
    const shown = [...body.product.prices, ...body.products[0].prices, ...Object.values(body.prices).flat()]
    expect(shown.map(({ price_currency }) => price_currency)).toEqual([currency, currency, currency])
  })

  test('is that of a known customer’s country', async () => {
    const customer = await shop.post('/customers', { email: 'tokyo@example.com', billing_address: { country: 'JP' } })

    expect(await begun({ customer_id: customer.body.id })).toMatchObject({ currency: 'jpy', amount: 2900 })
  })

  test('follows the country until it is chosen by name', async () => {
    const checkout = await begun(from('DE'))

    expect((await changed(checkout, from('JP'))).body).toMatchObject({ currency: 'jpy', amount: 2900 })
    expect((await changed(checkout, { currency: 'EUR' })).body).toMatchObject({ currency: 'eur', amount: 1800 })
    expect((await changed(checkout, from('US'))).body).toMatchObject({ currency: 'eur', amount: 1800 })
    expect((await changed(checkout, { currency: null })).body).toMatchObject({ currency: 'usd', amount: 2000 })
    expect((await changed(checkout, from('DE'))).body).toMatchObject({ currency: 'eur', amount: 1800 })
  })

  test('can be named by the seller', async () => {
    const checkout = await begun({ currency: 'jpy', ...from('DE') })

    expect(checkout).toMatchObject({ currency: 'jpy', amount: 2900 })
    expect((await shop.patch(`/checkouts/${checkout.id}`, { currency: 'usd' })).body).toMatchObject({ currency: 'usd' })
  })

  test('is that of a price that is named by its id', async () => {
    const { prices } = (await shop.get(`/products/${sold.book}`)).body
    const priceIn = (currency: string) =>
      prices.find((price: { price_currency: string }) => price.price_currency === currency).id
    const { status, body } = await shop.post('/checkouts', { product_price_id: priceIn('jpy'), ...from('DE') })
    expect([status, body.currency, body.product_price_id]).toEqual([201, 'jpy', priceIn('jpy')])

    const updated = await changed(body, { product_price_id: priceIn('usd') })

    expect(updated.body).toMatchObject({ currency: 'usd', amount: 2000, product_price_id: priceIn('usd') })
  })

  test('is none that the product lacks', async () => {
    expect(await shop.post('/checkouts', { products: [sold.book], currency: 'gbp' })).toMatchObject(refusal('currency'))
    expect(await shop.post('/checkouts', { products: [sold.lesson], currency: 'eur' })).toMatchObject(
      refusal('currency'),
    )
    expect(await changed(await begun({}), { currency: 'gbp' })).toMatchObject(refusal('currency'))
  })

  test('is no choice where a product has one', async () => {
    const body = await begun(from('DE'), sold.lesson)

    expect(body).toMatchObject({ currency: 'usd', amount: 700 })
    expect(body).not.toHaveProperty('currencies')
    expect(await begun(from('DE'), sold.sample)).toMatchObject({ currency: 'usd', amount: 0 })
  })

  test('stays with another product that has it, and else is one of its own', async () => {
    const checkout = await begun({ products: [sold.book, sold.plan, sold.gift, sold.lesson], ...from('DE') })
    const chosen = async (product_id: string) => (await changed(checkout, { product_id })).body

    expect(await chosen(sold.plan)).toMatchObject({ currency: 'eur', amount: 900 })
    expect(await chosen(sold.lesson)).toMatchObject({ currency: 'usd', amount: 700 })
    expect(await chosen(sold.book)).toMatchObject({ currency: 'eur', amount: 1800 })
  })

  test('resets an amount that the buyer chose in another one', async () => {
    const checkout = await begun({ amount: 9000 }, sold.gift)

    expect(checkout).toMatchObject({ currency: 'usd', amount: 9000 })
    expect((await changed(checkout, from('JP'))).body).toMatchObject({ currency: 'jpy', amount: 1700 })
    expect((await changed(checkout, { amount: 600 })).body).toMatchObject({ currency: 'jpy', amount: 600 })
    expect(await changed(checkout, { amount: 599 })).toMatchObject(refusal('amount'))
  })

  test('decides whether a fixed discount applies', async () => {
    const { code } = await less()
    const checkout = await begun(from('US'))
    expect((await changed(checkout, { discount_code: code })).body).toMatchObject({ discount_amount: 300 })

    expect((await changed(checkout, from('DE'))).body).toMatchObject({
      currency: 'eur',
      amount: 1800,
      discount_amount: 0,
      discount: null,
    })
    expect(await changed(checkout, { discount_code: code })).toMatchObject(refusal('discount_code'))
  })

  test('does not touch a discount by percentage', async () => {
    const { code } = await shop.discount({ basis_points: 5000 })
    const checkout = await begun(from('US'))
    await changed(checkout, { discount_code: code })

    expect((await changed(checkout, from('DE'))).body).toMatchObject({ currency: 'eur', discount_amount: 900 })
  })

  test('does not change when a displayed price does', async () => {
    const id = await shop.product([fixed(2000, 'usd'), fixed(1800, 'eur')])
    const checkout = await begun(from('DE'), id)
    await shop.patch(`/products/${id}`, { prices: [fixed(2000, 'usd'), fixed(1500, 'eur')] })

    expect((await changed(checkout, { customer_name: 'Ada' })).body).toMatchObject({ currency: 'eur', amount: 1800 })
  })
})

describe('an order', () => {
  const usersOf = (rows: { currency: string }[]) => rows.map(({ currency }) => currency)

  test('has the one currency of its checkout, as do its payment and subscription', async () => {
    const checkout = await begun(from('DE'), sold.plan)
    const answer = await shop.confirm(checkout)
    expect(answer.status).toBe(200)

    const [order] = await shop.ordersOf(checkout)
    expect(order).toMatchObject({ currency: 'eur', subtotal_amount: 900, subscription: { currency: 'eur' } })
    expect(usersOf(await shop.paymentsOf(checkout))).toEqual(['eur'])
    const { body } = await shop.get(`/subscriptions/${order.subscription_id}`)
    expect(
      usersOf(body.prices.map((price: { price_currency: string }) => ({ currency: price.price_currency }))),
    ).toEqual(['eur', 'eur'])
  })

  test('is paid in the currency that the buyer has seen, whatever country they confirm with', async () => {
    const checkout = await begun({})

    const answer = await shop.confirm(checkout, { ...from('DE'), expected_total_amount: 2000 })

    expect(answer.status).toBe(200)
    expect(await shop.ordersOf(checkout)).toMatchObject([{ currency: 'usd', subtotal_amount: 2000 }])
  })

  test('keeps the currency of a declined payment', async () => {
    const checkout = await begun(from('DE'))
    const declined = await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_decline' })
    expect(declined.status).toBe(400)

    expect((await changed(checkout, from('US'))).body).toMatchObject({ status: 'open', currency: 'eur', amount: 1800 })
    expect((await of(checkout.id)).currencies).toBeUndefined()
    expect(await changed(checkout, { currency: 'usd' })).toMatchObject(refusal('currency'))
    expect((await shop.confirm(checkout, from('US'))).status).toBe(200)
    expect(usersOf(await shop.paymentsOf(checkout))).toEqual(['eur', 'eur'])
  })
})

describe('a visitor', () => {
  const visit = (path: string, language: string, body?: object) =>
    server
      .visitor()
      .request(body ? 'POST' : 'GET', path, { headers: { 'accept-language': language }, ...(body && { body }) })
  type Offered = { id: string; prices: { price_currency?: string }[] }
  const pricesOf = (products: Offered[], id: string) =>
    products.find((product) => product.id === id)?.prices.map(({ price_currency }) => price_currency)

  test.each([
    ['de-DE', '', 'eur', ['eur', 'eur'], ['usd']],
    ['en-US', '', 'usd', ['usd', 'usd'], ['usd']],
    ['fr', '', 'usd', ['usd', 'usd'], ['usd']],
    ['ja-JP', '', 'jpy', ['usd', 'usd'], ['jpy']],
    ['de-DE', '?currency=jpy', 'jpy', ['usd', 'usd'], ['jpy']],
    ['de-DE', '?currency=chf', 'eur', ['eur', 'eur'], ['usd']],
  ])('with the language %s and %j sees prices in %s', async (language, query, currency, plan, gift) => {
    const { status, body } = await visit(`/v1/storefronts/${shop.slug}${query}`, language)

    expect([status, body.currency]).toEqual([200, currency])
    expect(body.currencies).toEqual(expect.arrayContaining(['usd', 'eur', 'jpy']))
    expect([pricesOf(body.products, sold.plan), pricesOf(body.products, sold.gift)]).toEqual([plan, gift])
    expect(pricesOf(body.products, sold.lesson)).toEqual(['usd'])
  })

  test('of a shop with one currency has nothing to choose', async () => {
    const plain = await createShop(server)
    await plain.product([fixed(700, 'usd')])
    await plain.product([fixed(700, 'eur')])

    const { body } = await visit(`/v1/storefronts/${plain.slug}`, 'de-DE')

    expect(body).not.toHaveProperty('currency')
    expect(body).not.toHaveProperty('currencies')
  })

  test('buys from the pricing page in the currency that it shows', async () => {
    const path = `/v1/storefronts/${shop.slug}/checkouts`
    const bought = async (body: object) => {
      const { client_secret } = (await visit(path, 'de-DE', { product_id: sold.book, ...body })).body
      return (await server.visitor().request('GET', `/v1/checkouts/client/${client_secret}`)).body
    }

    expect(await bought({})).toMatchObject({ currency: 'eur', amount: 1800 })
    expect(await bought({ currency: 'jpy' })).toMatchObject({ currency: 'jpy', amount: 2900 })
  })

  test.each([
    ['', 'eur'],
    ['?currency=JPY', 'jpy'],
    ['?currency=gbp', 'eur'],
  ])('follows a link%s into %s', async (query, currency) => {
    const { body } = await shop.post('/checkout-links', { products: [sold.book] })
    const link = new URL(body.url)

    const { headers } = await visit(`${link.pathname}${query}`, 'de-DE')

    const secret = String(headers.get('location')).split('/').at(-1)
    expect((await server.visitor().request('GET', `/v1/checkouts/client/${secret}`)).body).toMatchObject({ currency })
  })
})

test('the default currency is the seller’s to choose', async () => {
  const other = await createShop(server)
  const path = `/organizations/${other.organizationId}`
  expect((await other.get(path)).body).not.toHaveProperty('default_presentment_currency')
  const currencyOf = async (product: string) =>
    (await other.get(`/checkouts/${(await other.checkout(product)).id}`)).body.currency
  const tea = await other.product([fixed(1500, 'gbp'), fixed(1800, 'eur')])
  expect(await currencyOf(tea)).toBe('gbp')

  const { body } = await other.patch(path, { default_presentment_currency: 'EUR' })

  expect(body.default_presentment_currency).toBe('eur')
  const book = await other.product([fixed(1500, 'gbp'), fixed(1800, 'eur')])
  expect([await currencyOf(book), await currencyOf(tea)]).toEqual(['eur', 'eur'])
  await other.patch(path, { default_presentment_currency: 'gbp' })
  expect(await currencyOf(book)).toBe('gbp')
  await other.patch(path, { default_presentment_currency: null })
  expect(await currencyOf(book)).toBe('eur')
})

test('the overview sums each currency by itself', async () => {
  const other = await createShop(server)
  const book = await other.product([fixed(2000, 'usd'), fixed(1800, 'eur')])
  const bought = async (country: string) => {
    const checkout = await other.checkout(book, from(country))
    expect((await other.confirm(checkout, from(country))).status).toBe(200)
  }
  await bought('DE')
  await bought('FR')
  await bought('US')

  const { body } = await other.get('/overview')

  expect(body.revenue.map(({ currency, total }: { currency: string; total: number }) => [currency, total])).toEqual([
    ['eur', 3600],
    ['usd', 2000],
  ])
})
