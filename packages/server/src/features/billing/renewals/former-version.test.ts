import { expect, test } from 'vitest'
import { after, days } from '../../../foundation/clock.ts'
import { migrate } from '../../../foundation/db/migrate.ts'
import { type FormerDatabase, formerDatabase } from '../../../foundation/db/testing/former-database.ts'
import { createTestServer, testStart } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { missedSummary } from './missed-periods.service.ts'

/* What the version before renewals has stored, and what this one makes of it. */

const created_at = testStart.toISOString()
const organization_id = 'org'

/** A seller with a plan of a fixed price, and one whose price the buyer chooses. */
async function fillShop({ insert }: FormerDatabase): Promise<void> {
  await insert('organization', { id: organization_id, name: 'Northwind', slug: 'northwind' })
  await insert('merchant', { organization_id, created_at })
  await insert('customer', { id: 'grace', organization_id, email: 'g@example.com', email_key: 'g', created_at })
  for (const [amount_type, price_amount] of [
    ['fixed', 1000],
    ['custom', null],
  ] as const) {
    await insert('product', { id: amount_type, organization_id, name: amount_type, created_at })
    const price = { amount_type, price_amount, price_currency: 'usd' }
    await insert('product_price', { id: amount_type, organization_id, product_id: amount_type, ...price, created_at })
  }
}

/** A checkout of 700, of which the discount took 200. */
const checkoutOf = ({ insert }: FormerDatabase, id: string, product: string, values: object) =>
  insert('checkout', {
    id,
    organization_id,
    client_secret_hash: id,
    processor: 'sandbox',
    product_id: product,
    product_price_id: product,
    ...{ amount: 700, discount_amount: 200, net_amount: 500, total_amount: 500, currency: 'usd', created_at },
    ...values,
  })

async function subscriptionOf(former: FormerDatabase, product: string): Promise<void> {
  const id = `to ${product}`
  await checkoutOf(former, id, product, { status: 'expired', confirmed_at: created_at })
  await former.insert('subscription', {
    ...{ id, organization_id, status: 'active', amount: 500, currency: 'usd', recurring_interval: 'month' },
    anchor_day: testStart.getUTCDate(),
    current_period_start: created_at,
    current_period_end: after(testStart, days(31)).toISOString(),
    customer_id: 'grace',
    product_id: product,
    checkout_id: id,
    created_at,
  })
  await former.insert('subscription_price', { subscription_id: id, product_price_id: product })
}

test('the plan of a migration says what periods are missed, and the migrated database says the same', async () => {
  await using server = await createTestServer()
  const { database, jobs, db } = server.tollgate.internals.ctx
  await jobs.stop()
  const former = await formerDatabase(database, '0015-account-events')
  await fillShop(former)
  await subscriptionOf(former, 'fixed')
  await subscriptionOf(former, 'custom')
  const now = after(testStart, days(75))

  const planned = await missedSummary(db, now, undefined, 'former')
  await migrate(database, now)

  // Two periods of each plan at its whole price: 700 is what the buyer chose before the discount.
  expect(planned).toMatchObject({ subscriptionsCount: 2, ordersCount: 4, amounts: [{ currency: 'usd', amount: 3400 }] })
  expect(await missedSummary(db, now)).toEqual(planned)
  const items = await db
    .selectFrom('subscriptionItem')
    .select(['subscriptionId', 'unitAmount', 'chosenAmount', 'currency', 'quantity'])
    .orderBy('unitAmount', 'desc')
    .execute()
  expect(items).toEqual([
    { subscriptionId: 'to fixed', unitAmount: 1000, chosenAmount: null, currency: 'usd', quantity: 1 },
    { subscriptionId: 'to custom', unitAmount: 700, chosenAmount: 700, currency: 'usd', quantity: 1 },
  ])
  expect(await violationsOfBooks(db)).toEqual([])
})

test('a checkout that was confirmed before currencies could be chosen keeps its own', async () => {
  await using server = await createTestServer()
  const { database, jobs, db } = server.tollgate.internals.ctx
  await jobs.stop()
  const former = await formerDatabase(database, '0019-attention')
  await fillShop(former)
  await checkoutOf(former, 'confirmed', 'fixed', { status: 'confirmed', confirmed_at: created_at })
  await checkoutOf(former, 'declined', 'fixed', { status: 'open' })
  await checkoutOf(former, 'untouched', 'fixed', { status: 'open' })
  const declined = { processor: 'sandbox', purpose: 'charge', status: 'failed', amount: 500, currency: 'usd' }
  await former.insert('payment', { id: 'p', organization_id, checkout_id: 'declined', ...declined, created_at })

  await migrate(database, testStart)

  const rows = await db.selectFrom('checkout').select(['id', 'currencyChoice']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 'confirmed', currencyChoice: 'fixed' },
    { id: 'declined', currencyChoice: 'fixed' },
    { id: 'untouched', currencyChoice: 'automatic' },
  ])
})
