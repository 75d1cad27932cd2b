import { type BillingCall, billingCalls } from '@tollgate/contract/billing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUuid } from '../../foundation/ids.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { createTestMerchant, type TestMerchant } from './testing/merchant.ts'

/** Calls that an impersonating administrator may not make (security, §0): deletions, sign-ins, refunds, charges. */

let server: TestServer
let merchant: TestMerchant
let root: Person

beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
  root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: merchant.owner.id, reason: 'Support' })
})
afterAll(() => server[Symbol.asyncDispose]())

const calls: readonly (readonly [string, BillingCall])[] = Object.entries(billingCalls)
const own = calls.filter(([, { own }]) => own)
const ask = (person: Person, { method, path }: Pick<BillingCall, 'method' | 'path'>, id: string = newUuid()) =>
  person.request(method, `/v1${path.replace(/:\w+/g, id)}?organization_id=${merchant.organizationId}`, {
    ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
  })

/** Calls that choose where an organization's events go, or that show the signing secret. */
const lettingOut = ['createWebhookEndpoint', 'updateWebhookEndpoint', 'rotateWebhookSecret']

/** Calls that charge saved cards. */
const charging = [
  'createSubscription',
  'updateSubscription',
  'pauseSubscription',
  'resumeSubscription',
  'setSubscriptionSchedule',
  'createPriceChange',
  'decideMissedPeriods',
  'makeDefaultCustomerPaymentMethod',
]

/** Calls that decide about money that no card pays. */
const deciding = ['cancelPriceChange', 'voidOrder', 'markOrderPaid', 'changeCustomerBalance']

test('every call that deletes, opens a portal, refunds, charges, decides about money, sends data out, or needs a person is reserved for its owner', () => {
  const wanted = calls.filter(
    ([name, { method, auth }]) =>
      // Customers call by a token, never by a session.
      (method === 'DELETE' && auth !== 'customer') ||
      [...lettingOut, ...charging, ...deciding, 'createCustomerSession', 'createRefund'].includes(name) ||
      (auth === 'user' && method !== 'GET'),
  )

  expect(own.map(([name]) => name)).toEqual(wanted.map(([name]) => name))
})

test.each(own)('%s is refused', async (_, call) => {
  const { status, body } = await ask(root, call)

  expect([status, body.error]).toEqual([403, 'NotAllowedWhileImpersonating'])
  // Without impersonation the same call fails only because the object is missing.
  expect((await ask(merchant.owner, call)).body.error).not.toBe('NotAllowedWhileImpersonating')
})

test('a customer stays, and reading goes on', async () => {
  const { body: customer } = await merchant.post('/customers', { email: 'kept@example.com' })

  expect((await ask(root, billingCalls.deleteCustomer, customer.id)).status).toBe(403)
  expect((await ask(root, billingCalls.getCustomer, customer.id)).body.id).toBe(customer.id)
})
