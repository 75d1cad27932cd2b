import type { BillingEventRow } from './row.ts'

/** What happens in a shop: each row is one type of event. Add a type here, emit it, and test that. */
export const billingEvents = {
  'checkout.created': {
    object: 'checkout',
    docs: 'Your server, a checkout link or a pricing page creates a checkout.',
    chat: ({ product }) => `A checkout of ${product} was opened`,
  },
  'checkout.updated': {
    object: 'checkout',
    docs: 'A checkout changes, at each step until it is paid.',
    chat: ({ product, became }) => `A checkout of ${product} ${became}`,
  },
  'checkout.expired': {
    object: 'checkout',
    docs: 'A checkout expires before it is paid.',
    sdk: '1.0',
    chat: ({ product }) => `A checkout of ${product} expired`,
  },
  'customer.created': {
    object: 'customer',
    docs: 'A customer is created.',
    chat: ({ Name }) => `${Name} became a customer`,
  },
  'customer.updated': {
    object: 'customer',
    docs: 'A customer changes.',
    chat: ({ name }) => `The customer details of ${name} have changed`,
  },
  'customer.deleted': {
    object: 'customer',
    docs: 'A customer is deleted.',
    lineTone: 'danger',
    chat: ({ name }) => `The customer ${name} was deleted`,
  },
  'customer.state_changed': {
    object: 'customer_state',
    docs: 'The subscriptions of a customer change. `data` is the whole customer state.',
    isEcho: true,
    chat: ({ Name, activeSubscriptions }) => `${Name} now has ${activeSubscriptions}`,
  },
  'order.created': {
    object: 'order',
    docs: 'An order is created, paid or not.',
    chat: ({ Buyer, product }) => `${Buyer} ordered ${product}`,
  },
  'order.updated': {
    object: 'order',
    docs: 'An order changes.',
    chat: ({ Order, buyer }) => `${Order} of ${buyer} has changed`,
  },
  'order.paid': {
    object: 'order',
    docs: 'An order is paid. Fulfil the order on this event.',
    chat: ({ Buyer, product, total, isFree }) =>
      isFree ? `${Buyer} got ${product} for free` : `${Buyer} paid ${total && `${total} `}for ${product}`,
  },
  'order.refunded': {
    object: 'order',
    docs: 'An order is refunded in part or in full; `refunded_amount` is the sum so far.',
    lineTone: 'warn',
    chat: ({ Order, buyer, total, refunded }) =>
      !refunded || !total
        ? `${Order} of ${buyer} was refunded`
        : refunded === total
          ? `${Order} of ${buyer} was refunded in full: ${refunded}`
          : `${Order} of ${buyer} was refunded in part: ${refunded} of ${total}`,
  },
  'subscription.created': {
    object: 'subscription',
    docs: 'A subscription is created.',
    chat: ({ Buyer, product }) => `${Buyer} subscribed to ${product}`,
  },
  'subscription.active': {
    object: 'subscription',
    docs: 'A subscription becomes active.',
    chat: ({ Subscription }) => `${Subscription} is active`,
  },
  'subscription.updated': {
    object: 'subscription',
    docs: 'A subscription changes. The server sends it beside the more specific events.',
    chat: ({ Subscription }) => `${Subscription} has changed`,
  },
  'subscription.canceled': {
    object: 'subscription',
    docs: 'A subscription is canceled, now or at the end of its period.',
    lineTone: 'warn',
    chat: ({ Subscription, endsOn }) => `${Subscription} was canceled${endsOn && `, and ends on ${endsOn}`}`,
  },
  'subscription.uncanceled': {
    object: 'subscription',
    docs: 'A cancellation at the end of the period is withdrawn.',
    chat: ({ Subscription }) => `${Subscription} is no longer canceled`,
  },
  'subscription.revoked': {
    object: 'subscription',
    docs: 'A subscription ends. Remove the access that it gave.',
    lineTone: 'warn',
    chat: ({ Subscription }) => `${Subscription} has ended`,
  },
  'subscription.past_due': {
    object: 'subscription',
    docs: 'A renewal is not paid: its charge failed, or its invoice is overdue. Retries or reminders follow.',
    sdk: '1.0',
    lineTone: 'warn',
    chat: ({ Subscription }) => `${Subscription} is past due`,
  },
  'subscription.paused': {
    object: 'subscription',
    docs: 'A subscription pauses: until it resumes, nothing is billed. Remove the access that it gave.',
    sdk: '1.0',
    lineTone: 'warn',
    chat: ({ Subscription }) => `${Subscription} is paused`,
  },
  'subscription.resumed': {
    object: 'subscription',
    docs: 'A paused subscription resumes, and begins a new period.',
    sdk: '1.0',
    chat: ({ Subscription }) => `${Subscription} has resumed`,
  },
  'refund.created': {
    object: 'refund',
    docs: 'A refund is created.',
    lineTone: 'warn',
    chat: ({ ofTotal }) => `A refund${ofTotal} was started`,
  },
  'refund.updated': {
    object: 'refund',
    docs: 'A refund succeeds or fails.',
    lineTone: 'warn',
    chat: ({ ofTotal, became }) => `The refund${ofTotal} ${became}`,
  },
  'dispute.created': {
    object: 'dispute',
    docs: 'A buyer disputes a payment.',
    sdk: 'none',
    lineTone: 'danger',
    chat: ({ ofTotal }) => `A buyer disputes a payment${ofTotal}`,
  },
  'dispute.updated': {
    object: 'dispute',
    docs: 'A dispute changes, or is won or lost.',
    sdk: 'none',
    lineTone: 'warn',
    chat: ({ ofTotal, became }) => `The dispute${ofTotal} ${became}`,
  },
  'product.created': {
    object: 'product',
    docs: 'A product is created.',
    chat: ({ name }) => `The product ${name} was created`,
  },
  'product.updated': {
    object: 'product',
    docs: 'A product changes or is archived.',
    chat: ({ name }) => `The product ${name} has changed`,
  },
  'benefit.created': {
    object: 'benefit',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ Benefit }) => `${Benefit} was added`,
  },
  'benefit.updated': {
    object: 'benefit',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ Benefit }) => `${Benefit} has changed`,
  },
  'benefit_grant.created': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ Buyer }) => `${Buyer} received a benefit`,
  },
  'benefit_grant.updated': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ buyer }) => `A benefit of ${buyer} has changed`,
  },
  'benefit_grant.revoked': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ buyer }) => `A benefit of ${buyer} was revoked`,
  },
  'benefit_grant.cycled': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    chat: ({ buyer }) => `A benefit of ${buyer} was renewed`,
  },
  'organization.updated': {
    object: 'merchant',
    docs: 'The seller settings of the organization change.',
    chat: ({ name }) => `The seller settings of ${name} have changed`,
  },
} as const satisfies Readonly<Record<string, BillingEventRow>>
