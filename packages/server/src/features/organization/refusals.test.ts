import { errors } from '@tollgate/contract/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../testing.ts'
import { type Company, foundedCompany } from './testing/company.ts'
import { type Arrangement, openStage, type Stage, type Who } from './testing/everyone.ts'
import { linkOf } from './testing/joining.ts'

/** Every refusal about organizations (specification, section 8), once each; other tests cover the rest. */

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage[Symbol.asyncDispose]())

/** The steps to a refusal, which the last answer is. */
type Case = (the: Arrangement) => Promise<TestAnswer>
type OrganizationConfig = Exclude<TollgateConfig['organization'], false | undefined>

const post =
  (who: Who, path: string, given: (the: Arrangement) => object = () => ({})): Case =>
  (the) =>
    stage.actors[who].post(`/organization/${path}`, { organizationId: the.id, ...given(the) })

const get =
  (who: Who, path: string, given: (the: Arrangement) => Record<string, string> = () => ({})): Case =>
  (the) =>
    stage.actors[who].get(`/organization/${path}?${new URLSearchParams({ organizationId: the.id, ...given(the) })}`)

/** Repeats a call until it is refused. */
const repeated =
  (path: string, given: (count: number) => object): Case =>
  async (the) => {
    for (let count = 0; count < 100; count += 1) {
      const body = { organizationId: the.id, ...given(count) }
      const answer = await stage.actors.owner.post(`/organization/${path}`, body)
      if (answer.status !== 200) return answer
    }
    throw new Error(`${path} is without a limit`)
  }

/** A server of its own, with an organization for its configuration. */
const within =
  (organization: OrganizationConfig, act: (company: Company, server: TestServer) => Promise<TestAnswer>): Case =>
  async () => {
    await using server = await createTestServer({ organization })
    return await act(await foundedCompany(server), server)
  }

const nobody = 'x'.repeat(32)
const unclaimed = 'nobody-has-been-given-this'
const nameless = { name: 'Further', slug: 'further' }

