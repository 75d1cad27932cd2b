import { addColumns, integer, json, type Migration, nullable, withCheck, withDefault } from './migration.ts'

/** A subscription charges its fixed price several times, and changes by a schedule. */
export const subscriptionTerms: Migration = {
  name: '0032-subscription-terms',
  steps: [
    addColumns('subscription', {
      quantity: withCheck(withDefault(integer, 1), 'quantity >= 1'),
      schedule: nullable(json),
    }),
  ],
}
