import { expect, test } from 'vitest'
import { FieldError } from './field-errors.ts'
import { emptyEntry, entriesOf, type MetadataEntry, metadataOf } from './metadata.ts'

test('a map comes back as it was, with numbers and flags as what they are', () => {
  const metadata = { plan: 'pro', seats: 12, ratio: 0.5, beta: true, old: false, code: '0012' }

  expect(metadataOf(entriesOf(metadata))).toEqual(metadata)
})

test('a line that nobody has filled in counts as none', () => {
  expect(metadataOf([emptyEntry()])).toEqual({})
})

const entry = (rest: Partial<MetadataEntry>): MetadataEntry => ({ ...emptyEntry(), ...rest })

test.each([
  ['a value without a key', [entry({ value: 'x' })], 'metadata.0'],
  ['a key without a value', [entry({ key: 'a', value: ' ' })], 'metadata.0.value'],
  ['a key that is there twice', [entry({ key: 'a', value: '1' }), entry({ key: ' a', value: '2' })], 'metadata.1'],
  ['letters for a number', [entry({ key: 'a', kind: 'number', value: 'x' })], 'metadata.0.value'],
])('%s is refused at its field', (_, lines, field) => {
  expect(() => metadataOf(lines)).toThrow(expect.objectContaining({ field }))
  expect(() => metadataOf(lines)).toThrow(FieldError)
})
