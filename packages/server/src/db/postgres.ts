import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { coalesce } from './coalesce.ts'
import { Codec } from './codec.ts'
import type { Database } from './database.ts'
import { sessionRowSql, sessionTokenOf, toSessionRow } from './session-row.ts'
import type { Tables } from './tables.ts'

/** PostgreSQL type numbers (pg_type.oid) that are read differently than `pg` does by itself. */
const int8 = 20
const json = 114
const jsonb = 3802

/** Read for many tokens at once: under load the round trip is what costs. */
const sessionRowsText = sessionRowSql('any($1)')
const sessionReads = 2
/** After which a connection that says nothing is given up, and its callers are told to come back. */
const readTimeout = 5000

/** Opens a pool of connections to PostgreSQL; any number of processes may do so. */
export function openPostgres(url: string, poolSize = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5000,
    // A connection that a failed-over server left half open is found out.
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        // Counts come as int8; none of ours exceeds what a number holds exactly. JSON is parsed by the codec, once.
        oid === int8
          ? Number
          : oid === json || oid === jsonb
            ? String
            : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // A connection that breaks is replaced at the next query; unheard, the event would end the process. The pool hears it
  // for idle connections only: one that breaks between two statements of a transaction has to be heard here.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new Codec()] })
  return {
    dialect: 'postgres',
    db,
    // Other processes write without telling us, so nothing is kept: each answer is read.
    sessionVersion: () => undefined,
    findSessionRow: coalesce(async (tokens) => {
      const reading: pg.QueryArrayConfig & { query_timeout: number } = {
        name: 'session-rows',
        text: sessionRowsText,
        values: [tokens],
        rowMode: 'array',
        // Everybody waits for these reads: without an end, one hanging connection would hold up all of them.
        query_timeout: readTimeout,
      }
      const { rows } = await pool.query<unknown[]>(reading)
      return new Map(rows.map((values) => [sessionTokenOf(values), toSessionRow(values)]))
    }, sessionReads),
    flush: async () => {},
    now: async () => {
      const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
      return rows[0]!.now
    },
    ping: async () => {
      await pool.query('select 1')
    },
    close: async () => {
      await db.destroy()
      if (!pool.ended) await pool.end() // where nothing was asked yet, the query builder has nothing to end
    },
  }
}
