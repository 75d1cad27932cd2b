import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer, testStart } from '../../../testing.ts'
import { createTestMerchant, insertTestToken, type TestMerchant } from '../testing/merchant.ts'
import { redeemDiscount, releaseRedemption } from './redemption.service.ts'

let server: TestServer
let shop: TestMerchant
let other: TestMerchant

beforeAll(async () => {
  server = await createTestServer()
  shop = await createTestMerchant(server)
  other = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

let things = 0

function newCode(): string {
  things += 1
  return `CODE${things}`
}

const percentage = { name: 'A tenth', type: 'percentage', basis_points: 1000, duration: 'once' }
const fixed = { name: 'Five less', type: 'fixed', amount: 500, currency: 'usd', duration: 'forever' }

async function made(given: object = {}, of = shop) {
  const { status, body, text } = await of.post('/discounts', { ...percentage, ...given })
  if (status !== 201) throw new Error(text)
  return body
}

const issue = (path: (string | number)[], msg: unknown = expect.any(String), type: unknown = expect.any(String)) => ({
  status: 422,
  body: { error: 'RequestValidationError', detail: [{ loc: ['body', ...path], msg, type }] },
})

const at = (offset: number) => new Date(testStart.getTime() + offset).toISOString()

test('a discount shows its value, its duration and its redemptions', async () => {
  const code = newCode()
  const { status, body } = await shop.post('/discounts', {
    ...percentage,
    code,
    starts_at: at(-days(1)),
    ends_at: at(days(30)),
    max_redemptions: 10,
    max_redemptions_per_customer: 1,
    metadata: { campaign: 'spring' },
  })

  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: testStart.toISOString(),
    modified_at: null,
    name: 'A tenth',
    code,
    type: 'percentage',
    basis_points: 1000,
    duration: 'once',
    starts_at: at(-days(1)),
    ends_at: at(days(30)),
    max_redemptions: 10,
    max_redemptions_per_customer: 1,
    redemptions_count: 0,
    organization_id: shop.organizationId,
    metadata: { campaign: 'spring' },
    products: [],
  })
  expect((await shop.get(`/discounts/${body.id}`)).body).toEqual(body)
})

test('a fixed amount has a currency, and a repeating one its months', async () => {
  const once = await made({ ...fixed })
  const repeating = await made({ duration: 'repeating', duration_in_months: 3 })

  expect(once).toMatchObject({ type: 'fixed', amount: 500, currency: 'usd', amounts: { usd: 500 } })
  expect(once).not.toHaveProperty('basis_points')
  expect(once).not.toHaveProperty('duration_in_months')
  expect(repeating).toMatchObject({ duration: 'repeating', duration_in_months: 3 })
})

test.each([
  ['no basis points', { basis_points: undefined }, ['basis_points']],
  ['basis points of nothing', { basis_points: 0 }, ['basis_points']],
  ['more than everything', { basis_points: 10_001 }, ['basis_points']],
  ['a part of a basis point', { basis_points: 0.5 }, ['basis_points']],
  ['basis points as a text', { basis_points: '1000' }, ['basis_points']],
  ['a negative amount', { ...fixed, amount: -1 }, ['amount']],
  ['a fraction of an amount', { ...fixed, amount: 1.5 }, ['amount']],
  ['an amount as a text', { ...fixed, amount: '500' }, ['amount']],
  ['an amount beyond any', { ...fixed, amount: 1e15 }, ['amount']],
  ['no number', { ...fixed, amount: Number.NaN }, ['amount']],
  ['a currency of four letters', { ...fixed, currency: 'usdt' }, ['currency']],
  ['a currency that nobody pays in', { ...fixed, currency: 'zzz' }, ['currency']],
  ['another type', { type: 'gift' }, ['type']],
  ['another duration', { duration: 'always' }, ['duration']],
  ['repeating without months', { duration: 'repeating' }, ['duration_in_months']],
  ['repeating for no months', { duration: 'repeating', duration_in_months: 0 }, ['duration_in_months']],
  ['no name', { name: ' ' }, ['name']],
  ['a short code', { code: 'ab' }, ['code']],
  ['a code with a sign', { code: 'TEN-OFF' }, ['code']],
  ['a code beyond 256', { code: 'A'.repeat(257) }, ['code']],
  ['no redemptions', { max_redemptions: 0 }, ['max_redemptions']],
  ['none for each', { max_redemptions_per_customer: 0 }, ['max_redemptions_per_customer']],
  ['an end before its start', { starts_at: at(days(2)), ends_at: at(days(1)) }, ['ends_at']],
  ['an end at its start', { starts_at: at(days(1)), ends_at: at(days(1)) }, ['ends_at']],
  ['a time without an offset', { starts_at: '2026-03-01T12:00:00' }, ['starts_at']],
  ['an unknown product', { products: ['00000000-0000-4000-8000-000000000000'] }, ['products', 0]],
])('refuses %s', async (_, given, path) => {
  expect(await shop.post('/discounts', { ...percentage, ...given })).toMatchObject(issue(path))
})

