import { addColumns, integer, type Migration, withCheck, withDefault } from './migration.ts'

/** A subscription charges its fixed price several times. */
export const subscriptionQuantities: Migration = {
  name: '0032-subscription-quantities',
  steps: [addColumns('subscription', { quantity: withCheck(withDefault(integer, 1), 'quantity >= 1') })],
}
