import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { address, storable } from './fields.ts'
import type { invitationCalls } from './invitation.calls.ts'
import {
  guarded,
  id,
  invitation,
  invitationStatus,
  limit,
  member,
  offset,
  reading,
  role,
} from './organization.schemas.ts'

const teams = z.union([id, z.array(id).max(20)]).optional()
const proof = storable(128).optional().describe('From the mailed link; proves the address.')
const inviteErrors = [
  ...guarded,
  'NOT_ALLOWED_WHILE_IMPERSONATING',
  'ORGANIZATION_NOT_FOUND',
  'MEMBER_NOT_FOUND',
  'INVITE_NOT_ALLOWED',
  'INVITE_ROLE_NOT_ALLOWED',
  'INVITATION_LIMIT_REACHED',
  'ROLE_NOT_FOUND',
  'TEAM_NOT_FOUND',
] as const
const answered = z.object({ invitation, member: member.nullable() })

/** Bodies, queries, answers and refusals of the calls about invitations. */
export const invitationSchemas = {
  inviteMember: {
    summary: 'Invites an address by mail; `resend` renews an open invitation.',
    body: z.object({
      email: address,
      role,
      organizationId: id.optional(),
      resend: z.boolean().optional(),
      teamId: teams,
    }),
    output: invitation,
    errors: [...inviteErrors, 'INVALID_EMAIL', 'ALREADY_A_MEMBER', 'ALREADY_INVITED'],
  },
  inviteMembers: {
    summary: 'Invites several addresses, with a result for each.',
    body: z.object({
      emails: z.array(address).min(1).max(50),
      role,
      organizationId: id.optional(),
      resend: z.boolean().optional(),
      teamId: teams,
    }),
    output: z.object({
      results: z.array(
        z.object({
          email: z.string(),
          invitation: invitation.nullable(),
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      ),
    }),
    errors: inviteErrors,
  },
  acceptInvitation: {
    summary: 'Accepts an invitation, and makes the organization the active one.',
    body: z.object({ invitationId: id, proof }),
    output: answered.extend({ member }),
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'INVITATION_NOT_FOUND',
      'INVITER_NO_LONGER_A_MEMBER',
      'NOT_THE_RECIPIENT',
      'ALREADY_A_MEMBER',
      'FAILED_TO_RETRIEVE_INVITATION',
      'MEMBERSHIP_LIMIT_REACHED',
      'TEAM_MEMBER_LIMIT_REACHED',
    ],
  },
  rejectInvitation: {
    summary: 'Declines an invitation.',
    body: z.object({ invitationId: id, proof }),
    output: answered.extend({ member: z.null() }),
    errors: [...guarded, 'NOT_ALLOWED_WHILE_IMPERSONATING', 'INVITATION_GONE', 'NOT_THE_RECIPIENT'],
  },
  cancelInvitation: {
    summary: 'Cancels an open invitation.',
    body: z.object({ invitationId: id }),
    output: invitation,
    errors: [...guarded, 'INVITATION_NOT_FOUND', 'MEMBER_NOT_FOUND', 'INVITATION_CANCEL_NOT_ALLOWED'],
  },
  getInvitation: {
    summary: 'Returns an open invitation for its recipient; with the mail’s proof also before signing in.',
    query: z.object({ id, proof }),
    output: invitation.extend({
      organizationName: z.string(),
      organizationSlug: z.string(),
      organizationLogo: z.string().nullable(),
      inviterEmail: z.string(),
      inviterName: z.string(),
    }),
    errors: [
      'INVALID_QUERY',
      'NOT_AUTHENTICATED',
      'INVITATION_GONE',
      'INVITER_NO_LONGER_A_MEMBER',
      'NOT_THE_RECIPIENT',
    ],
  },
  listInvitations: {
    summary: 'Lists an organization’s invitations in every state, newest first.',
    query: z.object({ organizationId: id.optional(), status: invitationStatus.optional(), limit, offset }),
    output: z.array(invitation),
    errors: [...reading, 'ORGANIZATION_ID_REQUIRED', 'YOU_ARE_NOT_A_MEMBER'],
  },
  listUserInvitations: {
    summary: 'Lists open invitations to the caller’s address.',
    query: z.object({ email: address.optional().describe('For server code only.'), limit, offset }),
    output: z.array(
      invitation.extend({ organizationName: z.string(), organizationSlug: z.string(), inviterEmail: z.string() }),
    ),
    errors: ['UNAUTHORIZED', 'INVALID_QUERY'],
  },
} as const satisfies Record<keyof typeof invitationCalls, Endpoint>