test('a discount is only for products of its own organization', async () => {
  const product = async (of: TestMerchant) =>
    (await of.post('/products', { name: 'Book', recurring_interval: null, prices: [{ amount_type: 'free' }] })).body.id
  const [own, foreign] = [await product(shop), await product(other)]

  expect(await shop.post('/discounts', { ...percentage, products: [own, foreign] })).toMatchObject(
    issue(['products', 1], 'Product does not exist.'),
  )
  const discount = await made({ products: [own, own] })
  expect(discount.products).toEqual([expect.objectContaining({ id: own, name: 'Book' })])
  expect(discount.products[0]).not.toHaveProperty('prices')

  expect((await shop.patch(`/discounts/${discount.id}`, { products: [foreign] })).status).toBe(422)
  expect((await shop.patch(`/discounts/${discount.id}`, { products: [] })).body.products).toEqual([])
})

test('a code is there once, however it is written, until its discount is deleted', async () => {
  const code = newCode()
  const taken = issue(['code'], 'Discount with this code already exists.', 'value_error')
  const first = await made({ code })
  const second = await made()

  expect(await shop.post('/discounts', { ...percentage, code: code.toLowerCase() })).toMatchObject(taken)
  expect(await shop.patch(`/discounts/${second.id}`, { code: code.toLowerCase() })).toMatchObject(taken)
  expect((await other.post('/discounts', { ...percentage, code })).status).toBe(201)

  expect((await shop.delete(`/discounts/${first.id}`)).status).toBe(204)
  expect((await shop.patch(`/discounts/${second.id}`, { code: code.toLowerCase() })).body.code).toBe(code.toLowerCase())
})

test('F-discount: of the same code made many times at once there is one', async () => {
  const code = newCode()

  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post('/discounts', { ...percentage, code })))

  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
})

test('omitted fields stay, null clears, and the rest changes', async () => {
  const discount = await made({ code: newCode(), ends_at: at(days(9)), max_redemptions: 5, metadata: { a: 1 } })

  const { body } = await shop.patch(`/discounts/${discount.id}`, { name: 'More', ends_at: null, basis_points: 2000 })

  const { modified_at, ...rest } = body
  expect(modified_at).toBe(server.clock.now().toISOString())
  expect({ ...rest, modified_at: null }).toEqual({ ...discount, name: 'More', ends_at: null, basis_points: 2000 })
  expect((await shop.patch(`/discounts/${discount.id}`, { code: '' })).body.code).toBeNull()
  expect((await shop.patch(`/discounts/${discount.id}`, {})).body).toMatchObject({ name: 'More', code: null })
})

test.each([
  ['its type', { type: 'fixed' }, ['type'], 'The type of a discount cannot be changed.'],
  ['its duration', { duration: 'forever' }, ['duration'], 'The duration of a discount cannot be changed.'],
  ['an amount that it has not', { amount: 5 }, ['amount'], 'This type of discount does not have this field.'],
  ['an end that has passed', { ends_at: at(-1) }, ['ends_at'], 'Ends at should be in the future.'],
  ['a start after its end', { starts_at: at(days(10)) }, ['ends_at'], 'Ends at should be after starts at.'],
])('refuses to change %s', async (_, given, path, msg) => {
  const discount = await made({ ends_at: at(days(9)) })

  expect(await shop.patch(`/discounts/${discount.id}`, given)).toMatchObject(issue(path, msg))
  // The same request again changes nothing.
  expect((await shop.patch(`/discounts/${discount.id}`, { type: 'percentage', duration: 'once' })).status).toBe(200)
})

test('the currency of a discount never changes, and counts beside an amount only, because a client sends it always', async () => {
  const discount = await made({ ...fixed, basis_points: undefined, amount: 300, currency: 'eur' })
  const change = (given: object) => shop.patch(`/discounts/${discount.id}`, given)

  expect(await change({ amount: 400, currency: 'jpy' })).toMatchObject(
    issue(['currency'], 'The currency of a discount cannot be changed.'),
  )
  expect((await change({ currency: 'usd', name: 'Renamed' })).body).toMatchObject({
    name: 'Renamed',
    currency: 'eur',
    amount: 300,
  })
  expect((await change({ amount: 400, currency: 'EUR' })).body).toMatchObject({ currency: 'eur', amount: 400 })
  const share = await made()
  expect((await shop.patch(`/discounts/${share.id}`, { currency: 'usd', basis_points: 2000 })).body).toMatchObject({
    basis_points: 2000,
  })
})

