import type { Column } from '../tables/columns.ts'
import { tables } from '../tables.ts'

/*
 * The content of an export inside its gzip: lines of JSON. The first is the `Head`, the last the `Tail`, and each line
 * between is one row, with the names of `tables.ts`. A row omits empty columns, so `null` can only be the JSON value.
 */

/** The marker that starts every export. */
export type Head = {
  readonly product: 'tollgate'
  /** Increases when older programs cannot read the new lines. */
  readonly format: 1
  /** The last migration of the exported database. */
  readonly migration: string
  readonly exportedAt: string
  /** A keyed hash of a fixed text for each secret of the installation: an importer with other secrets can tell. */
  readonly secretMarks: readonly string[]
  /** The columns of each table in the file, in its order. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

export type Row = Readonly<Record<string, unknown>>
export type RowLine = { readonly table: string; readonly row: Row }
/** The number of rows per table: a file without this line was cut off. */
export type Tail = { readonly rows: Counts }
export type Counts = Record<string, number>

/** Why an export or import was refused, in a sentence for the operator who runs the command. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

export const damaged = (what: string): TransferRefused =>
  new TransferRefused(`The file is damaged (${what}). Copy it again, or export again; nothing was imported.`)

/**
 * Temporary tables, which are not transferred: rate limits end within minutes anyway. Everything else is, jobs and
 * idempotency keys too, so that pending work runs once, on the new installation.
 */
const ofTheMoment: ReadonlySet<string> = new Set<keyof typeof tables>(['rateLimit'])

type Columns = Readonly<Record<string, Column>>

/** The tables that are exported and imported, with their columns. */
export const transferred: ReadonlyMap<string, Columns> = new Map(
  Object.entries<Columns>(tables).filter(([name]) => !ofTheMoment.has(name)),
)

/** A stored value in the file's form; undefined if empty. */
export function toFileValue({ kind }: Column, stored: unknown): unknown {
  if (stored === null) return undefined
  if (stored instanceof Date) return stored.toISOString()
  if (kind === 'flag') return stored === true || stored === 1
  return kind === 'json' ? JSON.parse(String(stored)) : stored
}

/** A file's value in the form that both databases accept. Throws a `TransferRefused` if its type is wrong. */
export function toStoredValue({ kind, isNullable }: Column, value: unknown): unknown {
  if (value === undefined) {
    if (isNullable) return null
    throw damaged('a row lacks a value')
  }
  if (!isOfKind(kind, value)) throw damaged('a value is not of its column')
  return kind === 'json' ? JSON.stringify(value) : value
}

function isOfKind(kind: Column['kind'], value: unknown): boolean {
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean'
    case 'integer':
    case 'growing':
      return Number.isSafeInteger(value)
    case 'time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    case 'text':
      return typeof value === 'string'
    case 'json':
      return true
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first line of a file. Throws a `TransferRefused` for any other file, or another format. */
export function readHead(line: string | undefined): Head {
  const head = line === undefined ? undefined : parsed(line)
  if (!isObject(head) || head.product !== 'tollgate')
    throw new TransferRefused('The file is not a Tollgate export; nothing was imported.')
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
    if (isObject(rows)) return { rows: rows as Counts } // compared with the actual counts, whatever its type
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
