import path from 'node:path'
import { expect, test } from 'vitest'
import { filesOnBothDatabases, testsOnBothDatabases } from './both-databases.ts'

const domain = 'packages/server/src/features/organization'

test.each([
  ['locks', 'packages/server/src/features/identity/lock-order.test.ts', ''],
  ['a migration', 'packages/server/src/foundation/db/migrate.test.ts', ''],
  ['a job', 'packages/server/src/foundation/job-loop.test.ts', ''],
  ['a long story', 'packages/server/src/app/property.test.ts', ''],
])('all tests of a file about %s run on both databases', (_what, file, text) => {
  expect(testsOnBothDatabases(file, text)).toBe('all')
})

test.each([
  ['at the same time', 'await Promise.all([leave(), leave()])'],
  ['at the same time, and some fail', 'await Promise.allSettled([leave(), leave()])'],
  ['in the middle of a transaction', 'server.beforeNextTransaction(() => leave())'],
  ['by a function of the file', 'await fiveTimes(leave)'],
  ['of a repository', 'await insertProof(db)'],
  ['that run SQL', 'await sql`select 1`.execute(db)'],
])('a test that makes calls %s runs on both databases, and others of its file do not', (_when, body) => {
  const names = testsOnBothDatabases(
    `${domain}/role.test.ts`,
    `import { insertProof, type Proof } from './proof.repository.ts'
    import { sql } from 'kysely'
    const fiveTimes = (call) => together([call, call])
    const together = (calls) => Promise.all(calls.map((call) => call()))
    test('a member leaves (once)', async () => { await leave() })
    test('two members leave (once)', async () => { ${body} })`,
  )

  expect(names).toBeInstanceOf(RegExp)
  expect('leaving two members leave (once)').toMatch(names as RegExp)
  expect('leaving a member leaves (once)').not.toMatch(names as RegExp)
})

test.each([
  ["test.each([1])('%s members leave', async () => { await Promise.all([]) })", '3 members leave'],
  ["test.each([{ a: 1 }])('$a members leave', async () => { await Promise.all([]) })", '3 members leave'],
  ['test(`${' + 'count} members leave`, async () => { await Promise.all([]) })', '3 members leave'],
])('%s is found by the names that it gives', (text, name) => {
  expect(name).toMatch(testsOnBothDatabases(`${domain}/role.test.ts`, text) as RegExp)
})

test('what tests one call after the other runs on SQLite alone', () => {
  const text = `beforeAll(() => Promise.all([start(), open()]))
  test('a role', async () => { await post('/organization/create-role') })`

  expect(testsOnBothDatabases(`${domain}/role.test.ts`, text)).toBeUndefined()
})

test('the rule finds the files of the server, and leaves others to the whole matrix', () => {
  const found = filesOnBothDatabases(path.join(import.meta.dirname, '..'))

  expect(found).toContain('packages/server/src/features/identity/races.test.ts')
  expect(found).toContain('packages/server/src/foundation/db/database.test.ts')
  expect(found).not.toContain('packages/server/src/pages/pages.test.ts')
})
