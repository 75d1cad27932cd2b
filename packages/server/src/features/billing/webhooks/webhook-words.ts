import { type ChatWords, type EventObjectName, webhookRow } from '@tollgate/contract/events'
import { moneyText } from '../../../foundation/money-text.ts'
import { membersOf } from '../../../foundation/proof/proven.ts'
import { disputeReasonText } from './dispute-reasons.ts'

/*
 * Events as chat messages. The sentences are in the table of events; this file fills them from the object's whole
 * payload. Chats are English only, as the dashboard is.
 */

/** One event: a sentence, further details, and a link to the object. */
export type Words = { readonly sentence: string; readonly details: readonly string[]; readonly link: string }

/** The server, and the endpoint's organization, for links to its pages. */
export type Place = { readonly origin: string; readonly organizationSlug: string }

/** The words for an event and its payload. For an unknown type, the type itself is the sentence. */
export function wordsOf(type: string, payload: string, place: Place): Words {
  const row = webhookRow(type)
  const told = subjectOf(objectIn(JSON.parse(payload)), row?.object)
  const sentence = row?.chat ? row.chat(wordsIn(told)) : type
  const details = (row && particulars[row.object]?.(told)) ?? []
  return {
    sentence,
    // The sentence already contains it.
    details: details.flatMap((each) => (each && !sentence.toLowerCase().includes(each.toLowerCase()) ? [each] : [])),
    link: place.origin + pathOf(row?.object, told, place.organizationSlug),
  }
}

type Wire = Readonly<Record<string, unknown>>

/** The known members of an event; undefined or a placeholder for missing ones. */
type Subject = ReturnType<typeof subjectOf>

function subjectOf(subject: Wire, object: EventObjectName | undefined) {
  const currency = textIn(subject, 'currency')
  const money = (...parts: readonly unknown[]) => amountText(parts, currency)
  const customer = objectIn(subject.customer)
  const user = objectIn(subject.user)
  const organization = objectIn(subject.organization)
  const details = objectIn(subject.details)
  const status = textIn(subject, 'status') ?? ''
  return {
    subject,
    organization,
    details,
    /** The price with tax. */
    total: 'total_amount' in subject ? money(subject.total_amount) : money(subject.amount, subject.tax_amount ?? 0),
    tax: subject.tax_amount ? `${money(subject.tax_amount)} of which is tax` : undefined,
    refunded: money(subject.refunded_amount, subject.refunded_tax_amount),
    customer:
      textIn(customer, 'name') ?? textIn(customer, 'email') ?? textIn(subject, 'customer_name') ?? emailOf(subject),
    email: textIn(customer, 'email') ?? emailOf(subject),
    product: textIn(objectIn(subject.product), 'name') ?? 'a product',
    order: `order ${textIn(subject, 'invoice_number') ?? ''}`.trim(),
    name: textIn(subject, 'name') ?? textIn(subject, 'email') ?? 'something',
    status,
    became: said((object && statesOf[object]) ?? {}, status, 'has changed'),
    /** The user of the event. A deleted account has no name. */
    person: textIn(user, 'name') ?? textIn(user, 'email') ?? 'a user',
    personEmail: textIn(user, 'email'),
    invited: textIn(details, 'email') ?? 'a person',
    team: textIn(details, 'name') ? `the team ${textIn(details, 'name')}` : 'a team',
    where: textIn(organization, 'name') ?? textIn(details, 'name') ?? 'an organization',
  }
}

function wordsIn({ subject, details, customer, total = '', refunded = '', ...told }: Subject): ChatWords {
  const { product, name, order, person, invited, team } = told
  const buyer = customer ?? 'a buyer'
  return {
    ...told,
    Name: first(name),
    buyer,
    Buyer: customer ?? 'A buyer',
    Order: capital(order),
    Subscription: `The subscription of ${buyer} to ${product}`,
    Benefit: `The benefit ${textIn(subject, 'description') ?? ''}`.trim(),
    activeSubscriptions: activeSubscriptions(subject),
    total,
    ofTotal: total && ` of ${total}`,
    isFree: subject.total_amount === 0,
    refunded,
    endsOn:
      (subject.cancel_at_period_end === true && (dayText(subject.ends_at) ?? dayText(subject.current_period_end))) ||
      '',
    Person: first(person),
    Invited: first(invited),
    Team: first(team),
    hasLeft: details.left === true,
  }
}

/** Users choose names freely; cuts long ones to fit a line. */
const longest = 80

function textIn(object: Wire, member: string): string | undefined {
  const value = object[member]
  if (typeof value !== 'string') return undefined
  const line = value.replaceAll(unseen, '').replace(/\s+/g, ' ').trim()
  if (line === '') return undefined
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}

