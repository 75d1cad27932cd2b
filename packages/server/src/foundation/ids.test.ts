import { expect, test } from 'vitest'
import {
  newDeletionToken,
  newId,
  newMagicLinkToken,
  newOneTimeCode,
  newRequestId,
  newResetToken,
  newSortableId,
  randomKey,
} from './ids.ts'

const many = <T>(make: () => T) => Array.from({ length: 2000 }, make)

test.each([
  ['ids', newId, /^[A-Za-z0-9]{32}$/, 62],
  ['reset tokens', newResetToken, /^[A-Za-z0-9]{24}$/, 62],
  ['deletion tokens', newDeletionToken, /^[0-9a-z]{32}$/, 36],
  ['tokens of links that sign in', newMagicLinkToken, /^[A-Za-z]{32}$/, 52],
] as const)(
  '%s have their length and alphabet, are never alike, and use every letter evenly',
  (_, make, shape, letters) => {
    const made = many(make)

    for (const each of made) expect(each).toMatch(shape)
    expect(new Set(made).size).toBe(made.length)
    const counts = new Map<string, number>()
    const text = made.join('')
    for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(letters)
    // Five standard deviations: a remainder of 256 by 62 would favour eight letters by a quarter.
    const mean = text.length / letters
    for (const [letter, count] of counts)
      expect([letter, Math.abs(count - mean) < 5 * Math.sqrt(mean)]).toEqual([letter, true])
  },
)

test('codes are six digits, with or without leading zeros, and use every digit evenly', () => {
  const made = many(newOneTimeCode)

  for (const each of made) expect(each).toMatch(/^\d{6}$/)
  // Among a million, two thousand rarely collide.
  expect(new Set(made).size).toBeGreaterThan(1950)
  const text = made.join('')
  const mean = text.length / 10
  for (const digit of '0123456789')
    expect([digit, Math.abs(text.split(digit).length - 1 - mean) < 5 * Math.sqrt(mean)]).toEqual([digit, true])
})

test('sortable ids are in the order of time', () => {
  const times = [0, 1, 35, 36, 1_772_366_400_000, 1_772_366_400_001, 95_617_584_000_000].map((time) => new Date(time))
  const made = times.map(newSortableId)

  expect([...made].sort()).toEqual(made)
  for (const each of made) expect(each).toMatch(/^[0-9a-z]{32}$/)
})

test('requests are numbered', () => {
  expect(new Set(many(newRequestId)).size).toBe(2000)
})

test('keys have the requested length', () => {
  expect([randomKey(12).length, randomKey(32).length]).toEqual([12, 32])
  expect(randomKey(32)).not.toEqual(randomKey(32))
})
