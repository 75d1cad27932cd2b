import { organizationEventTypes } from '@tollgate/contract/events'
import type { OrganizationFrame, PageData, PageDone, PageOrganization, PageState } from '@tollgate/contract/pages'
import type { Answer } from '@tollgate/contract/types'
import { sellsFromTheStart } from '../features/billing/merchant/approval.service.ts'
import { findCurrentSession } from '../features/identity/session.service.ts'
import { mayCreateOrganization } from '../features/organization/creation.service.ts'
import {
  knownStatements,
  type Membership,
  organizationConfig,
  permissionsOf,
  predefinedRoles,
  requireMember,
} from '../features/organization/membership.ts'
import {
  invitersOf,
  listOwnMemberships,
  ownsAlone,
  ownTeamsOf,
  peopleOfTeams,
  teamNamesOf,
} from '../features/organization/overview.service.ts'
import { TollgateError } from '../foundation/error.ts'
import { type AccountVisit, accountPage } from './account-pages.ts'
import { look } from './invitation-look.ts'
import {
  administers,
  doneState,
  hasPassword,
  type PageMaker,
  type PageMakers,
  type SignedIn,
  signInAndBack,
  toSignIn,
} from './page-data.ts'
import { dashboardFor } from './selling.ts'
import type { Visit } from './visit.ts'

/** The pages of organizations by their routes. */
export const organizationPageMakers: PageMakers = {
  '/account/organizations': accountPage(
    ['organization-left', 'organization-deleted', 'invitation-rejected', 'join-requested'],
    accountOrganizationsPage,
  ),
  '/organizations/new': newOrganizationPage,
  '/org/:slug': organizationPage(['organization-created'], overview),
  '/org/:slug/members': organizationPage(['member-updated', 'member-removed'], members),
  '/org/:slug/invitations': organizationPage(
    [
      'members-invited',
      'invitation-resent',
      'invitation-canceled',
      'link-created',
      'link-revoked',
      'join-approved',
      'join-denied',
    ],
    invitations,
  ),
  '/org/:slug/teams': organizationPage(['team-saved', 'team-removed'], teams),
  '/org/:slug/roles': organizationPage(['role-saved', 'role-removed'], roles),
  '/org/:slug/settings': organizationPage(
    ['organization-saved', 'domain-saved', 'domain-verified', 'domain-removed'],
    settings,
  ),
  '/org/:slug/audit': organizationPage([], audit),
  '/org/:slug/danger': organizationPage(['ownership-transferred'], danger),
}

/** One request for an organization's page: the visitor and their membership. */
type Room = {
  readonly visit: Visit
  readonly frame: OrganizationFrame
  readonly membership: Membership
  readonly state: PageState | undefined
}

/**
 * A page below `/org/:slug`, about that organization and not the active one. An unknown organization, one that the
 * visitor is not in, and a section that they may not see give the same 404.
 */
function organizationPage(dones: readonly PageDone[], pageOf: (room: Room) => Promise<PageData>): PageMaker {
  return async (visit, refused) => {
    const session = await visit.session()
    if (!session) return toSignIn(visit)
    const organization = await organizationFor(visit, session)
    if ('page' in organization) return organization
    const { frame, membership } = await frameOf(visit, session, organization)
    // The number of invited members.
    const count = /^\d{1,4}$/.exec(visit.query.get('count') ?? '')?.[0]
    const state = refused ?? doneState(visit, dones, count === undefined ? {} : { values: { count } })
    return pageOf({ visit, frame, membership, state })
  }
}

/** The organization of the URL, for its members. */
async function lookAtOrganization(visit: Visit) {
  const organizationSlug = visit.params.slug ?? ''
  const seen = await look(visit.call('getOrganization', { query: { organizationSlug } }))
  if (seen.refusal === 'UNAUTHORIZED') throw new TollgateError(seen.refusal)
  return seen
}

