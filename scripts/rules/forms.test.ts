import { expect, test } from 'vitest'
import { forms } from './forms.ts'
import { projectOf } from './project.ts'

const row = {
  'packages/contract/src/forms/entrance.ts': "export const signOut = { calls: ['signOut', 'revokeSession'] }",
}

test.each([
  ['packages/react/src/components/sign-out.tsx', 'client.signOut()'],
  ['packages/react/src/components/sessions.tsx', 'client.revokeSession({ token })'],
  ['packages/server/src/pages/forms.ts', "visit.call('signOut')"],
])('%s makes the call of a row itself', async (file, source) => {
  expect(await forms.check(projectOf({ ...row, [file]: `\n${source}` }))).toEqual([
    { file, line: 2, message: expect.stringContaining('is the call of a row') },
  ])
})

test('calls without a form, and callers that are no pages, are fine', async () => {
  const project = projectOf({
    ...row,
    'packages/react/src/hooks/use-given.ts': 'client.listSessions()',
    'packages/server/src/pages/page-data.ts': "visit.call('listSessions')",
    'apps/web/src/dashboard/menu.tsx': 'client.signOut()',
  })

  expect(await forms.check(project)).toEqual([])
})
