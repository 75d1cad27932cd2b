import type { BillingCallName } from '@tollgate/contract/billing'
import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Id, Lists } from '../../foundation/db/database.ts'
import { countRows, literally } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import { firstOf, proven } from '../../foundation/proof/proven.ts'
import { invalid } from './invalid.ts'

/** The parameters of a list call, checked by its schema. */
export type ListRequest = {
  readonly page: number
  readonly limit: number
  /** Where the previous page ended; empty for the first page by cursor. */
  readonly cursor?: string | undefined
  readonly sorting?: readonly string[] | undefined
  /** Bounds of the time of creation, both inclusive. */
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
}

/** The filters of a list call, as its schema reads them. */
export type ListFilters<Name extends BillingCallName> = Partial<
  Omit<ParsedBillingQuery<Name>, keyof ListRequest | 'organizationId'>
>

export type Page<Row> = {
  readonly rows: Row[]
  readonly pagination: { totalCount?: number; maxPage?: number; nextCursor: string | null }
}

/** A sortable column. A `nullable` one cannot be a cursor, so its next page is found by offset. */
export type SortColumn = {
  readonly ref: RawBuilder<unknown>
  readonly kind: 'text' | 'number' | 'time' | 'nullable'
}

/** A column by its name, such as `order.createdAt`. */
export const column = (name: string, kind: SortColumn['kind']): SortColumn => ({ ref: sql.ref(name), kind })

/** Sorts by the displayed name of another row instead of its id. */
export const nameOf = (table: 'customer' | 'product' | 'discount', shown: string, id: string): SortColumn['ref'] =>
  sql`(select ${sql.ref(`${table}.${shown}`)} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(id)})`

type Order = { readonly field: string; readonly isDescending: boolean; readonly column: SortColumn }

/**
 * Reads a page by number or by cursor. By number it counts all matching rows, with `count` if a counter of all rows exists. By
 * cursor it starts after a value in an index, equally fast at any depth. The id breaks ties.
 */
export async function readPage<Name extends keyof Tables, Row extends { id: string }>(
  all: SelectQueryBuilder<Tables, Name, Row>,
  request: ListRequest,
  options: {
    /** Columns by the names that `sorting` accepts. */
    readonly columns: Readonly<Record<string, SortColumn>>
    readonly id: string
    readonly usual?: string
    readonly count?: () => Promise<number>
  },
): Promise<Page<Row>> {
  const { columns, usual = '-created_at' } = options
  const query = createdBetween(all, request, columns.created_at)
  const orders = (request.sorting?.length ? request.sorting : [usual]).map((by): Order => {
    const field = by.replace(/^-/, '')
    return {
      field,
      isDescending: by.startsWith('-'),
      column: proven(columns[field], 'the schema knows no other field'),
    }
  })
  const id = sql.ref(options.id)
  const start = request.cursor ? readCursor(request.cursor, orders) : undefined
  const first = firstOf(orders, 'a list has an order, its usual one at least')
  const isKeyed = orders.length === 1 && first.column.kind !== 'nullable'

  const ordered = (rows: typeof query): typeof query =>
    orders
      .reduce((sorted, by) => sorted.orderBy(by.column.ref, (o) => (by.isDescending ? o.desc() : o.asc())), rows)
      .orderBy(id, first.isDescending ? 'desc' : 'asc')
  let fitting = ordered(query).limit(request.limit + 1)
  if (start && 'id' in start) {
    const than = first.isDescending ? sql`<` : sql`>`
    // A cursor's number may exceed the column's type; the cast keeps the comparison valid.
    const value = first.column.kind === 'number' ? sql`cast(${start.value} as bigint)` : start.value
    fitting = fitting.where(sql<boolean>`(${first.column.ref}, ${id}) ${than} (${value}, ${start.id})`)
  } else {
    const offset = start ? start.offset : request.cursor === undefined ? (request.page - 1) * request.limit : 0
    if (offset > 0) fitting = fitting.offset(offset)
  }
  // Rows in creation order come from an index. Any other order may sort all matches: then it sorts only ids, and loads
  // full rows for the page alone.
  const isSorted = orders.length > 1 || first.field !== 'created_at'
  const page = isSorted
    ? ordered(query.clearWhere()).where(
        sql<boolean>`${id} in (select found.id from (${fitting.clearSelect().select(sql<string>`${id}`.as('id'))}) as found)`,
      )
    : fitting

  // The rows with the value that they are sorted by. A generic query does not keep the type of an added column.
  const sortedBy = sql<unknown>`${isKeyed ? first.column.ref : sql`null`}`.as('sortedBy')
  const found = (await page.select(sortedBy).execute()) as (Row & { sortedBy: unknown })[]
  const rows = found.slice(0, request.limit)
  const last = found.length > request.limit ? rows.at(-1) : undefined
  const passed = (start && 'offset' in start ? start.offset : (request.page - 1) * request.limit) + rows.length
  const nextCursor = last
    ? toCursor(orders, isKeyed ? { value: last.sortedBy, id: last.id } : { offset: passed })
    : null
  const shown = rows.map(({ sortedBy: _, ...row }) => row as unknown as Row) // what the query asked for
  if (request.cursor !== undefined) return { rows: shown, pagination: { nextCursor } }
  const totalCount = await (query === all && options.count ? options.count() : countRows(query))
  const maxPage = Math.ceil(totalCount / request.limit)
  return { rows: shown, pagination: { totalCount, maxPage, nextCursor } }
}

