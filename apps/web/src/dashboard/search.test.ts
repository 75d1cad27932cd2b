import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, textIn } from './search.ts'

test('an address says its search in plain text, and comes back the same', () => {
  const search = { q: 'ada+tests@example.com', filter: 'role:admin', page: '2' }

  const text = stringifySearch(search)

  expect(text).toBe('?q=ada%2Btests%40example.com&filter=role%3Aadmin&page=2')
  expect(parseSearch(text)).toEqual(search)
})

test('a number stays the text that it is, and what is not said leaves no trace', () => {
  expect(parseSearch('?q=12')).toEqual({ q: '12' })
  expect(stringifySearch({ q: undefined, filter: '', page: 2 })).toBe('?page=2')
  expect(stringifySearch({})).toBe('')
})

test.each([
  ['ada', 'ada'],
  ['  ', undefined],
  [undefined, undefined],
  [['ada'], undefined],
  ['x'.repeat(300), 'x'.repeat(200)],
])('of %j an address means %j', (given, meant) => {
  expect(textIn(given)).toBe(meant)
})
