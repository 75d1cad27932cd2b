import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { TeamRow } from './answers.ts'

export type TeamMemberRow = Selectable<Tables['teamMember']>

export type Page = { readonly limit: number; readonly offset: number }

const teamsOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('team').selectAll().where('organizationId', '=', organizationId)
const peopleOf = (db: Db, teamId: Id<'team'>) => db.selectFrom('teamMember').selectAll().where('teamId', '=', teamId)

/** A team by id, within one organization. */
export const findTeam = (db: Db, organizationId: Id<'organization'>, id: Id<'team'>): Promise<TeamRow | undefined> =>
  teamsOf(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A team of any organization, to find out which one it belongs to. */
export const findTeamById = (db: Db, id: Id<'team'>): Promise<TeamRow | undefined> =>
  db.selectFrom('team').selectAll().where('id', '=', id).executeTakeFirst()

export const findTeams = (db: Db, organizationId: Id<'organization'>, ids: readonly Id<'team'>[]): Promise<TeamRow[]> =>
  teamsOf(db, organizationId).where('id', 'in', ids).execute()

export const countTeams = (db: Db, organizationId: Id<'organization'>): Promise<number> =>
  countRows(teamsOf(db, organizationId))

/** The teams of an organization, oldest first. */
export const listTeamRows = (db: Db, organizationId: Id<'organization'>, { limit, offset }: Page): Promise<TeamRow[]> =>
  teamsOf(db, organizationId).orderBy('createdAt').orderBy('id').limit(limit).offset(offset).execute()

export const renameTeam = (tx: Tx, id: Id<'team'>, name: string, updatedAt: Date): Promise<TeamRow> =>
  tx.updateTable('team').set({ name, updatedAt }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The foreign key deletes its members' places. */
export async function deleteTeamRow(tx: Tx, id: Id<'team'>): Promise<void> {
  await tx.deleteFrom('team').where('id', '=', id).execute()
}

/** Removes a team from every open invitation, link and request to join. */
export async function forgetTeam(tx: Tx, organizationId: Id<'organization'>, teamId: Id<'team'>): Promise<void> {
  await forgetInvitedTeam(tx, organizationId, teamId)
  await tx
    .updateTable('invitationLink')
    .set({ teamId: null })
    .where('organizationId', '=', organizationId)
    .where('teamId', '=', teamId)
    .execute()
  await tx
    .updateTable('joinRequest')
    .set({ teamId: null })
    .where('organizationId', '=', organizationId)
    .where('teamId', '=', teamId)
    .execute()
}

/** Invitations store several team ids in one text. */
async function forgetInvitedTeam(tx: Tx, organizationId: Id<'organization'>, teamId: Id<'team'>): Promise<void> {
  const texts = await tx
    .selectFrom('invitation')
    .select('teamId')
    .distinct()
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'pending')
    .where('teamId', 'like', `%${teamId}%`)
    .execute()
  for (const { teamId: text } of texts) {
    const left = (text ?? '').split(',').filter((id) => id !== teamId)
    await tx
      .updateTable('invitation')
      .set({ teamId: left.join() || null })
      .where('organizationId', '=', organizationId)
      .where('status', '=', 'pending')
      .where('teamId', '=', text)
      .execute()
  }
}

/**
 * The teams of a user, oldest place first, of one organization or all. With `unverified`, organizations that require a
 * verified address are left out.
 */
export function listTeamsOfUser(
  db: Db,
  userId: Id<'user'>,
  {
    organizationId,
    unverified,
  }: { readonly organizationId: Id<'organization'> | undefined; readonly unverified: boolean },
  { limit, offset }: Page,
): Promise<TeamRow[]> {
  let query = db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .innerJoin('organization', 'organization.id', 'team.organizationId')
    .selectAll('team')
    .where('teamMember.userId', '=', userId)
  if (organizationId !== undefined) query = query.where('team.organizationId', '=', organizationId)
  if (unverified) query = query.where('organization.requireVerifiedEmail', '=', false)
  return query.orderBy('teamMember.createdAt').orderBy('teamMember.id').limit(limit).offset(offset).execute()
}

export const findTeamMember = (db: Db, teamId: Id<'team'>, userId: Id<'user'>): Promise<TeamMemberRow | undefined> =>
  peopleOf(db, teamId).where('userId', '=', userId).executeTakeFirst()

export const countTeamMembers = (db: Db, teamId: Id<'team'>): Promise<number> => countRows(peopleOf(db, teamId))

/** Ordered by user, like the index of team members. */
export const listTeamMemberRows = (db: Db, teamId: Id<'team'>, { limit, offset }: Page): Promise<TeamMemberRow[]> =>
  peopleOf(db, teamId).orderBy('userId').limit(limit).offset(offset).execute()

export const insertTeamMember = (tx: Tx, member: Insertable<Tables['teamMember']>): Promise<TeamMemberRow> =>
  tx.insertInto('teamMember').values(member).returningAll().executeTakeFirstOrThrow()

export const deleteTeamMember = (tx: Tx, teamId: Id<'team'>, userId: Id<'user'>): Promise<TeamMemberRow | undefined> =>
  tx
    .deleteFrom('teamMember')
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()
