import { expect, test } from 'vitest'
import { CallError } from './answer.ts'

const messageOf = (error: { code?: string; status: number; message?: string }) =>
  new CallError({ statusText: 'Bad Request', ...error }).message

test.each([
  ['a refusal of the table', { code: 'YOU_CANNOT_BAN_YOURSELF', status: 400 }, 'You cannot ban yourself.'],
  ['a missing right', { code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS', status: 403 }, 'You are not allowed to do this.'],
  [
    'a refusal that only the server has words for',
    { code: 'TotalTooSmall', status: 422, message: 'Too small' },
    'Too small',
  ],
  ['a code of no table', { code: 'constructor', status: 400, message: 'Strange' }, 'Strange'],
  ['no answer of ours', { status: 502, message: '<html>' }, /didn’t respond/],
])('%s has words for people', (_, error, words) => {
  expect(messageOf(error)).toMatch(words)
})
