import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import type { FieldAnswers } from '../../../foundation/db/tables/metadata.ts'
import type { OrderSnapshot } from '../../../foundation/db/tables/order.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'

let server: TestServer
let seller: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  seller = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

let fields = 0
const field = (given: object = {}) => {
  fields += 1
  return { type: 'text', slug: `field-${fields}`, name: 'Company', properties: {}, ...given }
}
const created = async (given: object = {}) => (await seller.post('/custom-fields/', field(given))).body
const options = [{ value: 's', label: 'Small' }]

test.each([
  [
    'text',
    { form_label: 'Your company', form_help_text: 'As registered', textarea: true, min_length: 2, max_length: 9 },
  ],
  ['number', { form_placeholder: '12', ge: -5, le: 5 }],
  ['date', { ge: 0, le: 1_767_225_600 }],
  ['checkbox', { form_label: 'I agree' }],
  ['select', { options: [...options, { value: 'm', label: 'Medium' }] }],
])('a field of type %s is made, read, changed and removed', async (type, properties) => {
  const given = field({ type, slug: `Kind_of-${type}`, properties, metadata: { a: true } })
  const { status, body: made } = await seller.post('/custom-fields/', given)
  expect([status, made]).toEqual([
    201,
    {
      ...given,
      slug: `kind_of-${type}`,
      id: made.id,
      organization_id: seller.organizationId,
      created_at: server.clock.now().toISOString(),
      modified_at: null,
    },
  ])
  expect((await seller.get(`/custom-fields/${made.id}`)).body).toEqual(made)
  server.clock.advance(minutes(1))

  const changed = await seller.patch(`/custom-fields/${made.id}`, { type, name: 'Other', metadata: {} })

  expect(changed.body).toEqual({ ...made, name: 'Other', metadata: {}, modified_at: server.clock.now().toISOString() })
  expect((await seller.delete(`/custom-fields/${made.id}`)).status).toBe(204)
  expect((await seller.get(`/custom-fields/${made.id}`)).status).toBe(404)
  expect((await seller.patch(`/custom-fields/${made.id}`, { type })).status).toBe(404)
  expect((await seller.delete(`/custom-fields/${made.id}`)).status).toBe(404)
  expect((await seller.post('/custom-fields/', given)).status).toBe(201)
})

test.each([
  ['no slug', { slug: '' }, '422 slug'],
  ['a slug of other letters', { slug: 'a b' }, '422 slug'],
  ['a slug that is no key', { slug: '__proto__' }, '422 slug'],
  ['no name', { name: ' ' }, '422 name'],
  ['another type', { type: 'file' }, '422 type'],
  ['lengths in the wrong order', { properties: { min_length: 5, max_length: 4 } }, '422 properties.max_length'],
  ['a negative length', { properties: { min_length: -1 } }, '422 properties.min_length'],
  ['a range in the wrong order', { type: 'number', properties: { ge: 5, le: 4 } }, '422 properties.le'],
  ['a range of fractions', { type: 'number', properties: { ge: 0.5 } }, '422 properties.ge'],
  ['days in the wrong order', { type: 'date', properties: { ge: 5, le: 4 } }, '422 properties.le'],
  ['days that no calendar has', { type: 'date', properties: { le: 1e15 } }, '422 properties.le'],
  ['no options', { type: 'select', properties: { options: [] } }, '422 properties.options'],
  [
    'an empty option',
    { type: 'select', properties: { options: [{ value: '', label: 'x' }] } },
    '422 properties.options.0.value',
  ],
  [
    'an option twice',
    { type: 'select', properties: { options: [...options, ...options] } },
    '422 properties.options.1.value',
  ],
])('a field with %s is refused', async (_, given, expected) => {
  expect(wrongAt(await seller.post('/custom-fields', field(given)))).toBe(expected)
})

test('the type of a field stays', async () => {
  const { id } = await created()

  expect(wrongAt(await seller.patch(`/custom-fields/${id}`, { type: 'number', name: 'Other' }))).toBe('422 type')
  expect(wrongAt(await seller.patch(`/custom-fields/${id}`, { name: 'Other' }))).toBe('422 type')
  expect((await seller.get(`/custom-fields/${id}`)).body.name).toBe('Company')
})

