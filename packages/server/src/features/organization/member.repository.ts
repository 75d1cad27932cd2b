import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Id } from '../../foundation/db/database.ts'
import { countRows, literally } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { MemberWithUserRow } from './answers.ts'

/** Filters of the list; all given ones must match. */
export type MemberSelection = {
  readonly organizationId: Id<'organization'>
  /** Part of a name or an address. */
  readonly search: string | undefined
  readonly filter: MemberFilter | undefined
  /** Only members of a team. */
  readonly teamId: Id<'team'> | undefined
}

export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'

export type PartMatch = 'contains' | 'starts_with' | 'ends_with'

export type MemberFilter =
  | { readonly field: 'id' | 'userId'; readonly operator: Comparison | PartMatch; readonly value: string }
  | { readonly field: 'id' | 'userId'; readonly operator: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'createdAt'; readonly operator: Comparison; readonly value: Date }
  /** Members with one of the roles, also among others. */
  | { readonly field: 'role'; readonly operator: 'in' | 'not_in'; readonly value: readonly string[] }
  /** A part of the role's name suffices. */
  | { readonly field: 'role'; readonly operator: PartMatch; readonly value: string }

export type MemberOrder = {
  readonly by: 'createdAt' | 'role' | 'userId' | 'name' | 'email'
  readonly direction: 'asc' | 'desc'
}

export const countSelectedMembers = (db: Db, selection: MemberSelection): Promise<number> =>
  countRows(selected(membersWithUsers(db), selection))

/** A page of members. An index orders them by time; any other order sorts at most one organization's members. */
export function listSelectedMembers(
  db: Db,
  selection: MemberSelection,
  { by, direction }: MemberOrder,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MemberWithUserRow[]> {
  const members = membersWithUsers(db)
    .selectAll('member')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])
  return selected(members, selection)
    .orderBy(orders[by], direction)
    .orderBy('member.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

const orders = {
  createdAt: sql.ref('member.createdAt'),
  role: sql.ref('member.role'),
  userId: sql.ref('member.userId'),
  name: sql`lower(${sql.ref('user.name')})`,
  email: sql.ref('user.email'),
} as const satisfies Record<MemberOrder['by'], unknown>

const membersWithUsers = (db: Db) => db.selectFrom('member').innerJoin('user', 'user.id', 'member.userId')

type Columns = ExpressionBuilder<Tables, 'member' | 'user'>

function selected<Output>(
  query: SelectQueryBuilder<Tables, 'member' | 'user', Output>,
  { organizationId, search, filter, teamId }: MemberSelection,
): SelectQueryBuilder<Tables, 'member' | 'user', Output> {
  let narrowed = query.where('member.organizationId', '=', organizationId)
  if (search !== undefined) narrowed = narrowed.where(matches(search))
  if (filter) narrowed = narrowed.where((where) => holds(where, filter))
  if (teamId !== undefined) narrowed = narrowed.where((where) => where.exists(placeInTeam(where, teamId)))
  return narrowed
}

/** Case-insensitive on both databases; addresses are stored in lower case. */
function matches(search: string): Expression<SqlBool> {
  const pattern = `%${literally(search)}%`
  return sql`(lower(${sql.ref('user.name')}) like lower(${pattern}) escape '\\' or ${sql.ref('user.email')} like ${pattern.toLowerCase()} escape '\\')`
}

const placeInTeam = (where: Columns, teamId: Id<'team'>) =>
  where
    .selectFrom('teamMember')
    .select('teamMember.id')
    .whereRef('teamMember.memberId', '=', 'member.id')
    .where('teamMember.teamId', '=', teamId)

const operators = { eq: '=', ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function holds(where: Columns, filter: MemberFilter): Expression<SqlBool> {
  switch (filter.operator) {
    case 'in':
    case 'not_in': {
      const isOne = where.or(filter.value.map((value) => isExactly(where, filter.field, value)))
      return filter.operator === 'in' ? isOne : where.not(isOne)
    }
    case 'contains':
      return isLike(filter.field, `%${literally(filter.value)}%`)
    case 'starts_with':
      return isLike(filter.field, `${literally(filter.value)}%`)
    case 'ends_with':
      return isLike(filter.field, `%${literally(filter.value)}`)
    default:
      return where(`member.${filter.field}`, operators[filter.operator], filter.value)
  }
}

/** Compares with commas around both texts, so that part of another role's name does not match. */
function isExactly(where: Columns, field: 'id' | 'userId' | 'role', value: string): Expression<SqlBool> {
  if (field !== 'role') return where(`member.${field}`, '=', value)
  const roles = sql`',' || ${sql.ref('member.role')} || ','`
  return sql<SqlBool>`${roles} like ${`%,${literally(value)},%`} escape '\\'`
}

const isLike = (field: 'id' | 'userId' | 'role', pattern: string) =>
  sql<SqlBool>`${sql.ref(`member.${field}`)} like ${pattern} escape '\\'`
