import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { type Db, type Id, isDatabaseUnavailable, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { markEmailVerified, type UserRow } from '../identity/users.service.ts'
import { type InvitationRow, toInvitation } from './answers.ts'
import { enter, requireNewcomer, toNewMember } from './entry.service.ts'
import { tellMemberAdded } from './hooks.service.ts'
import {
  type DescribedInvitationRow,
  findDescribedInvitation,
  findInvitation,
  listInvitationsOf,
  listOpenInvitationsTo,
  transitionInvitation,
} from './invitation.repository.ts'
import { isOpen, isProofOf } from './invitation-proof.ts'
import { findMemberOf, lockOrganization } from './membership.repository.ts'
import { requireOrganization } from './membership.service.ts'
import { findMembership, lockMembership, organizationConfig, requireMember, requirePermission } from './membership.ts'
import { listExistingTeams, requireStillInvited, tellInvitation } from './open-invitation.service.ts'

/**
 * Makes the recipient a member and the organization active in their session (specification, section 4). The proof from
 * the mail also verifies their address.
 */
export const acceptInvitation: AuthHandler<'acceptInvitation'> = async ({ ctx, caller, session, body }) => {
  const { organizationId } = await requireInvitationTo(ctx, ctx.db, session.user, body, 'INVITATION_NOT_FOUND')

  const { accepted, entry, user } = await ctx.transaction(async (tx) => {
    const newcomer = await requireNewcomer(tx, session)
    const organization = await requireOrganization(tx, organizationId, 'INVITATION_NOT_FOUND')
    // Both may have changed before they were locked.
    const invitation = await requireInvitationTo(ctx, tx, newcomer, body, 'INVITATION_NOT_FOUND')
    await requireStillInvited(ctx, tx, invitation)
    const user = isProofOf(invitation, body.proof) ? await verifyAddress(ctx, tx, newcomer) : newcomer
    if (organization.requireVerifiedEmail && !user.emailVerified)
      throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')

    // Deleted teams do not prevent joining.
    const teamIds = await listExistingTeams(ctx, tx, organizationId, invitation.teamId?.split(',') ?? [])
    const entry = await enter(ctx, tx, session, organization, { role: invitation.role, teamIds, by: 'invitation' })
    const accepted = await transitionInvitation(tx, invitation.id, 'accepted', ctx.clock.now())
    if (!accepted) throw new TollgateError('INVITATION_NOT_FOUND')
    await tellInvitation(ctx, tx, 'invitation.accepted', accepted, { actorId: user.id, userId: user.id })
    return { accepted, entry, user }
  })
  renewSessionCookies(ctx, caller, { session: entry.session, user })
  tellMemberAdded(ctx, entry.member)
  return { invitation: toInvitation(accepted), member: await toNewMember(ctx, ctx.db, entry.member) }
}

/**
 * The open invitation that a user may act on. It must be to their address, which must be verified unless they have the
 * proof (auth contract, section 10).
 */
async function requireInvitationTo(
  ctx: Context,
  db: Db,
  user: UserRow,
  { invitationId, proof }: { invitationId: Id<'invitation'>; proof?: string | undefined },
  refusal: 'INVITATION_NOT_FOUND' | 'INVITATION_GONE',
): Promise<InvitationRow> {
  const invitation = await readInvitation(db, invitationId, refusal)
  if (!invitation || !isOpen(ctx, invitation)) throw new TollgateError(refusal)
  if (invitation.email !== user.email || !(mayAnswer(ctx, user) || isProofOf(invitation, proof)))
    throw new TollgateError('NOT_THE_RECIPIENT')
  return invitation
}

/** Accepting has a text of its own for a failed read (specification, section 8). */
const readInvitation = (db: Db, id: Id<'invitation'>, refusal: 'INVITATION_NOT_FOUND' | 'INVITATION_GONE') =>
  findInvitation(db, id).catch((cause) => {
    if (isDatabaseUnavailable(cause) || refusal === 'INVITATION_GONE') throw cause
    throw new TollgateError('FAILED_TO_RETRIEVE_INVITATION', { cause })
  })

/** Whether a user may answer invitations to their address without the proof. */
const mayAnswer = (ctx: Context, user: Pick<UserRow, 'emailVerified'>): boolean =>
  user.emailVerified || !organizationConfig(ctx).requireEmailVerificationOnInvitation

/** The proof shows that this account's user read the mail, so the account keeps everything (security, §0). */
async function verifyAddress(ctx: Context, tx: Tx, user: UserRow): Promise<UserRow> {
  const now = ctx.clock.now()
  const verified = await markEmailVerified(tx, user.id, user.email, now)
  if (!verified) return user
  await emit(tx, now, { type: 'user.email_verified', actorId: user.id, userId: user.id })
  return verified
}

/** Declines an invitation. */
export const rejectInvitation: AuthHandler<'rejectInvitation'> = async ({ ctx, session, body }) => {
  const { user } = session
  const { organizationId } = await requireInvitationTo(ctx, ctx.db, user, body, 'INVITATION_GONE')
  const rejected = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const { id } = await requireInvitationTo(ctx, tx, user, body, 'INVITATION_GONE')
    const row = await transitionInvitation(tx, id, 'rejected', ctx.clock.now())
    if (row) await tellInvitation(ctx, tx, 'invitation.rejected', row, { actorId: user.id, userId: user.id })
    return row
  })
  if (!rejected) throw new TollgateError('INVITATION_GONE')
  return { invitation: toInvitation(rejected), member: null }
}

