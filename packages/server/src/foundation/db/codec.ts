import {
  type CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely'
import { forgetOldest } from '../proof/proven.ts'
import { type ResultColumns, refuseMisleading, resultColumnsOf } from './result-columns.ts'
import type { ColumnKind } from './tables/columns.ts'

type Decode = (value: unknown) => unknown

const toDate: Decode = (value) => (typeof value === 'string' ? new Date(value) : value)
const toFlag: Decode = (value) => (typeof value === 'number' ? value === 1 : value)
const toValue: Decode = (value) => (typeof value === 'string' ? JSON.parse(value) : value)

/** The kinds that SQLite returns as text or numbers, and PostgreSQL as times, booleans or JSON. */
const decoders: Partial<Record<ColumnKind, Decode>> = { time: toDate, flag: toFlag, json: toValue }

/** Encodes a value for a driver: JSON as text, because `pg` turns a list into a PostgreSQL array. */
export function encoded(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value)
  return isJson ? JSON.stringify(value) : value
}

const stored = new Map<string, string>()

/** The database's name for one of the program's: `createdAt` becomes `created_at`. */
export function snake(name: string): string {
  let known = stored.get(name)
  if (known === undefined) {
    known = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    stored.set(name, known)
  }
  return known
}

const ours = new Map<string, string>()

/** The program's name for one of the database's. */
function camel(name: string): string {
  let known = ours.get(name)
  if (known === undefined) {
    known = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    ours.set(name, known)
  }
  return known
}

/** How each column of a result becomes a member. */
type Reader = { readonly key: string; readonly name: string; readonly decode: Decode | undefined }

/** What is known of a statement: the kinds of its result columns and, from its first row on, their readers. */
type Analysis = { readonly kinds: ResultColumns | undefined; readers?: readonly Reader[] }

const mostAnalyses = 1000
const analysisOf = new WeakMap<QueryId, Analysis>()

/** Records the result columns of a compiled query. */
type ResultColumnRecorder = <Row>(compiled: CompiledQuery<Row>) => CompiledQuery<Row>

/**
 * For one database: a statement like `select *` can have other columns in another. There the SQL text alone decides
 * them, so each text is analyzed once. Every query gets an id of its own, because Kysely shares one between a query and
 * the queries built from it, and two concurrent ones would be decoded as each other.
 */
export function createResultColumnRecorder(): ResultColumnRecorder {
  const analyses = new Map<string, Analysis>()
  return (compiled) => {
    let analysis = analyses.get(compiled.sql)
    if (!analysis) {
      analysis = { kinds: resultColumnsOf(compiled.query) }
      analyses.set(compiled.sql, analysis)
      if (analyses.size > mostAnalyses) forgetOldest(analyses)
    }
    const queryId = createQueryId()
    analysisOf.set(queryId, analysis)
    return { ...compiled, queryId }
  }
}

const readersOf = (keys: readonly string[], kinds: ResultColumns | undefined): Reader[] =>
  keys.map((key) => {
    const name = camel(key)
    // Raw SQL hides the source of its columns, so it selects nothing that needs decoding.
    if (!kinds?.has(name)) refuseMisleading(name)
    const kind = kinds?.get(name)
    return { key, name, decode: kind && decoders[kind] }
  })

/** Renames and decodes the columns of rows that a query compiled by `withResultColumns` returned. */
export function decodeRows(rows: readonly UnknownRow[], queryId: QueryId): UnknownRow[] {
  const [first] = rows
  if (!first) return []
  const analysis = analysisOf.get(queryId) ?? { kinds: undefined }
  analysis.readers ??= readersOf(Object.keys(first), analysis.kinds)
  const columns = analysis.readers
  return rows.map((row) => {
    const decoded: UnknownRow = {}
    for (const { key, name, decode } of columns) decoded[name] = decode ? decode(row[key]) : row[key]
    return decoded
  })
}

/**
 * Renames result columns from `created_at` to `createdAt` and decodes each by the kind of its table column
 * (`result-columns.ts`). The compilers write a query's names, and drivers encode its values.
 */
export class Codec implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result.rows.length === 0 ? result : { ...result, rows: decodeRows(result.rows, queryId) }
  }
}
