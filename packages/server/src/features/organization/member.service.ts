import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import { z } from 'zod'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { lockUser } from '../identity/users.service.ts'
import { type MemberWithUserRow, toMember, toMemberWithUser } from './answers.ts'
import { tellMemberAdded, tellMemberRemoved } from './hooks.service.ts'
import {
  countSelectedMembers,
  listSelectedMembers,
  type MemberFilter,
  type MemberOrder,
  type PartMatch,
} from './member.repository.ts'
import {
  findMember,
  findMemberByEmail,
  findMemberByUser,
  findMemberOf,
  lockOrganization,
  updateMemberRow,
} from './membership.repository.ts'
import { admitMember, endMembership, isSoleOwner, requireOrganization } from './membership.service.ts'
import {
  isAtLeast,
  lockMembership,
  type Membership,
  membershipOf,
  normalizeRoles,
  organizationConfig,
  permissionsOf,
  requireGrantable,
  requireMember,
  requirePermission,
  requireRoles,
} from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import { findOrganizationBySlug } from './organization.repository.ts'
import { toSlug } from './slug-rules.ts'
import { teamIdsOf } from './team-member.service.ts'

/** The caller's membership of the active organization, with its permissions. */
export const getActiveMember: AuthHandler<'getActiveMember'> = async ({ ctx, session }) => {
  const organizationId = namedOrganization(session, {})
  const membership = await requireMember(ctx, ctx.db, session, organizationId, 'MEMBER_NOT_FOUND')
  const member = await findMember(ctx.db, organizationId, membership.memberId)
  if (!member) throw new TollgateError('MEMBER_NOT_FOUND')
  const teamIdOf = await teamIdsOf(ctx, ctx.db, [member.id])
  return { ...toMemberWithUser(member, teamIdOf(member.id)), permissions: permissionsOf(membership) }
}

/** The roles of the caller or another member, in the named organization or the active one. */
export const getActiveMemberRole: AuthHandler<'getActiveMemberRole'> = async ({ ctx, session, query }) => {
  const membership = await requireMemberOfNamed(ctx, session, query)
  const { userId = session.user.id } = query
  if (userId === session.user.id) return { role: membership.role }
  const member = await findMemberOf(ctx.db, membership.organizationId, userId)
  if (!member) throw new TollgateError('NOT_A_MEMBER_FORBIDDEN')
  return { role: member.role }
}