test('the value of a redeemed discount stays', async () => {
  const product = await shop.post('/products', {
    name: 'A pen',
    recurring_interval: null,
    prices: [{ amount_type: 'fixed', price_amount: 1000 }],
  })
  const discount = await made({ max_redemptions: 3 })
  const checkout = (await redeemed(discount.id, product.body.id))!

  const fixedNow = 'This cannot be changed after the first redemption.'
  expect(await shop.patch(`/discounts/${discount.id}`, { basis_points: 10 })).toMatchObject(
    issue(['basis_points'], fixedNow),
  )
  expect((await shop.patch(`/discounts/${discount.id}`, { basis_points: 1000, name: 'Kept' })).status).toBe(200)
  expect((await shop.get(`/discounts/${discount.id}`)).body.redemptions_count).toBe(1)

  await inTransaction((tx) => releaseRedemption(tx, { checkoutId: checkout }))
  await inTransaction((tx) => releaseRedemption(tx, { checkoutId: checkout }))

  expect((await shop.get(`/discounts/${discount.id}`)).body.redemptions_count).toBe(0)
  expect((await shop.patch(`/discounts/${discount.id}`, { basis_points: 10 })).body.basis_points).toBe(10)
})

test('there are never fewer redemptions than have been made', async () => {
  const discount = await made({ max_redemptions: 5 })
  const product = await newProduct()
  for (let count = 0; count < 2; count += 1) await redeemed(discount.id, product)

  expect(await shop.patch(`/discounts/${discount.id}`, { max_redemptions: 1 })).toMatchObject(
    issue(['max_redemptions'], 'The discount already has more redemptions.'),
  )
  expect((await shop.patch(`/discounts/${discount.id}`, { max_redemptions: 2 })).status).toBe(200)
  expect(await redeemed(discount.id, product)).toBeUndefined()
})

test('F-discount: of fifty redemptions at once of ten that are left, ten are made', async () => {
  const discount = await made({ max_redemptions: 10 })
  const product = await newProduct()
  const checkouts = await Promise.all(Array.from({ length: 50 }, () => newCheckout(product)))

  const answers = await Promise.all(
    checkouts.map((checkoutId, index) => redeem(discount.id, checkoutId, `buyer${index}@example.com`)),
  )

  expect(answers.filter(Boolean)).toHaveLength(10)
  expect((await shop.get(`/discounts/${discount.id}`)).body.redemptions_count).toBe(10)
})

test('of one mailbox, however it is written, only so many redeem as are allowed for each', async () => {
  const discount = await made({ max_redemptions_per_customer: 2 })
  const product = await newProduct()
  const spellings = ['ada@example.com', 'Ada@Example.com', 'ada+shop@example.com', 'ADA+other+one@example.com']
  const checkouts = await Promise.all(spellings.map(() => newCheckout(product)))

  const answers = await Promise.all(checkouts.map((id, index) => redeem(discount.id, id, spellings[index]!)))

  expect(answers.filter(Boolean)).toHaveLength(2)
  expect((await shop.get(`/discounts/${discount.id}`)).body.redemptions_count).toBe(2)
  expect(await redeem(discount.id, await newCheckout(product), 'ada@example.org')).toBe(true)
})

test('a checkout redeems its discount once', async () => {
  const discount = await made({ max_redemptions: 5 })
  const checkoutId = await newCheckout(await newProduct())

  const answers = await Promise.all([1, 2, 3].map(() => redeem(discount.id, checkoutId, 'ada@example.com')))

  expect(answers).toEqual([true, true, true])
  expect((await shop.get(`/discounts/${discount.id}`)).body.redemptions_count).toBe(1)
})

test('a buyer cannot redeem before the start, after the end, or a deleted discount', async () => {
  const product = await newProduct()
  const early = await made({ starts_at: at(1) })
  const late = await made({ ends_at: at(0) })
  const deleted = await made()
  await shop.delete(`/discounts/${deleted.id}`)

  expect(await redeemed(early.id, product)).toBeUndefined()
  expect(await redeemed(deleted.id, product)).toBeUndefined()
  expect(await redeemed(late.id, product)).toBeDefined()
})

