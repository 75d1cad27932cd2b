import { constants, DatabaseSync } from 'node:sqlite'
import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestServer, testStart } from '../../testing.ts'
import { namesOf } from '../proof/proven.ts'
import { snake } from './codec.ts'
import type { Db } from './database.ts'
import { migrate } from './migrate.ts'
import { prepare } from './prepared.ts'
import { openSqlite } from './sqlite.ts'
import { tables } from './tables.ts'
import { behind, changedBy, deletedAlong } from './written-tables.ts'

type Compilable = { compile(): CompiledQuery }
const setting = { key: 'k', value: 'v', updatedAt: testStart }
const teamMember = { id: 'x', teamId: 't', memberId: 'm', userId: 'u', createdAt: testStart }

/** Statements of every kind: whether they may change a session answer, and an organization answer. */
const statements: [name: string, build: (db: Db) => Compilable, sessions: boolean, organizations: boolean][] = [
  ['select', (db) => db.selectFrom('session').selectAll(), false, false],
  ['select … for update', (db) => db.selectFrom('member').selectAll().forUpdate(), false, false],
  ['insert', (db) => db.insertInto('teamMember').values(teamMember), false, true],
  ['insert elsewhere', (db) => db.insertInto('setting').values(setting), false, false],
  ['update', (db) => db.updateTable('user').set({ name: 'x' }), true, true],
  ['update with an alias', (db) => db.updateTable('user as u').set({ name: 'x' }), true, true],
  [
    'update from',
    (db) =>
      db.updateTable('session').from('user').set({ activeTeamId: null }).whereRef('user.id', '=', 'session.userId'),
    true,
    false,
  ],
  [
    'update elsewhere that reads',
    (db) =>
      db
        .updateTable('account')
        .set({ password: null })
        .where('userId', 'in', (query) => query.selectFrom('user').select('user.id')),
    false,
    false,
  ],
  ['delete', (db) => db.deleteFrom('invitation'), false, true],
  ['delete elsewhere', (db) => db.deleteFrom('verification'), false, false],
  ['delete … returning', (db) => db.deleteFrom('session').returning('id'), true, false],
  [
    'insert … select',
    (db) =>
      db
        .insertInto('teamMember')
        .columns(['id', 'teamId', 'memberId', 'userId', 'createdAt'])
        .expression((query) =>
          query.selectFrom('teamMember').select(['id', 'teamId', 'memberId', 'userId', 'createdAt']),
        ),
    false,
    true,
  ],
  [
    'insert … select that only reads',
    (db) =>
      db
        .insertInto('setting')
        .columns(['key', 'value', 'updatedAt'])
        .expression((query) => query.selectFrom('member').select(['id', 'role', 'createdAt'])),
    false,
    false,
  ],
  [
    'with … update',
    (db) =>
      db
        .with('named', (query) => query.selectFrom('setting').select('value'))
        .updateTable('organization')
        .set((set) => ({ name: set.selectFrom('named').select('value').limit(1).$asScalar().$notNull() })),
    true,
    true,
  ],
  [
    'with … delete elsewhere',
    (db) =>
      db
        .with('gone', (query) => query.selectFrom('member').select('id'))
        .deleteFrom('setting')
        .where('key', 'in', (query) => query.selectFrom('gone').select('id')),
    false,
    false,
  ],
  [
    'with … select',
    (db) =>
      db
        .with('named', (query) => query.selectFrom('user').select('id'))
        .selectFrom('named')
        .selectAll(),
    false,
    false,
  ],
  [
    'on conflict do update',
    (db) =>
      db
        .insertInto('user')
        .values({
          id: 'u',
          email: 'e',
          emailVerified: false,
          name: 'n',
          banned: false,
          createdAt: testStart,
          updatedAt: testStart,
        })
        .onConflict((conflict) => conflict.column('email').doUpdateSet({ name: 'x' })),
    true,
    true,
  ],
  [
    'insert of a user',
    (db) =>
      db.insertInto('user').values({
        id: 'u',
        email: 'e',
        emailVerified: false,
        name: 'n',
        banned: false,
        createdAt: testStart,
        updatedAt: testStart,
      }),
    true,
    false,
  ],
  [
    'insert or replace',
    (db) => db.insertInto('team').orReplace().values({ id: 't', organizationId: 'o', name: 'n', createdAt: testStart }),
    false,
    true,
  ],
  [
    'replace into',
    (db) => db.replaceInto('merchant').values({ organizationId: 'o', createdAt: testStart } as never),
    false,
    false,
  ],
  ['delete that cascades', (db) => db.deleteFrom('organization'), true, true],
  ['delete that cascades twice', (db) => db.deleteFrom('team'), false, true],
  ['delete of a user', (db) => db.deleteFrom('user'), true, true],
  ['a change of the schema', (db) => db.schema.alterTable('setting').addColumn('more', 'text'), true, true],
]

