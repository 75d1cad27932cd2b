import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { type TestDatabase, testStart } from '../packages/server/src/testing.ts'
import { createDatabase } from './postgres.ts'
import './provided.ts'

type Kept = { readonly url: string; readonly shape: string; drop(): Promise<void> }

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
    [Symbol.asyncDispose]: async () => {
      if (await emptied(kept)) free.push(kept)
      else await kept.drop()
    },
  }
}

async function makeDatabase(): Promise<Kept> {
  const { url, drop } = await createDatabase(inject('postgresUrl'), migrateAll)
  return { url, drop, shape: await connected(url, shapeOf) }
}

/** Once for all tests of a run: each database is a copy of this one. */
async function migrateAll(url: string): Promise<void> {
  const database = openDatabase(url)
  try {
    await migrate(database, testStart)
  } finally {
    await database.close()
  }
}

/** False when a test has changed the tables themselves: such a database is of no further use. */
const emptied = ({ url, shape }: Kept): Promise<boolean> =>
  connected(url, async (client) => {
    if ((await shapeOf(client)) !== shape) return false
    const { rows } = await client.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like '%migration%'",
    )
    await client.query(rows.map(({ name }) => `delete from ${name}`).join(';'))
    return true
  })

/**
 * The tables, and which migrations have made them. Whatever is made, renamed or dropped changes one of these sums: `xmin`
 * is the transaction that a row of a catalog was last written by.
 */
async function shapeOf(client: pg.Client): Promise<string> {
  const catalogs = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_rewrite']
  const sums = catalogs.map((name) => `(select array[count(*), sum(xmin::text::bigint)] from ${name})`)
  const applied = '(select array_agg(name order by name) from migration)'
  const { rows } = await client.query({ text: `select ${[...sums, applied].join()}`, rowMode: 'array' })
  return JSON.stringify(rows)
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
