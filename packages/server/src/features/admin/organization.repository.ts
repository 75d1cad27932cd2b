import {
  type Expression,
  type ExpressionBuilder,
  type InferResult,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Db, Id } from '../../foundation/db/database.ts'
import { countRows, literally } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { Order, Position } from './list-cursor.ts'

/** An organization with its approval as a seller, and the number of its members; PostgreSQL returns counts as text. */
export type CountedOrganizationRow = InferResult<ReturnType<typeof counted>>[number]

/** The approval state of an organization as a seller. */
export type Selling = 'approved' | 'waiting' | 'none'

/** Filters of the list. */
type Asked = { readonly search: string | undefined; readonly selling: Selling | undefined }

type Page = { readonly limit: number; readonly offset: number }

export const countOrganizations = (db: Db, { search, selling }: Asked): Promise<number> =>
  countRows(
    db
      .selectFrom('organization')
      .$if(search !== undefined, (query) => query.where(isNamed(search!)))
      .$if(selling !== undefined, (query) => query.where(stands(selling!))),
  )

/** A page of organizations with their member counts, after a position. */
export function listOrganizations(
  db: Db,
  { search, selling }: Asked,
  { by, direction }: Order<'name'>,
  { limit, after }: { readonly limit: number; readonly after: Position | undefined },
): Promise<CountedOrganizationRow[]> {
  let query = counted(db)
  if (search !== undefined) query = query.where(isNamed(search))
  if (selling !== undefined) query = query.where(stands(selling))
  const column = `organization.${by}` as const
  if (after)
    query = query.where((where) =>
      where(
        where.refTuple(column, 'organization.id'),
        direction === 'asc' ? '>' : '<',
        where.tuple(after.value, after.id),
      ),
    )
  return query.orderBy(column, direction).orderBy('organization.id', direction).limit(limit).execute()
}

export const findCountedOrganization = (db: Db, id: Id<'organization'>): Promise<CountedOrganizationRow | undefined> =>
  counted(db).where('organization.id', '=', id).executeTakeFirst()

/** What an organization states about its business. */
export async function findDetails(db: Db, organizationId: Id<'organization'>) {
  const row = await db
    .selectFrom('merchant')
    .select('details')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return row?.details ?? null
}

export const listTeams = (db: Db, organizationId: Id<'organization'>, limit: number) =>
  db
    .selectFrom('team')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Invitations that can still be accepted, newest first. */
export const listOpenInvitations = (db: Db, organizationId: Id<'organization'>, now: Date, limit: number) =>
  db
    .selectFrom('invitation')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const countMembers = (db: Db, organizationId: Id<'organization'>, search: string | undefined): Promise<number> =>
  countRows(searched(membersOf(db, organizationId), search))

/** A page of members with their users, oldest membership first. */
export const listMembers = (
  db: Db,
  organizationId: Id<'organization'>,
  search: string | undefined,
  { limit, offset }: Page,
) =>
  searched(membersOf(db, organizationId), search)
    .selectAll('member')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** A page of the memberships of a user, oldest first. */
export const listMembershipsOf = (db: Db, userId: Id<'user'>, { limit, offset }: Page) =>
  db
    .selectFrom('member')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Some organizations with their member counts, by id. */
export async function findCountedOrganizations(
  db: Db,
  ids: readonly Id<'organization'>[],
): Promise<Map<string, CountedOrganizationRow>> {
  if (ids.length === 0) return new Map()
  const rows = await counted(db).where('organization.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const counted = (db: Db) =>
  db
    .selectFrom('organization')
    .leftJoin('merchant', 'merchant.organizationId', 'organization.id')
    .selectAll('organization')
    .select(['merchant.approvedAt', 'merchant.detailsSubmittedAt'])
    .select((select) =>
      select
        .selectFrom('member as each')
        .select((count) => count.fn.countAll<number | string>().as('count'))
        .whereRef('each.organizationId', '=', 'organization.id')
        .as('memberCount'),
    )

const membersOf = (db: Db, organizationId: Id<'organization'>) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', organizationId)

const searched = <Output>(
  query: SelectQueryBuilder<Tables, 'member' | 'user', Output>,
  search: string | undefined,
): SelectQueryBuilder<Tables, 'member' | 'user', Output> =>
  search === undefined ? query : query.where(isPerson(search))

/** Case-insensitive on both databases; slugs and addresses are stored in lower case. */
const isNamed =
  (search: string) =>
  (where: ExpressionBuilder<Tables, 'organization'>): Expression<SqlBool> =>
    where.or([contains('organization.name', search), containsLower('organization.slug', search)])

/** Sellers have an index of their own, because few organizations sell. */
const stands =
  (selling: Selling) =>
  (where: ExpressionBuilder<Tables, 'organization'>): Expression<SqlBool> => {
    const sellers = where.selectFrom('merchant').select('merchant.organizationId')
    const approved = sellers.where('merchant.approvedAt', 'is not', null)
    const waiting = sellers
      .where('merchant.approvedAt', 'is', null)
      .where('merchant.detailsSubmittedAt', 'is not', null)
    if (selling === 'approved') return where('organization.id', 'in', approved)
    if (selling === 'waiting') return where('organization.id', 'in', waiting)
    return where.and([where('organization.id', 'not in', approved), where('organization.id', 'not in', waiting)])
  }

const isPerson =
  (search: string) =>
  (where: ExpressionBuilder<Tables, 'member' | 'user'>): Expression<SqlBool> =>
    where.or([contains('user.name', search), containsLower('user.email', search)])

const contains = (column: string, search: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern(search)}) escape '\\'`

const containsLower = (column: string, search: string) =>
  sql<SqlBool>`${sql.ref(column)} like ${pattern(search).toLowerCase()} escape '\\'`

const pattern = (search: string): string => `%${literally(search)}%`
