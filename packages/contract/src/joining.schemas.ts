import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { storable, timestamp, token } from './fields.ts'
import type { joiningCalls } from './joining.calls.ts'
import { guarded, id, limit, member, memberUser, offset, reading, role } from './organization.schemas.ts'

const found = ['NO_ACTIVE_ORGANIZATION', 'YOU_ARE_NOT_A_MEMBER'] as const
const joinErrors = [
  'JOIN_NOT_ALLOWED',
  'JOIN_ALREADY_REQUESTED',
  'ALREADY_A_MEMBER',
  'MEMBERSHIP_LIMIT_REACHED',
] as const

/** A link that whoever has it may join by, within its limits. */
export const invitationLink = z.object({
  id: z.string(),
  organizationId: z.string(),
  role: z.string(),
  teamId: z.string().nullable(),
  /** How many may join by it; null: as many as there is room for. */
  maxUses: z.number().nullable(),
  uses: z.number(),
  /** Domains of the addresses that may join by it; empty: all. */
  emailDomains: z.array(z.string()),
  /** Whether somebody has to approve each of them. */
  requiresApproval: z.boolean(),
  creatorId: z.string(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
  /** The address to share; null for who may not give the role, and when it was sealed with a secret that is gone. */
  url: z.string().nullable(),
})

export const joinRequest = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  user: memberUser,
  role: z.string(),
  /** What led here: a link, or the domain of the address. */
  source: z.enum(['link', 'domain']),
  status: z.enum(['pending', 'approved', 'denied']),
  createdAt: timestamp,
})

/** Whether people with an address of the domain come in by themselves, may ask to, or neither. */
export const joinMode = z.enum(['auto', 'request', 'off'])

export const organizationDomain = z.object({
  id: z.string(),
  organizationId: z.string(),
  domain: z.string(),
  joinMode,
  verifiedAt: timestamp.nullable(),
  createdAt: timestamp,
  /** The TXT record that proves the domain. */
  record: z.object({ name: z.string(), value: z.string() }),
})

const joined = z.object({
  status: z.enum(['joined', 'requested']),
  organizationId: z.string(),
  member: member.nullable(),
})