const databaseOf = async () => {
  const database = openSqlite(':memory:')
  await migrate(database, testStart)
  return database
}

test.each(statements)(
  '%s: its query tree names the tables that it changes',
  async (_, build, sessions, organizations) => {
    const { db, close } = await databaseOf()
    const changed = changedBy(build(db).compile().query)

    expect([changed.includes('sessions'), changed.includes('organizations')]).toEqual([sessions, organizations])
    await close()
  },
)

test('the versions move with a statement of each kind, prepared or not', async () => {
  const database = await databaseOf()
  const { db } = database
  const versions = () => [database.version('sessions'), database.version('organizations')]
  const run = prepare((on: Db, given: { name: string }) => on.updateTable('organization').set({ name: given.name }))

  for (const [name, build, sessions, organizations] of statements) {
    const before = versions()
    const compiled = build(db).compile()
    await db.executeQuery(compiled).catch(() => {}) // a foreign key may refuse it, so it may only have been attempted
    const after = versions()
    expect([name, before[0] !== after[0], before[1] !== after[1]]).toEqual([name, sessions, organizations])
  }
  for (const name of ['x', 'y']) {
    const before = versions()
    await run(db, { name })
    expect(versions().map((version, index) => version !== before[index])).toEqual([true, true])
  }
  await database.close()
})

test('SQLite itself reports only tables that the query tree names', async () => {
  const { db, close } = await databaseOf()
  const made = await sql<{
    sql: string
  }>`select sql from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db)
  const raw = new DatabaseSync(':memory:')
  raw.exec('pragma foreign_keys = on')
  for (const table of made.rows) raw.exec(table.sql)
  let written = new Set<string>()
  const kinds: ReadonlyMap<number, string> = new Map([
    [constants.SQLITE_INSERT, 'insert'],
    [constants.SQLITE_UPDATE, 'update'],
    [constants.SQLITE_DELETE, 'delete'],
  ])
  raw.setAuthorizer((action, table) => {
    const kind = kinds.get(action)
    if (kind) written.add(`${kind} ${table}`)
    return constants.SQLITE_OK
  })

  for (const [name, build] of statements) {
    written = new Set()
    const compiled = build(db).compile()
    raw.prepare(compiled.sql)
    for (const kind of namesOf(behind)) {
      const names = Object.entries(behind[kind]).flatMap(([table, each]) =>
        each.map((write) => `${write} ${snake(table)}`),
      )
      if (names.some((each) => written.has(each)))
        expect([name, kind, changedBy(compiled.query).includes(kind)]).toEqual([name, kind, true])
    }
  }
  raw.close()
  await close()
})

test('the cascades of foreign keys are those that the tables declare', async () => {
  const { db, close } = await databaseOf()
  const watched = new Set(Object.values(behind).flatMap((watched) => Object.keys(watched)))
  const declared = new Set<string>()
  for (const child of Object.keys(tables).filter((table) => watched.has(table))) {
    const { rows } = await sql<{ parent: string; onDelete: string; onUpdate: string }>`
      select "table" as parent, on_delete, on_update from pragma_foreign_key_list(${snake(child)})`.execute(db)
    for (const { parent, onDelete, onUpdate } of rows) {
      expect([child, onUpdate]).toEqual([child, 'NO ACTION'])
      if (onDelete !== 'NO ACTION') declared.add(`${parent} ${snake(child)} ${onDelete}`)
    }
  }

  const told = Object.entries(deletedAlong).flatMap(([parent, children]) =>
    Object.entries(children).map(
      ([child, write]) => `${snake(parent)} ${snake(child)} ${write === 'delete' ? 'CASCADE' : 'SET NULL'}`,
    ),
  )

  expect(told.toSorted()).toEqual([...declared].toSorted())
  await close()
})

test('raw SQL that may write is refused, on both databases and inside a transaction; raw SQL that reads is not', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx

  for (const statement of [
    sql`update "user" set name = 'x'`,
    sql`with gone as (select id from member) delete from member`,
    sql` /* read */ delete from session`,
    sql.raw('drop table member'),
  ]) {
    await expect(statement.execute(db)).rejects.toThrow('Raw SQL only reads')
    await expect(transaction((tx) => statement.execute(tx))).rejects.toThrow('Raw SQL only reads')
  }
  expect((await sql<{ count: number }>`select count(*) as count from member`.execute(db)).rows).toEqual([{ count: 0 }])
})

test('raw SQL that passes the plugins may have changed anything', async () => {
  const database = await databaseOf()
  const plain = database.db.withoutPlugins()
  const versions = () => [database.version('sessions'), database.version('organizations')]

  const before = versions()
  await sql`select 1`.execute(plain)
  expect(versions()).toEqual(before)
  await sql`delete from setting`.execute(plain)
  expect(versions().map((version, index) => version !== before[index])).toEqual([true, true])
  await database.close()
})
