import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { sentFile, uploadedFile } from '../testing/upload.ts'
import { readPrices, readProducts } from './product.service.ts'

let server: TestServer
let seller: TestMerchant
let stranger: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  seller = await createTestMerchant(server)
  stranger = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const fixed = (price_amount = 1000, price_currency = 'usd') => ({ amount_type: 'fixed', price_amount, price_currency })
const product = (given: object = {}) => ({ name: 'Ebook', recurring_interval: null, prices: [fixed()], ...given })
const created = async (given: object = {}, by = seller) => {
  const { status, body, text } = await by.post('/products/', product(given))
  if (status !== 201) throw new Error(text)
  return body
}
const createdMeter = async (by = seller): Promise<string> => {
  const filter = { conjunction: 'and', clauses: [] }
  return (await by.post('/meters', { name: 'Calls', filter, aggregation: { func: 'count' } })).body.id
}
let fields = 0
const createdField = async (by = seller) => {
  fields += 1
  return (await by.post('/custom-fields', { type: 'text', slug: `f${fields}`, name: 'F', properties: {} })).body
}
const metered = (meter_id: string, unit_amount: unknown = 1) => ({ amount_type: 'metered_unit', meter_id, unit_amount })
const nobody = '00000000-0000-4000-8000-000000000000'

/** The events of a product, oldest first. */
async function eventsOf(id: string) {
  const rows = await server.tollgate.internals.ctx.db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload'), 'actorId'])
    .where('merchantId', '=', seller.organizationId)
    .orderBy('id')
    .execute()
  return rows
    .map((row) => ({ ...row, payload: JSON.parse(row.payload ?? '') }))
    .filter(({ payload }) => payload.id === id)
}

