import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestServer, testStart } from '../../testing.ts'
import { after, days, hours } from '../clock.ts'
import { migrate, NewerDatabaseError, pendingMigrations } from './migrate.ts'
import type { Column } from './tables/columns.ts'
import { tables } from './tables.ts'
import { emptied } from './testing/former-database.ts'
import { releasedMigrations } from './testing/released-migrations.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

test('a new database gets every migration, one that has them none', async () => {
  await using server = await createTestServer()
  const { database } = server.tollgate.internals.ctx
  await server.tollgate.internals.ctx.jobs.stop()
  await emptied(database)

  expect(await pendingMigrations(database)).toEqual(releasedMigrations)
  expect(await migrate(database, testStart)).toEqual(releasedMigrations)
  expect(await pendingMigrations(database)).toEqual([])
  expect(await migrate(database, testStart)).toEqual([])
})

test('the migrations make the tables, and in them the columns, that the program names', async () => {
  await using server = await createTestServer()
  const plain = server.tollgate.internals.ctx.db.withoutPlugins() as unknown as Kysely<unknown>

  const made = await plain.introspection.getTables()

  expect(made.map(({ name }) => name).sort()).toEqual([...Object.keys(tables).map(snake), 'migration'].sort())
  for (const [name, columns] of Object.entries(tables) as [string, Record<string, Column>][]) {
    const table = made.find((each) => each.name === snake(name))
    // SQLite reports the primary key as nullable.
    const found = table?.columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort()
    const expected = Object.entries(columns)
      .map(([column, { isNullable }]) => `${snake(column)}${isNullable ? '?' : ''}`)
      .sort()
    expect([name, found?.map((each) => each.replace(/^(id|key|sequence)\?$/, '$1'))]).toEqual([name, expected])
  }
})

test('F-kill-migrate: a migration that breaks off leaves the database as it was', async () => {
  await using server = await createTestServer()
  const { database, jobs } = server.tollgate.internals.ctx
  await jobs.stop()
  const plain = await emptied(database)
  // The last table already exists: the migration fails after it has made all others.
  await plain.schema.createTable('inbox_message').addColumn('x', 'text').execute()

  await expect(migrate(database, testStart)).rejects.toThrow(/already exists/)

  expect((await plain.introspection.getTables()).map(({ name }) => name)).toEqual(['inbox_message'])
  await plain.schema.dropTable('inbox_message').execute()
  expect(await migrate(database, testStart)).toEqual(releasedMigrations)
})

test('sessions of at most a day, and those of impersonators, are from then on never extended', async () => {
  await using server = await createTestServer()
  const { database, jobs, db } = server.tollgate.internals.ctx
  await jobs.stop()
  const ada = await server.signedUp()
  const own = await db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const older = [
    { id: 'remembered', life: days(7), impersonatedBy: null },
    { id: 'of an impersonator', life: days(7), impersonatedBy: own.userId },
    { id: 'a day', life: hours(24), impersonatedBy: null },
    { id: 'a day and a moment', life: hours(24) + 1000, impersonatedBy: null },
  ]
  for (const { life, ...each } of older)
    await db
      .insertInto('session')
      .values({ ...own, ...each, token: each.id, expiresAt: after(own.createdAt, life), neverExtended: false })
      .execute()
  const plain = db.withoutPlugins()
  await plain.schema.alterTable('session').dropColumn('never_extended').execute()
  await sql`delete from migration where name = '0009-sessions-never-extended'`.execute(plain)

  expect(await migrate(database, testStart)).toEqual(['0009-sessions-never-extended'])

  const rows = await db.selectFrom('session').select(['id', 'neverExtended']).orderBy('id').execute()
  expect(rows.filter(({ id }) => id !== own.id)).toEqual([
    { id: 'a day', neverExtended: true },
    { id: 'a day and a moment', neverExtended: false },
    { id: 'of an impersonator', neverExtended: true },
    { id: 'remembered', neverExtended: false },
  ])
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
})

test('when a migration was run is kept', async () => {
  await using server = await createTestServer()
  const { database, jobs } = server.tollgate.internals.ctx
  await jobs.stop()
  const plain = await emptied(database)
  await migrate(database, testStart)

  const { rows } = await sql<{ name: string; applied_at: string | Date }>`select * from migration`.execute(plain)

  expect(rows.map(({ name, applied_at }) => [name, new Date(applied_at).toISOString()])).toEqual(
    releasedMigrations.map((name) => [name, testStart.toISOString()]),
  )
})

test('a database that a newer version has changed is refused and left alone', async () => {
  await using server = await createTestServer()
  const { database, jobs } = server.tollgate.internals.ctx
  await jobs.stop()
  const plain = database.db.withoutPlugins() as unknown as Kysely<unknown>
  const at = testStart.toISOString()
  await sql`insert into migration (name, applied_at) values ('9998-later', ${at}), ('9999-latest', ${at})`.execute(
    plain,
  )
  await sql`delete from migration where name = ${releasedMigrations.at(-1)}`.execute(plain)

  const refused = migrate(database, testStart)

  await expect(refused).rejects.toThrow(NewerDatabaseError)
  await expect(refused).rejects.toThrow(
    /does not know its migrations 9998-later, 9999-latest\. Start the newer version/,
  )
  await expect(pendingMigrations(database)).rejects.toThrow(NewerDatabaseError)
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(plain)
  expect(rows.map(({ name }) => name)).toEqual([...releasedMigrations.slice(0, -1), '9998-later', '9999-latest'])
})
