import type { AccessRequest } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { emit } from '../../foundation/outbox.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { lockUser, setActiveOrganization, type UserRow } from '../identity/users.service.ts'
import { type MemberRow, type OrganizationRow, toMember } from './answers.ts'
import { tellMemberAdded } from './hooks.service.ts'
import {
  findLastRequest,
  insertJoinRequest,
  type JoinRequestRow,
  listMembersByRoles,
  listRoleTexts,
  type Recipient,
} from './join-request.repository.ts'
import { findLastRemoval, firstTeams } from './membership.repository.ts'
import { type Admission, admitMember } from './membership.service.ts'
import { allows, membershipOf, organizationConfig } from './membership.ts'

/** How users join by a link or by their address's domain: directly, or by request. */

/** The joining user, locked before the organization, as the lock order requires. */
export async function requireNewcomer(tx: Tx, { user }: SessionRow): Promise<UserRow> {
  const newcomer = await lockUser(tx, user.id)
  if (!newcomer) throw new TollgateError('UNAUTHORIZED')
  return newcomer
}

/**
 * Whether another person or the server ended a former member's last membership. Such users cannot join directly: they
 * may ask, and return once a member approves.
 */
export async function wasRemoved(db: Db, organizationId: Id<'organization'>, userId: Id<'user'>): Promise<boolean> {
  const last = await findLastRemoval(db, organizationId, userId)
  return last !== undefined && last.actorId !== userId
}

type Entry = {
  readonly member: MemberRow
  readonly organization: OrganizationRow
  readonly session: SessionRow['session']
}

/** Makes the caller a member of the locked organization and makes it active in their session. */
export async function enter(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  organization: OrganizationRow,
  admission: Pick<Admission, 'role' | 'teamIds' | 'by'>,
): Promise<Entry> {
  const userId = current.user.id
  const member = await admitMember(ctx, tx, { ...admission, organizationId: organization.id, userId, actorId: userId })
  const active = { activeOrganizationId: organization.id, activeTeamId: null }
  const session = await setActiveOrganization(tx, current.session.id, active)
  // The session ended meanwhile, so the user must not join.
  if (!session) throw new TollgateError('UNAUTHORIZED')
  return { member, organization, session }
}

/** How long a denied user waits before asking again. */
const denialLasts = days(1)
/** Maximum number of members that a request notifies. */
const recipientLimit = 20

/** The refusal of a further request: one is pending, or was denied recently. */
async function refusalToAsk(ctx: Context, db: Db, organizationId: Id<'organization'>, userId: Id<'user'>) {
  const last = await findLastRequest(db, organizationId, userId)
  if (last?.status === 'pending') return 'JOIN_ALREADY_REQUESTED'
  const deniedAt = last?.decidedAt
  return deniedAt && after(deniedAt, denialLasts) > ctx.clock.now() ? 'JOIN_NOT_ALLOWED' : undefined
}

/** Counts the mail about a request; the request itself does not depend on it. Refused requests are not counted. */
export async function mayMailRequest(
  ctx: Context,
  organizationId: Id<'organization'>,
  user: UserRow,
): Promise<boolean> {
  if (!user.emailVerified || (await refusalToAsk(ctx, ctx.db, organizationId, user.id))) return false
  return ctx.limits.mail('join-request', organizationId)
}

/** Inserts a request to join the locked organization and mails the members who may answer it, if a locale is given. */
export async function askToJoin(
  ctx: Context,
  tx: Tx,
  organization: OrganizationRow,
  user: UserRow,
  request: Pick<JoinRequestRow, 'role' | 'teamId' | 'linkId'>,
  mailLocale: MailLocale | undefined,
): Promise<void> {
  const organizationId = organization.id
  const refusal = await refusalToAsk(ctx, tx, organizationId, user.id)
  if (refusal) throw new TollgateError(refusal)
  const now = ctx.clock.now()
  const { id } = await insertJoinRequest(tx, {
    ...request,
    id: newId(),
    organizationId,
    userId: user.id,
    status: 'pending',
    createdAt: now,
  })
  await emit(tx, now, {
    type: 'join_request.created',
    actorId: user.id,
    userId: user.id,
    organizationId,
    data: { requestId: id, role: request.role, by: request.linkId === null ? 'domain' : 'link' },
  })
  if (mailLocale === undefined) return
  const url = `${ctx.config.baseURL.origin}/org/${organization.slug}/invitations`
  for (const { name, email } of await listMembersWho(ctx, tx, organizationId, { member: ['create'] }))
    await enqueueMail(ctx, tx, {
      to: email,
      locale: mailLocale,
      template: 'join-request',
      data: {
        name,
        organizationName: organization.name,
        requesterName: user.name,
        requesterEmail: user.email,
        url,
      },
    })
}

/** Members with a permission and a verified address, oldest first. Few distinct role texts cover many members. */
export async function listMembersWho(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  asked: AccessRequest,
): Promise<Recipient[]> {
  const texts: string[] = []
  for (const one of await listRoleTexts(tx, organizationId)) {
    const membership = await membershipOf(ctx, tx, { ...one, organizationId })
    if (allows(membership, asked)) texts.push(one.role)
  }
  return listMembersByRoles(tx, organizationId, texts, recipientLimit)
}

/** Runs after the commit: renews the session cookies and builds the answer. */
export async function answerEntry(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  { member, organization, session }: Entry,
): Promise<Answer<'joinByLink'>> {
  const { name, slug, requireVerifiedEmail } = organization
  const active = {
    memberId: member.id,
    organizationId: organization.id,
    name,
    slug,
    role: member.role,
    requireVerifiedEmail,
  }
  renewSessionCookies(ctx, caller, { ...current, session, active })
  tellMemberAdded(ctx, member)
  return { status: 'joined', organizationId: organization.id, member: await toNewMember(ctx, ctx.db, member) }
}

/** A member with their first team, if teams are on. */
export async function toNewMember(ctx: Context, db: Db, member: MemberRow): Promise<Answer<'addMember'>> {
  if (!organizationConfig(ctx).teams.enabled) return toMember(member)
  return toMember(member, (await firstTeams(db, [member.id])).get(member.id) ?? null)
}
