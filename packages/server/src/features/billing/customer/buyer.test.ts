import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { provenAccount } from '../testing/account.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { admitBuyer, type Buyer } from './buyer.service.ts'

/** Finding the customer of a confirmed checkout (CHK-15), called directly in a transaction. */

let server: TestServer
let merchant: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

let buyers = 0
const buyer = (given: Partial<Buyer> = {}): Buyer => {
  buyers += 1
  return {
    organizationId: merchant.organizationId,
    customerId: null,
    externalId: null,
    email: `Buyer${buyers}@example.com`,
    name: null,
    billingName: null,
    billingAddress: null,
    taxId: null,
    metadata: {},
    userId: null,
    buyerOrganizationId: null,
    provenEmail: null,
    ...given,
  }
}
const admitted = (given: Buyer) => {
  const { ctx } = server.tollgate.internals
  return ctx.transaction((tx) => admitBuyer(ctx, tx, given))
}
const admit = async (given: Buyer) => (await admitted(given)).customer
const read = async (id: string) => (await merchant.get(`/customers/${id}`)).body
const told = async (id: string) => {
  const { db } = server.tollgate.internals.ctx
  const rows = await db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('type', 'like', 'customer.%')
    .orderBy('id')
    .execute()
  return rows.filter(({ payload }) => JSON.parse(payload!).id === id).map(({ type }) => type)
}

const proven = () => provenAccount(server)

const address = { line1: null, line2: null, postalCode: null, city: null, state: null, country: 'DE' }

test('a first-time buyer becomes a customer with all their input', async () => {
  const given = buyer({
    externalId: 'new-one',
    name: 'Ada',
    billingName: 'Engines',
    billingAddress: address,
    taxId: ['DE136695976', 'eu_vat'],
    metadata: { from: 'checkout' },
  })

  const { id } = await admit(given)

  expect(await read(id)).toMatchObject({
    email: given.email,
    external_id: 'new-one',
    name: 'Ada',
    billing_name: 'Engines',
    billing_address: { country: 'DE' },
    tax_id: ['DE136695976', 'eu_vat'],
    metadata: { from: 'checkout' },
    email_verified: false,
  })
  expect(await told(id)).toEqual(['customer.created'])
})

test('a typed address finds its customer, who stays as they are', async () => {
  const first = await admit(buyer({ name: 'Ada', billingAddress: address, metadata: { a: 1, b: 1 } }))

  const second = await admitted(
    buyer({
      email: ` ${first.email.toUpperCase()}`,
      name: 'Mallory',
      billingName: 'Mallory Inc.',
      billingAddress: { ...address, country: 'FR' },
      taxId: ['DE136695976', 'eu_vat'],
      metadata: { b: 2, c: 3 },
    }),
  )

  expect(second).toMatchObject({ isNew: false, isKnown: false, customer: { id: first.id } })
  expect(await read(first.id)).toMatchObject({
    email: first.email,
    name: 'Ada',
    billing_name: null,
    billing_address: { country: 'DE' },
    tax_id: null,
    metadata: { a: 1, b: 1 },
    modified_at: null,
  })
  expect(await told(first.id)).toEqual(['customer.created'])
})

test('the input of a buyer whom the seller has named is copied; omitted fields stay', async () => {
  const named = { externalId: 'copied' }
  const first = await admit(buyer({ ...named, name: 'Ada', billingAddress: address, metadata: { a: 1, b: 1 } }))

  await admit(buyer({ ...named, name: 'Ada L.', metadata: { b: 2 } }))

  expect(await read(first.id)).toMatchObject({
    email: first.email,
    name: 'Ada L.',
    billing_address: { country: 'DE' },
    metadata: { a: 1, b: 2 },
  })
  expect(await told(first.id)).toEqual(['customer.created', 'customer.updated'])
  await admit(buyer(named))
  expect(await told(first.id)).toHaveLength(2)
})

test('the seller’s word goes before the address: first our id, then the seller’s own', async () => {
  const [byId, byExternal, byAddress] = [
    await admit(buyer()),
    await admit(buyer({ externalId: 'known-one' })),
    await admit(buyer()),
  ]

  const found = async (given: Partial<Buyer>) => (await admit(buyer({ email: byAddress.email, ...given }))).id

  expect(await found({ customerId: byId.id, externalId: 'known-one' })).toBe(byId.id)
  expect(await found({ externalId: 'known-one' })).toBe(byExternal.id)
  expect(await found({ externalId: 'unknown-one' })).toBe(byAddress.id)
  expect((await read(byAddress.id)).external_id).toBeNull()
})

test('a removed customer buys as a new one', async () => {
  const first = await admit(buyer({ externalId: 'gone' }))
  await merchant.delete(`/customers/${first.id}`)

  const second = await admit(buyer({ customerId: first.id, externalId: 'gone', email: first.email }))

  expect(second.id).not.toBe(first.id)
})

/** A signed-in buyer whose account has proven the address. */
const signedIn = ({ id, email }: Person, given: Partial<Buyer> = {}) =>
  buyer({ userId: id, provenEmail: email, ...given })

test('a signed-in buyer is a customer under the account’s address, whatever address they type', async () => {
  const person = await proven()

  const first = await admitted(signedIn(person))
  const second = await admitted(signedIn(person, { name: 'Ada' }))

  expect(first).toMatchObject({ isNew: true, isKnown: true })
  expect(first.customer).toMatchObject({ userId: person.id, email: person.email, emailVerified: true })
  expect(second).toMatchObject({ isNew: false, isKnown: true, customer: { id: first.customer.id, name: 'Ada' } })
})

