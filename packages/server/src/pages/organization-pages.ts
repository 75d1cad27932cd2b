import { organizationEventTypes } from '@tollgate/contract/events'
import type {
  OrganizationFrame,
  PageData,
  PageDone,
  PageForm,
  PageOrganization,
  PageState,
} from '@tollgate/contract/pages'
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
import { createCaller } from '../foundation/http/caller.ts'
import { look } from './invitation-look.ts'
import {
  accountOf,
  administers,
  doneState,
  hasPassword,
  type PageMaker,
  type SignedIn,
  signInAndBack,
} from './page-data.ts'
import { dashboardFor } from './selling.ts'
import type { Visit } from './visit.ts'

/** The pages of organizations by their routes. */
export const organizationPageMakers: Readonly<Record<string, PageMaker>> = {
  '/account/organizations': accountOrganizationsPage,
  '/organizations/new': newOrganizationPage,
  '/org/:slug': organizationPage('organization-overview', ['organization-created'], overview),
  '/org/:slug/members': organizationPage('organization-members', ['member-updated', 'member-removed'], members),
  '/org/:slug/invitations': organizationPage(
    'organization-invitations',
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
  '/org/:slug/teams': organizationPage('organization-teams', ['team-saved', 'team-removed'], teams),
  '/org/:slug/roles': organizationPage('organization-roles', ['role-saved', 'role-removed'], roles),
  '/org/:slug/settings': organizationPage(
    'organization-settings',
    ['organization-saved', 'domain-saved', 'domain-verified', 'domain-removed'],
    settings,
  ),
  '/org/:slug/audit': organizationPage('organization-audit', [], audit),
  '/org/:slug/danger': organizationPage('organization-danger', ['ownership-transferred'], danger),
}

/** One request for an organization's page: the visitor and their membership. */
type Room = {
  readonly visit: Visit
  readonly frame: OrganizationFrame
  readonly membership: Membership
  readonly refused: PageState | undefined
}

type OrganizationPageName = Extract<PageData['page'], `organization-${string}`> & keyof SectionData

/** The props of each page besides the frame. */
type SectionData = {
  [Name in PageData['page'] as PageData<Name> extends OrganizationFrame ? Name : never]: Omit<
    PageData<Name>,
    keyof OrganizationFrame | keyof PageData<'not-found'>
  >
}

/**
 * A page below `/org/:slug`, about that organization and not the active one. An unknown organization, one that the
 * visitor is not in, and a section that they may not see give the same 404.
 */
function organizationPage<Name extends OrganizationPageName>(
  page: Name,
  dones: readonly PageDone[],
  contentOf: (room: Room) => Promise<SectionData[Name] | undefined>,
): PageMaker {
  return async (visit, refused) => {
    if (visit.ctx.config.organization === false) return visit.data('not-found', {})
    const session = await visit.session()
    if (!session) return visit.redirect(signInAndBack(visit.url.pathname + visit.url.search))
    const { found: organization, refusal } = await lookAtOrganization(visit)
    if (refusal === 'ORGANIZATION_WANTS_VERIFIED_EMAIL') return unverifiedPage(visit, session)
    if (!organization) return visit.data('not-found', {})

    const { frame, membership } = await frameOf(visit, session, organization)
    const content = await contentOf({ visit, frame, membership, refused })
    if (!content) return visit.data('not-found', {})
    const data = { ...frame, ...content } as unknown as Parameters<typeof visit.data<Name>>[1] // the frame and what the name asks for
    return visit.data(page, data, refused ?? told(visit, dones))
  }
}

/** The outcome that the URL reports, with the number of invited members. */
function told(visit: Visit, dones: readonly PageDone[]): PageState | undefined {
  const count = visit.query.get('count') ?? ''
  const state = doneState(visit, dones, undefined, /^\d{1,4}$/.test(count) ? { count } : undefined)
  const form = state?.done && doneForms[state.done]
  return state && { ...state, ...(form && { form }) }
}

/** The form beside which an outcome appears, if always the same one. */
const doneForms: Readonly<Partial<Record<PageDone, PageForm>>> = {
  'ownership-transferred': 'organization-transfer',
  'member-updated': 'member-role',
  'member-removed': 'member-remove',
  'members-invited': 'invite-members',
  'invitation-resent': 'invitation-resend',
  'invitation-canceled': 'invitation-cancel',
  'link-created': 'link-create',
  'link-revoked': 'link-revoke',
  'join-approved': 'join-approve',
  'join-denied': 'join-deny',
  'domain-verified': 'domain-verify',
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

/** Asks a member to verify their address first; their own memberships give the organization's name. */
async function unverifiedPage(visit: Visit, session: SignedIn): Promise<PageData> {
  const memberships = await listOwnMemberships(visit.ctx, session.user.id)
  const slug = visit.params.slug?.toLowerCase()
  const membership = memberships.find(({ organization }) => organization.slug === slug)
  return visit.data('organization-unverified', { session, organization: membership?.organization.name ?? '' })
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
  const current = await findCurrentSession(ctx, createCaller(ctx, visit.headers, ''))
  if (!current) throw new TollgateError('UNAUTHORIZED')
  const membership = await requireMember(ctx, ctx.db, current, organizationId, 'NOT_FOUND')

  const own = await visit.call('listMembers', {
    query: { organizationId, filterField: 'userId', filterValue: session.user.id, limit: 1 },
  })
  const member = own?.members[0]
  if (!member) throw new TollgateError('NOT_FOUND')
  const everybody = await visit.call('listMembers', { query: { organizationId, limit: 1 } })
  const open = await visit.call('listInvitations', { query: { organizationId, status: 'pending', limit: mostListed } })
  const asked = await look(visit.call('listJoinRequests', { query: { organizationId, limit: mostListed } }))
  const frame: OrganizationFrame = {
    session,
    now: ctx.clock.now().toISOString(),
    administers: administers(visit, session),
    ...(await dashboardFor(ctx, organization, membership)),
    organization,
    member: { ...member, permissions: permissionsOf(membership) },
    isOwner: membership.isOwner,
    organizations: (await visit.call('listOrganizations', { query: { limit: mostListed } })) ?? [],
    roles: await rolesOf(visit, organizationId),
    ownerRole: config.creatorRole,
    statements: knownStatements(ctx),
    counts: {
      members: everybody?.total ?? 0,
      membershipLimit: config.membershipLimit,
      invitations: open?.length ?? 0,
      requests: asked.found?.length ?? 0,
    },
    features: {
      teams: config.teams.enabled,
      deletion: !config.disableOrganizationDeletion,
      removingLastTeam: config.teams.allowRemovingAllTeams,
    },
  }
  return { frame, membership }
}

/** The predefined roles, then the organization's own if the visitor may see them. */
async function rolesOf(visit: Visit, organizationId: string): Promise<OrganizationFrame['roles']> {
  const { found: own = [] } = await look(visit.call('listRoles', { query: { organizationId } }))
  return [
    ...[...predefinedRoles(visit.ctx)].map(([name, { statements }]) => ({ name, permissions: statements })),
    ...own.map(({ id, role, permission }) => ({ id, name: role, permissions: permission })),
  ]
}

async function overview({ visit, frame }: Room): Promise<SectionData['organization-overview']> {
  const organizationId = frame.organization.id
  const newest = await visit.call('listMembers', {
    query: { organizationId, limit: 5, sortBy: 'createdAt', sortDirection: 'desc' },
  })
  const log = await look(visit.call('listOrganizationEvents', { query: { organizationId, limit: 8 } }))
  return { newest: newest?.members ?? [], ...(log.found && { events: log.found.events }) }
}

/** Members per page of the list. */
const membersPerPage = 25

async function members({ visit, frame, membership }: Room): Promise<SectionData['organization-members']> {
  const organizationId = frame.organization.id
  const search = textIn(visit, 'search')
  const role = textIn(visit, 'role')
  const offset = Math.min(Number(/^\d{1,7}$/.exec(visit.query.get('offset') ?? '')?.[0] ?? 0), 1_000_000)
  const found = await visit.call('listMembers', {
    query: {
      organizationId,
      limit: membersPerPage,
      offset,
      sortBy: 'name',
      ...(search && { search }),
      ...(role && { filterField: 'role', filterValue: role }),
    },
  })
  const listed = found?.members ?? []
  const hasTeams = frame.features.teams
  return {
    members: listed,
    total: found?.total ?? 0,
    search,
    role,
    offset,
    limit: membersPerPage,
    teams: await teamsOf(visit, frame),
    teamNames: hasTeams
      ? await teamNamesOf(
          visit.ctx,
          membership,
          listed.map(({ id }) => id),
        )
      : {},
    soleOwner: await ownsAlone(visit.ctx, membership),
  }
}

/** Untrusted text from the query, such as a search. */
const textIn = ({ query }: Visit, name: string): string => (query.get(name) ?? '').trim().slice(0, 100)

async function teamsOf(visit: Visit, { organization, features }: OrganizationFrame): Promise<Answer<'listTeams'>> {
  if (!features.teams) return []
  return (await visit.call('listTeams', { query: { organizationId: organization.id, limit: mostListed } })) ?? []
}

const invitationStates = ['pending', 'accepted', 'rejected', 'canceled'] as const

async function invitations({ visit, frame, membership }: Room): Promise<SectionData['organization-invitations']> {
  const organizationId = frame.organization.id
  const status = invitationStates.find((each) => each === visit.query.get('status')) ?? 'pending'
  const query = { organizationId, limit: mostListed }
  const listed = (await visit.call('listInvitations', { query: { ...query, status } })) ?? []
  const links = await look(visit.call('listInvitationLinks', { query }))
  const requests = await look(visit.call('listJoinRequests', { query }))
  return {
    invitations: listed,
    inviters: await invitersOf(visit.ctx, membership, listed),
    status,
    ...(links.found && { links: links.found }),
    ...(requests.found && { requests: requests.found }),
    acceptURL: `${visit.ctx.config.baseURL.origin}/accept-invitation/`,
    teams: await teamsOf(visit, frame),
  }
}

async function teams({ visit, frame, membership }: Room): Promise<SectionData['organization-teams'] | undefined> {
  if (!frame.features.teams) return undefined
  const listed = await teamsOf(visit, frame)
  const people = await peopleOfTeams(
    visit.ctx,
    membership,
    listed.map(({ id }) => id),
  )
  const own = await ownTeamsOf(visit.ctx, membership)
  return {
    teams: listed.map((team) => ({
      team,
      ...(people.get(team.id) ?? { members: [], total: 0 }),
      isOwn: own.has(team.id),
    })),
    people: await peopleOf(visit, frame),
  }
}

/** Members that a page offers for selection, by name. */
async function peopleOf(visit: Visit, { organization }: OrganizationFrame) {
  const query = { organizationId: organization.id, limit: mostPeople, sortBy: 'name' } as const
  return (await visit.call('listMembers', { query }))?.members ?? []
}

async function roles({ visit, frame }: Room): Promise<SectionData['organization-roles']> {
  const people = await peopleOf(visit, frame)
  const chosen = visit.query.get('member')
  const member = people.find(({ id }) => id === chosen)
  return { people, ...(member && { preview: { member, permissions: heldBy(frame, member.role) } }) }
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

async function settings({ visit, frame }: Room): Promise<SectionData['organization-settings']> {
  const domains = await look(visit.call('listDomains', { query: { organizationId: frame.organization.id } }))
  return domains.found ? { domains: domains.found } : {}
}

async function audit({ visit, frame }: Room): Promise<SectionData['organization-audit'] | undefined> {
  const { id: organizationId, slug } = frame.organization
  const type = organizationEventTypes.find((each) => each === visit.query.get('type'))
  const cursor = textIn(visit, 'cursor')
  const { found, refusal } = await look(
    visit.call('listOrganizationEvents', {
      query: { organizationId, limit: 50, ...(type && { type }), ...(cursor && { cursor }) },
    }),
  )
  if (refusal === 'ORGANIZATION_EVENTS_NOT_ALLOWED') return undefined
  if (!found) throw new TollgateError(refusal)
  return { ...found, type: type ?? '', types: organizationEventTypes, exportURL: `/org/${slug}/audit/export` }
}

/** Refusals of a transfer after which the page asks for the password. */
const wantsPassword: readonly (string | undefined)[] = ['SESSION_IS_NOT_FRESH', 'INVALID_PASSWORD', 'PASSWORD_REQUIRED']

async function danger({ visit, frame, membership, refused }: Room): Promise<SectionData['organization-danger']> {
  const asksPassword = refused?.form === 'organization-transfer' && wantsPassword.includes(refused.code)
  return {
    people: membership.isOwner ? await peopleOf(visit, frame) : [],
    soleOwner: await ownsAlone(visit.ctx, membership),
    hasPassword: await hasPassword(visit),
    ...(asksPassword && { asksPassword }),
  }
}

async function newOrganizationPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  if (visit.ctx.config.organization === false) return visit.data('not-found', {})
  const session = await visit.session()
  if (!session) return visit.redirect(signInAndBack(visit.url.pathname))
  const organizations = (await visit.call('listOrganizations', { query: { limit: mostListed } })) ?? []
  const mayAdminister = administers(visit, session)
  const sellsAtOnce = await sellsFromTheStart(visit.ctx, mayAdminister)
  return visit.data(
    'organization-new',
    {
      session,
      organizations,
      administers: mayAdminister,
      ...(sellsAtOnce && { dashboard: '/dashboard' }),
      ...(await mayCreate(visit, session)),
    },
    refused,
  )
}

const mayCreate = (visit: Visit, { user }: SignedIn) => mayCreateOrganization(visit.ctx, user)

async function accountOrganizationsPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  if (visit.ctx.config.organization === false) return visit.data('not-found', {})
  const session = await visit.session()
  if (!session) return visit.redirect(signInAndBack(visit.url.pathname))
  const dones = ['organization-left', 'organization-deleted', 'invitation-rejected', 'join-requested'] as const
  return visit.data(
    'account-organizations',
    {
      ...(await accountOf(visit, session)),
      memberships: await listOwnMemberships(visit.ctx, session.user.id),
      invitations: (await visit.call('listUserInvitations', { query: {} })) ?? [],
      joinable: (await visit.call('listJoinableOrganizations', { query: {} })) ?? [],
      may: (await mayCreate(visit, session)).may,
    },
    refused ?? doneState(visit, dones, undefined),
  )
}
