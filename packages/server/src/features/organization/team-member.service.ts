import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { clearActiveTeam, setActiveOrganization } from '../identity/users.service.ts'
import { type MemberRow, type TeamRow, toTeam } from './answers.ts'
import { findMemberOf, firstTeams, lockOrganization } from './membership.repository.ts'
import { allows, lockMembership, organizationConfig, requireMember, requirePermission } from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import {
  countTeamMembers,
  deleteTeamMember,
  findTeam,
  findTeamById,
  findTeamMember,
  findTeams,
  insertTeamMember,
  listTeamMemberRows,
  listTeamsOfUser,
  type TeamMemberRow,
} from './team.repository.ts'
import { pageOf } from './team.service.ts'

/**
 * Sets or clears the session's active team; without a value it answers with the active one. Only team members can
 * activate a team. A concurrent removal from the team waits and then clears it.
 */
export const setActiveTeam: AuthHandler<'setActiveTeam'> = async ({ ctx, caller, session: current, body }) => {
  const { activeOrganizationId, activeTeamId } = current.session
  const teamId = body.teamId === undefined ? activeTeamId : body.teamId
  if (teamId === null && activeTeamId === null) return null
  const organizationId = namedOrganization(current, {})

  const { team, session } = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const team = teamId === null ? null : await requireOwnTeam(ctx, tx, current, organizationId, teamId)
    // Clearing the team keeps the active organization, which a concurrent call may have cleared.
    const active = team ? { activeOrganizationId, activeTeamId: team.id } : { activeTeamId: null }
    const session = await setActiveOrganization(tx, current.session.id, active)
    if (!session) throw new TollgateError('UNAUTHORIZED')
    return { team, session }
  })
  renewSessionCookies(ctx, caller, { ...current, session })
  return team && toTeam(team)
}

async function requireOwnTeam(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  organizationId: Id<'organization'>,
  teamId: Id<'team'>,
): Promise<TeamRow> {
  await requireMember(ctx, tx, current, organizationId, 'TEAM_NOT_FOUND')
  const team = await findTeam(tx, organizationId, teamId)
  if (!team) throw new TollgateError('TEAM_NOT_FOUND')
  if (!(await findTeamMember(tx, teamId, current.user.id))) throw new TollgateError('NOT_IN_THE_TEAM')
  return team
}

/** The caller's teams; those of another member for callers who may change members. */
export const listUserTeams: AuthHandler<'listUserTeams'> = async ({ ctx, session, query }) => {
  const { userId = session.user.id } = query
  const isOwn = userId === session.user.id
  const organizationId = query.organizationId ?? (isOwn ? undefined : session.session.activeOrganizationId)
  if (organizationId) {
    const membership = await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    if (!isOwn) requirePermission(membership, 'member', 'update', 'TEAM_MEMBERS_NOT_ALLOWED')
  } else if (!isOwn) throw new TollgateError('YOU_ARE_NOT_A_MEMBER')

  const unverified = isOwn && !session.user.emailVerified
  const where = { organizationId: organizationId ?? undefined, unverified }
  return (await listTeamsOfUser(ctx.db, userId, where, pageOf(query))).map(toTeam)
}

/** The members of a team, for its members and callers who may change teams. */
export const listTeamMembers: AuthHandler<'listTeamMembers'> = async ({ ctx, session, query }) => {
  const teamId = query.teamId ?? session.session.activeTeamId
  if (!teamId) throw new TollgateError('NO_ACTIVE_TEAM')
  const team = await findTeamById(ctx.db, teamId)
  if (!team) throw new TollgateError('TEAM_NOT_FOUND')
  const membership = await requireMember(ctx, ctx.db, session, team.organizationId, 'TEAM_NOT_FOUND')
  const maySee =
    allows(membership, { team: ['update'] }) || (await findTeamMember(ctx.db, teamId, membership.userId)) !== undefined
  if (!maySee) throw new TollgateError('NOT_IN_THE_TEAM')
  return (await listTeamMemberRows(ctx.db, teamId, pageOf(query))).map(toTeamMember)
}

