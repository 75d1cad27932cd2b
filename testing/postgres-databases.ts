import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../packages/server/src/foundation/db/database.ts'
import { migrate } from '../packages/server/src/foundation/db/migrate.ts'
import { openPostgres } from '../packages/server/src/foundation/db/postgres.ts'
import { type TestDatabase, testStart } from '../packages/server/src/testing.ts'
import { createDatabase } from './postgres.ts'
import './provided.ts'

/**
 * A database with open connections that have cached its tables: a new one takes ten times as long for its first query.
 */
type Kept = {
  readonly url: string
  /** What servers work with, one after the other. */
  readonly database: Database
  /** The connection of those who clear up after them. */
  readonly own: pg.Pool
  /** What takes every row away. */
  readonly emptying: string
  readonly shape: string
  drop(): Promise<void>
}

/**
 * Databases whose test server has gone, emptied; they go with the run. Making one takes a hundred times as long as
 * emptying one.
 */
const free: Kept[] = []

/** A database on PostgreSQL, empty but for its tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const kept = free.pop() ?? (await makeDatabase())
  return {
    url: kept.url,
    openDatabase: () => lent(kept.database),
    [Symbol.asyncDispose]: async () => {
      if (await emptied(kept)) free.push(kept)
      else await kept.drop()
    },
  }
}

/** The same connections, until they are closed: what a server asks after its end must not come to the next one. */
function lent(database: Database): Database {
  let isClosed = false
  const whileOpen = () => {
    // As Kysely says it.
    if (isClosed) throw new Error('driver has already been destroyed')
  }
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      whileOpen()
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const asked =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      whileOpen()
      return await ask(...given)
    }
  return {
    ...database,
    db,
    lists: { dialect: 'postgres', db },
    findSessionRow: asked(database.findSessionRow),
    now: asked(database.now),
    ping: asked(database.ping),
    withoutTimeouts: (work) => work(db),
    close: async () => {
      isClosed = true
    },
  }
}

async function makeDatabase(): Promise<Kept> {
  const { url, drop } = await createDatabase(inject('postgresUrl'), migrateAll)
  // Where a hundred ask at once on a busy machine, some wait for longer than a server would let them.
  const database = openPostgres(url, { connectionTimeout: 60_000, statementTimeout: 60_000, queryTimeout: 65_000 })
  const own = new pg.Pool({ connectionString: url, max: 1 })
  // There are tests that end every connection; the next query opens another one.
  own.on('error', () => {})
  const { rows: tables } = await own.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like '%migration%'",
  )
  return {
    url,
    database,
    own,
    emptying: tables.map(({ name }) => `delete from ${name}`).join(';'),
    shape: await shapeOf(own),
    drop: async () => {
      await Promise.all([database.close(), own.end()])
      await drop()
    },
  }
}

/** Once for all tests of a run: each database is a copy of this one. */
async function migrateAll(url: string): Promise<void> {
  const database = openPostgres(url)
  try {
    await migrate(database, testStart)
  } finally {
    await database.close()
  }
}

/** False when a test has changed the tables themselves: such a database is of no further use. */
async function emptied({ own, emptying, shape }: Kept): Promise<boolean> {
  if ((await shapeOf(own)) !== shape) return false
  await own.query(emptying)
  return true
}

/**
 * The tables, and which migrations have made them. Whatever is made, renamed or dropped changes one of these sums: `xmin`
 * is the transaction that a row of a catalog was last written by.
 */
async function shapeOf(own: pg.Pool): Promise<string> {
  const catalogs = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_rewrite']
  const sums = catalogs.map((name) => `(select array[count(*), sum(xmin::text::bigint)] from ${name})`)
  const applied = '(select array_agg(name order by name) from migration)'
  const { rows } = await own.query({ text: `select ${[...sums, applied].join()}`, rowMode: 'array' })
  return JSON.stringify(rows)
}
