import { splitRoles } from '@tollgate/contract/calls'
import type { OrganizationEventType } from '@tollgate/contract/events'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { isBanned } from '../identity/users.service.ts'
import type { InvitationRow } from './answers.ts'
import { findMemberWithStanding } from './membership.repository.ts'
import { type Membership, membershipOf, organizationConfig, requireGrantable, requirePermission } from './membership.ts'
import { findTeams } from './team.repository.ts'

/** Rules shared by inviting and being invited. */

/** Refuses a member who may not invite, or may not grant these roles. */
export async function requireInviter(
  ctx: Context,
  db: Db,
  membership: Membership,
  roles: readonly string[],
): Promise<void> {
  requirePermission(membership, 'invitation', 'create', 'INVITE_NOT_ALLOWED')
  await requireGrantable(ctx, db, membership, roles, 'INVITE_ROLE_NOT_ALLOWED')
}

/**
 * The member who vouches for an invitation or link; undefined once they left, are banned, or lack a required verified
 * address.
 */
export async function findVoucher(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  userId: Id<'user'>,
): Promise<Membership | undefined> {
  const member = await findMemberWithStanding(db, organizationId, userId)
  if (!member || isBanned(member, ctx.clock.now())) return undefined
  if (member.requireVerifiedEmail && !member.emailVerified) return undefined
  return membershipOf(ctx, db, member)
}

/** Refuses an invitation whose inviter left or could no longer send it (security, §0). */
export async function requireStillInvited(
  ctx: Context,
  db: Db,
  { organizationId, inviterId, role }: InvitationRow,
): Promise<void> {
  const membership = await findVoucher(ctx, db, organizationId, inviterId)
  if (!membership) throw new TollgateError('INVITER_NO_LONGER_A_MEMBER')
  await requireInviter(ctx, db, membership, splitRoles(role)).catch((cause) => {
    throw cause instanceof TollgateError ? new TollgateError('INVITER_NO_LONGER_A_MEMBER', { cause }) : cause
  })
}

/** The existing teams among those named, in their order. */
export async function listExistingTeams(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  ids: Id<'team'>[],
): Promise<Id<'team'>[]> {
  if (ids.length === 0 || !organizationConfig(ctx).teams.enabled) return []
  const existing = new Set((await findTeams(db, organizationId, ids)).map(({ id }) => id))
  return ids.filter((id) => existing.has(id))
}

/** Emits an event about an invitation. */
export async function tellInvitation(
  ctx: Context,
  tx: Tx,
  type: OrganizationEventType,
  { id, organizationId, email, role }: InvitationRow,
  who: { actorId: Id<'user'> | null; userId: Id<'user'> | null },
): Promise<void> {
  await emit(tx, ctx.clock.now(), { type, ...who, organizationId, data: { invitationId: id, email, role } })
}