/** Adds a member of the organization to a team; a no-op if they are in it. */
export const addTeamMember: AuthHandler<'addTeamMember'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)

  await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  const added = await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    requirePermission(membership, 'member', 'update', 'TEAM_MEMBER_CREATE_NOT_ALLOWED')
    const member = await findMemberOf(tx, organizationId, body.userId)
    if (!member) throw new TollgateError('NOT_A_MEMBER')
    const team = await findTeam(tx, organizationId, body.teamId)
    if (!team) throw new TollgateError('TEAM_NOT_FOUND')
    return joinTeam(ctx, tx, member, team, actorOf(session))
  })
  return toTeamMember(added)
}

/** Removes a member from a team and deactivates it in their sessions. */
export const removeTeamMember: AuthHandler<'removeTeamMember'> = async ({ ctx, caller, session: current, body }) => {
  const organizationId = namedOrganization(current, body)
  const { teamId, userId } = body

  await requireMember(ctx, ctx.db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    requirePermission(membership, 'member', 'delete', 'TEAM_MEMBER_REMOVE_NOT_ALLOWED')
    const team = await findTeam(tx, organizationId, teamId)
    if (!team) throw new TollgateError('TEAM_NOT_FOUND')
    if (!(await deleteTeamMember(tx, teamId, userId))) throw new TollgateError('NOT_IN_THE_TEAM')
    await clearActiveTeam(tx, organizationId, teamId, userId)
    const data = { teamId, name: team.name }
    const now = ctx.clock.now()
    await emit(tx, now, { type: 'team_member.removed', actorId: actorOf(current), userId, organizationId, data })
  })
  const { session, user } = current
  if (userId === user.id && session.activeTeamId === teamId)
    renewSessionCookies(ctx, caller, { ...current, session: { ...session, activeTeamId: null } })
  return { message: 'Team member removed successfully.' }
}

const toTeamMember = ({ id, teamId, userId, createdAt }: TeamMemberRow): Answer<'addTeamMember'> => ({
  id,
  teamId,
  userId,
  createdAt: createdAt.toISOString(),
})

/**
 * Adds a new member to teams of the locked organization. Refuses unknown teams with TEAM_NOT_FOUND and full ones with
 * TEAM_MEMBER_LIMIT_REACHED.
 */
export async function joinTeams(
  ctx: Context,
  tx: Tx,
  member: MemberRow,
  teamIds: readonly Id<'team'>[],
  actorId: Id<'user'> | null,
): Promise<void> {
  // Named before teams were turned off.
  if (teamIds.length === 0 || !organizationConfig(ctx).teams.enabled) return
  const teams = new Map((await findTeams(tx, member.organizationId, teamIds)).map((team) => [team.id, team]))
  for (const id of teamIds) {
    const team = teams.get(id)
    if (!team) throw new TollgateError('TEAM_NOT_FOUND')
    await joinTeam(ctx, tx, member, team, actorId)
  }
}

/** Finds or inserts a member's place in a team; the organization's lock makes the limit exact. */
async function joinTeam(
  ctx: Context,
  tx: Tx,
  { id: memberId, organizationId, userId }: MemberRow,
  { id: teamId, name }: TeamRow,
  actorId: Id<'user'> | null,
): Promise<TeamMemberRow> {
  const already = await findTeamMember(tx, teamId, userId)
  if (already) return already
  const { maximumMembersPerTeam } = organizationConfig(ctx).teams
  if (maximumMembersPerTeam !== undefined && (await countTeamMembers(tx, teamId)) >= maximumMembersPerTeam)
    throw new TollgateError('TEAM_MEMBER_LIMIT_REACHED')

  const now = ctx.clock.now()
  const joined = await insertTeamMember(tx, { id: newId(), teamId, memberId, userId, createdAt: now })
  await emit(tx, now, { type: 'team_member.added', actorId, userId, organizationId, data: { teamId, name } })
  return joined
}

/** The first team of each member, for `teamId` in answers; undefined while teams are off. */
export async function teamIdsOf(
  ctx: Context,
  db: Db,
  memberIds: readonly Id<'member'>[],
): Promise<(memberId: Id<'member'>) => string | null | undefined> {
  if (!organizationConfig(ctx).teams.enabled) return () => undefined
  const teams = await firstTeams(db, memberIds)
  return (memberId) => teams.get(memberId) ?? null
}
