import type { TimelineItem } from '@tollgate/contract/billing-types'
import { moneyText } from '../parts/money.tsx'
import { type EventWords, sentences, activityWords as words } from './activity.texts.ts'

/** What a line says of an event, in a sentence; one that is newer than this page is called by its type. */
export function sentenceOf(event: Pick<TimelineItem, 'type' | 'data' | 'user' | 'organization'>): string {
  const { type, data, user, organization } = event
  if (!Object.hasOwn(sentences, type)) return type
  const sentence: (words: EventWords) => string = sentences[type as keyof typeof sentences] // looked up just now
  const said = (member: string): string => {
    const value = data?.[member]
    return typeof value === 'string' ? value : ''
  }
  const { amount, currency } = data ?? {}
  const text = sentence({
    customer: said('customer') || words.aBuyer,
    product: said('product') || words.aProduct,
    amount: typeof amount === 'number' && typeof currency === 'string' ? moneyText(amount, currency) : '',
    number: said('number') && ` ${said('number')}`,
    person: user?.name ?? words.somebody,
    name: said('name') || (type.startsWith('customer.') ? '' : words.something),
    called: namesOfThings.map(said).find((name) => name !== '') ?? '',
    role: said('after'),
    ...whereOf(organization && (organization.name ?? said('name'))),
    email: said('email') || words.somebody,
    status: said('status'),
  })
  // Names and addresses are written as they are.
  const isNamed = ![words.somebody, words.something].some((unknown) => text.startsWith(unknown))
  return isNamed ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** The members that things other than what is sold are called by: in each event there is one of them at most that counts. */
const namesOfThings = ['name', 'description', 'comment', 'role', 'domain', 'host']

/** The name of the organization that it happened in, empty where it is not known; null in the shop's own. */
function whereOf(name: string | null): Pick<EventWords, 'organization' | 'elsewhere'> {
  if (name === null) return { organization: words.organization(''), elsewhere: '' }
  return {
    organization: name ? words.organization(name) : words.anotherOrganization,
    elsewhere: words.elsewhere(name || words.anotherOrganization),
  }
}

export type Kind = keyof typeof words.kinds

/** What the types of a kind begin with; what is left is about accounts. */
const families: Readonly<Record<Exclude<Kind, 'organization' | 'accounts'>, readonly string[]>> = {
  orders: ['order'],
  refunds: ['refund', 'dispute'],
  checkouts: ['checkout'],
  customers: ['customer'],
  subscriptions: ['subscription'],
  catalog: ['product', 'benefit', 'benefit_grant'],
}
const ofAccounts = ['user', 'session', 'account', 'impersonation', 'job']

function kindOf(type: string): Kind {
  const family = type.split('.')[0]!
  if (ofAccounts.includes(family)) return 'accounts'
  const found = Object.entries(families).find(([, members]) => members.includes(family))
  return found ? (found[0] as Kind) : 'organization' // a key of the table above
}

/** The types of a kind, for the list to be narrowed to. */
export const typesOf = (kind: Kind): string[] => Object.keys(sentences).filter((type) => kindOf(type) === kind)

/** What went wrong or was taken away stands out, and what waits to be looked at. */
export function toneOf(type: string): 'danger' | 'warn' | 'plain' {
  if (loss.has(type)) return 'danger'
  return type.startsWith('refund.') || type.startsWith('dispute.') || attention.has(type) ? 'warn' : 'plain'
}

const loss: ReadonlySet<string> = new Set(['dispute.created', 'customer.deleted', 'user.deleted', 'user.banned'])
const attention: ReadonlySet<string> = new Set([
  'order.refunded',
  'subscription.canceled',
  'subscription.revoked',
  'organization.transferred',
  'organization.selling_stopped',
  'webhook_endpoint.disabled',
  'member.removed',
  'member.role_changed',
])

/** Events by the days on which they happened, in the viewer's zone; both in the order in which they come. */
export function byDay<Event extends { readonly createdAt: string }>(
  events: readonly Event[],
  dayOf: (at: string) => string,
): { readonly day: string; readonly events: readonly Event[] }[] {
  const days: { day: string; events: Event[] }[] = []
  for (const event of events) {
    const day = dayOf(event.createdAt)
    const last = days.at(-1)
    if (last?.day === day) last.events.push(event)
    else days.push({ day, events: [event] })
  }
  return days
}
