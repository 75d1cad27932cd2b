import { splitRoles } from '@tollgate/contract/calls'
import type { ParsedBody } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId, newInvitationProof } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { actorOf } from '../../foundation/outbox.ts'
import { firstOf } from '../../foundation/proof/proven.ts'
import { sha256 } from '../../foundation/token.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { isMadeUp, normalizeEmail } from '../identity/profile-rules.ts'
import { findUserByEmail, type UserRow } from '../identity/users.service.ts'
import { type InvitationRow, type OrganizationRow, toInvitation } from './answers.ts'
import {
  countOpenInvitations,
  findPendingInvitation,
  insertInvitation,
  renewInvitationRow,
} from './invitation.repository.ts'
import { cancelOpen } from './invitation.service.ts'
import { isOpen } from './invitation-proof.ts'
import { findMemberOf } from './membership.repository.ts'
import { requireOrganization } from './membership.service.ts'
import { type Membership, normalizeRoles, organizationConfig, requireGrantable, requireMember } from './membership.ts'
import { listExistingTeams, requireInviter, tellInvitation } from './open-invitation.service.ts'

/** The terms of an invitation, for one or several addresses. */
type Offer = Pick<ParsedBody<'inviteMember'>, 'role' | 'organizationId' | 'resend' | 'teamId'>

/** The result for one address; a refusal does not affect the others. */
type Outcome =
  | { readonly email: string; readonly invitation: InvitationRow }
  | { readonly email: string; readonly refusal: TollgateError }

/** Invites an address by mail. A renewed invitation keeps its id, and the link of its previous mail ends. */
export const inviteMember: AuthHandler<'inviteMember'> = async ({ ctx, caller, session, body }) => {
  const outcomes = await invite(ctx, caller, session, body, [body.email])
  const outcome = firstOf(outcomes, 'each address has one')
  if ('refusal' in outcome) throw outcome.refusal
  return toInvitation(outcome.invitation)
}

/** Invites several addresses, each distinct one once. */
export const inviteMembers: AuthHandler<'inviteMembers'> = async ({ ctx, caller, session, body }) => {
  const outcomes = await invite(ctx, caller, session, body, body.emails)
  return {
    results: outcomes.map((outcome) => {
      if ('invitation' in outcome)
        return { email: outcome.email, invitation: toInvitation(outcome.invitation), error: null }
      const { code, message } = outcome.refusal
      return { email: outcome.email, invitation: null, error: { code, message } }
    }),
  }
}

/**
 * Handles all addresses in one transaction and lock, so that the limit counts them in order. A missing permission
 * refuses the whole call; a problem with an address refuses only that address.
 */
async function invite(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  offer: Offer,
  given: readonly string[],
): Promise<Outcome[]> {
  const organizationId = offer.organizationId ?? current.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  const roles = normalizeRoles(offer.role)
  await requireInviting(ctx, ctx.db, current, organizationId, roles)
  await requireTeams(ctx, ctx.db, organizationId, offer)

  const outcomes = new Map<string, Outcome | undefined>()
  for (const address of given) {
    const email = normalizeEmail(address) ?? address
    if (!outcomes.has(email)) outcomes.set(email, await findRefusal(ctx, current, organizationId, email, offer))
  }

  return ctx.transaction(async (tx) => {
    const organization = await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    const membership = await requireInviting(ctx, tx, current, organizationId, roles)
    const teamIds = await requireTeams(ctx, tx, organizationId, offer)
    const invitation = { organization, membership, roles, teamIds, resend: offer.resend === true }
    const all: Outcome[] = []
    for (const [email, refused] of outcomes)
      all.push(refused ?? (await outcomeOf(email, () => inviteAddress(ctx, tx, caller, current, email, invitation))))
    return all
  })
}

/** Requires that the caller may invite with these roles; called again inside the transaction. */
async function requireInviting(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: Id<'organization'>,
  roles: readonly string[],
): Promise<Membership> {
  const membership = await requireMember(ctx, db, current, organizationId, 'MEMBER_NOT_FOUND')
  await requireInviter(ctx, db, membership, roles)
  return membership
}

/** The distinct teams of an offer; undefined if it names none. While teams are off, every named team is unknown. */
async function requireTeams(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  { teamId }: Offer,
): Promise<string[] | undefined> {
  if (teamId === undefined) return undefined
  const asked = [...new Set([teamId].flat())].filter((id) => id !== '')
  const found = await listExistingTeams(ctx, db, organizationId, asked)
  if (found.length < asked.length) throw new TollgateError('TEAM_NOT_FOUND')
  return found
}

