import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { provenAccount } from '../testing/account.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, newBuyer, type OpenCheckout, type Shop } from '../testing/shop.ts'

/** Removing a customer with payments under way (CUS-1). */

let server: TestServer
let shop: Shop
let plan: string
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx

/** A buyer who has to confirm a payment for a subscription. */
async function waitingPayment(person?: Person) {
  const checkout = await shop.checkout(plan)
  const buyer = newBuyer()
  const body = { ...buyer, confirmation_token_id: 'ctoken_sandbox_requires_action' }
  const path = `/v1/checkouts/client/${checkout.client_secret}/confirm`
  const answer = await (person ?? server.visitor()).request('POST', path, { body })
  expect(answer.status).toBe(200)
  const { customerId } = await ctx()
    .db.selectFrom('payment')
    .select('customerId')
    .where('checkoutId', '=', checkout.id)
    .executeTakeFirstOrThrow()
  const secret = answer.body.payment_processor_metadata.intent_client_secret as string
  return { checkout, secret, customerId: customerId!, email: buyer.customer_email }
}

/** The same, but the customer is removed before the buyer confirms. */
async function removedWhileWaiting() {
  const waiting = await waitingPayment()
  expect((await shop.delete(`/customers/${waiting.customerId}`)).status).toBe(204)
  return waiting
}

const act = (secret: string) =>
  server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome: 'succeed' } })

/** Everything of a removed customer that is still alive. */
async function livesOf(customerId: string) {
  const [subscriptions, methods] = await Promise.all([
    ctx()
      .db.selectFrom('subscription')
      .select('id')
      .where('customerId', '=', customerId)
      .where('status', '!=', 'canceled')
      .execute(),
    ctx()
      .db.selectFrom('paymentMethod')
      .select('id')
      .where('customerId', '=', customerId)
      .where('deletedAt', 'is', null)
      .execute(),
  ])
  return [...subscriptions, ...methods]
}

/** Removes a customer while the processor confirms the payment that the removal is about to cancel. */
async function removeAndPay(customerId: string, secret: string): Promise<void> {
  const { sandbox } = ctx().payments
  const { cancel } = sandbox
  const giveUp = vi.spyOn(sandbox, 'cancel').mockImplementationOnce(async (paymentId) => {
    await act(secret)
    return cancel(paymentId)
  })
  expect((await shop.delete(`/customers/${customerId}`)).status).toBe(204)
  await ctx().jobs.runDue()
  expect(giveUp).toHaveBeenCalledOnce()
  giveUp.mockRestore()
}

async function newOwnerOf(checkout: OpenCheckout) {
  const [order] = await shop.ordersOf(checkout)
  const { body } = await shop.get(`/subscriptions/${order.subscription_id}`)
  return { order, subscription: body, customer: (await shop.get(`/customers/${order.customer_id}`)).body }
}

describe('a payment that waits for its buyer', () => {
  test('is given up when its customer is removed: nothing is charged by it any more, and the checkout is open again', async () => {
    const { checkout, secret, customerId } = await removedWhileWaiting()

    await ctx().jobs.runDue()
    await act(secret)
    await ctx().jobs.runDue()

    const [payment] = await shop.paymentsOf(checkout)
    expect([payment.status, await shop.statusOf(checkout)]).toEqual(['failed', 'open'])
    expect([await shop.ordersOf(checkout), await livesOf(customerId)]).toEqual([[], []])
    const jobs = await ctx().db.selectFrom('job').select('id').where('payload', '=', payment.id).execute()
    expect(jobs).toEqual([])
  })

  test('and is paid before the server abandons it buys for a new customer; nothing of the old one lives', async () => {
    const { checkout, secret, customerId, email } = await waitingPayment()

    await removeAndPay(customerId, secret)

    const { order, subscription, customer } = await newOwnerOf(checkout)
    expect(customer).toMatchObject({ email, deleted_at: null })
    expect([order.status, subscription.status, subscription.customer_id]).toEqual(['paid', 'active', customer.id])
    expect([customer.id === customerId, await livesOf(customerId)]).toEqual([false, []])
    expect((await shop.delete(`/customers/${customer.id}`)).status).toBe(204)
    expect((await shop.get(`/subscriptions/${subscription.id}`)).body.status).toBe('canceled')
  })

  test('of an account buys for that account’s new customer', async () => {
    const ada = await provenAccount(server, 'Ada')
    const { checkout, secret, customerId } = await waitingPayment(ada)

    await removeAndPay(customerId, secret)

    expect((await newOwnerOf(checkout)).customer).toMatchObject({ email: ada.email, user_id: ada.id })
  })
})

test('a payment that succeeds while its customer is removed is either ended with them, or a new customer’s', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { checkout, secret, customerId } = await waitingPayment()
    await act(secret)

    await Promise.all([ctx().jobs.runDue(), shop.delete(`/customers/${customerId}`)])

    expect(await livesOf(customerId)).toEqual([])
    expect((await shop.ordersOf(checkout)).map(({ status }) => status)).toEqual(['paid'])
  }
})
