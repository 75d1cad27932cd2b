import type { Insertable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { lockInOrder } from '../../foundation/db/lock-order.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { OrganizationRow, TeamRow } from './answers.ts'

export const findOrganization = (db: Db, id: Id<'organization'>): Promise<OrganizationRow | undefined> =>
  db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst()

export const findOrganizationBySlug = (db: Db, slug: string): Promise<OrganizationRow | undefined> =>
  db.selectFrom('organization').selectAll().where('slug', '=', slug).executeTakeFirst()

/** The unique index refuses a second organization with the slug. */
export const insertOrganization = (tx: Tx, organization: Insertable<Tables['organization']>) =>
  tx.insertInto('organization').values(organization).returningAll().executeTakeFirstOrThrow()

export const updateOrganizationRow = (tx: Tx, id: Id<'organization'>, changes: Updateable<Tables['organization']>) =>
  tx.updateTable('organization').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/** The organizations of a user, oldest membership first, by the index of memberships. */
export const listOrganizationsOf = (db: Db, userId: Id<'user'>, page: { limit: number; offset: number }) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('organization')
    .where('member.userId', '=', userId)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()

export const countMembershipsOf = (db: Db, userId: Id<'user'>): Promise<number> =>
  countRows(db.selectFrom('member').where('userId', '=', userId))

/** Whether a user is a member; the membership then stays until the transaction ends. */
export async function isStillMember(tx: Tx, organizationId: Id<'organization'>, userId: Id<'user'>): Promise<boolean> {
  const member = tx
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
  const row = await lockInOrder(tx, 'member', undefined, member, 'forKeyShare').executeTakeFirst()
  return row !== undefined
}

/** Members with their users and first teams, oldest first. */
export const listMembersOf = (db: Db, organizationId: Id<'organization'>, limit: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .selectAll('member')
    .select(['user.name as userName', 'user.email as userEmail', 'user.image as userImage'])
    .select((select) =>
      select
        .selectFrom('teamMember')
        .select('teamMember.teamId')
        .whereRef('teamMember.memberId', '=', 'member.id')
        .orderBy('teamMember.createdAt')
        .orderBy('teamMember.id')
        .limit(1)
        .as('firstTeamId'),
    )
    .where('member.organizationId', '=', organizationId)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(limit)
    .execute()

export const insertTeam = (tx: Tx, team: Insertable<Tables['team']>): Promise<TeamRow> =>
  tx.insertInto('team').values(team).returningAll().executeTakeFirstOrThrow()
