import { auditRows } from '@tollgate/contract/events'
import { textNamed } from '@tollgate/react'
import { momentText } from '../parts/time.tsx'
import { events } from './texts.ts'

const rowOf = (type: string) => (Object.hasOwn(auditRows, type) ? auditRows[type] : undefined)

/** The name of an event; of a type that this page does not know, the type. */
export const eventName = (type: string): string => textNamed(events, type) ?? type

/** The colour of the mark beside an event. Losses and changes of power stand out. */
export const eventTone = (type: string): 'danger' | 'warn' | 'plain' => rowOf(type)?.logTone ?? 'plain'

/** What an event says besides, as "key: value" pairs; members without a value say nothing. */
export function eventDetails(data: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${wordsOf(key)}: ${valueText(value)}`)
    .join(' · ')
}

/** `fromEmail` → `from email`. */
const wordsOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/
const isId = /^[A-Za-z0-9]{24,}$/

/** Times as people read them; of ids as much as tells two apart. */
function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isTime.test(value)) return momentText(value)
  return isId.test(value) ? `${value.slice(0, 8)}…` : value
}
