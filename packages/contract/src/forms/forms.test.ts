import { expect, test } from 'vitest'
import { authCalls } from '../calls.ts'
import * as entry from './index.ts'

const isRow = (value: unknown): value is entry.Form => typeof value === 'object' && value !== null && 'calls' in value
const rows = Object.values(entry.formRows).filter(isRow)

test('every row stands in the table under its own name', () => {
  expect(Object.keys(entry.formRows)).toEqual(rows.map(({ name }) => name))
  expect(new Set(Object.values(entry).filter(isRow))).toEqual(new Set(rows))
})

test.each(rows.map((row) => [row.name, row] as const))('%s makes calls that exist', (_, { calls, pages }) => {
  expect(calls.length).toBeGreaterThan(0)
  expect(pages.length).toBeGreaterThan(0)
  for (const call of calls) expect(authCalls).toHaveProperty(call)
})

test.each([
  ['ada@example.com', true],
  [' ada@example.com ', true],
  // The calls normalize before they compare, so these letters count as the plain ones.
  ['ada＠example.com', true],
  ['ada@example', false],
  ['ada example@example.com', false],
  [`${'a'.repeat(513)}@example.com`, false],
])('the format of the address %j is right: %s', (address, isRight) => {
  expect(entry.isAddress(address)).toBe(isRight)
})

test('a sign-in leads away only where the page may be left', () => {
  const values = { email: 'ada@example.com', password: 'correct horse battery' }
  const at = {
    paths: entry.defaultPaths,
    callbackURL: '/wanted',
    passwordRules: { min: 8, max: 128 },
    usernameRules: { min: 3, max: 30 },
  }
  const callbackOf = (further: { isScripted: boolean; keepsPage?: boolean }) =>
    entry.signIn.input(values, { ...at, ...further }).callbackURL

  expect(callbackOf({ isScripted: true })).toBe('/wanted')
  expect(callbackOf({ isScripted: true, keepsPage: true })).toBeUndefined()
  // The server redirects by itself: this is for the mail to an unverified address.
  expect(callbackOf({ isScripted: false })).toBe('/verify-email')
})
