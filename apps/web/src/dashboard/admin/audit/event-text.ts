import { auditRows } from '@tollgate/contract/events'
import { textNamed } from '@tollgate/react'
import { momentText } from '../../parts/time.tsx'
import { details, events } from '../texts.ts'

const rowOf = (type: string) => (Object.hasOwn(auditRows, type) ? auditRows[type] : undefined)

/** The name of an event. A type that has none yet is spelled as words: `order.paid` → `Order paid`. */
export const eventName = (type: string): string => textNamed(events, type) ?? capitalized(type.replace(/[._]/g, ' '))

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The colour of the mark beside an event. Losses and changes of power stand out. */
export const eventTone = (type: string): 'danger' | 'warn' | 'plain' => rowOf(type)?.logTone ?? 'plain'

/**
 * What an event says besides, as "Label: value" pairs. Ids are left out: the page links what they name. Members without a
 * value say nothing.
 */
export function eventDetails(data: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(data ?? {})
    .filter(([key, value]) => value !== null && value !== '' && !isId(key, value))
    .map(([key, value]) => `${labelOf(key)}: ${valueText(key, value)}`)
    .join(' · ')
}

/** The members of events that have a label of their own. */
const labelled = [
  'after',
  'before',
  'by',
  'comment',
  'count',
  'coversInstallation',
  'domain',
  'email',
  'fields',
  'fromEmail',
  'hasRunOut',
  'host',
  'joinMode',
  'kind',
  'lastFour',
  'left',
  'maxUses',
  'method',
  'name',
  'newEmail',
  'permission',
  'permissionBefore',
  'provider',
  'reason',
  'requiresApproval',
  'role',
  'roleBefore',
  'slug',
  'toEmail',
  'until',
] as const

/** The server's own terms that have a text of their own, by member. */
const terms = {
  by: ['creation', 'domain', 'invitation', 'link', 'request', 'server'],
  method: ['admin', 'admin create', 'email', 'magic-link', 'seed'],
} as const

/** A key that has no text yet is spelled as words: `fromEmail` → `From email`. */
function labelOf(key: string): string {
  const spelled = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const known = labelled.find((each) => each === key)
  return known ? details.labels[known] : capitalized(spelled)
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/

const isId = (key: string, value: unknown): boolean =>
  /Id$/.test(key) || (typeof value === 'string' && /^[A-Za-z0-9]{24,}$/.test(value))

/** Times as people read them, and the server's own terms in words. */
function valueText(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? details.yes : details.no
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isTime.test(value)) return momentText(value)
  const by = terms.by.find((each) => key === 'by' && each === value)
  if (by) return details.values.by[by]
  const method = terms.method.find((each) => key === 'method' && each === value)
  return method ? details.values.method[method] : value.replaceAll(',', ', ')
}
