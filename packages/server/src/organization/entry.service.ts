import type { AccessRequest } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { lockUser, setActiveOrganization, type UserRow } from '../identity/users.service.ts'
import { newId } from '../ids.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import type { MailLocale } from '../mail/templates.ts'
import { allows, membershipOf, organizationConfig } from '../membership.ts'
import { emit } from '../outbox.ts'
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

/** How people come in who do it themselves, by a link or by the domain of their address: at once, or by asking. */

/** Whoever comes in, as they are now; locked before the organization, as everybody does who needs both. */
export async function requireNewcomer(tx: Tx, { user }: SessionRow): Promise<UserRow> {
  const newcomer = await lockUser(tx, user.id)
  if (!newcomer) throw new TollgateError('UNAUTHORIZED')
  return newcomer
}

/**
 * Whether somebody who is no member was one until another person, or the server, removed them. A door that is open to
 * everybody is not open to them: they may ask, and come back when somebody lets them in.
 */
export async function wasRemoved(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const last = await findLastRemoval(db, organizationId, userId)
  return last !== undefined && last.actorId !== userId
}

type Entry = {
  readonly member: MemberRow
  readonly organization: OrganizationRow
  readonly session: SessionRow['session']
}

/** Makes the caller a member, and the organization the active one of their session; it is locked by then. */
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
  // Ended at the same moment: whoever ended it did not want this done.
  if (!session) throw new TollgateError('UNAUTHORIZED')
  return { member, organization, session }
}

/** How long whoever was denied waits before they ask again. */
const denialLasts = days(1)
/** Most members who are told of a request. */
const recipientLimit = 20

/** Why somebody may not ask now, if so: they have asked already, or were denied a moment ago. */
async function refusalToAsk(ctx: Context, db: Db, organizationId: string, userId: string) {
  const last = await findLastRequest(db, organizationId, userId)
  if (last?.status === 'pending') return 'JOIN_ALREADY_REQUESTED'
  const deniedAt = last?.decidedAt
  return deniedAt && after(deniedAt, denialLasts) > ctx.clock.now() ? 'JOIN_NOT_ALLOWED' : undefined
}

/** Counts a mail about a request, which is made with or without one. What will be refused is not counted. */
export async function mayMailRequest(ctx: Context, organizationId: string, user: UserRow): Promise<boolean> {
  if (!user.emailVerified || (await refusalToAsk(ctx, ctx.db, organizationId, user.id))) return false
  return ctx.limits.mail('join-request', organizationId)
}

/** Writes a request to join an organization, which is locked by then, and tells those who may answer it, in a language. */
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

/** Members who may do something, those who came first, where they can be written to. Few texts of roles stand for many members. */
export async function listMembersWho(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  asked: AccessRequest,
): Promise<Recipient[]> {
  const texts: string[] = []
  for (const one of await listRoleTexts(tx, organizationId)) {
    const membership = await membershipOf(ctx, tx, { ...one, organizationId })
    if (allows(membership, asked)) texts.push(one.role)
  }
  return listMembersByRoles(tx, organizationId, texts, recipientLimit)
}

/** After the commit: the cookies of the session, and the answer. */
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

/** A member with their first team, where there are teams. */
export async function toNewMember(ctx: Context, db: Db, member: MemberRow): Promise<Answer<'addMember'>> {
  if (!organizationConfig(ctx).teams.enabled) return toMember(member)
  return toMember(member, (await firstTeams(db, [member.id])).get(member.id) ?? null)
}
