import { expect, test } from 'vitest'
import { after, days, hours, minutes, seconds } from '../../../foundation/clock.ts'
import { askedFor, isHopeless, nextAttempt } from './webhook-schedule.ts'
import { lastOf, newWebhookSecret, signaturesOf } from './webhook-secrets.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  [1, seconds(5)],
  [2, minutes(5)],
  [3, minutes(30)],
  [4, hours(2)],
  [5, hours(5)],
  [6, hours(10)],
  [7, hours(14)],
  [8, hours(20)],
  [9, hours(24)],
])('after failure %i the next attempt comes in %i ms, or up to a tenth later', (failures, wait) => {
  const times = Array.from({ length: 20 }, () => nextAttempt(failures, now, now, { retryAfter: undefined })!.getTime())

  for (const time of times) {
    expect(time).toBeGreaterThanOrEqual(now.getTime() + wait)
    expect(time).toBeLessThanOrEqual(now.getTime() + wait * 1.1)
  }
  expect(new Set(times).size).toBeGreaterThan(1)
})

test('after the tenth attempt there is none, whatever a receiver requests', () => {
  expect(nextAttempt(10, now, now, { retryAfter: undefined })).toBeNull()
  expect(nextAttempt(10, now, now, { retryAfter: '60' })).toBeNull()
})

test.each([
  ['120', seconds(120)],
  [' 120 ', seconds(120)],
  ['Sun, 01 Mar 2026 13:00:00 GMT', hours(1)],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['999999999', days(1)],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
])('a receiver that sends %j gets a delay of %i ms', (retryAfter, wait) => {
  expect(askedFor(retryAfter, now)).toBe(wait)
})

test.each([
  [null, 20, false],
  [after(now, -days(3)), 10, true],
  [after(now, -days(3) + 1), 10, false],
  [after(now, -days(30)), 9, false],
])('failing since %s with %i events: hopeless is %s', (failingSince, failedEvents, hopeless) => {
  expect(isHopeless({ failingSince, failedEvents }, now)).toBe(hopeless)
})

test('each secret signs twice, and none is like another', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const signatures = signaturesOf(secrets, 'id', '1', Buffer.from('{}')).split(' ')

  expect(new Set(signatures).size).toBe(4)
  for (const signature of signatures) expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(lastOf(secrets[0]!)).toBe(`whsec_…${secrets[0]!.slice(-4)}`)
})
