import { addColumns, index, integer, json, type Migration, nullable, withCheck, withDefault } from './migration.ts'

/** Each dunning keeps the schedule that it began with, and cards remember the mails about their expiry. */
export const dunning: Migration = {
  name: '0026-dunning',
  steps: [
    addColumns('subscription', { dunning_schedule: nullable(json) }),
    addColumns('payment_method', {
      expiry_notice: withCheck(withDefault(integer, 0), 'expiry_notice between 0 and 2'),
    }),
    // Cards whose expiry is still to be told. A method without a card has the year 0.
    index('payment_method_expiry', 'payment_method', ['expiry_notice', 'exp_year', 'exp_month', 'id'], {
      where: 'expiry_notice < 2 and exp_year > 0 and deleted_at is null',
    }),
  ],
}