test('lists are searched by name and code, sorted, and paged', async () => {
  await using own = await createTestServer()
  const seller = await createTestMerchant(own)
  await made({ name: 'Spring sale', code: 'APRIL' }, seller)
  await made({ name: 'Autumn 100%', code: null }, seller)
  await made({ name: 'Winter', code: 'SPRINGTIME' }, seller)
  const deleted = await made({ name: 'Spring, too' }, seller)
  await seller.delete(`/discounts/${deleted.id}`)
  const names = async (query: string) =>
    (await seller.get(`/discounts/?${query}`)).body.items.map(({ name }: { name: string }) => name)

  expect(await names('sorting=name')).toEqual(['Autumn 100%', 'Spring sale', 'Winter'])
  expect(await names('sorting=-name&limit=2')).toEqual(['Winter', 'Spring sale'])
  expect(await names('query=spring&sorting=name')).toEqual(['Spring sale', 'Winter'])
  expect(await names('query=%25')).toEqual(['Autumn 100%'])
  expect(await names('sorting=-redemptions_count&sorting=name')).toEqual(['Autumn 100%', 'Spring sale', 'Winter'])
  expect((await seller.get('/discounts/?limit=2&page=2')).body.pagination).toEqual({
    total_count: 3,
    max_page: 2,
    next_cursor: null,
  })
  const first = (await seller.get('/discounts?cursor=&limit=2&sorting=code')).body
  const second = (await seller.get(`/discounts?limit=2&sorting=code&cursor=${first.pagination.next_cursor}`)).body
  expect([...first.items, ...second.items]).toHaveLength(3)
  expect((await seller.get('/discounts?sorting=basis_points')).status).toBe(422)
})

test('no user reads, changes or deletes the discounts of others', async () => {
  const discount = await made()
  const path = `/discounts/${discount.id}`

  expect(await other.get(path)).toMatchObject({ status: 404, body: { error: 'ResourceNotFound', detail: 'Not found' } })
  expect((await other.patch(path, { name: 'Mine' })).status).toBe(404)
  expect((await other.delete(path)).status).toBe(404)
  expect((await other.get('/discounts?limit=100')).body.items).not.toContainEqual(
    expect.objectContaining({ id: discount.id }),
  )
  expect((await shop.get(path)).body).toEqual(discount)
})

test('a deleted discount is found no more', async () => {
  const { id } = await made()

  expect((await shop.delete(`/discounts/${id}`)).status).toBe(204)

  expect((await shop.delete(`/discounts/${id}`)).status).toBe(404)
  expect((await shop.get(`/discounts/${id}`)).status).toBe(404)
  expect((await shop.patch(`/discounts/${id}`, { name: 'Back' })).status).toBe(404)
})

test('a token reads or writes discounts within its scopes', async () => {
  const { ctx } = server.tollgate.internals
  const tokenOf = (scope: string) =>
    ctx.transaction((tx) => insertTestToken(tx, shop.organizationId, [scope], ctx.clock.now()))
  const ask = async (token: string, method: string) =>
    (
      await server.visitor().request(method, '/v1/discounts/', {
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' && { body: percentage }),
      })
    ).status

  const [reader, writer, neither] = [
    await tokenOf('discounts:read'),
    await tokenOf('discounts:write'),
    await tokenOf('products:write'),
  ]
  expect([await ask(reader, 'GET'), await ask(reader, 'POST')]).toEqual([200, 403])
  expect([await ask(writer, 'GET'), await ask(writer, 'POST')]).toEqual([200, 201])
  expect([await ask(neither, 'GET'), await ask(neither, 'POST')]).toEqual([403, 403])
})

const inTransaction: TestServer['tollgate']['internals']['ctx']['transaction'] = (work) =>
  server.tollgate.internals.ctx.transaction(work)

async function newProduct(): Promise<string> {
  const prices = [{ amount_type: 'fixed', price_amount: 1000 }]
  return (await shop.post('/products', { name: 'A thing', recurring_interval: null, prices })).body.id
}

const newCheckout = async (product: string): Promise<string> =>
  (await shop.post('/checkouts', { products: [product] })).body.id

const redeem = (discountId: string, checkoutId: string, email: string, customerId = newUuid()) =>
  inTransaction((tx) =>
    redeemDiscount(tx, server.clock.now(), {
      organizationId: shop.organizationId,
      discountId,
      checkoutId,
      customerId,
      email,
    }),
  )

/** A new checkout that has redeemed a discount; undefined if it could not. */
async function redeemed(discountId: string, product: string): Promise<string | undefined> {
  const checkoutId = await newCheckout(product)
  things += 1
  return (await redeem(discountId, checkoutId, `somebody${things}@example.com`)) ? checkoutId : undefined
}
