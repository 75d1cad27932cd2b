import type { InferResult, Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type JoinRequestRow = Selectable<Tables['joinRequest']>
/** A request with its user. */
export type JoinRequestWithUserRow = InferResult<ReturnType<typeof withUser>>[number]
export type Recipient = { readonly name: string; readonly email: string }

export const insertJoinRequest = (tx: Tx, request: Insertable<Tables['joinRequest']>): Promise<JoinRequestRow> =>
  tx.insertInto('joinRequest').values(request).returningAll().executeTakeFirstOrThrow()

/** The state of a user's last request, unless approved. */
export const findLastRequest = (
  db: Db,
  organizationId: Id<'organization'>,
  userId: Id<'user'>,
): Promise<JoinRequestRow | undefined> =>
  db
    .selectFrom('joinRequest')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('status', 'in', ['pending', 'denied'])
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()

const withUser = (db: Db) =>
  db
    .selectFrom('joinRequest')
    .innerJoin('user', 'user.id', 'joinRequest.userId')
    .selectAll('joinRequest')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])

/** An open request by id, within one organization. */
export const findOpenRequest = (db: Db, organizationId: Id<'organization'>, id: Id<'joinRequest'>) =>
  withUser(db)
    .where('joinRequest.organizationId', '=', organizationId)
    .where('joinRequest.id', '=', id)
    .where('joinRequest.status', '=', 'pending')
    .executeTakeFirst()

/** Open requests, oldest first, without users who joined in another way. */
export const listOpenRequests = (db: Db, organizationId: Id<'organization'>, page: { limit: number; offset: number }) =>
  withUser(db)
    .where('joinRequest.organizationId', '=', organizationId)
    .where('joinRequest.status', '=', 'pending')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('member')
            .select('member.id')
            .whereRef('member.organizationId', '=', 'joinRequest.organizationId')
            .whereRef('member.userId', '=', 'joinRequest.userId'),
        ),
      ),
    )
    .orderBy('joinRequest.createdAt')
    .orderBy('joinRequest.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()

/** Decides a request, once: of two concurrent answers one finds it open. */
export const decideRequest = (
  tx: Tx,
  id: Id<'joinRequest'>,
  decision: { readonly status: 'approved' | 'denied'; readonly decidedBy: Id<'user'>; readonly decidedAt: Date },
): Promise<JoinRequestRow | undefined> =>
  tx
    .updateTable('joinRequest')
    .set(decision)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** Removes the pending request of a user who has joined. */
export async function withdrawJoinRequest(
  tx: Tx,
  organizationId: Id<'organization'>,
  userId: Id<'user'>,
): Promise<void> {
  await tx
    .deleteFrom('joinRequest')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .execute()
}

/**
 * The distinct role texts in an organization, each with one member. Above the limit, the texts of the earliest members
 * stay, including the founder's.
 */
export const listRoleTexts = (db: Db, organizationId: Id<'organization'>) =>
  db
    .selectFrom('member')
    .select('role')
    .select((select) => [select.fn.min('id').as('id'), select.fn.min('userId').as('userId')])
    .where('organizationId', '=', organizationId)
    .groupBy('role')
    .orderBy((order) => order.fn.min('createdAt'))
    .orderBy('role')
    .limit(200)
    .execute()

/** Members with one of the role texts who are not banned and have a verified address, oldest first. */
export async function listMembersByRoles(
  db: Db,
  organizationId: Id<'organization'>,
  roles: readonly string[],
  limit: number,
): Promise<Recipient[]> {
  if (roles.length === 0) return []
  return db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.name', 'user.email'])
    .where('member.organizationId', '=', organizationId)
    .where('member.role', 'in', roles)
    .where('user.banned', '=', false)
    .where('user.emailVerified', '=', true)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(limit)
    .execute()
}