/** The same for forms and files: non-members get a 404. */
export async function requireOrganization(visit: Visit): Promise<PageOrganization> {
  const { found, refusal } = await lookAtOrganization(visit)
  if (refusal === 'ORGANIZATION_WANTS_VERIFIED_EMAIL') throw new TollgateError(refusal)
  if (!found) throw new TollgateError('NOT_FOUND')
  return found
}

/**
 * The same for pages, or the page that takes their place. A member who must verify their address first sees the
 * organization's name, which their own memberships give.
 */
export async function organizationFor(visit: Visit, session: SignedIn): Promise<PageOrganization | PageData> {
  const { found, refusal } = await lookAtOrganization(visit)
  if (refusal !== 'ORGANIZATION_WANTS_VERIFIED_EMAIL') return found ?? visit.data('not-found', {})
  const memberships = await listOwnMemberships(visit.ctx, session.user.id)
  const slug = visit.params.slug?.toLowerCase()
  const membership = memberships.find(({ organization }) => organization.slug === slug)
  return visit.data('organization-unverified', { session, organization: membership?.organization.name ?? '' })
}

/** The visitor's membership; non-members get a 404. */
export async function membershipIn({ ctx, caller }: Visit, organizationId: string): Promise<Membership> {
  const current = await findCurrentSession(ctx, caller)
  if (!current) throw new TollgateError('UNAUTHORIZED')
  return requireMember(ctx, ctx.db, current, organizationId, 'NOT_FOUND')
}

/** Maximum number of members that a page offers for selection, and of other listed items. */
const mostPeople = 500
const mostListed = 200

async function frameOf(
  visit: Visit,
  session: SignedIn,
  organization: PageOrganization,
): Promise<Pick<Room, 'frame' | 'membership'>> {
  const { ctx } = visit
  const config = organizationConfig(ctx)
  const { id: organizationId } = organization
  const membership = await membershipIn(visit, organizationId)

  const own = { organizationId, filterField: 'userId', filterValue: session.user.id, limit: 1 } as const
  const [member] = (await visit.call('listMembers', { query: own })).members
  if (!member) throw new TollgateError('NOT_FOUND')
  const frame: OrganizationFrame = {
    session,
    now: ctx.clock.now().toISOString(),
    administers: administers(visit, session),
    ...(await dashboardFor(ctx, organization, membership)),
    organization,
    member: { ...member, permissions: permissionsOf(membership) },
    isOwner: membership.isOwner,
    organizations: await visit.call('listOrganizations', { query: { limit: mostListed } }),
    roles: await rolesOf(visit, organizationId),
    ownerRole: config.creatorRole,
    statements: knownStatements(ctx),
    counts: { ...(await peopleCounts(visit, organizationId)), membershipLimit: config.membershipLimit },
    features: {
      teams: config.teams.enabled,
      deletion: !config.disableOrganizationDeletion,
      removingLastTeam: config.teams.allowRemovingAllTeams,
    },
  }
  return { frame, membership }
}

/** How many people an organization has, and how many wait to become one, as far as the visitor may know. */
export async function peopleCounts(
  visit: Visit,
  organizationId: string,
): Promise<Pick<OrganizationFrame['counts'], 'members' | 'invitations' | 'requests'>> {
  const { total } = await visit.call('listMembers', { query: { organizationId, limit: 1 } })
  const open = await visit.call('listInvitations', { query: { organizationId, status: 'pending', limit: mostListed } })
  const asked = await look(visit.call('listJoinRequests', { query: { organizationId, limit: mostListed } }))
  return { members: total, invitations: open.length, requests: asked.found?.length ?? 0 }
}

/** The predefined roles, then the organization's own if the visitor may see them. */
async function rolesOf(visit: Visit, organizationId: string): Promise<OrganizationFrame['roles']> {
  const { found: own = [] } = await look(visit.call('listRoles', { query: { organizationId } }))
  return [
    ...[...predefinedRoles(visit.ctx)].map(([name, { statements }]) => ({ name, permissions: statements })),
    ...own.map(({ id, role, permission }) => ({ id, name: role, permissions: permission })),
  ]
}

