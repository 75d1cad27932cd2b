import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { created } from '../../organization/testing/organizations.ts'
import { provenAccount } from '../testing/account.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'
import { setCard } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

/** Deleting accounts and organizations that buy: the plan says what ends, and one transaction ends it. */

let server: TestServer
let shop: Shop
let other: Shop
let plan: string
let storage: string
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  other = await createShop(server)
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
  storage = await other.product([fixedPrice(400)], 'year', 'Storage')
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const nothing = { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }

/** A signed-in person subscribes, for themselves or for the organization that is active. */
async function subscribe(person: Person, at: Shop, product: string) {
  server.clock.advance(1000)
  const checkout = await at.checkout(product)
  const body = { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_success' }
  const path = `/v1/checkouts/client/${checkout.client_secret}/confirm`
  const answer = await person.request('POST', path, { body })
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined })
  const [order] = await at.ordersOf(checkout)
  return { id: order.subscription_id as string, customerId: order.customer_id as string }
}

const planOf = async (person: Person) => (await person.get('/organization/preview-user-deletion')).body.purchases
const statusOf = async (at: Shop, { id }: { id: string }) => (await at.get(`/subscriptions/${id}`)).body.status

/** How many saved cards customers have. */
const cardsOf = async (...ids: string[]) =>
  (
    await ctx()
      .db.selectFrom('paymentMethod')
      .select('id')
      .where('customerId', 'in', ids)
      .where('deletedAt', 'is', null)
      .execute()
  ).length

/** What events told of a customer. */
async function told(customerId: string): Promise<string[]> {
  const rows = await ctx()
    .db.selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('merchantId', 'is not', null)
    .orderBy('id')
    .execute()
  return rows
    .filter(({ payload }) => {
      const { id, customer_id } = JSON.parse(payload ?? '{}')
      return id === customerId || customer_id === customerId
    })
    .map(({ type }) => type)
}

describe('an account that buys', () => {
  test('shows what ends at every seller, and its deletion ends just that, without credit', async () => {
    const person = await provenAccount(server)
    const first = await subscribe(person, shop, plan)
    const second = await subscribe(person, other, storage)
    expect(await planOf(person)).toMatchObject({
      subscriptionCount: 2,
      subscriptions: [
        { id: first.id, product: 'Plan', amount: 900, currency: 'usd', recurringInterval: 'month' },
        { id: second.id, product: 'Storage', amount: 400, recurringInterval: 'year' },
      ],
      paymentMethodCount: 2,
      voided: [],
      due: [],
    })
    const before = (await told(first.customerId)).length

    expect((await person.post('/delete-user', { password: person.password })).status).toBe(200)
    expect([await statusOf(shop, first), await statusOf(other, second)]).toEqual(['canceled', 'canceled'])
    expect(await cardsOf(first.customerId, second.customerId)).toBe(0)
    expect((await shop.get(`/customers/${first.customerId}/balance`)).body.balances).toEqual([])
    // The seller keeps the customer and their orders.
    expect((await shop.get(`/customers/${first.customerId}`)).body).toMatchObject({ user_id: null })
    expect((await told(first.customerId)).slice(before)).toEqual([
      'subscription.updated',
      'subscription.canceled',
      'subscription.revoked',
      'customer.state_changed',
    ])
  })

  test('is charged no more: what its subscriptions owe is voided, and what else it owes stays due', async () => {
    const person = await provenAccount(server)
    const bought = await subscribe(person, shop, plan)
    await setCard(server, shop, 'renewal_decline')
    await pass(server, days(32))
    await person.post('/sign-in/email', { email: person.email, password: person.password })
    expect(await statusOf(shop, bought)).toBe('past_due')
    // An order of a subscription that has ended stays open where it was not voided.
    const ended = await subscribe(person, other, storage)
    await ctx().db.updateTable('order').set({ status: 'pending' }).where('subscriptionId', '=', ended.id).execute()
    await ctx().db.updateTable('subscription').set({ status: 'canceled' }).where('id', '=', ended.id).execute()
    expect(await planOf(person)).toMatchObject({
      subscriptionCount: 1,
      voided: [{ currency: 'usd', count: 1, amount: 900 }],
      due: [{ currency: 'usd', count: 1, amount: 400 }],
    })

    const root = await server.administrator()
    const { body } = await root.request('GET', `/api/auth/admin/preview-user-removal?userId=${person.id}`)
    expect(body.purchases).toEqual(await planOf(person))
    expect((await root.post('/admin/remove-user', { userId: person.id })).status).toBe(200)
    expect(await statusOf(shop, bought)).toBe('canceled')
    const orders = await ctx()
      .db.selectFrom('order')
      .select('status')
      .where('subscriptionId', 'in', [bought.id, ended.id])
      .orderBy('status')
      .execute()
    expect(orders.map(({ status }) => status)).toEqual(['paid', 'pending', 'void'])
    await ctx().db.updateTable('order').set({ status: 'paid' }).where('subscriptionId', '=', ended.id).execute()
    const charges = async () => (await shop.get('/payments?limit=100')).body.pagination.total_count
    const made = await charges()
    await pass(server, days(60))
    expect(await charges()).toBe(made)
  })

  test('keeps all of it where the deletion is refused', async () => {
    const person = await provenAccount(server)
    const bought = await subscribe(person, shop, plan)
    const mate = await server.signedUp('Mate')
    const { id } = await created(person, 'shared-buyer')
    await server.tollgate.api.addMember({ body: { organizationId: id, userId: mate.id, role: 'member' } })
    expect((await person.post('/delete-user', { password: person.password })).status).toBe(400)
    expect([await statusOf(shop, bought), await cardsOf(bought.customerId)]).toEqual(['active', 1])
  })
})

