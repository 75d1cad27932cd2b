import { lastOf, proven } from '../../proof/proven.ts'
import { snake } from '../codec.ts'
import type { Database, Db } from '../database.ts'
import { pendingMigrations } from '../migrate.ts'
import type { Column } from '../tables/columns.ts'
import { ask, findPrimaryKeys, listMigrations, parameter, quoted } from './catalogue.ts'
import { type Counts, type Head, type RowLine, type Tail, TransferRefused, toFileValue, transferred } from './format.ts'

type Dialect = Database['dialect']

export type Exporting = {
  readonly now: Date
  readonly secretMarks: Head['secretMarks']
  /** Accepts whole lines; the next page waits until it resolves. */
  write(lines: string): Promise<void>
  /** Called after each page. */
  progress?(table: string, rows: number): void
}

/** Rows per page: large ones, such as mails with documents, still fit into a few dozen megabytes. */
const pageSize = 200

/** Both read one snapshot, taken at their first read; SQLite's write-ahead log lets others write meanwhile. */
const beginning: Record<Dialect, string> = {
  sqlite: 'begin',
  postgres: 'begin isolation level repeatable read read only',
}

/**
 * Writes one snapshot of the database as the lines of an export. Throws a `TransferRefused` if migrations are pending,
 * because their tables cannot be read.
 */
export async function readAll(database: Database, exporting: Exporting): Promise<Counts> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0)
    throw new TransferRefused(
      `The database is not up to date (${pending.length} migrations to run): run tollgate migrate, then export again.`,
    )
  return database.withoutTimeouts((db) =>
    db.connection().execute(async (connection) => {
      await ask(connection, beginning[database.dialect])
      try {
        return await readSnapshot(connection, database.dialect, exporting)
      } finally {
        await ask(connection, 'rollback') // nothing was written
      }
    }),
  )
}

async function readSnapshot(db: Db, dialect: Dialect, exporting: Exporting): Promise<Counts> {
  const { now, secretMarks, write, progress } = exporting
  const head: Head = {
    product: 'tollgate',
    format: 1,
    migration: lastOf(await listMigrations(db), 'no migration is pending, so there are some'),
    exportedAt: now.toISOString(),
    secretMarks,
    tables: Object.fromEntries([...transferred].map(([table, columns]) => [table, Object.keys(columns)])),
  }
  await write(toLine(head))
  const keys = await findPrimaryKeys(db, dialect)
  const counts: Counts = {}
  for (const [table, columns] of transferred) {
    counts[table] = 0
    for await (const page of pagesOf(
      db,
      dialect,
      snake(table),
      proven(keys.get(snake(table)), 'each table has a primary key'),
    )) {
      await write(page.map((stored) => toLine({ table, row: toRow(columns, stored) })).join(''))
      counts[table] += page.length
      progress?.(table, counts[table])
    }
  }
  await write(toLine({ rows: counts }))
  return counts
}

type Stored = Readonly<Record<string, unknown>>

/** Reads a table by primary key, one page at a time: each page starts after the last row of the previous one. */
async function* pagesOf(db: Db, dialect: Dialect, table: string, key: readonly string[]): AsyncGenerator<Stored[]> {
  const all = `select * from "${table}"`
  const behind = `where (${quoted(key)}) > (${key.map((_, index) => parameter(dialect, index + 1)).join(', ')})`
  const ordered = `order by ${quoted(key)} limit ${pageSize}`
  let page = await ask<Stored>(db, `${all} ${ordered}`)
  while (page.length > 0) {
    yield page
    const last = lastOf(page, 'the page has rows')
    if (page.length < pageSize) return
    page = await ask<Stored>(
      db,
      `${all} ${behind} ${ordered}`,
      key.map((column) => last[column]),
    )
  }
}

const toRow = (columns: Readonly<Record<string, Column>>, stored: Stored): RowLine['row'] =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, toFileValue(column, stored[snake(name)])]))

const toLine = (line: Head | RowLine | Tail): string => `${JSON.stringify(line)}\n`
