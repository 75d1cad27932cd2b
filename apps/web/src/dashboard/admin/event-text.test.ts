import { auditRows } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import { momentText } from '../parts/time.tsx'
import { eventDetails, eventName, eventTone } from './event-text.ts'

test('an event that this page does not know yet is called by its type', () => {
  expect(eventName('user.banned')).toBe('Banned')
  expect(Object.keys(auditRows).filter((type) => eventName(type) === type)).toEqual([])
  expect(eventName('passkey.added')).toBe('passkey.added')
  expect(eventName('constructor')).toBe('constructor')
})

test('what takes something away from somebody stands out', () => {
  const types = ['user.banned', 'organization.deleted', 'impersonation.started', 'member.removed', 'session.created']

  expect(types.map(eventTone)).toEqual(['danger', 'danger', 'warn', 'warn', 'plain'])
})

test('details are read as words, times and the beginning of ids', () => {
  const until = '2026-03-02T12:00:00.000Z'

  const details = eventDetails({ reason: 'Spam', until, sessionId: 'zEnTMIBRqlPGtYq0qZGNOGDQrkB5cApM', byHand: true })

  expect(details).toBe(`reason: Spam · until: ${momentText(until)} · session id: zEnTMIBR… · by hand: true`)
  expect(eventDetails({ reason: null, note: '' })).toBe('')
  expect(eventDetails(null)).toBe('')
})
