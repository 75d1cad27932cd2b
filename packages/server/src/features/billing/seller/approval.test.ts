import { type BillingCall, billingCalls } from '@tollgate/contract/billing'
import { describe, expect, test } from 'vitest'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { insertSale } from '../testing/sale.ts'
import { createShop, freePrice } from '../testing/shop.ts'

const found = async (person: Person, slug: string): Promise<string> =>
  (await person.post('/organization/create', { name: 'Shop', slug })).body.id
const maySell = async (person: Person, id: string): Promise<boolean> =>
  (await person.request('GET', `/v1/organizations/${id}`)).body.may_sell
const setSelling = (person: Person, organizationId: string, value: unknown) =>
  person.post('/admin/set-selling', { organizationId, maySell: value })

/** Makes an organization look as if it had sold something. */
async function sold(server: TestServer, organizationId: string): Promise<void> {
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => insertSale(tx, organizationId, ctx.clock.now()))
}

describe('the first approval', () => {
  test('goes to the first organization that an administrator makes, and to no other', async () => {
    await using server = await createTestServer()
    const [ada, root] = [await server.signedUp('Ada'), await server.administrator()]

    const [early, first, second] = [await found(ada, 'early'), await found(root, 'first'), await found(root, 'second')]

    expect([await maySell(ada, early), await maySell(root, first), await maySell(root, second)]).toEqual([
      false,
      true,
      false,
    ])
    expect(await server.events('organization.approved')).toEqual([{ actorId: root.id, userId: null, data: null }])
  })

  test('is one’s, also when two are made at the same moment', async () => {
    await using server = await createTestServer()
    const roots = [await server.administrator(), await server.administrator()]

    const ids = await Promise.all(roots.map((root, index) => found(root, `shop-${index}`)))

    const may = await Promise.all(roots.map((root, index) => maySell(root, ids[index]!)))
    expect(may.toSorted()).toEqual([false, true])
  })

  test('is not given where an organization sells already', async () => {
    await using server = await createTestServer()
    const root = await server.administrator()
    await createTestMerchant(server)

    expect(await maySell(root, await found(root, 'later'))).toBe(false)
  })

  test('is not needed where every user may sell', async () => {
    await using server = await createTestServer({ billing: { whoMaySell: 'everyone' } })
    const [ada, root] = [await server.signedUp('Ada'), await server.administrator()]
    const id = await found(ada, 'anybody')

    expect(await maySell(ada, id)).toBe(true)
    const { body } = await root.get(`/admin/get-organization?id=${id}`)
    expect(body.organization).toMatchObject({ maySell: true, sellingIsDecided: false })
  })
})

