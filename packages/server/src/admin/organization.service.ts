import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import { lockAdministrators, requireAdmin } from '../access.ts'
import { readSelling, setSelling } from '../billing/seller/approval.service.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { findUser } from '../identity/users.service.ts'
import { toInvitation, toMember, toMemberWithUser, toOrganization, toTeam } from '../organization/answers.ts'
import { domainsOf, toDomain, vouchForDomain } from '../organization/domain.service.ts'
import { tellOrganizationDeleted } from '../organization/hooks.service.ts'
import { endOrganization, requireOrganization, soleOwned } from '../organization/membership.service.ts'
import { actorOf } from '../outbox.ts'
import { type Order, readCursor, toCursor } from './list-cursor.ts'
import {
  type CountedOrganizationRow,
  countMembers,
  countOrganizations,
  findCountedOrganization,
  findCountedOrganizations,
  findDetails,
  listMembers,
  listMembershipsOf,
  listOpenInvitations,
  listOrganizations,
  listTeams,
  type Selling,
} from './organization.repository.ts'

type SellerDetails = Answer<'adminGetOrganization'>['organization']['details']

const usualLimit = 100
/** Most teams, and most open invitations, that one organization is shown with. */
const shownLimit = 200

/** Organizations, searched, narrowed and sorted, with how many members each has, and how many organizations there are in all. */
export async function adminListOrganizations(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListOrganizations'>,
): Promise<Answer<'adminListOrganizations'>> {
  requireAdmin(ctx, current, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const order = toOrder(query)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, order)
  const limit = query.limit || usualLimit
  const asked = { search: query.searchValue || undefined, selling: query.selling }

  const total = await countOrganizations(ctx.db, asked)
  // One more than is shown, to know whether there is another page.
  const rows = await listOrganizations(ctx.db, asked, order, { limit: limit + 1, after })
  const page = rows.slice(0, limit)
  return {
    organizations: page.map(toCounted),
    total,
    nextCursor: rows.length > limit ? toCursor(order, page.at(-1)!) : null, // a limit is at least one
  }
}

export async function adminGetOrganization(
  ctx: Context,
  current: SessionRow,
  { id }: ParsedQuery<'adminGetOrganization'>,
): Promise<Answer<'adminGetOrganization'>> {
  requireAdmin(ctx, current, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const organization = await requireCounted(ctx, id)
  const [teams, invitations, domains, selling, details] = await Promise.all([
    listTeams(ctx.db, id, shownLimit),
    listOpenInvitations(ctx.db, id, ctx.clock.now(), shownLimit),
    domainsOf(ctx, id),
    readSelling(ctx, id),
    findDetails(ctx.db, id),
  ])
  return {
    organization: {
      ...toCounted(organization),
      ...selling,
      details: details as SellerDetails, // stored as the contract has checked it
      detailsSubmittedAt: organization.detailsSubmittedAt?.toISOString() ?? null,
    },
    teams: teams.map(toTeam),
    invitations: invitations.map(toInvitation),
    domains,
  }
}

export async function adminListOrganizationMembers(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListOrganizationMembers'>,
): Promise<Answer<'adminListOrganizationMembers'>> {
  requireAdmin(ctx, current, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const { id } = await requireCounted(ctx, query.organizationId)
  const search = query.search || undefined
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const [members, total] = await Promise.all([listMembers(ctx.db, id, search, page), countMembers(ctx.db, id, search)])
  return { members: members.map((row) => toMemberWithUser(row)), total }
}

/** The organizations of a user. Those that nobody else owns keep the user from being deleted while they have others. */
export async function adminListUserOrganizations(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListUserOrganizations'>,
): Promise<Answer<'adminListUserOrganizations'>> {
  requireAdmin(ctx, current, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const { userId } = query
  if (!(await findUser(ctx.db, userId))) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const memberships = await listMembershipsOf(ctx.db, userId, page)
  const organizations = await findCountedOrganizations(
    ctx.db,
    memberships.map(({ organizationId }) => organizationId),
  )

  const alone = await soleOwned(ctx, ctx.db, userId, memberships)
  return {
    organizations: memberships.flatMap((member) => {
      const organization = organizations.get(member.organizationId)
      // Deleted between the two reads.
      if (!organization) return []
      return {
        organization: toOrganization(organization),
        member: toMember(member),
        memberCount: Number(organization.memberCount),
        soleOwner: alone.has(member.organizationId),
      }
    }),
  }
}

/** Deletes an organization with everything in it, also where its own members may not. */
export async function adminDeleteOrganization(
  ctx: Context,
  current: SessionRow,
  { organizationId }: ParsedBody<'adminDeleteOrganization'>,
): Promise<Answer<'adminDeleteOrganization'>> {
  requireAdmin(ctx, current, 'organization', 'delete', 'ADMIN_DELETE_ORGANIZATIONS')
  const deleted = await ctx.transaction(async (tx) => {
    await lockAdministrators(ctx, tx, current, 'ADMIN_DELETE_ORGANIZATIONS')
    await requireOrganization(tx, organizationId, 'ADMIN_ORGANIZATION_NOT_FOUND')
    return endOrganization(ctx, tx, organizationId, actorOf(current))
  })
  tellOrganizationDeleted(ctx, deleted)
  return { success: true }
}

/** Lets an organization sell, or no longer (architecture, "Organization, merchant, customer"). */
export async function adminSetSelling(
  ctx: Context,
  current: SessionRow,
  { organizationId, maySell }: ParsedBody<'adminSetSelling'>,
): Promise<Answer<'adminSetSelling'>> {
  requireAdmin(ctx, current, 'organization', 'approve', 'ADMIN_SET_SELLING')
  if (ctx.config.billing === false) throw new TollgateError('NOT_FOUND')
  await ctx.transaction(async (tx) => {
    await lockAdministrators(ctx, tx, current, 'ADMIN_SET_SELLING')
    await requireOrganization(tx, organizationId, 'ADMIN_ORGANIZATION_NOT_FOUND')
    await setSelling(ctx, tx, { organizationId, maySell, actorId: actorOf(current) })
  })
  return { success: true }
}

/** Vouches for a domain in place of its DNS record. */
export async function adminVerifyDomain(
  ctx: Context,
  current: SessionRow,
  { domainId }: ParsedBody<'adminVerifyDomain'>,
): Promise<Answer<'adminVerifyDomain'>> {
  requireAdmin(ctx, current, 'domain', 'verify', 'ADMIN_VERIFY_DOMAINS')
  return toDomain(await vouchForDomain(ctx, current, domainId))
}

async function requireCounted(ctx: Context, id: string): Promise<CountedOrganizationRow> {
  const organization = await findCountedOrganization(ctx.db, id)
  if (!organization) throw new TollgateError('ADMIN_ORGANIZATION_NOT_FOUND')
  return organization
}

const toCounted = (row: CountedOrganizationRow): Answer<'adminListOrganizations'>['organizations'][number] => ({
  ...toOrganization(row),
  memberCount: Number(row.memberCount),
  selling: sellingOf(row),
})

function sellingOf({ approvedAt, detailsSubmittedAt }: CountedOrganizationRow): Selling {
  if (approvedAt !== null) return 'approved'
  return detailsSubmittedAt === null ? 'none' : 'waiting'
}

/** The newest first where no order is asked for; else ascending, as lists of users. */
function toOrder({ sortBy, sortDirection }: ParsedQuery<'adminListOrganizations'>): Order<'name'> {
  if (sortBy === undefined) return { by: 'createdAt', direction: sortDirection ?? 'desc' }
  return { by: sortBy, direction: sortDirection ?? 'asc' }
}
