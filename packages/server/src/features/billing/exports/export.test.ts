import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { createTestServer, type TestAnswer, type TestServer, testStart } from '../../../testing.ts'
import { insertTestToken } from '../testing/merchant.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let pro: string
let cheap: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  pro = await shop.product([fixedPrice(123_456)], 'month', 'Pro; "the" =one')
  cheap = await shop.product([{ ...fixedPrice(500), price_currency: 'jpy' }], null, 'Cheap')
})
afterAll(() => server[Symbol.asyncDispose]())

/** The rows of a table, by column name. */
async function rowsOf(path: string, of = shop): Promise<Record<string, string>[]> {
  const { status, text, headers } = await of.get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = parsed(text.replace(/^\ufeff/, ''))
  const [names, ...rows] = lines as [string[], ...string[][]]
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
}

/** RFC 4180, strictly: every line ends with CRLF. */
function parsed(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const rows: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (!found) throw new Error('this is no table')
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') rows.push([])
  }
  rows.pop()
  expect(new Set(rows.map(({ length }) => length)).size).toBe(1)
  return rows
}

test('orders are a table that bookkeepers read and no spreadsheet runs', async () => {
  const formula = '=HYPERLINK("http://evil.example";"open")'
  const { order } = await shop.buy(pro, { customer_name: formula, customer_email: 'ada@example.com' })
  server.clock.advance(1)
  const { order: other } = await shop.buy(cheap, { customer_name: '+1; -2', customer_email: 'bob@example.com' })

  const { text, headers } = await shop.get('/orders/export')
  const rows = await rowsOf('/orders/export')

  expect(headers.get('content-disposition')).toBe('attachment; filename="orders-2026-03-01.csv"')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(rows.map(({ id }) => id)).toEqual([order.id, other.id])
  expect(rows[0]).toMatchObject({
    invoice_number: order.invoice_number,
    status: 'paid',
    product: 'Pro; "the" =one',
    customer_name: `'${formula}`,
    billing_country: 'DE',
    currency: 'usd',
    net_amount: '123456',
    net_amount_decimal: '1234.56',
    refunded_amount: '0',
    refunded_amount_decimal: '0.00',
    created_at: testStart.toISOString(),
  })
  expect(rows[1]).toMatchObject({ currency: 'jpy', total_amount: '500', total_amount_decimal: '500' })
  expect(text).not.toMatch(/(^|[,;])"?[=+@]/m)
})

test('orders, refunds and disputes carry their taxes and the tax number, for tax returns', async () => {
  const places = [{ country: 'DE' }, { country: 'CA' }, { country: 'CA', state: 'CA-QC' }]
  await using other = await createTestServer({ billing: { tax: { provider: 'table', registrations: places } } })
  const taxed = await createShop(other)
  const address = { line1: 'Kai 3', postal_code: '20457', city: 'Hamburg', country: 'DE' }
  await taxed.patch(`/organizations/${taxed.organizationId}/tax`, { address })
  const book = await taxed.product([fixedPrice(10_000)])
  const french = { line1: 'Rue 1', postal_code: '69002', city: 'Lyon', country: 'FR' }
  const business = { is_business_customer: true, customer_billing_name: 'Dupont', customer_tax_id: 'FR40303265045' }
  const buyers = [
    { customer_billing_address: { country: 'DE' } },
    { ...business, customer_billing_address: french },
    {
      customer_billing_address: { country: 'CA', state: 'QC', city: 'Québec', postal_code: 'G1R 4P5' },
      confirmation_token_id: 'ctoken_sandbox_refund_fails_later',
    },
    { customer_billing_address: { country: 'BR' } },
    { customer_billing_address: { country: 'CA', state: 'QC' }, confirmation_token_id: 'ctoken_sandbox_disputed' },
  ]
  const orders: TestAnswer['body'][] = []
  for (const buyer of buyers) {
    orders.push((await taxed.buy(book, buyer)).order)
    other.clock.advance(1)
  }
  const [, french_, canadian, , disputed] = orders
  const issuedAt = other.clock.now().toISOString()
  for (const [order, amount] of [
    [canadian, 3333],
    [french_, 10_000],
    [canadian, 6667],
  ]) {
    await taxed.post('/refunds', { order_id: order.id, reason: 'other', amount })
    other.clock.advance(1)
  }
  await other.tollgate.internals.ctx.jobs.runDue()
  const [dispute] = (await taxed.get('/disputes')).body.items
  await taxed.post(`/disputes/${dispute.id}/sandbox-decision`, { outcome: 'lost' })
  other.clock.advance(minutes(1))
  await other.tollgate.internals.ctx.jobs.runDue()

  const rows = await rowsOf('/orders/export', taxed)
  const refunds = await rowsOf('/refunds/export', taxed)
  const disputes = await rowsOf('/disputes/export', taxed)

  const taxes = ['tax_treatment', 'tax_names', 'tax_places', 'tax_percents', 'taxable_amounts', 'tax_amounts']
  const shown = (table: typeof rows, ...more: string[]) =>
    table.map((row) => [...more, ...taxes].map((name) => row[name]).join('|'))
  expect(shown(rows, 'billing_country', 'tax_id')).toEqual([
    'DE||taxed|VAT|DE|19|10000|1900',
    'FR|FR40303265045|reverse_charge|||||',
    'CA||taxed|GST; QST|CA; CA-QC|5; 9.975|10000; 10000|500; 998',
    'BR||not_registered|||||',
    'CA||taxed|GST; QST|CA; CA-QC|5; 9.975|10000; 10000|500; 998',
  ])
  expect(rows[2]).toMatchObject({
    tax_amounts_decimal: '5.00; 9.98',
    billing_city: 'Québec',
    billing_postal_code: 'G1R 4P5',
    invoice_issued_at: rows[2]!.paid_at,
    is_test: 'true',
  })
  expect(shown(refunds, 'billing_country', 'tax_id', 'credit_note_void', 'total_amount')).toEqual([
    'CA||true|3832|taxed|GST; QST|CA; CA-QC|5; 9.975|3333; 3333|167; 332',
    'FR|FR40303265045|false|10000|reverse_charge|||||',
    'CA||true|7666|taxed|GST; QST|CA; CA-QC|5; 9.975|6667; 6667|333; 666',
  ])
  expect(refunds[0]).toMatchObject({
    billing_postal_code: 'G1R 4P5',
    credit_note_issued_at: issuedAt,
    tax_amounts_decimal: '1.67; 3.32',
    is_test: 'true',
  })
  expect(shown(disputes, 'invoice_number', 'status', 'total_amount_decimal')).toEqual([
    `${disputed.invoice_number}|lost|114.98|taxed|GST; QST|CA; CA-QC|5; 9.975|10000; 10000|500; 998`,
  ])
  expect(disputes[0]).toMatchObject({ id: dispute.id, order_id: disputed.id, is_test: 'true' })
  expect(disputes[0]!.decided_at).toBe((await taxed.get(`/disputes/${dispute.id}`)).body.modified_at)
})

test('the mark at the start marks the file as UTF-8 for spreadsheets', async () => {
  const request = new Request(`${server.baseURL}/v1/orders/export`, {
    headers: { authorization: `Bearer ${shop.token}` },
  })
  const bytes = Buffer.from(
    await (await server.tollgate.handler(request, { remoteAddress: '127.0.0.1' })).arrayBuffer(),
  )

  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
})

test('payments, refunds and subscriptions are tables, too', async () => {
  const { order } = await shop.buy(pro, { customer_email: 'carol@example.com', customer_name: 'Carol' })
  const declined = { customer_email: 'dan@example.com', confirmation_token_id: 'ctoken_sandbox_decline' }
  await shop.confirm(await shop.checkout(cheap), declined)
  const { body: refund } = await shop.post('/refunds', {
    order_id: order.id,
    reason: 'other',
    amount: 456,
    comment: '@SUM(1)',
  })

  const byCustomer = `?customer_id=${order.customer_id}`
  const [payment] = await rowsOf(`/payments/export${byCustomer}`)
  const payments = await rowsOf('/payments/export')
  const refunds = await rowsOf(`/refunds/export${byCustomer}`)
  const subscriptions = await rowsOf(`/subscriptions/export${byCustomer}`)

  expect(payment).toMatchObject({
    status: 'succeeded',
    invoice_number: order.invoice_number,
    amount_decimal: '1234.56',
  })
  expect(payments.find(({ customer_email }) => customer_email === 'dan@example.com')).toMatchObject({
    status: 'failed',
    invoice_number: '',
    currency: 'jpy',
    amount_decimal: '500',
  })
  expect(refunds).toHaveLength(1)
  expect(refunds[0]).toMatchObject({
    id: refund.id,
    invoice_number: order.invoice_number,
    credit_note_number: refund.credit_note_number,
    credit_note_void: 'false',
    amount: '456',
    amount_decimal: '4.56',
    comment: `'@SUM(1)`,
    customer_email: 'carol@example.com',
  })
  expect(subscriptions).toHaveLength(1)
  expect(subscriptions[0]).toMatchObject({
    customer_name: 'Carol',
    quantity: '1',
    recurring_interval: 'month',
    cancel_at_period_end: 'false',
    ended_at: '',
  })
})

test('a table contains the requested products, customers and days', async () => {
  server.clock.advance(days(40))
  const since = server.clock.now().toISOString()
  const { order } = await shop.buy(cheap)
  server.clock.advance(days(1))
  await shop.buy(pro)
  const ids = async (table: string, query: string) => (await rowsOf(`/${table}/export?${query}`)).map(({ id }) => id)
  const until = new Date(server.clock.now().getTime() - 1).toISOString()

  expect(await ids('orders', `start_timestamp=${since}&end_timestamp=${until}`)).toEqual([order.id])
  expect(await ids('orders', `start_timestamp=${since}&product_id=${cheap}`)).toEqual([order.id])
  expect(await ids('orders', `customer_id=${order.customer_id}&product_id=${pro}`)).toEqual([])
  expect(await ids('payments', `start_timestamp=${since}&product_id=${cheap}`)).toHaveLength(1)
  expect(await ids('payments', `start_timestamp=${since}&product_id=${cheap}&product_id=${pro}`)).toHaveLength(2)
  expect(await ids('refunds', `product_id=${cheap}`)).toEqual([])
  expect(await ids('refunds', `product_id=${pro}`)).toHaveLength(1)
  expect(await ids('subscriptions', `start_timestamp=${since}&product_id=${pro}`)).toHaveLength(1)
  expect(await ids('subscriptions', `product_id=${cheap}`)).toEqual([])
})

test('customers have what they spent net of refunds, by currency, and when they ordered last', async () => {
  const other = await createShop(server)
  const monthly = await other.product([fixedPrice(2000)], 'month', 'Monthly')
  const once = await other.product([fixedPrice(900)], null, 'Once')
  const grace = { customer_email: 'grace@example.com', customer_name: 'Grace Hopper' }
  const { order: first } = await other.buy(once, grace)
  const { order: last } = await other.buy(monthly, grace)
  await other.post('/refunds', { order_id: last.id, reason: 'other', amount: 500 })
  await server.tollgate.internals.ctx.jobs.runDue()
  const { body: idle } = await other.post('/customers', { email: 'idle@example.com' })
  const ask = (from: Shop, id: string) => from.get(`/customers/totals?customer_id=${id}&customer_id=${idle.id}`)

  expect((await ask(other, first.customer_id)).body.items).toEqual([
    { customer_id: first.customer_id, currency: 'usd', spent_amount: 2400, last_order_at: last.created_at },
  ])
  expect((await ask(shop, first.customer_id)).body.items).toEqual([])
  const { text } = await other.get('/customers/export?columns=email&columns=name&query=grace')
  expect(parsed(text.replace(/^\ufeff/, ''))).toEqual([
    ['email', 'name'],
    ['grace@example.com', 'Grace Hopper'],
  ])
})

test('a table has the requested columns, in that order, and its times in UTC', async () => {
  const { order } = await shop.buy(cheap, { customer_email: 'eve@example.com' })
  const asked = `/orders/export?customer_id=${order.customer_id}&timezone=UTC`
  const { text } = await shop.get(`${asked}&columns=email&columns=total_amount&columns=customer_email`)

  expect(parsed(text.replace(/^\ufeff/, ''))).toEqual([
    ['email', 'total_amount', 'customer_email'],
    ['eve@example.com', '500', 'eve@example.com'],
  ])
  for (const [query, name] of [
    ['columns=seats', 'columns'],
    ['columns=email&columns=__proto__', 'columns'],
    ['columns=', 'columns'],
    ['timezone=Europe/Berlin', 'timezone'],
  ]) {
    const { status, body } = await shop.get(`/orders/export?${query}`)
    expect([query, status, body.detail?.[0]?.loc]).toEqual([query, 422, ['query', name]])
  }
})

describe('a filter of a list filters its table, too', () => {
  let narrow: Shop
  let order: TestAnswer['body']
  let disputed: TestAnswer['body']

  beforeAll(async () => {
    narrow = await createShop(server)
    const monthly = await narrow.product([fixedPrice(2000)], 'month', 'Monthly')
    const once = await narrow.product([fixedPrice(900)], null, 'Once')
    ;({ order } = await narrow.buy(monthly, { customer_email: 'grace@example.com', customer_name: 'Grace Hopper' }))
    await narrow.buy(once, { customer_email: 'alan@example.com', customer_name: 'Alan Turing' })
    const kay = { customer_email: 'kay@example.com', customer_name: 'Kay McNulty' }
    ;({ order: disputed } = await narrow.buy(once, { ...kay, confirmation_token_id: 'ctoken_sandbox_disputed' }))
    await server.tollgate.internals.ctx.jobs.runDue()
    const declined = { customer_email: 'kay@example.com', confirmation_token_id: 'ctoken_sandbox_decline' }
    await narrow.confirm(await narrow.checkout(once), declined)
    await narrow.post('/refunds', { order_id: order.id, reason: 'other', amount: 500 })
    // Another shop has the same buyer; searches of this shop must not find that buyer's rows.
    await shop.buy(cheap, { customer_email: 'alan@example.com', customer_name: 'Alan Turing' })
  })

  test.each([
    ['orders', 'status=partially_refunded', 1],
    ['orders', 'status=partially_refunded&status=paid', 3],
    ['orders', 'query=turing', 1],
    ['orders', 'query=example.com', 3],
    ['orders', 'query=example.com&status=paid', 2],
    ['orders', 'query=nobody', 0],
    ['orders', 'created_after=2020-01-01T00:00:00Z', 3],
    ['orders', 'created_before=2020-01-01T00:00:00Z', 0],
    ['subscriptions', 'started_after=2020-01-01T00:00:00Z', 1],
    ['subscriptions', 'started_before=2020-01-01T00:00:00Z', 0],
    ['payments', 'status=failed', 1],
    ['payments', 'status=succeeded', 3],
    ['payments', 'customer_email=kay@example.com', 2],
    ['payments', 'customer_email=kay@example.com&status=failed', 1],
    ['payments', 'method=card', 4],
    ['payments', 'method=sepa_debit', 0],
    ['refunds', 'status=succeeded', 1],
    ['refunds', 'status=failed', 0],
    ['disputes', 'status=needs_response', 1],
    ['disputes', 'status=won', 0],
    ['customers', 'query=turing', 1],
    ['customers', 'id=11111111-1111-4111-8111-111111111111', 0],
    ['customers', 'active=false', 2],
    ['customers', 'email=KAY@example.com', 1],
    ['subscriptions', 'status=active', 1],
    ['subscriptions', 'active=false', 0],
    ['subscriptions', 'active=true&cancel_at_period_end=true', 0],
  ])('%s?%s', async (table, query, count) => {
    const listed = (await narrow.get(`/${table}?limit=100&${query}`)).body.items as { id: string }[]
    const rows = await rowsOf(`/${table}/export?${query}`, narrow)

    expect(rows).toHaveLength(count)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(listed.map(({ id }) => id).toSorted())
  })

  test('by the objects that they belong to', async () => {
    const ids = async (path: string) => (await rowsOf(path, narrow)).map(({ order_id }) => order_id)

    expect(await ids(`/payments/export?order_id=${order.id}`)).toEqual([order.id])
    expect(await ids(`/payments/export?checkout_id=${order.checkout_id}`)).toEqual([order.id])
    expect(await ids(`/refunds/export?order_id=${order.id}`)).toEqual([order.id])
    expect(await ids(`/refunds/export?order_id=${order.id}&product_id=${cheap}`)).toEqual([])
    expect(await ids(`/disputes/export?product_id=${disputed.product_id}`)).toEqual([disputed.id])
    expect(await ids(`/disputes/export?product_id=${order.product_id}`)).toEqual([])
    expect(await ids(`/disputes/export?customer_id=${disputed.customer_id}&order_id=${order.id}`)).toEqual([])
  })
})

test.each(['orders', 'customers', 'payments'])('%s can be exported by their ids', async (table) => {
  const { items } = (await shop.get(`/${table}?limit=100`)).body as { items: { id: string }[] }
  const [one, other] = items.map(({ id }) => id)
  const rows = await rowsOf(`/${table}/export?id=${one}&id=${other}`)

  expect(items.length).toBeGreaterThan(2)
  expect(rows.map(({ id }) => id).toSorted()).toEqual([one, other].toSorted())
})

test.each(['orders', 'payments', 'refunds', 'disputes', 'subscriptions'])(
  '%s are for tokens that may read them, and for filters that there are',
  async (table) => {
    const { ctx } = server.tollgate.internals
    const token = await ctx.transaction((tx) =>
      insertTestToken(tx, shop.organizationId, ['products:read'], ctx.clock.now()),
    )
    const get = (query: string, authorization: string) =>
      server.visitor().request('GET', `/v1/${table}/export${query}`, { headers: { authorization } })

    expect((await get('', `Bearer ${token}`)).status).toBe(403)
    expect((await get('', 'Bearer tollgate_oat_nobody')).status).toBe(401)
    expect((await get('?start_timestamp=yesterday', `Bearer ${shop.token}`)).status).toBe(422)
    expect((await get('?status=unheard', `Bearer ${shop.token}`)).status).toBe(422)
    expect((await get('?customer_id=1', `Bearer ${shop.token}`)).status).toBe(422)
  },
)

test('a long table has every row once, though many were made at the same moment, and ends while more are made', async () => {
  const seller = await createShop(server)
  const { ctx } = server.tollgate.internals
  const payment = (at: number, createdAt = ctx.clock.now()): Insertable<Tables['payment']> => ({
    id: `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
    organizationId: seller.organizationId,
    processor: 'sandbox',
    purpose: 'charge',
    status: 'failed',
    amount: at,
    currency: 'usd',
    method: 'card',
    isTest: true,
    createdAt,
  })
  await ctx.transaction(async (tx) => {
    for (let from = 0; from < 1100; from += 100) {
      const rows = Array.from({ length: 100 }, (_, at) => payment(from + at))
      await tx.insertInto('payment').values(rows).execute()
    }
  })

  const response = await server.tollgate.handler(
    new Request(`${server.baseURL}/v1/payments/export`, { headers: { authorization: `Bearer ${seller.token}` } }),
    { remoteAddress: '127.0.0.1' },
  )
  let text = ''
  let chunks = 0
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString('utf8')
    chunks += 1
    server.clock.advance(1)
    await ctx.transaction((tx) =>
      tx
        .insertInto('payment')
        .values(payment(5000 + chunks))
        .execute(),
    )
  }

  expect(chunks).toBeGreaterThan(2)
  const amounts = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(/,"?usd"?,(\d+),/.exec(line)?.[1]))
  expect(amounts).toEqual(Array.from({ length: 1100 }, (_, at) => at))
})

test('the catalog is exported by list, each as its filters narrow it', async () => {
  const discount = await shop.discount({ name: 'Spring', code: 'SPRING', basis_points: 2500 })
  const { body: meter } = await shop.post('/meters', {
    name: 'Calls',
    filter: { conjunction: 'and', clauses: [] },
    aggregation: { func: 'count' },
  })
  const { body: field } = await shop.post('/custom-fields', {
    type: 'text',
    slug: 'source',
    name: '=Source',
    properties: {},
  })
  const { body: link } = await shop.post('/checkout-links', { label: 'Website', products: [pro] })

  const [product, ...otherProducts] = await rowsOf('/products/export?query=cheap')
  expect(otherProducts).toEqual([])
  expect(product).toMatchObject({
    id: cheap,
    name: 'Cheap',
    recurring_interval: '',
    price_type: 'fixed',
    price_currency: 'jpy',
    price_amount: '500',
    price_amount_decimal: '500',
    is_archived: 'false',
  })
  expect(await rowsOf('/products/export?is_recurring=true')).toMatchObject([
    { id: pro, price_amount_decimal: '1234.56' },
  ])
  expect(await rowsOf('/discounts/export?query=spring')).toMatchObject([
    { id: discount.id, code: 'SPRING', type: 'percentage', basis_points: '2500', amount: '', amount_decimal: '' },
  ])
  expect(await rowsOf('/meters/export?query=calls')).toMatchObject([{ id: meter.id, aggregation: 'count' }])
  // A spreadsheet would run a cell that begins with an equals sign.
  expect(await rowsOf('/custom-fields/export?type=text')).toMatchObject([
    { id: field.id, slug: 'source', name: "'=Source" },
  ])
  expect(await rowsOf(`/checkout-links/export?product_id=${pro}`)).toMatchObject([
    { id: link.id, url: link.url, label: 'Website' },
  ])
  expect(await rowsOf(`/checkout-links/export?product_id=${cheap}&columns=id`)).toEqual([])
  const other = await createShop(server)
  expect(await rowsOf('/products/export', other)).toEqual([])
})

test('a caller’s own code gets the file, too', async () => {
  const { api } = server.tollgate

  const file = await api.exportOrders({ query: { organizationId: shop.organizationId } })

  const text = await new Response((file as unknown as { body: ReadableStream }).body).text()
  expect(text).toContain('invoice_number')
})
