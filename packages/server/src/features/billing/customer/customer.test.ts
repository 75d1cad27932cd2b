import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours, seconds } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import type { SubscriptionStatus } from '../states.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'

let server: TestServer
let merchant: TestMerchant
let other: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
  other = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

let customers = 0
/** A customer with a fresh address. */
async function customer(given: object = {}, seller = merchant) {
  customers += 1
  const { status, body } = await seller.post('/customers', { email: `buyer${customers}@example.com`, ...given })
  expect([status, body.detail]).toEqual([201, undefined])
  return body
}

/** The events emitted for a customer, oldest first. */
async function told(id: string) {
  const { db } = server.tollgate.internals.ctx
  const rows = await db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('merchantId', 'is not', null)
    .orderBy('id')
    .execute()
  return rows
    .map(({ type, payload }) => ({ type, payload: JSON.parse(payload ?? 'null') }))
    .filter(({ payload }) => payload.id === id || payload.customer_id === id)
}
const typesTold = async (id: string) => (await told(id)).map(({ type }) => type)

const issues = ({ body }: { body: { detail: { loc: unknown; msg: string }[] } }) => body.detail.map(({ loc }) => loc)

describe('a customer', () => {
  test('is created with every field of the request', async () => {
    const { status, body } = await merchant.post('/customers/', {
      email: 'Ada.Lovelace@Example.com',
      name: 'Ada Lovelace',
      billing_name: 'Analytical Engines Ltd.',
      external_id: 'user/1?',
      billing_address: {
        line1: '1 Main St',
        line2: '',
        city: 'Albany',
        postal_code: '12207',
        state: 'ny',
        country: 'us',
      },
      tax_id: ['61-1764837', 'us_ein'],
      metadata: { plan: 'pro', seats: 3, trial: true, ratio: 0.5, camelCase: 'stays' },
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      created_at: server.clock.now().toISOString(),
      modified_at: null,
      metadata: { plan: 'pro', seats: 3, trial: true, ratio: 0.5, camelCase: 'stays' },
      external_id: 'user/1?',
      email: 'Ada.Lovelace@Example.com',
      email_verified: false,
      name: 'Ada Lovelace',
      billing_address: {
        line1: '1 Main St',
        line2: null,
        city: 'Albany',
        postal_code: '12207',
        state: 'US-NY',
        country: 'US',
      },
      tax_id: ['611764837', 'us_ein'],
      organization_id: merchant.organizationId,
      deleted_at: null,
      avatar_url: `http://localhost:3000/avatars/${sha256('ada.lovelace@example.com')}.svg`,
      type: 'individual',
      billing_name: 'Analytical Engines Ltd.',
      locale: null,
      default_payment_method_id: null,
      user_id: null,
      buyer_organization_id: null,
    })
    expect((await merchant.get(`/customers/${body.id}`)).body).toEqual(body)
    expect((await merchant.get(`/customers/external/${encodeURIComponent('user/1?')}`)).body).toEqual(body)
    expect(await typesTold(body.id)).toEqual(['customer.created', 'customer.state_changed'])
    const [created, state] = await told(body.id)
    expect(created?.payload).toEqual(body)
    expect(state?.payload).toEqual({ ...body, active_subscriptions: [], granted_benefits: [], active_meters: [] })
  })

  test('has an address that no other one of the organization has, however it is written', async () => {
    const made = await customer()
    const again = { email: ` ${made.email.toUpperCase()} ` }

    const refused = await merchant.post('/customers', again)

    expect([refused.status, issues(refused)]).toEqual([422, [['body', 'email']]])
    expect((await other.post('/customers', again)).status).toBe(201)
  })

  test('with one address is created once, also by concurrent calls', async () => {
    const body = { email: 'raced@example.com', external_id: 'raced' }

    const answers = await Promise.all(Array.from({ length: 8 }, () => merchant.post('/customers', body)))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422, 422, 422])
  })

  test.each<[object, (string | number)[]]>([
    [{ email: 'nobody' }, ['body', 'email']],
    [{ email: 'a@b@example.com' }, ['body', 'email']],
    [{ email: null }, ['body', 'email']],
    [{ email: 'x@example.com', billing_address: { city: 'Paris' } }, ['body', 'billing_address', 'country']],
    [{ email: 'x@example.com', billing_address: { country: 'XX' } }, ['body', 'billing_address', 'country']],
    [{ email: 'x@example.com', billing_address: { country: 'US', state: 'QC' } }, ['body', 'billing_address', 'state']],
    [
      { email: 'x@example.com', billing_address: { country: 'CA', state: 'US-NY' } },
      ['body', 'billing_address', 'state'],
    ],
    [{ email: 'x@example.com', tax_id: ['123', 'us_ein'] }, ['body', 'tax_id']],
    [{ email: 'x@example.com', tax_id: ['61-1764837', 'nonsense'] }, ['body', 'tax_id']],
    [{ email: 'x@example.com', tax_id: ['61-1764837'] }, ['body', 'tax_id']],
    [{ email: 'x@example.com', user_id: 'nobody' }, ['body', 'user_id']],
    [{ email: 'x@example.com', buyer_organization_id: 'nowhere' }, ['body', 'buyer_organization_id']],
    [{ email: 'x@example.com', metadata: { key: null } }, ['body', 'metadata', 'key']],
    [{ email: 'x@example.com', metadata: { ['k'.repeat(41)]: 'v' } }, ['body', 'metadata', 'k'.repeat(41)]],
    [{ email: 'x@example.com', name: 7 }, ['body', 'name']],
  ])('is not made of %j', async (body, loc) => {
    const refused = await merchant.post('/customers', body)

    expect(refused.status).toBe(422)
    expect(issues(refused)).toContainEqual(loc)
  })

  test('is refused with everything that is wrong at once', async () => {
    const taken = await customer({ external_id: 'taken-twice' })

    const refused = await merchant.post('/customers', {
      email: taken.email,
      external_id: 'taken-twice',
      billing_address: { country: 'QQ' },
      tax_id: ['1', 'eu_vat'],
      user_id: 'nobody',
    })

    expect(issues(refused)).toEqual([
      ['body', 'billing_address', 'country'],
      ['body', 'tax_id'],
      ['body', 'user_id'],
      ['body', 'email'],
      ['body', 'external_id'],
    ])
  })

  test('may be who has an account here, or an organization, but not both', async () => {
    const { owner, organizationId } = other

    const seller = merchant.owner
    const person = await customer({ user_id: seller.id, email: seller.email })
    const team = await customer({ buyer_organization_id: organizationId, email: owner.email })
    const both = await merchant.post('/customers', {
      email: 'both@example.com',
      user_id: owner.id,
      buyer_organization_id: organizationId,
    })

    expect([person.user_id, person.type]).toEqual([seller.id, 'individual'])
    expect([team.buyer_organization_id, team.type]).toEqual([organizationId, 'team'])
    expect(issues(both)).toContainEqual(['body', 'buyer_organization_id'])
    // An existing link may be sent again unchanged, even after the address has changed.
    const same = { email: 'changed@example.com', user_id: seller.id }
    expect((await merchant.patch(`/customers/${person.id}`, same)).status).toBe(200)
    const own = { email: seller.email, buyer_organization_id: merchant.organizationId }
    const changed = await merchant.patch(`/customers/${person.id}`, own)
    expect([changed.body.user_id, changed.body.buyer_organization_id]).toEqual([null, merchant.organizationId])
    // An organization can be only one customer of a seller.
    const [again] = [await customer({ email: 'again@example.com' })]
    expect((await merchant.patch(`/customers/${team.id}`, { email: 'elsewhere@example.com' })).status).toBe(200)
    const taken = { email: owner.email, buyer_organization_id: organizationId }
    expect(await merchant.patch(`/customers/${again.id}`, taken)).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'Another customer already has this organization.' }] },
    })
    const unlinked = await merchant.patch(`/customers/${person.id}`, { buyer_organization_id: null })
    expect(unlinked.body.buyer_organization_id).toBeNull()
  })

  test('may only be who has their address: a seller cannot ask who else is on this installation', async () => {
    const { owner, organizationId } = await createTestMerchant(server)
    const { id } = await customer({ email: 'asked@example.com' })
    const answers = async (links: { user_id?: string; buyer_organization_id?: string }) => [
      (await merchant.post('/customers', { email: 'asks@example.com', ...links })).body,
      (await merchant.patch(`/customers/${id}`, links)).body,
    ]

    expect(await answers({ user_id: owner.id })).toEqual(await answers({ user_id: 'n'.repeat(owner.id.length) }))
    expect(await answers({ buyer_organization_id: organizationId })).toEqual(
      await answers({ buyer_organization_id: 'n'.repeat(organizationId.length) }),
    )
    const [made, changed] = await answers({ user_id: owner.id })
    for (const { detail } of [made, changed]) expect(detail).toMatchObject([{ loc: ['body', 'user_id'] }])
    await merchant.delete(`/customers/${id}`)
  })
})

