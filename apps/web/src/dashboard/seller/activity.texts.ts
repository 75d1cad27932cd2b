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
  /** What it is called itself: a product, a customer. */
  readonly name: string
  /** What stands behind the kind of thing that it is: a team's name, a domain; empty where it has none. */
  readonly called: string
  /** Of a member, as it is since then; empty where it is not told. */
  readonly role: string
  /** "the organization", with its name where it is another than the shop's own. */
  readonly organization: string
  /** " in Acme", where it is another than the shop's own; otherwise empty. */
  readonly elsewhere: string
  readonly email: string
  /** How it stands since then, where it has a state. */
  readonly status: string
}

type Sentence = (words: EventWords) => string

const plain =
  (text: string): Sentence =>
  () =>
    text

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "the team Design", or "a team" where its name is not known. */
const the = (kind: string, { called }: EventWords): string =>
  called ? `the ${kind} ${called}` : `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`

/** What became of such a thing: "The team Design was removed in Acme". */
const became =
  (kind: string, what: string): Sentence =>
  (words) =>
    `${capital(the(kind, words))} ${what}${words.elsewhere}`

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
  'benefit.created': became('benefit', 'was added'),
  'benefit.updated': became('benefit', 'changed'),
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
  'organization.created': ({ organization }) => `${capital(organization)} was created`,
  'organization.updated': ({ organization }) => `The settings of ${organization} changed`,
  'organization.deleted': ({ organization }) => `${capital(organization)} was deleted`,
  'organization.transferred': ({ organization, person }) => `${capital(organization)} was handed over to ${person}`,
  'organization.approved': ({ organization }) => `${capital(organization)} was allowed to sell`,
  'organization.selling_stopped': ({ organization }) => `${capital(organization)} may no longer sell`,
  'access_token.created': became('access token', 'was created'),
  'access_token.updated': became('access token', 'changed'),
  'access_token.deleted': became('access token', 'was deleted'),
  'webhook_endpoint.created': became('webhook', 'was created'),
  'webhook_endpoint.updated': became('webhook', 'changed'),
  'webhook_endpoint.secret_rotated': became('webhook', 'was given a new secret'),
  'webhook_endpoint.enabled': became('webhook', 'was switched on'),
  'webhook_endpoint.disabled': became('webhook', 'was switched off'),
  'webhook_endpoint.deleted': became('webhook', 'was deleted'),
  'member.added': ({ person, organization }) => `${person} joined ${organization}`,
  'member.removed': ({ person, organization }) => `${person} is no longer a member of ${organization}`,
  'member.role_changed': ({ person, role, elsewhere }) =>
    `${person} has another role${elsewhere}${role && `: ${role}`}`,
  'role.created': became('role', 'was created'),
  'role.updated': (words) => `What ${the('role', words)} may do${words.elsewhere} changed`,
  'role.deleted': became('role', 'was deleted'),
  'invitation.created': ({ email, organization }) => `${email} was invited to ${organization}`,
  'invitation.renewed': ({ email, organization }) => `${email} was invited to ${organization} again`,
  'invitation.accepted': ({ email, organization }) => `${email} accepted the invitation to ${organization}`,
  'invitation.rejected': ({ email, organization }) => `${email} declined the invitation to ${organization}`,
  'invitation.canceled': ({ email, organization }) => `The invitation of ${email} to ${organization} was withdrawn`,
  'invitation_link.created': ({ organization }) => `A link to join ${organization} was made`,
  'invitation_link.revoked': ({ organization }) => `A link to join ${organization} was revoked`,
  'join_request.created': ({ person, organization }) => `${person} asked to join ${organization}`,
  'join_request.approved': ({ person, organization }) => `${person} was let into ${organization}`,
  'join_request.denied': ({ person, organization }) => `${person} was not let into ${organization}`,
  'team.created': became('team', 'was created'),
  'team.updated': became('team', 'changed'),
  'team.removed': became('team', 'was removed'),
  'team_member.added': (words) => `${words.person} was added to ${the('team', words)}${words.elsewhere}`,
  'team_member.removed': (words) => `${words.person} was removed from ${the('team', words)}${words.elsewhere}`,
  'domain.added': became('domain', 'was added'),
  'domain.verified': became('domain', 'was verified'),
  'domain.updated': (words) => `How ${the('domain', words)} lets people in${words.elsewhere} changed`,
  'domain.removed': became('domain', 'was removed'),
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
  organization: (name: string) => `the organization${name && ` ${name}`}`,
  anotherOrganization: 'another organization',
  elsewhere: (organization: string) => ` in ${organization}`,
  order: 'Order',
  subscription: 'Subscription',
  customer: 'Customer',
  product: 'Product',
  payments: 'Payments',
  /** Says beside a link what it leads to, for whoever hears nothing but links. */
  linkOf: (link: string, sentence: string) => `${link}: ${sentence}`,
  sent: {
    succeeded: (count: number) => `sent to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    pending: (count: number) => `on its way to ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
    failed: (count: number) => `not received by ${count === 1 ? '1 webhook' : `${count} webhooks`}`,
  },
} as const