/** Cancels an open invitation. For non-members of its organization it does not exist. */
export const cancelInvitation: AuthHandler<'cancelInvitation'> = async ({ ctx, session, body }) => {
  const found = await findInvitation(ctx.db, body.invitationId)
  const membership = found && (await findMembership(ctx, ctx.db, session, found.organizationId))
  if (!membership) throw new TollgateError('INVITATION_NOT_FOUND')
  requirePermission(membership, 'invitation', 'cancel', 'INVITATION_CANCEL_NOT_ALLOWED')

  const canceled = await ctx.transaction(async (tx) => {
    const now = await lockMembership(ctx, tx, session, found.organizationId, 'MEMBER_NOT_FOUND')
    requirePermission(now, 'invitation', 'cancel', 'INVITATION_CANCEL_NOT_ALLOWED')
    return cancelOpen(ctx, tx, session, found)
  })
  if (!canceled) throw new TollgateError('INVITATION_NOT_FOUND')
  return toInvitation(canceled)
}

/** Cancels an invitation; undefined if it was answered concurrently. */
export async function cancelOpen(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  { id }: InvitationRow,
): Promise<InvitationRow | undefined> {
  const canceled = await transitionInvitation(tx, id, 'canceled', ctx.clock.now())
  if (canceled)
    await tellInvitation(ctx, tx, 'invitation.canceled', canceled, { actorId: actorOf(current), userId: null })
  return canceled
}

/**
 * An open invitation, for its recipient and callers with the proof. The proof shows the invited address even to other
 * accounts. Signed-out callers without it cannot tell whether the invitation exists.
 */
export const getInvitation: AuthHandler<'getInvitation'> = async ({ ctx, caller, query }) => {
  const current = await findCurrentSession(ctx, caller)
  const found = await findInvitation(ctx.db, query.id)
  const invitation = found && isOpen(ctx, found) ? found : undefined
  if (!invitation || !isProofOf(invitation, query.proof)) {
    if (!current) throw new TollgateError('NOT_AUTHENTICATED')
    await requireInvitationTo(ctx, ctx.db, current.user, { invitationId: query.id }, 'INVITATION_GONE')
  }
  const row = await findDescribedInvitation(ctx.db, query.id)
  if (!row) throw new TollgateError('INVITER_NO_LONGER_A_MEMBER')
  await requireStillInvited(ctx, ctx.db, row)
  return toDescribed(row)
}

/** The final states besides expiry. */
const endings = ['accepted', 'rejected', 'canceled'] as const

export type ClosedInvitation = {
  /** `inviter-gone`: it expired or was canceled, and its inviter can no longer send another one. */
  readonly status: 'expired' | 'inviter-gone' | (typeof endings)[number]
  readonly invitation: Answer<'getInvitation'>
}

/**
 * What became of a closed invitation, for its recipient, callers with the proof, and the member who accepted it. For
 * all others it does not exist.
 */
export async function lookAtClosedInvitation(
  ctx: Context,
  user: Pick<UserRow, 'id' | 'email' | 'emailVerified'> | undefined,
  { id, proof }: { id: Id<'invitation'>; proof?: string | undefined },
): Promise<ClosedInvitation | undefined> {
  const row = await findDescribedInvitation(ctx.db, id)
  if (!row || isOpen(ctx, row)) return undefined
  const mayKnow = isProofOf(row, proof) || (user?.email === row.email && (await isKnownTo(ctx, user, row)))
  if (!mayKnow) return undefined
  const ending = endings.find((status) => status === row.status)
  const invitation = toDescribed(row)
  if (ending === 'accepted' || ending === 'rejected') return { status: ending, invitation }
  const inviter = await findMemberOf(ctx.db, row.organizationId, row.inviterId)
  return { status: inviter ? (ending ?? 'expired') : 'inviter-gone', invitation }
}

/** Whether the invited user verified the address or joined by the invitation. */
const isKnownTo = async (
  ctx: Context,
  user: Pick<UserRow, 'id' | 'emailVerified'>,
  { organizationId, status }: InvitationRow,
): Promise<boolean> =>
  mayAnswer(ctx, user) || (status === 'accepted' && Boolean(await findMemberOf(ctx.db, organizationId, user.id)))

const toDescribed = (row: DescribedInvitationRow): Answer<'getInvitation'> => {
  const { organizationName, organizationSlug, organizationLogo, inviterEmail, inviterName } = row
  return { ...toInvitation(row), organizationName, organizationSlug, organizationLogo, inviterEmail, inviterName }
}

/** The default page size. */
const usualLimit = 100

/** The invitations of an organization, in every state, newest first, for its members. */
export const listInvitations: AuthHandler<'listInvitations'> = async ({ ctx, session, query }) => {
  const organizationId = query.organizationId ?? session.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('ORGANIZATION_ID_REQUIRED')
  const membership = await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listInvitationsOf(ctx.db, membership.organizationId, { ...page, status: query.status })
  return rows.map(toInvitation)
}

/** The open invitations to the caller's own address; server code may name another one. */
export const listUserInvitations: AuthHandler<'listUserInvitations'> = async ({ ctx, caller, session, query }) => {
  const named = caller.isServer && query.email !== undefined ? normalizeEmail(query.email) : undefined
  const email = named === undefined ? ownAddress(ctx, session) : named
  if (email === null) return []
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listOpenInvitationsTo(ctx.db, email, ctx.clock.now(), page)
  return rows.map((row) => {
    const { organizationName, organizationSlug, inviterEmail } = row
    return { ...toInvitation(row), organizationName, organizationSlug, inviterEmail }
  })
}

/** Null while the caller's address needs verification. */
function ownAddress(ctx: Context, current: SessionRow | undefined): string | null {
  if (!current) throw new TollgateError('UNAUTHORIZED')
  return mayAnswer(ctx, current.user) ? current.user.email : null
}
