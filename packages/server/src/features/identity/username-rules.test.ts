import { expect, test } from 'vitest'
import { TollgateError } from '../../foundation/error.ts'
import { assertUsername, storedUsername, type UsernameRules, usernameFields } from './username-rules.ts'

const rules: UsernameRules = { minUsernameLength: 3, maxUsernameLength: 30 }

/** The refusal of a username, or its stored form. */
const kept = (typed: string, given: UsernameRules = rules): Promise<string> =>
  assertUsername(typed, given).then(
    () => storedUsername(typed),
    (error: unknown) => (error instanceof TollgateError ? error.error : 'no refusal'),
  )

test.each([
  ['ada', 'ada'],
  ['Ada.Lovelace_1815', 'ada.lovelace_1815'],
  ['...', '...'],
  ['x'.repeat(30), 'x'.repeat(30)],
  ['', 'USERNAME_TOO_SHORT'],
  ['ad', 'USERNAME_TOO_SHORT'],
  ['é!', 'USERNAME_TOO_SHORT'],
  ['x'.repeat(31), 'USERNAME_TOO_LONG'],
  ['!'.repeat(31), 'USERNAME_TOO_LONG'],
  ['ada lovelace', 'USERNAME_INVALID'],
  [' ada', 'USERNAME_INVALID'],
  ['ada\n', 'USERNAME_INVALID'],
  ['ada-lovelace', 'USERNAME_INVALID'],
  ['ada@example.com', 'USERNAME_INVALID'],
  ['adä', 'USERNAME_INVALID'],
  ['аda', 'USERNAME_INVALID'], // The first letter is Cyrillic.
  ['ａｄａ', 'USERNAME_INVALID'], // Full-width letters.
  ['ada\u200b', 'USERNAME_INVALID'],
  ['𝒜𝒜', 'USERNAME_TOO_SHORT'], // Two characters, each of two UTF-16 units.
])('the username %j: %s', async (typed, outcome) => {
  expect(await kept(typed)).toBe(outcome)
})

test.each<[string, UsernameRules['usernameValidator'], string, string]>([
  ['allows more than the plain characters', () => true, 'Ada-Élan', 'ada-élan'],
  ['allows less', () => false, 'ada', 'USERNAME_INVALID'],
  ['may take its time', async (name) => name.startsWith('ada'), 'ada.l', 'ada.l'],
  ['may take its time to refuse', async (name) => name.startsWith('ada'), 'eve', 'USERNAME_INVALID'],
  [
    'is given one spelling of what was typed',
    (name) => name === 'Ada\u00e9',
    '\uff21da e\u0301'.replace(' ', ''),
    'ada\u00e9',
  ],
  ['is not asked about lengths', () => true, 'ad', 'USERNAME_TOO_SHORT'],
  ['does not let in what cannot be seen', () => true, 'ada\u200b', 'USERNAME_INVALID'],
  ['does not let in what turns the text round', () => true, 'ada\u202ex', 'USERNAME_INVALID'],
  [
    'that throws is a fault',
    () => {
      throw new Error('broken')
    },
    'ada',
    'USERNAME_UNEXPECTED_ERROR',
  ],
  ['that rejects is a fault', () => Promise.reject(new Error('broken')), 'ada', 'USERNAME_UNEXPECTED_ERROR'],
])('a validator %s', async (_, usernameValidator, typed, outcome) => {
  expect(await kept(typed, { ...rules, usernameValidator })).toBe(outcome)
})

test('configured lengths take the place of 3 and 30', async () => {
  const narrow = { minUsernameLength: 1, maxUsernameLength: 4 }

  expect(await kept('a', narrow)).toBe('a')
  expect(await kept('abcde', narrow)).toBe('USERNAME_TOO_LONG')
})

test.each<[string, Parameters<typeof usernameFields>[1], string | null, unknown]>([
  ['nothing is given', {}, null, {}],
  ['a username alone is shown as it was typed', { username: 'Ada' }, null, { username: 'ada', displayUsername: 'Ada' }],
  [
    'both are given',
    { username: 'Ada', displayUsername: ' The Countess ' },
    null,
    { username: 'ada', displayUsername: 'The Countess' },
  ],
  ['the shown one alone', { displayUsername: 'The Countess' }, 'ada', { displayUsername: 'The Countess' }],
  [
    'the shown one is blank',
    { username: 'Ada', displayUsername: '  ' },
    'eve',
    { username: 'ada', displayUsername: 'Ada' },
  ],
  ['the shown one is taken away', { displayUsername: null }, 'ada', { displayUsername: 'ada' }],
  ['there is none to show', { displayUsername: null }, null, { displayUsername: null }],
])('the profile fields that are kept when %s', async (_, given, current, fields) => {
  expect(await usernameFields(rules, given, { username: current })).toEqual(fields)
  expect(await usernameFields(false, given, { username: current })).toEqual({})
})

test.each(['x'.repeat(101), 'Ada\nLovelace', '\u202eadA'])('the shown name %j is refused', async (displayUsername) => {
  await expect(usernameFields(rules, { displayUsername }, { username: 'ada' })).rejects.toThrow('username is invalid')
})
