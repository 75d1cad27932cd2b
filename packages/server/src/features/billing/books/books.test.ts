import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../foundation/db/database.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { countOfInvariants, violationsOfBooks } from './books.service.ts'

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
    'the net amount',
    (tx, id) => tx.updateTable('order').set({ netAmount: 1 }).where('id', '=', id).execute(),
    [
      'The net amount of an order is its subtotal less its discount',
      'The total of an order is its net amount and its tax',
      'An order gives back at most what it cost',
    ],
  ],
  [
    'an item',
    (tx, id) => tx.updateTable('orderItem').set({ amount: 1, taxAmount: 1 }).where('orderId', '=', id).execute(),
    ['The items of an order add up to its subtotal', 'The taxes of an order’s items add up to its tax'],
  ],
  [
    'the total',
    (tx, id) => tx.updateTable('order').set({ totalAmount: 1 }).where('id', '=', id).execute(),
    ['The total of an order is its net amount and its tax', 'The payments of a paid order add up to its total'],
  ],
  [
    'a payment’s order',
    (tx, id) => tx.updateTable('payment').set({ orderId: null }).where('orderId', '=', id).execute(),
    ['The payments of a paid order add up to its total', 'A payment that has succeeded belongs to an order'],
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
    ['The payments of a paid order add up to its total', 'A job looks after each pending payment'],
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
    'a discount',
    (tx, id) =>
      tx
        .updateTable('order')
        .set({ discountAmount: -1, netAmount: 2001, totalAmount: 2001 })
        .where('id', '=', id)
        .execute(),
    ['An order’s discount is not negative', 'The payments of a paid order add up to its total'],
  ],
])('a change of %s by hand is found', async (_, change, invariants) => {
  const { id } = await sale()

  const found = await after((tx) => change(tx, id))

  expect([...new Set(found)]).toEqual(invariants)
})

test('every invariant is verified', () => {
  expect(countOfInvariants).toBe(16)
})
