import { disputeReasonText, type WebhookEventType } from '@tollgate/contract/billing'
import { moneyText } from '../../money-text.ts'

/*
 * Events as people in a channel read them. The dashboard has sentences of its own, made of what a timeline keeps; these are
 * made of the whole object, and in English alone, as the dashboard is.
 */

/** Of one event: what happened, in a sentence, what else there is to know, and where to look. */
export type Words = { readonly sentence: string; readonly details: readonly string[]; readonly link: string }

/** Where things can be looked at: on this server, and in the pages of the organization whose endpoint it is. */
export type Place = { readonly origin: string; readonly organizationSlug: string }

/** What is said of an event and its object, as it goes over the wire; one that is newer than this file by its type. */
export function wordsOf(type: string, payload: string, place: Place): Words {
  const told = toldBy(objectIn(JSON.parse(payload)))
  const [family = ''] = type.split('.')
  const says: Sentence | undefined = Object.hasOwn(sentences, type) ? sentences[type as WebhookEventType] : undefined // looked up just now
  const sentence = says ? says(told) : type
  const details = (Object.hasOwn(particulars, family) && particulars[family]?.(told)) || []
  return {
    sentence,
    // What the sentence has said is not said again.
    details: details.flatMap((each) => (each && !sentence.includes(each) ? [each] : [])),
    link: place.origin + pathOf(type, told, place.organizationSlug),
  }
}

type Wire = Readonly<Record<string, unknown>>

/** What sentences are made of; each has something to stand for it where it is not known. */
type Told = ReturnType<typeof toldBy>

function toldBy(subject: Wire) {
  const currency = textIn(subject, 'currency')
  const money = (...parts: readonly unknown[]) => amountText(parts, currency)
  const customer = objectIn(subject.customer)
  const user = objectIn(subject.user)
  const organization = objectIn(subject.organization)
  const details = objectIn(subject.details)
  return {
    subject,
    organization,
    details,
    money,
    /** What it comes to with the tax in it. */
    total: 'total_amount' in subject ? money(subject.total_amount) : money(subject.amount, subject.tax_amount ?? 0),
    tax: subject.tax_amount ? `${money(subject.tax_amount)} of it tax` : undefined,
    customer:
      textIn(customer, 'name') ?? textIn(customer, 'email') ?? textIn(subject, 'customer_name') ?? emailOf(subject),
    email: textIn(customer, 'email') ?? emailOf(subject),
    product: textIn(objectIn(subject.product), 'name') ?? 'a product',
    order: `order ${textIn(subject, 'invoice_number') ?? ''}`.trim(),
    name: textIn(subject, 'name') ?? textIn(subject, 'email') ?? 'something',
    benefit: `the benefit ${textIn(subject, 'description') ?? ''}`.trim(),
    status: textIn(subject, 'status') ?? '',
    /** Whose account or membership it is about; accounts that are gone have no name. */
    person: textIn(user, 'name') ?? textIn(user, 'email') ?? 'somebody',
    personEmail: textIn(user, 'email'),
    invited: textIn(details, 'email') ?? 'somebody',
    team: textIn(details, 'name') ? `the team ${textIn(details, 'name')}` : 'a team',
    where: textIn(organization, 'name') ?? textIn(details, 'name') ?? 'an organization',
  }
}

/** Names are anybody's to choose; of a long one as much as a line has room for. */
const longest = 80

function textIn(object: Wire, member: string): string | undefined {
  const value = object[member]
  if (typeof value !== 'string') return undefined
  const line = value.replaceAll(unseen, '').replace(/\s+/g, ' ').trim()
  if (line === '') return undefined
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}

/** What would turn the line around, and letters that nobody sees: zero characters, and the signs of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\0-\x08\x0e-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const objectIn = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {}) // an object of JSON, or a list, which has no members

const emailOf = (subject: Wire): string | undefined => textIn(subject, 'customer_email')

/** A sum as "$19.00 USD"; nothing where one of its parts is no amount. */
function amountText(parts: readonly unknown[], currency: string | undefined): string | undefined {
  const sum = parts.reduce<number>((all, part) => all + (typeof part === 'number' ? part : Number.NaN), 0)
  return Number.isSafeInteger(sum) && currency !== undefined && /^[a-z]{3}$/.test(currency)
    ? `${moneyText(sum, currency, 'en')} ${currency.toUpperCase()}`
    : undefined
}

