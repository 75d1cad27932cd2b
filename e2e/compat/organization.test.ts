import { randomUUID } from 'node:crypto'
import { createAuthClient as createClient17 } from 'better-auth/client'
import { organizationClient as organization17 } from 'better-auth/client/plugins'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ErrorName, errorCode, errorMessage, errors } from '../../packages/contract/src/errors.ts'
import { type FreshDatabase, freshPostgres, freshSqlite } from '../faults/databases.ts'
import { type ServerProcess, startServer, until } from '../faults/server-process.ts'
import { createAuthClient as createClient12, organizationClient as organization12 } from './better-auth-1.2/client.ts'
import { type Browser, openBrowser } from './browser.ts'
import type { Reply } from './clients.ts'

// biome-ignore lint/suspicious/noExplicitAny: the two versions type their answers differently; tests look into both
type Data = any
type Method = (input?: Data) => Promise<Reply>
type Store = {
  get(): { readonly data: Data; readonly isPending: boolean }
  subscribe(listener: () => void): () => void
}

/** What both versions of the client share about organizations; the later calls come with 1.7. */
type Client = {
  readonly signUp: { readonly email: Method }
  readonly signOut: Method
  readonly getSession: Method
  readonly organization: {
    readonly [name in
      | 'create'
      | 'checkSlug'
      | 'update'
      | 'delete'
      | 'list'
      | 'getFullOrganization'
      | 'setActive'
      | 'inviteMember'
      | 'acceptInvitation'
      | 'rejectInvitation'
      | 'cancelInvitation'
      | 'getInvitation'
      | 'listInvitations'
      | 'removeMember'
      | 'updateMemberRole'
      | 'leave'
      | 'hasPermission'
      | 'getActiveMember'
      | 'createTeam'
      | 'listTeams'
      | 'updateTeam'
      | 'removeTeam'
      | 'getOrganization'
      | 'listMembers'
      | 'getActiveMemberRole'
      | 'listUserInvitations'
      | 'addTeamMember'
      | 'removeTeamMember'
      | 'listTeamMembers'
      | 'listUserTeams'
      | 'setActiveTeam'
      | 'createRole'
      | 'updateRole'
      | 'deleteRole'
      | 'getRole'
      | 'listRoles'
      | 'addMember']: Method
  } & { checkRolePermission(input: Data): boolean }
  readonly $store: { readonly notify: (signal: string) => void }
  readonly useListOrganizations: Store
  readonly useActiveOrganization: Store
  readonly useActiveMember: Store
  /** Of 1.7. */
  readonly useActiveMemberRole: Store
}
type Person = Browser & { readonly client: Client; readonly id: string; readonly email: string }
type Version = { readonly name: string; clientOf(baseURL: string, browser: Browser): unknown }

const versions: readonly Version[] = [
  {
    name: 'better-auth 1.7.7',
    clientOf: (baseURL, { fetch }) =>
      createClient17({
        baseURL,
        plugins: [organization17({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } })],
        fetchOptions: { customFetchImpl: fetch },
      }),
  },
  {
    name: 'better-auth 1.2.8',
    clientOf: (baseURL, { fetch }) =>
      createClient12({
        baseURL,
        // Its types leave out an `undefined` that our strictness asks for.
        plugins: [organization12() as never],
        fetchOptions: { customFetchImpl: fetch },
      }),
  },
]

const databases: readonly [string, () => Promise<FreshDatabase>][] = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', freshPostgres],
]

const password = 'correct horse battery'
const newAddress = (): string => `ada.${randomUUID().slice(0, 8)}@example.com`
const newSlug = (): string => `acme-${randomUUID().slice(0, 8)}`

/** The data of an answer that is none of a refusal. */
async function told(reply: Promise<Reply>): Promise<Data> {
  const { data, error } = await reply
  expect(error).toBeNull()
  return data
}

