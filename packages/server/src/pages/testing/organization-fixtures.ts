import { organizationRoles, organizationStatements } from '@tollgate/contract/calls'
import type {
  AccountOrganizations,
  OrganizationFrame,
  PageData,
  PageFrame,
  PageMember,
  PageOrganization,
  PageRole,
  PageState,
} from '@tollgate/contract/pages'
import type { Visit } from '../visit.ts'
import { account, ada, type Fixture, longEmail, longName, now, sessionOf, tooMany, withState } from './fixture-data.ts'

const northwind: PageOrganization = {
  id: 'fixtureOrganization',
  name: 'Northwind Traders',
  slug: 'northwind',
  logo: null,
  createdAt: '2026-01-12T09:40:00.000Z',
  metadata: { plan: 'pilot', seats: 14 },
  requireVerifiedEmail: false,
}
const contoso: PageOrganization = { ...northwind, id: 'fixtureContoso', name: 'Contoso', slug: 'contoso' }
const longOrganization: PageOrganization = {
  ...northwind,
  id: 'fixtureLong',
  name: `${longName} Verwaltungsgesellschaft`,
  slug: 'wolfeschlegelsteinhausenbergerdorff-montgomery-verwaltungsgesellschaft',
}

const memberOf = (id: string, name: string, role: string, rest: Partial<PageMember> = {}): PageMember => ({
  id: `fixtureMember${id}`,
  organizationId: northwind.id,
  userId: id === 'Ada' ? ada.id : `fixtureUser${id}`,
  role,
  teamId: null,
  createdAt: '2026-01-12T09:40:00.000Z',
  user: { id: id === 'Ada' ? ada.id : `fixtureUser${id}`, name, email: `${id.toLowerCase()}@example.com`, image: null },
  ...rest,
})
const me = memberOf('Ada', ada.name, 'owner')
const grace = memberOf('Grace', 'Grace Hopper', 'admin', { createdAt: '2026-02-02T17:05:00.000Z' })
const alan = memberOf('Alan', 'Alan Turing', 'member,bookkeeping', { createdAt: '2026-02-20T08:15:00.000Z' })
const long = memberOf('Long', longName, 'member', {
  user: { id: 'fixtureUserLong', name: longName, email: longEmail, image: null },
})
const people = [me, grace, alan, long]

const roles: readonly PageRole[] = [
  ...Object.entries(organizationRoles).map(([name, permissions]) => ({ name, permissions })),
  { id: 'fixtureRole', name: 'bookkeeping', permissions: { invitation: ['create'], audit: ['read'] } },
]

const frame = (rest: Partial<OrganizationFrame> = {}): OrganizationFrame => ({
  session: {
    ...sessionOf(),
    organization: { id: northwind.id, slug: northwind.slug, name: northwind.name, roles: ['owner'] },
  },
  now,
  administers: true,
  dashboard: '/dashboard/northwind',
  organization: northwind,
  member: { ...me, permissions: mutable(organizationStatements) },
  isOwner: true,
  organizations: [northwind, contoso],
  roles,
  ownerRole: 'owner',
  statements: organizationStatements,
  counts: { members: 14, membershipLimit: 100, invitations: 3, requests: 1 },
  features: { teams: true, deletion: true, removingLastTeam: false },
  ...rest,
})

const mutable = (statements: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(statements).map(([resource, actions]) => [resource, [...actions]]))

/** The organization as a plain member sees it. */
const asMember = frame({
  member: { ...me, role: 'member', permissions: mutable(organizationRoles.member) },
  isOwner: false,
  counts: { members: 14, membershipLimit: 100, invitations: 3, requests: 0 },
})
const asLong = frame({ organization: longOrganization, organizations: [longOrganization, northwind, contoso] })

type OrganizationPageName = Extract<PageData['page'], `organization-${string}`>
type Rest<Name extends OrganizationPageName> = Omit<PageData<Name>, keyof PageFrame | 'page'>

