import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { sessions } from './sessions.ts'

const identity = 'packages/server/src/features/identity'
const repository = "export const insertSession = (tx) => tx.insertInto('session')"
const decider = "import { insertSession } from './session.repository.ts'\nexport const completeSignIn = insertSession"

test.each([
  ["import { insertSession } from '../identity/session.repository.ts'", 'names insertSession'],
  ["export { insertSession } from './session.repository.ts'", 'names insertSession'],
  ["const begin = (tx) => tx.insertInto('session').values({})", 'inserts into "session"'],
])('%s in another file of the server', async (text, message) => {
  const file = `${identity}/other.service.ts`

  const findings = await sessions.check(projectOf({ [file]: `\n${text}` }))

  expect(findings).not.toEqual([])
  for (const each of findings) expect(each).toEqual({ file, line: 2, message: expect.stringContaining(message) })
})

test('its repository, completeSignIn and tests may, and other tables are none of its business', async () => {
  const project = projectOf({
    [`${identity}/session.repository.ts`]: repository,
    [`${identity}/complete-sign-in.service.ts`]: decider,
    [`${identity}/session.test.ts`]: repository,
    [`${identity}/user.repository.ts`]: "const add = (tx) => tx.insertInto('user')",
  })

  expect(await sessions.check(project)).toEqual([])
})
