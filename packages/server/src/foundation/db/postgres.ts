import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
  type ValueNode,
} from 'kysely'
import pg from 'pg'
import { firstOf } from '../proof/proven.ts'
import { coalesce } from './coalesce.ts'
import { Codec, createResultColumnRecorder, encoded, snake } from './codec.ts'
import { type Database, hasOutdatedPlan } from './database.ts'
import { answersNothing, planAnew, statementName, statementNameInTransaction } from './prepared.ts'
import { isComparedFlag } from './query-tree.ts'
import { sessionRowSql, sessionTokenOf, toSessionRow } from './session-row.ts'
import type { Tables } from './tables.ts'
import { NoRawWrites } from './written-tables.ts'

/** PostgreSQL type numbers (pg_type.oid) that need other parsers than `pg` has. */
const int8 = 20
const json = 114
const jsonb = 3802

/** Batches the reads of many tokens: under load the round trip dominates. */
const sessionRowsText = sessionRowSql('any($1)')
const sessionReads = 2
/** The timeout of a session read, in milliseconds; its callers get a retryable error. */
const readTimeout = 5000

type PostgresOptions = {
  readonly poolSize?: number
  /** PostgreSQL's statement timeout, in milliseconds. */
  readonly statementTimeout?: number
  /** The longest wait for a connection, pooled or new, in milliseconds. */
  readonly connectionTimeout?: number
  /** The client's query timeout, in milliseconds: longer, so that PostgreSQL's own error arrives first. */
  readonly queryTimeout?: number
}

/** Opens a pool of connections to PostgreSQL; any number of processes may share the database. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const { poolSize = 10, statementTimeout = 25_000, connectionTimeout = 5000, queryTimeout = 30_000 } = options
  const connection: pg.PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectionTimeout,
    // A statement is sent without waiting for the answer of the one before; see `pipelined`.
    pipeline: true,
    // Detects a connection that a failed-over server left half open.
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        // Counts arrive as int8; a JavaScript number holds all of them exactly. The codec parses JSON, once.
        oid === int8
          ? Number
          : oid === json || oid === jsonb
            ? String
            : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser, // an overloaded function
    },
  }
  const pool = openPool({
    ...connection,
    max: poolSize,
    query_timeout: queryTimeout,
    // Set by a statement: poolers such as PgBouncer reject it as a startup parameter.
    onConnect: (client) => client.query(`set statement_timeout = ${statementTimeout}`),
  })
  const db = queryBuilder(pool)
  return {
    dialect: 'postgres',
    db,
    lists: { dialect: 'postgres', db },
    // Other processes write without notice, so each answer is read from the database.
    version: () => undefined,
    findSessionRow: coalesce(async (tokens) => {
      const reading: pg.QueryArrayConfig & { query_timeout: number } = {
        name: 'session-rows',
        text: sessionRowsText,
        values: [tokens],
        rowMode: 'array',
        // Many callers share these reads: without a timeout, one hanging connection would block all of them.
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
      return firstOf(rows, 'the query gives one row').now
    },
    ping: async () => {
      await pool.query('select 1')
    },
    close: async () => {
      await db.destroy()
      if (!pool.ended) await pool.end() // an unused query builder has nothing to end
    },
  }
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  // The next query replaces a broken connection; without a listener the event would end the process. The pool listens
  // on idle connections only, so one that breaks inside a transaction needs this listener.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const queryBuilder = (pool: pg.Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new Dialect({ pool: givingUp(pool) }), plugins: [new Codec(), new NoRawWrites()] })

/** The pool as the query builder sees it. */
function givingUp(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      const connection = new Pipelined(await pool.connect())
      return {
        query: connection.query.bind(connection) as unknown as PostgresPoolClient['query'], // which also takes cursors; they are not used
        release: connection.release.bind(connection),
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/** The answer of a statement that nothing waits for. */
const unawaited = { command: '', rowCount: 0, rows: [] }

/**
 * A connection while it is lent out. Inside a transaction it waits for no answer that nothing reads: that of `begin`,
 * and those of prepared writes without returned rows. PostgreSQL runs the statements in their order, so the next one that is
 * waited for, or the commit, throws the error of such a write; the transaction is rolled back either way.
 */
class Pipelined {
  readonly #client: pg.PoolClient
  #isInTransaction = false
  /** The statements whose answers nothing has waited for yet. */
  #unawaited: Promise<void>[] = []
  /** The first failure of a statement that nothing waited for. */
  #failure: { readonly error: unknown } | undefined
  /** Why the connection gets no further query, not even a rollback, and no next user, who would hang too. */
  #broken: Error | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async query(text: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#broken) throw this.#broken
    if (text === 'begin') this.#isInTransaction = true
    if (this.#isInTransaction && (text === 'begin' || answersNothing(text))) {
      this.#unawaited.push(this.#noteFailure(this.#send(text, values)))
      return unawaited
    }
    if (text === 'commit' || text === 'rollback') this.#isInTransaction = false
    const [answer] = await Promise.allSettled([this.#send(text, values), ...this.#unawaited])
    this.#unawaited = []
    // After a failure, a commit is answered as if it had succeeded, and other statements fail because of it.
    if (this.#failure && text !== 'rollback') throw this.#failure.error
    if (answer.status === 'fulfilled') return answer.value
    // Within a transaction, the whole of it runs again.
    if (hasOutdatedPlan(answer.reason) && !this.#isInTransaction) return await this.#send(text, values)
    throw answer.reason
  }

  async #noteFailure(sent: Promise<unknown>): Promise<void> {
    await sent.catch((error: unknown) => {
      this.#failure ??= { error }
    })
  }

  async #send(text: string, values: readonly unknown[]): Promise<unknown> {
    const name = this.#isInTransaction ? statementNameInTransaction(text) : statementName(text)
    try {
      return await this.#client.query({ text, values: values.map(encoded), ...(name !== undefined && { name }) })
    } catch (error) {
      if (hasOutdatedPlan(error)) planAnew()
      if (error instanceof Error && error.message === 'Query read timeout') this.#broken = error
      throw error
    }
  }

  release(destroy?: boolean | Error): void {
    this.#client.release(this.#broken ?? destroy)
  }
}

class QueryCompiler extends PostgresQueryCompiler {
  readonly #recorded = createResultColumnRecorder()

  override compileQuery<Row>(node: RootOperationNode, queryId: QueryId): CompiledQuery<Row> {
    return this.#recorded(super.compileQuery(node, queryId))
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snake(identifier))
  }

  /** A plan that is kept for all values serves a partial index only where the flag is in its text. */
  protected override visitValue(node: ValueNode): void {
    if (isComparedFlag(node, this.parentNode)) this.appendImmediateValue(node.value)
    else super.visitValue(node)
  }
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new QueryCompiler()
  }
}
