import { expect, test } from 'vitest'
import { answerText } from './answer-text.ts'

const sizes = { options: [{ value: '2-10', label: '2 to 10' }] }

test.each([
  ['checkbox', {}, true, 'Yes'],
  ['checkbox', {}, false, 'No'],
  ['select', sizes, '2-10', '2 to 10'],
  ['select', sizes, 'gone', 'gone'],
  ['date', {}, '2026-11-22T00:00:00.000Z', 'Nov 22, 2026'],
  ['date', {}, '2026-11-22', 'Nov 22, 2026'],
  ['date', {}, 'someday', 'someday'],
  ['number', {}, 7, '7'],
  ['text', {}, 'as it is', 'as it is'],
] as const)('an answer to a %s with %j of %j reads %s', (type, properties, value, text) => {
  const field = type === 'select' ? { type, properties } : { type, properties }
  expect(answerText(field, value)).toBe(text)
})
