import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { clearActiveTeam } from '../identity/users.service.ts'
import { toTeam } from './answers.ts'
import { lockMembership, organizationConfig, requireMember, requirePermission } from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import { insertTeam } from './organization.repository.ts'
import { requireName } from './profile.ts'
import {
  countTeams,
  deleteTeamRow,
  findTeam,
  findTeamMember,
  forgetTeam,
  listTeamRows,
  type Page,
  renameTeam,
} from './team.repository.ts'

/** Default page size of teams and team members. */
const usualLimit = 1000

export const pageOf = ({ limit, offset }: { limit?: number | undefined; offset?: number | undefined }): Page => ({
  limit: limit || usualLimit,
  offset: offset ?? 0,
})

/** Creates an empty team, up to the configured limit. */
export const createTeam: AuthHandler<'createTeam'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const name = requireName(body.name)
  const { maximumTeams } = organizationConfig(ctx).teams

  await requireMember(ctx, ctx.db, session, organizationId, 'INVITE_NOT_ALLOWED')
  const team = await ctx.transaction(async (tx) => {
    // The ecosystem's servers give non-members this refusal too.
    const membership = await lockMembership(ctx, tx, session, organizationId, 'INVITE_NOT_ALLOWED')
    requirePermission(membership, 'team', 'create', 'TEAM_CREATE_NOT_ALLOWED')
    if (maximumTeams !== undefined && (await countTeams(tx, organizationId)) >= maximumTeams)
      throw new TollgateError('TEAM_LIMIT_REACHED')

    const now = ctx.clock.now()
    const created = await insertTeam(tx, { id: newId(), organizationId, name, createdAt: now, updatedAt: now })
    const data = { teamId: created.id, name }
    await emit(tx, now, { type: 'team.created', actorId: actorOf(session), userId: null, organizationId, data })
    return created
  })
  return toTeam(team)
}

/** The teams of an organization, for its members. */
export const listTeams: AuthHandler<'listTeams'> = async ({ ctx, session, query }) => {
  const organizationId = namedOrganization(session, query)
  await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  return (await listTeamRows(ctx.db, organizationId, pageOf(query))).map(toTeam)
}

/** Renames a team. The organization in `data` only locates the team and never moves it (auth contract, section 6). */
export const updateTeam: AuthHandler<'updateTeam'> = async ({ ctx, session, body: { teamId, data } }) => {
  const organizationId = namedOrganization(session, data)
  const newName = data.name === undefined ? undefined : requireName(data.name)

  await requireMember(ctx, ctx.db, session, organizationId, 'TEAM_UPDATE_NOT_ALLOWED')
  const team = await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'TEAM_UPDATE_NOT_ALLOWED')
    requirePermission(membership, 'team', 'update', 'TEAM_UPDATE_NOT_ALLOWED')
    const before = await findTeam(tx, organizationId, teamId)
    if (!before) throw new TollgateError('TEAM_NOT_FOUND')
    if (newName === undefined || newName === before.name) return before

    const now = ctx.clock.now()
    const renamed = await renameTeam(tx, teamId, newName, now)
    const told = { teamId, name: newName, before: before.name }
    await emit(tx, now, { type: 'team.updated', actorId: actorOf(session), userId: null, organizationId, data: told })
    return renamed
  })
  return toTeam(team)
}

/**
 * Removes a team with its places. Callers cannot remove a team that they are in, nor the last one unless configured
 * (specification, section 5). Refusals follow the order of the auth contract, section 6.
 */
export const removeTeam: AuthHandler<'removeTeam'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const { teamId } = body
  const { allowRemovingAllTeams } = organizationConfig(ctx).teams

  await requireMember(ctx, ctx.db, session, organizationId, 'TEAM_DELETE_NOT_ALLOWED')
  await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'TEAM_DELETE_NOT_ALLOWED')
    const own = await findTeamMember(tx, teamId, membership.userId)
    if (own?.memberId === membership.memberId) throw new TollgateError('TEAM_DELETE_NOT_ALLOWED')
    requirePermission(membership, 'team', 'delete', 'TEAMS_DELETE_NOT_ALLOWED')
    const team = await findTeam(tx, organizationId, teamId)
    if (!team) throw new TollgateError('TEAM_NOT_FOUND')
    if (!allowRemovingAllTeams && (await countTeams(tx, organizationId)) <= 1) throw new TollgateError('LAST_TEAM')

    await forgetTeam(tx, organizationId, teamId)
    await deleteTeamRow(tx, teamId)
    await clearActiveTeam(tx, organizationId, teamId)
    const data = { teamId, name: team.name }
    const now = ctx.clock.now()
    await emit(tx, now, { type: 'team.removed', actorId: actorOf(session), userId: null, organizationId, data })
  })
  return { message: 'Team removed successfully.' }
}
