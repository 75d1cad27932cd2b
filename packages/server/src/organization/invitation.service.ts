import { splitRoles } from '@tollgate/contract/calls'
import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { type Db, isDatabaseUnavailable, type Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { isMadeUp, normalizeEmail } from '../identity/profile-rules.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { findUserByEmail, markEmailVerified, type UserRow } from '../identity/users.service.ts'
import { newId, newInvitationProof } from '../ids.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import {
  findMembership,
  type Membership,
  membershipOf,
  normalizeRoles,
  organizationConfig,
  requireGrantable,
  requireMember,
  requirePermission,
} from '../membership.ts'
import { actorOf, emit, type OrganizationEventType } from '../outbox.ts'
import { sha256 } from '../token.ts'
import { type InvitationRow, type OrganizationRow, toInvitation } from './answers.ts'
import { enter, requireNewcomer, toNewMember } from './entry.service.ts'
import { tellMemberAdded } from './hooks.service.ts'
import {
  countOpenInvitations,
  findDescribedInvitation,
  findInvitation,
  findPendingInvitation,
  insertInvitation,
  listInvitationsOf,
  listOpenInvitationsTo,
  renewInvitationRow,
  transitionInvitation,
} from './invitation.repository.ts'
import { isOpen, isProofOf } from './invitation-proof.ts'
import { findMemberOf, lockOrganization } from './membership.repository.ts'
import { requireOrganization } from './membership.service.ts'
import { findTeams } from './team.repository.ts'

/** What is offered, to one address or to several. */
type Offer = Pick<ParsedBody<'inviteMember'>, 'role' | 'organizationId' | 'resend' | 'teamId'>

/** What became of one address: a refusal of one is none of the others. */
type Outcome =
  | { readonly email: string; readonly invitation: InvitationRow }
  | { readonly email: string; readonly refusal: TollgateError }

/** Invites an address by mail; a renewed invitation keeps its id, and the link of the mail before ends. */
export async function inviteMember(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'inviteMember'>,
): Promise<Answer<'inviteMember'>> {
  const outcomes = await invite(ctx, caller, current, body, [body.email])
  const outcome = outcomes[0]! // each address has one
  if ('refusal' in outcome) throw outcome.refusal
  return toInvitation(outcome.invitation)
}

/** Invites several addresses; one that is named twice is invited once. */
export async function inviteMembers(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'inviteMembers'>,
): Promise<Answer<'inviteMembers'>> {
  const outcomes = await invite(ctx, caller, current, body, body.emails)
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
 * All addresses in one transaction, under one lock: the limit counts them in their order. Who may not invite, or not as
 * that, is refused as a whole; what is wrong with an address is its own outcome.
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

/** Whether somebody may invite, and as that; read anew inside the transaction. */
async function requireInviting(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: string,
  roles: readonly string[],
): Promise<Membership> {
  const membership = await requireMember(ctx, db, current, organizationId, 'MEMBER_NOT_FOUND')
  await requireInviter(ctx, db, membership, roles)
  return membership
}

async function requireInviter(ctx: Context, db: Db, membership: Membership, roles: readonly string[]): Promise<void> {
  requirePermission(membership, 'invitation', 'create', 'INVITE_NOT_ALLOWED')
  await requireGrantable(ctx, db, membership, roles, 'INVITE_ROLE_NOT_ALLOWED')
}

/** The teams of an offer, each once. Nothing when none are named; where teams are off there are none to name. */
async function requireTeams(
  ctx: Context,
  db: Db,
  organizationId: string,
  { teamId }: Offer,
): Promise<string[] | undefined> {
  if (teamId === undefined) return undefined
  const asked = [...new Set([teamId].flat())].filter((id) => id !== '')
  const found = await listExistingTeams(ctx, db, organizationId, asked)
  if (found.length < asked.length) throw new TollgateError('TEAM_NOT_FOUND')
  return found
}

/** Those of some teams that the organization has, in the order in which they were named. */
async function listExistingTeams(ctx: Context, db: Db, organizationId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0 || !organizationConfig(ctx).teams.enabled) return []
  const existing = new Set((await findTeams(db, organizationId, ids)).map(({ id }) => id))
  return ids.filter((id) => existing.has(id))
}