const table: Record<string, readonly [answer: string, act: Case]> = {
  ORGANIZATION_ALREADY_EXISTS: [
    '400 Organization already exists',
    post('outsider', 'create', ({ slug }) => ({ name: 'Same', slug })),
  ],
  ORGANIZATION_NOT_FOUND: [
    '400 Organization not found',
    () => stage.actors.outsider.post('/organization/update', { data: { name: 'None is active' } }),
  ],
  ORGANIZATION_CREATE_NOT_ALLOWED: [
    '403 You are not allowed to create a new organization',
    async () => {
      await using server = await createTestServer({ organization: { allowUserToCreateOrganization: false } })
      const ada = await server.signedUp()
      return await ada.post('/organization/create', nameless)
    },
  ],
  ORGANIZATION_LIMIT_REACHED: [
    '403 You have reached the maximum number of organizations',
    within({ organizationLimit: 1 }, ({ owner }) => owner.post('/organization/create', nameless)),
  ],
  ORGANIZATION_UPDATE_NOT_ALLOWED: [
    '403 You are not allowed to update this organization',
    post('member', 'update', () => ({ data: { name: 'Mine' } })),
  ],
  ORGANIZATION_DELETE_NOT_ALLOWED: ['403 You are not allowed to delete this organization', post('admin', 'delete')],
  ORGANIZATION_DELETION_DISABLED: [
    '403 Organization deletion is disabled',
    within({ disableOrganizationDeletion: true }, ({ owner, id }) =>
      owner.post('/organization/delete', { organizationId: id }),
    ),
  ],
  ORGANIZATION_TRANSFER_NOT_ALLOWED: [
    '403 You are not allowed to transfer this organization',
    post('admin', 'transfer-ownership', ({ tess }) => ({ memberId: tess.memberId })),
  ],
  ORGANIZATION_EVENTS_NOT_ALLOWED: [
    '403 You are not allowed to list the events of this organization',
    get('member', 'list-events'),
  ],
  ORGANIZATION_ID_REQUIRED: [
    '400 Organization ID is required',
    () => stage.actors.outsider.get('/organization/list-invitations'),
  ],
  NO_ACTIVE_ORGANIZATION: ['400 No active organization', get('outsider', 'get-active-member')],
  SLUG_TAKEN: ['400 slug is taken', post('outsider', 'check-slug', ({ slug }) => ({ slug }))],
  INVALID_SLUG: ['400 Invalid slug', post('outsider', 'check-slug', () => ({ slug: 'not a slug' }))],
  INVALID_LOGO: ['400 Invalid logo', post('outsider', 'create', () => ({ ...nameless, logo: 'javascript:alert(1)' }))],
  METADATA_TOO_LARGE: [
    '400 Metadata is too large',
    post('outsider', 'create', () => ({ ...nameless, metadata: { note: 'x'.repeat(20_000) } })),
  ],
  NOT_A_MEMBER: [
    '400 User is not a member of the organization',
    post('outsider', 'update', () => ({ data: { name: 'Mine' } })),
  ],
  NOT_A_MEMBER_FORBIDDEN: ['403 User is not a member of the organization', get('outsider', 'get-organization')],
  NOT_A_MEMBER_UNAUTHORIZED: [
    '401 User is not a member of the organization',
    post('outsider', 'has-permission', () => ({ permissions: { team: ['create'] } })),
  ],
  YOU_ARE_NOT_A_MEMBER: ['403 You are not a member of this organization', get('outsider', 'list-members')],
  ORGANIZATION_WANTS_VERIFIED_EMAIL: [
    '403 This organization is for people with a verified email address',
    get('unverified', 'list-members'),
  ],

  MEMBER_NOT_FOUND: ['400 Member not found', post('owner', 'remove-member', () => ({ memberIdOrEmail: nobody }))],
  MEMBER_DELETE_NOT_ALLOWED: [
    '401 You are not allowed to delete this member',
    post('member', 'remove-member', ({ tess }) => ({ memberIdOrEmail: tess.memberId })),
  ],
  MEMBER_UPDATE_NOT_ALLOWED: [
    '403 You are not allowed to update this member',
    post('member', 'update-member-role', ({ tess }) => ({ memberId: tess.memberId, role: 'member' })),
  ],
  ONLY_OWNER: ['400 You cannot leave the organization as the only owner', post('owner', 'leave')],
  MEMBERSHIP_LIMIT_REACHED: [
    '403 Organization membership limit reached',
    within({ membershipLimit: 1, requireEmailVerificationOnInvitation: false }, async ({ owner }, server) => {
      const bob = await server.signedUp('Bob')
      const { body } = await owner.post('/organization/invite-member', { email: bob.email, role: 'member' })
      return bob.post('/organization/accept-invitation', { invitationId: body.id })
    }),
  ],
  ALREADY_A_MEMBER: [
    '400 User is already a member of this organization',
    post('owner', 'invite-member', ({ tess }) => ({ email: tess.email, role: 'member' })),
  ],
  ROLE_NOT_FOUND: ['400 Role not found', get('owner', 'get-role', () => ({ roleName: 'nothing' }))],
  ROLE_CREATE_NOT_ALLOWED: [
    '403 You are not allowed to create a role',
    post('member', 'create-role', () => ({ role: 'further', permission: {} })),
  ],
  ROLE_READ_NOT_ALLOWED: [
    '403 You are not allowed to read a role',
    get('inviter', 'get-role', () => ({ roleName: 'spare' })),
  ],
  ROLE_LIST_NOT_ALLOWED: ['403 You are not allowed to list a role', get('inviter', 'list-roles')],
  ROLE_UPDATE_NOT_ALLOWED: [
    '403 You are not allowed to update a role',
    post('member', 'update-role', () => ({ roleName: 'spare', data: { roleName: 'mine' } })),
  ],
  ROLE_DELETE_NOT_ALLOWED: [
    '403 You are not allowed to delete a role',
    post('member', 'delete-role', () => ({ roleName: 'spare' })),
  ],
  ROLE_NAME_TAKEN: [
    '400 That role name is already taken',
    post('owner', 'create-role', () => ({ role: 'Spare', permission: {} })),
  ],
  ROLE_NAME_INVALID: [
    '400 Invalid role name',
    post('owner', 'create-role', () => ({ role: 'one,two', permission: {} })),
  ],
  ROLE_IS_PREDEFINED: [
    '400 Cannot delete a pre-defined role',
    post('owner', 'delete-role', () => ({ roleName: 'admin' })),
  ],
  ROLE_IS_ASSIGNED: [
    '400 Cannot delete a role that is assigned to members. Please reassign the members to a different role first',
    post('owner', 'delete-role', () => ({ roleName: 'steward' })),
  ],
  ROLE_RESOURCE_INVALID: [
    '400 The provided permission includes an invalid resource',
    post('owner', 'create-role', () => ({ role: 'further', permission: { rocket: ['launch'] } })),
  ],
  TOO_MANY_ROLES: [
    '400 This organization has too many roles',
    repeated('create-role', (count) => ({ role: `role-${count}`, permission: {} })),
  ],

  INVITE_NOT_ALLOWED: [
    '403 You are not allowed to invite users to this organization',
    post('member', 'invite-member', () => ({ email: 'new@example.com', role: 'member' })),
  ],
  INVITE_ROLE_NOT_ALLOWED: [
    '403 you are not allowed to invite user with this role',
    post('admin', 'invite-member', () => ({ email: 'new@example.com', role: 'owner' })),
  ],
  ALREADY_INVITED: [
    '400 User is already invited to this organization',
    repeated('invite-member', () => ({ email: 'new@example.com', role: 'member' })),
  ],
  INVITATION_LIMIT_REACHED: [
    '403 Invitation limit reached',
    within({ invitationLimit: 1 }, async ({ owner }) => {
      await owner.post('/organization/invite-member', { email: 'one@example.com', role: 'member' })
      return owner.post('/organization/invite-member', { email: 'two@example.com', role: 'member' })
    }),
  ],
  INVITATION_NOT_FOUND: [
    '400 Invitation not found',
    post('outsider', 'accept-invitation', () => ({ invitationId: nobody })),
  ],
  INVITATION_GONE: [
    '400 Invitation not found!',
    post('outsider', 'reject-invitation', () => ({ invitationId: nobody })),
  ],
  NOT_THE_RECIPIENT: [
    '403 You are not the recipient of the invitation',
    async (the) =>
      stage.actors.outsider.post('/organization/accept-invitation', { invitationId: await the.invitation() }),
  ],
  INVITATION_CANCEL_NOT_ALLOWED: [
    '403 You are not allowed to cancel this invitation',
    async (the) =>
      stage.actors.member.post('/organization/cancel-invitation', { invitationId: await the.invitation() }),
  ],
  INVITER_NO_LONGER_A_MEMBER: [
    '400 Inviter is no longer a member of the organization',
    async ({ id, invitedBy }) => {
      const invitationId = await invitedBy('admin')
      await stage.actors.admin.post('/organization/leave', { organizationId: id })
      return stage.actors.invited.get(`/organization/get-invitation?id=${invitationId}`)
    },
  ],
  FAILED_TO_RETRIEVE_INVITATION: [
    '400 Failed to retrieve invitation',
    within({}, async ({ owner }, server) => {
      const { ctx } = server.tollgate.internals
      // Unreachable through the API (auth contract, section 10), so the test breaks the table.
      await ctx.transaction((tx) => tx.schema.alterTable('invitation').renameTo('elsewhere').execute())
      const answer = await owner.post('/organization/accept-invitation', { invitationId: nobody })
      await ctx.transaction((tx) => tx.schema.alterTable('elsewhere').renameTo('invitation').execute())
      return answer
    }),
  ],
  NOT_AUTHENTICATED: ['401 Not authenticated', get('anonymous', 'get-invitation', () => ({ id: nobody }))],

  TEAM_NOT_FOUND: [
    '400 Team not found',
    post('owner', 'update-team', () => ({ teamId: nobody, data: { name: 'New' } })),
  ],
  TEAM_LIMIT_REACHED: [
    '400 You have reached the maximum number of teams',
    within({ teams: { enabled: true, maximumTeams: 1 } }, ({ owner }) =>
      owner.post('/organization/create-team', { name: 'Second' }),
    ),
  ],
  TEAM_CREATE_NOT_ALLOWED: [
    '403 You are not allowed to create teams in this organization',
    post('member', 'create-team', () => ({ name: 'Mine' })),
  ],
  TEAM_UPDATE_NOT_ALLOWED: [
    '403 You are not allowed to update this team',
    post('member', 'update-team', ({ team }) => ({ teamId: team, data: { name: 'Mine' } })),
  ],
  TEAM_DELETE_NOT_ALLOWED: [
    '403 You are not allowed to delete this team',
    post('owner', 'remove-team', ({ ownersTeam }) => ({ teamId: ownersTeam })),
  ],
  TEAMS_DELETE_NOT_ALLOWED: [
    '403 You are not allowed to delete teams in this organization',
    post('member', 'remove-team', ({ team }) => ({ teamId: team })),
  ],
  LAST_TEAM: [
    '400 Unable to remove last team',
    async ({ id, team, ownersTeam }) => {
      const { admin } = stage.actors
      await admin.post('/organization/remove-team', { organizationId: id, teamId: team })
      return admin.post('/organization/remove-team', { organizationId: id, teamId: ownersTeam })
    },
  ],
  TEAM_MEMBER_LIMIT_REACHED: [
    '403 Team member limit reached',
    within({ teams: { enabled: true, maximumMembersPerTeam: 1 } }, async ({ owner, id, member }) => {
      const [team] = (await owner.get(`/organization/list-teams?organizationId=${id}`)).body
      const { id: userId } = await member()
      return owner.post('/organization/add-team-member', { teamId: team.id, userId })
    }),
  ],
  NOT_IN_THE_TEAM: [
    '400 User is not a member of the team',
    post('member', 'set-active-team', ({ team }) => ({ teamId: team })),
  ],
  TEAM_MEMBERS_NOT_ALLOWED: [
    '403 You are not allowed to list the members of this team',
    get('member', 'list-user-teams', ({ tess }) => ({ userId: tess.userId })),
  ],
  NO_ACTIVE_TEAM: ['400 You do not have an active team', get('member', 'list-team-members')],
  TEAM_MEMBER_CREATE_NOT_ALLOWED: [
    '403 You are not allowed to create a new member',
    post('member', 'add-team-member', ({ team, tess }) => ({ teamId: team, userId: tess.userId })),
  ],
  TEAM_MEMBER_REMOVE_NOT_ALLOWED: [
    '403 You are not allowed to remove a team member',
    post('member', 'remove-team-member', ({ team, tess }) => ({ teamId: team, userId: tess.userId })),
  ],

  INVITATION_LINK_NOT_FOUND: [
    '400 Invitation link not found',
    get('anonymous', 'get-invitation-link', () => ({ token: unclaimed })),
  ],
  INVITATION_LINK_LIMIT_REACHED: ['403 Invitation link limit reached', repeated('create-invitation-link', () => ({}))],
  LINK_FOR_OTHER_DOMAINS: [
    '403 This link does not accept the domain of your email address',
    async ({ id }) => {
      const { token } = await linkOf(stage.actors.owner, { organizationId: id, emailDomains: ['elsewhere.example'] })
      return stage.actors.outsider.post('/organization/join-by-link', { token })
    },
  ],
  JOIN_NOT_ALLOWED: ['403 You are not allowed to join this organization', post('outsider', 'join')],
  JOIN_ALREADY_REQUESTED: [
    '400 You have already asked to join this organization',
    async ({ id }) => {
      const { token } = await linkOf(stage.actors.owner, { organizationId: id, requiresApproval: true })
      await stage.actors.outsider.post('/organization/join-by-link', { token })
      return stage.actors.outsider.post('/organization/join-by-link', { token })
    },
  ],
  JOIN_REQUEST_NOT_FOUND: [
    '400 Join request not found',
    post('owner', 'approve-join-request', () => ({ requestId: nobody })),
  ],
  JOIN_REQUESTS_NOT_ALLOWED: [
    '403 You are not allowed to answer requests to join',
    get('member', 'list-join-requests'),
  ],
  DOMAIN_INVALID: ['400 Invalid domain', post('owner', 'add-domain', () => ({ domain: 'not a domain' }))],
  DOMAIN_IS_PUBLIC: [
    '400 A domain of a public mail service cannot be claimed',
    post('owner', 'add-domain', () => ({ domain: 'gmail.com' })),
  ],
  DOMAIN_ALREADY_ADDED: ['400 Domain is already added', repeated('add-domain', () => ({ domain: 'once.example' }))],
  DOMAIN_LIMIT_REACHED: [
    '403 Domain limit reached',
    repeated('add-domain', (count) => ({ domain: `domain-${count}.example` })),
  ],
  DOMAIN_NOT_FOUND: ['400 Domain not found', post('owner', 'remove-domain', () => ({ domainId: nobody }))],
  DOMAIN_TAKEN: [
    '400 Domain is verified by another organization',
    async (the) => {
      await the.openDoor()
      const { rival } = stage.actors
      const { body } = await rival.post('/organization/add-domain', { domain: 'guests.example' })
      stage.records.set(body.record.name, [[body.record.value]])
      return rival.post('/organization/verify-domain', { domainId: body.id })
    },
  ],
  DOMAIN_NOT_PROVEN: [
    '400 The DNS record was not found',
    async ({ id: organizationId }) => {
      const { owner } = stage.actors
      const { body } = await owner.post('/organization/add-domain', { organizationId, domain: 'unproved.example' })
      return owner.post('/organization/verify-domain', { organizationId, domainId: body.id })
    },
  ],
}

test('every refusal of organizations is in the table', () => {
  const names = Object.keys(errors)
  const part = names.slice(names.indexOf('ORGANIZATION_ALREADY_EXISTS'), names.indexOf('DOMAIN_NOT_PROVEN') + 1)
  expect(Object.keys(table)).toEqual(part)
})

test.for(Object.entries(table))('%s', { timeout: 600_000 }, async ([, [answer, act]]) => {
  stage.spoil()
  const { status, body } = await act(await stage.arranged())
  expect(`${status} ${body?.message}`).toBe(answer)
})
