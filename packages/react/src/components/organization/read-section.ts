import type { TollgateClient } from '@tollgate/client'
import { organizationRoles, organizationStatements, type Statements, splitRoles } from '@tollgate/contract/calls'
import type { OrganizationFrame, PageRole } from '@tollgate/contract/pages'
import { viewersNow } from '../time.tsx'
import { type OrganizationSection, permissionsOf, type SectionData } from './data.ts'
import type { Query } from './query-form.ts'

/** Server settings that the application knows, if they differ from the defaults. */
export type OrganizationSetup = {
  /** Roles of the configuration beyond the three defaults. */
  roles?: readonly PageRole[]
  /** All resources and actions. */
  statements?: Statements
  /** The creators' role. */
  ownerRole?: string
  membershipLimit?: number
  deletion?: boolean
  /** Whether the last team may be deleted. */
  removingLastTeam?: boolean
  /** The address of an invitation's page without its id. Without it the section offers no copy button. */
  acceptURL?: string
}

/** The data of an embedded section, as the server would render it. `none`: no organization is active. */
export type ReadSection = SectionData | 'none' | 'failed'

const perPage = 25
const most = 200

/** Reads a section's data for the active organization with the client. */
export async function readSection(
  client: TollgateClient,
  section: OrganizationSection,
  query: Query,
  setup: OrganizationSetup,
): Promise<ReadSection> {
  const frame = await readFrame(client, setup)
  if (typeof frame === 'string') return frame
  const content = await readers[section](client, frame, query, setup)
  // The readers' type ensures that this is the section's data; TypeScript cannot correlate the two by name.
  return content ? ({ ...frame, ...content } as unknown as SectionData) : 'failed'
}

async function readFrame(
  client: TollgateClient,
  setup: OrganizationSetup,
): Promise<OrganizationFrame | 'none' | 'failed'> {
  const session = client.session.get().data ?? (await client.getSession()).data
  if (!session) return 'failed'
  const [found, self, list] = await Promise.all([
    client.getOrganization(),
    client.getActiveMember(),
    client.listOrganizations(),
  ])
  if (found.error || self.error?.status === 401) return 'failed'
  if (!found.data || !self.data) return 'none'
  const organizationId = found.data.id
  // Data that the viewer may not read is refused, and then left out.
  const [own, everybody, open, requests, teams] = await Promise.all([
    client.listRoles({ organizationId }),
    client.listMembers({ organizationId, limit: 1 }),
    client.listInvitations({ organizationId, status: 'pending', limit: most }),
    client.listJoinRequests({ organizationId, limit: most }),
    client.listTeams({ organizationId, limit: 1 }),
  ])
  const ownerRole = setup.ownerRole ?? 'owner'
  return {
    session,
    now: viewersNow(),
    organization: found.data,
    member: self.data,
    isOwner: splitRoles(self.data.role).includes(ownerRole),
    organizations: list.data ?? [],
    roles: [
      ...(setup.roles ?? Object.entries(organizationRoles).map(([name, permissions]) => ({ name, permissions }))),
      ...(own.data ?? []).map(({ id, role, permission }) => ({ id, name: role, permissions: permission })),
    ],
    ownerRole,
    statements: setup.statements ?? organizationStatements,
    counts: {
      members: everybody.data?.total ?? 0,
      membershipLimit: setup.membershipLimit ?? Number.POSITIVE_INFINITY,
      invitations: open.data?.length ?? 0,
      requests: requests.data?.length ?? 0,
    },
    features: {
      teams: teams.error?.status !== 404,
      deletion: setup.deletion ?? true,
      removingLastTeam: setup.removingLastTeam ?? false,
    },
  }
}

/** A section's own data beside the frame; undefined if it could not be read. */
type Reader<Section extends OrganizationSection> = (
  client: TollgateClient,
  frame: OrganizationFrame,
  query: Query,
  setup: OrganizationSetup,
) => Promise<Omit<SectionData<Section>, keyof OrganizationFrame> | null>