/** Removes invisible characters: zero-width characters, and marks that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\0-\x08\x0e-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const objectIn = (value: unknown): Wire => membersOf(value)

const emailOf = (subject: Wire): string | undefined => textIn(subject, 'customer_email')

/** An amount as "$19.00 USD"; undefined if a part is not an amount. */
function amountText(parts: readonly unknown[], currency: string | undefined): string | undefined {
  const sum = parts.reduce<number>((all, part) => all + (typeof part === 'number' ? part : Number.NaN), 0)
  return Number.isSafeInteger(sum) && currency !== undefined && /^[a-z]{3}$/.test(currency)
    ? `${moneyText(sum, currency, 'en')} ${currency.toUpperCase()}`
    : undefined
}

type OfObjects<Value> = { readonly [Name in EventObjectName]?: Value }

type States = Readonly<Record<string, string>>

const said = (states: States, status: string, otherwise: string): string =>
  (Object.hasOwn(states, status) && states[status]) || otherwise

const checkoutStates: States = {
  confirmed: 'was confirmed and awaits payment',
  succeeded: 'was completed',
  failed: 'failed',
  expired: 'expired',
}
const orderStates: States = {
  pending: 'not paid yet',
  paid: 'paid',
  refunded: 'refunded in full',
  partially_refunded: 'refunded in part',
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
  needs_response: 'needs your response',
  under_review: 'is under review',
  early_warning: 'may follow: the bank sent a warning',
  prevented: 'was prevented',
  won: 'was won',
  lost: 'was lost',
}
/** The phrase for a change of state. */
const statesOf: OfObjects<States> = { checkout: checkoutStates, refund: refundStates, dispute: disputeStates }

const reasons: States = {
  purchase: '',
  subscription_create: 'first payment of a subscription',
  subscription_cycle: 'renewal',
  subscription_update: 'change of a subscription',
}

/** The form at the start of a sentence. Names keep their first letter; placeholders get a capital. */
const first = (word: string): string =>
  /^(a user$|a person$|something$|a team$|the team |an organization$)/.test(word) ? capital(word) : word
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function activeSubscriptions({ active_subscriptions: held }: Wire): string {
  const count = Array.isArray(held) ? held.length : 0
  return count === 1 ? '1 active subscription' : `${count || 'no'} active subscriptions`
}

type Particulars = (told: Subject) => readonly (string | undefined)[]

const ofPeople: Particulars = ({ details, personEmail }) => [
  textIn(details, 'after') ?? textIn(details, 'role'),
  textIn(details, 'reason'),
  personEmail,
]

const ofCustomer: Particulars = ({ subject }) => [textIn(subject, 'email')]

/** The details beside the sentence. */
const particulars: OfObjects<Particulars> = {
  checkout: ({ total, tax, email }) => [total, tax, email],
  customer: ofCustomer,
  customer_state: ofCustomer,
  order: ({ subject, total, tax, order, status, email }) => [
    order === 'order' ? undefined : order,
    total,
    // Beside a refunded sum, readers would take it for the refund's tax.
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

/** The date of a time on the wire, in UTC like everything in billing. */
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

/** The path of an object's page; the dashboard's if the object has none. */
function pathOf(object: EventObjectName | undefined, { subject, organization }: Subject, slug: string): string {
  const dashboard = `/dashboard/${slug}`
  const page = object && pages[object]
  if (!page) return dashboard
  const id = page.of === 'slug' ? organization.slug : subject[page.of]
  if (typeof id !== 'string') return dashboard
  const path = page.at.replace(':id', () => encodeURIComponent(id))
  return page.of === 'slug' || page.of === 'user_id' ? path : dashboard + path
}

/** Pages of people use the user or the organization's slug; those of a shop are below its dashboard. */
type Page = { readonly of: 'id' | 'order_id' | 'user_id' | 'slug'; readonly at: string }

const ofAccount: Page = { of: 'user_id', at: '/admin/users/:id' }

const pages: OfObjects<Page> = {
  checkout: { of: 'id', at: '/payments?checkout=:id' },
  customer: { of: 'id', at: '/customers/:id' },
  customer_state: { of: 'id', at: '/customers/:id' },
  order: { of: 'id', at: '/orders/:id' },
  subscription: { of: 'id', at: '/subscriptions/:id' },
  refund: { of: 'order_id', at: '/orders/:id' },
  dispute: { of: 'order_id', at: '/orders/:id' },
  product: { of: 'id', at: '/products/:id' },
  merchant: { of: 'id', at: '/settings' },
  organization: { of: 'slug', at: '/org/:id' },
  member: { of: 'slug', at: '/org/:id/members' },
  invitation: { of: 'slug', at: '/org/:id/invitations' },
  team: { of: 'slug', at: '/org/:id/teams' },
  team_member: { of: 'slug', at: '/org/:id/teams' },
  user: ofAccount,
  session: ofAccount,
  account: ofAccount,
  impersonation: ofAccount,
}
