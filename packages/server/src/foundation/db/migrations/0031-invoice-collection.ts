import { addColumns, integer, type Migration, nullable, text, time, withCheck, withDefault } from './migration.ts'

/** Subscriptions may be collected by invoice: their orders are due by terms, and reminded of. */
export const invoiceCollection: Migration = {
  name: '0031-invoice-collection',
  steps: [
    addColumns('subscription', {
      collection_method: withCheck(
        withDefault(text, 'charge_automatically'),
        "collection_method in ('charge_automatically', 'send_invoice')",
      ),
      net_terms_days: withCheck(nullable(integer), 'net_terms_days between 0 and 90'),
    }),
    addColumns('order', {
      due_at: nullable(time),
      due_notice: withCheck(withDefault(integer, 0), 'due_notice between 0 and 3'),
    }),
  ],
}
