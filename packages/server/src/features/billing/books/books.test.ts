import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../foundation/db/database.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { countOfInvariants, faultOfSeries, violationsOfBooks } from './books.service.ts'

let server: TestServer
let shop: Shop

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** A shop's sale with a discount, half of it refunded. */
async function sale() {
  const product = await shop.product([fixedPrice(2000)])
  const { code } = await shop.discount({})
  const { order } = await shop.buy(product, { discount_code: code })
  const refund = await shop.post('/refunds', { order_id: order.id, amount: 900, reason: 'customer_request' })
  if (refund.body.status !== 'succeeded') throw new Error(refund.text)
  await server.tollgate.internals.ctx.jobs.runDue()
  return order
}

/** What the books say after some rows were changed by hand; the change is rolled back. */
async function after(change: (tx: Tx) => Promise<unknown>): Promise<readonly string[]> {
  const { ctx } = server.tollgate.internals
  const found: string[] = []
  const undo = new Error('undo')
  const work = ctx.transaction(async (tx) => {
    await change(tx)
    for (const { invariant } of await violationsOfBooks(tx)) found.push(invariant)
    throw undo
  })
  await expect(work).rejects.toBe(undo)
  return found
}

test('the books of a sale with a discount and a refund hold', async () => {
  await sale()

  expect(await violationsOfBooks(server.tollgate.internals.ctx.db)).toEqual([])
})

test.each<[string, (tx: Tx, order: string) => Promise<unknown>, string[]]>([
  [
    'an item',
    (tx, id) => tx.updateTable('orderItem').set({ amount: 1, taxAmount: 1 }).where('orderId', '=', id).execute(),
    ['The items of an order add up to its subtotal', 'The taxes of an order’s items add up to its tax'],
  ],
  [
    'a payment’s allocation',
    (tx, id) => tx.deleteFrom('paymentAllocation').where('orderId', '=', id).execute(),
    ['The payments of a paid order add up to its total', 'A payment is allocated whole, and only where it succeeded'],
  ],
  [
    'the currency of an order',
    (tx, id) => tx.updateTable('order').set({ currency: 'eur' }).where('id', '=', id).execute(),
    ['An order has one currency, as have its prices, payments and refunds'],
  ],
  [
    'the checkout’s status',
    (tx) => tx.updateTable('checkout').set({ status: 'failed' }).execute(),
    ['A checkout that has succeeded has one order, and others have none'],
  ],
  [
    'what was refunded',
    (tx, id) => tx.updateTable('order').set({ refundedAmount: 0 }).where('id', '=', id).execute(),
    ['What an order counts as refunded is what its refunds gave back', 'The status of an order follows its refunds'],
  ],
  [
    'the payment of a refund',
    async (tx, id) => {
      const other = await tx
        .updateTable('payment')
        .set({ amount: 100 })
        .where('orderId', '=', id)
        .returning('id')
        .execute()
      await tx.updateTable('paymentAllocation').set({ amount: 100 }).where('paymentId', '=', other[0]!.id).execute()
    },
    ['The payments of a paid order add up to its total', 'A payment gives back at most what it took'],
  ],
  [
    'the status',
    (tx, id) => tx.updateTable('order').set({ status: 'paid' }).where('id', '=', id).execute(),
    ['The status of an order follows its refunds'],
  ],
  [
    'a counter of redemptions',
    (tx) => tx.updateTable('discount').set({ redemptionsCount: 7 }).execute(),
    ['A discount counts each of its redemptions'],
  ],
  [
    'a payment that nothing looks after',
    (tx, id) => tx.updateTable('payment').set({ status: 'pending' }).where('orderId', '=', id).execute(),
    ['A payment is allocated whole, and only where it succeeded', 'A job looks after each pending payment'],
  ],
  [
    'a refund that nothing looks after',
    async (tx, id) => {
      await tx.updateTable('refund').set({ status: 'pending' }).where('orderId', '=', id).execute()
      await tx.deleteFrom('job').where('kind', '=', 'reconcile-refund').execute()
    },
    ['What an order counts as refunded is what its refunds gave back', 'A job looks after each pending refund'],
  ],
  [
    'an invoice number',
    (tx, id) => tx.updateTable('order').set({ invoiceNumber: 'X-000999' }).where('id', '=', id).execute(),
    ['Invoice numbers have no gap'],
  ],
  [
    'a number of a credit note',
    (tx, id) => tx.updateTable('refund').set({ creditNoteNumber: null }).where('orderId', '=', id).execute(),
    ['Numbers of credit notes have no gap'],
  ],
  [
    'an item’s discount',
    (tx, id) => tx.updateTable('orderItem').set({ discountAmount: 1 }).where('orderId', '=', id).execute(),
    ['The discounts of an order’s items add up to its discount'],
  ],
  [
    'the balance that paid',
    (tx, id) => tx.updateTable('order').set({ appliedBalanceAmount: -100 }).where('id', '=', id).execute(),
    [
      'The payments of a paid order add up to its total',
      'What an order took from the balance, or gave to it, is in the ledger',
    ],
  ],
  [
    'the count of orders',
    (tx) => tx.updateTable('orderCount').set({ orders: 99 }).execute(),
    ['The count of an organization’s orders is their number'],
  ],
  [
    'a number that an invoice needs',
    (tx, id) => tx.updateTable('order').set({ invoiceNumber: null }).where('id', '=', id).execute(),
    ['An order with an invoice has its number', 'Invoice numbers have no gap'],
  ],
])('a change of %s by hand is found', async (_, change, invariants) => {
  const { id } = await sale()

  const found = await after((tx) => change(tx, id))

  expect([...new Set(found)]).toEqual(invariants)
})

