import { includesStatements, splitRoles } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId, newInvitationLinkToken } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { sha256 } from '../../foundation/token.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import type { UserRow } from '../identity/users.service.ts'
import type { OrganizationRow } from './answers.ts'
import { domainOf, normalizeDomain } from './domain-rules.ts'
import { answerEntry, askToJoin, enter, mayMailRequest, requireNewcomer, wasRemoved } from './entry.service.ts'
import {
  countLiveLinks,
  countUse,
  findLiveLink,
  hasTeam,
  type InvitationLinkRow,
  insertLink,
  listLiveLinks,
  revokeLink,
} from './invitation-link.repository.ts'
import { findMemberOf, lockOrganization } from './membership.repository.ts'
import { requireOrganization } from './membership.service.ts'
import {
  type Membership,
  normalizeRoles,
  organizationConfig,
  predefinedRoles,
  requireGrantable,
  requireMember,
  requirePermission,
  requireRoles,
} from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import { findVoucher } from './open-invitation.service.ts'
import { findOrganization } from './organization.repository.ts'

/** Maximum number of usable links per organization. */
const linkLimit = 50
const usualLimit = 100
/** The purpose of the seal of a link's token. */
export const sealPurpose = 'invitation-link'

/** Creates a link to share. Anyone with the link may join, so it grants at most `member` unless an owner creates it. */
export const createInvitationLink: AuthHandler<'createInvitationLink'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireInviter(ctx, ctx.db, session, organizationId)
  const roleNames = normalizeRoles(body.role ?? 'member')
  const emailDomains = (body.emailDomains ?? []).map(requireDomain)

  const now = ctx.clock.now()
  const token = newInvitationLinkToken()
  const link = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const membership = await requireInviter(ctx, tx, session, organizationId)
    await requireShareable(ctx, tx, membership, roleNames)
    if (body.teamId !== undefined) await requireTeam(ctx, tx, organizationId, body.teamId)
    if ((await countLiveLinks(tx, organizationId, now)) >= linkLimit)
      throw new TollgateError('INVITATION_LINK_LIMIT_REACHED')
    const made = await insertLink(tx, {
      id: newId(),
      organizationId,
      tokenHash: sha256(token),
      sealedToken: ctx.secrets.seal(token, sealPurpose),
      role: roleNames.join(),
      teamId: body.teamId ?? null,
      maxUses: body.maxUses ?? null,
      uses: 0,
      emailDomains: emailDomains.length > 0 ? [...new Set(emailDomains)].join() : null,
      requiresApproval: body.requiresApproval ?? false,
      creatorId: session.user.id,
      expiresAt: body.expiresIn == null ? null : after(now, seconds(body.expiresIn)),
      createdAt: now,
    })
    const data = { linkId: made.id, role: made.role, maxUses: made.maxUses, requiresApproval: made.requiresApproval }
    await emit(tx, now, {
      type: 'invitation_link.created',
      actorId: actorOf(session),
      userId: null,
      organizationId,
      data,
    })
    return made
  })
  return toInvitationLink(ctx, link)
}

/**
 * The usable links, for members who may invite. The URL of a link that grants more than the caller may grant is
 * hidden, because the caller could join by it or share it.
 */
export const listInvitationLinks: AuthHandler<'listInvitationLinks'> = async ({ ctx, session, query }) => {
  const membership = await requireInviter(ctx, ctx.db, session, namedOrganization(session, query))
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const links = await listLiveLinks(ctx.db, membership.organizationId, ctx.clock.now(), page)
  const grantable = new Map<string, boolean>()
  for (const { role } of links)
    if (!grantable.has(role))
      grantable.set(
        role,
        await isAccepted(() => requireGrantable(ctx, ctx.db, membership, splitRoles(role), 'INVITE_ROLE_NOT_ALLOWED')),
      )
  return links.map((link) => ({ ...toInvitationLink(ctx, link), ...(!grantable.get(link.role) && { url: null }) }))
}

