import { days } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import type { TestAnswer, TestServer } from '../../../testing.ts'
import { ordersOfSubscription } from './orders.ts'
import { openPortal, type TestCustomer } from './portal.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from './shop.ts'
import { pass } from './time.ts'

/** Lets the saved cards of a seller's customers behave as another card of the sandbox. */
export const setCard = (server: TestServer, { organizationId }: Shop, card: string) =>
  server.tollgate.internals.ctx.db
    .updateTable('paymentMethod')
    .set({ processorReference: `sandbox_method:${card}:12:2040` })
    .where('organizationId', '=', organizationId)
    .execute()

/** Gives a customer credit, or a debt where the amount is negative. */
export async function giveCredit(
  server: TestServer,
  { organizationId }: Shop,
  customerId: string,
  amount: number,
): Promise<void> {
  const { ctx } = server.tollgate.internals
  const entry = { id: newUuid(), organizationId, customerId, currency: 'usd', amount, reason: 'gift' }
  await ctx.db
    .insertInto('customerBalanceEntry')
    .values({ ...entry, createdAt: ctx.clock.now() })
    .execute()
}

/** A customer who subscribes by a card, with their portal. */
export async function subscribing(
  server: TestServer,
  card = 'success',
  price: object = fixedPrice(1000),
): Promise<{ shop: Shop; product: string; customer: TestCustomer; id: string }> {
  const shop = await createShop(server)
  const product = await shop.product([price], 'month')
  const { order } = await shop.buy(product, { confirmation_token_id: `ctoken_sandbox_${card}` })
  const customer = await openPortal(server, shop, order.customer_id)
  return { shop, product, customer, id: order.subscription_id }
}

/** A subscription whose saved card has not paid its renewal. */
export async function unpaidRenewal(
  server: TestServer,
  card = 'renewal_decline',
): Promise<{ shop: Shop; id: string; renewal: TestAnswer['body'] }> {
  const shop = await createShop(server)
  const { order } = await shop.buy(await shop.product([fixedPrice(1200)], 'month', 'Team'))
  await setCard(server, shop, card)
  await pass(server, days(32))
  const [, renewal] = await ordersOfSubscription(shop, order.subscription_id)
  return { shop, id: order.subscription_id, renewal }
}

/** A customer with a saved card, whose former subscription has ended; returns their id. */
export async function cardholder(server: TestServer, shop: Shop, given: object = {}): Promise<string> {
  const former = await shop.product([fixedPrice(100)], 'month', 'Former')
  const { order } = await shop.buy(former, { ...newBuyer(), ...given })
  await shop.delete(`/subscriptions/${order.subscription_id}`)
  server.clock.advance(1000)
  return order.customer_id
}
