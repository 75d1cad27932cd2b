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

/** A shared link, by which anyone may join within its limits. */
export const invitationLink = z.object({
  id: z.string(),
  organizationId: z.string(),
  role: z.string(),
  teamId: z.string().nullable(),
  /** The most members who may join by it; null for no limit of its own. */
  maxUses: z.number().nullable(),
  uses: z.number(),
  /** Address domains that may join by it; empty for all. */
  emailDomains: z.array(z.string()),
  /** Whether a member must approve each. */
  requiresApproval: z.boolean(),
  creatorId: z.string(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
  /** The address to share; null for members who may not give the role, and after its sealing secret is removed. */
  url: z.string().nullable(),
})

export const joinRequest = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  user: memberUser,
  role: z.string(),
  /** The source of the request: a link, or the address's domain. */
  source: z.enum(['link', 'domain']),
  status: z.enum(['pending', 'approved', 'denied']),
  createdAt: timestamp,
})

/** Whether users with an address of the domain join directly, may request to join, or neither. */
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

/** Bodies, queries, answers and refusals of the calls about joining an organization. */
export const joiningSchemas = {
  createInvitationLink: {
    summary: 'Creates a link to share, with a role of at most `member` unless its creator is an owner.',
    body: z.object({
      organizationId: id.optional(),
      role: role.optional(),
      teamId: id.optional(),
      maxUses: z.number().int().positive().max(10_000).nullish(),
      expiresIn: z
        .number()
        .int()
        .positive()
        .max(31_536_000)
        .nullish()
        .describe('Seconds; without it the link does not expire.'),
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
    summary: 'Lists an organization’s usable links.',
    query: z.object({ organizationId: id.optional(), limit, offset }),
    output: z.array(invitationLink),
    errors: [...reading, ...found, 'INVITE_NOT_ALLOWED'],
  },
  revokeInvitationLink: {
    summary: 'Revokes a link.',
    body: z.object({ linkId: id, organizationId: id.optional() }),
    output: invitationLink,
    errors: [...guarded, ...found, 'INVITATION_CANCEL_NOT_ALLOWED', 'INVITATION_LINK_NOT_FOUND'],
  },
  getInvitationLink: {
    summary: 'Returns the organization of a link, for the holder of the link.',
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
    summary: 'Joins by a link, or requests to join if the link needs approval.',
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
    summary: 'Lists organizations that accept the domain of the caller’s address.',
    query: z.object({ limit, offset }),
    output: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        logo: z.string().nullable(),
        joinMode,
        /** Whether the caller has already requested to join. */
        requested: z.boolean(),
      }),
    ),
    errors: ['UNAUTHORIZED', 'INVALID_QUERY'],
  },
  joinOrganization: {
    summary: 'Joins an organization by the caller’s verified domain, or requests to join.',
    body: z.object({ organizationId: id }),
    output: joined,
    errors: [...guarded, ...joinErrors, 'NOT_ALLOWED_WHILE_IMPERSONATING'],
  },
  listJoinRequests: {
    summary: 'Lists pending requests to join.',
    query: z.object({ organizationId: id.optional(), limit, offset }),
    output: z.array(joinRequest),
    errors: [...reading, ...found, 'JOIN_REQUESTS_NOT_ALLOWED'],
  },
  approveJoinRequest: {
    summary: 'Approves a request to join.',
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
    summary: 'Denies a request to join.',
    body: z.object({ requestId: id, organizationId: id.optional() }),
    output: z.object({ request: joinRequest }),
    errors: [...guarded, ...found, 'JOIN_REQUESTS_NOT_ALLOWED', 'JOIN_REQUEST_NOT_FOUND'],
  },
  addDomain: {
    summary: 'Adds a domain, to be verified by a TXT record.',
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
    summary: 'Lists an organization’s domains.',
    query: z.object({ organizationId: id.optional() }),
    output: z.array(organizationDomain),
    errors: [...reading, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED'],
  },
  verifyDomain: {
    summary: 'Checks a domain’s TXT record.',
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
    summary: 'Sets how users of a domain join.',
    body: z.object({ domainId: id, joinMode, organizationId: id.optional() }),
    output: organizationDomain,
    errors: [...guarded, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED', 'DOMAIN_NOT_FOUND'],
  },
  removeDomain: {
    summary: 'Removes a domain; members who joined by it stay.',
    body: z.object({ domainId: id, organizationId: id.optional() }),
    output: organizationDomain,
    errors: [...guarded, ...found, 'ORGANIZATION_UPDATE_NOT_ALLOWED', 'DOMAIN_NOT_FOUND'],
  },
} as const satisfies Record<keyof typeof joiningCalls, Endpoint>
