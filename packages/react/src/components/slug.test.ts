import { expect, test } from 'vitest'
import { slugOf, slugsLike } from './slug.ts'

test.each([
  ['Acme Ltd.', 'acme-ltd'],
  ['  Łódź & Co. ', 'lodz-co'],
  ['Straße 9', 'strasse-9'],
  ['Ada’s Engines', 'adas-engines'],
  ['Северная звезда', 'severnaya-zvezda'],
  ['Київ', 'kiiv'],
  ['İstanbul Işık', 'istanbul-isik'],
  ['株式会社', ''],
  ['---', ''],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a short name is never longer than the server takes, nor ends with a hyphen', () => {
  expect(slugOf(`${'x'.repeat(63)} yz`)).toBe('x'.repeat(63))
  expect(slugOf('x'.repeat(200))).toHaveLength(64)
  for (const other of slugsLike('x'.repeat(64))) expect(other).toHaveLength(64)
})

test('others to try differ from each other and begin the same', () => {
  expect(slugsLike('acme')).toEqual(['acme-2', 'acme-3', 'acme-4'])
})
