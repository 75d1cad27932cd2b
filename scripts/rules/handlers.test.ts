import { expect, test } from 'vitest'
import { callsWithoutOneHandler } from './handlers.ts'
import { projectOf } from './project.ts'

const names = ['signIn', 'signOut', 'errorPage']
const signIn = 'packages/server/src/features/identity/sign-in.service.ts'
const session = 'packages/server/src/features/identity/session.service.ts'
const api = 'packages/server/src/features/auth-api.ts'
const pages = 'packages/server/src/pages/pages.routes.ts'

test('a call without a handler, and one with two', () => {
  const project = projectOf({
    [signIn]: 'export const signIn = () => 1\nconst signOut = () => 1',
    [session]: 'export async function errorPage() {}',
    [pages]: 'export function errorPage() {}',
    'packages/server/src/features/identity/sign-out.ts': 'export const signOut = () => 1',
  })

  expect(callsWithoutOneHandler(project, names)).toEqual([
    { file: 'packages/contract/src', line: 1, message: 'signOut has no handler' },
    { file: session, line: 1, message: `errorPage is in ${session} and in ${pages}` },
  ])
})

test('each call exported by a service, in the table of an API, or exported as a page', () => {
  const project = projectOf({
    [signIn]: 'export const signIn = async () => 1',
    [api]: 'const services = { signOut: async () => 1, ...signIn }',
    [pages]: 'export const errorPage = async () => new Response()',
  })

  expect(callsWithoutOneHandler(project, names)).toEqual([])
})
