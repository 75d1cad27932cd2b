import { auditRows } from '@tollgate/contract/events'
import { textNamed } from '@tollgate/react'
import { expect, test } from 'vitest'
import { momentText } from '../../parts/time.tsx'
import { events } from '../texts.ts'
import { eventDetails, eventName, eventTone } from './event-text.ts'

test('an event that this page does not know yet is called by its type, in words', () => {
  expect(eventName('user.banned')).toBe('Banned')
  expect(Object.keys(auditRows).filter((type) => textNamed(events, type) === undefined)).toEqual([])
  expect(eventName('passkey.added')).toBe('Passkey added')
  expect(eventName('constructor')).toBe('Constructor')
})

test('what takes something away from somebody stands out', () => {
  const types = ['user.banned', 'organization.deleted', 'impersonation.started', 'member.removed', 'session.created']

  expect(types.map(eventTone)).toEqual(['danger', 'danger', 'warn', 'warn', 'plain'])
})

test('details are read as words and times, without ids', () => {
  const until = '2026-03-02T12:00:00.000Z'

  const details = eventDetails({ reason: 'Spam', until, sessionId: 'zEnTMIBRqlPGtYq0qZGNOGDQrkB5cApM', left: true })

  expect(details).toBe(`Reason: Spam · Until: ${momentText(until)} · Left on their own: Yes`)
  expect(eventDetails({ role: 'member', by: 'creation' })).toBe('Role: member · Added by: creating the organization')
  expect(eventDetails({ jobId: '42' })).toBe('')
  expect(eventDetails({ toldTwice: false })).toBe('Told twice: No')
  expect(eventDetails({ reason: null, note: '' })).toBe('')
  expect(eventDetails(null)).toBe('')
})
