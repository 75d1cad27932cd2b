import type { CompiledQuery, DialectAdapter, Insertable, Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Reads without a turn of the event loop; undefined where the query has to wait for its turn. */
type ReadAtOnce = (query: CompiledQuery) => unknown[] | undefined

/** Databases that can answer a prepared read at once. */
export const readsAtOnce = new WeakMap<Db, ReadAtOnce>()

/** The prepared statements, by their SQL. */
const statements = new Map<string, { readonly name: string | undefined; answersNothing: boolean }>()

/**
 * The name under which PostgreSQL keeps a prepared statement, so that it parses and plans it once per connection;
 * undefined for others. A statement with all columns of a table has none: its plan would fail once a migration, also
 * one by a newer process, adds a column.
 */
export const statementName = (sql: string): string | undefined => statements.get(sql)?.name

/**
 * Whether the answer of a prepared statement only tells that it succeeded: of an insert without returned rows, and of
 * one that is declared so.
 */
export const answersNothing = (sql: string): boolean => statements.get(sql)?.answersNothing ?? false

function register({ sql, query }: CompiledQuery, answersNothing = isPlainInsert(query)): void {
  if (statements.has(sql)) return
  const name = sql.includes('*') ? undefined : `prepared-${statements.size}`
  statements.set(sql, { name, answersNothing })
}

const isPlainInsert = (query: CompiledQuery['query']): boolean =>
  query.kind === 'InsertQueryNode' && query.returning === undefined

/** Marks the place of a value that a prepared query gets at run time. */
class Gap {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query compiled once for each database and then run with new values, for the hottest calls: there, compiling the
 * SQL again costs more than the database's work. Only values may differ between runs. Each property of `given` is one
 * value; a missing one is NULL. With `answersNothing`, nothing reads the answer, and inside a transaction nothing has to
 * wait for it.
 */
export function prepare<Values extends object, Row>(
  build: (db: Db, given: Values) => { compile(): CompiledQuery<Row> },
  how: { readonly answersNothing?: boolean } = {},
): (db: Db, values: Values) => Promise<Row[]> {
  const written = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  const gaps = new Proxy({}, { get: (_, name) => new Gap(String(name)) }) as Values // the parameters that build the query

  const queryFor = (db: Db): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor()
    let query = written.get(adapter)
    if (!query) {
      query = build(db, gaps).compile()
      register(query, how.answersNothing)
      written.set(adapter, query)
    }
    return query
  }

  return async (db, values) => {
    const query = queryFor(db)
    // Plugins see each run, as of any query, and may refuse it; none of them changes a query.
    db.getExecutor().transformQuery(query.query, query.queryId)
    const valueIn = (parameter: unknown): unknown =>
      parameter instanceof Gap ? (values[parameter.name as keyof Values] ?? null) : parameter
    const run = { ...query, parameters: query.parameters.map(valueIn) }
    const rows = readsAtOnce.get(db)?.(run) as Row[] | undefined // the rows of this query
    return rows ?? (await db.executeQuery<Row>(run)).rows
  }
}

type Values = Readonly<Record<string, unknown>>

/** The columns of a row that have a value; one that is undefined counts as missing. */
const columnsOf = (row: object): [string, unknown][] => Object.entries(row).filter(([, value]) => value !== undefined)

/** More rows in one statement are compiled anew: so few sizes have statements of their own. */
const mostRows = 8

/** An insert of rows; with `isOnce`, without those that a unique index has already. */
export function prepareInsert<Table extends keyof Tables>(
  table: Table,
  how: { readonly isOnce?: boolean } = {},
): (db: Db, ...rows: readonly Insertable<Tables[Table]>[]) => Promise<void> {
  const insert = insertInto(table, { ...how, isAnswered: false })
  return async (db, ...rows) => {
    await insert(db, rows)
  }
}

/** The same; it answers the rows as they are stored. */
export function prepareInsertReturning<Table extends keyof Tables>(
  table: Table,
  how: { readonly isOnce?: boolean } = {},
): (db: Db, ...rows: readonly Insertable<Tables[Table]>[]) => Promise<Selectable<Tables[Table]>[]> {
  const insert = insertInto(table, { ...how, isAnswered: true })
  return (db, ...rows) => insert(db, rows)
}

/** A statement is compiled once for each set of columns and number of rows. */
function insertInto<Table extends keyof Tables>(
  table: Table,
  { isOnce = false, isAnswered }: { readonly isOnce?: boolean; readonly isAnswered: boolean },
): (db: Db, rows: readonly Insertable<Tables[Table]>[]) => Promise<Selectable<Tables[Table]>[]> {
  type Stored = Selectable<Tables[Table]>
  const known = new Map<string, (db: Db, values: Values) => Promise<Stored[]>>()
  const insertOf = (db: Db, rows: readonly Insertable<Tables[Table]>[]) => {
    const query = db.insertInto(table).values(rows)
    const insert = isOnce ? query.onConflict((conflict) => conflict.doNothing()) : query
    return (isAnswered ? insert.returningAll() : insert) as { compile(): CompiledQuery<Stored> } // rows of this table
  }
  return async (db, rows) => {
    if (rows.length === 0) return []
    const given = rows.map(columnsOf)
    const [first, ...others] = given.map((columns) => columns.map(([name]) => name).join())
    if (rows.length > mostRows || others.some((names) => names !== first))
      return (await db.executeQuery<Stored>(insertOf(db, rows).compile())).rows
    const key = `${rows.length} ${first}`
    let run = known.get(key)
    if (!run) {
      run = prepare((own: Db, gaps: Values) =>
        insertOf(
          own,
          given.map((columns, at) =>
            Object.fromEntries(columns.map(([name]): unknown[] => [name, gaps[`${at} ${name}`]])),
          ),
        ),
      )
      known.set(key, run)
    }
    return run(
      db,
      Object.fromEntries(given.flatMap((columns, at) => columns.map(([name, value]) => [`${at} ${name}`, value]))),
    )
  }
}

/**
 * A change of rows, compiled once for each set of columns. `where` has the values of its condition, which may have the
 * names of columns.
 */
export function prepareUpdate<Row, Where extends Values>(
  build: (db: Db, changes: object, where: Where) => { compile(): CompiledQuery<Row> },
): (db: Db, changes: object, where: Where) => Promise<Row[]> {
  const known = new Map<string, (db: Db, values: Values) => Promise<Row[]>>()
  return (db, changes, where) => {
    const given = columnsOf(changes)
    const conditions = Object.entries(where)
    const key = given.map(([name]) => name).join()
    let run = known.get(key)
    if (!run) {
      run = prepare((own: Db, gaps: Values) => {
        const pick = (columns: readonly [string, unknown][], kind: string) =>
          Object.fromEntries(columns.map(([name]): unknown[] => [name, gaps[`${kind} ${name}`]]))
        return build(own, pick(given, 'set'), pick(conditions, 'where'))
      })
      known.set(key, run)
    }
    const named = (columns: readonly [string, unknown][], kind: string) =>
      columns.map(([name, value]) => [`${kind} ${name}`, value] as const)
    return run(db, Object.fromEntries([...named(given, 'set'), ...named(conditions, 'where')]))
  }
}
