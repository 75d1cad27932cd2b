import type { CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './database.ts'

/** Stands in a prepared query where a value comes that is known only when it runs. */
class Gap {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is written out once for each database and then only given its values: for the hottest calls, where building
 * the same SQL again costs more than the database's own work. What differs from one run to the next may be values only;
 * of `given` each property is one, and one that is left out is NULL.
 */
export function prepare<Values extends object, Row>(
  build: (db: Db, given: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  const written = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  const gaps = new Proxy({}, { get: (_, name) => new Gap(String(name)) }) as Values // what the query is built with

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
    // Plugins hear of each run, as of any query, and may refuse it; none of them changes one.
    db.getExecutor().transformQuery(query.query, query.queryId)
    const valueIn = (parameter: unknown): unknown =>
      parameter instanceof Gap ? (values[parameter.name as keyof Values] ?? null) : parameter
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: query.parameters.map(valueIn) })
    return rows
  }
}
