import type { TimelineItem } from '@tollgate/contract/billing-types'
import {
  type EventKind,
  type EventObjectName,
  eventObjects,
  type LineWords,
  timelineRows,
} from '@tollgate/contract/events'
import { moneyText } from '../../parts/money.tsx'
import { states, activityWords as words } from './activity.texts.ts'

const rowOf = (type: string) => (Object.hasOwn(timelineRows, type) ? timelineRows[type] : undefined)

/** The sentence of an event; of a type that this page does not know, the type. */
export function sentenceOf(event: Pick<TimelineItem, 'type' | 'data' | 'user' | 'organization'>): string {
  const row = rowOf(event.type)
  if (!row) return event.type
  const text = row.line(wordsOf(event, row.object))
  // Names and addresses are written as they are.
  return [words.unknownUser, words.something].some((unknown) => text.startsWith(unknown)) ? capital(text) : text
}

function wordsOf(event: Pick<TimelineItem, 'data' | 'user' | 'organization'>, object: EventObjectName): LineWords {
  const { data, user, organization } = event
  const said = (member: string): string => {
    const value = data?.[member]
    return typeof value === 'string' ? value : ''
  }
  const { amount: sum, currency } = data ?? {}
  const amount = typeof sum === 'number' && typeof currency === 'string' ? moneyText(sum, currency) : ''
  const product = said('product') || words.aProduct
  const { thing: sort = '' } = eventObjects[object]
  const called = namesOfThings.map(said).find((name) => name !== '')
  const thing = called ? `the ${sort} ${called}` : `${/^[aeio]/.test(sort) ? 'an' : 'a'} ${sort}`
  const email = said('email') || words.unknownUser
  const where = whereOf(organization && (organization.name ?? said('name')))
  return {
    customer: said('customer') || words.aBuyer,
    product,
    sold: amount ? `${product} for ${amount}` : product,
    amount,
    ofAmount: amount && ` of ${amount}`,
    number: said('number') && ` ${said('number')}`,
    person: user?.name ?? words.unknownUser,
    name: said('name') || words.something,
    nameOrEmail: said('name') || email,
    thing,
    Thing: capital(thing),
    role: said('after'),
    ...where,
    Organization: capital(where.organization),
    email,
    became: states[object]?.[said('status')] ?? 'changed',
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The members that things other than what is sold are called by: in each event there is one of them at most that counts. */
const namesOfThings = ['name', 'description', 'comment', 'role', 'domain', 'host']

/** The name of the organization that it happened in, empty where it is not known; null in the shop's own. */
function whereOf(name: string | null): Pick<LineWords, 'organization' | 'elsewhere'> {
  if (name === null) return { organization: words.organization(''), elsewhere: '' }
  return {
    organization: name ? words.organization(name) : words.anotherOrganization,
    elsewhere: words.elsewhere(name || words.anotherOrganization),
  }
}

/** The types of a kind, for the list to be narrowed to. */
export const typesOf = (kind: EventKind): string[] =>
  Object.entries(timelineRows).flatMap(([type, { object }]) => (eventObjects[object].kind === kind ? [type] : []))

/** The colour of the mark beside an event. Losses stand out, and events that need a look. */
export const toneOf = (type: string): 'danger' | 'warn' | 'plain' => rowOf(type)?.lineTone ?? 'plain'

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