/** Revokes a link. Pending requests made by it stay open. */
export const revokeInvitationLink: AuthHandler<'revokeInvitationLink'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireCanceler(ctx, ctx.db, session, organizationId)
  const now = ctx.clock.now()
  const link = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    await requireCanceler(ctx, tx, session, organizationId)
    const revoked = await revokeLink(tx, organizationId, body.linkId, now)
    if (!revoked) throw new TollgateError('INVITATION_LINK_NOT_FOUND')
    await emit(tx, now, {
      type: 'invitation_link.revoked',
      actorId: actorOf(session),
      userId: null,
      organizationId,
      data: { linkId: revoked.id },
    })
    return revoked
  })
  return toInvitationLink(ctx, link)
}

/** Describes a link. A revoked, expired or used-up link looks like an unknown one. */
export const getInvitationLink: AuthHandler<'getInvitationLink'> = async ({ ctx, query: { token } }) => {
  const link = await requireLink(ctx, ctx.db, sha256(token))
  const organization = await findOrganization(ctx.db, link.organizationId)
  if (!organization) throw new TollgateError('INVITATION_LINK_NOT_FOUND')
  return {
    organizationId: organization.id,
    organizationName: organization.name,
    organizationSlug: organization.slug,
    organizationLogo: organization.logo,
    role: link.role,
    requiresApproval: link.requiresApproval,
    emailDomains: domainsOf(link),
    expiresAt: link.expiresAt?.toISOString() ?? null,
  }
}

/**
 * Joins by a link. If the link requires approval, or the caller was removed before, this creates a request, and the
 * approval counts the use.
 */
export const joinByLink: AuthHandler<'joinByLink'> = async ({ ctx, caller, session, body: { token } }) => {
  const tokenHash = sha256(token)
  const found = await requireLink(ctx, ctx.db, tokenHash)
  const { organizationId } = found
  const mailsRequest =
    (await wantsApproval(ctx.db, found, session.user)) && (await mayMailRequest(ctx, organizationId, session.user))

  const entry = await ctx.transaction(async (tx) => {
    const user = await requireNewcomer(tx, session)
    const organization = await requireOrganization(tx, organizationId, 'INVITATION_LINK_NOT_FOUND')
    const link = await requireLink(ctx, tx, tokenHash)
    if (await findMemberOf(tx, organizationId, user.id)) throw new TollgateError('ALREADY_A_MEMBER')
    const mustAsk = await wantsApproval(tx, link, user)
    requireFit(ctx, organization, link, user, mustAsk)
    const { role, teamId, id: linkId } = link
    if (mustAsk) {
      const request = { role, teamId, linkId }
      await askToJoin(ctx, tx, organization, user, request, mailsRequest ? caller.locale : undefined)
      return undefined
    }
    if (!(await countUse(tx, linkId))) throw new TollgateError('INVITATION_LINK_NOT_FOUND')
    return enter(ctx, tx, session, organization, { role, teamIds: await teamsOf(ctx, tx, link), by: 'link' })
  })
  return entry ? answerEntry(ctx, caller, session, entry) : { status: 'requested', organizationId, member: null }
}

/** A usable link whose creator could still create it. */
async function requireLink(ctx: Context, db: Db, tokenHash: string): Promise<InvitationLinkRow> {
  const link = await findLiveLink(db, tokenHash, ctx.clock.now())
  if (!link || !(await isVouchedFor(ctx, db, link))) throw new TollgateError('INVITATION_LINK_NOT_FOUND')
  return link
}

/** A link ends with its creator's rights: when they leave, are banned, or may no longer grant its role. */
async function isVouchedFor(ctx: Context, db: Db, { organizationId, creatorId, role }: InvitationLinkRow) {
  const membership = await findVoucher(ctx, db, organizationId, creatorId)
  if (!membership) return false
  return isAccepted(async () => {
    requirePermission(membership, 'invitation', 'create', 'INVITE_NOT_ALLOWED')
    await requireShareable(ctx, db, membership, splitRoles(role))
  })
}

/** Whether a check passes. */
async function isAccepted(check: () => Promise<void>): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    if (error instanceof TollgateError) return false
    throw error
  }
}

