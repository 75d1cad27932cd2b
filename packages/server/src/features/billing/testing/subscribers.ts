import { days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
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

/** Rows of one statement. */
const copiesAtOnce = 100

/**
 * Copies the database's only subscriber, with card and subscription but without orders: thousands are made in a moment.
 * Returns the ids of the copies.
 */
export async function copySubscribers(
  { db, transaction }: Pick<Context, 'db' | 'transaction'>,
  count: number,
): Promise<{ readonly customerId: string; readonly subscriptionId: string }[]> {
  const [subscription, item, customer, method] = [
    await db.selectFrom('subscription').selectAll().executeTakeFirstOrThrow(),
    await db.selectFrom('subscriptionItem').selectAll().executeTakeFirstOrThrow(),
    await db.selectFrom('customer').selectAll().executeTakeFirstOrThrow(),
    await db.selectFrom('paymentMethod').selectAll().executeTakeFirstOrThrow(),
  ]
  const copies = Array.from({ length: count }, (_, at) => ({
    email: `copy-${at}@example.com`,
    customerId: newUuid(),
    paymentMethodId: newUuid(),
    subscriptionId: newUuid(),
  }))
  for (let made = 0; made < count; made += copiesAtOnce) {
    const some = copies.slice(made, made + copiesAtOnce)
    const customers = some.map(({ customerId: id, email }) => ({
      ...customer,
      id,
      email,
      emailKey: email,
      soleEmailKey: email,
    }))
    const methods = some.map(({ paymentMethodId: id, customerId }) => ({ ...method, id, customerId }))
    const subscriptions = some.map(({ subscriptionId: id, customerId, paymentMethodId }) => ({
      ...subscription,
      id,
      customerId,
      paymentMethodId,
      checkoutId: null,
    }))
    const items = some.map(({ subscriptionId }) => ({ ...item, id: newUuid(), subscriptionId }))
    await transaction(async (tx) => {
      await tx.insertInto('customer').values(customers).execute()
      await tx.insertInto('paymentMethod').values(methods).execute()
      await tx.insertInto('subscription').values(subscriptions).execute()
      await tx.insertInto('subscriptionItem').values(items).execute()
    })
  }
  return copies
}
