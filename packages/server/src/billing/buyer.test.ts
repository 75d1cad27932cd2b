import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '../db/tables.ts'
import { createTestServer, type Person, type TestServer } from '../testing.ts'
import { admitBuyer, type Buyer } from './customer.service.ts'
import { createTestMerchant, type TestMerchant } from './testing/merchant.ts'

/** Who is the customer of a confirmed checkout (CHK-15): the service that confirming calls, in a transaction of its own. */

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
    ...given,
  }
}
const admit = (given: Buyer) => {
  const { ctx } = server.tollgate.internals
  return ctx.transaction((tx) => admitBuyer(ctx, tx, given))
}
const read = async (id: string) => (await merchant.get(`/customers/${id}`)).body
const told = async (id: string) => {
  const { db } = server.tollgate.internals.ctx
  const rows = await db.selectFrom('event').select(['type', 'payload']).where('type', 'like', 'customer.%').execute()
  return rows.filter(({ payload }) => JSON.parse(payload!).id === id).map(({ type }) => type)
}

/** Somebody whose account has proven its address. */
async function proven(): Promise<Person> {
  const person = await server.signedUp('Proven')
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', person.id).execute(),
  )
  return person
}

const address = { line1: null, line2: null, postalCode: null, city: null, state: null, country: 'DE' }

test('who has never bought becomes a customer with all that they said', async () => {
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

test('who has bought is known by the address, and what they say now is copied; what they leave out stays', async () => {
  const first = await admit(buyer({ name: 'Ada', billingAddress: address, metadata: { a: 1, b: 1 } }))

  const second = await admit(buyer({ email: ` ${first.email.toUpperCase()}`, name: 'Ada L.', metadata: { b: 2 } }))

  expect(second.id).toBe(first.id)
  expect(await read(first.id)).toMatchObject({
    email: first.email,
    name: 'Ada L.',
    billing_address: { country: 'DE' },
    metadata: { a: 1, b: 2 },
  })
  expect(await told(first.id)).toEqual(['customer.created', 'customer.updated'])
  await admit(buyer({ email: first.email }))
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

test('who was removed buys as somebody new', async () => {
  const first = await admit(buyer({ externalId: 'gone' }))
  await merchant.delete(`/customers/${first.id}`)

  const second = await admit(buyer({ customerId: first.id, externalId: 'gone', email: first.email }))

  expect(second.id).not.toBe(first.id)
})

test('a signed-in buyer is linked, and is the same customer the next time, whatever address they type', async () => {
  const person = await server.signedUp('Buyer')

  const first = await admit(buyer({ userId: person.id }))
  const second = await admit(buyer({ userId: person.id }))

  expect([first.userId, second.id]).toEqual([person.id, first.id])
})

test('who buys for an organization makes it the customer', async () => {
  const { organizationId } = await createTestMerchant(server)

  const first = await admit(buyer({ buyerOrganizationId: organizationId, userId: merchant.owner.id }))
  const second = await admit(buyer({ buyerOrganizationId: organizationId, userId: null }))

  expect([first.buyerOrganizationId, first.userId, second.id]).toEqual([organizationId, null, first.id])
})

test('typing the address of somebody else does not make their customer one’s own', async () => {
  const [victim, stranger] = [await admit(buyer()), await server.signedUp('Stranger')]
  const { organizationId } = await createTestMerchant(server)

  const asUser = await admit(buyer({ email: victim.email, userId: stranger.id }))
  const asOrganization = await admit(buyer({ email: victim.email, buyerOrganizationId: organizationId }))

  for (const found of [asUser, asOrganization])
    expect([found.id, found.userId, found.buyerOrganizationId]).toEqual([victim.id, null, null])
})

test('whoever has proven the address, or was named by the seller, is linked to the customer that there is', async () => {
  const person = await proven()
  const [own, named] = [await admit(buyer({ email: person.email })), await admit(buyer({ externalId: 'named-one' }))]
  const stranger = await server.signedUp('Named')

  expect((await admit(buyer({ email: person.email, userId: person.id }))).userId).toBe(person.id)
  expect((await admit(buyer({ externalId: 'named-one', userId: stranger.id }))).id).toBe(named.id)
  expect((await read(named.id)).user_id).toBe(stranger.id)
  expect((await read(own.id)).email_verified).toBe(false)
})

test('an address that an account has proven counts as proven for a new customer', async () => {
  const person = await proven()

  expect((await admit(buyer({ email: person.email, userId: person.id }))).emailVerified).toBe(true)
})

test('many buyers with one address at the same moment are one customer', async () => {
  const { email } = buyer()

  const admitted = await Promise.all(
    Array.from({ length: 10 }, (_, index) => admit(buyer({ email, name: `N${index}` }))),
  )

  expect(new Set(admitted.map(({ id }) => id)).size).toBe(1)
})

test('metadata never grows beyond what is allowed', async () => {
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key${index}`, index]))
  const first = await admit(buyer({ metadata: many }))

  const second = await admit(buyer({ email: first.email, metadata: { key0: 'new', one: 1, two: 2 } }))

  const { metadata } = await read(second.id)
  expect(Object.keys(metadata)).toHaveLength(50)
  expect(metadata).toMatchObject({ key0: 'new', key48: 48 })
  expect(toJson(metadata)).toContain('one')
})
