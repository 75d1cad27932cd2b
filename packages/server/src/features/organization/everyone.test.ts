import { memberCalls, organizationCalls, teamCalls } from '@tollgate/contract/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actedOut, openStage, ordered, type Row, type Stage } from './testing/everyone.ts'

/**
 * Who may make each call about organizations, members, roles and teams, and each refusal: from the specification
 * (sections 5, 6 and 8) and the auth contract (section 6). `testing/everyone.ts` lists the actors.
 */
const table: readonly Row[] = [
  // Organizations
  {
    call: 'createOrganization',
    given: ({ slug }) => ({ name: 'Other', slug: `${slug}-other` }),
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'checkOrganizationSlug',
    given: () => ({ slug: 'free' }),
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'uploadOrganizationLogo',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateOrganization',
    given: ({ id }) => ({ organizationId: id, data: { name: 'New name' } }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'deleteOrganization',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner',
      '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION': 'admin member inviter steward',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listOrganizations',
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'previewUserDeletion',
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'previewOrganizationDeletion',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION': 'admin member inviter steward',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getOrganization',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getOrganization',
    what: 'by its slug',
    given: ({ slug }) => ({ organizationSlug: slug }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getFullOrganization',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getFullOrganization',
    what: 'by its slug',
    given: ({ slug }) => ({ organizationSlug: slug }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'setActiveOrganization',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'setActiveOrganization',
    what: 'by its slug',
    given: ({ slug }) => ({ organizationSlug: slug }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'transferOwnership',
    given: ({ id, tess }) => ({ organizationId: id, memberId: tess.memberId }),
    told: {
      ok: 'owner',
      '403 YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION':
        'admin member inviter steward outsider invited rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listOrganizationEvents',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin steward impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_LIST_THE_EVENTS_OF_THIS_ORGANIZATION': 'member inviter',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },

  // Members and roles
  {
    call: 'getActiveMember',
    told: {
      ok: 'owner admin member inviter steward impersonating rival',
      '400 NO_ACTIVE_ORGANIZATION': 'outsider invited installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getActiveMemberRole',
    given: ({ id, tess }) => ({ organizationId: id, userId: tess.userId }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listMembers',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'addMember',
    given: ({ id, tess }) => ({ organizationId: id, userId: tess.userId, role: 'owner' }),
    told: {
      // For server code; unknown to all other callers.
      '404':
        'owner admin member inviter steward unverified outsider invited rival installation impersonating anonymous',
    },
  },
  {
    call: 'updateMemberRole',
    what: 'to one that is above nobody',
    given: ({ id, tess }) => ({ organizationId: id, memberId: tess.memberId, role: 'member' }),
    told: {
      ok: 'owner admin steward impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER': 'member inviter',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateMemberRole',
    what: 'to admin',
    given: ({ id, tess }) => ({ organizationId: id, memberId: tess.memberId, role: ['steward', 'admin'] }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER': 'member inviter steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateMemberRole',
    what: 'to owner',
    given: ({ id, tess }) => ({ organizationId: id, memberId: tess.memberId, role: 'owner' }),
    told: {
      ok: 'owner',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER': 'admin member inviter steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateMemberRole',
    what: 'of the only owner',
    given: ({ id, ownerMemberId }) => ({ organizationId: id, memberId: ownerMemberId, role: 'member' }),
    told: {
      '400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER': 'owner impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER': 'admin member inviter steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeMember',
    given: ({ id, tess }) => ({ organizationId: id, memberIdOrEmail: tess.memberId }),
    told: {
      ok: 'owner admin impersonating',
      '401 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER': 'member inviter steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeMember',
    what: 'by address',
    given: ({ id, tess }) => ({ organizationId: id, memberIdOrEmail: tess.email }),
    told: {
      ok: 'owner admin impersonating',
      '401 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER': 'member inviter steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeMember',
    what: 'the only owner',
    given: ({ id, ownerMemberId }) => ({ organizationId: id, memberIdOrEmail: ownerMemberId }),
    told: {
      '400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER': 'owner admin member inviter steward',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'leaveOrganization',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'admin member inviter steward unverified',
      '400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER': 'owner',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'hasPermission',
    given: ({ id }) => ({ organizationId: id, permissions: { organization: ['delete'] } }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '401 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'createRole',
    given: ({ id }) => ({ organizationId: id, role: 'further', permission: { team: ['update'] } }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'createRole',
    what: 'that may delete the organization',
    given: ({ id }) => ({ organizationId: id, role: 'further', permission: { organization: ['delete'] } }),
    told: {
      ok: 'owner impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE': 'admin member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateRole',
    given: ({ id }) => ({ organizationId: id, roleName: 'spare', data: { permission: { team: ['update'] } } }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'deleteRole',
    given: ({ id }) => ({ organizationId: id, roleName: 'spare' }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getRole',
    given: ({ id }) => ({ organizationId: id, roleName: 'spare' }),
    told: {
      ok: 'owner admin member impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE': 'inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listRoles',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE': 'inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },

  // Teams
  {
    call: 'createTeam',
    given: ({ id }) => ({ organizationId: id, name: 'Further' }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listTeams',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateTeam',
    given: ({ id, team }) => ({ teamId: team, data: { organizationId: id, name: 'New name' } }),
    told: {
      ok: 'owner admin steward impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM': 'member inviter outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeTeam',
    given: ({ id, team }) => ({ organizationId: id, teamId: team }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'setActiveTeam',
    given: ({ ownersTeam }) => ({ teamId: ownersTeam }),
    told: {
      ok: 'owner impersonating',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM': 'admin member inviter steward',
      '400 NO_ACTIVE_ORGANIZATION': 'outsider invited installation',
      '400 TEAM_NOT_FOUND': 'rival',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listUserTeams',
    what: 'their own',
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listUserTeams',
    what: 'of somebody else',
    given: ({ id, tess }) => ({ organizationId: id, userId: tess.userId }),
    told: {
      ok: 'owner admin steward impersonating',
      '403 YOU_CAN_NOT_ACCESS_THE_MEMBERS_OF_THIS_TEAM': 'member inviter',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listTeamMembers',
    given: ({ team }) => ({ teamId: team }),
    told: {
      ok: 'owner admin steward impersonating',
      '400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM': 'member inviter',
      '400 TEAM_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'addTeamMember',
    given: ({ id, team, tess }) => ({ organizationId: id, teamId: team, userId: tess.userId }),
    told: {
      ok: 'owner admin steward impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER': 'member inviter',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeTeamMember',
    given: async ({ id, team, tess, placed }) => {
      await placed()
      return { organizationId: id, teamId: team, userId: tess.userId }
    },
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
]

test('every call is in the table', () => {
  const calls = Object.keys({ ...organizationCalls, ...memberCalls, ...teamCalls })
  expect([...new Set(table.map(({ call }) => call))].sort()).toEqual(calls.sort())
})

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage[Symbol.asyncDispose]())

test.for(table.map((row): [string, Row] => [row.what ? `${row.call}, ${row.what}` : row.call, row]))(
  '%s: permissions and refusals',
  { timeout: 600_000 },
  async ([, row]) => {
    expect(await actedOut(stage, row)).toEqual(ordered(row.told))
  },
)
