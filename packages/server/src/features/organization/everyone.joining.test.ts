import { invitationCalls, joiningCalls } from '@tollgate/contract/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actedOut, openStage, ordered, type Row, type Stage } from './testing/everyone.ts'

/**
 * Who may invite, answer and join, and each refusal: from the specification (sections 5, 6 and 8), the auth contract
 * (section 6) and security, §0. `testing/everyone.ts` lists the actors.
 */
const table: readonly Row[] = [
  // Invitations
  {
    call: 'inviteMember',
    given: ({ id }) => ({ organizationId: id, email: 'new@example.com', role: 'member' }),
    told: {
      ok: 'owner admin inviter impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'inviteMember',
    what: 'as admin',
    given: ({ id }) => ({ organizationId: id, email: 'new@example.com', role: ['member', 'admin'] }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'inviter',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'inviteMember',
    what: 'as owner',
    given: ({ id }) => ({ organizationId: id, email: 'new@example.com', role: 'owner' }),
    told: {
      ok: 'owner',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'admin inviter',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'inviteMembers',
    given: ({ id }) => ({ organizationId: id, emails: ['new@example.com', 'other@example.com'], role: 'member' }),
    told: {
      ok: 'owner admin inviter impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'inviteMembers',
    what: 'as admin',
    given: ({ id }) => ({
      organizationId: id,
      emails: ['new@example.com', 'other@example.com'],
      role: ['member', 'admin'],
    }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'inviter',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'inviteMembers',
    what: 'as owner',
    given: ({ id }) => ({ organizationId: id, emails: ['new@example.com', 'other@example.com'], role: 'owner' }),
    told: {
      ok: 'owner',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'admin inviter',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '400 MEMBER_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'acceptInvitation',
    given: async ({ invitation }) => ({ invitationId: await invitation() }),
    told: {
      ok: 'invited',
      '403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION':
        'owner admin member inviter steward unverified outsider rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'rejectInvitation',
    given: async ({ invitation }) => ({ invitationId: await invitation() }),
    told: {
      ok: 'invited',
      '403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION':
        'owner admin member inviter steward unverified outsider rival installation',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'cancelInvitation',
    given: async ({ invitation }) => ({ invitationId: await invitation() }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION': 'member inviter steward',
      '400 INVITATION_NOT_FOUND': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getInvitation',
    given: async ({ invitation }) => ({ id: await invitation() }),
    told: {
      ok: 'invited',
      '403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION':
        'owner admin member inviter steward unverified outsider rival installation impersonating',
      '401 NOT_AUTHENTICATED': 'anonymous',
    },
  },
  {
    call: 'listInvitations',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin member inviter steward impersonating',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listUserInvitations',
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },

  // Links
  {
    call: 'createInvitationLink',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin inviter impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'createInvitationLink',
    what: 'that makes admins',
    given: ({ id }) => ({ organizationId: id, role: 'admin' }),
    told: {
      ok: 'owner impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'admin inviter',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'createInvitationLink',
    what: 'that makes owners',
    given: ({ id }) => ({ organizationId: id, role: 'owner' }),
    told: {
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE': 'owner admin inviter',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listInvitationLinks',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin inviter impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION': 'member steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'revokeInvitationLink',
    given: async ({ id, link }) => ({ organizationId: id, linkId: (await link()).id }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'getInvitationLink',
    given: async ({ link }) => ({ token: (await link()).token }),
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating anonymous',
    },
  },
  {
    call: 'joinByLink',
    given: async ({ link }) => ({ token: (await link()).token }),
    told: {
      ok: 'outsider invited rival installation',
      '400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION': 'owner admin member inviter steward unverified',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },

  // Domains and requests to join
  {
    call: 'listJoinableOrganizations',
    told: {
      ok: 'owner admin member inviter steward unverified outsider invited rival installation impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'joinOrganization',
    given: async ({ id, openDoor }) => {
      await openDoor()
      return { organizationId: id }
    },
    told: {
      ok: 'invited',
      '403 YOU_ARE_NOT_ALLOWED_TO_JOIN_THIS_ORGANIZATION': 'outsider rival installation',
      '400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION': 'owner admin member inviter steward',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '403 NOT_ALLOWED_WHILE_IMPERSONATING': 'impersonating',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listJoinRequests',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'approveJoinRequest',
    given: async ({ id, request }) => ({ organizationId: id, requestId: await request() }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'denyJoinRequest',
    given: async ({ id, request }) => ({ organizationId: id, requestId: await request() }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'addDomain',
    given: ({ id }) => ({ organizationId: id, domain: 'new.example' }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'listDomains',
    given: ({ id }) => ({ organizationId: id }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'verifyDomain',
    given: async ({ id, domain }) => ({ organizationId: id, domainId: await domain() }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'updateDomain',
    given: async ({ id, domain }) => ({ organizationId: id, domainId: await domain(), joinMode: 'auto' }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
  {
    call: 'removeDomain',
    given: async ({ id, domain }) => ({ organizationId: id, domainId: await domain() }),
    told: {
      ok: 'owner admin impersonating',
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION': 'member inviter steward',
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION': 'outsider invited rival installation',
      '403 EMAIL_VERIFICATION_REQUIRED': 'unverified',
      '401 UNAUTHORIZED': 'anonymous',
    },
  },
]

test('every call is in the table', () => {
  const calls = Object.keys({ ...invitationCalls, ...joiningCalls })
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
