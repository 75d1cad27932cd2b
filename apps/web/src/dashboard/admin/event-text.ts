import { auditRows } from '@tollgate/contract/events'
import { textNamed } from '@tollgate/react'
import { momentText } from '../parts/time.tsx'
import { details, events } from './texts.ts'

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

/** A key that has no text yet is spelled as words: `fromEmail` → `From email`. */
function labelOf(key: string): string {
  const spelled = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return textNamed(details.labels, key) ?? capitalized(spelled)
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/

const isId = (key: string, value: unknown): boolean =>
  /Id$/.test(key) || (typeof value === 'string' && /^[A-Za-z0-9]{24,}$/.test(value))

/** Times as people read them, and the server's own terms in words. */
function valueText(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? details.yes : details.no
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isTime.test(value)) return momentText(value)
  return textNamed(details.values, `${key}.${value}`) ?? value.replaceAll(',', ', ')
}