async function overview({ visit, frame, state }: Room): Promise<PageData> {
  const organizationId = frame.organization.id
  const newest = { organizationId, limit: 5, sortBy: 'createdAt', sortDirection: 'desc' } as const
  const { members } = await visit.call('listMembers', { query: newest })
  const { found: log } = await look(visit.call('listOrganizationEvents', { query: { organizationId, limit: 8 } }))
  return visit.data('organization-overview', { ...frame, newest: members, ...(log && { events: log.events }) }, state)
}

/** Members per page of the list. */
const membersPerPage = 25

async function members({ visit, frame, membership, state }: Room): Promise<PageData> {
  const { ctx } = visit
  const search = textIn(visit, 'search')
  const role = textIn(visit, 'role')
  const offset = Math.min(Number(/^\d{1,7}$/.exec(visit.query.get('offset') ?? '')?.[0] ?? 0), 1_000_000)
  const shown = { search, role, offset, limit: membersPerPage }
  const { members, total } = await visit.call('listMembers', {
    query: {
      organizationId: frame.organization.id,
      limit: membersPerPage,
      offset,
      sortBy: 'name',
      ...(search && { search }),
      ...(role && { filterField: 'role', filterValue: role }),
    },
  })
  const ids = members.map(({ id }) => id)
  const teamNames = frame.features.teams ? await teamNamesOf(ctx, membership, ids) : {}
  const soleOwner = await ownsAlone(ctx, membership)
  const teams = await teamsOf(visit, frame)
  return visit.data('organization-members', { ...frame, ...shown, members, total, teams, teamNames, soleOwner }, state)
}

/** Untrusted text from the query, such as a search. */
const textIn = ({ query }: Visit, name: string): string => (query.get(name) ?? '').trim().slice(0, 100)

async function teamsOf(visit: Visit, { organization, features }: OrganizationFrame): Promise<Answer<'listTeams'>> {
  if (!features.teams) return []
  return visit.call('listTeams', { query: { organizationId: organization.id, limit: mostListed } })
}

const invitationStates = ['pending', 'accepted', 'rejected', 'canceled'] as const

async function invitations({ visit, frame, membership, state }: Room): Promise<PageData> {
  const status = invitationStates.find((each) => each === visit.query.get('status')) ?? 'pending'
  const query = { organizationId: frame.organization.id, limit: mostListed }
  const listed = await visit.call('listInvitations', { query: { ...query, status } })
  const { found: links } = await look(visit.call('listInvitationLinks', { query }))
  const { found: requests } = await look(visit.call('listJoinRequests', { query }))
  const content = {
    invitations: listed,
    inviters: await invitersOf(visit.ctx, membership, listed),
    status,
    ...(links && { links }),
    ...(requests && { requests }),
    acceptURL: `${visit.ctx.config.baseURL.origin}/accept-invitation/`,
    teams: await teamsOf(visit, frame),
  }
  return visit.data('organization-invitations', { ...frame, ...content }, state)
}

async function teams({ visit, frame, membership, state }: Room): Promise<PageData> {
  if (!frame.features.teams) return visit.data('not-found', {})
  const { ctx } = visit
  const listed = await teamsOf(visit, frame)
  const ids = listed.map(({ id }) => id)
  const membersOf = await peopleOfTeams(ctx, membership, ids)
  const own = await ownTeamsOf(ctx, membership)
  const teams = listed.map((team) => ({
    team,
    ...(membersOf.get(team.id) ?? { members: [], total: 0 }),
    isOwn: own.has(team.id),
  }))
  return visit.data('organization-teams', { ...frame, teams, people: await peopleOf(visit, frame) }, state)
}

/** Members that a page offers for selection, by name. */
async function peopleOf(visit: Visit, { organization }: OrganizationFrame) {
  const query = { organizationId: organization.id, limit: mostPeople, sortBy: 'name' } as const
  return (await visit.call('listMembers', { query })).members
}

