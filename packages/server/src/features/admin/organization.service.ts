import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { actorOf } from '../../foundation/outbox.ts'
import { lastOf } from '../../foundation/proof/proven.ts'
import { readSelling, setSelling } from '../billing/merchant/approval.service.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { findUser } from '../identity/users.service.ts'
import { toInvitation, toMember, toMemberWithUser, toOrganization, toTeam } from '../organization/answers.ts'
import { domainsOf, toDomain, vouchForDomain } from '../organization/domain.service.ts'
import { tellOrganizationDeleted } from '../organization/hooks.service.ts'
import { endOrganization, requireOrganization, soleOwned } from '../organization/membership.service.ts'
import { planOrganizationDeletion } from '../organization/organization.service.ts'
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

const usualLimit = 100
/** Maximum number of teams, and of open invitations, in one answer. */
const shownLimit = 200

/** Organizations, searched, filtered and sorted, with their member counts and the total. */
export const adminListOrganizations: AuthHandler<'adminListOrganizations'> = async ({ ctx, session, query }) => {
  requireAdmin(ctx, session, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const order = toOrder(query)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, order)
  const limit = query.limit || usualLimit
  const asked = { search: query.searchValue || undefined, selling: query.selling }

  const total = await countOrganizations(ctx.db, asked)
  // One more than the page shows whether there is another page.
  const rows = await listOrganizations(ctx.db, asked, order, { limit: limit + 1, after })
  const page = rows.slice(0, limit)
  return {
    organizations: page.map(toCounted),
    total,
    nextCursor: rows.length > limit ? toCursor(order, lastOf(page, 'a limit is at least one')) : null,
  }
}

export const adminGetOrganization: AuthHandler<'adminGetOrganization'> = async ({ ctx, session, query: { id } }) => {
  requireAdmin(ctx, session, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
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
      details,
      detailsSubmittedAt: organization.detailsSubmittedAt?.toISOString() ?? null,
    },
    teams: teams.map(toTeam),
    invitations: invitations.map(toInvitation),
    domains,
  }
}

export const adminListOrganizationMembers: AuthHandler<'adminListOrganizationMembers'> = async ({
  ctx,
  session,
  query,
}) => {
  requireAdmin(ctx, session, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
  const { id } = await requireCounted(ctx, query.organizationId)
  const search = query.search || undefined
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const [members, total] = await Promise.all([listMembers(ctx.db, id, search, page), countMembers(ctx.db, id, search)])
  return { members: members.map((row) => toMemberWithUser(row)), total }
}

/** The organizations of a user. One without another owner blocks the user's deletion while it has other members. */
export const adminListUserOrganizations: AuthHandler<'adminListUserOrganizations'> = async ({
  ctx,
  session,
  query,
}) => {
  requireAdmin(ctx, session, 'organization', 'list', 'ADMIN_LIST_ORGANIZATIONS')
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

/** What a deletion of an organization ends. */
export const adminPreviewOrganizationDeletion: AuthHandler<'adminPreviewOrganizationDeletion'> = async ({
  ctx,
  session,
  query: { organizationId },
}) => {
  requireAdmin(ctx, session, 'organization', 'delete', 'ADMIN_DELETE_ORGANIZATIONS')
  if (!(await findCountedOrganization(ctx.db, organizationId))) throw new TollgateError('ADMIN_ORGANIZATION_NOT_FOUND')
  return planOrganizationDeletion(ctx, organizationId)
}

/** Deletes an organization with its content, even if its own members may not. */
export const adminDeleteOrganization: AuthHandler<'adminDeleteOrganization'> = async ({ ctx, session, body }) => {
  const { organizationId } = body
  requireAdmin(ctx, session, 'organization', 'delete', 'ADMIN_DELETE_ORGANIZATIONS')
  const deleted = await transactionAsAdministrator(ctx, session, 'ADMIN_DELETE_ORGANIZATIONS', async (tx) => {
    await requireOrganization(tx, organizationId, 'ADMIN_ORGANIZATION_NOT_FOUND')
    return endOrganization(ctx, tx, organizationId, actorOf(session))
  })
  tellOrganizationDeleted(ctx, deleted)
  return { success: true }
}

/**
 * Approves an organization as a seller or withdraws the approval (architecture, "Organization, merchant, customer").
 */
export const adminSetSelling: AuthHandler<'adminSetSelling'> = async ({ ctx, session, body }) => {
  const { organizationId, maySell } = body
  requireAdmin(ctx, session, 'organization', 'approve', 'ADMIN_SET_SELLING')
  if (ctx.config.billing === false) throw new TollgateError('NOT_FOUND')
  await transactionAsAdministrator(ctx, session, 'ADMIN_SET_SELLING', async (tx) => {
    await requireOrganization(tx, organizationId, 'ADMIN_ORGANIZATION_NOT_FOUND')
    await setSelling(ctx, tx, { organizationId, maySell, actorId: actorOf(session) })
  })
  return { success: true }
}

/** Verifies a domain without its DNS record. */
export const adminVerifyDomain: AuthHandler<'adminVerifyDomain'> = async ({ ctx, session, body: { domainId } }) => {
  requireAdmin(ctx, session, 'domain', 'verify', 'ADMIN_VERIFY_DOMAINS')
  return toDomain(await vouchForDomain(ctx, session, domainId))
}

async function requireCounted(ctx: Context, id: Id<'organization'>): Promise<CountedOrganizationRow> {
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

/** Newest first by default; a named order is ascending, as in the list of users. */
function toOrder({ sortBy, sortDirection }: ParsedQuery<'adminListOrganizations'>): Order<'name'> {
  if (sortBy === undefined) return { by: 'createdAt', direction: sortDirection ?? 'desc' }
  return { by: sortBy, direction: sortDirection ?? 'asc' }
}