describe('a change of a customer', () => {
  test('keeps omitted fields, clears null or empty ones, and sends the event', async () => {
    const made = await customer({
      name: 'Ada',
      billing_name: 'Engines',
      billing_address: { country: 'DE' },
      metadata: { a: 1, b: 2 },
    })
    server.clock.advance(seconds(1))

    const { status, body } = await merchant.patch(`/customers/${made.id}`, {
      billing_name: '',
      tax_id: ['136 695 976', 'eu_vat'],
      metadata: { c: 3 },
    })

    expect(status).toBe(200)
    expect(body).toEqual({
      ...made,
      billing_name: null,
      tax_id: ['DE136695976', 'eu_vat'],
      metadata: { c: 3 },
      modified_at: server.clock.now().toISOString(),
    })
    expect(await typesTold(made.id)).toEqual([
      'customer.created',
      'customer.state_changed',
      'customer.updated',
      'customer.state_changed',
    ])
    const cleared = await merchant.patch(`/customers/${made.id}`, { name: null, billing_address: null, tax_id: null })
    expect(cleared.body).toMatchObject({ name: null, billing_address: null, tax_id: null })
  })

  test('of nothing changes nothing and sends no event', async () => {
    const made = await customer()

    const { status, body } = await merchant.patch(`/customers/${made.id}`, {})

    expect([status, body]).toEqual([200, made])
    expect(await typesTold(made.id)).toEqual(['customer.created', 'customer.state_changed'])
  })

  test('to another address makes it unproven; another spelling of the same one does not', async () => {
    const made = await customer()
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx.updateTable('customer').set({ emailVerified: true }).where('id', '=', made.id).execute(),
    )

    const spelled = await merchant.patch(`/customers/${made.id}`, { email: made.email.toUpperCase() })
    const moved = await merchant.patch(`/customers/${made.id}`, { email: 'moved@example.com' })

    expect([spelled.body.email, spelled.body.email_verified]).toEqual([made.email.toUpperCase(), true])
    expect([moved.body.email, moved.body.email_verified]).toEqual(['moved@example.com', false])
  })

  test('to the address or the external id of another customer is refused', async () => {
    const [made, taken] = [await customer(), await customer({ external_id: 'someone-else' })]

    const refused = await merchant.patch(`/customers/${made.id}`, { email: taken.email, external_id: 'someone-else' })

    expect([refused.status, issues(refused)]).toEqual([
      422,
      [
        ['body', 'email'],
        ['body', 'external_id'],
      ],
    ])
  })

  test('to one address by two customers at the same moment succeeds for one', async () => {
    const both = [await customer(), await customer()]

    const answers = await Promise.all(
      both.map(({ id }) => merchant.patch(`/customers/${id}`, { email: 'wanted@example.com' })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(issues(answers.find(({ status }) => status === 422)!)).toEqual([['body', 'email']])
  })

  test('sets an external id once; the same again is fine, another one has to be forced', async () => {
    const made = await customer()
    const change = (external_id: string | null, query = '') =>
      merchant.patch(`/customers/${made.id}${query}`, { external_id })

    expect((await change('first')).body.external_id).toBe('first')
    expect((await change('first')).status).toBe(200)
    for (const value of ['second', null, '']) {
      const refused = await change(value)
      expect([refused.status, issues(refused)]).toEqual([422, [['body', 'external_id']]])
    }
    expect((await change('second', '?force=false')).status).toBe(422)
    expect((await change('second', '?force=true')).body.external_id).toBe('second')
    expect((await merchant.get('/customers/external/first')).status).toBe(404)
  })

  test('is made by the seller’s own id, too, which it cannot change', async () => {
    const made = await customer({ external_id: 'by-own-id' })

    const { body } = await merchant.patch('/customers/external/by-own-id', { name: 'Grace', external_id: 'other-id' })

    expect(body).toMatchObject({ id: made.id, name: 'Grace', external_id: 'by-own-id' })
  })
})

test.each(['a/b', 'a?b#c', '100%', '%2F', 'ü ä+&=', '日本', 'state', 'payment-methods', 'a.b@c', ';:,'])(
  'an external id may be %s',
  async (externalId) => {
    const made = await customer({ external_id: externalId })
    const path = `/customers/external/${encodeURIComponent(externalId)}`

    expect((await merchant.get(path)).body.id).toBe(made.id)
    expect((await merchant.get(`${path}/state`)).body).toMatchObject({ id: made.id, active_subscriptions: [] })
    expect((await merchant.get(`${path}/payment-methods`)).body.items).toEqual([])
    expect((await merchant.patch(path, { name: 'Found' })).body.name).toBe('Found')
    expect((await merchant.delete(path)).status).toBe(204)
    for (const gone of [path, `${path}/state`, `${path}/payment-methods`])
      expect((await merchant.get(gone)).status).toBe(404)
  },
)

describe('removing a customer', () => {
  const subscription = async (customerId: string, status: SubscriptionStatus) => {
    const { ctx } = server.tollgate.internals
    const { body: product } = await merchant.post('/products', {
      name: 'Membership',
      recurring_interval: 'month',
      prices: [{ amount_type: 'fixed', price_amount: 1000, price_currency: 'usd' }],
    })
    const id = newUuid()
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await tx
        .insertInto('subscription')
        .values({
          id,
          organizationId: merchant.organizationId,
          status,
          amount: 1000,
          currency: 'usd',
          recurringInterval: 'month',
          anchorDay: 1,
          currentPeriodStart: now,
          cancelAtPeriodEnd: false,
          startedAt: now,
          customerId,
          productId: product.id,
          customFieldData: { team: 'blue' },
          metadata: { tier: 1 },
          createdAt: now,
        })
        .execute()
      await tx
        .insertInto('subscriptionItem')
        .values({
          id: newUuid(),
          subscriptionId: id,
          productPriceId: product.prices[0].id,
          quantity: 1,
          currency: 'usd',
          position: 0,
          createdAt: now,
        })
        .execute()
    })
    return id
  }

  test('ends subscriptions at once, and the event carries the previous ones', async () => {
    const made = await customer({ external_id: 'leaving' })
    const active = await subscription(made.id, 'active')
    const trial = await subscription(made.id, 'trialing')
    const ended = await subscription(made.id, 'canceled')

    const { body: state } = await merchant.get('/customers/external/leaving/state')
    expect(state.active_subscriptions).toHaveLength(2)
    expect(state.active_subscriptions.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [active, trial].toSorted(),
    )
    expect(state.active_subscriptions[0]).toMatchObject({
      status: 'active',
      amount: 1000,
      custom_field_data: { team: 'blue' },
      metadata: { tier: 1 },
      meters: [],
    })
    const before = (await told(made.id)).length
    expect((await merchant.delete(`/customers/${made.id}`)).status).toBe(204)

    const after = (await told(made.id)).slice(before)
    expect(after.map(({ type }) => type)).toEqual([
      'subscription.updated',
      'subscription.canceled',
      'subscription.revoked',
      'subscription.updated',
      'subscription.canceled',
      'subscription.revoked',
      'customer.deleted',
      'customer.state_changed',
    ])
    const now = server.clock.now().toISOString()
    expect(after[0]?.payload).toMatchObject({ status: 'canceled', canceled_at: now, ends_at: now, ended_at: now })
    expect(after.at(-2)?.payload).toMatchObject({ id: made.id, deleted_at: now })
    expect(after.at(-1)?.payload).toMatchObject({ id: made.id, active_subscriptions: [] })
    expect(after.map(({ payload }) => payload.id)).not.toContain(ended)
  })

  test('frees the address and the external id, and is done once', async () => {
    const made = await customer({ external_id: 'reused' })

    expect((await merchant.delete(`/customers/${made.id}`)).status).toBe(204)

    for (const [method, path] of [
      ['get', `/customers/${made.id}`],
      ['get', `/customers/${made.id}/state`],
      ['get', `/customers/${made.id}/payment-methods`],
      ['delete', `/customers/${made.id}`],
      ['delete', '/customers/external/reused'],
    ] as const)
      expect([path, (await merchant[method](path)).status]).toEqual([path, 404])
    expect((await merchant.patch(`/customers/${made.id}`, { name: 'x' })).status).toBe(404)
    const { body: list } = await merchant.get(`/customers?email=${encodeURIComponent(made.email)}`)
    expect(list.pagination.total_count).toBe(0)
    const again = await customer({ email: made.email, external_id: 'reused' })
    expect(again.id).not.toBe(made.id)
  })

  test('takes payment methods and open sessions along', async () => {
    const made = await customer({ external_id: 'payer' })
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx
        .insertInto('paymentMethod')
        .values({
          id: newUuid(),
          organizationId: merchant.organizationId,
          customerId: made.id,
          processor: 'sandbox',
          processorReference: 'sealed',
          referenceHash: 'hash',
          type: 'card',
          brand: 'visa',
          lastFour: '4242',
          expMonth: 12,
          expYear: 2030,
          isDefault: true,
          createdAt: ctx.clock.now(),
        })
        .execute(),
    )
    await merchant.post('/customer-sessions', { customer_id: made.id })
    const { body: methods } = await merchant.get(`/customers/${made.id}/payment-methods`)
    expect((await merchant.get('/customers/external/payer/payment-methods')).body).toEqual(methods)
    expect(methods.items).toEqual([
      {
        id: expect.any(String),
        created_at: server.clock.now().toISOString(),
        modified_at: null,
        type: 'card',
        default: true,
        processor: 'sandbox',
        customer_id: made.id,
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030, wallet: null },
        method_metadata: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030, wallet: null },
      },
    ])
    expect((await merchant.get(`/customers/${made.id}`)).body.default_payment_method_id).toBe(methods.items[0].id)

    await merchant.delete(`/customers/${made.id}`)

    const left = async (table: 'paymentMethod' | 'customerSession') =>
      table === 'paymentMethod'
        ? ctx.db
            .selectFrom(table)
            .select('id')
            .where('customerId', '=', made.id)
            .where('deletedAt', 'is', null)
            .execute()
        : ctx.db.selectFrom(table).select('id').where('customerId', '=', made.id).execute()
    expect([await left('paymentMethod'), await left('customerSession')]).toEqual([[], []])
  })
})

