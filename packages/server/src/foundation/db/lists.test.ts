import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createShop, fixedPrice } from '../../features/billing/testing/shop.ts'
import { createTestServer } from '../../testing.ts'
import { type Database, isDatabaseUnavailable, openDatabase } from './database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-lists-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => {
  files += 1
  return `sqlite:${path.join(folder, `${files}.db`)}`
}

let database: Database
beforeEach(async () => {
  database = openDatabase(newFile())
  await sql`create table note (id integer primary key, text text)`.execute(database.db.withoutPlugins())
})
afterEach(() => database.close())

const note = (text: string) => sql`insert into note (text) values (${text})`
const notes = async (db = database.lists.db) =>
  (await sql<{ text: string }>`select text from note order by id`.execute(db)).rows.map(({ text }) => text)

test('a slow list blocks no other request', async () => {
  const ended: string[] = []
  const counted = sql`with recursive number(n) as (select 1 union all select n + 1 from number limit 1000000)
    select max(n) as last from number`
  const list = counted.execute(database.lists.db).then(({ rows }) => ended.push(`list ${JSON.stringify(rows)}`))
  await note('x').execute(database.db.withoutPlugins())
  ended.push('write')
  await list

  expect(ended).toEqual(['write', 'list [{"last":1000000}]'])
})

test('lists show every committed row at once, and nothing else', async () => {
  await note('first').execute(database.db.withoutPlugins())
  expect(await notes()).toEqual(['first'])

  await database.db.transaction().execute(async (tx) => {
    await note('second').execute(tx.withoutPlugins())
    expect(await notes()).toEqual(['first'])
  })

  expect(await notes()).toEqual(['first', 'second'])
})

test('many lists at once are each their own', async () => {
  const asked = Array.from({ length: 50 }, (_, index) =>
    sql<{ n: number; t: string | null }>`select ${index} as n, ${index % 2 ? null : `t${index}`} as t`.execute(
      database.lists.db,
    ),
  )

  expect((await Promise.all(asked)).map(({ rows }) => rows)).toEqual(
    asked.map((_, index) => [{ n: index, t: index % 2 ? null : `t${index}` }]),
  )
})

test('lists write nothing, and a failure carries the driver’s error', async () => {
  await expect(note('x').execute(database.lists.db)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' })
  await expect(sql`select * from of_no_name`.execute(database.lists.db)).rejects.toThrow('no such table: of_no_name')
  await expect(database.lists.db.transaction().execute(async () => {})).rejects.toThrow('outside transactions')
  expect(await notes()).toEqual([])
})

test('a closed database refuses lists with a retryable error', async () => {
  await notes()
  const asked = sql`with recursive number(n) as (select 1 union all select n + 1 from number limit 1000000)
    select max(n) from number`
    .execute(database.lists.db)
    .catch((error) => error)
  await database.close()

  expect(isDatabaseUnavailable(await asked)).toBe(true)
  expect(isDatabaseUnavailable(await notes().catch((error) => error))).toBe(true)
})

test('a seller’s lists read concurrently, and include the latest write', async () => {
  await using server = await createTestServer({}, { databaseUrl: newFile() })
  const shop = await createShop(server)
  const product = await shop.product([fixedPrice(1900)], 'month', 'Ünïts')
  const { id } = await shop.checkout(product, { customer_email: 'ada@example.com' })
  await shop.post('/customers', { email: 'ada@example.com', metadata: { tier: 'gold' } })

  const found = async (list: string) => (await shop.get(`/${list}`)).body.items.map((item: { id: string }) => item.id)
  expect(await found(`products?query=${encodeURIComponent('ÜNÏ')}`)).toEqual([product])
  expect(await found('checkouts?query=ADA%40&status=open')).toEqual([id])
  expect(await found('customers?metadata[tier]=gold')).toHaveLength(1)
  expect((await shop.get('/orders')).body).toMatchObject({ items: [], pagination: { total_count: 0 } })
})
