import type { TimelineItem } from '@tollgate/contract/billing-types'
import { type EventKind, type EventObjectName, eventObjects, timelineRows } from '@tollgate/contract/events'
import { textNamed } from '@tollgate/react'
import { filled } from '../../language.ts'
import { moneyText } from '../../parts/money.tsx'
import { activityWords as words } from './activity.texts.ts'

const rowOf = (type: string) => (Object.hasOwn(timelineRows, type) ? timelineRows[type] : undefined)

type Event = Pick<TimelineItem, 'type' | 'data' | 'user' | 'organization'>

/** The sentence of an event; of a type that this page does not know, the type. */
export function sentenceOf(event: Event): string {
  const row = rowOf(event.type)
  const line = textNamed(words.lines, event.type)
  if (!row || line === undefined) return event.type
  const text = filled(line, valuesOf(event, row.object))
  // Names and addresses are written as they are.
  return [words.unknownUser, words.something].some((unknown) => text.startsWith(unknown)) ? capital(text) : text
}

/** What can stand in a line. Values that are not known have a fallback, such as "A buyer"; optional parts are then empty. */
function valuesOf({ data, user, organization }: Event, object: EventObjectName): Readonly<Record<string, string>> {
  const said = (member: string): string => {
    const value = data?.[member]
    return typeof value === 'string' ? value : ''
  }
  const { amount: sum, currency } = data ?? {}
  const amount = typeof sum === 'number' && typeof currency === 'string' ? moneyText(sum, currency) : ''
  const product = said('product') || words.aProduct
  const email = said('email') || words.unknownUser
  const where = whereOf(organization && (organization.name ?? said('name')))
  const thing = thingOf(object, namesOfThings.map(said).find(Boolean))
  /** A part of a line that is left out without its value. */
  const part = (name: keyof typeof words.parts, values: Readonly<Record<string, string>>): string =>
    Object.values(values).every(Boolean) ? filled(words.parts[name], values) : ''
  return {
    customer: said('customer') || words.aBuyer,
    product,
    sold: part('sold', { product, amount }) || product,
    ofAmount: part('ofAmount', { amount }),
    aboutAmount: part('aboutAmount', { amount }),
    paid: part('paid', { amount }),
    soFar: part('soFar', { amount }),
    number: part('number', { number: said('number') }),
    planned: part('planned', { count: data?.scheduledPhases ? String(data.scheduledPhases) : '' }),
    person: user?.name ?? words.unknownUser,
    name: said('name') || words.something,
    nameOrEmail: said('name') || email,
    thing,
    Thing: capital(thing),
    newRole: part('newRole', { role: said('after') }),
    ...where,
    Organization: capital(where.organization),
    email,
    became: textNamed(words.states, `${object}.${said('status')}`) ?? words.parts.changed,
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "the team Design", or "a team" if its name is not known; empty for objects that lines do not name. */
function thingOf(object: EventObjectName, name: string | undefined): string {
  const kind = object === 'team_member' ? 'team' : object
  const named = textNamed(words.things, `${kind}.named`)
  if (named === undefined) return ''
  return name ? filled(named, { name }) : (textNamed(words.things, `${kind}.some`) ?? '')
}

/** The members that things other than what is sold are called by: in each event there is one of them at most that counts. */
const namesOfThings = ['name', 'description', 'comment', 'role', 'domain', 'host']

type Where = { readonly organization: string; readonly elsewhere: string }

/** The name of the organization that it happened in, empty where it is not known; null in the shop's own. */
function whereOf(name: string | null): Where {
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
