import { snake } from '../codec.ts'
import type { Database, Db } from '../database.ts'
import { pendingMigrations } from '../migrate.ts'
import type { ColumnKind } from '../tables.ts'
import { ask, findPrimaryKeys, listMigrations, parameter, quoted } from './catalogue.ts'
import { type Counts, type Head, type RowLine, type Tail, TransferRefused, toFileValue, transferred } from './format.ts'

type Dialect = Database['dialect']

export type Exporting = {
  readonly now: Date
  readonly secretMarks: Head['secretMarks']
  /** Takes whole lines; nothing further is read until it has. */
  write(lines: string): Promise<void>
  /** Told after each page. */
  progress?(table: string, rows: number): void
}

/** Rows of a page: with large ones, such as mails with documents, it is still a few dozen megabytes. */
const pageSize = 200

/** Both see the moment of their first read until the end; on SQLite others write on meanwhile, as the log is written ahead. */
const beginning: Record<Dialect, string> = {
  sqlite: 'begin',
  postgres: 'begin isolation level repeatable read read only',
}

/**
 * Writes everything that the database holds at one moment as the lines of an export. Throws a `TransferRefused` where
 * migrations have not run, whose tables could not be read.
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
    migration: (await listMigrations(db)).at(-1)!, // none is pending, so there are some
    exportedAt: now.toISOString(),
    secretMarks,
    tables: Object.fromEntries([...transferred].map(([table, columns]) => [table, Object.keys(columns)])),
  }
  await write(toLine(head))
  const keys = await findPrimaryKeys(db, dialect)
  const counts: Counts = {}
  for (const [table, columns] of transferred) {
    counts[table] = 0
    for await (const page of pagesOf(db, dialect, snake(table), keys.get(snake(table))!)) {
      await write(page.map((stored) => toLine({ table, row: toRow(columns, stored) })).join(''))
      counts[table] += page.length
      progress?.(table, counts[table])
    }
  }
  await write(toLine({ rows: counts }))
  return counts
}

type Stored = Readonly<Record<string, unknown>>

/** A table along its primary key, a page at a time: the next one begins behind the last row of the one before. */
async function* pagesOf(db: Db, dialect: Dialect, table: string, key: readonly string[]): AsyncGenerator<Stored[]> {
  const all = `select * from "${table}"`
  const behind = `where (${quoted(key)}) > (${key.map((_, index) => parameter(dialect, index + 1)).join(', ')})`
  const ordered = `order by ${quoted(key)} limit ${pageSize}`
  let page = await ask<Stored>(db, `${all} ${ordered}`)
  while (page.length > 0) {
    yield page
    const last = page.at(-1)!
    if (page.length < pageSize) return
    page = await ask<Stored>(
      db,
      `${all} ${behind} ${ordered}`,
      key.map((column) => last[column]),
    )
  }
}

const toRow = (columns: Readonly<Record<string, ColumnKind>>, stored: Stored): RowLine['row'] =>
  Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, toFileValue(kind, stored[snake(name)])]))

const toLine = (line: Head | RowLine | Tail): string => `${JSON.stringify(line)}\n`