test('fields are listed by type, and by a part of name or slug', async () => {
  const other = await createTestMerchant(server)
  for (const [type, slug, name] of [
    ['text', 'company', 'Your firm'],
    ['checkbox', 'terms', 'I am a company'],
    ['date', 'born', '100%'],
  ]) {
    server.clock.advance(minutes(1))
    await other.post('/custom-fields', field({ type, slug, name }))
  }
  const slugs = async (query: string) =>
    (await other.get(`/custom-fields/?${query}`)).body.items.map(({ slug }: { slug: string }) => slug)

  expect(await slugs('')).toEqual(['born', 'terms', 'company'])
  expect(await slugs('query=COMPANY')).toEqual(['terms', 'company'])
  expect(await slugs('query=%25')).toEqual(['born'])
  expect(await slugs('type=text&type=date&sorting=slug')).toEqual(['born', 'company'])
  expect(await slugs('sorting=-type')).toEqual(['company', 'born', 'terms'])
  expect((await other.get('/custom-fields?type=file')).status).toBe(422)
})

describe('a slug', () => {
  test('is one field’s of an organization, and another organization’s besides', async () => {
    const other = await createTestMerchant(server)
    const { slug } = await created()
    const { id } = await created()

    expect(wrongAt(await seller.post('/custom-fields', field({ slug: slug.toUpperCase() })))).toBe('422 slug')
    expect(wrongAt(await seller.patch(`/custom-fields/${id}`, { type: 'text', slug }))).toBe('422 slug')
    expect((await other.post('/custom-fields', field({ slug }))).status).toBe(201)
  })

  test('is given once to two who ask at the same moment', async () => {
    const given = field()
    const answers = await Promise.all([1, 2, 3, 4].map(() => seller.post('/custom-fields', given)))

    expect(answers.map(wrongAt).sort()).toEqual(['201 ', '422 slug', '422 slug', '422 slug'])
  })

  test('is given once to two who rename to it at the same moment', async () => {
    const all = [await created(), await created()]
    const slug = `shared-${all[0].slug}`
    const answers = await Promise.all(all.map(({ id }) => seller.patch(`/custom-fields/${id}`, { type: 'text', slug })))

    expect(answers.map(wrongAt).sort()).toEqual(['200 ', '422 slug'])
  })
})

/** Creates checkouts with answers, one a minute; returns a reader of the stored answers. */
async function storedAnswers(organizationId: string, data: FieldAnswers, count: number) {
  const { ctx } = server.tollgate.internals
  const amounts = { amount: 0, discountAmount: 0, netAmount: 0, totalAmount: 0, currency: 'usd' }
  const flags = {
    allowDiscountCodes: true,
    requireBillingAddress: false,
    isBusinessCustomer: false,
    isBuyerKnown: false,
  }
  const start = server.clock.now()
  const rows = Array.from(
    { length: count },
    (_, index): Insertable<Tables['checkout']> => ({
      ...amounts,
      ...flags,
      id: newUuid(),
      organizationId,
      clientSecretHash: newUuid(),
      sealedClientSecret: '',
      status: 'open',
      processor: 'sandbox',
      processorMetadata: {},
      expiresAt: start,
      productId: 'none',
      productPriceId: 'none',
      priceIds: [],
      customerMetadata: {},
      metadata: {},
      customFieldData: data,
      createdAt: new Date(start.getTime() + index),
    }),
  )
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500)
    await ctx.transaction((tx) => tx.insertInto('checkout').values(some).execute())
  }
  return async () => {
    const stored = await ctx.db
      .selectFrom('checkout')
      .select('customFieldData')
      .where('organizationId', '=', organizationId)
      .execute()
    return Map.groupBy(stored, ({ customFieldData }) => JSON.stringify(customFieldData))
  }
}

async function storedOrder(organizationId: string, data: FieldAnswers) {
  const { ctx } = server.tollgate.internals
  const now = server.clock.now()
  const order: Insertable<Tables['order']> = {
    id: newUuid(),
    organizationId,
    status: 'paid',
    billingReason: 'purchase',
    subtotalAmount: 0,
    discountAmount: 0,
    netAmount: 0,
    taxAmount: 0,
    totalAmount: 0,
    appliedBalanceAmount: 0,
    refundedAmount: 0,
    refundedTaxAmount: 0,
    currency: 'usd',
    customerId: 'none',
    productId: 'none',
    invoiceNumber: newUuid(),
    snapshot: {} as OrderSnapshot, // never shown here,
    customFieldData: data,
    metadata: {},
    createdAt: now,
  }
  const subscription: Insertable<Tables['subscription']> = {
    id: newUuid(),
    organizationId,
    status: 'active',
    amount: 0,
    currency: 'usd',
    recurringInterval: 'month',
    anchorDay: 1,
    currentPeriodStart: now,
    cancelAtPeriodEnd: false,
    customerId: 'none',
    productId: 'none',
    customFieldData: data,
    metadata: {},
    createdAt: now,
  }
  await ctx.transaction(async (tx) => {
    await tx.insertInto('order').values(order).execute()
    await tx.insertInto('subscription').values(subscription).execute()
  })
  const dataOf = async (table: 'order' | 'subscription', id: string) =>
    (
      await ctx.db
        .selectFrom(table as 'order')
        .select('customFieldData')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).customFieldData // both have it
  return async () => [await dataOf('order', order.id), await dataOf('subscription', subscription.id)]
}

