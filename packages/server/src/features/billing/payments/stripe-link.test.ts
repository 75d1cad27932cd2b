import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { createStripeServer, stripeTestKeys } from '../testing/stripe-server.ts'

/** A shop whose payments Stripe takes, with or without Link. */
async function openShop(link: 'on' | 'off') {
  const stripe = createStripeServer()
  const server: TestServer = await createTestServer(
    {},
    { fetch: (...asked) => stripe.fetch(...asked), env: { ...stripeTestKeys, STRIPE_LINK: link } },
  )
  return { stripe, server, shop: await createShop(server), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('Link pays, and a subscription keeps it without a card', async () => {
  await using opened = await openShop('on')
  const { stripe, shop } = opened
  const checkout = await shop.checkout(await shop.product([fixedPrice(900)], 'month', 'Plan'))

  const answer = await shop.confirm(checkout, { confirmation_token_id: stripe.token('link') })

  expect([answer.status, answer.body.payment_processor_metadata]).toMatchObject([
    200,
    { payment_method_types: 'card,link' },
  ])
  const [payment] = await shop.paymentsOf(checkout)
  expect(payment).toMatchObject({ status: 'succeeded', method: 'link' })
  expect(payment).not.toHaveProperty('method_metadata')
  expect(stripe.intentOf(payment.id).payment_method_types).toEqual(['card', 'link'])
  const [order] = await shop.ordersOf(checkout)
  const { body } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
  expect(body.items).toMatchObject([{ type: 'link' }])
  expect(body.items[0]).not.toHaveProperty('card')
})

test('without the option, Stripe is asked for cards alone, and a token of Link is refused', async () => {
  await using opened = await openShop('off')
  const { stripe, shop } = opened
  const checkout = await shop.checkout(await shop.product([fixedPrice(900)], null, 'Book'))

  const refused = await shop.confirm(checkout, { confirmation_token_id: stripe.token('link') })
  const paid = await shop.confirm(checkout, { confirmation_token_id: stripe.token() })

  expect([refused.status, paid.status]).toEqual([422, 200])
  expect(paid.body.payment_processor_metadata).toMatchObject({ payment_method_types: 'card' })
  const [payment] = await shop.paymentsOf(checkout)
  expect(stripe.intentOf(payment.id).payment_method_types).toEqual(['card'])
})