async function roles({ visit, frame, state }: Room): Promise<PageData> {
  const people = await peopleOf(visit, frame)
  const member = people.find(({ id }) => id === visit.query.get('member'))
  const preview = member && { member, permissions: heldBy(frame, member.role) }
  return visit.data('organization-roles', { ...frame, people, ...(preview && { preview }) }, state)
}

/** The union of the roles' permissions. */
function heldBy({ roles }: OrganizationFrame, names: string): Record<string, string[]> {
  const held = new Map<string, Set<string>>()
  for (const { permissions } of roles.filter(({ name }) => names.split(',').includes(name))) {
    for (const [resource, actions] of Object.entries(permissions))
      held.set(resource, new Set([...(held.get(resource) ?? []), ...actions]))
  }
  return Object.fromEntries([...held].map(([resource, actions]) => [resource, [...actions]]))
}

async function settings({ visit, frame, state }: Room): Promise<PageData> {
  const query = { organizationId: frame.organization.id }
  const { found: domains } = await look(visit.call('listDomains', { query }))
  return visit.data('organization-settings', { ...frame, ...(domains && { domains }) }, state)
}

async function audit({ visit, frame, state }: Room): Promise<PageData> {
  const { id: organizationId, slug } = frame.organization
  const type = organizationEventTypes.find((each) => each === visit.query.get('type'))
  const cursor = textIn(visit, 'cursor')
  const query = { organizationId, limit: 50, ...(type && { type }), ...(cursor && { cursor }) }
  const { found, refusal } = await look(visit.call('listOrganizationEvents', { query }))
  if (refusal === 'ORGANIZATION_EVENTS_NOT_ALLOWED') return visit.data('not-found', {})
  if (!found) throw new TollgateError(refusal)
  const content = { type: type ?? '', types: organizationEventTypes, exportURL: `/org/${slug}/audit/export` } as const
  return visit.data('organization-audit', { ...frame, ...found, ...content }, state)
}

/** Refusals of a transfer after which the page asks for the password. */
const wantsPassword: readonly (string | undefined)[] = ['SESSION_IS_NOT_FRESH', 'INVALID_PASSWORD']

async function danger({ visit, frame, membership, state }: Room): Promise<PageData> {
  const asksPassword =
    state?.form === 'organization-transfer' &&
    (state.fields?.password !== undefined || wantsPassword.includes(state.code))
  const { ctx } = visit
  const buyers = { userId: null, organizationIds: [membership.organizationId] }
  const content = {
    people: membership.isOwner ? await peopleOf(visit, frame) : [],
    soleOwner: await ownsAlone(visit.ctx, membership),
    hasPassword: await hasPassword(visit),
    hasSold: membership.isOwner && (await ctx.selling.hasSold(ctx.db, membership.organizationId)),
    ...(membership.isOwner && { purchases: await ctx.purchasesOfBuyers.plan(ctx.db, buyers) }),
    ...(asksPassword && { asksPassword }),
  }
  return visit.data('organization-danger', { ...frame, ...content }, state)
}

async function newOrganizationPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  const session = await visit.session()
  if (!session) return visit.redirect(signInAndBack(visit.url.pathname))
  const mayAdminister = administers(visit, session)
  const sellsAtOnce = await sellsFromTheStart(visit.ctx, mayAdminister)
  const content = {
    session,
    organizations: await visit.call('listOrganizations', { query: { limit: mostListed } }),
    administers: mayAdminister,
    ...(sellsAtOnce && { dashboard: '/dashboard' }),
    ...(await mayCreateOrganization(visit.ctx, session.user)),
  }
  return visit.data('organization-new', content, refused)
}

async function accountOrganizationsPage({ visit, session, account, state }: AccountVisit): Promise<PageData> {
  const content = {
    memberships: await listOwnMemberships(visit.ctx, session.user.id),
    invitations: await visit.call('listUserInvitations', { query: {} }),
    joinable: await visit.call('listJoinableOrganizations', { query: {} }),
    may: (await mayCreateOrganization(visit.ctx, session.user)).may,
  }
  return visit.data('account-organizations', { ...account, ...content }, state)
}