/** The rows that were created within the bounds of a request; the query itself if it has none. */
export function createdBetween<Name extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Name, Row>,
  { createdAfter: after, createdBefore: before }: Pick<ListRequest, 'createdAfter' | 'createdBefore'>,
  created: SortColumn | undefined,
): SelectQueryBuilder<Tables, Name, Row> {
  if (!created) return query
  const since = after ? query.where(sql<boolean>`${created.ref} >= ${after.toISOString()}`) : query
  return before ? since.where(sql<boolean>`${created.ref} <= ${before.toISOString()}`) : since
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

/**
 * Decodes a cursor. It is plain text that the caller may have changed, so an invalid one, or one of another sorting,
 * is refused.
 */
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
  const [, value, id]: unknown[] = parts
  if (parts.length === 2 && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return { offset: value }
  const { column: by } = firstOf(orders, 'a list has an order, its usual one at least')
  const fits =
    by.kind === 'number'
      ? Number.isSafeInteger(value)
      : by.kind === 'time'
        ? typeof value === 'string' && isTime(value)
        : by.kind === 'text' && typeof value === 'string'
  if (parts.length !== 3 || orders.length !== 1 || !fits || typeof id !== 'string') throw refused
  return { value, id }
}

/** Whether a text is a cursor's time: a real day, unlike `2026-02-30`, in the years that both databases store. */
function isTime(value: string): boolean {
  const time = new Date(value)
  const year = time.getUTCFullYear() // NaN if invalid
  return year >= 1970 && year <= 9999 && time.toISOString() === value
}

/** Applies the filters that are named like a column: each one given keeps the rows with one of its values. */
export function whereOneOf<
  Name extends keyof Tables,
  Row,
  Table extends Name,
  Field extends keyof Selectable<Tables[Table]> & string,
>(
  query: SelectQueryBuilder<Tables, Name, Row>,
  table: Table,
  filters: { readonly [Key in Field]?: readonly Selectable<Tables[Table]>[Key][] | undefined },
  fields: readonly Field[],
): SelectQueryBuilder<Tables, Name, Row> {
  return fields.reduce((kept, field) => {
    const values = filters[field]
    return values ? kept.where(sql.ref(`${table}.${field}`), 'in', values) : kept
  }, query)
}

/** Filters by `metadata[key]=value`: every key must match one of its values, compared as text. */
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

/** The JSON values that a filter's text matches: the text itself, and the flag or number that it spells. */
function meanings(value: string): string[] {
  const text = JSON.stringify(value)
  if (value === 'true' || value === 'false') return [text, value]
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value))
  return isNumber ? [text, JSON.stringify(Number(value))] : [text]
}

/** Case-insensitive substring search in one of some columns; escapes the wildcards of `like`. */
export function contains(
  { dialect }: Pick<Lists, 'dialect'>,
  text: string,
  ...refs: readonly (string | RawBuilder<string | null>)[]
): RawBuilder<boolean> {
  // SQLite's `lower` covers ASCII only, but is much faster and suffices for ASCII text.
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const lower = sql.raw(dialect === 'sqlite' && !isAscii ? 'unicode_lower' : 'lower')
  const pattern = `%${literally(text.toLowerCase())}%`
  const matches = refs.map(
    (ref) => sql`${lower}(${typeof ref === 'string' ? sql.ref(ref) : ref}) like ${pattern} escape '\\'`,
  )
  return sql<boolean>`(${sql.join(matches, sql` or `)})`
}

/** Ids of the customers with the given external ids, to filter lists by. */
export const customersByExternalId = (
  db: Lists['db'],
  organizationId: Id<'organization'>,
  externalIds: readonly string[],
) =>
  db
    .selectFrom('customer')
    .select('customer.id')
    .where('customer.organizationId', '=', organizationId)
    .where('customer.externalId', 'in', externalIds)
