import { type ColumnKind, tables } from '../tables.ts'

/*
 * What an export looks like inside its gzip: lines of JSON. The first is the `Head`, the last the `Tail`; each between
 * them is one row, with the names of `tables.ts`. A column that holds nothing is left out of its row, so that `null` can
 * only be the JSON value.
 */

/** What every export begins with. */
export type Head = {
  readonly product: 'tollgate'
  /** Grows when older programs could not read the lines any more. */
  readonly format: 1
  /** The last migration that the exported database has had. */
  readonly migration: string
  readonly exportedAt: string
  /** A keyed hash of a fixed text for each secret that the installation had: whoever has other ones can tell. */
  readonly secretMarks: readonly string[]
  /** The columns of each table in the file, in its order. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

export type Row = Readonly<Record<string, unknown>>
export type RowLine = { readonly table: string; readonly row: Row }
/** How many rows there are of each table: a file without this line has been cut off. */
export type Tail = { readonly rows: Counts }
export type Counts = Record<string, number>

/** Why nothing was exported or imported, in a sentence for whoever runs the command. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

export const damaged = (what: string): TransferRefused =>
  new TransferRefused(`The file is damaged (${what}). Copy it again, or export again; nothing was imported.`)

/**
 * Tables that belong to the moment, and stay where they are. Attempts that were counted are forgiven within minutes
 * anyway. Everything else goes along, jobs and idempotency keys too: what was promised is done once, over there.
 */
const ofTheMoment: ReadonlySet<string> = new Set<keyof typeof tables>(['rateLimit'])

type Columns = Readonly<Record<string, ColumnKind>>

/** The tables that are exported and imported, with the kinds of their columns. */
export const transferred: ReadonlyMap<string, Columns> = new Map(
  Object.entries<Columns>(tables).filter(([name]) => !ofTheMoment.has(name)),
)

/** A stored value as it stands in the file; undefined where nothing is stored. */
export function toFileValue(kind: ColumnKind, stored: unknown): unknown {
  if (stored === null) return undefined
  if (stored instanceof Date) return stored.toISOString()
  if (kind === 'flag') return stored === true || stored === 1
  return kind.startsWith('json') ? JSON.parse(String(stored)) : stored
}

/** A value of the file as either database takes it. Throws a `TransferRefused` where it is none of its kind. */
export function toStoredValue(kind: ColumnKind, value: unknown): unknown {
  if (value === undefined) {
    if (kind.endsWith('?')) return null
    throw damaged('a row lacks a value')
  }
  if (!isOfKind(kind, value)) throw damaged('a value is not of its column')
  return kind.startsWith('json') ? JSON.stringify(value) : value
}

function isOfKind(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean'
    case 'integer':
    case 'integer?':
    case 'growing':
      return Number.isSafeInteger(value)
    case 'time':
    case 'time?':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    case 'text':
    case 'text?':
      return typeof value === 'string'
    case 'json':
    case 'json?':
      return true
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first line of a file. Throws a `TransferRefused` where it is no export, or one of another form. */
export function readHead(line: string | undefined): Head {
  const head = line === undefined ? undefined : parsed(line)
  if (!isObject(head) || head.product !== 'tollgate')
    throw new TransferRefused('The file is no export of Tollgate; nothing was imported.')
  if (head.format !== 1)
    throw new TransferRefused(
      `The file has a form (${JSON.stringify(head.format)}) that this version of Tollgate does not read: ` +
        'import it with a newer one. Nothing was imported.',
    )
  if (!isHead(head)) throw damaged('its first line')
  return head
}

function isHead(head: Record<string, unknown>): head is Head {
  const { migration, exportedAt, secretMarks, tables } = head
  return (
    typeof migration === 'string' &&
    typeof exportedAt === 'string' &&
    isTexts(secretMarks) &&
    isObject(tables) &&
    Object.values(tables).every(isTexts)
  )
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Any line after the first. Throws a `TransferRefused`. */
export function readLine(line: string): RowLine | Tail {
  const read = parsed(line)
  if (isObject(read)) {
    const { table, row, rows } = read
    if (typeof table === 'string' && isObject(row)) return { table, row }
    if (isObject(rows)) return { rows: rows as Counts } // compared with what was counted, whatever it is
  }
  throw damaged('a line that is neither a row nor the end')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
