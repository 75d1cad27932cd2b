import type { BillingEventRow } from './row.ts'

/** What happens in a shop: each row is one type of event. Add a type here, emit it, and test that. */
export const billingEvents = {
  'checkout.created': {
    object: 'checkout',
    docs: 'Your server, a checkout link or a pricing page creates a checkout.',
    line: ({ product }) => `A checkout of ${product} was opened`,
    chat: ({ product }) => `A checkout of ${product} was opened`,
  },
  'checkout.updated': {
    object: 'checkout',
    docs: 'A checkout changes, at each step until it is paid.',
    line: ({ product, became }) => `A checkout of ${product} ${became}`,
    chat: ({ product, became }) => `A checkout of ${product} ${became}`,
  },
  'checkout.expired': {
    object: 'checkout',
    docs: 'A checkout expires before it is paid.',
    sdk: '1.0',
    line: ({ product }) => `A checkout of ${product} expired`,
    chat: ({ product }) => `A checkout of ${product} expired`,
  },
  'customer.created': {
    object: 'customer',
    docs: 'A customer is created.',
    line: ({ nameOrEmail }) => `${nameOrEmail} became a customer`,
    chat: ({ Name }) => `${Name} became a customer`,
  },
  'customer.updated': {
    object: 'customer',
    docs: 'A customer changes.',
    line: ({ nameOrEmail }) => `The customer details of ${nameOrEmail} changed`,
    chat: ({ name }) => `The customer details of ${name} have changed`,
  },
  'customer.deleted': {
    object: 'customer',
    docs: 'A customer is deleted.',
    line: ({ nameOrEmail }) => `The customer ${nameOrEmail} was deleted`,
    lineTone: 'danger',
    chat: ({ name }) => `The customer ${name} was deleted`,
  },
  'customer.state_changed': {
    object: 'customer_state',
    docs: 'The subscriptions of a customer change. `data` is the whole customer state.',
    isEcho: true,
    line: ({ nameOrEmail }) => `The access of ${nameOrEmail} changed`,
    chat: ({ Name, activeSubscriptions }) => `${Name} now has ${activeSubscriptions}`,
  },
  'order.created': {
    object: 'order',
    docs: 'An order is created, paid or not.',
    line: ({ customer, sold }) => `${customer} ordered ${sold}`,
    chat: ({ Buyer, product }) => `${Buyer} ordered ${product}`,
  },
  'order.updated': {
    object: 'order',
    docs: 'An order changes.',
    line: ({ number }) => `The order${number} changed`,
    chat: ({ Order, buyer }) => `${Order} of ${buyer} has changed`,
  },
  'order.paid': {
    object: 'order',
    docs: 'An order is paid. Fulfil the order on this event.',
    line: ({ customer, product, amount }) => `${customer} paid for ${product}${amount && `: ${amount}`}`,
    chat: ({ Buyer, product, total, isFree }) =>
      isFree ? `${Buyer} got ${product} for free` : `${Buyer} paid ${total && `${total} `}for ${product}`,
  },
  'order.refunded': {
    object: 'order',
    docs: 'An order is refunded in part or in full; `refunded_amount` is the sum so far.',
    line: ({ number, amount }) => `The order${number} has been refunded${amount && `: ${amount} so far`}`,
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
    line: ({ customer, sold }) => `${customer} subscribed to ${sold}`,
    chat: ({ Buyer, product }) => `${Buyer} subscribed to ${product}`,
  },
  'subscription.active': {
    object: 'subscription',
    docs: 'A subscription becomes active.',
    line: ({ customer, product }) => `The subscription of ${customer} to ${product} is active`,
    chat: ({ Subscription }) => `${Subscription} is active`,
  },
  'subscription.updated': {
    object: 'subscription',
    docs: 'A subscription changes. The server sends it beside the more specific events.',
    line: ({ customer, product }) => `The subscription of ${customer} to ${product} changed`,
    chat: ({ Subscription }) => `${Subscription} has changed`,
  },
  'subscription.canceled': {
    object: 'subscription',
    docs: 'A subscription is canceled, now or at the end of its period.',
    line: ({ customer, product }) => `The subscription of ${customer} to ${product} was canceled`,
    lineTone: 'warn',
    chat: ({ Subscription, endsOn }) => `${Subscription} was canceled${endsOn && `, and ends on ${endsOn}`}`,
  },
  'subscription.uncanceled': {
    object: 'subscription',
    docs: 'A cancellation at the end of the period is withdrawn.',
    line: ({ customer, product }) => `The subscription of ${customer} to ${product} is no longer canceled`,
    chat: ({ Subscription }) => `${Subscription} is no longer canceled`,
  },
  'subscription.revoked': {
    object: 'subscription',
    docs: 'A subscription ends. Remove the access that it gave.',
    line: ({ customer, product }) => `The subscription of ${customer} to ${product} ended`,
    lineTone: 'warn',
    chat: ({ Subscription }) => `${Subscription} has ended`,
  },
  'refund.created': {
    object: 'refund',
    docs: 'A refund is created.',
    line: ({ ofAmount }) => `A refund${ofAmount} was started`,
    lineTone: 'warn',
    chat: ({ ofTotal }) => `A refund${ofTotal} was started`,
  },
  'refund.updated': {
    object: 'refund',
    docs: 'A refund succeeds or fails.',
    line: ({ ofAmount, became }) => `The refund${ofAmount} ${became}`,
    lineTone: 'warn',
    chat: ({ ofTotal, became }) => `The refund${ofTotal} ${became}`,
  },
  'dispute.created': {
    object: 'dispute',
    docs: 'A buyer disputes a payment.',
    sdk: 'none',
    line: ({ ofAmount }) => `A buyer disputed a payment${ofAmount}`,
    lineTone: 'danger',
    chat: ({ ofTotal }) => `A buyer disputes a payment${ofTotal}`,
  },
  'dispute.updated': {
    object: 'dispute',
    docs: 'A dispute changes, or is won or lost.',
    sdk: 'none',
    line: ({ amount, became }) => `The dispute${amount && ` about ${amount}`} ${became}`,
    lineTone: 'warn',
    chat: ({ ofTotal, became }) => `The dispute${ofTotal} ${became}`,
  },
  'product.created': {
    object: 'product',
    docs: 'A product is created.',
    line: ({ name }) => `The product ${name} was created`,
    chat: ({ name }) => `The product ${name} was created`,
  },
  'product.updated': {
    object: 'product',
    docs: 'A product changes or is archived.',
    line: ({ name }) => `The product ${name} changed`,
    chat: ({ name }) => `The product ${name} has changed`,
  },
  'benefit.created': {
    object: 'benefit',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ Thing, elsewhere }) => `${Thing} was added${elsewhere}`,
    chat: ({ Benefit }) => `${Benefit} was added`,
  },
  'benefit.updated': {
    object: 'benefit',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ Thing, elsewhere }) => `${Thing} changed${elsewhere}`,
    chat: ({ Benefit }) => `${Benefit} has changed`,
  },
  'benefit_grant.created': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ customer }) => `${customer} received a benefit`,
    chat: ({ Buyer }) => `${Buyer} received a benefit`,
  },
  'benefit_grant.updated': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ customer }) => `A benefit of ${customer} changed`,
    chat: ({ buyer }) => `A benefit of ${buyer} has changed`,
  },
  'benefit_grant.revoked': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ customer }) => `A benefit of ${customer} was revoked`,
    chat: ({ buyer }) => `A benefit of ${buyer} was revoked`,
  },
  'benefit_grant.cycled': {
    object: 'benefit_grant',
    isToCome: true,
    docs: 'Not sent yet: benefits follow.',
    line: ({ customer }) => `A benefit of ${customer} was renewed`,
    chat: ({ buyer }) => `A benefit of ${buyer} was renewed`,
  },
  'organization.updated': {
    object: 'merchant',
    docs: 'The seller settings of the organization change.',
    line: ({ organization }) => `The settings of ${organization} changed`,
    chat: ({ name }) => `The seller settings of ${name} have changed`,
  },
} as const satisfies Readonly<Record<string, BillingEventRow>>
