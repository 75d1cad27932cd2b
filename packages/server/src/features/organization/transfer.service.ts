import { splitRoles } from '@tollgate/contract/calls'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { isFresh } from '../identity/session.service.ts'
import { findUser, isBanned } from '../identity/users.service.ts'
import { type MemberRow, type OrganizationRow, toMember } from './answers.ts'
import { findMember, lockOrganization, updateMemberRow } from './membership.repository.ts'
import { type Membership, organizationConfig, requireMember } from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import { teamIdsOf } from './team-member.service.ts'

/**
 * Makes another member the owner instead of the caller, who becomes an administrator of the organization. Only an
 * owner in a fresh session may do so, because the caller cannot undo it.
 */
export const transferOwnership: AuthHandler<'transferOwnership'> = async ({ ctx, caller, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireOwner(ctx, ctx.db, session, organizationId)
  if (!isFresh(ctx, session.session)) throw new TollgateError('SESSION_IS_NOT_FRESH')

  return ctx.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId)
    // A concurrent transfer may have taken the ownership away.
    const owner = await requireOwner(ctx, tx, session, organizationId)
    const receiver = await requireReceiver(ctx, tx, organization, owner, body.memberId)

    const member = await updateMemberRow(tx, receiver.id, organizationConfig(ctx).creatorRole)
    const previousOwner = await updateMemberRow(tx, owner.memberId, roleAfterwards(ctx, owner))
    if (!organization || !member || !previousOwner) throw new TollgateError('MEMBER_NOT_FOUND')
    await tell(ctx, tx, caller, session, organization, member)
    const teamIdOf = await teamIdsOf(ctx, tx, [member.id, previousOwner.id])
    return {
      member: toMember(member, teamIdOf(member.id)),
      previousOwner: toMember(previousOwner, teamIdOf(previousOwner.id)),
    }
  })
}

async function requireOwner(
  ctx: Context,
  db: Context['db'],
  current: SessionRow,
  organizationId: Id<'organization'>,
): Promise<Membership> {
  const membership = await requireMember(ctx, db, current, organizationId, 'ORGANIZATION_TRANSFER_NOT_ALLOWED')
  if (!membership.isOwner) throw new TollgateError('ORGANIZATION_TRANSFER_NOT_ALLOWED')
  return membership
}

/** Another member who can act as owner: the organization must not lock its owner out. */
async function requireReceiver(
  ctx: Context,
  tx: Tx,
  organization: OrganizationRow | undefined,
  owner: Membership,
  memberId: Id<'member'>,
): Promise<MemberRow> {
  const receiver = await findMember(tx, owner.organizationId, memberId)
  if (!receiver) throw new TollgateError('MEMBER_NOT_FOUND')
  const user = await findUser(tx, receiver.userId)
  if (receiver.id === owner.memberId || !user || isBanned(user, ctx.clock.now()))
    throw new TollgateError('ORGANIZATION_TRANSFER_NOT_ALLOWED')
  if (organization?.requireVerifiedEmail && !user.emailVerified)
    throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  return receiver
}

/** The caller's other roles, and the role below the owner's. */
function roleAfterwards(ctx: Context, { role }: Membership): string {
  const { creatorRole } = organizationConfig(ctx)
  const next = creatorRole === 'admin' ? 'member' : 'admin'
  return [...new Set([next, ...splitRoles(role).filter((name) => name !== creatorRole)])].join()
}

async function tell(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  current: SessionRow,
  { id: organizationId, name: organizationName, slug }: OrganizationRow,
  member: MemberRow,
): Promise<void> {
  const { userId } = member
  const data = { memberId: member.id, previousOwnerId: current.user.id }
  await emit(tx, ctx.clock.now(), {
    type: 'organization.transferred',
    actorId: actorOf(current),
    userId,
    organizationId,
    data,
  })
  const user = await findUser(tx, userId)
  if (!user) return
  await enqueueMail(ctx, tx, {
    to: user.email,
    locale: caller.locale,
    template: 'ownership-received',
    data: {
      name: user.name,
      organizationName,
      previousOwnerName: current.user.name,
      url: `${ctx.config.baseURL.origin}/org/${slug}`,
    },
  })
}
