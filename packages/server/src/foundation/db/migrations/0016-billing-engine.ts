import {
  addColumns,
  bigint,
  change,
  dropIndex,
  flag,
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

/** The selling organization. */
const ofSeller = reference('merchant.organization_id', 'cascade')

const both = (statement: string) => change({ sqlite: statement, postgres: statement })

/** A list of states for a constraint. */
const among = (...states: string[]) => states.map((state) => `'${state}'`).join(', ')

/** The order number was the invoice number of every order; now an order without an invoice has none. */
const invoiceNumberMayBeMissing = [
  dropIndex('order_invoice_number'),
  both('alter table "order" rename column invoice_number to former_number'),
  addColumns('order', { invoice_number: nullable(text) }),
  both('update "order" set invoice_number = former_number'),
  both('alter table "order" drop column former_number'),
  uniqueIndex('order_invoice_number', 'order', ['organization_id', 'invoice_number'], {
    where: 'invoice_number is not null',
  }),
]

/**
 * The billing engine. Subscriptions get items, versions and a next action; orders get a period, a cause and the buyer's
 * details; payments are allocated to orders; numbers come from series. Constraints are those of added columns, because
 * SQLite adds no others to a table.
 */
export const billingEngine: Migration = {
  name: '0016-billing-engine',
  steps: [
    ...invoiceNumberMayBeMissing,
    addColumns('order', {
      receipt_number: nullable(text),
      period_start: nullable(time),
      period_end: nullable(time),
      /** What the order bills within its period; one order for each. */
      cause: nullable(text),
      buyer_name: nullable(text),
      buyer_email: nullable(text),
      buyer_tax_id: nullable(text),
      buyer_locale: nullable(text),
      is_buyer_known: withDefault(flag, true),
      is_test: withDefault(flag, false),
      tax_behavior: withCheck(
        withDefault(text, 'exclusive'),
        `tax_behavior in (${among('exclusive', 'inclusive')})
          and status in (${among('draft', 'pending', 'paid', 'partially_refunded', 'refunded', 'void')})
          and net_amount = subtotal_amount - discount_amount
          and total_amount = net_amount + tax_amount
          and discount_amount >= 0
          and refunded_amount between 0 and case when net_amount > 0 then net_amount else 0 end
          and refunded_tax_amount between 0 and case when tax_amount > 0 then tax_amount else 0 end`,
      ),
    }),
    both(`update "order" set receipt_number = invoice_number || '-R' where paid_at is not null`),
    index('order_receipt_number', 'order', ['organization_id', 'receipt_number'], {
      where: 'receipt_number is not null',
    }),
    // The buyer's details come from the checkout, the period of a subscription's first order from the subscription.
    change({
      sqlite: `update "order" set
        buyer_name = (select customer_name from checkout where checkout.id = checkout_id),
        buyer_email = (select customer_email from checkout where checkout.id = checkout_id),
        buyer_tax_id = (select customer_tax_id from checkout where checkout.id = checkout_id),
        buyer_locale = (select buyer_locale from checkout where checkout.id = checkout_id),
        is_buyer_known = coalesce((select is_buyer_known from checkout where checkout.id = checkout_id), 1),
        is_test = coalesce(
          (select max(is_test) from payment
            where payment.organization_id = "order".organization_id and payment.order_id = "order".id),
          (select processor = 'sandbox' from checkout where checkout.id = checkout_id), 0)`,
      postgres: `update "order" set
        buyer_name = checkout.customer_name, buyer_email = checkout.customer_email, buyer_tax_id = checkout.customer_tax_id,
        buyer_locale = checkout.buyer_locale, is_buyer_known = checkout.is_buyer_known,
        is_test = coalesce(
          (select bool_or(is_test) from payment
            where payment.organization_id = "order".organization_id and payment.order_id = "order".id),
          checkout.processor = 'sandbox')
        from checkout where checkout.id = "order".checkout_id`,
    }),
    both(`update "order" set cause = billing_reason, period_start = created_at,
      period_end = (select current_period_end from subscription where subscription.id = subscription_id
        and subscription.current_period_start = "order".created_at)
      where subscription_id is not null`),
    uniqueIndex('order_period', 'order', ['subscription_id', 'period_start', 'cause'], {
      where: 'subscription_id is not null and cause is not null',
    }),
    addColumns('order_item', {
      kind: withCheck(withDefault(text, 'price'), `kind in (${among('price', 'proration', 'usage', 'seats')})`),
      quantity: withCheck(withDefault(bigint, 1), 'quantity >= 0'),
      unit_amount: nullable(text),
      discount_amount: withDefault(bigint, 0),
      period_start: nullable(time),
      period_end: nullable(time),
    }),
    // Each order had one item, which took its whole discount.
    both(`update order_item set
      unit_amount = cast(amount as text),
      discount_amount = (select discount_amount from "order" where "order".id = order_item.order_id),
      period_start = (select period_start from "order" where "order".id = order_item.order_id),
      period_end = (select period_end from "order" where "order".id = order_item.order_id)`),

    addColumns('subscription', {
      version: withDefault(integer, 1),
      interval_count: withCheck(withDefault(integer, 1), 'interval_count >= 1'),
      /** When the engine acts on it next; null where it never will, or where its seller has not decided yet. */
      next_action_at: nullable(time),
      pending_change: nullable(json),
      paused_at: nullable(time),
      resumes_at: nullable(time),
      dunning_step: withCheck(
        withDefault(integer, 0),
        `dunning_step >= 0 and amount >= 0 and status in (${among(
          'incomplete',
          'incomplete_expired',
          'trialing',
          'active',
          'past_due',
          'unpaid',
          'paused',
          'canceled',
        )})`,
      ),
    }),
    index('subscription_due', 'subscription', ['next_action_at', 'organization_id', 'id'], {
      where: 'next_action_at is not null',
    }),
    table('subscription_item', {
      id,
      subscription_id: reference('subscription.id', 'cascade'),
      product_price_id: text,
      quantity: withCheck(integer, 'quantity >= 0'),
      /** In minor units of one period; null for usage, which its price says by the unit. */
      unit_amount: nullable(bigint),
      currency: text,
      /** What the buyer chose to pay of a price that lets them. */
      chosen_amount: nullable(bigint),
      usage_cursor: nullable(time),
      position: integer,
      created_at: time,
    }),
    uniqueIndex('subscription_item_price', 'subscription_item', ['subscription_id', 'product_price_id']),
    both(`insert into subscription_item
        (id, subscription_id, product_price_id, quantity, unit_amount, currency, chosen_amount, position, created_at)
      select subscription_price.subscription_id || ':' || subscription_price.position,
        subscription_price.subscription_id, subscription_price.product_price_id, 1,
        case product_price.amount_type when 'fixed' then product_price.price_amount when 'free' then 0
          when 'custom' then coalesce(checkout.amount, subscription.amount) end,
        subscription.currency,
        case product_price.amount_type when 'custom' then coalesce(checkout.amount, subscription.amount) end,
        subscription_price.position, subscription.created_at
      from subscription_price
      join subscription on subscription.id = subscription_price.subscription_id
      join product_price on product_price.id = subscription_price.product_price_id
      left join checkout on checkout.id = subscription.checkout_id`),
    both('drop table subscription_price'),

    /** A line that waits for the next order of a subscription. */
    table('billing_entry', {
      id,
      organization_id: ofSeller,
      subscription_id: reference('subscription.id', 'cascade'),
      customer_id: text,
      kind: withCheck(text, `kind in (${among('proration', 'usage', 'seats')})`),
      label: text,
      amount: bigint,
      currency: text,
      quantity: withCheck(withDefault(bigint, 1), 'quantity >= 0'),
      unit_amount: nullable(text),
      product_price_id: nullable(text),
      period_start: nullable(time),
      period_end: nullable(time),
      /** The item that billed it; null while it waits. */
      order_item_id: nullable(text),
      created_at: time,
    }),
    index('billing_entry_waiting', 'billing_entry', ['subscription_id', 'created_at', 'id'], {
      where: 'order_item_id is null',
    }),

    /** Which payment paid how much of which order. */
    table('payment_allocation', {
      id,
      payment_id: reference('payment.id', 'cascade'),
      order_id: reference('order.id', 'cascade'),
      amount: withCheck(bigint, 'amount > 0'),
      created_at: time,
    }),
    uniqueIndex('payment_allocation_payment', 'payment_allocation', ['payment_id', 'order_id']),
    index('payment_allocation_order', 'payment_allocation', ['order_id', 'created_at', 'id']),
    both(`insert into payment_allocation (id, payment_id, order_id, amount, created_at)
      select id, id, order_id, amount, coalesce(settled_at, created_at) from payment
      where status = 'succeeded' and purpose = 'charge' and order_id is not null and amount > 0`),

    /** The signed ledger of a customer's credit, per currency: its sum is the balance. */
    table('customer_balance_entry', {
      id,
      organization_id: ofSeller,
      customer_id: reference('customer.id', 'cascade'),
      currency: text,
      amount: withCheck(bigint, 'amount <> 0'),
      reason: text,
      order_id: nullable(text),
      refund_id: nullable(text),
      payment_id: nullable(text),
      actor_id: nullable(reference('user.id', 'set null')),
      created_at: time,
    }),
    index('customer_balance_entry_customer', 'customer_balance_entry', ['customer_id', 'currency', 'created_at', 'id']),
    index('customer_balance_entry_order', 'customer_balance_entry', ['order_id'], { where: 'order_id is not null' }),

    index('customer_balance_entry_payment', 'customer_balance_entry', ['payment_id'], {
      where: 'payment_id is not null',
    }),

    /** The numbers of invoices and of credit notes: one row for each series of an organization. */
    table('invoice_series', {
      organization_id: ofSeller,
      kind: withCheck(text, `kind in (${among('invoice', 'credit_note')})`),
      prefix: text,
      last_number: withCheck(bigint, 'last_number >= 0'),
      invoice_series_pkey: { primaryKey: ['organization_id', 'kind'] },
    }),
    both(`insert into invoice_series (organization_id, kind, prefix, last_number)
      select organization_id, 'invoice', invoice_prefix, orders_count from merchant`),
    both(`insert into invoice_series (organization_id, kind, prefix, last_number)
      select organization_id, 'credit_note', invoice_prefix, credit_notes_count from merchant`),
    both('alter table merchant drop column credit_notes_count'),
    both('alter table merchant drop column invoice_prefix'),

    /** The number of an organization's orders, in several rows, so that sales do not wait for each other. */
    table('order_count', {
      organization_id: ofSeller,
      slot: integer,
      orders: withCheck(bigint, 'orders >= 0'),
      order_count_pkey: { primaryKey: ['organization_id', 'slot'] },
    }),
    both(`insert into order_count (organization_id, slot, orders)
      select organization_id, 0, orders_count from merchant where orders_count > 0`),
    both('alter table merchant drop column orders_count'),

    addColumns('payment', {
      /** The processor's advice after a failure. */
      advice: withCheck(
        nullable(text),
        `(advice is null or advice in (${among('retry', 'retry_after', 'needs_customer', 'stop')}))
          and amount >= 0 and purpose in (${among('charge', 'setup')})
          and status in (${among('pending', 'succeeded', 'failed')})`,
      ),
      retry_at: nullable(time),
      /** What the payment is for, where that is not a checkout. */
      subject: withCheck(
        withDefault(text, 'checkout'),
        `subject in (${among('checkout', 'order', 'change', 'setup', 'balance')})`,
      ),
    }),
    addColumns('refund', {
      /** The part that went to the customer's balance, and not back to the card. */
      balance_amount: withCheck(
        withDefault(bigint, 0),
        `balance_amount >= 0 and amount >= 0 and tax_amount >= 0
          and status in (${among('pending', 'succeeded', 'failed', 'canceled')})`,
      ),
    }),
    addColumns('checkout', {
      tax_behavior: withCheck(
        withDefault(text, 'exclusive'),
        `tax_behavior in (${among('exclusive', 'inclusive')})
          and status in (${among('open', 'confirmed', 'succeeded', 'expired', 'failed')})
          and discount_amount between 0 and amount and net_amount = amount - discount_amount
          and total_amount = net_amount + coalesce(tax_amount, 0)`,
      ),
    }),
    addColumns('checkout', { price_amount: withDefault(bigint, 0) }),
    both('update checkout set price_amount = amount'),
    addColumns('product_price', { tax_behavior: nullable(text) }),
    addColumns('merchant', {
      /** What the seller chose for periods that nothing billed; null while undecided. */
      missed_periods: withCheck(
        nullable(text),
        `missed_periods is null or missed_periods in (${among('start_again', 'bill_missed')})`,
      ),
    }),
  ],
}
