import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beforeNextTransaction, createTestServer, type TestServer } from '../../../testing.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type OpenCheckout, type Shop } from '../testing/shop.ts'

let server: TestServer
/** The installation's registrations: Germany, a US state and a Canadian province. */
let shop: Shop
let productId: string
beforeAll(async () => {
  server = await createTestServer({
    billing: {
      tax: {
        provider: 'table',
        registrations: [
          { country: 'DE' },
          { country: 'US', state: 'NY', percent: '8.875' },
          { country: 'CA' },
          { country: 'CA', state: 'QC' },
        ],
      },
    },
  })
  shop = await createShop(server)
  productId = await shop.product([fixedPrice(1900)])
})
afterAll(async () => {
  expect(await faultsInBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const settingsOf = ({ organizationId }: Pick<Shop, 'organizationId'>) => `/organizations/${organizationId}/tax`
const berlin = { country: 'DE', line1: 'Torstraße 1', city: 'Berlin', postal_code: '10119' }
const lyon = { country: 'FR', line1: 'Rue Mercière 1', city: 'Lyon', postal_code: '69002' }
const isFrench = { is_business_customer: true, customer_billing_name: 'Dupont SARL', customer_billing_address: lyon }

/** The cost of an open checkout for a buyer. */
const shown = async (of: Shop, product: string, given: object) => {
  const { status, body } = await of.post('/checkouts', { products: [product], ...given })
  expect(status).toBe(201)
  const { tax_amount, total_amount, tax } = body
  return { tax_amount, total_amount, tax }
}
type Line = { country: string; amount: number }
const taxed = (...lines: object[]) => ({ treatment: 'taxed', lines })
const line = (name: string, country: string, state: string | null, percent: string, amount: number) => ({
  name,
  country,
  state,
  percent,
  taxable_amount: 1900,
  amount,
})

describe('the tax of a checkout', () => {
  test('is not known before the buyer’s country is', async () => {
    expect(await shown(shop, productId, {})).toEqual({ tax_amount: null, total_amount: 1900, tax: null })
  })

  test.each([
    [{ country: 'DE' }, 361, taxed(line('VAT', 'DE', null, '19', 361))],
    [{ country: 'FR' }, 0, { treatment: 'not_registered', lines: [] }],
    [{ country: 'US', state: 'NY' }, 169, taxed(line('Sales tax', 'US', 'US-NY', '8.875', 169))],
    [{ country: 'US', state: 'CA' }, 0, { treatment: 'not_registered', lines: [] }],
    [{ country: 'US' }, null, null],
    [{ country: 'CA', state: 'ON' }, 247, taxed(line('HST', 'CA', 'CA-ON', '13', 247))],
    [
      { country: 'CA', state: 'QC' },
      285,
      taxed(line('GST', 'CA', null, '5', 95), line('QST', 'CA', 'CA-QC', '9.975', 190)),
    ],
  ])('in %j is %s', async (address, amount, tax) => {
    expect(await shown(shop, productId, { customer_billing_address: address })).toEqual({
      tax_amount: amount,
      total_amount: 1900 + (amount ?? 0),
      tax,
    })
  })

  test('is Monaco’s as France’s, and none where the VAT of the Union ends', async () => {
    const seller = await createShop(server)
    const product = await seller.product([fixedPrice(1900)])
    const registrations = ['DE', 'ES', 'FR', 'GB'].map((country) => ({ country }))
    await seller.patch(settingsOf(seller), { registrations, address: berlin })
    const shownIn = async (address: object) => {
      const { tax } = await shown(seller, product, { customer_billing_address: address })
      return [tax.treatment, ...tax.lines.map(({ country, amount }: Line) => `${country} ${amount}`)].join(' ')
    }

    expect(await shownIn({ country: 'MC', postal_code: '98000' })).toBe('taxed FR 380')
    expect(await shownIn({ country: 'IM' })).toBe('taxed GB 380')
    expect(await shownIn({ country: 'ES', postal_code: '35001' })).toBe('not_registered')
    expect(await shownIn({ country: 'ES' })).toBe('taxed ES 399')
    expect(await shownIn({ country: 'DE', postal_code: '27498' })).toBe('not_registered')
    const business = { is_business_customer: true, customer_billing_name: 'SAM', customer_tax_id: 'FR53000004605' }
    const { order } = await seller.buy(product, { ...business, customer_billing_address: { ...lyon, country: 'MC' } })
    expect(order).toMatchObject({ tax_amount: 0, tax: { treatment: 'reverse_charge' } })
  })

  test('applies to the discounted amount, and is zero on zero', async () => {
    const [half, all] = [await shop.discount({ basis_points: 5000 }), await shop.discount({ basis_points: 10_000 })]

    expect(await shown(shop, productId, { customer_billing_address: berlin, discount_id: half.id })).toMatchObject({
      tax_amount: 181,
      total_amount: 1131,
    })
    expect(await shown(shop, productId, { customer_billing_address: berlin, discount_id: all.id })).toEqual({
      tax_amount: 0,
      total_amount: 0,
      tax: null,
    })
  })

  test('follows the buyer’s address', async () => {
    const { client_secret } = await shop.checkout(productId)
    const visitor = server.visitor()
    const update = async (body: object) => {
      const answer = await visitor.request('PATCH', `/v1/checkouts/client/${client_secret}`, { body })
      return [answer.body.tax_amount, answer.body.total_amount]
    }

    expect(await update({ customer_email: 'ada@example.com' })).toEqual([null, 1900])
    expect(await update({ customer_billing_address: { country: 'DE' } })).toEqual([361, 2261])
    expect(await update({ customer_billing_address: { country: 'US' } })).toEqual([null, 1900])
    expect(await update({ customer_billing_address: { country: 'US', state: 'NY' } })).toEqual([169, 2069])
    expect(await update({ customer_billing_address: { country: 'JP' } })).toEqual([0, 1900])
  })

  test('is none on a product that is exempt, from then on', async () => {
    const exempt = await shop.product([fixedPrice(1900)])
    const checkout = await shop.checkout(exempt, { customer_billing_address: berlin })
    const { status } = await shop.patch(`/products/${exempt}`, { is_tax_exempt: true })
    expect(status).toBe(200)

    const { body } = await shop.patch(`/checkouts/${checkout.id}`, { customer_name: 'Ada' })

    expect([body.tax_amount, body.tax]).toEqual([0, { treatment: 'exempt', lines: [] }])
  })
})

describe('a sale', () => {
  test('is charged with its tax, and keeps it in its order and in the order’s items', async () => {
    const { order } = await shop.buy(productId, { customer_billing_address: { country: 'CA', state: 'QC' } })

    expect(order).toMatchObject({ net_amount: 1900, tax_amount: 285, total_amount: 2185, refundable_tax_amount: 285 })
    expect(order.tax.lines.map(({ amount }: { amount: number }) => amount)).toEqual([95, 190])
    expect(order.items.map(({ tax_amount }: { tax_amount: number }) => tax_amount)).toEqual([285])
    const [payment] = await shop.paymentsOf({ id: order.checkout_id } as OpenCheckout)
    expect(payment.amount).toBe(2185)
  })

  test('keeps its tax whatever changes later', async () => {
    const other = await createShop(server)
    const { order } = await other.buy(await other.product([fixedPrice(1000)]))
    expect(order.tax_amount).toBe(190)

    expect((await other.patch(settingsOf(other), { registrations: [] })).status).toBe(200)

    expect((await other.get(`/orders/${order.id}`)).body).toMatchObject({ tax_amount: 190, tax: order.tax })
  })

  test('to an unknown state is refused until the buyer names it', async () => {
    const checkout = await shop.checkout(productId)

    const refused = await shop.confirm(checkout, { customer_billing_address: { country: 'US' } })
    expect(wrongAt(refused)).toBe('422 customer_billing_address.state')

    const { status, body } = await shop.confirm(checkout, { customer_billing_address: { country: 'US', state: 'NY' } })
    expect([status, body.tax_amount]).toEqual([200, 169])
  })

  test('is refused where its tax has changed since it was shown', async () => {
    const other = await createShop(server)
    const product = await other.product([fixedPrice(1000)])
    const checkout = await other.checkout(product, { customer_billing_address: { country: 'DE' } })
    await beforeNextTransaction(server, () =>
      server.tollgate.api.updateTaxSettings({
        params: { id: other.organizationId },
        query: { organizationId: other.organizationId },
        body: { registrations: [{ country: 'DE', percent: '7' }] },
      } as never),
    )

    expect(wrongAt(await other.confirm(checkout, { expected_total_amount: 1190 }))).toBe('422 expected_total_amount')
    expect((await other.confirm(checkout, { expected_total_amount: 1070 })).status).toBe(200)
  })

  test('states in its receipt which tax was paid', async () => {
    const email = 'taxed@example.com'
    await shop.buy(productId, { customer_email: email, customer_billing_address: { country: 'CA', state: 'QC' } })

    const [mail] = await server.mailsTo(email)

    expect(mail?.text).toContain('GST 5%')
    expect(mail?.text).toContain('QST 9.975%')
  })
})

describe('a business abroad', () => {
  let seller: Shop
  let product: string
  beforeAll(async () => {
    seller = await createShop(server)
    product = await seller.product([fixedPrice(1000)])
    const registrations = [{ country: 'DE' }, { country: 'FR' }]
    const { status } = await seller.patch(settingsOf(seller), { registrations, address: berlin })
    expect(status).toBe(200)
  })

  test('that has a tax number owes the tax by itself', async () => {
    const { order } = await seller.buy(product, { ...isFrench, customer_tax_id: 'FR40303265045' })

    expect(order).toMatchObject({ tax_amount: 0, total_amount: 1000, tax: { treatment: 'reverse_charge', lines: [] } })
  })

  test.each([
    ['without a number', {}],
    ['that is none', { is_business_customer: false, customer_tax_id: 'FR40303265045' }],
  ])('%s pays tax', async (_, given) => {
    const { order } = await seller.buy(product, { ...isFrench, ...given })

    expect(order).toMatchObject({ tax_amount: 200, tax: { treatment: 'taxed' } })
  })

  test('states in its receipt that it owes the tax', async () => {
    const email = 'reverse@example.com'
    await seller.buy(product, { ...isFrench, customer_email: email, customer_tax_id: 'FR40303265045' })

    expect((await server.mailsTo(email))[0]?.text).toContain('Reverse charge')
  })
})

describe('the tax settings of an organization', () => {
  const nothing = {
    registrations: null,
    legal_name: null,
    address: null,
    tax_id: null,
    document_note: null,
    tax_behavior: 'exclusive',
  }
  const ofInstallation = [
    { country: 'DE' },
    { country: 'US', state: 'US-NY', percent: '8.875' },
    { country: 'CA' },
    { country: 'CA', state: 'CA-QC' },
  ]

  test('begin as those of the installation', async () => {
    const merchant = await createTestMerchant(server)

    const { status, body } = await merchant.get(settingsOf(merchant))

    expect(status).toBe(200)
    expect(body).toEqual({ provider: 'table', ...nothing, effective_registrations: ofInstallation })
  })

  test('change member by member, are logged as a change of the organization, and are its own', async () => {
    const [merchant, other] = [await createTestMerchant(server), await createTestMerchant(server)]
    const registrations = [{ country: 'US', state: 'ca' }, { country: 'GB' }]
    await merchant.patch(settingsOf(merchant), { registrations, legal_name: 'Notes GmbH', address: berlin })
    await merchant.patch(settingsOf(merchant), { document_note: 'HRB 12345' })

    const { body } = await merchant.patch(settingsOf(merchant), { tax_id: 'de 136 695 976' })

    const own = [{ country: 'US', state: 'US-CA' }, { country: 'GB' }]
    expect(body).toEqual({
      provider: 'table',
      registrations: own,
      effective_registrations: own,
      legal_name: 'Notes GmbH',
      address: { ...berlin, line2: null, state: null },
      tax_id: 'DE136695976',
      document_note: 'HRB 12345',
      tax_behavior: 'exclusive',
    })
    expect((await merchant.get(settingsOf(merchant))).body).toEqual(body)
    expect((await other.get(settingsOf(other))).body.registrations).toBeNull()
    const { db } = server.tollgate.internals.ctx
    const told = await db.selectFrom('event').select('type').where('merchantId', '=', merchant.organizationId).execute()
    expect(told.map(({ type }) => type)).toEqual(Array(3).fill('organization.updated'))
  })

  test('go back to those of the installation', async () => {
    const merchant = await createTestMerchant(server)
    await merchant.patch(settingsOf(merchant), {
      registrations: [],
      legal_name: 'X',
      address: berlin,
      document_note: 'Y',
    })
    expect((await merchant.get(settingsOf(merchant))).body.effective_registrations).toEqual([])

    const { body } = await merchant.patch(settingsOf(merchant), {
      registrations: null,
      legal_name: '',
      address: null,
      document_note: '',
    })

    expect(body).toEqual({ provider: 'table', ...nothing, effective_registrations: ofInstallation })
  })

  test.each([
    [{ registrations: [{ country: 'EU' }] }, '422 registrations.0.country'],
    [{ registrations: [{ country: 'DE' }, { country: 'US', state: 'ON' }] }, '422 registrations.1.state'],
    [{ registrations: [{ country: 'CU' }] }, '422 registrations.0.percent'],
    [{ registrations: [{ country: 'DE', percent: '100' }] }, '422 registrations.0.percent'],
    [{ registrations: [{ country: 'DE', percent: 19 }] }, '422 registrations.0.percent'],
    [{ address: { country: 'XX' } }, '422 address.country'],
    [{ document_note: 'x'.repeat(1001) }, '422 document_note'],
    [{ document_note: '\n'.repeat(12) }, '422 document_note'],
    [{ tax_id: 'DE136695976' }, '422 tax_id'],
    [{ tax_id: 'DE123', address: berlin }, '422 tax_id'],
    [{ address: lyon, tax_id: 'DE136695976' }, '422 tax_id'],
  ])('refuse %j: %s', async (body, expected) => {
    expect(wrongAt(await shop.patch(settingsOf(shop), body))).toBe(expected)
    expect((await shop.get(settingsOf(shop))).body.registrations).toBeNull()
  })

  test('name two hundred places at most', async () => {
    const registrations = Array.from({ length: 201 }, () => ({ country: 'DE' }))

    expect(wrongAt(await shop.patch(settingsOf(shop), { registrations }))).toBe('422 registrations')
  })

  test('of another user are not found', async () => {
    const stranger = await createTestMerchant(server)

    expect((await stranger.get(settingsOf(shop))).status).toBe(404)
    expect((await stranger.patch(settingsOf(shop), { registrations: [] })).status).toBe(404)
  })

  test('want their scopes, and a member who may change the organization', async () => {
    const reader = await createTestMerchant(server, ['organizations:read'])
    expect((await reader.get(settingsOf(reader))).status).toBe(200)
    expect((await reader.patch(settingsOf(reader), {})).status).toBe(403)
    expect((await reader.get('/tax/rates')).status).toBe(200)

    const { ctx } = server.tollgate.internals
    const patch = () => reader.owner.request('PATCH', `/v1${settingsOf(reader)}`, { body: { legal_name: 'Y' } })
    expect((await patch()).status).toBe(200)
    await beforeNextTransaction(server, () =>
      ctx.transaction((tx) =>
        tx.updateTable('member').set({ role: 'member' }).where('organizationId', '=', reader.organizationId).execute(),
      ),
    )
    expect((await patch()).status).toBe(403)
  })
})

test('the built-in rates carry their dates, and their sources', async () => {
  const { body } = await shop.get('/tax/rates')

  expect(body).toMatchObject({ as_of: '2026-01-01', source: expect.stringContaining('European Commission') })
  expect(body.rates).toContainEqual({ country: 'DE', state: null, name: 'VAT', percent: '19' })
  expect(body.rates).toContainEqual({ country: 'CA', state: 'CA-QC', name: 'QST', percent: '9.975' })
})