const wantsApproval = async (db: Db, { requiresApproval, organizationId }: InvitationLinkRow, { id }: UserRow) =>
  requiresApproval || wasRemoved(db, organizationId, id)

/**
 * Requires that a user may join by a link. A link proves no address, so any rule about the address needs a verified
 * one.
 */
function requireFit(
  ctx: Context,
  organization: OrganizationRow,
  link: InvitationLinkRow,
  user: UserRow,
  mustAsk: boolean,
): void {
  const domains = domainsOf(link)
  const wantsVerified =
    organizationConfig(ctx).requireEmailVerificationOnInvitation ||
    organization.requireVerifiedEmail ||
    mustAsk ||
    domains.length > 0
  if (wantsVerified && !user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  if (!isOfDomains(link, user)) throw new TollgateError('LINK_FOR_OTHER_DOMAINS')
}

/** Whether an address has a domain that the link allows. */
export function isOfDomains(link: InvitationLinkRow, { email }: Pick<UserRow, 'email'>): boolean {
  const domains = domainsOf(link)
  return domains.length === 0 || domains.includes(domainOf(email))
}

const domainsOf = ({ emailDomains }: InvitationLinkRow): string[] => emailDomains?.split(',') ?? []

/** The team of a link, if it still exists. */
export async function teamsOf(
  ctx: Context,
  tx: Tx,
  { organizationId, teamId }: { readonly organizationId: Id<'organization'>; readonly teamId: Id<'team'> | null },
): Promise<Id<'team'>[]> {
  const { teams } = organizationConfig(ctx)
  return teams.enabled && teamId !== null && (await hasTeam(tx, organizationId, teamId)) ? [teamId] : []
}

async function requireTeam(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  teamId: Id<'team'>,
): Promise<void> {
  if ((await teamsOf(ctx, tx, { organizationId, teamId })).length === 0) throw new TollgateError('TEAM_NOT_FOUND')
}

function requireDomain(input: string): string {
  const domain = normalizeDomain(input)
  if (domain === null) throw new TollgateError('DOMAIN_INVALID')
  return domain
}

/** Requires roles that a link may grant: never the owner's, and none above `member` unless an owner grants it. */
async function requireShareable(ctx: Context, db: Db, membership: Membership, names: readonly string[]): Promise<void> {
  await requireGrantable(ctx, db, membership, names, 'INVITE_ROLE_NOT_ALLOWED')
  const most = membership.isOwner ? undefined : predefinedRoles(ctx).get('member')
  const roles = most ? await requireRoles(ctx, db, membership.organizationId, names) : []
  const isTooMuch = most && !roles.every(({ statements }) => includesStatements(most.statements, statements))
  if (isTooMuch || names.includes(organizationConfig(ctx).creatorRole))
    throw new TollgateError('INVITE_ROLE_NOT_ALLOWED')
}

async function requireInviter(ctx: Context, db: Db, current: SessionRow, organizationId: Id<'organization'>) {
  const membership = await requireMember(ctx, db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'invitation', 'create', 'INVITE_NOT_ALLOWED')
  return membership
}

async function requireCanceler(ctx: Context, db: Db, current: SessionRow, organizationId: Id<'organization'>) {
  const membership = await requireMember(ctx, db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'invitation', 'cancel', 'INVITATION_CANCEL_NOT_ALLOWED')
}

const toInvitationLink = (ctx: Context, row: InvitationLinkRow): Answer<'createInvitationLink'> => ({
  id: row.id,
  organizationId: row.organizationId,
  role: row.role,
  teamId: row.teamId,
  maxUses: row.maxUses,
  uses: row.uses,
  emailDomains: domainsOf(row),
  requiresApproval: row.requiresApproval,
  creatorId: row.creatorId,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  url: urlOf(ctx, row),
})

/** Null if the secret that sealed the token was removed: the link still works, but its URL cannot be shown again. */
function urlOf(ctx: Context, { sealedToken }: InvitationLinkRow): string | null {
  try {
    return `${ctx.config.baseURL.origin}/join/${ctx.secrets.open(sealedToken, sealPurpose)}`
  } catch {
    return null
  }
}