describe('a list of customers', () => {
  let seller: TestMerchant
  beforeAll(async () => {
    seller = await createTestMerchant(server)
    for (const given of [
      { email: 'Zoe@example.com', name: 'Adam', external_id: 'ext-1', metadata: { plan: 'pro', seats: 1 } },
      { email: 'ben@example.com', name: 'Zora', metadata: { plan: 'pro', seats: 2 } },
      { email: 'carl_50%@example.com', external_id: 'Ext-3', metadata: { plan: 'free', seats: 2 } },
    ]) {
      server.clock.advance(seconds(1))
      await seller.post('/customers', given)
    }
  })
  const emails = async (query: string) =>
    (await seller.get(`/customers/${query}`)).body.items.map(({ email }: { email: string }) => email.slice(0, 3))

  test.each([
    ['', ['car', 'ben', 'Zoe']],
    ['?sorting=created_at', ['Zoe', 'ben', 'car']],
    ['?sorting=email', ['ben', 'car', 'Zoe']],
    ['?sorting=-email', ['Zoe', 'car', 'ben']],
    ['?email=ZOE@EXAMPLE.COM', ['Zoe']],
    ['?email=zoe', []],
    ['?query=ZO', ['ben', 'Zoe']],
    ['?query=ext-', ['car', 'Zoe']],
    ['?query=50%25', ['car']],
    ['?query=_5', ['car']],
    ['?metadata[plan]=pro', ['ben', 'Zoe']],
    ['?metadata[plan]=pro&metadata[plan]=free&metadata[seats]=2', ['car', 'ben']],
    ['?metadata[none]=1', []],
    ['?limit=2&page=2', ['Zoe']],
    ['?limit=1&page=9', []],
  ])('with %s shows %j', async (query, expected) => {
    expect(await emails(query)).toEqual(expected)
  })

  test('is paged by cursors as well', async () => {
    const first = (await seller.get('/customers?limit=2&cursor=&sorting=email')).body
    const second = (await seller.get(`/customers?limit=2&sorting=email&cursor=${first.pagination.next_cursor}`)).body

    expect([...first.items, ...second.items].map(({ email }) => email)).toEqual([
      'ben@example.com',
      'carl_50%@example.com',
      'Zoe@example.com',
    ])
    expect(second.pagination).toEqual({ next_cursor: null })
  })

  test('has those with an active subscription, or those without', async () => {
    const shop = await createShop(server)
    const [plan, book] = [await shop.product([fixedPrice(900)], 'month'), await shop.product([fixedPrice(900)])]
    await shop.buy(plan, { customer_email: 'ada@example.com' })
    server.clock.advance(seconds(1))
    await shop.buy(book, { customer_email: 'bob@example.com' })
    const found = async (query: string) =>
      (await shop.get(`/customers?${query}`)).body.items.map(({ email }: { email: string }) => email)

    expect(await found('')).toEqual(['bob@example.com', 'ada@example.com'])
    expect(await found('active=true')).toEqual(['ada@example.com'])
    expect(await found('active=false')).toEqual(['bob@example.com'])
    expect((await shop.get('/customers?active=perhaps')).status).toBe(422)
  })

  test('of another organization is another one', async () => {
    expect((await seller.get(`/customers?organization_id=${other.organizationId}`)).body.items).toEqual([])
    const mine = await other.get('/customers?query=zoe')
    expect(mine.body.items).toEqual([])
  })
})

