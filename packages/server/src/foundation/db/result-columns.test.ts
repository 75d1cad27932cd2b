import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'
import { openSqlite } from './sqlite.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
  await server.signedUp('Ada')
})
afterAll(() => server[Symbol.asyncDispose]())

const db = () => server.tollgate.internals.ctx.db

test('a column is decoded by its source column, whatever name the query gives it', async () => {
  const query = db()
    .selectFrom('session as s')
    .innerJoin('user as u', 'u.id', 's.userId')
    .select(['u.createdAt as name', 'u.emailVerified as image', 'u.name as createdAt', 's.neverExtended'])

  expect(await query.execute()).toEqual([{ name: testStart, image: false, createdAt: 'Ada', neverExtended: false }])
})

test('sub-queries, with, unions and `returning` resolve to the columns of their tables', async () => {
  const times = db()
    .with('born', (query) => query.selectFrom('user').select('createdAt as at'))
    .selectFrom('born')
    .innerJoin(
      (query) => query.selectFrom('user').select(['updatedAt as changed']).as('later'),
      (join) => join.onTrue(),
    )
    .select(['born.at', 'later.changed'])
    .select((of) => of.selectFrom('session').select('session.createdAt').limit(1).as('begun'))
    .unionAll(db().selectFrom('user').select(['createdAt as at', 'updatedAt as changed', 'createdAt as begun']))
  const changed = server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('user').set({ banned: true, banExpires: null }).returning(['banned as is', 'updatedAt']).execute(),
  )

  const all = { at: testStart, changed: testStart, begun: testStart }
  expect(await times.execute()).toEqual([all, all])
  expect(await changed).toEqual([{ is: true, updatedAt: testStart }])
})

test('min, max, coalesce, case and comparisons have the kinds of their operands', async () => {
  const query = db()
    .selectFrom('user')
    .select((of) => [
      of.fn.min('createdAt').as('first'),
      of.fn.max('updatedAt').as('last'),
      of.fn.coalesce(of.fn.max('banExpires'), of.val(testStart)).as('until'),
      of.case().when(of.fn.countAll(), '>', 0).then(of.fn.min('createdAt')).end().as('some'),
      of(of.fn.countAll(), '=', 1).as('isOne'),
      sql<Date>`${sql.ref('user.createdAt')}`.as('raw'),
    ])
    .groupBy('user.createdAt')

  const [row] = await query.execute()
  expect(row).toMatchObject({ first: testStart, last: testStart, some: testStart, isOne: true, raw: testStart })
  expect(row?.until).toEqual(testStart)
})

test('a column with sources of two kinds is refused before the query runs', async () => {
  const union = db()
    .selectFrom('user')
    .select('createdAt as at')
    .unionAll(db().selectFrom('user').select(sql<Date>`name`.as('at')))
  const mixed = db()
    .selectFrom('user')
    .select((of) => of.fn.coalesce(of.ref('createdAt'), sql<Date>`updated_at`).as('at'))

  expect(() => union.compile()).toThrow('"at" may be time or an expression')
  expect(() => mixed.compile()).toThrow('may be time or an expression')
})

test('an expression under the name of a decoded column is refused, and raw SQL that selects one', async () => {
  const latest = db().selectFrom('user').select(sql<Date>`max(created_at)`.as('createdAt'))

  expect(() => latest.compile()).toThrow('"createdAt" is an expression')
  await expect(sql`select created_at from "user"`.execute(db())).rejects.toThrow('"createdAt" is an expression')
  expect((await sql`select name from "user"`.execute(db())).rows).toEqual([{ name: 'Ada' }])
})

test('queries that are built from one another and run at once are each decoded as their own', async () => {
  const users = db().selectFrom('user')
  const [times, names] = await Promise.all([
    users.select('createdAt as it').execute(),
    users.select('name as it').execute(),
  ])
  const among = users.select('id')
  const whole = users.selectAll().where('id', 'in', among)

  expect([times, names]).toEqual([[{ it: testStart }], [{ it: 'Ada' }]])
  expect(await whole.execute()).toMatchObject([{ createdAt: testStart, banned: true }])
})

test('the same statement is read anew in a database with other columns', async () => {
  const rowsWhere = async (column: string) => {
    const database = openSqlite(':memory:')
    const view = database.db.schema.createView('person').as(sql`select 'Ada' as ${sql.ref(column)}`)
    await view.execute()
    const { rows } = await sql`select * from person`.execute(database.db)
    await database.close()
    return rows
  }

  expect(await rowsWhere('firstName')).toEqual([{ firstName: 'Ada' }])
  expect(await rowsWhere('lastName')).toEqual([{ lastName: 'Ada' }])
})