type States = Readonly<Record<string, string>>

const said = (states: States, status: string, otherwise: string): string =>
  (Object.hasOwn(states, status) && states[status]) || otherwise

const checkoutStates: States = {
  confirmed: 'was confirmed, and waits for its payment',
  succeeded: 'was completed',
  failed: 'failed',
  expired: 'ran out',
}
const orderStates: States = {
  pending: 'not paid yet',
  paid: 'paid',
  refunded: 'given back as a whole',
  partially_refunded: 'given back in part',
}
const subscriptionStates: States = {
  incomplete: 'not paid yet',
  incomplete_expired: 'never paid',
  trialing: 'on trial',
  active: 'active',
  past_due: 'payment overdue',
  canceled: 'canceled',
  unpaid: 'unpaid',
}
const refundStates: States = { succeeded: 'was paid out', failed: 'has failed', canceled: 'was canceled' }
const disputeStates: States = {
  needs_response: 'waits for your answer',
  under_review: 'is being looked at',
  early_warning: 'may come: the bank has warned',
  prevented: 'was prevented',
  won: 'was won',
  lost: 'was lost',
}
const reasons: States = {
  purchase: '',
  subscription_create: 'first payment of a subscription',
  subscription_cycle: 'renewal',
  subscription_update: 'change of a subscription',
}

const of = (amount: string | undefined): string => (amount === undefined ? '' : ` of ${amount}`)
/** The beginning of a sentence: what stands for an unknown name begins with a small letter. */
const first = (word: string): string =>
  /^(somebody|something|a team|the team |an organization)/.test(word) ? capital(word) : word
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const buyer = ({ customer }: Told): string => customer ?? 'a buyer'
const theBuyer = (told: Told): string => told.customer ?? 'A buyer'
const subscription = (told: Told): string => `The subscription of ${buyer(told)} to ${told.product}`

function paid(told: Told): string {
  if (told.subject.total_amount === 0) return `${theBuyer(told)} got ${told.product}, with nothing to pay`
  return told.total
    ? `${theBuyer(told)} paid ${told.total} for ${told.product}`
    : `${theBuyer(told)} paid for ${told.product}`
}

function refunded(told: Told): string {
  const { subject, money, total, order } = told
  const back = money(subject.refunded_amount, subject.refunded_tax_amount)
  if (back === undefined || total === undefined) return `Money of ${order} was given back to ${buyer(told)}`
  return back === total
    ? `All of ${order} has been given back to ${buyer(told)}: ${back}`
    : `By now ${back} of the ${total} of ${order} has been given back to ${buyer(told)}`
}

function canceled(told: Told): string {
  const end = dayText(told.subject.ends_at) ?? dayText(told.subject.current_period_end)
  return told.subject.cancel_at_period_end === true && end
    ? `${subscription(told)} was canceled, and ends on ${end}`
    : `${subscription(told)} was canceled`
}

function stateOf(told: Told): string {
  const held = told.subject.active_subscriptions
  const count = Array.isArray(held) ? held.length : 0
  const many = count === 1 ? '1 active subscription' : `${count || 'no'} active subscriptions`
  return `${first(told.name)} has ${many} now`
}

type Sentence = (told: Told) => string

