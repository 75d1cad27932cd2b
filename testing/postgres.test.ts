import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, startPostgres, type TestPostgres } from './postgres.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres.stop())

test('a fresh database takes a table and is gone after its drop', async () => {
  const database = await createDatabase(postgres.url)

  const rows = await run(
    database.url,
    'create table gate (id integer primary key); insert into gate values (1) returning id',
  )
  await database.drop()

  expect(rows).toEqual([{ id: 1 }])
  await expect(run(database.url, 'select 1')).rejects.toThrow(/does not exist/)
})

test('databases are copies of one template that is migrated once, also when several ask at once', async () => {
  let migrations = 0
  const migrate = async (url: string): Promise<void> => {
    migrations += 1
    await run(url, 'create table toll (id integer primary key); insert into toll values (7)')
  }

  const databases = await Promise.all([1, 2, 3].map(() => createDatabase(postgres.url, migrate)))

  expect(migrations).toBe(1)
  for (const { url } of databases) expect(await run(url, 'select id from toll')).toEqual([{ id: 7 }])
  await run(databases[0]!.url, 'delete from toll')
  expect(await run(databases[1]!.url, 'select id from toll')).toEqual([{ id: 7 }])
})

test('on a given server a run takes all its databases away and leaves the others alone', async () => {
  const guest = await startPostgres(postgres.url)
  await createDatabase(guest.url)
  const names = `select datname from pg_database where datname like '${databaseOf(guest.url)}%'`
  expect(await run(postgres.url, names)).toHaveLength(2)

  await guest.stop()

  expect(await run(postgres.url, names)).toEqual([])
  expect(await run(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('only a database of a run can be the base of others', async () => {
  await expect(createDatabase('postgres://localhost/shop')).rejects.toThrow('shop')
})

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

/** The rows of the last statement. */
async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? []
  } finally {
    await client.end()
  }
}