/** The caller's membership of an organization named by id or slug; the slug wins. An unknown one has no members. */
async function requireMemberOfNamed(
  ctx: Context,
  current: SessionRow,
  named: { organizationId?: Id<'organization'> | undefined; organizationSlug?: string | undefined },
): Promise<Membership> {
  const { organizationSlug: slug } = named
  const organizationId = slug
    ? (await findOrganizationBySlug(ctx.db, toSlug(slug)))?.id
    : namedOrganization(current, named)
  if (!organizationId) throw new TollgateError('YOU_ARE_NOT_A_MEMBER')
  return requireMember(ctx, ctx.db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
}

/** Maximum page size (contract). */
const longestPage = 500

/** Members of an organization, searched, filtered and sorted, with the total. */
export const listMembers: AuthHandler<'listMembers'> = async ({ ctx, session, query }) => {
  const filter = toFilter(query)
  const { organizationId } = await requireMemberOfNamed(ctx, session, query)
  const selection = { organizationId, search: query.search || undefined, filter, teamId: query.teamId }
  // Without a limit, a page of the maximum size: the ecosystem's clients expect all members.
  const limit = query.limit || Math.min(organizationConfig(ctx).membershipLimit, longestPage)

  const total = await countSelectedMembers(ctx.db, selection)
  const page = { limit, offset: query.offset ?? 0 }
  const rows = total === 0 ? [] : await listSelectedMembers(ctx.db, selection, toOrder(query), page)
  const teamIdOf = await teamIdsOf(
    ctx,
    ctx.db,
    rows.map(({ id }) => id),
  )
  return { members: rows.map((row) => toMemberWithUser(row, teamIdOf(row.id))), total }
}

/** Oldest membership first by default. */
const toOrder = ({ sortBy = 'createdAt', sortDirection = 'asc' }: ParsedQuery<'listMembers'>): MemberOrder => ({
  by: sortBy,
  direction: sortDirection,
})

/** Time as ISO 8601, or a day, which begins at midnight UTC. */
const time = z.iso.datetime({ offset: true }).or(z.iso.date())

/** Refuses a filter whose value or operator does not fit its field. */
function toFilter(query: ParsedQuery<'listMembers'>): MemberFilter | undefined {
  const { filterField: field, filterOperator: operator = 'eq', filterValue: given } = query
  if (field === undefined || given === undefined) return undefined
  if (operator === 'in' || operator === 'not_in') {
    if (field === 'createdAt') throw new TollgateError('INVALID_QUERY')
    return { field, operator, value: [given].flat() }
  }
  if (typeof given !== 'string') throw new TollgateError('INVALID_QUERY')
  return toSingleFilter(field, operator, given)
}

type Single = Exclude<MemberFilter['operator'], 'in' | 'not_in'>

function toSingleFilter(field: MemberFilter['field'], operator: Single, value: string): MemberFilter {
  if (field === 'id' || field === 'userId') return { field, operator, value }
  if (field === 'role') {
    if (isPartMatch(operator)) return { field, operator, value }
    if (operator !== 'eq' && operator !== 'ne') throw new TollgateError('INVALID_QUERY')
    return { field, operator: operator === 'eq' ? 'in' : 'not_in', value: [value] }
  }
  if (isPartMatch(operator) || !time.safeParse(value).success) throw new TollgateError('INVALID_QUERY')
  return { field, operator, value: new Date(value) }
}

const isPartMatch = (operator: Single): operator is PartMatch =>
  operator === 'contains' || operator === 'starts_with' || operator === 'ends_with'

/**
 * Makes a user a member, for server code, without a permission check. The limits and the organization's requirements
 * still apply.
 */
export const addMember: AuthHandler<'addMember'> = async ({ ctx, caller, body }) => {
  const organizationId =
    body.organizationId ?? (await findCurrentSession(ctx, caller))?.session.activeOrganizationId ?? undefined
  if (!organizationId) throw new TollgateError('NO_ACTIVE_ORGANIZATION')
  const names = normalizeRoles(body.role)
  if (body.teamId !== undefined && !organizationConfig(ctx).teams.enabled) throw new TollgateError('TEAM_NOT_FOUND')

  const { member, teamId } = await ctx.transaction(async (tx) => {
    // Locked before the organization, as the lock order requires, so that a user being deleted cannot join.
    const user = await lockUser(tx, body.userId)
    const organization = await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    if (!user) throw new TollgateError('USER_NOT_FOUND')
    if (organization.requireVerifiedEmail && !user.emailVerified)
      throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
    await requireRoles(ctx, tx, organizationId, names)
    const member = await admitMember(ctx, tx, {
      organizationId,
      userId: user.id,
      role: names.join(),
      teamIds: body.teamId === undefined ? [] : [body.teamId],
      actorId: null,
      by: 'server',
    })
    const teamIdOf = await teamIdsOf(ctx, tx, [member.id])
    return { member, teamId: teamIdOf(member.id) }
  })
  tellMemberAdded(ctx, member)
  return toMember(member, teamId)
}

/**
 * Replaces a member's roles. Callers cannot grant what they do not hold, nor change members who hold more. Only owners
 * make owners, and one owner stays (architecture, "Permissions").
 */
export const updateMemberRole: AuthHandler<'updateMemberRole'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const names = normalizeRoles(body.role)

  await requireMember(ctx, ctx.db, session, organizationId, 'MEMBER_NOT_FOUND')
  return ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'MEMBER_NOT_FOUND')
    requirePermission(membership, 'member', 'update', 'MEMBER_UPDATE_NOT_ALLOWED')
    const member = await findMember(tx, organizationId, body.memberId)
    if (!member) throw new TollgateError('MEMBER_NOT_FOUND')
    const target = await membershipOf(ctx, tx, member)
    if (!isAtLeast(ctx, membership, target)) throw new TollgateError('MEMBER_UPDATE_NOT_ALLOWED')
    await requireGrantable(ctx, tx, membership, names, 'MEMBER_UPDATE_NOT_ALLOWED')
    const staysOwner = names.includes(organizationConfig(ctx).creatorRole)
    if (!staysOwner && (await isSoleOwner(ctx, tx, member))) throw new TollgateError('ONLY_OWNER')

    await changeRole(ctx, tx, session, member, names.join())
    const teamIdOf = await teamIdsOf(ctx, tx, [member.id])
    return toMember({ ...member, role: names.join() }, teamIdOf(member.id))
  })
}