/** Every type of event, in a sentence. */
const sentences: Readonly<Record<WebhookEventType, Sentence>> = {
  'checkout.created': ({ product }) => `A checkout of ${product} was opened`,
  'checkout.updated': ({ product, status }) =>
    `A checkout of ${product} ${said(checkoutStates, status, 'has changed')}`,
  'checkout.expired': ({ product }) => `A checkout of ${product} ran out`,
  'customer.created': ({ name }) => `${first(name)} became a customer`,
  'customer.updated': ({ name }) => `What is known of ${name} has changed`,
  'customer.deleted': ({ name }) => `${first(name)} was removed from the customers`,
  'customer.state_changed': stateOf,
  'order.created': (told) => `${theBuyer(told)} ordered ${told.product}`,
  'order.updated': (told) => `${capital(told.order)} of ${buyer(told)} has changed`,
  'order.paid': paid,
  'order.refunded': refunded,
  'subscription.created': (told) => `${theBuyer(told)} subscribed to ${told.product}`,
  'subscription.active': (told) => `${subscription(told)} is active`,
  'subscription.updated': (told) => `${subscription(told)} has changed`,
  'subscription.canceled': canceled,
  'subscription.uncanceled': (told) => `${subscription(told)} goes on after all`,
  'subscription.revoked': (told) => `${subscription(told)} has ended`,
  'refund.created': ({ total }) => `A refund${of(total)} was begun`,
  'refund.updated': ({ total, status }) => `The refund${of(total)} ${said(refundStates, status, 'has changed')}`,
  'dispute.created': ({ total }) => `A buyer disputes a payment${of(total)}`,
  'dispute.updated': ({ total, status }) => `The dispute${of(total)} ${said(disputeStates, status, 'has changed')}`,
  'product.created': ({ name }) => `${first(name)} was added to the products`,
  'product.updated': ({ name }) => `The product ${name} has changed`,
  'benefit.created': ({ benefit }) => `${capital(benefit)} was added`,
  'benefit.updated': ({ benefit }) => `${capital(benefit)} has changed`,
  'benefit_grant.created': (told) => `${theBuyer(told)} was given a benefit`,
  'benefit_grant.updated': (told) => `A benefit of ${buyer(told)} has changed`,
  'benefit_grant.revoked': (told) => `A benefit of ${buyer(told)} was taken back`,
  'benefit_grant.cycled': (told) => `A benefit of ${buyer(told)} began anew`,
  'organization.updated': ({ name }) => `What ${name} sells as has changed`,
  'organization.created': ({ where }) => `The organization ${where} was created`,
  'organization.changed': ({ where }) => `The organization ${where} has changed`,
  'organization.deleted': ({ where }) => `The organization ${where} was deleted`,
  'organization.transferred': ({ where, person }) => `The organization ${where} was handed over to ${person}`,
  'member.added': ({ where, person }) => `${first(person)} joined ${where}`,
  'member.removed': ({ where, person, details }) =>
    details.left === true ? `${first(person)} left ${where}` : `${first(person)} was removed from ${where}`,
  'member.role_changed': ({ where, person }) => `${first(person)} has another role in ${where}`,
  'invitation.created': ({ where, invited }) => `${first(invited)} was invited to ${where}`,
  'invitation.renewed': ({ where, invited }) => `${first(invited)} was invited to ${where} again`,
  'invitation.accepted': ({ where, invited }) => `${first(invited)} accepted the invitation to ${where}`,
  'invitation.rejected': ({ where, invited }) => `${first(invited)} declined the invitation to ${where}`,
  'invitation.canceled': ({ where, invited }) => `The invitation of ${invited} to ${where} was withdrawn`,
  'team.created': ({ where, team }) => `${first(team)} was created in ${where}`,
  'team.updated': ({ where, team }) => `${first(team)} of ${where} has changed`,
  'team.removed': ({ where, team }) => `${first(team)} was removed from ${where}`,
  'team_member.added': ({ where, team, person }) => `${first(person)} was added to ${team} of ${where}`,
  'team_member.removed': ({ where, team, person }) => `${first(person)} was removed from ${team} of ${where}`,
  'user.created': ({ person }) => `${first(person)} signed up`,
  'user.updated': ({ person }) => `The profile of ${person} has changed`,
  'user.deleted': ({ person }) => `The account of ${person} was deleted`,
  'user.email_verified': ({ person }) => `${first(person)} proved their email address`,
  'user.email_changed': ({ person }) => `${first(person)} has another email address`,
  'user.password_changed': ({ person }) => `${first(person)} changed their password`,
  'user.password_reset': ({ person }) => `${first(person)} reset their password`,
  'user.password_set': ({ person }) => `An administrator set a password for ${person}`,
  'user.role_changed': ({ person }) => `${first(person)} has another role in this installation`,
  'user.banned': ({ person }) => `${first(person)} was banned`,
  'user.unbanned': ({ person }) => `${first(person)} is no longer banned`,
  'session.created': ({ person }) => `${first(person)} signed in`,
  'session.revoked': ({ person }) => `A session of ${person} was ended`,
  'account.linked': ({ person }) => `${first(person)} linked a way to sign in`,
  'account.unlinked': ({ person }) => `${first(person)} unlinked a way to sign in`,
  'impersonation.started': ({ person }) => `An administrator began to act as ${person}`,
  'impersonation.stopped': ({ person }) => `An administrator no longer acts as ${person}`,
}

type Particulars = (told: Told) => readonly (string | undefined)[]

