import { addColumns, flag, type Migration, withDefault } from './migration.ts'

/** Customers add payment methods, and a new default one pays what is due at once. */
export const paymentMethods: Migration = {
  name: '0027-payment-methods',
  steps: [addColumns('payment', { makes_default: withDefault(flag, false), is_unscheduled: withDefault(flag, false) })],
}
