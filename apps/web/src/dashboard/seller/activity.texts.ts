/** What an event's sentence is made of; each has something to stand for it where it is not known. */
export type EventWords = {
  /** Who has bought, or is to buy. */
  readonly customer: string
  readonly product: string
  /** Such as "$19.00"; empty where there is none. */
  readonly amount: string
  /** Of an order, with a space before it; empty where there is none. */
  readonly number: string
  /** The account that it is about. */
  readonly person: string
  /** What it is called itself: a product, a team, a role. */
  readonly name: string
  readonly email: string
  /** How it stands since then, where it has a state. */
  readonly status: string
}

type Sentence = (words: EventWords) => string

const plain =
  (text: string): Sentence =>
  () =>
    text

/** A price, where there is one: "Atlas for $19.00". */
const sold = ({ product, amount }: EventWords): string => (amount ? `${product} for ${amount}` : product)

type States = Readonly<Record<string, string>>

const checkoutStates: States = {
  confirmed: 'was confirmed',
  succeeded: 'was completed',
  failed: 'failed',
  expired: 'ran out',
}
const refundStates: States = { succeeded: 'has gone out', failed: 'failed', canceled: 'was canceled' }
const disputeStates: States = {
  needs_response: 'waits for an answer',
  under_review: 'is being looked at',
  prevented: 'was prevented',
  won: 'was won',
  lost: 'was lost',
}

const said = (states: States, status: string, otherwise: string): string => states[status] ?? otherwise

