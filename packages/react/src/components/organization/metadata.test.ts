import { addressesIn, metadataIn, permissionsIn, tickedAfter } from '@tollgate/contract/forms'
import { expect, test } from 'vitest'
import { metadataOf, rowsOf } from './metadata.ts'

test('rows keep the difference between text and other types', () => {
  const metadata = { plan: 'pro', seats: 3, tags: ['a'], digits: '3' }

  expect(metadataOf(rowsOf(metadata))).toEqual({ data: metadata })
})

test.each([
  ['two of one key', [row('a', '1'), row(' a ', '2')], { code: 'KEY_TWICE' }],
  ['what is no JSON any more', [{ key: 'a', value: '{', json: true }], { code: 'METADATA_INVALID' }],
  ['a row without a key', [row('', 'x'), row('a', '1')], { data: { a: '1' } }],
])('%s', (_, rows, read) => {
  expect(metadataOf(rows)).toEqual(read)
})

test.each([
  ['', {}],
  ['{"a":1}', { a: 1 }],
  ['[1]', undefined],
  ['"a"', undefined],
  ['{', undefined],
])('the text %j is the map %j', (text, metadata) => {
  expect(metadataIn(text)).toEqual(metadata)
})

test('addresses stand apart by blanks, commas, semicolons and lines, each once', () => {
  expect(addressesIn(' a@b.c,d@e.f;\n g@h.i a@b.c\t')).toEqual(['a@b.c', 'd@e.f', 'g@h.i'])
})

test('boxes that are ticked are read by the beginning of their names', () => {
  const values = { form: 'x', 'role.admin': 'on', 'role.own-one': 'on', 'permission.team.create': 'on' }

  expect(tickedAfter('role.', values)).toEqual(['admin', 'own-one'])
  expect(permissionsIn({ ...values, 'permission.team.delete': 'on' })).toEqual({ team: ['create', 'delete'] })
})

function row(key: string, value: string) {
  return { key, value, json: false }
}