/** Bodies, queries, answers and refusals of the calls about ways into an organization. */
export const joiningSchemas = {
  createInvitationLink: {
    summary: 'Makes a link to share: with a role of at most `member`, unless an owner makes it.',
    body: z.object({
      organizationId: id.optional(),
      role: role.optional(),
      teamId: id.optional(),
      maxUses: z.number().int().positive().max(10_000).nullish(),
      expiresIn: z.number().int().positive().max(31_536_000).nullish().describe('Seconds; without it the link stays.'),
      emailDomains: z.array(storable(253).min(1)).max(20).optional(),
      requiresApproval: z.boolean().optional(),
    }),
    output: invitationLink,
    errors: [
      ...guarded,
      ...found,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'INVITE_NOT_ALLOWED',
      'INVITE_ROLE_NOT_ALLOWED',
      'INVITATION_LINK_LIMIT_REACHED',
      'ROLE_NOT_FOUND',
      'TEAM_NOT_FOUND',
      'DOMAIN_INVALID',
    ],
  },
  listInvitationLinks: {
    summary: 'The links of an organization that can still be used.',
    query: z.object({ organizationId: id.optional(), limit, offset }),
    output: z.array(invitationLink),
    errors: [...reading, ...found, 'INVITE_NOT_ALLOWED'],
  },
  revokeInvitationLink: {
    summary: 'Ends a link.',
    body: z.object({ linkId: id, organizationId: id.optional() }),
    output: invitationLink,
    errors: [...guarded, ...found, 'INVITATION_CANCEL_NOT_ALLOWED', 'INVITATION_LINK_NOT_FOUND'],
  },
  getInvitationLink: {
    summary: 'Where a link leads, for whoever has it.',
    query: z.object({ token }),
    output: z.object({
      organizationId: z.string(),
      organizationName: z.string(),
      organizationSlug: z.string(),
      organizationLogo: z.string().nullable(),
      role: z.string(),
      requiresApproval: z.boolean(),
      emailDomains: z.array(z.string()),
      expiresAt: timestamp.nullable(),
    }),
    errors: ['INVALID_QUERY', 'INVITATION_LINK_NOT_FOUND'],
  },
  joinByLink: {
    summary: 'Joins by a link, or asks to where somebody has to approve.',
    body: z.object({ token }),
    output: joined,
    errors: [
      ...guarded,
      ...joinErrors,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'INVITATION_LINK_NOT_FOUND',
      'LINK_FOR_OTHER_DOMAINS',
      'TEAM_MEMBER_LIMIT_REACHED',
    ],
  },
  listJoinableOrganizations: {
    summary: 'Organizations that take people with an address of the caller’s domain.',
    query: z.object({ limit, offset }),
    output: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        logo: z.string().nullable(),
        joinMode,
        /** Whether the caller has asked to join already. */
        requested: z.boolean(),
      }),
    ),
    errors: ['UNAUTHORIZED', 'INVALID_QUERY'],
  },
  joinOrganization: {
    summary: 'Joins an organization by the verified domain of one’s address, or asks to.',
    body: z.object({ organizationId: id }),
    output: joined,
    errors: [...guarded, ...joinErrors, 'NOT_ALLOWED_WHILE_IMPERSONATING'],
  },
  listJoinRequests: {
    summary: 'Who has asked to join and waits for an answer.',
    query: z.object({ organizationId: id.optional(), limit, offset }),
    output: z.array(joinRequest),
    errors: [...reading, ...found, 'JOIN_REQUESTS_NOT_ALLOWED'],
  },
  approveJoinRequest: {
    summary: 'Makes whoever asked a member.',
    body: z.object({ requestId: id, organizationId: id.optional() }),
    output: z.object({ request: joinRequest, member }),
    errors: [
      ...guarded,
      ...found,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'JOIN_REQUESTS_NOT_ALLOWED',
      'JOIN_REQUEST_NOT_FOUND',
      'INVITATION_LINK_NOT_FOUND',
      'ROLE_NOT_FOUND',
      'INVITE_ROLE_NOT_ALLOWED',
      'ALREADY_A_MEMBER',
      'MEMBERSHIP_LIMIT_REACHED',
      'TEAM_MEMBER_LIMIT_REACHED',
    ],
  },
  denyJoinRequest: {
    summary: 'Refuses whoever asked.',
    body: z.object({ requestId: id, organizationId: id.optional() }),
    output: z.object({ request: joinRequest }),
    errors: [...guarded, ...found, 'JOIN_REQUESTS_NOT_ALLOWED', 'JOIN_REQUEST_NOT_FOUND'],
  },
  addDomain: {
    summary: 'Adds a domain, to be proved by a TXT record.',
    body: z.object({ domain: storable(253).min(1), joinMode: joinMode.optional(), organizationId: id.optional() }),
    output: organizationDomain,
    errors: [
      ...guarded,
      ...found,
      'ORGANIZATION_UPDATE_NOT_ALLOWED',
      'DOMAIN_INVALID',
      'DOMAIN_IS_PUBLIC',
      'DOMAIN_ALREADY_ADDED',
      'DOMAIN_LIMIT_REACHED',
    ],
  },
  listDomains: {
    summary: 'The domains of an organization.',
    query: z.object({ organizationId: id.optional() }),
    output: z.array(organizationDomain),
    errors: [...reading, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED'],
  },
  verifyDomain: {
    summary: 'Looks for the TXT record.',
    body: z.object({ domainId: id, organizationId: id.optional() }),
    output: organizationDomain,
    errors: [
      ...guarded,
      ...found,
      'ORGANIZATION_UPDATE_NOT_ALLOWED',
      'DOMAIN_NOT_FOUND',
      'DOMAIN_NOT_PROVEN',
      'DOMAIN_TAKEN',
    ],
  },
  updateDomain: {
    summary: 'Decides who comes in by a domain.',
    body: z.object({ domainId: id, joinMode, organizationId: id.optional() }),
    output: organizationDomain,
    errors: [...guarded, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED', 'DOMAIN_NOT_FOUND'],
  },
  removeDomain: {
    summary: 'Removes a domain; whoever came in by it stays.',
    body: z.object({ domainId: id, organizationId: id.optional() }),
    output: organizationDomain,
    errors: [...guarded, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED', 'DOMAIN_NOT_FOUND'],
  },
} as const satisfies Record<keyof typeof joiningCalls, Endpoint>
