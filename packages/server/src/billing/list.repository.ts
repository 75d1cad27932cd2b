import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Lists } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { invalid } from './invalid.ts'

/** What a list call is asked for, checked by its schema. */
export type ListRequest = {
  readonly page: number
  readonly limit: number
  /** Where the page before ended; empty for the first one of a list that is paged by cursors. */
  readonly cursor?: string | undefined
  readonly sorting?: readonly string[] | undefined
}

export type Page<Row> = {
  readonly rows: Row[]
  readonly pagination: { totalCount?: number; maxPage?: number; nextCursor: string | null }
}

/** A column that a list can be ordered by. A page after one that may be empty is found by counting, not by its value. */
export type SortColumn = {
  readonly ref: RawBuilder<unknown>
  readonly kind: 'text' | 'number' | 'time' | 'nullable'
}

/** `order.createdAt` and the like, as the compilers of both databases write it. */
export const column = (name: string, kind: SortColumn['kind']): SortColumn => ({ ref: sql.ref(name), kind })

type Order = { readonly field: string; readonly isDescending: boolean; readonly column: SortColumn }

/**
 * A page of a list, by number or by cursor. By number everything that fits is counted (`count`, where a count is kept
 * somewhere); by cursor the page begins behind a value in an index, however deep it is. The id tells equals apart.
 */
export async function readPage<Name extends keyof Tables, Row extends { id: string }>(
  query: SelectQueryBuilder<Tables, Name, Row>,
  request: ListRequest,
  options: {
    /** The columns by the fields of `sorting`. */
    readonly columns: Readonly<Record<string, SortColumn>>
    readonly id: string
    readonly usual?: string
    readonly count?: () => Promise<number>
  },
): Promise<Page<Row>> {
  const { columns, usual = '-created_at' } = options
  const orders = (request.sorting?.length ? request.sorting : [usual]).map((by): Order => {
    const field = by.replace(/^-/, '')
    return { field, isDescending: by.startsWith('-'), column: columns[field]! } // the schema knows no other field
  })
  const id = sql.ref(options.id)
  const start = request.cursor ? readCursor(request.cursor, orders) : undefined
  const [first] = orders
  const isKeyed = orders.length === 1 && first!.column.kind !== 'nullable'

  const ordered = (rows: typeof query): typeof query =>
    orders
      .reduce((sorted, by) => sorted.orderBy(by.column.ref, (o) => (by.isDescending ? o.desc() : o.asc())), rows)
      .orderBy(id, first!.isDescending ? 'desc' : 'asc')
  let fitting = ordered(query).limit(request.limit + 1)
  if (start && 'id' in start) {
    const than = first!.isDescending ? sql`<` : sql`>`
    // A number may be larger than those that the column takes: that is no fault, there is nothing behind it, or everything.
    const value = first!.column.kind === 'number' ? sql`cast(${start.value} as bigint)` : start.value
    fitting = fitting.where(sql<boolean>`(${first!.column.ref}, ${id}) ${than} (${value}, ${start.id})`)
  } else {
    const offset = start ? start.offset : request.cursor === undefined ? (request.page - 1) * request.limit : 0
    if (offset > 0) fitting = fitting.offset(offset)
  }
  // In the order in which they were made rows come from an index. In another one all that fit may have to be sorted: then
  // nothing but their ids, and only those of the page are read as a whole.
  const isSorted = orders.length > 1 || first!.field !== 'created_at'
  const page = isSorted
    ? ordered(query.clearWhere()).where(
        sql<boolean>`${id} in (select found.id from (${fitting.clearSelect().select(sql<string>`${id}`.as('id'))}) as found)`,
      )
    : fitting

  // The rows of the table and, beside them, what they are ordered by.
  const sortedBy = sql<unknown>`${isKeyed ? first!.column.ref : sql`null`}`.as('sortedBy')
  const found = (await page.select(sortedBy).execute()) as (Row & { sortedBy: unknown })[]
  const rows = found.slice(0, request.limit)
  const last = found.length > request.limit ? rows.at(-1) : undefined
  const passed = (start && 'offset' in start ? start.offset : (request.page - 1) * request.limit) + rows.length
  const nextCursor = last
    ? toCursor(orders, isKeyed ? { value: last.sortedBy, id: last.id } : { offset: passed })
    : null
  const shown = rows.map(({ sortedBy: _, ...row }) => row as unknown as Row) // what the query asked for
  if (request.cursor !== undefined) return { rows: shown, pagination: { nextCursor } }
  const totalCount = await (options.count ?? (() => countRows(query)))()
  const maxPage = Math.ceil(totalCount / request.limit)
  return { rows: shown, pagination: { totalCount, maxPage, nextCursor } }
}

