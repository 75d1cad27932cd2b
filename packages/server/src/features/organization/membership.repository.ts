import { sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { lockInOrder } from '../../foundation/db/lock-order.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { MemberRow, MemberWithUserRow, OrganizationRow } from './answers.ts'

/**
 * Locks an organization's members, invitations and teams until the transaction ends; undefined if it is gone. Code
 * that counts them or looks for an owner takes this lock first (`lock-order.ts`).
 */
export const lockOrganization = (tx: Tx, id: Id<'organization'>): Promise<OrganizationRow | undefined> =>
  lockInOrder(tx, 'organization', id, tx.selectFrom('organization').selectAll().where('id', '=', id)).executeTakeFirst()

export const countMembers = (db: Db, organizationId: Id<'organization'>): Promise<number> =>
  countRows(db.selectFrom('member').where('organizationId', '=', organizationId))

export const insertMember = (tx: Tx, member: MemberRow): Promise<MemberRow> =>
  tx.insertInto('member').values(member).returningAll().executeTakeFirstOrThrow()

export const findMemberOf = (
  db: Db,
  organizationId: Id<'organization'>,
  userId: Id<'user'>,
): Promise<MemberRow | undefined> =>
  db
    .selectFrom('member')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** A member with everything that could prevent them from acting in the organization. */
export const findMemberWithStanding = (db: Db, organizationId: Id<'organization'>, userId: Id<'user'>) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('member')
    .select(['user.banned', 'user.banExpires', 'user.emailVerified', 'organization.requireVerifiedEmail'])
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()

const withUser = (db: Db) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .selectAll('member')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])

/** A member by id, within one organization. */
export const findMember = (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'member'>,
): Promise<MemberWithUserRow | undefined> =>
  withUser(db).where('member.organizationId', '=', organizationId).where('member.id', '=', id).executeTakeFirst()

export const findMemberByEmail = (db: Db, organizationId: Id<'organization'>, email: string) =>
  withUser(db).where('member.organizationId', '=', organizationId).where('user.email', '=', email).executeTakeFirst()

export const findMemberByUser = (db: Db, organizationId: Id<'organization'>, userId: Id<'user'>) =>
  withUser(db)
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()

/** Members whose role text contains this text; `splitRoles` decides which ones hold the role. */
export const listMembersWithRole = (
  db: Db,
  organizationIds: readonly Id<'organization'>[],
  role: string,
): Promise<MemberRow[]> =>
  db
    .selectFrom('member')
    .selectAll()
    .where('organizationId', 'in', organizationIds)
    .where('role', 'like', `%${role}%`)
    .execute()

/** The distinct role texts in the oldest organizations. */
export const listRolesInOldest = (db: Db, organizations: number) =>
  db
    .selectFrom('member')
    .select(['organizationId', 'role'])
    .where('organizationId', 'in', (oldest) =>
      oldest
        .selectFrom('organization')
        .select('organization.id')
        .orderBy('createdAt')
        .orderBy('organization.id')
        .limit(organizations),
    )
    .groupBy(['organizationId', 'role'])
    .execute()

export const updateMemberRow = (tx: Tx, id: Id<'member'>, role: string): Promise<MemberRow | undefined> =>
  tx.updateTable('member').set({ role }).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteMemberRow = (tx: Tx, id: Id<'member'>): Promise<MemberRow | undefined> =>
  tx.deleteFrom('member').where('id', '=', id).returningAll().executeTakeFirst()

/** The memberships of a user, in the order in which organizations are locked. */
export const listMembershipsOf = (db: Db, userId: Id<'user'>): Promise<MemberRow[]> =>
  db.selectFrom('member').selectAll().where('userId', '=', userId).orderBy('organizationId').execute()

export const deleteOrganizationRow = (tx: Tx, id: Id<'organization'>): Promise<OrganizationRow | undefined> =>
  tx.deleteFrom('organization').where('id', '=', id).returningAll().executeTakeFirst()

/** How a former member's last membership ended; a partial index of such events serves it. */
export const findLastRemoval = (db: Db, organizationId: Id<'organization'>, userId: Id<'user'>) =>
  db
    .selectFrom('event')
    .select('actorId')
    // A literal, because databases do not match a parameter with a partial index's condition.
    .where('type', '=', sql.lit('member.removed'))
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The first team of each member, by member id. */
export async function firstTeams(db: Db, memberIds: readonly Id<'member'>[]): Promise<Map<string, string>> {
  if (memberIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('teamMember')
    .select(['memberId', 'teamId'])
    .where('memberId', 'in', memberIds)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  // The oldest comes last and overwrites the others.
  return new Map(rows.map(({ memberId, teamId }) => [memberId, teamId]))
}
