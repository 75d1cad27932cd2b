import { expect, test } from 'vitest'
import { lineLabel } from './line-label.ts'

const label = 'Unused time on Pro 2026-01-01, from 2026-03-05 to 2026-03-31'

test.each([
  ['en', 'Unused time on Pro 2026-01-01, from Mar 5, 2026 to Mar 31, 2026'],
  ['de', 'Unused time on Pro 2026-01-01, from 05.03.2026 to 31.03.2026'],
])('the days of a part of a period are written in %s', (locale, text) => {
  expect(lineLabel(label, locale)).toBe(text)
})

test('what a product is called stays as it is', () => {
  expect(lineLabel('Fair of 2026-03-05', 'en')).toBe('Fair of 2026-03-05')
})
