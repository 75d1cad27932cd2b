import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import { type ColumnKind, tables } from './tables.ts'

type Decode = (value: unknown) => unknown

const toDate: Decode = (value) => (typeof value === 'string' ? new Date(value) : value)
const toFlag: Decode = (value) => (typeof value === 'number' ? value === 1 : value)
const toValue: Decode = (value) => (typeof value === 'string' ? JSON.parse(value) : value)

/** Only what the two databases give differently: SQLite has text and numbers where PostgreSQL has times, booleans and JSON. */
const decoders: Partial<Record<ColumnKind, Decode>> = {
  time: toDate,
  'time?': toDate,
  flag: toFlag,
  json: toValue,
  'json?': toValue,
}

const stored = new Map<string, string>()

/** How a name of ours stands in the database: `createdAt` as `created_at`. */
export function snake(name: string): string {
  let known = stored.get(name)
  if (known === undefined) {
    known = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    stored.set(name, known)
  }
  return known
}
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Column = { readonly name: string; readonly decode: Decode | undefined }

function columnsByStoredName(): Map<string, Column> {
  const kinds = new Map<string, string>()
  const columns = new Map<string, Column>()
  for (const [table, definition] of Object.entries(tables)) {
    for (const [name, kind] of Object.entries(definition) as [string, ColumnKind][]) {
      // `text` and `text?` decode alike; anything else under one name would decode wrongly in one of the tables.
      const family = kind.replace('?', '')
      if ((kinds.get(name) ?? family) !== family) throw new Error(`${table}.${name} has another kind in another table`)
      kinds.set(name, family)
      columns.set(snake(name), { name, decode: decoders[kind] })
    }
  }
  return columns
}

/** Renames columns between `createdAt` and `created_at`, and decodes what comes back by the kinds in `tables.ts`. */
export class Codec implements KyselyPlugin {
  readonly #columns = columnsByStoredName()

  /** Names are written by the compilers, which costs nothing; a query is not taken apart for it. */
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...result, rows: result.rows.map((row) => this.#decodeRow(row)) }
  }

  #decodeRow(row: UnknownRow): UnknownRow {
    const decoded: UnknownRow = {}
    for (const key in row) {
      const { name, decode } = this.#columns.get(key) ?? this.#renamed(key)
      const value = row[key]
      decoded[name] = decode ? decode(value) : value
    }
    return decoded
  }

  /** A name that a query gives itself, such as a count: worked out once, not in every row. */
  #renamed(key: string): Column {
    const column = { name: camel(key), decode: undefined }
    this.#columns.set(key, column)
    return column
  }
}