/**
 * What speaks against an address before anything is begun. The limits are asked last: what is refused anyhow sends no mail,
 * and a person who is over their own must not use up that of a mailbox.
 */
async function findRefusal(
  ctx: Context,
  current: SessionRow,
  organizationId: string,
  email: string,
  { resend }: Offer,
): Promise<Outcome | undefined> {
  const outcome = await outcomeOf(email, async () => {
    if (normalizeEmail(email) === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
    await requireInvitable(ctx, ctx.db, organizationId, email, resend === true)
    if (!(await ctx.limits.mailBy(current.user.id))) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 3600 })
    if (!(await ctx.limits.mail('invitation', email))) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
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

/** Refuses members, and whoever has been invited already; gives the user of the address and their unanswered invitation. */
async function requireInvitable(
  ctx: Context,
  db: Db,
  organizationId: string,
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

/** One address, under the lock of the organization: renews what it finds unanswered, or makes another one. */
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
    teamIds: string[] | undefined
    resend: boolean
  },
): Promise<InvitationRow> {
  const { organization, membership, roles, teamIds, resend } = offer
  const { invitationLimit, invitationExpiresIn } = organizationConfig(ctx)
  const now = ctx.clock.now()
  const { recipient, pending } = await requireInvitable(ctx, tx, organization.id, email, resend)
  const open = pending && isOpen(ctx, pending) ? pending : undefined
  // Nobody changes what is above their own permissions: an open invitation of an owner is an owner's to replace.
  if (open) await requireGrantable(ctx, tx, membership, splitRoles(open.role), 'INVITE_ROLE_NOT_ALLOWED')
  // One that takes the place of another adds none.
  if (!open && (await countOpenInvitations(tx, organization.id, now)) >= invitationLimit)
    throw new TollgateError('INVITATION_LIMIT_REACHED')

  const secret = newInvitationProof()
  // Sent again it goes on for the teams it was for, unless others are named.
  const keptTeams = open && resend ? open.teamId : null
  const terms = {
    role: roles.join(','),
    teamId: teamIds ? teamIds.join(',') || null : keptTeams,
    inviterId: current.user.id,
    proofHash: sha256(secret),
    expiresAt: after(now, seconds(invitationExpiresIn)),
  }
  const isReplaced = open !== undefined && !resend
  if (isReplaced) await cancel(ctx, tx, current, open)
  const invitation =
    pending && !isReplaced
      ? await renewInvitationRow(tx, pending.id, terms)
      : await insertInvitation(tx, {
          ...terms,
          id: newId(),
          organizationId: organization.id,
          email,
          status: 'pending',
          createdAt: now,
        })
  await tell(ctx, tx, pending && !isReplaced ? 'invitation.renewed' : 'invitation.created', invitation, {
    actorId: actorOf(current),
    userId: null,
  })
  await enqueueMail(ctx, tx, {
    to: email,
    locale: caller.locale,
    template: 'invitation',
    data: {
      // What somebody who has not proved the address calls themselves has no place in a mail to its owner.
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

/** Nobody is introduced with an address that they have not proved; without a name there is nothing else. */
const introducingAddress = ({ email, emailVerified, name }: UserRow): string | null =>
  emailVerified || name.trim() === '' ? email : null

/** Tells what happened to an invitation. */
async function tell(
  ctx: Context,
  tx: Tx,
  type: OrganizationEventType,
  { id, organizationId, email, role }: InvitationRow,
  who: { actorId: string; userId: string | null },
): Promise<void> {
  await emit(tx, ctx.clock.now(), { type, ...who, organizationId, data: { invitationId: id, email, role } })
}

/** Takes an invitation back; nothing when it was answered at the same moment. */
async function cancel(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  { id }: InvitationRow,
): Promise<InvitationRow | undefined> {
  const canceled = await transitionInvitation(tx, id, 'canceled', ctx.clock.now())
  if (canceled) await tell(ctx, tx, 'invitation.canceled', canceled, { actorId: actorOf(current), userId: null })
  return canceled
}

/**
 * Makes the invited person a member and the organization the session's active one (specification, section 4). With the
 * proof of the mail their address counts as verified from now on.
 */
export async function acceptInvitation(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'acceptInvitation'>,
): Promise<Answer<'acceptInvitation'>> {
  const { organizationId } = await requireInvitationTo(ctx, ctx.db, current.user, body, 'INVITATION_NOT_FOUND')

  const { accepted, entry, user } = await ctx.transaction(async (tx) => {
    const newcomer = await requireNewcomer(tx, current)
    const organization = await requireOrganization(tx, organizationId, 'INVITATION_NOT_FOUND')
    // Both may have changed until they were locked.
    const invitation = await requireInvitationTo(ctx, tx, newcomer, body, 'INVITATION_NOT_FOUND')
    await requireStillInvited(ctx, tx, invitation)
    const user = isProofOf(invitation, body.proof) ? await verifyAddress(ctx, tx, newcomer) : newcomer
    if (organization.requireVerifiedEmail && !user.emailVerified)
      throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')

    // Teams that are gone keep nobody out.
    const teamIds = await listExistingTeams(ctx, tx, organizationId, invitation.teamId?.split(',') ?? [])
    const entry = await enter(ctx, tx, current, organization, { role: invitation.role, teamIds, by: 'invitation' })
    const accepted = await transitionInvitation(tx, invitation.id, 'accepted', ctx.clock.now())
    if (!accepted) throw new TollgateError('INVITATION_NOT_FOUND')
    await tell(ctx, tx, 'invitation.accepted', accepted, { actorId: user.id, userId: user.id })
    return { accepted, entry, user }
  })
  renewSessionCookies(ctx, caller, { session: entry.session, user })
  tellMemberAdded(ctx, entry.member)
  return { invitation: toInvitation(accepted), member: await toNewMember(ctx, ctx.db, entry.member) }
}

/**
 * The open invitation that a user may act on: it must be to their address, and the address verified, unless they have the
 * proof of the mail (auth contract, section 10).
 */
async function requireInvitationTo(
  ctx: Context,
  db: Db,
  user: UserRow,
  { invitationId, proof }: { invitationId: string; proof?: string | undefined },
  refusal: 'INVITATION_NOT_FOUND' | 'INVITATION_GONE',
): Promise<InvitationRow> {
  const invitation = await readInvitation(db, invitationId, refusal)
  if (!invitation || !isOpen(ctx, invitation)) throw new TollgateError(refusal)
  if (invitation.email !== user.email || !(mayAnswer(ctx, user) || isProofOf(invitation, proof)))
    throw new TollgateError('NOT_THE_RECIPIENT')
  return invitation
}

/** A fault while reading has a text of its own where an invitation is accepted (specification, section 8). */
const readInvitation = (db: Db, id: string, refusal: 'INVITATION_NOT_FOUND' | 'INVITATION_GONE') =>
  findInvitation(db, id).catch((cause) => {
    if (isDatabaseUnavailable(cause) || refusal === 'INVITATION_GONE') throw cause
    throw new TollgateError('FAILED_TO_RETRIEVE_INVITATION', { cause })
  })

/** Whether a user may answer the invitations to their address without the mail. */
const mayAnswer = (ctx: Context, user: UserRow): boolean =>
  user.emailVerified || !organizationConfig(ctx).requireEmailVerificationOnInvitation

/** Refuses an invitation whose inviter has gone, or could not make it any more (security, §0). */
async function requireStillInvited(
  ctx: Context,
  db: Db,
  { organizationId, inviterId, role }: InvitationRow,
): Promise<void> {
  const inviter = await findMemberOf(db, organizationId, inviterId)
  if (!inviter) throw new TollgateError('INVITER_NO_LONGER_A_MEMBER')
  const membership = await membershipOf(ctx, db, inviter)
  await requireInviter(ctx, db, membership, splitRoles(role)).catch((cause) => {
    throw cause instanceof TollgateError ? new TollgateError('INVITER_NO_LONGER_A_MEMBER', { cause }) : cause
  })
}

/** The mail was read by whoever is signed in as that account, which keeps everything (security, §0). */
async function verifyAddress(ctx: Context, tx: Tx, user: UserRow): Promise<UserRow> {
  const now = ctx.clock.now()
  const verified = await markEmailVerified(tx, user.id, user.email, now)
  if (!verified) return user
  await emit(tx, now, { type: 'user.email_verified', actorId: user.id, userId: user.id })
  return verified
}

/** Declines an invitation. */
export async function rejectInvitation(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'rejectInvitation'>,
): Promise<Answer<'rejectInvitation'>> {
  const { user } = current
  const { organizationId } = await requireInvitationTo(ctx, ctx.db, user, body, 'INVITATION_GONE')
  const rejected = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const { id } = await requireInvitationTo(ctx, tx, user, body, 'INVITATION_GONE')
    const row = await transitionInvitation(tx, id, 'rejected', ctx.clock.now())
    if (row) await tell(ctx, tx, 'invitation.rejected', row, { actorId: user.id, userId: user.id })
    return row
  })
  if (!rejected) throw new TollgateError('INVITATION_GONE')
  return { invitation: toInvitation(rejected), member: null }
}

/** Takes an open invitation back. To whoever is no member of its organization it is one that does not exist. */
export async function cancelInvitation(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'cancelInvitation'>,
): Promise<Answer<'cancelInvitation'>> {
  const found = await findInvitation(ctx.db, body.invitationId)
  const membership = found && (await findMembership(ctx, ctx.db, current, found.organizationId))
  if (!membership) throw new TollgateError('INVITATION_NOT_FOUND')
  requirePermission(membership, 'invitation', 'cancel', 'INVITATION_CANCEL_NOT_ALLOWED')

  const canceled = await ctx.transaction(async (tx) => {
    await requireOrganization(tx, found.organizationId, 'INVITATION_NOT_FOUND')
    const now = await requireMember(ctx, tx, current, found.organizationId, 'MEMBER_NOT_FOUND')
    requirePermission(now, 'invitation', 'cancel', 'INVITATION_CANCEL_NOT_ALLOWED')
    return cancel(ctx, tx, current, found)
  })
  if (!canceled) throw new TollgateError('INVITATION_NOT_FOUND')
  return toInvitation(canceled)
}

/**
 * An open invitation, for whoever it is addressed to, or whoever has the proof of its mail: signed out, or signed in as
 * somebody else, they learn so for which address it is. Without either, nobody who is signed out learns whether it exists.
 */
export async function getInvitation(
  ctx: Context,
  caller: Caller,
  query: ParsedQuery<'getInvitation'>,
): Promise<Answer<'getInvitation'>> {
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
  const { organizationName, organizationSlug, organizationLogo, inviterEmail, inviterName } = row
  return { ...toInvitation(row), organizationName, organizationSlug, organizationLogo, inviterEmail, inviterName }
}

/** As many as are listed at once when nobody says how many. */
const usualLimit = 100

/** The invitations of an organization, in every state, newest first, for its members. */
export async function listInvitations(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'listInvitations'>,
): Promise<Answer<'listInvitations'>> {
  const organizationId = query.organizationId ?? current.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('ORGANIZATION_ID_REQUIRED')
  const membership = await requireMember(ctx, ctx.db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listInvitationsOf(ctx.db, membership.organizationId, { ...page, status: query.status })
  return rows.map(toInvitation)
}

/** The open invitations to the caller's own address; server code may name another one. */
export async function listUserInvitations(
  ctx: Context,
  caller: Caller,
  current: SessionRow | undefined,
  query: ParsedQuery<'listUserInvitations'>,
): Promise<Answer<'listUserInvitations'>> {
  const named = caller.isServer && query.email !== undefined ? normalizeEmail(query.email) : undefined
  const email = named === undefined ? ownAddress(ctx, current) : named
  if (email === null) return []
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listOpenInvitationsTo(ctx.db, email, ctx.clock.now(), page)
  return rows.map((row) => {
    const { organizationName, organizationSlug, inviterEmail } = row
    return { ...toInvitation(row), organizationName, organizationSlug, inviterEmail }
  })
}

/** Null while it is one that the caller has not proved to be theirs. */
function ownAddress(ctx: Context, current: SessionRow | undefined): string | null {
  if (!current) throw new TollgateError('UNAUTHORIZED')
  return mayAnswer(ctx, current.user) ? current.user.email : null
}
