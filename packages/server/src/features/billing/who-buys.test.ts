import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours } from '../../foundation/clock.ts'
import { sha256 } from '../../foundation/token.ts'
import { dataOf, page } from '../../pages/testing/forms.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { provenAccount } from './testing/account.ts'
import { faultsInBooks } from './testing/books.ts'
import { createShop, fixedPrice, freePrice, newBuyer, type OpenCheckout, type Shop } from './testing/shop.ts'

/** Matching buyers to customers: what a typed address grants and reveals, and what only a proven one does. */

let server: TestServer
let shop: Shop
let gift: string
let newsletter: string
let plan: string
let book: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  gift = await shop.product([freePrice], null, 'Gift')
  newsletter = await shop.product([freePrice], 'month', 'Newsletter')
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
  book = await shop.product([fixedPrice(1900)], null, 'Book')
})
afterAll(async () => {
  expect(await faultsInBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const db = () => server.tollgate.internals.ctx.db

/** A signed-in person buys, with an address of their choice. */
async function buyAs(person: Person, product: string, given: object = {}) {
  const checkout = await shop.checkout(product)
  const answer = await person.request('POST', `/v1/checkouts/client/${checkout.client_secret}/confirm`, {
    body: { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_success', ...given },
  })
  const [order] = answer.status === 200 ? await shop.ordersOf(checkout) : []
  return { answer, checkout, order }
}

/** Whether the session token of a purchase opens the portal. */
async function isUsable(answer: { body: { customer_session_token: string } }): Promise<boolean> {
  const row = await db()
    .selectFrom('customerSession')
    .select('id')
    .where('tokenHash', '=', sha256(answer.body.customer_session_token))
    .executeTakeFirst()
  return row !== undefined
}

const receiptOf = async ({ client_secret }: OpenCheckout) =>
  (dataOf(await page(server.visitor(), `/checkout/${client_secret}/confirmation`)) as { receipt: { buyer: object } })
    .receipt
const subscribedTo = async (person: Person): Promise<string[]> =>
  (await person.request('GET', `/v1/storefronts/${shop.slug}`)).body.current_product_ids

let victims = 0
/** A customer with many stored details. */
async function victim(given: object = {}) {
  victims += 1
  const { body } = await shop.post('/customers', {
    email: `victim-${victims}@example.com`,
    name: 'Victim',
    billing_name: 'Victim GmbH',
    billing_address: { country: 'DE', line1: 'Secret Street 7', city: 'Berlin', postal_code: '10115' },
    tax_id: ['DE136695976', 'eu_vat'],
    ...given,
  })
  return body
}

describe('an order and its receipt', () => {
  test.each(['of what is free', 'of what is paid'])(
    '%s show who typed an address no more than they typed',
    async (what) => {
      const { email } = await victim()
      const checkout = await shop.checkout(what === 'of what is free' ? gift : book)
      const typed = { customer_email: email, customer_name: 'Mallory', customer_billing_address: { country: 'FR' } }
      await shop.confirm(checkout, what === 'of what is free' ? { ...typed, customer_billing_address: null } : typed)

      const [order] = await shop.ordersOf(checkout)
      const receipt = await receiptOf(checkout)

      expect([order.billing_name, order.billing_address?.line1 ?? null]).toEqual(['Mallory', null])
      expect(receipt.buyer).toMatchObject({ name: 'Mallory', email, taxId: null })
      expect(JSON.stringify(receipt)).not.toMatch(/Secret Street|136695976|Victim/)
    },
  )

  test('of a customer whom the seller has named have their known data', async () => {
    const { id, email } = await victim()
    const checkout = await shop.checkout(gift, { customer_id: id })
    await server.visitor().request('POST', `/v1/checkouts/client/${checkout.client_secret}/confirm`, { body: {} })

    expect((await receiptOf(checkout)).buyer).toMatchObject({
      name: 'Victim GmbH',
      email,
      billingAddress: { line1: 'Secret Street 7' },
      taxId: 'DE136695976',
    })
  })

  test('of the customer’s signed-in user have their earlier input', async () => {
    const ada = await provenAccount(server, 'Ada')
    const address = { country: 'DE', line1: 'Own Street 1', city: 'Berlin', postal_code: '10115' }
    await buyAs(ada, book, { customer_email: ada.email, customer_billing_address: address })

    const { order } = await buyAs(ada, gift, { customer_billing_address: null, customer_name: null })

    expect(order.billing_address).toMatchObject({ line1: 'Own Street 1' })
  })
})

describe('a customer whose address a stranger types', () => {
  test.each(['gift', 'book'])('keeps everything that the seller knows of them: %s', async (what) => {
    const known = await victim()
    const { client_secret } = await shop.checkout(what === 'gift' ? gift : book)
    const typed = {
      ...newBuyer(),
      customer_email: known.email,
      customer_name: 'Mallory',
      customer_billing_name: 'Mallory Inc.',
      customer_billing_address: { country: 'FR', line1: 'Elsewhere 1', city: 'Paris', postal_code: '75001' },
      customer_tax_id: 'FR40303265045',
    }
    const stranger = server.visitor()
    await stranger.request('PATCH', `/v1/checkouts/client/${client_secret}`, { body: typed })
    const answer = await stranger.request('POST', `/v1/checkouts/client/${client_secret}/confirm`, {
      body: { ...typed, confirmation_token_id: 'ctoken_sandbox_success' },
    })

    expect(answer.status).toBe(200)
    expect((await shop.get(`/customers/${known.id}`)).body).toEqual(known)
    const { items } = (await shop.get(`/orders?customer_id=${known.id}`)).body
    expect(items).toMatchObject([{ billing_name: 'Mallory Inc.', billing_address: { country: 'FR' } }])
  })
})

describe('an account', () => {
  test('that buys with another user’s address does not become that customer, nor keeps its owner from it', async () => {
    const [mallory, alice] = [await provenAccount(server, 'Mallory'), await provenAccount(server, 'Alice')]
    const squat = await buyAs(mallory, gift, { customer_email: alice.email })

    const bought = await buyAs(alice, plan, { customer_email: alice.email })
    const again = await buyAs(mallory, gift, { customer_email: alice.email })

    expect([squat.order.customer.email, bought.order.customer.email]).toEqual([mallory.email, alice.email])
    expect(again.order.customer_id).toBe(squat.order.customer_id)
    expect([await subscribedTo(mallory), await subscribedTo(alice)]).toEqual([[], [plan]])
    expect([await isUsable(squat.answer), await isUsable(bought.answer)]).toEqual([true, true])
  })

  test('that has proven no address is linked to nothing, and opens nothing', async () => {
    const [mallory, { id, email }] = [await server.signedUp('Mallory'), await victim()]

    const { answer, order } = await buyAs(mallory, newsletter, { customer_email: email })

    expect([order.customer_id, order.customer.user_id, await isUsable(answer)]).toEqual([id, null, false])
    expect(await subscribedTo(mallory)).toEqual([])
  })

  test('is one customer and has one subscription, however many it asks for at the same moment', async () => {
    const ada = await provenAccount(server, 'Ada')

    const bought = await Promise.all(Array.from({ length: 6 }, () => buyAs(ada, newsletter)))

    expect(bought.map(({ answer }) => answer.status).toSorted()).toEqual([200, 403, 403, 403, 403, 403])
    const customers = await db().selectFrom('customer').select('id').where('userId', '=', ada.id).execute()
    expect(customers).toHaveLength(1)
  })

  test('becomes one of two customers whom the seller has named, at the same moment', async () => {
    const ada = await provenAccount(server, 'Ada')
    const { body: own } = await shop.post('/customers', { email: ada.email })
    const checkouts = [await shop.checkout(gift, { customer_id: own.id }), await shop.checkout(gift)]

    const answers = await Promise.all(
      checkouts.map(({ client_secret }) =>
        ada.request('POST', `/v1/checkouts/client/${client_secret}/confirm`, { body: newBuyer() }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const linked = await db().selectFrom('customer').select('id').where('userId', '=', ada.id).execute()
    expect(linked).toHaveLength(1)
  })
})

test('a checkout with a typed address of an account does not change the account’s payment method', async () => {
  const ada = await provenAccount(server, 'Ada')
  const { order } = await buyAs(ada, gift)
  const methods = async () =>
    (await shop.get(`/customers/${order.customer_id}`)).body.default_payment_method_id as string | null

  const typed = await shop.confirm(await shop.checkout(plan), { customer_email: ada.email })

  expect([typed.status, await methods()]).toEqual([200, null])
  const { items } = (await shop.get(`/subscriptions?customer_id=${order.customer_id}`)).body
  expect(items).toHaveLength(1)
})

describe('a portal session of a user who typed a new address', () => {
  test('is one’s, of many at the same moment', async () => {
    const given = newBuyer()
    const checkouts = await Promise.all(Array.from({ length: 5 }, () => shop.checkout(gift)))

    const answers = await Promise.all(checkouts.map((checkout) => shop.confirm(checkout, given)))

    const usable = await Promise.all(answers.map(isUsable))
    expect(usable.filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('ends when another user buys with that address', async () => {
    const given = newBuyer()
    const squat = await shop.confirm(await shop.checkout(gift), given)
    expect(await isUsable(squat)).toBe(true)

    await shop.confirm(await shop.checkout(book), given)

    expect(await isUsable(squat)).toBe(false)
  })

  test('ends when the address’s owner arrives; the owner’s does not end by other purchases', async () => {
    const alice = await provenAccount(server, 'Alice')
    const squat = await shop.confirm(await shop.checkout(gift), { customer_email: alice.email })

    const { answer, order } = await buyAs(alice, book)
    await shop.confirm(await shop.checkout(gift), { customer_email: alice.email })

    expect(order.customer.user_id).toBe(alice.id)
    expect([await isUsable(squat), await isUsable(answer)]).toEqual([false, true])
  })
})

describe('a free subscription that a stranger has begun with an address', () => {
  test.each(['before', 'after'])('%s its owner was a customer becomes what the owner buys', async (when) => {
    const alice = await provenAccount(server, 'Alice')
    if (when === 'after') await buyAs(alice, gift)
    const typed = { customer_email: alice.email }
    const squat = await shop.confirm(await shop.checkout(newsletter), typed)
    expect(squat.status).toBe(200)
    const checkout = await shop.checkout(plan)
    const look = { body: typed }
    const changed = await alice.request('PATCH', `/v1/checkouts/client/${checkout.client_secret}`, look)

    const { answer, order } = await buyAs(alice, plan)

    expect([changed.status, answer.status, order.billing_reason]).toEqual([200, 200, 'subscription_update'])
    const { items } = (await shop.get(`/subscriptions?customer_id=${order.customer_id}&active=true`)).body
    expect(items.map((each: { product_id: string }) => each.product_id)).toEqual([plan])
    expect((await buyAs(alice, plan)).answer.status).toBe(403)
  })

  test('belongs to its owner once they have taken it over, even at a price of zero', async () => {
    const alice = await provenAccount(server, 'Alice')
    const gazette = await shop.product([freePrice], 'month', 'Gazette')
    await shop.confirm(await shop.checkout(newsletter), { customer_email: alice.email })
    const { answer, order } = await buyAs(alice, gazette)
    expect([answer.status, order.billing_reason]).toEqual([200, 'subscription_update'])

    expect((await buyAs(alice, plan)).answer.status).toBe(403)
  })

  test('keeps every other user with that address from a second one', async () => {
    const given = newBuyer()
    await shop.confirm(await shop.checkout(newsletter), given)

    expect((await shop.confirm(await shop.checkout(plan), given)).status).toBe(403)
  })

  test('differs from one that the owner has begun, or a user pays for', async () => {
    const [alice, bob] = [await provenAccount(server, 'Alice'), await provenAccount(server, 'Bob')]
    await buyAs(alice, newsletter)
    await shop.confirm(await shop.checkout(plan), { customer_email: bob.email })

    expect((await buyAs(alice, plan)).answer.status).toBe(403)
    expect((await buyAs(bob, newsletter)).answer.status).toBe(403)
  })
})

describe('the limit of a discount for each customer (DIS-9)', () => {
  const once = () => shop.discount({ max_redemptions_per_customer: 1, basis_points: 9000 })
  const withCode = (code: string) => ({ discount_code: code })

  test('counts an account, whatever addresses it types', async () => {
    const [ada, { code }] = [await provenAccount(server, 'Ada'), await once()]

    const statuses: number[] = []
    for (let round = 0; round < 3; round += 1) statuses.push((await buyAs(ada, book, withCode(code))).answer.status)

    expect(statuses).toEqual([200, 422, 422])
  })

  test('counts whom the seller knows, at the same moment, too', async () => {
    const { code } = await once()
    const named = { customer_external_id: 'ext-9' }
    const checkouts = await Promise.all(Array.from({ length: 3 }, () => shop.checkout(book, named)))

    const answers = await Promise.all(checkouts.map((checkout) => shop.confirm(checkout, withCode(code))))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })

  test('counts an address, whatever customer it belongs to now', async () => {
    const { code } = await once()
    const given = { ...newBuyer(), ...withCode(code) }
    const first = await shop.confirm(await shop.checkout(book), given)
    const { customer_id } = (await shop.get(`/checkouts/${first.body.id}`)).body
    await shop.delete(`/customers/${customer_id}`)

    expect((await shop.confirm(await shop.checkout(book), given)).status).toBe(422)
  })
})

test('a session of the portal lasts an hour, also one that is not proven', async () => {
  await shop.confirm(await shop.checkout(gift))
  const { expiresAt } = await db()
    .selectFrom('customerSession')
    .select('expiresAt')
    .where('isUnproven', '=', true)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

  expect(expiresAt.getTime() - server.clock.now().getTime()).toBe(hours(1))
})