describe('an administrator', () => {
  test('allows and stops an organization’s sales; both are logged once, and take effect at once for all but reading', async () => {
    await using server = await createTestServer()
    const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
    const id = await found(ada, 'shop')
    const shown = async () => (await root.get(`/admin/get-organization?id=${id}`)).body.organization
    const invited = () => ada.request('POST', '/v1/customers', { body: { email: 'x' } })
    const customers = () => ada.request('GET', '/v1/customers')
    expect(await shown()).toMatchObject({ maySell: false, sellingIsDecided: true })
    expect((await invited()).body.error).toBe('OrganizationNotApproved')

    expect((await setSelling(root, id, true)).body).toEqual({ success: true })
    await setSelling(root, id, true)
    expect([(await shown()).maySell, (await invited()).status]).toEqual([true, 422])
    await setSelling(root, id, false)

    expect([(await shown()).maySell, (await invited()).status, (await customers()).status]).toEqual([false, 403, 200])
    expect(await server.events('organization.approved')).toEqual([{ actorId: root.id, userId: null, data: null }])
    expect(await server.events('organization.selling_stopped')).toEqual([
      { actorId: root.id, userId: null, data: null },
    ])
  })

  test('stops selling only: tokens and customers can still be taken away, and buyers find into the portal', async () => {
    await using server = await createTestServer()
    const root = await server.administrator()
    const merchant = await createTestMerchant(server)
    const { body: customer } = await merchant.post('/customers', { email: 'buyer@example.com' })
    const price = { amount_type: 'fixed', price_amount: 1000 }
    const product = { name: 'A product', recurring_interval: null, prices: [price] }
    const { body: made } = await merchant.post('/products', product)
    await setSelling(root, merchant.organizationId, false)

    const refused = [
      await merchant.post('/products', product),
      await merchant.patch(`/products/${made.id}`, { name: 'Another name' }),
      await merchant.post('/checkouts', { products: [made.id] }),
      await merchant.post('/checkout-links', { products: [made.id], payment_processor: 'stripe' }),
    ]
    const allowed = [
      await merchant.post('/customer-sessions', { customer_id: customer.id }),
      await merchant.get(`/customers/${customer.id}`),
      await merchant.delete(`/customers/${customer.id}`),
    ]

    expect(refused.map(({ body }) => body.error)).toEqual(refused.map(() => 'OrganizationNotApproved'))
    expect(allowed.map(({ status }) => status)).toEqual([201, 200, 204])
  })

  test('leaves a stopped seller their obligations: invoices, refunds, receivers without a leak; and nothing else', async () => {
    await using server = await createTestServer()
    const root = await server.administrator()
    const shop = await createShop(server)
    const unnamed = { customer_name: null, customer_billing_address: null }
    const { order } = await shop.buy(await shop.product([freePrice]), unnamed)
    const endpoint = { url: 'https://example.com/hooks', format: 'raw', events: ['order.paid'] }
    const { body: hook } = await shop.post('/webhooks/endpoints', endpoint)
    await setSelling(root, shop.organizationId, false)

    const billing = { billing_name: 'Dora GmbH', billing_address: { country: 'DE' } }
    const named = await shop.patch(`/orders/${order.id}`, billing)
    const issued = await shop.post(`/orders/${order.id}/invoice`)
    const rotated = await shop.patch(`/webhooks/endpoints/${hook.id}/secret`)
    const switched = await shop.patch(`/webhooks/endpoints/${hook.id}`, { enabled: false })

    expect([named, issued, rotated, switched].map(({ status }) => status)).toEqual([200, 202, 200, 200])
    expect([named.body.billing_name, switched.body.enabled]).toEqual(['Dora GmbH', false])
    expect(rotated.body.secret).not.toBe(hook.secret)
    const calls = Object.entries(billingCalls as Record<string, BillingCall>)
    const writing = calls.filter(([, { method, auth, path }]) => {
      const isWriting = method !== 'GET' && method !== 'DELETE'
      return auth === 'seller' && isWriting && !path.startsWith('/organizations')
    })
    const visitor = server.visitor()
    const answers = await Promise.all(
      writing.map(async ([name, { method, path }]) => {
        const headers = { authorization: `Bearer ${shop.token}` }
        const { body } = await visitor.request(method, `/v1${path.replace(/:\w+/g, newUuid())}`, { headers, body: {} })
        return [name, body.error === 'OrganizationNotApproved']
      }),
    )
    expect(answers.flatMap(([name, isRefused]) => (isRefused ? [] : [name])).toSorted()).toEqual([
      'cancelPriceChange',
      'createCustomerSession',
      'createOrderInvoice',
      'createPayLink',
      'createRefund',
      'decideSandboxDispute',
      'markOrderPaid',
      'pauseSubscription',
      'previewPriceChange',
      'previewSubscription',
      'previewSubscriptionChange',
      'rotateWebhookSecret',
      'updateOrder',
      'updateSubscription',
      'updateWebhookEndpoint',
      'voidOrder',
    ])
  })

  test.each([
    ['a visitor', 401],
    ['an owner', 403],
    ['an administrator who acts as somebody else', 403],
  ])('is not %s', async (who, status) => {
    await using server = await createTestServer()
    const [root, ada] = [await server.administrator(), await server.signedUp('Ada')]
    const id = await found(ada, 'shop')
    if (who.startsWith('an administrator'))
      await root.post('/admin/impersonate-user', { userId: ada.id, reason: 'Support' })
    const person = who === 'a visitor' ? (server.visitor() as Person) : who === 'an owner' ? ada : root

    expect((await setSelling(person, id, true)).status).toBe(status)
    expect(await maySell(ada, id)).toBe(false)
  })

  test('reports an organization that is missing, a body that is missing, and a call without a seller', async () => {
    await using server = await createTestServer()
    const root = await server.administrator()
    expect((await setSelling(root, 'nowhere', true)).status).toBe(404)
    expect((await setSelling(root, 'nowhere', 'yes')).status).toBe(400)
    await using off = await createTestServer({ billing: false })
    const boss = await off.administrator()
    const id = await found(boss, 'shop')

    expect((await setSelling(boss, id, true)).status).toBe(404)
    const { body } = await boss.get(`/admin/get-organization?id=${id}`)
    expect(body.organization).toMatchObject({ maySell: false, sellingIsDecided: false })
  })
})