/** Checks an address before the transaction. Limits come last, because a refused address sends no mail. */
async function findRefusal(
  ctx: Context,
  current: SessionRow,
  organizationId: Id<'organization'>,
  email: string,
  { resend }: Offer,
): Promise<Outcome | undefined> {
  const outcome = await outcomeOf(email, async () => {
    if (normalizeEmail(email) === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
    await requireInvitable(ctx, ctx.db, organizationId, email, resend === true)
    await ctx.limits.invitation({ inviter: current.user, organizationId, address: email })
    return undefined
  })
  return 'refusal' in outcome ? outcome : undefined
}

type Settled<T> = { readonly email: string; readonly invitation: T } | Extract<Outcome, { refusal: unknown }>

async function outcomeOf<T>(email: string, work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { email, invitation: await work() }
  } catch (refusal) {
    if (refusal instanceof TollgateError) return { email, refusal }
    throw refusal
  }
}

/** Refuses members and invited addresses; returns the user of the address and their pending invitation. */
async function requireInvitable(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  email: string,
  resend: boolean,
): Promise<{ recipient: UserRow | undefined; pending: InvitationRow | undefined }> {
  const recipient = await findUserByEmail(db, email)
  if (recipient && (await findMemberOf(db, organizationId, recipient.id))) throw new TollgateError('ALREADY_A_MEMBER')
  const pending = await findPendingInvitation(db, organizationId, email)
  const mayReplace = resend || organizationConfig(ctx).cancelPendingInvitationsOnReInvite
  if (pending && isOpen(ctx, pending) && !mayReplace) throw new TollgateError('ALREADY_INVITED')
  return { recipient, pending }
}

/** Invites one address under the organization's lock: renews a pending invitation or inserts one. */
async function inviteAddress(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  current: SessionRow,
  email: string,
  offer: {
    organization: OrganizationRow
    membership: Membership
    roles: string[]
    teamIds: Id<'team'>[] | undefined
    resend: boolean
  },
): Promise<InvitationRow> {
  const { organization, membership, roles, teamIds, resend } = offer
  const { invitationLimit, invitationExpiresIn } = organizationConfig(ctx)
  const now = ctx.clock.now()
  const { recipient, pending } = await requireInvitable(ctx, tx, organization.id, email, resend)
  const open = pending && isOpen(ctx, pending) ? pending : undefined
  // A caller cannot replace an invitation above their own permissions, such as an owner's.
  if (open) await requireGrantable(ctx, tx, membership, splitRoles(open.role), 'INVITE_ROLE_NOT_ALLOWED')
  // A replacement does not count towards the limit.
  if (!open && (await countOpenInvitations(tx, organization.id, now)) >= invitationLimit)
    throw new TollgateError('INVITATION_LIMIT_REACHED')

  const secret = newInvitationProof()
  // A resend keeps the invitation's teams unless the offer names others.
  const keptTeams = open && resend ? open.teamId : null
  const terms = {
    role: roles.join(','),
    teamId: teamIds ? teamIds.join(',') || null : keptTeams,
    inviterId: current.user.id,
    proofHash: sha256(secret),
    expiresAt: after(now, seconds(invitationExpiresIn)),
  }
  const isReplaced = open !== undefined && !resend
  if (isReplaced) await cancelOpen(ctx, tx, current, open)
  const renewed = pending && !isReplaced ? await renewInvitationRow(tx, pending.id, terms) : undefined
  const invitation =
    renewed ??
    (await insertInvitation(tx, {
      ...terms,
      id: newId(),
      organizationId: organization.id,
      email,
      status: 'pending',
      createdAt: now,
    }))
  await tellInvitation(ctx, tx, renewed ? 'invitation.renewed' : 'invitation.created', invitation, {
    actorId: actorOf(current),
    userId: null,
  })
  await enqueueMail(ctx, tx, {
    to: email,
    locale: caller.locale,
    template: 'invitation',
    sellerId: organization.id,
    data: {
      // An unverified account's name must not appear in a mail to the owner of the address.
      name: recipient?.emailVerified ? recipient.name : '',
      organizationName: organization.name,
      inviterName: current.user.name,
      inviterEmail: introducingAddress(current.user),
      role: invitation.role,
      url: `${ctx.config.baseURL.origin}/accept-invitation/${invitation.id}?proof=${secret}`,
      expiresInMinutes: Math.floor(invitationExpiresIn / 60),
    },
  })
  return invitation
}

/** The mail shows only a verified address of the inviter, unless they have no name. */
const introducingAddress = ({ email, emailVerified, name }: UserRow): string | null =>
  emailVerified || name.trim() === '' ? email : null
