import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { releasedMigrations } from '../foundation/db/testing/released-migrations.ts'
import { createTestServer } from '../testing.ts'
import { inFolder } from './testing/folder.ts'

test('several processes that start at once migrate once', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.stop()
  const isShared = ctx.database.dialect === 'postgres'
  if (isShared) {
    await sql`drop schema public cascade`.execute(ctx.db.withoutPlugins())
    await sql`create schema public`.execute(ctx.db.withoutPlugins())
  }
  await using folder = await inFolder(isShared ? { DATABASE_URL: ctx.config.databaseUrl } : {})

  const outcomes = await Promise.all([1, 2, 3].map(() => folder.run(['migrate', '--json'])))

  expect(outcomes.map(({ status, err }) => [status, err])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ])
  expect(outcomes.flatMap(({ out }) => JSON.parse(out).applied)).toEqual(releasedMigrations)
})