describe('an organization that has sold something', () => {
  const kept = [403, 'AN_ORGANIZATION_THAT_HAS_SOLD_SOMETHING_CANNOT_BE_DELETED']
  /** Deleting an account: auth contract, section 10. */
  const needed = [400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER']

  test('is ended neither by its owner, nor by an administrator, nor with its last member', async () => {
    await using server = await createTestServer()
    const root = await server.administrator()
    const { owner, organizationId } = await createTestMerchant(server)
    await sold(server, organizationId)

    const answers = [
      await owner.post('/organization/delete', { organizationId }),
      await root.post('/admin/delete-organization', { organizationId }),
      await owner.post('/delete-user', { password: owner.password }),
      await owner.post('/delete-user', {}),
      await root.post('/admin/remove-user', { userId: owner.id }),
    ]

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([kept, kept, needed, needed, needed])
    expect((await owner.get('/get-session')).body.user.id).toBe(owner.id)
    expect(await maySell(owner, organizationId)).toBe(true)
  })

  test('may lose a member who is not the last one', async () => {
    await using server = await createTestServer()
    const { owner, organizationId } = await createTestMerchant(server)
    await sold(server, organizationId)
    const ben = await server.signedUp('Ben')
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx
        .insertInto('member')
        .values({ id: 'ben', organizationId, userId: ben.id, role: 'member', createdAt: ctx.clock.now() })
        .execute(),
    )

    expect((await ben.post('/delete-user', { password: ben.password })).status).toBe(200)
    expect((await owner.post('/delete-user', { password: owner.password })).status).toBe(400)
  })

  test.each([
    ['pending', 403],
    ['succeeded', 403],
    ['failed', 200],
  ] as const)('counts as one from a %s payment on: %i', async (status, expected) => {
    await using server = await createTestServer()
    const { owner, organizationId } = await createTestMerchant(server)
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx
        .insertInto('payment')
        .values({
          id: newUuid(),
          organizationId,
          processor: 'sandbox',
          purpose: 'charge',
          status,
          amount: 1000,
          currency: 'usd',
          method: 'card',
          methodMetadata: { brand: 'visa', last4: '4242' },
          isTest: true,
          createdAt: ctx.clock.now(),
        })
        .execute(),
    )

    expect((await owner.post('/organization/delete', { organizationId })).status).toBe(expected)
  })

  test('is another one than that which only prepared to sell', async () => {
    await using server = await createTestServer()
    const merchant = await createTestMerchant(server)
    await merchant.post('/customers', { email: 'somebody@example.com' })

    expect(
      (await merchant.owner.post('/organization/delete', { organizationId: merchant.organizationId })).status,
    ).toBe(200)
    expect((await merchant.get('/customers')).status).toBe(401)
  })
})
