import {
  addColumns,
  bigint,
  id,
  index,
  integer,
  json,
  type Migration,
  nullable,
  reference,
  table,
  text,
  time,
  uniqueIndex,
  withCheck,
  withDefault,
} from './migration.ts'

/** Changes of subscriptions that are paid before they apply, and renewals found by seller. */
export const subscriptionChanges: Migration = {
  name: '0021-subscription-changes',
  steps: [
    table('subscription_change', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      subscription_id: reference('subscription.id', 'cascade'),
      status: withCheck(text, "status in ('pending', 'applied', 'discarded')"),
      // The version of the subscription that the change was computed for.
      version: integer,
      target: json,
      // The order as it was quoted, to post once it is paid.
      computed: text,
      amount: bigint,
      created_at: time,
      settled_at: nullable(time),
    }),
    uniqueIndex('subscription_change_pending', 'subscription_change', ['subscription_id'], {
      where: "status = 'pending'",
    }),
    index('subscription_change_subscription', 'subscription_change', ['subscription_id', 'created_at', 'id']),
    index('subscription_change_organization', 'subscription_change', ['organization_id', 'created_at', 'id']),
    // The lines of one change keep their order.
    addColumns('billing_entry', { position: withDefault(integer, 0) }),
    addColumns('payment', {
      change_id: nullable(reference('subscription_change.id', 'set null')),
      // Credit that pays a part of a checkout, from its confirmation until the payment is settled.
      reserved_balance: withCheck(withDefault(bigint, 0), 'reserved_balance >= 0'),
    }),
    index('payment_reserved', 'payment', ['customer_id', 'currency'], {
      where: "status = 'pending' and reserved_balance > 0",
    }),
    // One payment of an order or a change is under way at a time.
    uniqueIndex('payment_order_under_way', 'payment', ['order_id'], {
      where: "status = 'pending' and order_id is not null",
    }),
    uniqueIndex('payment_change_under_way', 'payment', ['change_id'], {
      where: "status = 'pending' and change_id is not null",
    }),
    index('payment_change', 'payment', ['change_id'], { where: 'change_id is not null' }),
    index('subscription_due_of', 'subscription', ['organization_id', 'next_action_at', 'id'], {
      where: 'next_action_at is not null',
    }),
  ],
}
