import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../foundation/db/database.ts'
import { countRows, literally } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { UserRow } from '../identity/users.service.ts'
import type { Order, Position } from './list-cursor.ts'

/** Filters of the list; all given ones must match. */
export type Selection = {
  readonly search: Search | undefined
  readonly filter: Filter | undefined
  /** For expired bans. */
  readonly now: Date
  /** The role of users without one. */
  readonly defaultRole: string
}

export type Search = {
  readonly field: 'email' | 'name' | 'username' | 'id'
  readonly operator: 'contains' | 'starts_with' | 'ends_with'
  readonly value: string
}

export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'

export type Filter =
  | { readonly field: 'id' | 'email'; readonly operator: Comparison; readonly value: string }
  | { readonly field: 'createdAt'; readonly operator: Comparison; readonly value: Date }
  | { readonly field: 'emailVerified' | 'banned'; readonly holds: boolean }
  | { readonly field: 'role' | 'provider'; readonly value: string; readonly holds: boolean }

export const countUsers = (db: Db, selection: Selection): Promise<number> =>
  countRows(selected(db.selectFrom('user'), selection))

/** Up to this many matches, sorting is faster than walking the index of all users. */
const few = 1000

/**
 * A page of the `total` matching users, after a position or an offset. Many matches are read in index order until the
 * page is full; few are found first, then sorted.
 */
export function listUsers(
  db: Db,
  selection: Selection,
  { by, direction }: Order<'email' | 'name'>,
  page: {
    readonly total: number
    readonly limit: number
    readonly offset: number
    readonly after: Position | undefined
  },
): Promise<UserRow[]> {
  const { limit, offset, after } = page
  const further = direction === 'asc' ? '>' : '<'
  const users = db.selectFrom('user').selectAll()
  let query =
    page.total > few
      ? selected(users, selection)
      : users.where('id', 'in', selected(db.selectFrom('user').select('id'), selection))
  // Addresses are unique, so the order needs no tie-breaking column; its index has none.
  if (by === 'email') {
    if (after) query = query.where(by, further, String(after.value))
    query = query.orderBy(by, direction)
  } else {
    if (after)
      query = query.where((where) => where(where.refTuple(by, 'id'), further, where.tuple(after.value, after.id)))
    query = query.orderBy(by, direction).orderBy('id', direction)
  }
  return (offset > 0 ? query.offset(offset) : query).limit(limit).execute()
}

function selected<Output>(
  query: SelectQueryBuilder<Tables, 'user', Output>,
  { search, filter, now, defaultRole }: Selection,
): SelectQueryBuilder<Tables, 'user', Output> {
  let narrowed = query
  if (search) narrowed = narrowed.where(matches(search))
  if (filter) narrowed = narrowed.where((where) => holds(where, filter, now, defaultRole))
  return narrowed
}

/** Case-insensitive on both databases; addresses and usernames are stored in lower case. */
function matches({ field, operator, value }: Search): Expression<SqlBool> {
  const pattern = `${operator === 'starts_with' ? '' : '%'}${literally(value)}${operator === 'ends_with' ? '' : '%'}`
  const column = sql.ref(field)
  return field === 'email' || field === 'username'
    ? sql`${column} like ${pattern.toLowerCase()} escape '\\'`
    : sql`lower(${column}) like lower(${pattern}) escape '\\'`
}

const operators = { eq: '=', ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function holds(
  where: ExpressionBuilder<Tables, 'user'>,
  filter: Filter,
  now: Date,
  defaultRole: string,
): Expression<SqlBool> {
  switch (filter.field) {
    case 'id':
    case 'email':
    case 'createdAt':
      return where(filter.field, operators[filter.operator], filter.value)
    case 'emailVerified':
      return where('emailVerified', '=', filter.holds)
    case 'banned': {
      const isBanned = where.and([
        where('banned', '=', true),
        where.or([where('banExpires', 'is', null), where('banExpires', '>', now)]),
      ])
      return filter.holds ? isBanned : where.not(isBanned)
    }
    case 'role': {
      const roles = sql`',' || replace(coalesce(nullif(${sql.ref('role')}, ''), ${defaultRole}), ' ', '') || ','`
      const role = `%,${literally(filter.value)},%`
      const hasRole = sql<SqlBool>`${roles} like ${role} escape '\\'`
      if (!filter.holds) return where.not(hasRole)
      // Few users have a non-default role, so the index of roles finds them.
      return filter.value === defaultRole ? hasRole : where.and([where('role', 'is not', null), hasRole])
    }
    case 'provider': {
      const account = where
        .selectFrom('account')
        .select('account.id')
        .whereRef('account.userId', '=', 'user.id')
        .where('account.providerId', '=', filter.value)
      return filter.holds ? where.exists(account) : where.not(where.exists(account))
    }
  }
}