const readers: { readonly [Section in OrganizationSection]: Reader<Section> } = {
  overview: async (client, { organization }) => {
    const organizationId = organization.id
    const [newest, log] = await Promise.all([
      client.listMembers({ organizationId, limit: 5, sortBy: 'createdAt', sortDirection: 'desc' }),
      client.listOrganizationEvents({ organizationId, limit: 8 }),
    ])
    return newest.data && { newest: newest.data.members, ...(log.data && { events: log.data.events }) }
  },

  members: async (client, frame, { search = '', role = '', offset: from = '0' }) => {
    const organizationId = frame.organization.id
    const offset = Number(from) || 0
    const [found, people, teams] = await Promise.all([
      client.listMembers({
        organizationId,
        limit: perPage,
        offset,
        sortBy: 'name',
        ...(search && { search }),
        ...(role && { filterField: 'role', filterOperator: 'contains', filterValue: role }),
      }),
      readPeople(client, organizationId),
      readTeams(client, frame),
    ])
    const teamNames = Object.fromEntries(
      (found.data?.members ?? []).map(({ id, teamId }) => [
        id,
        teams.flatMap((team) => (team.id === teamId ? [team.name] : [])),
      ]),
    )
    return (
      found.data && {
        ...found.data,
        search,
        role,
        offset,
        limit: perPage,
        teams,
        teamNames,
        soleOwner: ownsAlone(frame, people),
      }
    )
  },

  invitations: async (client, frame, { status: asked = 'pending' }, setup) => {
    const organizationId = frame.organization.id
    const states = ['pending', 'accepted', 'rejected', 'canceled'] as const
    const status = states.find((state) => state === asked) ?? 'pending'
    const [listed, links, requests, teams, people] = await Promise.all([
      client.listInvitations({ organizationId, status, limit: most }),
      client.listInvitationLinks({ organizationId, limit: most }),
      client.listJoinRequests({ organizationId, limit: most }),
      readTeams(client, frame),
      readPeople(client, organizationId),
    ])
    return (
      listed.data && {
        invitations: listed.data,
        status,
        teams,
        ...(links.data && { links: links.data }),
        ...(requests.data && { requests: requests.data }),
        acceptURL: setup.acceptURL ?? '',
        inviters: Object.fromEntries(people.map(({ userId, user }) => [userId, user.name || user.email])),
      }
    )
  },

  teams: async (client, frame) => {
    const organizationId = frame.organization.id
    const [teams, people, own] = await Promise.all([
      readTeams(client, frame),
      readPeople(client, organizationId),
      client.listUserTeams({ organizationId, limit: most }),
    ])
    const listed = await Promise.all(
      teams.map(async (team) => {
        const { data } = await client.listMembers({ organizationId, teamId: team.id, limit: 50 })
        const isOwn = own.data?.some(({ id }) => id === team.id) ?? false
        return { team, members: data?.members ?? [], total: data?.total ?? 0, isOwn }
      }),
    )
    return { teams: listed, people }
  },

  roles: async (client, frame, { member: id }) => {
    const people = await readPeople(client, frame.organization.id)
    const member = people.find((person) => person.id === id)
    const permissions = member && permissionsOf(frame.roles, splitRoles(member.role))
    return { people, ...(member && permissions && { preview: { member, permissions } }) }
  },

  settings: async (client, { organization }) => {
    const { data } = await client.listDomains({ organizationId: organization.id })
    return data ? { domains: data } : {}
  },

  audit: async (client, { organization }, { type = '', cursor = '' }) => {
    const { data } = await client.listOrganizationEvents({
      organizationId: organization.id,
      ...(type && { type }),
      ...(cursor && { cursor }),
    })
    const types = [...new Set([...(type ? [type] : []), ...(data?.events ?? []).map((event) => event.type)])].sort()
    return data && { ...data, type, types, exportURL: '' }
  },

  danger: async (client, frame) => {
    const [people, accounts] = await Promise.all([readPeople(client, frame.organization.id), client.listAccounts()])
    const hasPassword = accounts.data?.some(({ providerId }) => providerId === 'credential') ?? true
    return { people, soleOwner: ownsAlone(frame, people), hasPassword }
  },
}

async function readPeople(client: TollgateClient, organizationId: string) {
  const { data } = await client.listMembers({ organizationId, limit: 500, sortBy: 'name' })
  return data?.members ?? []
}

async function readTeams(client: TollgateClient, { organization, features }: OrganizationFrame) {
  if (!features.teams) return []
  return (await client.listTeams({ organizationId: organization.id, limit: most })).data ?? []
}

const ownsAlone = ({ isOwner, ownerRole }: OrganizationFrame, people: readonly { role: string }[]): boolean =>
  isOwner && people.filter(({ role }) => splitRoles(role).includes(ownerRole)).length === 1
