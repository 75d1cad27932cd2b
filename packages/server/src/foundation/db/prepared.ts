import type { CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './database.ts'

/** Reads without a turn of the event loop; undefined where the query has to wait for its turn. */
type ReadAtOnce = (query: CompiledQuery) => unknown[] | undefined

/** Databases that can answer a prepared read at once. */
export const readsAtOnce = new WeakMap<Db, ReadAtOnce>()

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
 * value; a missing one is NULL.
 */
export function prepare<Values extends object, Row>(
  build: (db: Db, given: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  const written = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  const gaps = new Proxy({}, { get: (_, name) => new Gap(String(name)) }) as Values // the parameters that build the query

  const queryFor = (db: Db): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor()
    let query = written.get(adapter)
    if (!query) {
      query = build(db, gaps).compile()
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