describe('an organization that buys', () => {
  const made = async (slug: string) => {
    const owner = await provenAccount(server)
    const { id } = await created(owner, slug)
    return { owner, id, bought: await subscribe(owner, shop, plan) }
  }
  const preview = async (owner: Person, id: string) =>
    (await owner.get(`/organization/preview-deletion?organizationId=${id}`)).body

  test('ends its subscriptions when its owner deletes it', async () => {
    const { owner, id, bought } = await made('buyer-one')
    expect(await preview(owner, id)).toMatchObject({
      hasSold: false,
      purchases: { subscriptionCount: 1, subscriptions: [{ id: bought.id }], paymentMethodCount: 1 },
    })
    expect((await owner.post('/organization/delete', { organizationId: id })).status).toBe(200)
    expect([await statusOf(shop, bought), await cardsOf(bought.customerId)]).toEqual(['canceled', 0])
  })

  test('ends them when an administrator deletes it', async () => {
    const { id, bought } = await made('buyer-two')
    const root = await server.administrator()
    const { body } = await root.request('GET', `/api/auth/admin/preview-organization-deletion?organizationId=${id}`)
    expect(body.purchases.subscriptions).toMatchObject([{ id: bought.id }])
    expect((await root.post('/admin/delete-organization', { organizationId: id })).status).toBe(200)
    expect(await statusOf(shop, bought)).toBe('canceled')
  })

  test('ends them with the account of its only member, whose plan names them', async () => {
    const { owner, bought } = await made('buyer-three')
    expect(await planOf(owner)).toMatchObject({ subscriptions: [{ id: bought.id }] })
    expect((await owner.post('/delete-user', { password: owner.password })).status).toBe(200)
    expect(await statusOf(shop, bought)).toBe('canceled')
  })

  test('keeps its subscriptions when a member leaves with their account', async () => {
    const { owner, id, bought } = await made('buyer-four')
    const heir = await server.signedUp('Heir')
    await server.tollgate.api.addMember({ body: { organizationId: id, userId: heir.id, role: 'owner' } })
    expect(await planOf(owner)).toEqual(nothing)
    expect((await owner.post('/delete-user', { password: owner.password })).status).toBe(200)
    expect(await statusOf(shop, bought)).toBe('active')
  })
})
