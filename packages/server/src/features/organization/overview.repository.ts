import { sql } from 'kysely'
import type { Db, Id } from '../../foundation/db/database.ts'

/** The organizations of a user with their roles, oldest membership first. */
export const listMembershipsWithOrganization = (db: Db, userId: Id<'user'>, limit: number) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('organization')
    .select('member.role as memberRole')
    .where('member.userId', '=', userId)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(limit)
    .execute()

/** Member counts by organization id. */
export async function countMembersOf(
  db: Db,
  organizationIds: readonly Id<'organization'>[],
): Promise<Map<string, number>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('member')
    .select((count) => ['organizationId', count.fn.countAll<number | string>().as('count')])
    .where('organizationId', 'in', organizationIds)
    .groupBy('organizationId')
    .execute()
  return new Map(rows.map(({ organizationId, count }) => [organizationId, Number(count)])) // PostgreSQL gives a text
}

/** Those of some users who are members, with their names. */
export async function listNamesOfMembers(db: Db, organizationId: Id<'organization'>, userIds: readonly Id<'user'>[]) {
  if (userIds.length === 0) return []
  return db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.name', 'user.email'])
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', 'in', userIds)
    .execute()
}

/** The team names of some members. */
export async function listTeamPlaces(db: Db, organizationId: Id<'organization'>, memberIds: readonly Id<'member'>[]) {
  if (memberIds.length === 0) return []
  return db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select(['teamMember.memberId', 'teamMember.teamId', 'team.name'])
    .where('team.organizationId', '=', organizationId)
    .where('teamMember.memberId', 'in', memberIds)
    .orderBy('team.name')
    .execute()
}

/** The oldest members of some teams, up to a limit per team, with the totals. */
export async function listTeamPeople(
  db: Db,
  organizationId: Id<'organization'>,
  teamIds: readonly Id<'team'>[],
  limit: number,
) {
  if (teamIds.length === 0) return []
  return db
    .with('ranked', (query) =>
      query
        .selectFrom('teamMember')
        .select(['teamId', 'memberId'])
        .select([
          sql<number>`row_number() over (partition by team_id order by created_at, id)`.as('place'),
          sql<number | string>`count(*) over (partition by team_id)`.as('total'), // PostgreSQL gives a text
        ])
        .where('teamId', 'in', teamIds),
    )
    .selectFrom('ranked')
    .innerJoin('member', 'member.id', 'ranked.memberId')
    .innerJoin('user', 'user.id', 'member.userId')
    .selectAll('member')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])
    .select(['ranked.teamId as placeTeamId', 'ranked.place', 'ranked.total'])
    .where('member.organizationId', '=', organizationId)
    .where('ranked.place', '<=', limit)
    .orderBy('ranked.teamId')
    .orderBy('ranked.place')
    .execute()
}