/** What every kind of event is in words. The keys are the server's event types. */
export const sentences = {
  'checkout.created': ({ product }) => `A checkout of ${product} was opened`,
  'checkout.updated': ({ product, status }) => `A checkout of ${product} ${said(checkoutStates, status, 'changed')}`,
  'checkout.expired': ({ product }) => `A checkout of ${product} ran out`,
  'customer.created': ({ name, email }) => `${name || email} became a customer`,
  'customer.updated': ({ name, email }) => `What is known of ${name || email} changed`,
  'customer.deleted': ({ name, email }) => `${name || email} was removed from the customers`,
  'customer.state_changed': ({ name, email }) => `What ${name || email} may use changed`,
  'order.created': (words) => `${words.customer} ordered ${sold(words)}`,
  'order.updated': ({ number }) => `The order${number} changed`,
  'order.paid': (words) => `${words.customer} paid for ${words.product}${words.amount && `: ${words.amount}`}`,
  'order.refunded': ({ number, amount }) => `Of the order${number} ${amount || 'something'} has been given back by now`,
  'subscription.created': (words) => `${words.customer} subscribed to ${sold(words)}`,
  'subscription.active': ({ customer, product }) => `The subscription of ${customer} to ${product} is active`,
  'subscription.updated': ({ customer, product }) => `The subscription of ${customer} to ${product} changed`,
  'subscription.canceled': ({ customer, product }) => `The subscription of ${customer} to ${product} was canceled`,
  'subscription.uncanceled': ({ customer, product }) =>
    `The subscription of ${customer} to ${product} goes on after all`,
  'subscription.revoked': ({ customer, product }) => `The subscription of ${customer} to ${product} ended`,
  'refund.created': ({ amount }) => `A refund${amount && ` of ${amount}`} was begun`,
  'refund.updated': ({ amount, status }) =>
    `The refund${amount && ` of ${amount}`} ${said(refundStates, status, 'changed')}`,
  'dispute.created': ({ amount }) => `A buyer disputed a payment${amount && ` of ${amount}`}`,
  'dispute.updated': ({ amount, status }) =>
    `The dispute${amount && ` about ${amount}`} ${said(disputeStates, status, 'changed')}`,
  'product.created': ({ name }) => `${name} was added to the products`,
  'product.updated': ({ name }) => `${name} changed`,
  'benefit.created': ({ name }) => `The benefit ${name} was added`,
  'benefit.updated': ({ name }) => `The benefit ${name} changed`,
  'benefit_grant.created': ({ customer }) => `${customer} was given a benefit`,
  'benefit_grant.updated': ({ customer }) => `A benefit of ${customer} changed`,
  'benefit_grant.revoked': ({ customer }) => `A benefit of ${customer} was taken back`,
  'benefit_grant.cycled': ({ customer }) => `A benefit of ${customer} began anew`,
  'user.created': ({ person }) => `${person} signed up`,
  'user.updated': ({ person }) => `${person} changed their profile`,
  'user.deleted': ({ person }) => `The account of ${person} was deleted`,
  'user.email_verified': ({ person }) => `${person} proved their email address`,
  'user.email_changed': ({ person }) => `${person} has another email address`,
  'user.password_changed': ({ person }) => `${person} changed their password`,
  'user.password_reset': ({ person }) => `${person} reset their password`,
  'user.password_set': ({ person }) => `An administrator set a password for ${person}`,
  'user.role_changed': ({ person }) => `${person} has another role in this installation`,
  'user.banned': ({ person }) => `${person} was banned`,
  'user.unbanned': ({ person }) => `${person} is no longer banned`,
  'session.created': ({ person }) => `${person} signed in`,
  'session.revoked': ({ person }) => `A session of ${person} was ended`,
  'account.linked': ({ person }) => `${person} linked a way to sign in`,
  'account.unlinked': ({ person }) => `${person} unlinked a way to sign in`,
  'impersonation.started': ({ person }) => `An administrator began to act as ${person}`,
  'impersonation.stopped': ({ person }) => `An administrator no longer acts as ${person}`,
  'job.retried': plain('A dead job was tried again'),
  'job.removed': plain('A dead job was removed'),
  'organization.created': plain('The organization was created'),
  'organization.updated': plain('The organization’s settings changed'),
  'organization.deleted': plain('The organization was deleted'),
  'organization.transferred': ({ person }) => `The organization was handed over to ${person}`,
  'organization.approved': plain('The organization was allowed to sell'),
  'organization.selling_stopped': plain('The organization may no longer sell'),
  'access_token.created': plain('An access token was created'),
  'access_token.updated': plain('An access token changed'),
  'access_token.deleted': plain('An access token was deleted'),
  'webhook_endpoint.created': plain('A webhook was created'),
  'webhook_endpoint.updated': plain('A webhook changed'),
  'webhook_endpoint.secret_rotated': plain('A webhook was given a new secret'),
  'webhook_endpoint.enabled': plain('A webhook was switched on'),
  'webhook_endpoint.disabled': plain('A webhook was switched off'),
  'webhook_endpoint.deleted': plain('A webhook was deleted'),
  'member.added': ({ person }) => `${person} joined`,
  'member.removed': ({ person }) => `${person} is no longer a member`,
  'member.role_changed': ({ person }) => `${person} has another role`,
  'role.created': plain('A role was created'),
  'role.updated': plain('What a role may do changed'),
  'role.deleted': plain('A role was deleted'),
  'invitation.created': ({ email }) => `${email} was invited`,
  'invitation.renewed': ({ email }) => `${email} was invited again`,
  'invitation.accepted': ({ email }) => `${email} accepted an invitation`,
  'invitation.rejected': ({ email }) => `${email} declined an invitation`,
  'invitation.canceled': ({ email }) => `The invitation of ${email} was withdrawn`,
  'invitation_link.created': plain('A link to join was made'),
  'invitation_link.revoked': plain('A link to join was revoked'),
  'join_request.created': ({ person }) => `${person} asked to join`,
  'join_request.approved': ({ person }) => `${person} was let in`,
  'join_request.denied': ({ person }) => `${person} was not let in`,
  'team.created': plain('A team was created'),
  'team.updated': plain('A team changed'),
  'team.removed': plain('A team was removed'),
  'team_member.added': ({ person }) => `${person} was added to a team`,
  'team_member.removed': ({ person }) => `${person} was removed from a team`,
  'domain.added': plain('A domain was added'),
  'domain.verified': plain('A domain was verified'),
  'domain.updated': plain('How a domain lets people in changed'),
  'domain.removed': plain('A domain was removed'),
} as const satisfies Readonly<Record<string, Sentence>>

/** What the page of activity and the panel of a customer say. */
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
  },
  loading: 'Loading activity',
  none: { title: 'Nothing has happened yet', text: 'Checkouts, orders, refunds and everything else appears here.' },
  noMatch: { title: 'Nothing of this kind has happened', clear: 'Show everything' },
  older: 'Show older',
  by: (name: string) => `by ${name}`,
  somebody: 'somebody',
  aBuyer: 'A buyer',
  aProduct: 'a product',
  something: 'something',
  order: 'Order',
  subscription: 'Subscription',
  customer: 'Customer',
  product: 'Product',
  attempts: 'Attempts to pay',
  /** Says beside a link what it leads to, for whoever hears nothing but links. */
  linkOf: (link: string, sentence: string) => `${link}: ${sentence}`,
  sent: {
    succeeded: (count: number) => `sent to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    pending: (count: number) => `on its way to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    failed: (count: number) => `not received by ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
  },
} as const