test.each<[string, number, number, string[], string | undefined]>([
  ['none', 0, 0, [], undefined],
  ['all', 2, 2, ['A-000001', 'A-000002'], undefined],
  ['one that a sale has taken meanwhile', 2, 3, ['A-000001', 'A-000002', 'A-000003'], undefined],
  ['two, of which the first is not to be seen yet', 1, 3, ['A-000001', 'A-000003'], undefined],
  ['a gap', 3, 3, ['A-000001', 'A-000003'], '2 of 3 are missing'],
  ['one that was not given', 1, 1, ['A-000001', 'A-000002'], '2 numbers, and 1 were given'],
  ['a double', 1, 1, ['A-000001', 'B-000001'], '2 numbers, and 1 were given'],
])('the numbers of a series on a running server: %s', (_, first, later, numbers, fault) => {
  expect(faultOfSeries({ first, later }, numbers)).toBe(fault)
})

test.each([
  ['a net amount that is not the subtotal less the discount', { netAmount: 1 }],
  ['a total that is not the net amount and its tax', { totalAmount: 1 }],
  ['a negative discount', { discountAmount: -1, netAmount: 2001, totalAmount: 2001 }],
  ['more refunded than was paid', { refundedAmount: 1801 }],
  ['more tax refunded than was paid', { refundedTaxAmount: 1 }],
  ['a state that no order has', { status: 'lost' as 'paid' }],
])('the database refuses %s (ORD-2)', async (_, changes) => {
  const { id } = await sale()

  const work = server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('order').set(changes).where('id', '=', id).execute(),
  )

  await expect(work).rejects.toThrow(/check constraint/i)
})

test('a change of the currency of a subscription’s price by hand is found', async () => {
  await shop.buy(await shop.product([fixedPrice(900)], 'month'))

  const found = await after((tx) => tx.updateTable('subscriptionItem').set({ currency: 'eur' }).execute())

  expect([...new Set(found)]).toEqual(['A subscription has one currency, as have its prices'])
})

test('every invariant is verified', () => {
  expect(countOfInvariants).toBe(21)
})

test('an open invoice that no job looks after is found', async () => {
  const given = { email: 'invoiced@example.com', name: 'Ada', billing_address: { country: 'DE' } }
  const customer_id = (await shop.post('/customers', given)).body.id
  const product_id = await shop.product([fixedPrice(1000)], 'month')
  const begun = await shop.post('/subscriptions', { product_id, customer_id, collection_method: 'send_invoice' })

  const found = await after((tx) => tx.deleteFrom('job').where('kind', '=', 'collect-invoice').execute())

  expect(begun.status).toBe(201)
  expect(found).toEqual(['A job looks after each open invoice until it is overdue'])
})
