import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { type MemberWithUserRow, toMemberWithUser, toOrganization } from './answers.ts'
import { previewDeletion } from './deletion.ts'
import { isSoleOwner, soleOwned } from './membership.service.ts'
import type { Membership } from './membership.ts'
import {
  listMembershipsWithOrganization,
  listNamesOfMembers,
  listTeamPeople,
  listTeamPlaces,
} from './overview.repository.ts'

export const previewUserDeletion: AuthHandler<'previewUserDeletion'> = ({ ctx, session }) =>
  previewDeletion(ctx, session.user.id)

/** Data that pages show about several organizations, members or teams, in a constant number of queries. */

/** Maximum number of organizations per person, and of people per team, on a page. */
const mostOrganizations = 200
const mostOfTeam = 50

export type OwnMembership = {
  readonly organization: Answer<'updateOrganization'>
  readonly role: string
  /** No other member owns it. */
  readonly soleOwner: boolean
}

/** The organizations of a user with their roles, oldest membership first, and whether each has another owner. */
export async function listOwnMemberships(ctx: Context, userId: Id<'user'>): Promise<OwnMembership[]> {
  const memberships = await listMembershipsWithOrganization(ctx.db, userId, mostOrganizations)
  const held = memberships.map(({ id, memberRole }) => ({ organizationId: id, role: memberRole }))
  const alone = await soleOwned(ctx, ctx.db, userId, held)
  return memberships.map(({ memberRole, ...organization }) => ({
    organization: toOrganization(organization),
    role: memberRole,
    soleOwner: alone.has(organization.id),
  }))
}

/** Whether a member is the only owner of their organization. */
export const ownsAlone = (ctx: Context, membership: Membership): Promise<boolean> =>
  isSoleOwner(ctx, ctx.db, membership)

/** The names of the inviters who are still members, by user id. */
export async function invitersOf(
  ctx: Context,
  { organizationId }: Membership,
  invitations: Answer<'listInvitations'>,
): Promise<Record<string, string>> {
  const userIds = [...new Set(invitations.map(({ inviterId }) => inviterId))]
  const inviters = await listNamesOfMembers(ctx.db, organizationId, userIds)
  return Object.fromEntries(inviters.map(({ id, name, email }) => [id, name || email]))
}

/** The team names of some members, by member id. */
export async function teamNamesOf(
  ctx: Context,
  { organizationId }: Membership,
  memberIds: readonly Id<'member'>[],
): Promise<Record<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const { memberId, name } of await listTeamPlaces(ctx.db, organizationId, memberIds))
    names.set(memberId, [...(names.get(memberId) ?? []), name])
  return Object.fromEntries(names)
}

/** The team ids of a member. */
export async function ownTeamsOf(ctx: Context, { organizationId, memberId }: Membership): Promise<ReadonlySet<string>> {
  const places = await listTeamPlaces(ctx.db, organizationId, [memberId])
  return new Set(places.map(({ teamId }) => teamId))
}

export type TeamPeople = { readonly members: ReturnType<typeof toMemberWithUser>[]; readonly total: number }

/** The first members of some teams and their totals, by team id. */
export async function peopleOfTeams(
  ctx: Context,
  { organizationId }: Membership,
  teamIds: readonly Id<'team'>[],
): Promise<Map<string, TeamPeople>> {
  const people = new Map<string, TeamPeople>()
  for (const { placeTeamId, place, total, ...row } of await listTeamPeople(
    ctx.db,
    organizationId,
    teamIds,
    mostOfTeam,
  )) {
    const members = people.get(placeTeamId)?.members ?? []
    const member: MemberWithUserRow = row
    people.set(placeTeamId, { members: [...members, toMemberWithUser(member)], total: Number(total) })
  }
  return people
}
