import path from 'node:path'
import { expect, test } from 'vitest'
import { needsBothDatabases, testsOnBothDatabases } from './both-databases.ts'

const domain = 'packages/server/src/features/organization'

test.each([
  ['a repository', `${domain}/proof.test.ts`, "import { insertProof } from './proof.repository.ts'"],
  ['SQL', `${domain}/member.test.ts`, "import { sql } from 'kysely'"],
  ['a race', `${domain}/member.test.ts`, 'await Promise.all([leave(), leave()])'],
  ['a race that may fail', `${domain}/member.test.ts`, 'await Promise.allSettled([leave(), leave()])'],
  ['locks', 'packages/server/src/features/identity/lock-order.test.ts', ''],
  ['a migration', 'packages/server/src/foundation/db/migrate.test.ts', ''],
  ['a job', 'packages/server/src/foundation/job-loop.test.ts', ''],
  ['a long story', 'packages/server/src/app/property.test.ts', ''],
])('what tests %s runs on both databases', (_what, file, text) => {
  expect(needsBothDatabases(file, text)).toBe(true)
})

test('what tests one call after the other runs on SQLite alone', () => {
  expect(needsBothDatabases(`${domain}/role.test.ts`, "await post('/organization/create-role')")).toBe(false)
})

test('the rule finds the files of the server, and leaves others to the whole matrix', () => {
  const found = testsOnBothDatabases(path.join(import.meta.dirname, '..'))

  expect(found).toContain('packages/server/src/features/identity/races.test.ts')
  expect(found).toContain('packages/server/src/foundation/db/database.test.ts')
  expect(found).not.toContain('packages/server/src/pages/pages.test.ts')
})
