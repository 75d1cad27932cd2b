import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOfBooks } from '../../packages/server/src/features/billing/books/books.service.ts'
import { createShop } from '../../packages/server/src/features/billing/testing/shop.ts'
import { moveClock } from '../../packages/server/src/features/dev/move-clock.ts'
import type { TestServer } from '../../packages/server/src/testing.ts'
import { createListeningServer } from './listening-server.ts'
import { type PolarClient, type PolarPortal, polarVersions } from './polar-clients.ts'

/** The saved payment methods of a subscriber, as both generations of the client manage them. */

let server: TestServer

beforeAll(async () => {
  server = await createListeningServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server?.[Symbol.asyncDispose]()
})

const card = (name: string, set_default = false) => ({
  confirmation_token_id: `ctoken_sandbox_${name}`,
  set_default,
  return_url: 'https://example.com/account',
})

describe.each(polarVersions)('$name', (version) => {
  let polar: PolarClient
  let portal: PolarPortal
  let customer: string
  let subscription: string

  /** A portal session lasts an hour. */
  async function openPortal() {
    const { token } = await polar.create('customerSessions', { customer_id: customer })
    portal = version.portal(server.baseURL, token)
  }
  const idsOf = async () => (await portal.listMethods()).items.map(({ id }: { id: string }) => id)

  beforeAll(async () => {
    polar = version.client(server.baseURL, (await createShop(server)).token)
    const { id: plan } = await polar.create('products', {
      name: 'Plan',
      recurring_interval: 'month',
      prices: [{ amount_type: 'fixed', price_amount: 2000, price_currency: 'usd' }],
    })
    const checkout = await polar.create('checkouts', { products: [plan], customer_email: 'buyer@example.com' })
    await polar.confirmClientCheckout(checkout.client_secret, {
      customer_name: 'A buyer',
      customer_billing_address: { country: 'DE' },
      confirmation_token_id: 'ctoken_sandbox_renewal_decline',
    })
    const { items } = await polar.list('subscriptions')
    subscription = items[0].id
    customer = items[0].customer_id
    await openPortal()
  })

  test('the customer sees themselves and the method that they paid with', async () => {
    const [only, ...others] = (await portal.listMethods()).items

    expect(others).toEqual([])
    expect(only).toMatchObject({ type: 'card' })
    expect(await portal.getMe()).toMatchObject({ id: customer, email: 'buyer@example.com', oauth_accounts: {} })
    const changed = await portal.updateMe({ billing_address: { country: 'FR' } })
    expect(changed.billing_address).toMatchObject({ country: 'FR' })
  })

  test('the last method of a subscription is not removed (SUB-20), and no foreign one is', async () => {
    const [only] = await idsOf()

    const refused = version.problemOf(await portal.removeMethod(only).catch((error) => error))
    const missing = version.problemOf(await portal.removeMethod(crypto.randomUUID()).catch((error) => error))

    expect(refused.name).toMatch(/^(PaymentMethodInUseByActiveSubscription|SDKError)$/)
    expect(missing.name).toBe('ResourceNotFound')
    expect(await idsOf()).toEqual([only])
  })

  test('a declined card is refused, and one that needs its owner says so', async () => {
    const before = await idsOf()

    const declined = version.problemOf(await portal.addMethod(card('decline')).catch((error) => error))
    const waiting = await portal.addMethod(card('requires_action')).catch((error) => error.rawValue)

    expect(declined.name).toMatch(/^(PaymentMethodSetupFailed|SDKError)$/)
    expect(waiting).toMatchObject({ status: 'requires_action', client_secret: expect.any(String) })
    expect(await idsOf()).toEqual(before)
    await server.visitor().request('POST', `/v1/sandbox/actions/${waiting.client_secret}`, {
      body: { outcome: 'succeed' },
    })
    if (portal.confirmMethod) {
      const confirmed = await portal.confirmMethod({ setup_intent_id: waiting.setup_intent_id, set_default: false })
      expect(confirmed).toMatchObject({ status: 'succeeded', payment_method: { method_metadata: { last4: '3155' } } })
    } else await server.tollgate.internals.ctx.jobs.runDue()
    expect(await idsOf()).toHaveLength(2)
  })

  test('a renewal that failed is paid at once by a new default card (SUB-28), and other cards are removed', async () => {
    const { ctx } = server.tollgate.internals
    const { current_period_end } = await polar.get('subscriptions', subscription)
    await moveClock(ctx, new Date(new Date(current_period_end).getTime() + 7_200_000))
    expect((await polar.get('subscriptions', subscription)).status).toBe('past_due')
    await openPortal()
    const before = await idsOf()

    const added = await portal.addMethod(card('success', true))
    await ctx.jobs.runDue()

    const method = added.payment_method ?? added
    expect((await polar.get('subscriptions', subscription)).status).toBe('active')
    for (const id of before) await portal.removeMethod(id)
    expect(await idsOf()).toEqual([method.id])
    expect((await polar.get('customers', customer)).id).toBe(customer)
    if (polar.listCustomerMethods)
      expect((await polar.listCustomerMethods(customer)).items).toMatchObject([
        { id: method.id, customer_id: customer },
      ])
  })
})
