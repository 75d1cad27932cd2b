import { type BillingCall, type BillingCallName, billingCalls } from '@tollgate/contract/billing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { createTestMerchant, type TestMerchant } from './testing/merchant.ts'
import { sentFile } from './testing/upload.ts'

/**
 * F-idor: no caller reaches another organization's data. The test makes every call of the contract with another
 * organization's object. Add new calls to the tables here, or their test fails.
 */

let server: TestServer
let victim: TestMerchant
let thief: TestMerchant
/** Ids of the victim's objects, by collection. */
let ids: Readonly<Record<string, string>>
let completion: unknown

beforeAll(async () => {
  server = await createTestServer()
  victim = await createTestMerchant(server)
  thief = await createTestMerchant(server)
  ;({ ids, completion } = await stocked(victim))
})
afterAll(() => server[Symbol.asyncDispose]())

/** Creates one object of each kind. */
async function stocked(seller: TestMerchant) {
  const made = async (path: string, body: object, by: Pick<Person, 'request'> | undefined = undefined) => {
    const answer = by ? await by.request('POST', `/v1${path}`, { body }) : await seller.post(path, body)
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  // No server listens there, but its deliveries are still listed.
  const endpoint = await made('/webhooks/endpoints', {
    url: 'http://127.0.0.1:9/secret',
    events: ['product.created'],
    name: 'Secret',
  })
  const meter = await made('/meters', {
    name: 'Requests',
    filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'request' }] },
    aggregation: { func: 'count' },
  })
  const product = await made('/products', {
    name: 'Membership',
    recurring_interval: 'month',
    prices: [{ amount_type: 'fixed', price_amount: 1000, price_currency: 'usd' }],
  })
  const field = await made('/custom-fields', { type: 'text', slug: 'note', name: 'Note', properties: {} })
  const { file, completion: parts } = await sentFile(server, seller)
  const customer = await made('/customers', { email: 'secret-buyer@example.com', external_id: 'secret-id' })
  const discount = await made('/discounts', {
    name: 'Secret sale',
    type: 'percentage',
    duration: 'once',
    basis_points: 1000,
    code: 'SECRET',
  })
  const starts_at = new Date(server.clock.now().getTime() + days(30)).toISOString()
  const priceChange = await made('/price-changes', { product_id: product.id, starts_at })
  const checkout = await made('/checkouts', { products: [product.id], customer_id: customer.id })
  const link = await made('/checkout-links', { products: [product.id], payment_processor: 'stripe' })
  const token = await made('/organization-access-tokens', { comment: 'Secret', scopes: ['orders:read'] }, seller.owner)
  const confirmed = await server.visitor().request('POST', `/v1/checkouts/client/${checkout.client_secret}/confirm`, {
    body: {
      customer_name: 'Secret Buyer',
      customer_billing_address: { country: 'DE' },
      // The card's owner disputes the payment, which creates a dispute.
      confirmation_token_id: 'ctoken_sandbox_disputed',
    },
  })
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status}: ${confirmed.text}`)
  await server.tollgate.internals.ctx.jobs.runDue()
  const first = async (path: string): Promise<string> => (await seller.get(path)).body.items[0].id
  await seller.post('/refunds', { order_id: await first('/orders'), reason: 'other', amount: 1, comment: 'Secret' })
  const [delivery] = (await seller.get('/webhooks/deliveries')).body.items
  return {
    completion: parts,
    ids: {
      organizations: seller.organizationId,
      'organization-access-tokens': token.organization_access_token.id as string,
      products: product.id as string,
      'price-changes': priceChange.id as string,
      'custom-fields': field.id as string,
      meters: meter.id as string,
      files: file.id as string,
      customers: customer.id as string,
      'payment-methods': await first(`/customers/${customer.id}/payment-methods`),
      discounts: discount.id as string,
      checkouts: checkout.id as string,
      'checkout-links': link.id as string,
      orders: await first('/orders'),
      subscriptions: await first('/subscriptions'),
      payments: await first('/payments'),
      refunds: await first('/refunds'),
      disputes: await first('/disputes'),
      'webhooks/endpoints': endpoint.id as string,
      'webhooks/deliveries': delivery.id as string,
      'webhooks/events': delivery.webhook_event.id as string,
    },
  }
}

/** A body that is valid for an own object, so that only ownership can cause the refusal. */
const bodies: { readonly [Name in BillingCallName]?: () => object } = {
  pauseSubscription: () => ({ at: 'now' }),
  resumeSubscription: () => ({}),
  setSubscriptionSchedule: () => ({ phases: [{}] }),
  cancelPriceChange: () => ({}),
  updateMerchant: () => ({ name: 'Stolen' }),
  updateTaxSettings: () => ({ legal_name: 'Stolen' }),
  updateAccessToken: () => ({ comment: 'Stolen' }),
  updateProduct: () => ({ name: 'Stolen' }),
  updateProductBenefits: () => ({ benefits: [] }),
  updateCustomField: () => ({ type: 'text', name: 'Stolen' }),
  updateMeter: () => ({ name: 'Stolen' }),
  completeFile: () => completion as object,
  updateFile: () => ({ name: 'Stolen' }),
  changeCustomerBalance: () => ({ amount: 100, currency: 'usd', reason: 'Stolen' }),
  updateCustomer: () => ({ name: 'Stolen' }),
  updateExternalCustomer: () => ({ name: 'Stolen' }),
  updateDiscount: () => ({ name: 'Stolen' }),
  updateCheckout: () => ({ metadata: { stolen: true } }),
  updateCheckoutLink: () => ({ label: 'Stolen' }),
  decideMissedPeriods: () => ({ choice: 'bill_missed' }),
  decideSandboxDispute: () => ({ outcome: 'won' }),
  updateOrder: () => ({ billing_name: 'Stolen' }),
  createPayLink: () => ({}),
  makeDefaultCustomerPaymentMethod: () => ({}),
  voidOrder: () => ({ reason: 'Stolen' }),
  markOrderPaid: () => ({ reference: 'Stolen' }),
  previewSubscriptionChange: () => ({}),
  updateSubscription: () => ({ cancel_at_period_end: true }),
  createOrderInvoice: () => ({}),
  updateWebhookEndpoint: () => ({ name: 'Stolen' }),
  rotateWebhookSecret: () => ({}),
  testWebhookEndpoint: () => ({}),
  replayWebhookEvents: () => ({ since: '2026-01-01T00:00:00Z' }),
  redeliverWebhookEvent: () => ({}),
}

/**
 * The owner's status if it is not 200. Confirmed or invoiced objects refuse changes, but with another status than for
 * strangers.
 */
const ownAnswers: { readonly [Name in BillingCallName]?: number } = {
  updateCheckout: 403,
  updateOrder: 422,
  changeCustomerBalance: 201,
  createOrderInvoice: 202,
  createPayLink: 409,
  voidOrder: 409,
  markOrderPaid: 409,
  pauseSubscription: 409,
  // No subscription waits for it.
  cancelPriceChange: 409,
  resumeSubscription: 409,
  testWebhookEndpoint: 202,
  replayWebhookEvents: 202,
  redeliverWebhookEvent: 202,
}

const calls = Object.entries(billingCalls) as [BillingCallName, BillingCall][]
const ofSellers = calls.filter(([, { auth }]) => auth === 'seller' || auth === 'user')
const aboutOne = ofSellers.filter(([, { path }]) => path.includes(':'))
const lists = ofSellers.filter(([, { method, path }]) => method === 'GET' && !path.includes(':'))
const creations = ofSellers.filter(
  ([, { method, path, ofPerson }]) => method === 'POST' && !path.includes(':') && !ofPerson,
)

function pathOf({ path }: BillingCall): string {
  const [collection = '', part] = path.slice(1).split('/')
  const id = ids[collection] ?? ids[`${collection}/${part}`]
  if (id === undefined) throw new Error(`there is no object of /${collection} to ask for: make one above`)
  const method = ids['payment-methods'] ?? ''
  return `/v1${path.replace(':id', id).replace(':externalId', 'secret-id').replace(':paymentMethodId', method)}`
}

async function ask(by: 'token' | 'session', name: BillingCallName, path: string, body: object | undefined) {
  const { method } = billingCalls[name]
  const headers = by === 'token' ? { authorization: `Bearer ${thief.token}` } : undefined
  const person = by === 'token' ? server.visitor() : thief.owner
  return person.request(method, path, { ...(headers && { headers }), ...(body && { body }) })
}

describe('another user’s object', () => {
  test.each(aboutOne)('is not found by %s', async (name, call) => {
    const path = pathOf(call)
    const body = bodies[name]?.()
    if (call.method !== 'GET' && call.method !== 'DELETE' && !body) throw new Error(`give ${name} a body above`)

    const bySession = await ask('session', name, path, body)
    expect([bySession.status, bySession.text]).toEqual([404, expect.not.stringContaining('ecret')])
    // Naming the victim's organization does not help.
    const named = await ask('session', name, `${path}?organization_id=${victim.organizationId}`, body)
    expect(named.status).toBe(404)
    if (call.auth === 'user') return
    const byToken = await ask('token', name, path, body)
    expect([byToken.status, byToken.text]).toEqual([404, expect.not.stringContaining('ecret')])
  })

  test('is as it was after all of that', async () => {
    for (const [name, call] of aboutOne.filter(([, { method, auth }]) => method === 'GET' && auth === 'seller')) {
      const { status, text } = await victim.get(pathOf(call).replace('/v1', ''))
      expect([name, status, text]).toEqual([name, 200, expect.not.stringContaining('Stolen')])
    }
  })

  test.each(aboutOne)('%s does not show it without a token or a session', async (name, call) => {
    const { method } = call
    const body = bodies[name]?.()
    const { status } = await server.visitor().request(method, pathOf(call), body ? { body } : {})

    expect(status).toBe(401)
  })
})

test.each(aboutOne.filter(([name]) => bodies[name]))(
  '%s was refused for whose object it is: its own organization is answered',
  async (name, call) => {
    const body = bodies[name]?.()
    const path = pathOf(call)
    const { status, text } =
      call.auth === 'user'
        ? await victim.owner.request(call.method, path, { body })
        : await server.visitor().request(call.method, path, {
            headers: { authorization: `Bearer ${victim.token}` },
            body,
          })

    expect([status, text]).toEqual([ownAnswers[name] ?? 200, expect.any(String)])
  },
)

describe('a list', () => {
  test.each(lists)('%s excludes other users’ data, and is empty when the caller asks for it', async (name, call) => {
    const own = name === 'listMerchants'
    for (const by of call.auth === 'user' ? (['session'] as const) : (['token', 'session'] as const)) {
      const { status, text, body } = await ask(by, name, `/v1${call.path}?limit=100`, undefined)
      expect([by, status]).toEqual([by, 200])
      for (const id of Object.values(ids)) expect(text).not.toContain(id)
      const foreign = await ask(by, name, `/v1${call.path}?organization_id=${victim.organizationId}`, undefined)
      // A file for another organization is not found, not even empty.
      if ((by === 'session' && !own) || call.givesFile) expect(foreign.status).toBe(404)
      // Calls that return no list of objects answer for the token's own organization, whatever the query names.
      else if (!body.items || name === 'listProcessors') expect(foreign.body).toEqual(body)
      else expect([foreign.status, foreign.body.items]).toEqual([200, []])
    }
  })
})

test('sums count only one’s own sales: here nothing, while the other has sold', async () => {
  const sums = async (seller: TestMerchant) => (await seller.get('/overview')).body

  expect(await sums(thief)).toMatchObject({
    orders: { total: 0 },
    customers: { total: 0 },
    subscriptions: { total: 0 },
    revenue: [],
  })
  expect(await sums(victim)).toMatchObject({ orders: { total: 1 } })
})

describe('created objects', () => {
  test.each(creations)('by %s is made for no other organization', async (name, call) => {
    const body = { organization_id: victim.organizationId }

    expect((await ask('session', name, `/v1${call.path}`, body)).status).toBe(404)
    if (call.auth === 'user') return
    const byToken = await ask('token', name, `/v1${call.path}`, body)
    expect([byToken.status, byToken.body.detail[0].type]).toEqual([422, 'organization_token'])
    const byAddress = await ask('token', name, `/v1${call.path}?organization_id=${victim.organizationId}`, {})
    expect([byAddress.status, byAddress.body.detail[0].loc]).toEqual([422, ['query', 'organization_id']])
  })

  test('names nothing of others', async () => {
    const { products, customers, discounts, meters, files } = ids
    const own = await thief.post('/products', {
      name: 'Own product',
      recurring_interval: null,
      prices: [{ amount_type: 'free' }],
    })
    const field = ids['custom-fields']
    const product = { name: 'Thing', recurring_interval: null, prices: [{ amount_type: 'free' }] }
    const attempts: [string, object][] = [
      ['/products', { ...product, medias: [files] }],
      ['/products', { ...product, attached_custom_fields: [{ custom_field_id: field, required: false }] }],
      [
        '/products',
        {
          ...product,
          recurring_interval: 'month',
          prices: [{ amount_type: 'metered_unit', meter_id: meters, unit_amount: '1', price_currency: 'usd' }],
        },
      ],
      ['/checkouts', { products: [products] }],
      ['/checkouts', { products: [own.body.id], customer_id: customers }],
      ['/checkouts', { products: [own.body.id], discount_id: discounts }],
      ['/checkouts', { products: [own.body.id], subscription_id: ids.subscriptions }],
      ['/subscriptions', { product_id: products, customer_id: customers }],
      ['/subscriptions', { product_id: products, external_customer_id: 'secret-id' }],
      ['/subscriptions/preview', { product_id: products, customer_id: customers }],
      ['/checkout-links', { products: [products], payment_processor: 'stripe' }],
      ['/checkout-links', { products: [own.body.id], discount_id: discounts, payment_processor: 'stripe' }],
      ['/discounts', { name: 'Mine', type: 'percentage', duration: 'once', basis_points: 1, products: [products] }],
      ['/price-changes', { product_id: products, starts_at: '2099-01-01T00:00:00Z' }],
      ['/customer-sessions', { customer_id: customers }],
      ['/customer-sessions', { customer_external_id: 'secret-id' }],
      ['/refunds', { order_id: ids.orders, reason: 'other', amount: 1 }],
    ]

    for (const [path, body] of attempts) {
      const { status, text } = await thief.post(path, body)
      expect([path, body, status, text]).toEqual([path, body, 422, expect.not.stringContaining('ecret')])
    }
  })
})

describe('a token', () => {
  test.each(ofSellers.filter(([, { scope }]) => scope !== undefined))(
    'without its scope may not %s, for an object of any owner',
    async (_, call) => {
      const poor = await insufficient()
      const path = call.path.includes(':') ? pathOf(call) : `/v1${call.path}`
      const { status, body } = await server.visitor().request(call.method, path, {
        headers: { authorization: `Bearer ${poor}` },
        ...(call.method !== 'GET' && call.method !== 'DELETE' && { body: {} }),
      })

      expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    },
  )
})

let poorToken: string | undefined
/** The victim's own token with one scope that no call requires. */
async function insufficient(): Promise<string> {
  if (poorToken === undefined) {
    const { body } = await victim.owner.request('POST', '/v1/organization-access-tokens', {
      body: { comment: 'Poor', scopes: ['customer_portal:read'] },
    })
    poorToken = body.token as string
  }
  return poorToken
}
