import type { EventKind, EventObjectName } from '@tollgate/contract/events'

type States = Readonly<Record<string, string>>

/** What became of an object, by its new state. */
export const states: { readonly [Name in EventObjectName]?: States } = {
  checkout: { confirmed: 'was confirmed', succeeded: 'was completed', failed: 'failed', expired: 'ran out' },
  refund: { succeeded: 'has gone out', failed: 'failed', canceled: 'was canceled' },
  dispute: {
    needs_response: 'waits for an answer',
    under_review: 'is being looked at',
    prevented: 'was prevented',
    won: 'was won',
    lost: 'was lost',
  },
}

/** The texts of the pages of activity and the panel of a customer. */
export const activityWords = {
  title: 'Activity',
  text: 'Everything that happened, the newest first.',
  call: 'List what happened',
  kind: 'Kind',
  every: 'Everything',
  kinds: {
    orders: 'Orders and payments',
    refunds: 'Refunds and disputes',
    checkouts: 'Checkouts',
    customers: 'Customers',
    subscriptions: 'Subscriptions',
    catalog: 'Products and benefits',
    organization: 'The organization and its members',
    accounts: 'Accounts and sign-ins',
  } satisfies Record<EventKind, string>,
  loading: 'Loading activity',
  none: { title: 'Nothing has happened yet', text: 'Checkouts, orders, refunds and everything else appears here.' },
  noMatch: { title: 'Nothing of this kind has happened', clear: 'Show everything' },
  older: 'Show older',
  by: (name: string) => `by ${name}`,
  unknownUser: 'an unknown user',
  aBuyer: 'A buyer',
  aProduct: 'a product',
  something: 'something',
  organization: (name: string) => `the organization${name && ` ${name}`}`,
  anotherOrganization: 'another organization',
  elsewhere: (organization: string) => ` in ${organization}`,
  order: 'Order',
  subscription: 'Subscription',
  customer: 'Customer',
  product: 'Product',
  payments: 'Payments',
  /** The target of a link, for screen readers. */
  linkOf: (link: string, sentence: string) => `${link}: ${sentence}`,
  sent: {
    succeeded: (count: number) => `sent to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    pending: (count: number) => `on its way to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    failed: (count: number) => `not received by ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
  },
} as const