const ofPeople: Particulars = ({ details, personEmail }) => [
  textIn(details, 'after') ?? textIn(details, 'role'),
  textIn(details, 'reason'),
  personEmail,
]

/** What is said beside the sentence, by what the types begin with. */
const particulars: Readonly<Record<string, Particulars>> = {
  checkout: ({ total, tax, email }) => [total, tax, email],
  customer: ({ subject }) => [textIn(subject, 'email')],
  order: ({ subject, total, tax, order, status, email }) => [
    order === 'order' ? undefined : order,
    total,
    // Beside what was given back of it, it would be taken for the tax of that.
    subject.refunded_amount ? undefined : tax,
    said(orderStates, status, ''),
    said(reasons, textIn(subject, 'billing_reason') ?? '', ''),
    email,
  ],
  subscription: ({ subject, total, status, email }) => [
    total && `${total} before tax ${everyText(subject)}`.trim(),
    said(subscriptionStates, status, ''),
    email,
  ],
  refund: ({ subject, tax }) => [
    tax,
    textIn(subject, 'reason')?.replaceAll('_', ' '),
    textIn(subject, 'failure_reason'),
    textIn(subject, 'credit_note_number') && `credit note ${textIn(subject, 'credit_note_number')}`,
  ],
  dispute: ({ subject, tax, status }) => [
    tax,
    disputeReasonText(textIn(subject, 'reason') ?? ''),
    status === 'needs_response' && dayText(subject.evidence_due_by)
      ? `answer until ${dayText(subject.evidence_due_by)}`
      : undefined,
  ],
  product: ({ subject }) => [subject.is_archived === true ? 'archived' : undefined],
  member: ofPeople,
  invitation: ({ details }) => [textIn(details, 'role')],
  team_member: ofPeople,
  user: ofPeople,
  session: ofPeople,
  account: ofPeople,
  impersonation: ofPeople,
}

/** A day, of a moment as it goes over the wire; in UTC, like everything that is billed. */
function dayText(moment: unknown): string | undefined {
  const at = typeof moment === 'string' ? Date.parse(moment) : Number.NaN
  return Number.isNaN(at) ? undefined : day.format(at)
}
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

/** "every month", "every 3 months". */
function everyText({ recurring_interval: interval, recurring_interval_count: count }: Wire): string {
  if (interval !== 'day' && interval !== 'week' && interval !== 'month' && interval !== 'year') return ''
  return typeof count === 'number' && count > 1 ? `every ${count} ${interval}s` : `every ${interval}`
}

/** Where an object is looked at: its page, the list that shows it, or the start of the dashboard. */
function pathOf(type: string, { subject, organization }: Told, slug: string): string {
  const dashboard = `/dashboard/${slug}`
  const [family = ''] = type.split('.')
  const page = Object.hasOwn(pages, family) && type !== 'organization.updated' ? pages[family] : undefined
  if (!page) return type === 'organization.updated' ? `${dashboard}/settings` : dashboard
  const id = page.of === 'organization' ? organization.slug : subject[page.of]
  if (typeof id !== 'string') return dashboard
  const path = page.at.replace(':id', () => encodeURIComponent(id))
  return page.of === 'organization' || page.of === 'user_id' ? path : dashboard + path
}

type Page = { readonly of: 'id' | 'order_id' | 'user_id' | 'organization'; readonly at: string }

const ofOrder: Page = { of: 'order_id', at: '/orders/:id' }
const ofAccount: Page = { of: 'user_id', at: '/admin/users/:id' }

/** By what the types begin with: below the dashboard of the shop, unless they are about people. */
const pages: Readonly<Record<string, Page>> = {
  checkout: { of: 'id', at: '/payments?checkout=:id' },
  customer: { of: 'id', at: '/customers/:id' },
  order: { of: 'id', at: '/orders/:id' },
  subscription: { of: 'id', at: '/subscriptions/:id' },
  refund: ofOrder,
  dispute: ofOrder,
  product: { of: 'id', at: '/products/:id' },
  organization: { of: 'organization', at: '/org/:id' },
  member: { of: 'organization', at: '/org/:id/members' },
  invitation: { of: 'organization', at: '/org/:id/invitations' },
  team: { of: 'organization', at: '/org/:id/teams' },
  team_member: { of: 'organization', at: '/org/:id/teams' },
  user: ofAccount,
  session: ofAccount,
  account: ofAccount,
  impersonation: ofAccount,
}
