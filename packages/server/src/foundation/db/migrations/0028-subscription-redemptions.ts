import {
  addColumns,
  change,
  id,
  index,
  type Migration,
  nullable,
  reference,
  table,
  text,
  time,
  unique,
} from './migration.ts'

type Step = Migration['steps'][number]

/** A step for one of the databases alone. */
const only =
  (wanted: Parameters<Step>[1], step: Step): Step =>
  async (db, dialect) =>
    dialect === wanted ? step(db, dialect) : undefined

const sqlite = (statement: string): Step => only('sqlite', change({ sqlite: statement, postgres: '' }))
const postgres = (statement: string): Step => only('postgres', change({ sqlite: '', postgres: statement }))

const kept = 'id, organization_id, discount_id, checkout_id, customer_id, buyer_key, created_at'

/**
 * A subscription redeems a discount too, without a checkout. SQLite cannot let a column be null later, so the table is
 * made anew there; it stays on PostgreSQL, where other processes use it meanwhile.
 */
export const subscriptionRedemptions: Migration = {
  name: '0028-subscription-redemptions',
  steps: [
    postgres('alter table discount_redemption alter column checkout_id drop not null'),
    only(
      'sqlite',
      table('new_redemption', {
        id,
        organization_id: reference('merchant.organization_id', 'cascade'),
        discount_id: reference('discount.id', 'cascade'),
        checkout_id: nullable(unique(reference('checkout.id', 'cascade'))),
        customer_id: text,
        buyer_key: text,
        created_at: time,
      }),
    ),
    sqlite(`insert into new_redemption (${kept}) select ${kept} from discount_redemption`),
    sqlite('drop table discount_redemption'),
    sqlite('alter table new_redemption rename to discount_redemption'),
    only('sqlite', index('discount_redemption_buyer', 'discount_redemption', ['discount_id', 'buyer_key'])),
    only('sqlite', index('discount_redemption_customer', 'discount_redemption', ['discount_id', 'customer_id'])),
    addColumns('discount_redemption', { subscription_id: nullable(reference('subscription.id', 'cascade')) }),
    index('discount_redemption_subscription', 'discount_redemption', ['subscription_id'], {
      where: 'subscription_id is not null',
    }),
  ],
}