/** Status, code and text of a refusal. */
async function refused(reply: Promise<Reply>): Promise<readonly unknown[]> {
  const { data, error } = await reply
  expect(data).toBeNull()
  return [error?.status, error?.code, error?.message]
}

/** Its status and code. */
const refusedAs = async (reply: Promise<Reply>) => (await refused(reply)).slice(0, 2)

const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name)

describe.each(databases)('on %s', (_, freshDatabase) => {
  let database: FreshDatabase
  let server: ServerProcess

  beforeAll(async () => {
    database = await freshDatabase()
    server = await startServer({
      databaseUrl: database.url,
      config: {
        organization: {
          teams: { enabled: true },
          permissions: { project: ['create', 'delete'] },
          roles: { builder: { project: ['create'] } },
        },
      },
    })
  })

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  afterEach(() => vi.unstubAllGlobals())

  /** Signed up, with the address proven by the mailed link. */
  async function person(version: Version, name = 'Ada'): Promise<Person> {
    const browser = openBrowser(server.baseURL)
    const email = newAddress()
    // Of the libraries' own types only what both share is of use.
    const client = version.clientOf(server.baseURL, browser) as Client
    const { user } = await told(client.signUp.email({ name, email, password }))
    await browser.visit(await linkTo(email, 1))
    return { ...browser, client, id: user.id, email }
  }

  async function linkTo(email: string, count: number): Promise<string> {
    let mails: { links: string[] }[] = []
    await until(`${count} mails to ${email}`, 10_000, async () => {
      const response = await fetch(`${server.baseURL}/dev/inbox/messages?to=${encodeURIComponent(email)}`)
      mails = (await response.json()) as typeof mails // the inbox's own answer
      return mails.length >= count
    })
    return mails[0]!.links[0]!
  }

  async function founded(owner: Person, name = 'Acme'): Promise<Data> {
    return told(owner.client.organization.create({ name, slug: newSlug() }))
  }

  /** A new member of the owner's active organization, who accepted an invitation. */
  async function joined(version: Version, owner: Person, role: string | string[] = 'member', name = 'Max') {
    const somebody = await person(version, name)
    const invitation = await told(owner.client.organization.inviteMember({ email: somebody.email, role }))
    const { member } = await told(somebody.client.organization.acceptInvitation({ invitationId: invitation.id }))
    return { ...somebody, memberId: member.id as string }
  }

  describe.each(versions)('$name', (version) => {
    test('creates, finds, changes and deletes organizations', async () => {
      const ada = await person(version)
      const { organization } = ada.client
      const slug = newSlug()

      expect(await told(organization.checkSlug({ slug }))).toEqual({ status: true })
      const acme = await told(
        organization.create({ name: 'Acme', slug, logo: 'https://acme.example/logo.png', metadata: { plan: 'pro' } }),
      )
      expect(acme).toMatchObject({
        name: 'Acme',
        slug,
        logo: 'https://acme.example/logo.png',
        metadata: { plan: 'pro' },
      })
      expect(acme.createdAt).toBeInstanceOf(Date)
      expect(acme.members).toMatchObject([{ organizationId: acme.id, userId: ada.id, role: 'owner' }])
      expect(acme.members[0].teamId).toBeTypeOf('string')
      expect((await told(ada.client.getSession())).session.activeOrganizationId).toBe(acme.id)

      expect(await refused(organization.checkSlug({ slug }))).toEqual([400, 'SLUG_IS_TAKEN', 'slug is taken'])
      expect(await refused(organization.create({ name: 'Acme', slug }))).toEqual([
        400,
        'ORGANIZATION_ALREADY_EXISTS',
        'Organization already exists',
      ])
      const other = await told(
        organization.create({ name: 'Other', slug: newSlug(), keepCurrentActiveOrganization: true }),
      )
      expect((await told(ada.client.getSession())).session.activeOrganizationId).toBe(acme.id)
      expect(namesOf(await told(organization.list()))).toEqual(['Acme', 'Other'])

      const full = await told(organization.getFullOrganization())
      expect(full).toMatchObject({ id: acme.id, metadata: { plan: 'pro' }, invitations: [] })
      expect(full.members[0]).toMatchObject({
        role: 'owner',
        user: { id: ada.id, name: 'Ada', email: ada.email, image: null },
      })
      expect(full.members[0].createdAt).toBeInstanceOf(Date)
      expect(namesOf(full.teams)).toEqual(['Acme'])
      const bySlug = { query: { organizationSlug: other.slug } }
      expect((await told(organization.getFullOrganization(bySlug))).id).toBe(other.id)
      expect(await told(organization.getOrganization({ query: { organizationId: other.id } }))).toMatchObject({
        id: other.id,
        name: 'Other',
      })

      const data = { name: 'Acme & Co.', metadata: { plan: 'free', seats: 5 } }
      expect(await told(organization.update({ organizationId: acme.id, data }))).toMatchObject({ id: acme.id, ...data })
      expect(await refusedAs(organization.update({ data: { slug: other.slug } }))).toEqual([
        400,
        'ORGANIZATION_ALREADY_EXISTS',
      ])

      expect(await told(organization.setActive({ organizationSlug: other.slug }))).toMatchObject({ id: other.id })
      expect(await told(organization.setActive({ organizationId: null }))).toBeNull()
      expect(await told(organization.getFullOrganization())).toBeNull()
      expect(await refused(organization.getActiveMember())).toEqual([
        400,
        'NO_ACTIVE_ORGANIZATION',
        'No active organization',
      ])
      expect(await told(organization.delete({ organizationId: acme.id }))).toMatchObject({ id: acme.id })
      expect(namesOf(await told(organization.list()))).toEqual(['Other'])
    })

    test('a user cannot see, choose or change an organization of others', async () => {
      const [ada, eve] = await Promise.all([person(version), person(version, 'Eve')])
      const acme = await founded(ada)
      const { organization } = eve.client
      const organizationId = acme.id
      const outsider = [403, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', 'User is not a member of the organization']

      expect(await refused(organization.getFullOrganization({ query: { organizationId } }))).toEqual(outsider)
      expect(await refused(organization.setActive({ organizationId }))).toEqual(outsider)
      expect(await refused(organization.update({ organizationId, data: { name: 'Eve' } }))).toEqual([
        400,
        ...outsider.slice(1),
      ])
      expect(await refused(organization.delete({ organizationId }))).toEqual([400, ...outsider.slice(1)])
      expect(await refused(organization.listInvitations({ query: { organizationId } }))).toEqual([
        403,
        'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
        'You are not a member of this organization',
      ])
      await ada.client.signOut()
      expect(await refused(ada.client.organization.list())).toEqual([401, 'UNAUTHORIZED', 'Unauthorized'])
      expect((await refused(ada.client.organization.addMember({ userId: eve.id, role: 'owner' })))[0]).toBe(404)
    })

    test('invites by mail; the invited person reads, declines and accepts', async () => {
      const [ada, grace] = await Promise.all([person(version), person(version, 'Grace')])
      const acme = await founded(ada)
      const { organization } = ada.client

      const invitation = await told(organization.inviteMember({ email: grace.email.toUpperCase(), role: 'admin' }))
      expect(invitation).toMatchObject({
        organizationId: acme.id,
        email: grace.email,
        role: 'admin',
        status: 'pending',
        inviterId: ada.id,
      })
      expect(invitation.expiresAt).toBeInstanceOf(Date)
      expect(await linkTo(grace.email, 2)).toContain(invitation.id)
      expect(await refused(organization.inviteMember({ email: grace.email, role: 'admin' }))).toEqual([
        400,
        'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
        'User is already invited to this organization',
      ])
      const again = await told(organization.inviteMember({ email: grace.email, role: 'admin', resend: true }))
      expect(again.id).toBe(invitation.id)
      expect(again.expiresAt.getTime()).toBeGreaterThanOrEqual(invitation.expiresAt.getTime())

      const byId = { query: { id: invitation.id } }
      expect(await told(grace.client.organization.getInvitation(byId))).toMatchObject({
        id: invitation.id,
        organizationName: 'Acme',
        organizationSlug: acme.slug,
        inviterEmail: ada.email,
      })
      expect(await refused(organization.getInvitation(byId))).toEqual([
        403,
        'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
        'You are not the recipient of the invitation',
      ])
      expect(await told(grace.client.organization.listUserInvitations())).toMatchObject([
        { id: invitation.id, organizationName: 'Acme' },
      ])
      const rejected = await told(grace.client.organization.rejectInvitation({ invitationId: invitation.id }))
      expect(rejected).toMatchObject({ invitation: { id: invitation.id, status: 'rejected' }, member: null })
      expect(await refused(grace.client.organization.rejectInvitation({ invitationId: invitation.id }))).toEqual([
        400,
        'INVITATION_NOT_FOUND',
        'Invitation not found!',
      ])

      const canceled = await told(organization.inviteMember({ email: grace.email, role: 'member' }))
      expect(await told(organization.cancelInvitation({ invitationId: canceled.id }))).toMatchObject({
        id: canceled.id,
        status: 'canceled',
      })
      const last = await told(organization.inviteMember({ email: grace.email, role: ['member', 'builder'] }))
      expect(last.role).toBe('member,builder')
      const accepted = await told(grace.client.organization.acceptInvitation({ invitationId: last.id }))
      expect(accepted).toMatchObject({
        invitation: { id: last.id, status: 'accepted' },
        member: { organizationId: acme.id, userId: grace.id, role: 'member,builder' },
      })
      expect((await told(grace.client.getSession())).session.activeOrganizationId).toBe(acme.id)
      expect(await refused(grace.client.organization.acceptInvitation({ invitationId: last.id }))).toEqual([
        400,
        'INVITATION_NOT_FOUND',
        'Invitation not found',
      ])
      const states = await told(organization.listInvitations())
      expect(states.map(({ status }: { status: string }) => status).sort()).toEqual([
        'accepted',
        'canceled',
        'rejected',
      ])
      expect(await refused(organization.inviteMember({ email: grace.email, role: 'member' }))).toEqual([
        400,
        'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
        'User is already a member of this organization',
      ])
    })

    test('members have roles with their permissions; they are removed, and leave', async () => {
      const ada = await person(version)
      const acme = await founded(ada)
      const max = await joined(version, ada)
      const eva = await joined(version, ada, 'builder', 'Eva')
      const { organization } = ada.client

      expect(await told(organization.getActiveMember())).toMatchObject({
        organizationId: acme.id,
        role: 'owner',
        user: { email: ada.email, name: 'Ada' },
      })
      const page = await told(
        organization.listMembers({ query: { limit: 1, offset: 1, sortBy: 'createdAt', sortDirection: 'asc' } }),
      )
      expect(page).toMatchObject({ members: [{ id: max.memberId, user: { email: max.email } }], total: 3 })
      const filter = { filterField: 'role', filterOperator: 'eq', filterValue: 'builder' }
      expect(await told(organization.listMembers({ query: filter }))).toMatchObject({
        members: [{ userId: eva.id }],
        total: 1,
      })
      const several = { filterField: 'role', filterOperator: 'in', filterValue: ['owner', 'builder'] }
      expect((await told(organization.listMembers({ query: several }))).total).toBe(2)
      expect(await told(organization.getActiveMemberRole({ query: { userId: max.id } }))).toEqual({ role: 'member' })
      expect(await told(max.client.organization.getActiveMemberRole())).toEqual({ role: 'member' })

      for (const [by, asked, success] of [
        [ada, { project: ['create', 'delete'], organization: ['delete'] }, true],
        [eva, { project: ['create'] }, true],
        [eva, { project: ['create', 'delete'] }, false],
        [max, { project: ['create'] }, false],
      ] as const) {
        for (const body of [{ permissions: asked }, { permission: asked }])
          expect(await told(by.client.organization.hasPermission(body))).toEqual({ error: null, success })
      }
      expect(organization.checkRolePermission({ role: 'admin', permissions: { member: ['delete'] } })).toBe(true)
      expect(organization.checkRolePermission({ role: 'member', permissions: { member: ['delete'] } })).toBe(false)

      expect(
        await told(organization.updateMemberRole({ memberId: max.memberId, role: ['admin', 'builder'] })),
      ).toMatchObject({ id: max.memberId, role: 'admin,builder' })
      expect(await told(max.client.organization.getActiveMember())).toMatchObject({ role: 'admin,builder' })
      const own = (await told(organization.getActiveMember())).id
      expect(await refused(max.client.organization.updateMemberRole({ memberId: own, role: 'member' }))).toEqual([
        403,
        'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
        'You are not allowed to update this member',
      ])
      expect(
        await refusedAs(max.client.organization.updateMemberRole({ memberId: max.memberId, role: 'owner' })),
      ).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER'])
      expect(await refused(eva.client.organization.removeMember({ memberIdOrEmail: max.email }))).toEqual([
        401,
        'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
        'You are not allowed to delete this member',
      ])
      expect(await refused(organization.leave({ organizationId: acme.id }))).toEqual([
        400,
        'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
        'You cannot leave the organization as the only owner',
      ])

      expect(await told(organization.removeMember({ memberIdOrEmail: max.email.toUpperCase() }))).toMatchObject({
        member: { id: max.memberId, user: { email: max.email } },
      })
      expect(await told(max.client.organization.list())).toEqual([])
      expect(await told(eva.client.organization.leave({ organizationId: acme.id }))).toMatchObject({
        id: eva.memberId,
        user: { email: eva.email },
      })
      expect((await told(eva.client.getSession())).session.activeOrganizationId).toBeNull()
      expect(await refused(organization.removeMember({ memberIdOrEmail: max.memberId }))).toEqual([
        400,
        'MEMBER_NOT_FOUND',
        'Member not found',
      ])
    })

    test('teams are created, renamed, listed and removed, and have members', async () => {
      const ada = await person(version)
      const acme = await founded(ada)
      const max = await joined(version, ada)
      const { organization } = ada.client

      const ships = await told(organization.createTeam({ name: 'Ships' }))
      expect(ships).toMatchObject({ name: 'Ships', organizationId: acme.id })
      expect(ships.createdAt).toBeInstanceOf(Date)
      expect(await told(organization.updateTeam({ teamId: ships.id, data: { name: 'Boats' } }))).toMatchObject({
        id: ships.id,
        name: 'Boats',
      })
      const teams = await told(organization.listTeams({ query: { organizationId: acme.id } }))
      expect(namesOf(teams)).toEqual(['Acme', 'Boats'])
      expect(await refused(max.client.organization.createTeam({ name: 'Mine' }))).toEqual([
        403,
        'YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION',
        'You are not allowed to create teams in this organization',
      ])

      const row = await told(organization.addTeamMember({ teamId: ships.id, userId: max.id }))
      expect(row).toMatchObject({ teamId: ships.id, userId: max.id })
      expect(row.createdAt).toBeInstanceOf(Date)
      expect(namesOf(await told(max.client.organization.listUserTeams()))).toEqual(['Boats'])
      expect(await told(max.client.organization.setActiveTeam({ teamId: ships.id }))).toMatchObject({ id: ships.id })
      expect((await told(max.client.getSession())).session.activeTeamId).toBe(ships.id)
      expect(await told(max.client.organization.listTeamMembers())).toMatchObject([{ userId: max.id }])
      expect(await told(max.client.organization.listTeamMembers({ query: { teamId: ships.id } }))).toHaveLength(1)
      expect(await told(max.client.organization.setActiveTeam({ teamId: null }))).toBeNull()
      expect(await refused(max.client.organization.listTeamMembers())).toEqual([
        400,
        'YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM',
        'You do not have an active team',
      ])
      expect(await told(organization.removeTeamMember({ teamId: ships.id, userId: max.id }))).toEqual({
        message: 'Team member removed successfully.',
      })
      expect(await told(max.client.organization.listUserTeams())).toEqual([])

      expect(await told(organization.removeTeam({ teamId: ships.id }))).toEqual({
        message: 'Team removed successfully.',
      })
      expect(await refused(organization.removeTeam({ teamId: ships.id }))).toEqual([
        400,
        'TEAM_NOT_FOUND',
        'Team not found',
      ])
    })

    test('an organization makes roles of its own, and gives them to members', async () => {
      const ada = await person(version)
      const acme = await founded(ada)
      const max = await joined(version, ada)
      const { organization } = ada.client
      const permission = { project: ['create'], invitation: ['create'] }

      const created = await told(organization.createRole({ role: 'captain', permission }))
      expect(created).toMatchObject({
        success: true,
        roleData: { organizationId: acme.id, role: 'captain', permission },
      })
      expect(created.statements).toMatchObject(permission)
      expect(created.roleData.createdAt).toBeInstanceOf(Date)
      expect(await refused(organization.createRole({ role: 'captain', permission }))).toEqual([
        400,
        'ROLE_NAME_IS_ALREADY_TAKEN',
        'That role name is already taken',
      ])
      expect(await refused(organization.createRole({ role: 'mate', permission: { harbour: ['enter'] } }))).toEqual([
        400,
        'INVALID_RESOURCE',
        'The provided permission includes an invalid resource',
      ])
      expect(await refused(max.client.organization.createRole({ role: 'mate', permission }))).toEqual([
        403,
        'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE',
        'You are not allowed to create a role',
      ])
      const listed = await told(organization.listRoles())
      expect(listed).toMatchObject([{ id: created.roleData.id, role: 'captain', permission }])
      const byName = { query: { roleName: 'captain' } }
      expect(await told(organization.getRole(byName))).toMatchObject({ id: created.roleData.id, permission })

      await told(organization.updateMemberRole({ memberId: max.memberId, role: 'captain' }))
      const mayCreate = async () =>
        (await told(max.client.organization.hasPermission({ permissions: { project: ['create'] } }))).success
      expect(await mayCreate()).toBe(true)
      const changed = await told(
        organization.updateRole({ roleId: created.roleData.id, data: { permission: { invitation: ['create'] } } }),
      )
      expect(changed).toMatchObject({ success: true, roleData: { permission: { invitation: ['create'] } } })
      expect(await mayCreate()).toBe(false)
      expect(await refusedAs(organization.deleteRole({ roleName: 'captain' }))).toEqual([
        400,
        'ROLE_IS_ASSIGNED_TO_MEMBERS',
      ])
      await told(organization.updateMemberRole({ memberId: max.memberId, role: 'member' }))
      expect(await told(organization.deleteRole({ roleName: 'captain' }))).toEqual({ success: true })
      expect(await refused(organization.deleteRole({ roleName: 'admin' }))).toEqual([
        400,
        'CANNOT_DELETE_A_PRE_DEFINED_ROLE',
        'Cannot delete a pre-defined role',
      ])
      expect(await told(organization.listRoles())).toEqual([])
    })

    test('the stores of the client follow the changes of its calls', async () => {
      vi.stubGlobal('window', {})
      const ada = await person(version)
      const { organization, useListOrganizations, useActiveOrganization, useActiveMember } = ada.client
      const roles = version.name.endsWith('1.7.7') ? [ada.client.useActiveMemberRole] : []
      const stops = [useListOrganizations, useActiveOrganization, useActiveMember, ...roles].map((store) =>
        store.subscribe(() => undefined),
      )
      const shows = (what: string, check: () => boolean) => until(`the stores show ${what}`, 5000, check)

      await shows('nothing', () => !useListOrganizations.get().isPending && !useActiveOrganization.get().isPending)
      expect(useListOrganizations.get().data).toEqual([])
      expect(useActiveOrganization.get().data).toBeNull()
      const acme = await founded(ada)
      await shows('it in the list', () => useListOrganizations.get().data?.length === 1)
      // The older client tells one store of each call: it learns of the active one from the next call.
      await told(organization.setActive({ organizationId: acme.id }))
      await shows('it as the active one', () => useActiveOrganization.get().data?.id === acme.id)
      await told(organization.update({ data: { name: 'Acme & Co.' } }))
      await shows('its new name in the list', () => useListOrganizations.get().data?.[0]?.name === 'Acme & Co.')
      await told(organization.inviteMember({ email: newAddress(), role: 'member' }))
      await shows('the invitation', () => useActiveOrganization.get().data?.invitations.length === 1)
      expect(useActiveOrganization.get().data.name).toBe('Acme & Co.')
      const member = await told(organization.getActiveMember())
      await told(organization.updateMemberRole({ memberId: member.id, role: ['owner', 'builder'] }))
      ada.client.$store.notify('$activeMemberSignal')
      await shows('the new role', () => useActiveMember.get().data?.role === 'owner,builder')
      for (const store of roles) await shows('the same role', () => store.get().data?.role === 'owner,builder')
      await told(organization.delete({ organizationId: acme.id }))
      await shows('an empty list', () => useListOrganizations.get().data?.length === 0)
      await told(organization.setActive({ organizationId: null }))
      await shows('none as active', () => useActiveOrganization.get().data === null)
      for (const stop of stops) stop()
    })
  })
})

describe('the codes that better-auth 1.7.7 names', () => {
  const { $ERROR_CODES } = organization17()
  /** Ours, by their code; one code may come with several statuses, and texts. */
  const ours = new Map<string, string[]>()
  for (const name of Object.keys(errors) as ErrorName[]) {
    // the keys of a plain object
    const code = errorCode(name)
    ours.set(code, [...(ours.get(code) ?? []), errorMessage(name)])
  }

  test('mean the same here, with the texts of the specification where they differ', () => {
    const differing = Object.values($ERROR_CODES).flatMap(({ code, message }) => {
      const texts = ours.get(code)
      return texts === undefined || texts.includes(message) ? [] : [[code, message, ...texts]]
    })

    expect(differing).toEqual([
      [
        'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
        'You are not allowed to invite a user with this role',
        'you are not allowed to invite user with this role',
      ],
    ])
  })

  test('are all mapped here, except those of unused rules', () => {
    const unsaid = Object.values($ERROR_CODES).flatMap(({ code }) => (ours.has(code) ? [] : [code]))

    expect(unsaid.sort()).toEqual([
      // The specification says NOT_THE_RECIPIENT and EMAIL_VERIFICATION_REQUIRED of the same.
      'EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION',
      'EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION',
      // Ids cannot hold one, and the ability to make roles is always there.
      'INVALID_TEAM_ID',
      'MISSING_AC_INSTANCE',
      // ORGANIZATION_ALREADY_EXISTS and SLUG_IS_TAKEN.
      'ORGANIZATION_SLUG_ALREADY_TAKEN',
      // Names of teams may repeat.
      'TEAM_ALREADY_EXISTS',
      // YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, …_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION, …_TO_READ_A_ROLE.
      'YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION',
      'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM',
      'YOU_ARE_NOT_ALLOWED_TO_GET_A_ROLE',
      // YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER and NO_ACTIVE_ORGANIZATION.
      'YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER',
      'YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE',
    ])
  })
})
