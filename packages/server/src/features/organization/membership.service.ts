import { splitRoles } from '@tollgate/contract/calls'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { emit } from '../../foundation/outbox.ts'
import { clearActiveOrganization, findUser } from '../identity/users.service.ts'
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
import { organizationConfig } from './membership.ts'
import { tellInvitation } from './open-invitation.service.ts'
import { joinTeams } from './team-member.service.ts'

/**
 * Begins and ends memberships, for every cause, inside its transaction and under the organization's lock. So limits
 * are exact, and two owners cannot leave at once.
 */

/** Locks an organization; throws the call's refusal if it is gone. */
export async function requireOrganization(
  tx: Tx,
  id: Id<'organization'>,
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

/** Whether the organization exists; it then stays until the transaction ends. */
export const keepOrganization = async (tx: Tx, id: Id<'organization'>): Promise<boolean> =>
  (await lockOrganization(tx, id)) !== undefined

export type Admission = {
  readonly organizationId: Id<'organization'>
  readonly userId: Id<'user'>
  readonly role: string
  readonly teamIds?: readonly Id<'team'>[]
  /** The user who admitted them; null for server code. */
  readonly actorId: Id<'user'> | null
  /** What admitted them. */
  readonly by: 'creation' | 'invitation' | 'server' | 'link' | 'domain' | 'request'
}

/**
 * Makes a user a member of the locked organization, within the limits. Refuses with ALREADY_A_MEMBER,
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
  // A pending request must not bring them back after a later removal.
  await withdrawJoinRequest(tx, organizationId, userId)
  return member
}

/** Ends a membership with its teams and active sessions; the organization is locked. */
export async function endMembership(
  ctx: Context,
  tx: Tx,
  member: MemberRow,
  actorId: Id<'user'> | null,
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

/** Members who joined in another way may have an open invitation, which must not bring them back. */
async function cancelInvitationOf(
  ctx: Context,
  tx: Tx,
  { organizationId, userId }: MemberRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  const user = await findUser(tx, userId)
  const pending = user && (await findPendingInvitation(tx, organizationId, user.email))
  const canceled = pending && (await transitionInvitation(tx, pending.id, 'canceled', ctx.clock.now()))
  if (canceled) await tellInvitation(ctx, tx, 'invitation.canceled', canceled, { actorId, userId: null })
}

/**
 * Deletes the locked organization and its content except its events, with what it has bought, and deactivates it in all
 * sessions. Refuses with ORGANIZATION_HAS_ORDERS if it has sold something.
 */
export async function endOrganization(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  actorId: Id<'user'> | null,
): Promise<OrganizationRow> {
  await ctx.purchasesOfBuyers.endAll(ctx, tx, { userId: null, organizationIds: [organizationId] }, actorId)
  return removeOrganization(ctx, tx, organizationId, actorId)
}

/** The same for an organization whose purchases the caller has ended. */
export async function removeOrganization(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  actorId: Id<'user'> | null,
): Promise<OrganizationRow> {
  await ctx.selling.end(ctx, tx, organizationId)
  const ended = await deleteOrganizationRow(tx, organizationId)
  if (!ended) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  await clearActiveOrganization(tx, organizationId)
  const data = { name: ended.name, slug: ended.slug }
  await emit(tx, ctx.clock.now(), { type: 'organization.deleted', actorId, userId: null, organizationId, data })
  return ended
}

/** The owners' role, also while organizations are off. */
const ownerRole = ({ config: { organization } }: Context): string =>
  organization === false ? 'owner' : organization.creatorRole

/** The owners of some organizations. */
export async function listOwners(
  ctx: Context,
  db: Db,
  organizationIds: readonly Id<'organization'>[],
): Promise<MemberRow[]> {
  if (organizationIds.length === 0) return []
  const role = ownerRole(ctx)
  const found = await listMembersWithRole(db, organizationIds, role)
  return found.filter((member) => splitRoles(member.role).includes(role))
}

/** The ids of the organizations, among some of the user's memberships, that only this user owns. */
export async function soleOwned(
  ctx: Context,
  db: Db,
  userId: Id<'user'>,
  memberships: readonly Pick<MemberRow, 'organizationId' | 'role'>[],
): Promise<Set<string>> {
  const role = ownerRole(ctx)
  const owned = memberships.filter((member) => splitRoles(member.role).includes(role))
  const ids = new Set(owned.map(({ organizationId }) => organizationId))
  for (const owner of await listOwners(ctx, db, [...ids])) if (owner.userId !== userId) ids.delete(owner.organizationId)
  return ids
}

/** Whether a member is the only owner of their organization. */
export const isSoleOwner = async (
  ctx: Context,
  db: Db,
  member: Pick<MemberRow, 'organizationId' | 'userId' | 'role'>,
): Promise<boolean> => (await soleOwned(ctx, db, member.userId, [member])).has(member.organizationId)
