import {
  addColumns,
  flag,
  id,
  index,
  integer,
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

/** A trial's length or its last day, as a product, a link or a checkout offers it. */
const offer = {
  trial_interval: withCheck(nullable(text), "trial_interval in ('day', 'week', 'month', 'year')"),
  trial_interval_count: withCheck(nullable(integer), 'trial_interval_count > 0'),
  trial_until: nullable(time),
}

/** Trials of products, and what each buyer has used of them. */
export const trials: Migration = {
  name: '0023-trials',
  steps: [
    addColumns('product', { ...offer, trial_card_required: withDefault(flag, true) }),
    addColumns('checkout_link', { ...offer, trial_card_required: nullable(flag) }),
    addColumns('checkout', {
      ...offer,
      trial_card_required: nullable(flag),
      allow_trial: withDefault(flag, true),
      // The end of the trial that a confirmed checkout begins.
      trial_end: nullable(time),
    }),
    table('trial_redemption', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      checkout_id: nullable(reference('checkout.id', 'set null')),
      kind: withCheck(text, "kind in ('customer', 'mailbox', 'account', 'organization', 'card')"),
      key_hash: text,
      created_at: time,
    }),
    // One trial for each of what identifies a buyer.
    uniqueIndex('trial_redemption_key', 'trial_redemption', ['organization_id', 'key_hash']),
    index('trial_redemption_checkout', 'trial_redemption', ['checkout_id'], { where: 'checkout_id is not null' }),
  ],
}