describe('a product', () => {
  test('is made with everything that belongs to it', async () => {
    const meterId = await createdMeter()
    const [first, second] = [await uploadedFile(server, seller), await uploadedFile(server, seller)]
    const [company, size] = [await createdField(), await createdField()]
    const custom = { amount_type: 'custom', minimum_amount: 500, preset_amount: 700, maximum_amount: 900 }
    const given = {
      name: '  Team plan ',
      description: '',
      recurring_interval: 'month',
      prices: [custom, { ...metered(meterId, '012.50'), cap_amount: 5000, price_currency: 'USD' }],
      medias: [second.id, first.id],
      attached_custom_fields: [
        { custom_field_id: size.id, required: true },
        { custom_field_id: company.id, required: false },
      ],
      features: [' Ten seats ', 'Answers within a day'],
      is_highlighted: true,
      metadata: { level: 2, Mixed_Case: 'kept' },
    }

    const { status, body } = await seller.post('/products/', given)

    const created_at = server.clock.now().toISOString()
    const price = {
      created_at,
      modified_at: null,
      source: 'catalog',
      is_archived: false,
      product_id: body.id,
      type: 'recurring',
      recurring_interval: 'month',
      tax_behavior: null,
      price_currency: 'usd',
    }
    const usage = { meter_id: meterId, meter: { id: meterId, name: 'Calls' }, unit_amount: '12.5', cap_amount: 5000 }
    const [one, two] = body.prices
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        created_at,
        modified_at: null,
        name: 'Team plan',
        description: null,
        recurring_interval: 'month',
        is_recurring: true,
        is_archived: false,
        is_tax_exempt: false,
        organization_id: seller.organizationId,
        metadata: { level: 2, Mixed_Case: 'kept' },
        recurring_interval_count: 1,
        trial_interval: null,
        trial_interval_count: null,
        trial_until: null,
        trial_card_required: true,
        visibility: 'public',
        prices: [
          { ...price, ...custom, id: one.id },
          { ...price, ...usage, id: two.id, amount_type: 'metered_unit' },
        ],
        benefits: [],
        medias: [second, first],
        features: ['Ten seats', 'Answers within a day'],
        is_highlighted: true,
        position: expect.any(Number),
        attached_custom_fields: [
          { custom_field_id: size.id, custom_field: size, order: 0, required: true },
          { custom_field_id: company.id, custom_field: company, order: 1, required: false },
        ],
      },
    ])
    expect((await seller.get(`/products/${body.id}`)).body).toEqual(body)
    expect(await eventsOf(body.id)).toEqual([{ type: 'product.created', payload: body, actorId: null }])
  })

  test('that is sold once may be free, and its price shows it', async () => {
    const { prices, ...body } = await created({ prices: [{ amount_type: 'free' }] })

    expect(body).toMatchObject({ is_recurring: false, recurring_interval_count: null })
    expect(prices[0]).toMatchObject({ amount_type: 'free', type: 'one_time', recurring_interval: null })
    expect(prices[0]).not.toHaveProperty('price_currency')
  })

  test.each([
    ['a short name', { name: ' ab ' }, '422 name'],
    ['no word on how often it is paid', { recurring_interval: undefined }, '422 recurring_interval'],
    ['another interval', { recurring_interval: 'week' }, '422 recurring_interval'],
    ['no price', { prices: [] }, '422 prices'],
    ['a price of another kind', { prices: [{ amount_type: 'seat_based' }] }, '422 prices.0.amount_type'],
    ['a price below the least', { prices: [fixed(49)] }, '422 prices.0.price_amount'],
    ['a price above the most', { prices: [fixed(100_000_000)] }, '422 prices.0.price_amount'],
    ['a negative price', { prices: [fixed(-1000)] }, '422 prices.0.price_amount'],
    ['a price of half a cent', { prices: [fixed(1000.5)] }, '422 prices.0.price_amount'],
    ['a price as a text', { prices: [{ ...fixed(), price_amount: '1000' }] }, '422 prices.0.price_amount'],
    ['a price without a currency that is one', { prices: [fixed(1000, 'euro')] }, '422 prices.0.price_currency'],
    ['a price in a currency that nobody pays in', { prices: [fixed(1000, 'zzz')] }, '422 prices.0.price_currency'],
    ['a price in gold', { prices: [fixed(1000, 'xau')] }, '422 prices.0.price_currency'],
    [
      'amounts in the wrong order',
      { prices: [{ amount_type: 'custom', minimum_amount: 500, preset_amount: 400 }] },
      '422 prices.0.preset_amount',
    ],
    [
      'too high a choice',
      { prices: [{ amount_type: 'custom', maximum_amount: 1_000_001 }] },
      '422 prices.0.maximum_amount',
    ],
    ['two prices to pay', { prices: [fixed(), fixed(2000)] }, '422 prices.1'],
    ['usage without an end', { recurring_interval: null, prices: [metered(nobody)] }, '422 prices.0 prices.0.meter_id'],
    ['a meter that is not there', { recurring_interval: 'month', prices: [metered(nobody)] }, '422 prices.0.meter_id'],
    ['a file that is not there', { medias: [nobody] }, '422 medias.0'],
    ['an id that is none', { medias: ['picture'] }, '422 medias.0'],
    [
      'a field that is not there',
      { attached_custom_fields: [{ custom_field_id: nobody, required: true }] },
      '422 attached_custom_fields.0.custom_field_id',
    ],
    ['too much metadata', { metadata: Object.fromEntries(Array(51).fill(1).entries()) }, '422 metadata'],
    ['an empty feature', { features: [' '] }, '422 features.0'],
    ['a long feature', { features: ['f'.repeat(121)] }, '422 features.0'],
    ['too many features', { features: Array(21).fill('Seats') }, '422 features'],
    ['a highlight that is none', { is_highlighted: 'yes' }, '422 is_highlighted'],
    ['an empty value of metadata', { metadata: { key: '' } }, '422 metadata.key'],
    ['another organization', { organization_id: 'other' }, '422 organization_id'],
  ])('with %s is refused', async (_, given, expected) => {
    expect(wrongAt(await seller.post('/products', product(given)))).toBe(expected)
  })

  test.each([0, -1, '0', '1e3', '1.0000000000001', 'NaN', '-0.5', '', true])(
    'does not take %j for a unit of usage',
    async (unitAmount) => {
      const prices = [metered(await createdMeter(), unitAmount)]

      expect(wrongAt(await seller.post('/products', product({ recurring_interval: 'month', prices })))).toBe(
        '422 prices.0.unit_amount',
      )
    },
  )

  test.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    ['0.000000000001', '0.000000000001'],
    [' 5.00 ', '5'],
  ])('takes %j for a unit of usage, and writes %s', async (unitAmount, written) => {
    const prices = [metered(await createdMeter(), unitAmount)]

    expect((await created({ recurring_interval: 'month', prices })).prices[0].unit_amount).toBe(written)
  })

  test('is made of nothing that is another organization’s, not there yet, or there twice', async () => {
    const meterId = await createdMeter(stranger)
    const file = await uploadedFile(server, stranger)
    const { file: unfinished } = await sentFile(server, seller)
    const own = await uploadedFile(server, seller)
    const download = await uploadedFile(server, seller, { service: 'downloadable' })
    const theirs = await createdField(stranger)
    const field = { custom_field_id: (await createdField()).id, required: false }

    const answer = await seller.post('/products', {
      ...product({ recurring_interval: 'month', prices: [metered(meterId)] }),
      medias: [file.id, unfinished.id, own.id, own.id, download.id],
      attached_custom_fields: [{ custom_field_id: theirs.id, required: true }, field, field],
    })

    expect(wrongAt(answer)).toBe(
      '422 prices.0.meter_id medias.0 medias.1 medias.3 medias.4 ' +
        'attached_custom_fields.0.custom_field_id attached_custom_fields.2.custom_field_id',
    )
  })
})