describe('a field that gets another slug', () => {
  test('takes its stored answers with it, and no others', async () => {
    const merchant = await createTestMerchant(server)
    const other = await createTestMerchant(server)
    const { body } = await merchant.post('/custom-fields', field({ slug: 'size' }))
    const answers = { size: null, sizes: 'size', 'a"b': 1 }
    const mine = await storedAnswers(merchant.organizationId, answers, 1)
    const sold = await storedOrder(merchant.organizationId, { size: 'as it was' })
    const without = await storedAnswers(merchant.organizationId, { sizes: 1 }, 1)
    const theirs = await storedAnswers(other.organizationId, answers, 1)

    const renamed = await merchant.patch(`/custom-fields/${body.id}`, { type: 'text', slug: 'Format' })

    expect(renamed.body.slug).toBe('format')
    const expected = [{ format: null, sizes: 'size', 'a"b': 1 }, { sizes: 1 }]
    expect([...(await mine()).keys()].map((text) => JSON.parse(text))).toEqual(expect.arrayContaining(expected))
    expect((await without()).size).toBe(2)
    expect(await sold()).toEqual([{ format: 'as it was' }, { format: 'as it was' }])
    expect([...(await theirs()).keys()].map((text) => JSON.parse(text))).toEqual([answers])
  })

  test('takes very many with it, a while later', async () => {
    const merchant = await createTestMerchant(server)
    const { body } = await merchant.post('/custom-fields', field({ slug: 'size' }))
    const stored = await storedAnswers(merchant.organizationId, { size: 'm' }, 3500)
    const sold = await storedOrder(merchant.organizationId, { size: 'm' })

    const renamed = await merchant.patch(`/custom-fields/${body.id}`, { type: 'text', slug: 'format' })
    await server.tollgate.internals.ctx.jobs.runDue()

    expect(renamed.body.slug).toBe('format')
    expect([...(await stored()).entries()].map(([text, rows]) => [text, rows.length])).toEqual([
      ['{"format":"m"}', 3500],
    ])
    expect(await sold()).toEqual([{ format: 'm' }, { format: 'm' }])
    const { body: next } = await merchant.post('/custom-fields', field({ slug: 'size' }))
    expect(next.slug).toBe('size')
    expect((await merchant.patch(`/custom-fields/${body.id}`, { type: 'text', slug: 'third' })).status).toBe(200)
  })

  test('keeps its old slug to itself until they have followed', async () => {
    const merchant = await createTestMerchant(server)
    const { ctx } = server.tollgate.internals
    const { body } = await merchant.post('/custom-fields', field({ slug: 'format' }))
    const { body: further } = await merchant.post('/custom-fields', field({ slug: 'colour' }))
    await ctx.transaction((tx) =>
      tx.updateTable('customField').set({ renamedFrom: 'size' }).where('id', '=', body.id).execute(),
    )
    const rename = (id: string, slug: string) => merchant.patch(`/custom-fields/${id}`, { type: 'text', slug })

    expect(wrongAt(await rename(body.id, 'third'))).toBe('422 slug')
    expect(wrongAt(await rename(body.id, 'size'))).toBe('422 slug')
    expect(wrongAt(await rename(further.id, 'size'))).toBe('422 slug')
    expect(wrongAt(await merchant.post('/custom-fields', field({ slug: 'size' })))).toBe('422 slug')
    expect((await merchant.get(`/custom-fields/${further.id}`)).body.slug).toBe('colour')
    expect((await merchant.get('/custom-fields?query=size')).body.items).toEqual([])
    expect((await rename(body.id, 'format')).status).toBe(200)
  })
})
