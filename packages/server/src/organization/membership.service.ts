import { splitRoles } from '@tollgate/contract/calls'
import { endSeller } from '../billing/seller/approval.service.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { clearActiveOrganization, findUser } from '../identity/users.service.ts'
import { newId } from '../ids.ts'
import { organizationConfig } from '../membership.ts'
import { emit } from '../outbox.ts'
import type { MemberRow, OrganizationRow } from './answers.ts'
import { findPendingInvitation, transitionInvitation } from './invitation.repository.ts'
import { withdrawJoinRequest } from './join-request.repository.ts'
import {
  countMembers,
  deleteMemberRow,
  deleteOrganizationRow,
  findMemberOf,
  insertMember,
  listMembersWithRole,
  lockOrganization,
} from './membership.repository.ts'
import { tellInvitation } from './open-invitation.service.ts'
import { joinTeams } from './team-member.service.ts'

/**
 * How memberships begin and end, whatever led to it. All of it runs inside the transaction of the cause, under the lock of
 * the organization: so limits are exact, and two owners cannot leave at the same moment.
 */

/** Locks an organization and refuses, with the call's own refusal, one that has gone. */
export async function requireOrganization(
  tx: Tx,
  id: string,
  refusal:
    | 'ORGANIZATION_NOT_FOUND'
    | 'INVITATION_NOT_FOUND'
    | 'INVITATION_LINK_NOT_FOUND'
    | 'JOIN_NOT_ALLOWED'
    | 'ADMIN_ORGANIZATION_NOT_FOUND'
    | 'RESOURCE_NOT_FOUND',
): Promise<OrganizationRow> {
  const organization = await lockOrganization(tx, id)
  if (!organization) throw new TollgateError(refusal)
  return organization
}

/** Whether there is such an organization; it stays until the transaction ends. */
export const keepOrganization = async (tx: Tx, id: string): Promise<boolean> =>
  (await lockOrganization(tx, id)) !== undefined

export type Admission = {
  readonly organizationId: string
  readonly userId: string
  readonly role: string
  readonly teamIds?: readonly string[]
  /** Who let them in; null for the server's own code. */
  readonly actorId: string | null
  /** What let them in. */
  readonly by: 'creation' | 'invitation' | 'server' | 'link' | 'domain' | 'request'
}

/**
 * Makes somebody a member, within the limits; the organization is locked by then. Refuses with ALREADY_A_MEMBER,
 * MEMBERSHIP_LIMIT_REACHED, TEAM_NOT_FOUND or TEAM_MEMBER_LIMIT_REACHED.
 */
export async function admitMember(ctx: Context, tx: Tx, admission: Admission): Promise<MemberRow> {
  const { organizationId, userId, role, teamIds = [], actorId, by } = admission
  if (await findMemberOf(tx, organizationId, userId)) throw new TollgateError('ALREADY_A_MEMBER')
  if ((await countMembers(tx, organizationId)) >= organizationConfig(ctx).membershipLimit)
    throw new TollgateError('MEMBERSHIP_LIMIT_REACHED')

  const now = ctx.clock.now()
  const member = await insertMember(tx, { id: newId(), organizationId, userId, role, createdAt: now })
  await emit(tx, now, { type: 'member.added', actorId, userId, organizationId, data: { role, by } })
  await joinTeams(ctx, tx, member, teamIds, actorId)
  // Whatever they asked for is answered: it must not bring them back when they have been removed.
  await withdrawJoinRequest(tx, organizationId, userId)
  return member
}

/** Ends a membership, with its teams and its place in the sessions; the organization is locked by then. */
export async function endMembership(
  ctx: Context,
  tx: Tx,
  member: MemberRow,
  actorId: string | null,
): Promise<MemberRow | undefined> {
  const ended = await deleteMemberRow(tx, member.id)
  if (!ended) return undefined
  const { organizationId, userId, role } = ended
  await clearActiveOrganization(tx, organizationId, userId)
  const data = { role, left: actorId === userId }
  await emit(tx, ctx.clock.now(), { type: 'member.removed', actorId, userId, organizationId, data })
  await cancelInvitationOf(ctx, tx, ended, actorId)
  return ended
}

/** Whoever came in another way than by their invitation left it open: it must not bring them back, nor with its role. */
async function cancelInvitationOf(
  ctx: Context,
  tx: Tx,
  { organizationId, userId }: MemberRow,
  actorId: string | null,
): Promise<void> {
  const user = await findUser(tx, userId)
  const pending = user && (await findPendingInvitation(tx, organizationId, user.email))
  const canceled = pending && (await transitionInvitation(tx, pending.id, 'canceled', ctx.clock.now()))
  if (canceled) await tellInvitation(ctx, tx, 'invitation.canceled', canceled, { actorId, userId: null })
}

/**
 * Ends an organization with everything in it, but for its events; nobody acts in it any more. It is locked by then. Refused
 * with ORGANIZATION_HAS_ORDERS where it has sold something.
 */
export async function endOrganization(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  actorId: string | null,
): Promise<OrganizationRow> {
  await endSeller(ctx, tx, organizationId)
  const ended = await deleteOrganizationRow(tx, organizationId)
  if (!ended) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  await clearActiveOrganization(tx, organizationId)
  const data = { name: ended.name, slug: ended.slug }
  await emit(tx, ctx.clock.now(), { type: 'organization.deleted', actorId, userId: null, organizationId, data })
  return ended
}

/** The role of those who own an organization: also while organizations are switched off. */
const ownerRole = ({ config: { organization } }: Context): string =>
  organization === false ? 'owner' : organization.creatorRole

/** Those who own some organizations. */
export async function listOwners(ctx: Context, db: Db, organizationIds: readonly string[]): Promise<MemberRow[]> {
  if (organizationIds.length === 0) return []
  const role = ownerRole(ctx)
  const found = await listMembersWithRole(db, organizationIds, role)
  return found.filter((member) => splitRoles(member.role).includes(role))
}

/** The organizations, by id, that a user owns and nobody else does, among those of some of their memberships. */
export async function soleOwned(
  ctx: Context,
  db: Db,
  userId: string,
  memberships: readonly Pick<MemberRow, 'organizationId' | 'role'>[],
): Promise<Set<string>> {
  const role = ownerRole(ctx)
  const owned = memberships.filter((member) => splitRoles(member.role).includes(role))
  const ids = new Set(owned.map(({ organizationId }) => organizationId))
  for (const owner of await listOwners(ctx, db, [...ids])) if (owner.userId !== userId) ids.delete(owner.organizationId)
  return ids
}

/** Whether a member owns an organization that nobody else does. */
export const isSoleOwner = async (
  ctx: Context,
  db: Db,
  member: Pick<MemberRow, 'organizationId' | 'userId' | 'role'>,
): Promise<boolean> => (await soleOwned(ctx, db, member.userId, [member])).has(member.organizationId)