async function countRows<Name extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, Name, Row>) {
  const { total } = await query.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

type Position = { readonly value: unknown; readonly id: string } | { readonly offset: number }

const orderText = (orders: readonly Order[]) =>
  orders.map(({ field, isDescending }) => (isDescending ? `-${field}` : field)).join(',')

function toCursor(orders: readonly Order[], position: Position): string {
  const where =
    'offset' in position
      ? [position.offset]
      : [position.value instanceof Date ? position.value.toISOString() : position.value, position.id]
  return Buffer.from(JSON.stringify([orderText(orders), ...where])).toString('base64url')
}

/** A cursor is plain text that the caller may have changed: one of another order, or of no sense, is refused. */
function readCursor(cursor: string, orders: readonly Order[]): Position {
  const refused = invalid({ loc: ['query', 'cursor'], msg: 'Input should be a cursor of this list', type: 'cursor' })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(parts) || parts[0] !== orderText(orders) || JSON.stringify(parts).includes('\\u0000'))
    throw refused
  const [, value, id] = parts as unknown[]
  if (parts.length === 2 && Number.isSafeInteger(value) && (value as number) >= 0) return { offset: value as number }
  const [{ column: by }] = orders as [Order]
  const fits =
    by.kind === 'number'
      ? Number.isSafeInteger(value)
      : by.kind === 'time'
        ? typeof value === 'string' && isTime(value)
        : by.kind === 'text' && typeof value === 'string'
  if (parts.length !== 3 || orders.length !== 1 || !fits || typeof id !== 'string') throw refused
  return { value, id }
}

/** A time as cursors have it; of days that there are, unlike `2026-02-30`, and within the years that are stored. */
function isTime(value: string): boolean {
  const time = new Date(value)
  const year = time.getUTCFullYear() // NaN where it is none
  return year >= 1970 && year <= 9999 && time.toISOString() === value
}

/** `metadata[key]=value`: any of the values, compared as texts, of every key that is named. */
export function metadataFits(
  { dialect }: Pick<Lists, 'dialect'>,
  ref: string,
  filter: Readonly<Record<string, readonly string[]>>,
): RawBuilder<boolean> {
  const clauses = Object.entries(filter).map(([key, values]) => {
    const meant = values.flatMap(meanings)
    return dialect === 'postgres'
      ? sql<boolean>`(${sql.ref(ref)} -> ${key}) in (${sql.join(meant.map((each) => sql`cast(${each} as jsonb)`))})`
      : sql<boolean>`(${sql.ref(ref)} -> ${`$.${JSON.stringify(key)}`}) in (${sql.join(meant)})`
  })
  return clauses.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(clauses, sql` and `)}`
}

/** What a value of a filter may stand for, as the JSON that is stored: the text, and the flag or number that it spells. */
function meanings(value: string): string[] {
  const text = JSON.stringify(value)
  if (value === 'true' || value === 'false') return [text, value]
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value))
  return isNumber ? [text, JSON.stringify(Number(value))] : [text]
}

/** A substring whatever the case of its letters, with nothing in it that means something to `like`. */
export function contains({ dialect }: Pick<Lists, 'dialect'>, ref: string, text: string): RawBuilder<boolean> {
  // SQLite's own `lower` knows the letters of ASCII only; it is much faster, and enough for a text that has no others.
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const lower = sql.raw(dialect === 'sqlite' && !isAscii ? 'unicode_lower' : 'lower')
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${lower}(${sql.ref(ref)}) like ${pattern} escape '\\'`
}

/** The ids of an organization's customers by its own ids for them: what lists are narrowed by. */
export const customersByExternalId = (db: Lists['db'], organizationId: string, externalIds: readonly string[]) =>
  db
    .selectFrom('customer')
    .select('customer.id')
    .where('customer.organizationId', '=', organizationId)
    .where('customer.externalId', 'in', externalIds)
