import { expect, test } from 'vitest'
import { format, formatRich } from './format.ts'

test('placeholders are filled in, and those without a value stay to be seen', () => {
  expect(format('Sign in to {app}', 'en', { app: 'Northwind' })).toBe('Sign in to Northwind')
  expect(format('{a}{b} {c}', 'en', { a: 'x', b: 'y' })).toBe('xy {c}')
})

test('a value is never read as a placeholder itself', () => {
  expect(format('Hello {name}', 'en', { name: '{app}', app: 'x' })).toBe('Hello {app}')
})

test.each([
  [1, 'секунда 1'],
  [2, 'секунды 2'],
  [5, 'секунд 5'],
  [21, 'секунда 21'],
])('the plural form of %i is the language’s own', (count, text) => {
  const seconds = { one: 'секунда {count}', few: 'секунды {count}', many: 'секунд {count}', other: 'секунды {count}' }

  expect(format(seconds, 'ru', { count })).toBe(text)
})

test('numbers are written as the language writes them', () => {
  expect(format('{count}', 'de', { count: 12_400 })).toBe('12.400')
  expect(format('{count}', 'en', { count: 12_400 })).toBe('12,400')
})

test('elements keep their place in the sentence', () => {
  const link = { element: true }

  expect(formatRich('Mail to {email}.', 'en', { email: link as never })).toEqual(['Mail to ', link, '.'])
})