describe('a change of a product', () => {
  test('covers the given fields, and nothing else', async () => {
    const field = await createdField()
    const attached_custom_fields = [{ custom_field_id: field.id, required: true }]
    const medias = [(await uploadedFile(server, seller)).id]
    const before = await created({ description: 'Good', metadata: { a: 1 }, medias, attached_custom_fields })
    const change = async (given: object) => {
      server.clock.advance(minutes(1))
      return (await seller.patch(`/products/${before.id}`, given)).body
    }
    const modified = () => ({ modified_at: server.clock.now().toISOString() })

    const renamed = await change({ name: 'Novel', prices: null, medias: null, is_archived: null })
    expect(renamed).toEqual({ ...before, ...modified(), name: 'Novel' })
    const cleared = await change({ description: null, metadata: {}, medias: [], attached_custom_fields: [] })
    const nothing = { description: null, metadata: {}, medias: [], attached_custom_fields: [] }
    expect(cleared).toEqual({ ...renamed, ...nothing, ...modified() })
    const archived = await change({ is_archived: true, recurring_interval: null })
    expect(archived).toEqual({ ...cleared, ...modified(), is_archived: true })
    const back = await change({ is_archived: false })
    expect(back).toEqual({ ...archived, ...modified(), is_archived: false })
    expect((await eventsOf(before.id)).map(({ type, payload }) => [type, payload])).toEqual([
      ['product.created', before],
      ['product.updated', renamed],
      ['product.updated', cleared],
      ['product.updated', archived],
      ['product.updated', back],
    ])
  })

  test('replaces its features and its highlight as a whole, and tells webhooks', async () => {
    const { id } = await created({ features: ['Ten seats'], is_highlighted: true })

    const { body } = await seller.patch(`/products/${id}`, { features: ['All seats'], is_highlighted: false })

    expect(body).toMatchObject({ features: ['All seats'], is_highlighted: false })
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'product.updated', payload: body })
    expect((await seller.patch(`/products/${id}`, { features: [] })).body.features).toEqual([])
  })

  test('of its place moves it among the products for sale, and the others make room', async () => {
    const shop = await createTestMerchant(server)
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      server.clock.advance(1000)
      ids.push((await created({ name }, shop)).id)
    }
    const [one = '', two = '', three = '', four = ''] = ids
    await shop.patch(`/products/${two}`, { is_archived: true })
    const order = async () =>
      (await shop.get('/products/?sorting=position&is_archived=false')).body.items.map(({ id }: { id: string }) => id)
    expect(await order()).toEqual([one, three, four])

    await shop.patch(`/products/${four}`, { position: 0 })
    expect(await order()).toEqual([four, one, three])
    await shop.patch(`/products/${four}`, { position: 1 })
    expect(await order()).toEqual([one, four, three])
    const { body } = await shop.patch(`/products/${one}`, { position: 99 })

    expect(await order()).toEqual([four, three, one])
    expect(body.position).toBe(2)
    server.clock.advance(1000)
    const { id } = await created({ name: 'Five' }, shop)
    expect(await order()).toEqual([four, three, one, id])
    expect(wrongAt(await shop.patch(`/products/${one}`, { position: -1 }))).toBe('422 position')
    expect((await stranger.patch(`/products/${one}`, { position: 0 })).status).toBe(404)
  })

  test('all move at the same time', async () => {
    const shop = await createTestMerchant(server)
    const ids: string[] = []
    for (let i = 0; i < 6; i += 1) ids.push((await created({ name: `Plan ${i}` }, shop)).id)

    const moves = await Promise.all(ids.map((id, i) => shop.patch(`/products/${id}`, { position: 5 - i })))

    expect(moves.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const { items } = (await shop.get('/products/?sorting=position')).body
    expect(items.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('keeps the prices that it names, adds new ones, and archives the others', async () => {
    const [one, two] = [await createdMeter(), await createdMeter()]
    const before = await created({ recurring_interval: 'year', prices: [fixed(), metered(one), metered(two)] })
    const [basic, calls, storage] = before.prices
    server.clock.advance(minutes(1))

    const prices = [{ id: storage.id }, fixed(2000), { id: calls.id }]
    const { body } = await seller.patch(`/products/${before.id}`, { prices })

    expect(body.prices).toEqual([
      storage,
      { ...basic, id: body.prices[1].id, price_amount: 2000, created_at: body.modified_at },
      calls,
    ])
    expect(body.prices[1].id).not.toBe(basic.id)
    const { db } = server.tollgate.internals.ctx
    const stored = await readPrices(db, seller.organizationId, [basic.id, calls.id])
    expect([...stored.values()].map(({ id, isArchived }) => [id, isArchived]).sort()).toEqual(
      [
        [basic.id, true],
        [calls.id, false],
      ].sort(),
    )
    expect(wrongAt(await seller.patch(`/products/${before.id}`, { prices: [{ id: basic.id }] }))).toBe(
      '422 prices.0.id',
    )
  })

  test('is refused whole where anything is wrong', async () => {
    const meterId = await createdMeter()
    const before = await created({ recurring_interval: 'month', prices: [fixed(), metered(meterId)] })
    const other = await created({}, stranger)
    const [basic, calls] = before.prices
    const refused = async (given: object) =>
      wrongAt(await seller.patch(`/products/${before.id}`, { name: 'New', ...given }))

    expect(await refused({ recurring_interval: 'year' })).toBe('422 recurring_interval')
    expect(await refused({ recurring_interval: null })).toBe('422 recurring_interval')
    expect(await refused({ prices: [] })).toBe('422 prices')
    expect(await refused({ prices: [{ id: other.prices[0].id }] })).toBe('422 prices.0.id')
    expect(await refused({ prices: [{ id: basic.id }, { id: basic.id }] })).toBe('422 prices.1.id')
    expect(await refused({ prices: [{ id: 'first' }] })).toBe('422 prices.0.id')
    expect(await refused({ prices: [{ id: basic.id }, fixed(2000)] })).toBe('422 prices.1')
    expect(await refused({ prices: [{ id: calls.id }, metered(meterId)] })).toBe('422 prices.1.meter_id')
    expect(await refused({ prices: [{ id: calls.id }, fixed(1000, 'eur')] })).toBe('422 prices.1.price_currency')
    expect(await refused({ prices: [fixed(1)] })).toBe('422 prices.0.price_amount')
    expect(await refused({ medias: [nobody] })).toBe('422 medias.0')
    expect((await seller.get(`/products/${before.id}`)).body).toEqual(before)
  })

  test('of its prices, twice at the same moment, leaves one price to pay', async () => {
    const { id } = await created()
    const amounts = [2000, 3000, 4000]
    const answers = await Promise.all(
      amounts.map((amount) => seller.patch(`/products/${id}`, { prices: [fixed(amount)] })),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await seller.get(`/products/${id}`)).body.prices).toHaveLength(1)
  })

  test('sets no benefit, because there is none', async () => {
    const { id, ...rest } = await created()
    const set = (benefits: unknown) => seller.post(`/products/${id}/benefits`, { benefits })

    expect((await set([])).body).toEqual({ id, ...rest })
    expect(wrongAt(await set([nobody, nobody]))).toBe('422 benefits.0 benefits.1')
    expect(wrongAt(await set('all'))).toBe('422 benefits')
  })
})

test('a product that is archived is in no checkout link, and a link to nothing else is gone', async () => {
  const [sold, other] = [await created(), await created()]
  const { ctx } = server.tollgate.internals
  const { organizationId } = seller
  const flags = { allowDiscountCodes: true, requireBillingAddress: false }
  await ctx.transaction(async (tx) => {
    for (const [id, productIds] of Object.entries({
      both: [sold.id, other.id],
      alone: [sold.id],
      without: [other.id],
    })) {
      const link = { id, organizationId, clientSecret: id, ...flags, metadata: {}, createdAt: ctx.clock.now() }
      await tx.insertInto('checkoutLink').values(link).execute()
      const rows = productIds.map((productId, position) => ({ checkoutLinkId: id, productId, position }))
      await tx.insertInto('checkoutLinkProduct').values(rows).execute()
    }
  })

  await seller.patch(`/products/${sold.id}`, { is_archived: true })

  const links = await ctx.db.selectFrom('checkoutLink').select(['id', 'deletedAt']).orderBy('id').execute()
  expect(links.map(({ id, deletedAt }) => [id, deletedAt !== null])).toEqual([
    ['alone', true],
    ['both', false],
    ['without', false],
  ])
  const products = await ctx.db.selectFrom('checkoutLinkProduct').selectAll().orderBy('checkoutLinkId').execute()
  expect(products.map(({ checkoutLinkId, productId }) => [checkoutLinkId, productId])).toEqual([
    ['both', other.id],
    ['without', other.id],
  ])
})

test('a removed part no longer belongs to a product', async () => {
  const field = await createdField()
  const file = await uploadedFile(server, seller)
  const attached_custom_fields = [{ custom_field_id: field.id, required: true }]
  const { id } = await created({ medias: [file.id], attached_custom_fields })

  await seller.delete(`/custom-fields/${field.id}`)
  await seller.delete(`/files/${file.id}`)

  expect((await seller.get(`/products/${id}`)).body).toMatchObject({ medias: [], attached_custom_fields: [] })
})

describe('products in a list', () => {
  let merchant: TestMerchant
  let meterId: string
  beforeAll(async () => {
    merchant = await createTestMerchant(server)
    meterId = await createdMeter(merchant)
    for (const given of [
      { name: 'Basic', prices: [fixed(2000)], metadata: { tier: 'low', rank: 1 } },
      { name: 'basic 100%', recurring_interval: 'month', prices: [metered(meterId)] },
      { name: 'Pro', recurring_interval: 'year', prices: [metered(meterId), fixed(9000)], metadata: { tier: 'high' } },
      { name: 'Tip', prices: [{ amount_type: 'custom', preset_amount: 500 }], metadata: { tier: 'low', rank: 2 } },
      { name: 'Gift', prices: [{ amount_type: 'free' }] },
    ]) {
      server.clock.advance(minutes(1))
      await created(given, merchant)
    }
    const { id } = (await merchant.get('/products?query=gift')).body.items[0]
    await merchant.patch(`/products/${id}`, { is_archived: true })
  })
  const names = async (query: string) =>
    (await merchant.get(`/products/?${query}`)).body.items.map(({ name }: { name: string }) => name)

  test.each([
    ['', ['Gift', 'Tip', 'Pro', 'basic 100%', 'Basic']],
    ['sorting=created_at', ['Basic', 'basic 100%', 'Pro', 'Tip', 'Gift']],
    ['sorting=price_amount', ['', '', 'Tip', 'Basic', 'Pro']],
    ['sorting=-price_amount&limit=3', ['Pro', 'Basic', 'Tip']],
    ['sorting=price_amount_type&sorting=-created_at', ['Tip', 'Pro', 'Basic', 'Gift', 'basic 100%']],
    ['is_archived=false', ['Tip', 'Pro', 'basic 100%', 'Basic']],
    ['is_archived=true', ['Gift']],
    ['is_recurring=true', ['Pro', 'basic 100%']],
    ['is_recurring=false&is_archived=false', ['Tip', 'Basic']],
    ['query=BASIC', ['basic 100%', 'Basic']],
    ['query=0%25', ['basic 100%']],
    ['metadata[tier]=low', ['Tip', 'Basic']],
    ['metadata[tier]=low&metadata[rank]=2', ['Tip']],
    ['metadata[tier]=low&metadata[tier]=high', ['Tip', 'Pro', 'Basic']],
    [`benefit_id=${nobody}`, []],
    ['visibility=public&visibility=draft&is_archived=true', ['Gift']],
    ['visibility=draft&visibility=private', []],
    ['limit=2&page=2', ['Pro', 'basic 100%']],
    ['limit=2&page=9', []],
  ])('%s', async (query, expected) => {
    const found = await names(query)

    expect(found.map((name: string, index: number) => (expected[index] === '' ? '' : name))).toEqual(expected)
  })

  test('by their ids are those, and none of another organization', async () => {
    const { body } = await merchant.get('/products?limit=2')
    const [one, two] = body.items
    const other = await created({}, stranger)

    const found = await merchant.get(`/products?id=${one.id}&id=${two.id}&id=${other.id}`)

    expect(found.body).toEqual({ items: [one, two], pagination: { total_count: 2, max_page: 1, next_cursor: null } })
    expect((await merchant.get('/products?id=first')).status).toBe(422)
  })

  test('are the same by cursors, in any order', async () => {
    for (const sorting of ['-created_at', 'name', '-price_amount', 'price_amount_type']) {
      const all = await names(`sorting=${sorting}`)
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await merchant.get(`/products?sorting=${sorting}&limit=2&cursor=${cursor}`)
        found.push(...body.items.map(({ name }: { name: string }) => name))
        cursor = body.pagination.next_cursor
      }
      expect(found).toEqual(all)
    }
  })

  test('are read with all their parts in four queries, however many there are', async () => {
    const { db } = server.tollgate.internals.ctx
    const ids: string[] = (await merchant.get('/products')).body.items.map(({ id }: { id: string }) => id)
    let queries = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })

    const all = await readProducts(counted, merchant.organizationId, [...ids, nobody])
    const one = await readProducts(db, merchant.organizationId, [ids[0]!])

    expect([all.size, queries]).toEqual([5, 4])
    expect(all.get(ids[0]!)).toEqual(one.get(ids[0]!))
    expect(await readProducts(db, stranger.organizationId, ids)).toEqual(new Map())
    expect(await readPrices(db, stranger.organizationId, [one.get(ids[0]!)!.prices[0]!.id])).toEqual(new Map())
    expect(await readProducts(db, merchant.organizationId, [])).toEqual(new Map())
  })
})
