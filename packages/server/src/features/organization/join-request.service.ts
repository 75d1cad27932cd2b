import { splitRoles } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { isBanned, lockUser, type UserRow } from '../identity/users.service.ts'
import { findVerifiedDomain } from './domain.repository.ts'
import { domainOf } from './domain-rules.ts'
import { toNewMember } from './entry.service.ts'
import { tellMemberAdded } from './hooks.service.ts'
import { countUse, findLink, type InvitationLinkRow } from './invitation-link.repository.ts'
import { isOfDomains, teamsOf } from './invitation-link.service.ts'
import {
  decideRequest,
  findOpenRequest,
  type JoinRequestRow,
  type JoinRequestWithUserRow,
  listOpenRequests,
} from './join-request.repository.ts'
import { lockOrganization } from './membership.repository.ts'
import { admitMember } from './membership.service.ts'
import { type Membership, requireGrantable, requireMember, requirePermission } from './membership.ts'
import { namedOrganization } from './named-organization.ts'

const usualLimit = 100

export const listJoinRequests: AuthHandler<'listJoinRequests'> = async ({ ctx, session, query }) => {
  const { organizationId } = await requireDoorkeeper(ctx, ctx.db, session, namedOrganization(session, query))
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  return (await listOpenRequests(ctx.db, organizationId, page)).map(toJoinRequest)
}

/** Approves a request with its role, within the limits and the approver's own permissions. */
export const approveJoinRequest: AuthHandler<'approveJoinRequest'> = async ({ ctx, caller, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireDoorkeeper(ctx, ctx.db, session, organizationId)
  const asked = await requireOpenRequest(ctx.db, organizationId, body.requestId)

  const actorId = actorOf(session)
  const approved = await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, asked.userId)
    const organization = await lockOrganization(tx, organizationId)
    const membership = await requireDoorkeeper(ctx, tx, session, organizationId)
    const request = await requireOpenRequest(tx, organizationId, body.requestId)
    const link = request.linkId === null ? undefined : await findLink(tx, organizationId, request.linkId)
    if (!user || !organization || !(await isStillFit(ctx, tx, request, link, user)))
      throw new TollgateError('JOIN_REQUEST_NOT_FOUND')
    await requireGrantable(ctx, tx, membership, splitRoles(request.role), 'INVITE_ROLE_NOT_ALLOWED')

    // Decide first: joining deletes the pending request.
    await decide(ctx, tx, request, 'approved', actorId)
    const member = await admitMember(ctx, tx, {
      organizationId,
      userId: user.id,
      role: request.role,
      teamIds: await teamsOf(ctx, tx, request),
      actorId,
      by: 'request',
    })
    if (link && !(await countUse(tx, link.id))) throw new TollgateError('INVITATION_LINK_NOT_FOUND')
    await enqueueMail(ctx, tx, {
      to: user.email,
      locale: caller.locale,
      template: 'join-approved',
      data: {
        name: user.name,
        organizationName: organization.name,
        url: `${ctx.config.baseURL.origin}/org/${organization.slug}`,
      },
    })
    return { request, member }
  })
  tellMemberAdded(ctx, approved.member)
  return {
    request: { ...toJoinRequest(approved.request), status: 'approved' },
    member: await toNewMember(ctx, ctx.db, approved.member),
  }
}

/** Denies a request; the user may ask again a day later. */
export const denyJoinRequest: AuthHandler<'denyJoinRequest'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireDoorkeeper(ctx, ctx.db, session, organizationId)
  const request = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    await requireDoorkeeper(ctx, tx, session, organizationId)
    const open = await requireOpenRequest(tx, organizationId, body.requestId)
    await decide(ctx, tx, open, 'denied', actorOf(session))
    return open
  })
  return { request: { ...toJoinRequest(request), status: 'denied' } }
}

/** Requires a member who may approve requests. */
async function requireDoorkeeper(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: Id<'organization'>,
): Promise<Membership> {
  const membership = await requireMember(ctx, db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'member', 'create', 'JOIN_REQUESTS_NOT_ALLOWED')
  return membership
}

async function requireOpenRequest(
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'joinRequest'>,
): Promise<JoinRequestWithUserRow> {
  const request = await findOpenRequest(db, organizationId, id)
  if (!request) throw new TollgateError('JOIN_REQUEST_NOT_FOUND')
  return request
}

/** Whether the request's basis still holds: the user's address or the organization's domains may have changed. */
async function isStillFit(
  ctx: Context,
  tx: Tx,
  { organizationId, linkId }: JoinRequestRow,
  link: InvitationLinkRow | undefined,
  user: UserRow,
): Promise<boolean> {
  if (!user.emailVerified || isBanned(user, ctx.clock.now())) return false
  if (linkId !== null) return link !== undefined && isOfDomains(link, user)
  const domain = await findVerifiedDomain(tx, domainOf(user.email))
  return domain?.organizationId === organizationId && domain.joinMode !== 'off'
}

async function decide(
  ctx: Context,
  tx: Tx,
  { id, organizationId, userId, role }: JoinRequestRow,
  status: 'approved' | 'denied',
  actorId: Id<'user'>,
): Promise<void> {
  const now = ctx.clock.now()
  const decided = await decideRequest(tx, id, { status, decidedBy: actorId, decidedAt: now })
  if (!decided) throw new TollgateError('JOIN_REQUEST_NOT_FOUND')
  await emit(tx, now, {
    type: `join_request.${status}`,
    actorId,
    userId,
    organizationId,
    data: { requestId: id, role },
  })
}

const toJoinRequest = (row: JoinRequestWithUserRow): Answer<'denyJoinRequest'>['request'] => ({
  id: row.id,
  organizationId: row.organizationId,
  userId: row.userId,
  user: { id: row.userId, name: row.userName, email: row.userEmail, image: row.userImage },
  role: row.role,
  source: row.linkId === null ? 'domain' : 'link',
  status: row.status,
  createdAt: row.createdAt.toISOString(),
})
