import { addColumns, change, type Migration, nullable, text, time, uniqueIndex } from './migration.ts'

const voidedBefore = `update "order" set voided_at = coalesce(modified_at, created_at) where status = 'void'`

/** Sellers void orders with a reason, and change the balance of a customer by hand. */
export const openOrders: Migration = {
  name: '0025-open-orders',
  steps: [
    addColumns('order', {
      voided_at: nullable(time),
      void_reason: nullable(text),
      // Of a voided order that had an invoice.
      credit_note_number: nullable(text),
    }),
    change({ sqlite: voidedBefore, postgres: voidedBefore }),
    uniqueIndex('order_credit_note', 'order', ['organization_id', 'credit_note_number'], {
      where: 'credit_note_number is not null',
    }),
    // What the seller says about an entry by hand.
    addColumns('customer_balance_entry', { note: nullable(text) }),
  ],
}