test('an account that has proven no address is linked to nothing', async () => {
  const person = await server.signedUp('Unproven')

  const bought = await admitted(buyer({ userId: person.id, email: person.email }))

  expect(bought).toMatchObject({ isNew: true, isKnown: false, customer: { userId: null, email: person.email } })
})

test('who buys for an organization makes it a customer beside their own', async () => {
  const { organizationId, owner } = await createTestMerchant(server)
  const own = await admit(signedIn(owner))

  const first = await admit(signedIn(owner, { userId: null, buyerOrganizationId: organizationId }))
  const second = await admitted(buyer({ buyerOrganizationId: organizationId }))

  expect([first.buyerOrganizationId, first.userId, first.email]).toEqual([organizationId, null, owner.email])
  expect(second).toMatchObject({ isKnown: true, customer: { id: first.id } })
  expect(own.id).not.toBe(first.id)
  expect((await admit(buyer({ email: owner.email }))).id).toBe(own.id)
})

test('typing an address takes over no customer, and the event marks them as unknown', async () => {
  const [victim, stranger, unproven] = [await admit(buyer()), await proven(), await server.signedUp('Stranger')]
  const { organizationId } = await createTestMerchant(server)

  const asUser = await admit(signedIn(stranger, { email: victim.email }))
  const asOrganization = await admit(
    buyer({ email: victim.email, buyerOrganizationId: organizationId, provenEmail: 'ceo@example.com' }),
  )
  const asNobody = await admitted(buyer({ email: victim.email, userId: unproven.id }))

  expect([asUser.email, asOrganization.email]).toEqual([stranger.email, 'ceo@example.com'])
  expect(asNobody).toMatchObject({ isKnown: false, customer: { id: victim.id, userId: null } })
})

test('of a customer who is an account’s nothing changes by a typed address', async () => {
  const person = await proven()
  const { id } = await admit(signedIn(person, { name: 'Ada', billingAddress: address }))

  const typed = await admitted(
    buyer({ email: person.email, name: 'Mallory', billingName: 'Mallory Inc.', metadata: { a: 1 } }),
  )

  expect(typed).toMatchObject({ isNew: false, isKnown: false, customer: { id, name: 'Ada' } })
  expect(await read(id)).toMatchObject({ name: 'Ada', billing_name: null, metadata: {}, modified_at: null })
  expect(await told(id)).toEqual(['customer.created'])
})

test('a user who proves an address takes over its purchases', async () => {
  const person = await proven()
  const own = await admit(buyer({ email: person.email }))

  expect(await admitted(signedIn(person, { email: 'other@example.com' }))).toMatchObject({
    isNew: false,
    isKnown: true,
    customer: { id: own.id, userId: person.id },
  })
})

test('a customer whom the seller has named is linked only to the account with the same address', async () => {
  const [owner, other] = [await proven(), await proven()]
  const named = await admit(buyer({ email: owner.email, externalId: 'named-one' }))

  const bySomebody = await admitted(signedIn(other, { externalId: 'named-one' }))
  const byOwner = await admitted(signedIn(owner, { externalId: 'named-one' }))

  expect(bySomebody).toMatchObject({ isKnown: true, customer: { id: named.id, userId: null } })
  expect(byOwner).toMatchObject({ isKnown: true, customer: { id: named.id, userId: owner.id } })
})

test('an account is one customer of a seller, also where the seller has named another one', async () => {
  const person = await proven()
  const own = await admit(signedIn(person))
  const { body } = await merchant.post('/customers', { email: 'named-other@example.com', external_id: 'named-other' })

  const named = await admit(signedIn(person, { externalId: 'named-other', provenEmail: body.email }))

  expect([named.id, named.userId, own.userId]).toEqual([body.id, null, person.id])
})

test('many purchases of one account at the same moment are one customer', async () => {
  const person = await proven()

  const made = await Promise.all(Array.from({ length: 6 }, () => admitted(signedIn(person))))

  expect(new Set(made.map(({ customer }) => customer.id)).size).toBe(1)
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
})

test('an account that is deleted leaves customers who share an address', async () => {
  const person = await proven()
  await admit(signedIn(person))
  const beside = await merchant.post('/customers', { email: person.email })
  expect(beside.status).toBe(422)
  const { organizationId } = await createTestMerchant(server)
  await admit(signedIn(person, { userId: null, buyerOrganizationId: organizationId }))

  expect((await person.post('/delete-user', { password: person.password })).status).toBe(200)

  expect(await admitted(buyer({ email: person.email }))).toMatchObject({ isNew: false, isKnown: false })
})

test('many buyers with one address at the same moment are one customer', async () => {
  const { email } = buyer()

  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) => admitted(buyer({ email, name: `N${index}` }))),
  )

  expect(new Set(made.map(({ customer }) => customer.id)).size).toBe(1)
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
})

test('metadata never grows beyond the limit', async () => {
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key${index}`, index]))
  await admit(buyer({ externalId: 'many-keys', metadata: many }))

  const second = await admit(buyer({ externalId: 'many-keys', metadata: { key0: 'new', one: 1, two: 2 } }))

  const { metadata } = await read(second.id)
  expect(Object.keys(metadata)).toHaveLength(50)
  expect(metadata).toMatchObject({ key0: 'new', key48: 48 })
  expect(metadata).toHaveProperty('one')
})