/** Unchanged roles emit no event. */
async function changeRole(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  { id, organizationId, userId, role: before }: MemberWithUserRow,
  after: string,
): Promise<void> {
  if (before === after) return
  // The user's deletion does not take this lock and may have removed the row.
  if (!(await updateMemberRow(tx, id, after))) throw new TollgateError('MEMBER_NOT_FOUND')
  await emit(tx, ctx.clock.now(), {
    type: 'member.role_changed',
    actorId: actorOf(current),
    userId,
    organizationId,
    data: { before, after },
  })
}

/** Removes a member. A non-owner who names an owner gets the same text as the only owner (auth contract, section 6). */
export const removeMember: AuthHandler<'removeMember'> = async ({ ctx, caller, session, body }) => {
  const organizationId = namedOrganization(session, body)

  await requireMember(ctx, ctx.db, session, organizationId, 'MEMBER_NOT_FOUND')
  const removed = await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'MEMBER_NOT_FOUND')
    const member = await findNamedMember(tx, organizationId, body.memberIdOrEmail)
    if (!member) throw new TollgateError('MEMBER_NOT_FOUND')
    // A member may always remove themselves, which counts as leaving.
    if (membership.isImpersonated && member.id === membership.memberId)
      throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
    const target = await membershipOf(ctx, tx, member)
    if (target.isOwner && (!membership.isOwner || (await isSoleOwner(ctx, tx, member))))
      throw new TollgateError('ONLY_OWNER')
    requirePermission(membership, 'member', 'delete', 'MEMBER_DELETE_NOT_ALLOWED')
    if (!isAtLeast(ctx, membership, target)) throw new TollgateError('MEMBER_DELETE_NOT_ALLOWED')
    return endMembershipOf(ctx, tx, session, member)
  })
  tellMemberRemoved(ctx, removed)
  if (removed.userId === session.user.id) forgetOrganization(ctx, caller, session, organizationId)
  return { member: removed }
}

/** By id, or by address if it contains an at-sign (specification, section 5). */
async function findNamedMember(
  tx: Tx,
  organizationId: Id<'organization'>,
  idOrEmail: string,
): Promise<MemberWithUserRow | undefined> {
  if (!idOrEmail.includes('@')) return findMember(tx, organizationId, idOrEmail)
  const email = normalizeEmail(idOrEmail)
  return email === null ? undefined : findMemberByEmail(tx, organizationId, email)
}

/** Ends the caller's own membership, even if the organization requires a verified address and theirs is not. */
export const leaveOrganization: AuthHandler<'leaveOrganization'> = async ({ ctx, caller, session, body }) => {
  const { organizationId } = body
  if (!(await findMemberOf(ctx.db, organizationId, session.user.id))) throw new TollgateError('MEMBER_NOT_FOUND')
  const left = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await findMemberByUser(tx, organizationId, session.user.id)
    if (!member) throw new TollgateError('MEMBER_NOT_FOUND')
    if (await isSoleOwner(ctx, tx, member)) throw new TollgateError('ONLY_OWNER')
    return endMembershipOf(ctx, tx, session, member)
  })
  tellMemberRemoved(ctx, left)
  forgetOrganization(ctx, caller, session, organizationId)
  return left
}

/** Ends a membership; returns it as it was. */
async function endMembershipOf(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  member: MemberWithUserRow,
): Promise<Answer<'leaveOrganization'>> {
  const teamIdOf = await teamIdsOf(ctx, tx, [member.id])
  if (!(await endMembership(ctx, tx, member, actorOf(current)))) throw new TollgateError('MEMBER_NOT_FOUND')
  return toMemberWithUser(member, teamIdOf(member.id))
}

/** Renews the cookies of a session that lost its active organization. */
function forgetOrganization(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  organizationId: Id<'organization'>,
): void {
  const { session, user } = current
  if (session.activeOrganizationId !== organizationId) return
  const without = { ...session, activeOrganizationId: null, activeTeamId: null }
  renewSessionCookies(ctx, caller, { session: without, user, active: null })
}
