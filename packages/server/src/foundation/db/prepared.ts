import type { CompiledQuery, DialectAdapter, Insertable, Selectable } from 'kysely'
import { forgetOldest, proven } from '../proof/proven.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Reads without a turn of the event loop; undefined where the query has to wait for its turn. */
type ReadAtOnce = (query: CompiledQuery) => unknown[] | undefined

/** Databases that can answer a prepared read at once. */
export const readsAtOnce = new WeakMap<Db, ReadAtOnce>()

/** The prepared statements, by their SQL. */
const statements = new Map<string, { readonly number: number; readonly answersNothing: boolean }>()

/** Raised when the plans of all connections are outdated. */
let planVersion = 1

/**
 * The name under which PostgreSQL keeps a prepared statement, so that it parses and plans it once per connection;
 * undefined for others.
 */
export function statementName(sql: string): string | undefined {
  const known = statements.get(sql)
  return known && `prepared-${planVersion}-${known.number}`
}

/** A statement that transactions run so often is worth its plan in every connection; so many texts are counted and kept. */
const often = { uses: 10, mostCounted: 5000, mostKept: 500 } as const
const uses = new Map<string, number>()

/**
 * The same, for any statement of a transaction once it has run often: transactions read and write single rows, for which
 * one plan serves all values. Lists run outside of them, and are planned for their values.
 */
export function statementNameInTransaction(sql: string): string | undefined {
  const name = statementName(sql)
  if (name !== undefined || statements.size >= often.mostKept) return name
  const count = (uses.get(sql) ?? 0) + 1
  if (count < often.uses) {
    uses.set(sql, count)
    if (uses.size > often.mostCounted) forgetOldest(uses)
    return undefined
  }
  uses.delete(sql)
  statements.set(sql, { number: statements.size, answersNothing: false })
  return statementName(sql)
}

/** Has every statement planned anew: a migration, perhaps of a newer process, has changed a table. */
export const planAnew = (): void => {
  planVersion += 1
}

/**
 * Whether the answer of a prepared statement only tells that it succeeded: of a write without returned rows, and of one
 * that is declared so.
 */
export const answersNothing = (sql: string): boolean => statements.get(sql)?.answersNothing ?? false

/** Keeps another statement with the same text apart, whose caller reads how many rows it changed. */
const answersNothingMark = ' /* answers nothing */'

function register<Row>(
  compiled: CompiledQuery<Row>,
  answersNothing = isPlainWrite(compiled.query),
): CompiledQuery<Row> {
  const query = answersNothing ? { ...compiled, sql: compiled.sql + answersNothingMark } : compiled
  if (!statements.has(query.sql)) statements.set(query.sql, { number: statements.size, answersNothing })
  return query
}

const isPlainWrite = (query: CompiledQuery['query']): boolean =>
  (query.kind === 'InsertQueryNode' || query.kind === 'UpdateQueryNode' || query.kind === 'DeleteQueryNode') &&
  query.returning === undefined

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
      query = register(build(db, gaps).compile(), how.answersNothing)
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

/** A statement about rows by their ids, compiled once for each number of ids, up to a few. */
export function prepareForIds<Given extends object, Row>(
  build: (db: Db, ids: readonly string[], given: Given) => { compile(): CompiledQuery<Row> },
): (db: Db, ids: readonly string[], values: Given) => Promise<Row[]> {
  type WithIds = Given & Readonly<Record<`id ${number}`, string>>
  const known = new Map<number, (db: Db, values: WithIds) => Promise<Row[]>>()
  return async (db, ids, values) => {
    if (ids.length > mostRows) return (await db.executeQuery<Row>(build(db, ids, values).compile())).rows
    let run = known.get(ids.length)
    if (!run) {
      run = prepare((own: Db, gaps: WithIds) =>
        build(
          own,
          ids.map((_, at) => proven(gaps[`id ${at}`], 'each id has its gap')),
          gaps,
        ),
      )
      known.set(ids.length, run)
    }
    return run(db, { ...values, ...Object.fromEntries(ids.map((id, at) => [`id ${at}`, id])) })
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
