import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { unmountedCalls } from './routes.ts'

const names = ['signIn', 'signOut', 'errorPage']
const identity = 'packages/server/src/features/identity/identity.routes.ts'
const pages = 'packages/server/src/pages/pages.routes.ts'

test('a call that no routes file has, and one that two have', () => {
  const project = projectOf({
    [identity]: 'export const routes = { signIn: ({ body }) => signIn(body), errorPage: () => 1 }',
    [pages]: 'export function errorPage() {}',
    'packages/server/src/features/identity/sign-out.service.ts': 'export const signOut = () => ({ signOut: 1 })',
  })

  expect(unmountedCalls(project, names)).toEqual([
    { file: 'packages/contract/src/calls.ts', line: 1, message: 'signOut is in no *.routes.ts' },
    { file: identity, line: 1, message: `errorPage is in ${identity} and in ${pages}` },
  ])
})

test('each call in one table, or exported as a page', () => {
  const project = projectOf({
    [identity]: "export const routes = { signIn: route('signIn', signIn), signOut }",
    [pages]: 'export const errorPage = async () => new Response()',
  })

  expect(unmountedCalls(project, names)).toEqual([])
})