describe('a customer session', () => {
  test('lets into the portal for an hour; its token is stored as a hash', async () => {
    const made = await customer({ external_id: 'portal-user' })

    const { status, body } = await merchant.post('/customer-sessions/', {
      customer_id: made.id,
      return_url: 'https://shop.example/account',
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      created_at: server.clock.now().toISOString(),
      modified_at: null,
      token: expect.stringMatching(/^tollgate_cst_[A-Za-z0-9]{43}$/),
      expires_at: new Date(server.clock.now().getTime() + hours(1)).toISOString(),
      return_url: 'https://shop.example/account',
      customer_portal_url: `http://localhost:3000/portal?customer_session_token=${body.token}`,
      customer_id: made.id,
      customer: made,
    })
    const { db } = server.tollgate.internals.ctx
    const row = await db.selectFrom('customerSession').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(row.tokenHash).toBe(sha256(body.token))
    for (const name of ['customer_external_id', 'external_customer_id'])
      expect((await merchant.post('/customer-sessions', { [name]: 'portal-user' })).body.customer_id).toBe(made.id)
  })

  test.each<[object, string, string]>([
    [{ customer_id: '00000000-0000-4000-8000-000000000000' }, 'customer_id', 'Customer does not exist.'],
    [{ customer_external_id: 'unknown' }, 'customer_external_id', 'Customer does not exist.'],
    [{ external_customer_id: 'unknown' }, 'external_customer_id', 'Customer does not exist.'],
    [{ customer_id: 'no uuid' }, 'customer_id', 'Input should be a valid UUID'],
    [{}, 'customer_id', 'Field required'],
    [{ customer_external_id: 'x', return_url: 'javascript:alert(1)' }, 'return_url', 'Input should be a valid URL'],
    [{ customer_external_id: 'x', return_url: 'https:evil' }, 'return_url', 'Input should be a valid URL'],
    [{ customer_external_id: 'x', return_url: 'https://a\\@evil' }, 'return_url', 'Input should be a valid URL'],
  ])('is not begun for %j', async (body, field, msg) => {
    const refused = await merchant.post('/customer-sessions', body)

    expect([refused.status, refused.body.detail[0].loc, refused.body.detail[0].msg]).toEqual([
      422,
      ['body', field],
      msg,
    ])
  })

  test('is not begun for another organization’s customer', async () => {
    const theirs = await customer({ external_id: 'theirs' }, other)

    for (const body of [{ customer_id: theirs.id }, { customer_external_id: 'theirs' }])
      expect((await merchant.post('/customer-sessions', body)).status).toBe(422)
  })
})

describe('a picture', () => {
  test('is drawn for every address, always the same, and may be kept for good', async () => {
    const made = await customer()
    const path = new URL(made.avatar_url).pathname

    const [first, again] = [await server.visitor().request('GET', path), await server.visitor().request('GET', path)]

    expect(first.status).toBe(200)
    expect(first.text).toBe(again.text)
    expect(first.text).toMatch(/^<svg [^>]+>.*<\/svg>$/)
    expect(first.text).not.toContain(made.email)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const { avatar_url } = await customer()
    expect((await server.visitor().request('GET', new URL(avatar_url).pathname)).text).not.toBe(first.text)
  })

  test.each(['abc.svg', `${'g'.repeat(64)}.svg`, `${'a'.repeat(64)}.png`, 'a'.repeat(64)])(
    'is not there under %s',
    async (name) => {
      expect((await server.visitor().request('GET', `/avatars/${name}`)).status).toBe(404)
    },
  )
})
