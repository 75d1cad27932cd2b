import { messageOf } from '../../proof/proven.ts'
import { snake } from '../codec.ts'
import type { Database, Tx } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Column } from '../tables/columns.ts'
import { ask, findDefaults, listForeignKeys, listMigrations, parameter, quoted } from './catalogue.ts'
import {
  type Counts,
  damaged,
  type Head,
  type Row,
  readLine,
  type Tail,
  TransferRefused,
  toStoredValue,
  transferred,
} from './format.ts'

type Dialect = Database['dialect']

export type Importing = {
  readonly head: Head
  /** The lines after the first. */
  readonly lines: AsyncIterable<string>
  readonly now: Date
  /** Called after each batch. */
  progress?(table: string, rows: number): void
}

/**
 * The tables that a first start fills: its jobs, its read position, and the link for the first administrator. An
 * import replaces their rows.
 */
const filledByStart: ReadonlySet<string> = new Set(['job', 'setting', 'verification'])

/** Limits of one insert: rows, values (SQLite accepts 32,766) and characters. */
const batchLimits = { rows: 200, values: 30_000, letters: 4_000_000 }

/**
 * Migrates the database and writes all rows of an export in one transaction: all or none. Throws a `TransferRefused`
 * if the database already holds data, or the file does not fit it.
 */
export async function writeAll(database: Database, importing: Importing): Promise<Counts> {
  await migrate(database, importing.now)
  try {
    return await database.withoutTimeouts((db) =>
      db.transaction().execute((tx) => writeInto(tx, database.dialect, importing)),
    )
  } catch (error) {
    if (isReferenceViolation(error)) throw damaged('a row refers to one that is not there')
    throw error
  } finally {
    await database.flush()
  }
}

async function writeInto(tx: Tx, dialect: Dialect, importing: Importing): Promise<Counts> {
  await refuseOtherVersion(tx, importing.head)
  await haveToItself(tx, dialect)
  await refuseFilled(tx)
  const restore = await allowAnyOrder(tx, dialect)
  const counts = await writeRows(tx, dialect, importing)
  await restore()
  await continueCounting(tx, dialect)
  return counts
}

/** The database reports it at the end of the transaction, when all rows are written. */
const isReferenceViolation = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '23503') || /FOREIGN KEY constraint failed/.test(error.message))

/** Every column of an older version must exist here, and the database must have defaults for the new ones. */
async function refuseOtherVersion(tx: Tx, head: Head): Promise<void> {
  const migrations = await listMigrations(tx)
  if (!migrations.includes(head.migration))
    throw new TransferRefused(
      `The file was made by a newer version of Tollgate (its last migration is ${head.migration}): import it with that one. Nothing was imported.`,
    )
  const misfits = await misfitsOf(tx, head)
  if (misfits.length === 0) return
  if (head.migration === migrations.at(-1)) throw damaged(`its columns: ${misfits.join(', ')}`)
  throw new TransferRefused(
    `The file was made by an older version of Tollgate (its last migration is ${head.migration}), and does not fit: ` +
      `${misfits.join(', ')}. Run tollgate migrate of this version on the database that it comes from, and export again. Nothing was imported.`,
  )
}

/** The file's columns that are unknown here, and required columns that the file lacks. */
async function misfitsOf(tx: Tx, head: Head): Promise<string[]> {
  const defaults = await findDefaults(tx)
  const misfits: string[] = []
  for (const [table, given] of Object.entries(head.tables)) {
    const columns = transferred.get(table)
    if (!columns) {
      misfits.push(table)
      continue
    }
    misfits.push(...given.filter((name) => !Object.hasOwn(columns, name)).map((name) => `${table}.${name}`))
    for (const [name, { isNullable }] of Object.entries(columns))
      if (!given.includes(name) && !isNullable && !defaults.has(`${snake(table)}.${snake(name)}`))
        misfits.push(`${table}.${name}`)
  }
  return misfits
}

const storedTables = (): string[] => [...transferred.keys()].map(snake)

/** Makes a running server wait, so that empty tables stay empty. SQLite is already locked. */
async function haveToItself(tx: Tx, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await ask(tx, `lock table ${quoted(storedTables())} in access exclusive mode`)
}

async function refuseFilled(tx: Tx): Promise<void> {
  for (const table of transferred.keys()) {
    if (filledByStart.has(table)) await ask(tx, `delete from "${snake(table)}"`)
    else if ((await ask(tx, `select 1 from "${snake(table)}" limit 1`)).length > 0)
      throw new TransferRefused(
        `The database is in use (it has rows in ${snake(table)}): an import needs an empty database. Nothing was imported.`,
      )
  }
}