/** Builds a page's states from common props and those of each state. */
const page =
  <Name extends OrganizationPageName>(name: Name, common: Rest<Name>) =>
  (rest: Partial<Rest<Name>> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(name, { ...common, ...rest }, state)

const event = (id: string, type: string, data: Record<string, unknown> | null, rest: object = {}) => ({
  id,
  type,
  actorId: ada.id,
  actor: { id: ada.id, name: ada.name, email: ada.email },
  userId: alan.userId,
  user: { id: alan.userId, name: alan.user.name, email: alan.user.email },
  organizationId: northwind.id,
  data,
  createdAt: '2026-02-28T16:20:00.000Z',
  byAdministrator: false,
  ...rest,
})
const events = [
  event('e5', 'member.role_changed', { from: 'member', to: 'member,bookkeeping' }),
  event('e4', 'member.added', { role: 'member', by: 'invitation' }),
  event('e3', 'invitation.created', { email: 'alan@example.com', role: 'member' }, { userId: null, user: null }),
  event(
    'e2',
    'domain.verified',
    { domain: 'northwind.example' },
    { actorId: null, actor: null, userId: null, user: null },
  ),
  event('e1', 'organization.created', { slug: 'northwind' }, { userId: null, user: null }),
]

const overview = page('organization-overview', { ...frame(), newest: people.slice(0, 3), events })

const members = page('organization-members', {
  ...frame(),
  members: people,
  total: 14,
  search: '',
  role: '',
  offset: 0,
  limit: 25,
  teams: [],
  teamNames: { [grace.id]: ['Compilers', 'Navy'], [alan.id]: ['Compilers'] },
  soleOwner: true,
})

const invitation = (id: string, email: string, rest: object = {}) => ({
  id: `fixtureInvitation${id}`,
  organizationId: northwind.id,
  email,
  role: 'member',
  status: 'pending' as const,
  teamId: null,
  inviterId: ada.id,
  expiresAt: '2026-03-03T09:00:00.000Z',
  createdAt: '2026-03-01T09:00:00.000Z',
  ...rest,
})
const team = (id: string, name: string) => ({
  id: `fixtureTeam${id}`,
  name,
  organizationId: northwind.id,
  createdAt: '2026-01-12T09:40:00.000Z',
  updatedAt: null,
})
const compilers = team('Compilers', 'Compilers')
const shared = (id: string, rest: object = {}) => ({
  id: `fixtureLink${id}`,
  organizationId: northwind.id,
  role: 'member',
  teamId: null,
  maxUses: 10,
  uses: 3,
  emailDomains: ['northwind.example'],
  requiresApproval: true,
  creatorId: ada.id,
  expiresAt: '2026-03-08T12:00:00.000Z',
  createdAt: '2026-02-20T08:15:00.000Z',
  url: 'https://accounts.northwind.example/join/fixture-token-that-is-about-as-long-as-a-real-one',
  ...rest,
})
const request = {
  id: 'fixtureRequest',
  organizationId: northwind.id,
  userId: long.userId,
  user: long.user,
  role: 'member',
  source: 'link' as const,
  status: 'pending' as const,
  createdAt: '2026-02-28T20:41:00.000Z',
}
const invitations = page('organization-invitations', {
  ...frame(),
  invitations: [
    invitation('One', 'alan@example.com'),
    invitation('Two', longEmail, { role: 'admin,bookkeeping' }),
    invitation('Old', 'late@example.com', { inviterId: grace.userId, expiresAt: '2026-02-20T09:00:00.000Z' }),
  ],
  inviters: { [ada.id]: ada.name, [grace.userId]: grace.user.name },
  status: 'pending',
  links: [shared('One'), shared('Two', { maxUses: null, emailDomains: [], requiresApproval: false, expiresAt: null })],
  requests: [request],
  acceptURL: 'https://accounts.northwind.example/accept-invitation/',
  teams: [compilers],
})

const teams = page('organization-teams', {
  ...frame(),
  teams: [
    { team: compilers, members: [grace, alan], total: 2, isOwn: false },
    { team: team('Empty', longName), members: [], total: 0, isOwn: false },
    { team: team('Own', 'Analysts'), members: [me], total: 1, isOwn: true },
  ],
  people,
})

const rolesPage = page('organization-roles', { ...frame(), people })

const domain = (id: string, name: string, rest: object = {}) => ({
  id: `fixtureDomain${id}`,
  organizationId: northwind.id,
  domain: name,
  joinMode: 'request' as const,
  verifiedAt: null,
  createdAt: '2026-02-20T08:15:00.000Z',
  record: { name: `_tollgate.${name}`, value: 'tollgate-verification=fixture-value-as-long-as-a-real-one' },
  ...rest,
})
const settings = page('organization-settings', {
  ...frame(),
  domains: [
    domain('Proved', 'northwind.example', { verifiedAt: '2026-02-21T07:00:00.000Z', joinMode: 'auto' }),
    domain('New', 'a-subsidiary-with-a-long-name.northwind-traders.example'),
  ],
})

const audit = page('organization-audit', {
  ...frame(),
  events,
  nextCursor: 'e1',
  type: '',
  types: ['member.added', 'member.role_changed', 'organization.created'],
  exportURL: '/org/northwind/audit/export',
})

const danger = page('organization-danger', { ...frame(), people, soleOwner: true, hasPassword: true })

const creation = page('organization-new', {
  session: sessionOf(),
  may: 'create',
  organizations: [northwind, contoso],
})

const memberships: AccountOrganizations['memberships'] = [
  { organization: northwind, role: 'owner', soleOwner: true },
  { organization: contoso, role: 'member,bookkeeping', soleOwner: false },
  { organization: longOrganization, role: 'admin', soleOwner: false },
]

const named = ({ id, name, slug }: typeof northwind) => ({ id, name, slug })

/** Organizations that block the deletion of an account, and those it deletes too. */
type Purchases = NonNullable<PageData<'organization-danger'>['purchases']>
const noPurchases: Purchases = { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }
const bought = (id: string, product: string, currentPeriodEnd: string | null) => ({
  ...{ id, product, currentPeriodEnd, seller: longOrganization.name, amount: 900, currency: 'usd' },
  ...{ recurringInterval: 'month' as const, recurringIntervalCount: 1 },
})
const somePurchases: Purchases = {
  subscriptions: [bought('s1', 'Team plan', '2031-03-01T00:00:00.000Z'), bought('s2', 'Storage', null)],
  subscriptionCount: 5,
  voided: [{ currency: 'usd', places: 2, count: 1, amount: 900 }],
  due: [
    { currency: 'eur', places: 2, count: 1, amount: 1200 },
    { currency: 'usd', places: 2, count: 2, amount: 4500 },
  ],
  paymentMethodCount: 2,
}

export const deletions = {
  alone: { blocking: [], ending: [], purchases: noPurchases },
  kept: { blocking: [northwind, longOrganization].map(named), ending: [named(contoso)], purchases: noPurchases },
  along: { blocking: [], ending: [contoso, longOrganization].map(named), purchases: noPurchases },
  purchases: { blocking: [], ending: [], purchases: somePurchases },
}

const ownInvitation = {
  ...invitation('Mine', ada.email),
  organizationName: 'Fabrikam',
  organizationSlug: 'fabrikam',
  inviterEmail: 'grace@example.com',
}
const joinable = (id: string, name: string, joinMode: 'auto' | 'request', requested = false) => ({
  id,
  name,
  slug: id,
  logo: null,
  joinMode,
  requested,
})
const ownOrganizations =
  (rest: Partial<AccountOrganizations> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(
      'account-organizations',
      { ...account(), memberships, invitations: [], joinable: [], may: 'create', ...rest },
      state,
    )
const everyWayIn = ownOrganizations({
  invitations: [ownInvitation, { ...ownInvitation, id: 'fixtureInvitationLong', organizationName: longName }],
  joinable: [joinable('litware', 'Litware', 'auto'), joinable('adatum', 'Adatum', 'request', true)],
})

/** The states of the organization pages, by path. */
export const organizationFixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  '/account/organizations': {
    idle: ownOrganizations(),
    everything: everyWayIn,
    none: ownOrganizations({ memberships: [] }),
    'none-not-allowed': ownOrganizations({ memberships: [], may: 'not-allowed' }),
    limit: ownOrganizations({ may: 'limit' }),
    'sole-owner': withState(ownOrganizations(), {
      form: 'organization-leave',
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
      values: { organizationId: northwind.id },
    }),
    full: withState(everyWayIn, {
      form: 'invitation-accept',
      code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
      values: { invitationId: ownInvitation.id },
    }),
    left: withState(ownOrganizations(), { done: 'organization-left' }),
    deleted: withState(ownOrganizations(), { done: 'organization-deleted' }),
    rejected: withState(ownOrganizations(), { done: 'invitation-rejected' }),
    requested: withState(everyWayIn, { done: 'join-requested' }),
  },
  '/organizations/new': {
    idle: creation(),
    taken: withState(creation(), {
      form: 'organization-create',
      code: 'ORGANIZATION_ALREADY_EXISTS',
      values: { name: 'Northwind', slug: 'northwind' },
    }),
    'invalid-slug': withState(creation(), {
      form: 'organization-create',
      code: 'INVALID_SLUG',
      values: { name: 'Northwind', slug: 'North wind' },
    }),
    fields: withState(creation(), {
      form: 'organization-create',
      code: 'NAME_REQUIRED',
      values: { name: '', slug: '' },
    }),
    limit: creation({ may: 'limit', limit: 2 }),
    'not-allowed': creation({ may: 'not-allowed' }),
  },
  '/org/northwind': {
    idle: overview(),
    member: (visit) => page('organization-overview', { ...asMember, newest: people })()(visit),
    long: overview({ ...asLong, newest: [long] }),
    'no-teams': overview({ features: { teams: false, deletion: true, removingLastTeam: false } }),
    unverified: (visit) =>
      visit.data('organization-unverified', {
        session: sessionOf({ emailVerified: false }),
        organization: northwind.name,
      }),
    'unverified-long': (visit) =>
      visit.data('organization-unverified', {
        session: sessionOf({ emailVerified: false, email: longEmail }),
        organization: longName,
      }),
    created: withState(overview({ newest: [me], events: events.slice(-1) }), { done: 'organization-created' }),
  },
  '/org/northwind/members': {
    idle: members(),
    member: members({ ...asMember, soleOwner: false }),
    long: members({ ...asLong, members: [long], total: 1 }),
    only: members({
      members: [me],
      total: 1,
      counts: { members: 1, membershipLimit: 100, invitations: 0, requests: 0 },
    }),
    found: members({ members: [grace], total: 1, search: 'grace', role: 'admin' }),
    nobody: members({ members: [], total: 0, search: 'nobody' }),
    later: members({ total: 63, offset: 25 }),
    full: members({ total: 100, counts: { members: 100, membershipLimit: 100, invitations: 0, requests: 0 } }),
    updated: withState(members(), { form: 'member-role', done: 'member-updated' }),
    removed: withState(members(), { form: 'member-remove', done: 'member-removed' }),
    'sole-owner': withState(members(), {
      form: 'member-role',
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
      values: { memberId: me.id },
    }),
    'not-allowed': withState(members(), {
      form: 'member-remove',
      code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
      values: { memberId: grace.id },
    }),
    limited: withState(members(), { form: 'member-remove', ...tooMany, values: { memberId: grace.id } }),
  },
  '/org/northwind/invitations': {
    idle: invitations(),
    member: (visit) =>
      page('organization-invitations', {
        ...asMember,
        invitations: [invitation('One', 'alan@example.com')],
        inviters: { [ada.id]: ada.name },
        status: 'pending',
        acceptURL: 'https://accounts.northwind.example/accept-invitation/',
        teams: [],
      })()(visit),
    none: invitations({ invitations: [], links: [], requests: [] }),
    accepted: invitations({
      status: 'accepted',
      invitations: [invitation('Done', 'alan@example.com', { status: 'accepted' })],
    }),
    canceled: invitations({ status: 'canceled', invitations: [] }),
    invited: withState(invitations(), { form: 'invite-members', done: 'members-invited', values: { count: '3' } }),
    partly: withState(invitations(), {
      form: 'invite-members',
      done: 'members-invited',
      values: {
        count: '1',
        emails: `grace@example.com\nnobody\n${longEmail}`,
        role: 'member',
        'grace@example.com': 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
        nobody: 'INVALID_EMAIL',
        [longEmail]: 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
      },
    }),
    'no-address': withState(invitations(), {
      form: 'invite-members',
      code: 'EMAIL_REQUIRED',
      values: { role: 'member' },
    }),
    limit: withState(invitations(), {
      form: 'invite-members',
      code: 'INVITATION_LIMIT_REACHED',
      values: { emails: 'alan@example.com', role: 'member' },
    }),
    resent: withState(invitations(), { form: 'invitation-resend', done: 'invitation-resent' }),
    'was-canceled': withState(invitations(), { form: 'invitation-cancel', done: 'invitation-canceled' }),
    'link-created': withState(invitations(), { form: 'link-create', done: 'link-created' }),
    'link-refused': withState(invitations(), {
      form: 'link-create',
      code: 'INVALID_DOMAIN',
      values: { role: 'member', maxUses: '10', expiresIn: '7', emailDomains: 'nothing', requiresApproval: 'on' },
    }),
    revoked: withState(invitations(), { form: 'link-revoke', done: 'link-revoked' }),
    approved: withState(invitations({ requests: [] }), { form: 'join-approve', done: 'join-approved' }),
    denied: withState(invitations({ requests: [] }), { form: 'join-deny', done: 'join-denied' }),
  },
  '/org/northwind/teams': {
    idle: teams(),
    member: teams({ ...asMember }),
    none: teams({ teams: [] }),
    saved: withState(teams(), { done: 'team-saved' }),
    removed: withState(teams(), { done: 'team-removed' }),
    last: withState(teams({ teams: [{ team: compilers, members: [grace], total: 1, isOwn: false }] }), {
      form: 'team-remove',
      code: 'UNABLE_TO_REMOVE_LAST_TEAM',
      values: { teamId: compilers.id },
    }),
    'no-name': withState(teams(), { form: 'team-create', code: 'NAME_REQUIRED', values: { name: '' } }),
  },
  '/org/northwind/roles': {
    idle: rolesPage(),
    member: rolesPage({ ...asMember }),
    preview: rolesPage({
      preview: { member: alan, permissions: { invitation: ['create'], audit: ['read'], ac: ['read'] } },
    }),
    'preview-nothing': rolesPage({ preview: { member: long, permissions: {} } }),
    saved: withState(rolesPage(), { done: 'role-saved' }),
    removed: withState(rolesPage(), { done: 'role-removed' }),
    taken: withState(rolesPage(), {
      form: 'role-create',
      code: 'ROLE_NAME_IS_ALREADY_TAKEN',
      values: { role: 'bookkeeping' },
    }),
    assigned: withState(rolesPage(), {
      form: 'role-delete',
      code: 'ROLE_IS_ASSIGNED_TO_MEMBERS',
      values: { roleId: 'fixtureRole' },
    }),
  },
  '/org/northwind/settings': {
    idle: settings(),
    long: settings({ ...asLong, domains: [] }),
    member: (visit) => page('organization-settings', { ...asMember })()(visit),
    'no-domains': settings({ domains: [] }),
    logo: (visit) =>
      settings({ organization: { ...northwind, logo: `${visit.ctx.config.baseURL.origin}/favicon.svg` } })(visit),
    'logo-refused': withState(settings(), {
      form: 'organization-logo',
      fields: { picture: 'PICTURE_UNREADABLE' },
    }),
    saved: withState(settings(), { done: 'organization-saved' }),
    taken: withState(settings(), {
      form: 'organization-update',
      code: 'ORGANIZATION_ALREADY_EXISTS',
      values: { name: 'Northwind', slug: 'contoso' },
    }),
    'bad-metadata': withState(settings(), {
      form: 'organization-metadata',
      code: 'METADATA_INVALID',
      values: { metadata: '{"plan": ' },
    }),
    'domain-taken': withState(settings(), {
      form: 'domain-verify',
      code: 'DOMAIN_IS_VERIFIED_BY_ANOTHER_ORGANIZATION',
      values: { domainId: 'fixtureDomainNew' },
    }),
    'domain-not-proven': withState(settings(), {
      form: 'domain-verify',
      code: 'THE_DNS_RECORD_WAS_NOT_FOUND',
      values: { domainId: 'fixtureDomainNew' },
    }),
    'domain-public': withState(settings(), {
      form: 'domain-add',
      code: 'A_DOMAIN_OF_A_PUBLIC_MAIL_SERVICE_CANNOT_BE_CLAIMED',
      values: { domain: 'gmail.com', joinMode: 'auto' },
    }),
    verified: withState(settings(), { form: 'domain-verify', done: 'domain-verified' }),
  },
  '/org/northwind/audit': {
    idle: audit(),
    one: audit({ events: events.slice(0, 1), nextCursor: null, type: 'member.role_changed' }),
    none: audit({ events: [], nextCursor: null, type: 'member.added' }),
  },
  '/org/northwind/danger': {
    idle: danger(),
    member: danger({ ...asMember, people: [], soleOwner: false }),
    shared: danger({ soleOwner: false }),
    kept: danger({ features: { teams: true, deletion: false, removingLastTeam: false } }),
    sold: danger({ hasSold: true }),
    purchases: danger({ purchases: somePurchases }),
    slug: withState(danger(), {
      form: 'organization-delete',
      code: 'CONFIRMATION_SLUG',
      values: { confirmation: 'northwnd' },
    }),
    stale: withState(danger({ asksPassword: true }), {
      form: 'organization-transfer',
      code: 'SESSION_IS_NOT_FRESH',
      values: { memberId: grace.id },
    }),
    'stale-no-password': withState(danger({ asksPassword: true, hasPassword: false }), {
      form: 'organization-transfer',
      code: 'SESSION_IS_NOT_FRESH',
      values: { memberId: grace.id },
    }),
    'wrong-password': withState(danger({ asksPassword: true }), {
      form: 'organization-transfer',
      code: 'INVALID_PASSWORD',
      values: { memberId: grace.id },
    }),
    transferred: withState(danger({ isOwner: false, people: [] }), {
      form: 'organization-transfer',
      done: 'ownership-transferred',
    }),
  },
}
