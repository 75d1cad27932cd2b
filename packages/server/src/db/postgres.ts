import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { coalesce } from './coalesce.ts'
import { Codec, snake } from './codec.ts'
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
/** After which a session read that is not answered is given up, and its callers are told to come back. */
const readTimeout = 5000

type PostgresOptions = {
  readonly poolSize?: number
  /** After which PostgreSQL itself ends a statement, in milliseconds. */
  readonly statementTimeout?: number
  /** How long anybody waits for a connection, of the pool or a new one, in milliseconds. */
  readonly connectionTimeout?: number
  /** After which a connection that says nothing is given up: longer, so that what PostgreSQL says is heard. */
  readonly queryTimeout?: number
}

/** Opens a pool of connections to PostgreSQL; any number of processes may do so. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const { poolSize = 10, statementTimeout = 25_000, connectionTimeout = 5000, queryTimeout = 30_000 } = options
  const connection: pg.PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectionTimeout,
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
  }
  const pool = openPool({
    ...connection,
    max: poolSize,
    query_timeout: queryTimeout,
    // As a statement: poolers such as PgBouncer refuse connections that ask for it when they start.
    onConnect: (client) => client.query(`set statement_timeout = ${statementTimeout}`),
  })
  const db = queryBuilder(pool)
  return {
    dialect: 'postgres',
    db,
    lists: { dialect: 'postgres', db },
    // Other processes write without telling us, so nothing is kept: each answer is read.
    sessionVersion: () => undefined,
    organizationVersion: () => undefined,
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
    withoutTimeouts: async (work) => {
      const patient = queryBuilder(openPool({ ...connection, max: 1 }))
      try {
        return await work(patient)
      } finally {
        await patient.destroy()
      }
    },
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

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  // A connection that breaks is replaced at the next query; unheard, the event would end the process. The pool hears it
  // for idle connections only: one that breaks between two statements of a transaction has to be heard here.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const queryBuilder = (pool: pg.Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new Dialect({ pool: givingUp(pool) }), plugins: [new Codec()] })

/**
 * The pool as the query builder sees it. A connection that has said nothing for too long is asked nothing further, not
 * even to roll back, and is thrown away: whoever got it next would wait in vain as well.
 */
function givingUp(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect()
      let silence: Error | undefined
      const query = async (text: string, values: readonly unknown[]) => {
        if (silence) throw silence
        try {
          return await client.query(text, [...values])
        } catch (error) {
          if (error instanceof Error && error.message === 'Query read timeout') silence = error
          throw error
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'], // which also takes cursors; they are not used
        release: (destroy) => client.release(silence ?? destroy),
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

class QueryCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snake(identifier))
  }
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new QueryCompiler()
  }
}