/**
 * Until the returned function is called, rows may refer to later rows. SQLite checks at the end of the transaction; on
 * PostgreSQL the few foreign keys to their own or a later table are deferred.
 */
async function allowAnyOrder(tx: Tx, dialect: Dialect): Promise<() => Promise<void>> {
  if (dialect === 'sqlite') {
    await ask(tx, 'pragma defer_foreign_keys = on')
    return async () => {}
  }
  const order = storedTables()
  const forward = (await listForeignKeys(tx)).filter(
    ({ table, target }) => order.indexOf(target) >= order.indexOf(table),
  )
  const alter = async (how: string) => {
    for (const { table, name } of forward) await ask(tx, `alter table "${table}" alter constraint "${name}" ${how}`)
  }
  await alter('deferrable initially deferred')
  return async () => {
    await ask(tx, 'set constraints all immediate')
    await alter('not deferrable')
  }
}

/** Writes the rows, and throws unless the file reaches its last line and every row is there. */
async function writeRows(tx: Tx, dialect: Dialect, { head, lines, progress }: Importing): Promise<Counts> {
  const counts: Counts = Object.fromEntries(Object.keys(head.tables).map((table) => [table, 0]))
  let end: Counts | undefined
  for await (const part of partsOf(head, lines)) {
    if (end) throw damaged('something follows its end')
    if (!('table' in part)) {
      end = part.rows
      continue
    }
    const { table, rows } = part
    await insert(tx, dialect, table, head.tables[table]!, rows)
    counts[table] = counts[table]! + rows.length
    progress?.(table, counts[table])
  }
  if (!end) throw damaged('its end is missing')
  refuseOtherCounts(counts, end)
  return counts
}

type Batch = { readonly table: string; readonly rows: Row[]; letters: number }

/** The rows of the file in batches of one table each, and its last line. */
async function* partsOf(head: Head, lines: AsyncIterable<string>): AsyncGenerator<Batch | Tail> {
  let batch: Batch | undefined
  for await (const text of lines) {
    const line = readLine(text)
    if (batch && (!('table' in line) || line.table !== batch.table || isFull(batch, head))) {
      yield batch
      batch = undefined
    }
    if (!('table' in line)) {
      yield line
      continue
    }
    if (!Object.hasOwn(head.tables, line.table)) throw damaged('rows of a table that it does not announce')
    batch ??= { table: line.table, rows: [], letters: 0 }
    batch.rows.push(line.row)
    batch.letters += text.length
  }
  if (batch) yield batch
}

const isFull = ({ table, rows, letters }: Batch, head: Head): boolean =>
  rows.length >= batchLimits.rows ||
  (rows.length + 1) * head.tables[table]!.length > batchLimits.values ||
  letters > batchLimits.letters

function refuseOtherCounts(written: Counts, announced: Counts): void {
  const differing = Object.keys({ ...written, ...announced }).find((table) => written[table] !== announced[table])
  if (differing !== undefined) throw damaged(`the number of rows in ${differing}`)
}

/** Table and columns are known names: `refuseOtherVersion` has compared each with `tables.ts`. */
async function insert(tx: Tx, dialect: Dialect, table: string, names: readonly string[], rows: Row[]): Promise<void> {
  const known = transferred.get(table)! // compared, as above
  const columns = names.map((name): [string, Column] => [name, known[name]!])
  const values = rows.flatMap((row) => columns.map(([name, column]) => toStoredValue(column, row[name])))
  const places = rows.map(
    (_, row) => `(${columns.map((_, column) => parameter(dialect, row * columns.length + column + 1)).join(', ')})`,
  )
  // Without it PostgreSQL insists on generating these numbers itself.
  const overriding = dialect === 'postgres' ? 'overriding system value ' : ''
  const text = `insert into "${snake(table)}" (${quoted(names.map(snake))}) ${overriding}values ${places.join(', ')}`
  try {
    await ask(tx, text, values)
  } catch (cause) {
    throw new TransferRefused(
      `The database refuses rows of ${snake(table)}: ${messageOf(cause)}. Nothing was imported.`,
      {
        cause,
      },
    )
  }
}

/**
 * Moves PostgreSQL's next number past all imported ones; SQLite does so by itself. Only existing rows count: reusing
 * the numbers of deleted rows is harmless.
 */
async function continueCounting(tx: Tx, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return
  for (const [table, columns] of transferred)
    for (const [name, { kind }] of Object.entries(columns)) {
      if (kind !== 'growing') continue
      const [stored, column] = [snake(table), snake(name)]
      await ask(tx, `select setval(pg_get_serial_sequence($1, $2), max("${column}")) from "${stored}"`, [
        `"${stored}"`,
        column,
      ])
    }
}
