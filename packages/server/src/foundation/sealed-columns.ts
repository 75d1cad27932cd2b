import { sql } from 'kysely'
import type { Context } from './context.ts'
import type { Db } from './db/database.ts'
import type { Tables } from './db/tables.ts'
import { isSealed, type Secrets } from './token.ts'

/** A column whose values are sealed under SECRET. Its table has an `id`. */
export type SealedColumn = {
  [Table in keyof Tables]: {
    readonly table: Table
    readonly column: keyof Tables[Table] & string
    /** As given to `secrets.seal`. */
    readonly purpose: string
    /** Only rows with one of these values in another column. */
    readonly where?: { readonly column: keyof Tables[Table] & string; readonly in: readonly string[] }
    /** Former versions sealed these values. Now they are stored as they are, because they are no secrets. */
    readonly isPlainNow?: true
  }
}[keyof Tables]

/** How many values were written anew, and how many no configured secret opens. */
export type Resealed = { readonly changed: number; readonly unreadable: number }

/** Rows that one statement reads: few, because on SQLite it blocks the process. */
const slice = 500

/**
 * Seals every value of a column under the current SECRET that a previous one has sealed. A value that changes meanwhile
 * is left to the one who changed it. Idempotent: a process that is killed on the way leaves both kinds, and both are
 * readable.
 */
export async function resealColumn(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  of: SealedColumn,
): Promise<Resealed> {
  let [changed, unreadable] = [0, 0]
  for await (const rows of outdatedRows(db, secrets, of)) {
    for (const { id, value } of rows) {
      const renewed = renew(secrets, of, value)
      if (renewed === undefined) unreadable += 1
      else if (await replace(db, of, id, value, renewed)) changed += 1
    }
  }
  return { changed, unreadable }
}

/** How many values of a column another secret than the current one has sealed. */
export async function countOutdated(db: Db, secrets: Secrets, of: SealedColumn): Promise<number> {
  let count = 0
  for await (const rows of outdatedRows(db, secrets, of)) count += rows.length
  return count
}

type Row = { readonly id: string; readonly value: string }

async function* outdatedRows(db: Db, secrets: Secrets, of: SealedColumn): AsyncGenerator<readonly Row[]> {
  for (let last: string | undefined; ; ) {
    const rows = await readSlice(db, of, last)
    yield rows.filter(({ value }) => (of.isPlainNow ? isSealed(value) : !secrets.isCurrent(value)))
    last = rows.at(-1)?.id
    if (rows.length < slice) return
  }
}

/** The next rows by id: the primary key serves them, however many are current. */
async function readSlice(db: Db, { table, column, where }: SealedColumn, last: string | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null
      ${last === undefined ? sql`` : sql`and id > ${last}`}
      ${where ? sql`and ${sql.ref(where.column)} in (${sql.join(where.in)})` : sql``}
    order by id limit ${slice}`.execute(db)
  return rows
}

function renew(secrets: Secrets, { purpose, isPlainNow }: SealedColumn, value: string): string | undefined {
  try {
    const plain = secrets.open(value, purpose)
    return isPlainNow ? plain : secrets.seal(plain, purpose)
  } catch {
    return undefined
  }
}

async function replace(db: Db, { table, column }: SealedColumn, id: string, old: string, renewed: string) {
  const { numUpdatedRows } = await db
    .withTables<Record<string, Record<string, string>>>()
    .updateTable(table)
    .set({ [column]: renewed })
    .where('id', '=', id)
    .where(column, '=', old)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
