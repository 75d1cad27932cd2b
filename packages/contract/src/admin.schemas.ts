import { z } from 'zod'
import type { adminCalls } from './admin.calls.ts'
import { sellerDetails } from './billing/merchant.schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { auditEvent } from './event.schemas.ts'
import {
  address,
  byResource,
  newPassword,
  passwordErrors,
  requestErrors,
  storable,
  text,
  timestamp,
  token,
  url,
  usernameErrors,
} from './fields.ts'
import { session, sessionUser } from './identity.schemas.ts'
import { organizationDomain } from './joining.schemas.ts'
import { invitation, member, memberWithUser, organization, team } from './organization.schemas.ts'
import { account } from './social.schemas.ts'

const userId = storable(64)
const userAnswer = z.object({ user: sessionUser })
const success = z.object({ success: z.literal(true) })
const sessionAndUser = z.object({ session, user: sessionUser })
const role = storable(64).or(z.array(storable(64)).min(1).max(10))
/** What an administrator may write to a user, besides what has a call of its own. */
const profile = {
  name: text.optional(),
  image: url.nullish(),
  emailVerified: z.boolean().optional(),
  username: text.optional(),
  displayUsername: text.nullish(),
}
const guarded = [...requestErrors, 'UNAUTHORIZED', 'NOT_ALLOWED_WHILE_IMPERSONATING'] as const
const profileErrors = ['INVALID_NAME', 'INVALID_IMAGE', ...usernameErrors] as const
/** Refusals of every call that only reads. */
const readErrors = ['UNAUTHORIZED', 'INVALID_QUERY', 'NOT_ALLOWED_WHILE_IMPERSONATING'] as const

/**
 * How an organization stands with those who decide who may sell: it may; it has described its business and waits for them;
 * or it has asked for nothing. Means nothing where everybody may sell, or nobody.
 */
const selling = z.enum(['approved', 'waiting', 'none'])

const jobSubject = z.object({
  type: z.enum([
    'mail',
    'user',
    'payment',
    'refund',
    'custom_field',
    'file',
    'webhook_endpoint',
    'processor_refund',
    'processor_dispute',
  ]),
  id: z
    .string()
    .describe(
      'Of a mail the name of its text, such as `receipt`; of what began at a payment processor its name there.',
    ),
  recipient: z.string().nullable().describe('The address that a mail goes to.'),
  organization: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('Whose payment, refund, field, file or endpoint it is.'),
})

/** Work that has failed for good. Of what it was to do is told what it is about, and never more: it may hold links that work. */
const deadJob = z.object({
  id: z.string(),
  kind: z.string(),
  subject: jobSubject.nullable().describe('What it is about, where that is one thing, and known.'),
  attempts: z.int(),
  error: z.string().nullable().describe('What went wrong the last time.'),
  createdAt: timestamp,
  deadAt: timestamp,
})

/** Work that fails and is still tried: that of payments and refunds is for as long as it takes. */
const failingJob = deadJob.omit({ deadAt: true }).extend({ nextAt: timestamp })

/** A dispute that no bank has decided yet. */
const openDispute = z.object({
  id: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  order: z.object({ id: z.string(), invoiceNumber: z.string() }),
  processor: z.string(),
  caseId: z.string().describe('What its processor calls it.'),
  status: z.enum(['early_warning', 'needs_response', 'under_review']),
  reason: z.string().nullable().describe('The processor’s word, such as `fraudulent`.'),
  amount: z.int().describe('With tax, in minor units.'),
  currency: z.string(),
  evidenceDueBy: timestamp.nullable().describe('Until when an answer is waited for.'),
  toAnswer: z.boolean().describe('Whether it waits for one.'),
  pastDue: z.boolean(),
  isTest: z.boolean().describe('Whether no real money was paid.'),
  createdAt: timestamp,
})

/** In a query everything is text. */
const count = z.coerce.number().int().nonnegative()

/** Bodies, queries, answers and refusals of the administration calls. */
export const adminSchemas = {
  adminListUsers: {
    summary: 'Users, searched, filtered and sorted; by offset, or by cursor, which stays quick at any depth.',
    query: z.object({
      searchValue: text.optional(),
      searchField: z.enum(['email', 'name', 'username', 'id']).optional(),
      searchOperator: z.enum(['contains', 'starts_with', 'ends_with']).optional(),
      filterField: z.enum(['id', 'email', 'emailVerified', 'role', 'banned', 'createdAt', 'provider']).optional(),
      filterValue: text.optional(),
      filterOperator: z.enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']).optional(),
      sortBy: z.enum(['createdAt', 'email', 'name']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      limit: count.max(500).optional(),
      offset: count.max(10_000_000).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the page before.'),
    }),
    output: z.object({
      users: z.array(sessionUser),
      total: z.number(),
      limit: z.number().optional(),
      offset: z.number().optional(),
      nextCursor: z.string().nullable(),
    }),
    errors: [...readErrors, 'ADMIN_LIST_USERS'],
  },
  adminGetUser: {
    summary: 'One user.',
    query: z.object({ id: userId }),
    output: sessionUser,
    errors: [...readErrors, 'ADMIN_GET_USER', 'ADMIN_USER_NOT_FOUND'],
  },
  adminCreateUser: {
    summary: 'Creates a user, with a password or without one.',
    body: z.object({
      email: address,
      name: text,
      password: newPassword.optional(),
      role: role.optional(),
      data: z.object(profile).optional(),
    }),
    output: userAnswer,
    errors: [
      ...guarded,
      ...passwordErrors,
      ...profileErrors,
      'ADMIN_CREATE_USERS',
      'ADMIN_ROLE_UNKNOWN',
      'ADMIN_USER_ALREADY_EXISTS',
      'INVALID_EMAIL',
    ],
  },
  adminUpdateUser: {
    summary: 'Changes what a user says about themselves.',
    body: z.object({ userId, data: z.object(profile) }),
    output: sessionUser,
    errors: [...guarded, ...profileErrors, 'ADMIN_UPDATE_USERS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminSetRole: {
    summary: 'Gives a user a role, or several.',
    body: z.object({ userId, role }),
    output: userAnswer,
    errors: [...guarded, 'ADMIN_CHANGE_ROLE', 'ADMIN_ROLE_UNKNOWN', 'ADMIN_LAST_ADMIN', 'ADMIN_USER_NOT_FOUND'],
  },
  adminSetUserPassword: {
    summary: 'Sets a user’s password and ends their sessions.',
    body: z.object({ userId, newPassword }),
    output: z.object({ status: z.literal(true) }),
    errors: [...guarded, ...passwordErrors, 'ADMIN_SET_PASSWORD', 'ADMIN_USER_NOT_FOUND'],
  },
  adminBanUser: {
    summary: 'Bans a user, for ever or for a while, and ends their sessions.',
    body: z.object({
      userId,
      banReason: storable(500).optional(),
      banExpiresIn: z.number().int().positive().max(3_155_760_000).optional().describe('Seconds.'),
    }),
    output: userAnswer,
    errors: [...guarded, 'ADMIN_BAN_USERS', 'ADMIN_CANNOT_BAN_YOURSELF', 'ADMIN_USER_NOT_FOUND'],
  },
  adminUnbanUser: {
    summary: 'Lifts a ban.',
    body: z.object({ userId }),
    output: userAnswer,
    errors: [...guarded, 'ADMIN_BAN_USERS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminRemoveUser: {
    summary: 'Deletes a user.',
    body: z.object({ userId }),
    output: success,
    errors: [...guarded, 'ADMIN_REMOVE_USERS', 'ADMIN_CANNOT_REMOVE_YOURSELF', 'ADMIN_USER_NOT_FOUND', 'ONLY_OWNER'],
  },
  adminImpersonateUser: {
    summary: 'Begins a short session as another user; what only they may do stays refused.',
    body: z.object({ userId, reason: storable(500).optional() }),
    output: sessionAndUser,
    errors: [
      ...guarded,
      'ADMIN_IMPERSONATE',
      'ADMIN_IMPERSONATE_ADMIN',
      'ADMIN_USER_NOT_FOUND',
      'BANNED_USER',
      'FAILED_TO_CREATE_SESSION',
    ],
  },
  adminStopImpersonating: {
    summary: 'Ends the session as another user and goes on with one’s own.',
    output: sessionAndUser,
    errors: [...requestErrors, 'UNAUTHORIZED', 'ADMIN_NOT_IMPERSONATING'],
  },
  adminListUserSessions: {
    summary: 'A user’s unexpired sessions.',
    body: z.object({ userId }),
    output: z.object({ sessions: z.array(session) }),
    errors: [...guarded, 'ADMIN_LIST_SESSIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminRevokeUserSession: {
    summary: 'Ends one session of any user, named by its token.',
    body: z.object({ sessionToken: token }),
    output: success,
    errors: [...guarded, 'ADMIN_REVOKE_SESSIONS', 'SESSION_NOT_FOUND'],
  },
  adminRevokeUserSessions: {
    summary: 'Ends every session of a user.',
    body: z.object({ userId }),
    output: success,
    errors: [...guarded, 'ADMIN_REVOKE_SESSIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminListUserAccounts: {
    summary: 'The accounts that a user can sign in with.',
    query: z.object({ userId }),
    output: z.object({ accounts: z.array(account) }),
    errors: [...readErrors, 'ADMIN_GET_USER', 'ADMIN_USER_NOT_FOUND'],
  },
  adminListEvents: {
    summary: 'What has happened, newest first; of everybody, of one user, of one actor or of one organization.',
    query: z.object({
      userId: userId.optional(),
      actorId: userId.optional(),
      organizationId: userId.optional(),
      type: storable(64).optional(),
      limit: count.max(200).optional(),
      cursor: storable(64).optional().describe('`nextCursor` of the page before.'),
    }),
    output: z.object({ events: z.array(auditEvent), nextCursor: z.string().nullable() }),
    errors: [...readErrors, 'ADMIN_LIST_EVENTS'],
  },
  adminListOrganizations: {
    summary: 'Organizations, searched by name or slug, newest first; by cursor.',
    query: z.object({
      searchValue: text.optional(),
      selling: selling.optional().describe('Only those that may sell, that wait to be allowed to, or the others.'),
      sortBy: z.enum(['createdAt', 'name']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the page before.'),
    }),
    output: z.object({
      organizations: z.array(organization.extend({ memberCount: z.number(), selling })),
      total: z.number(),
      nextCursor: z.string().nullable(),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS'],
  },
  adminGetOrganization: {
    summary: 'One organization with its counts, teams, open invitations and domains.',
    query: z.object({ id: userId }),
    output: z.object({
      organization: organization.extend({
        memberCount: z.number(),
        selling,
        /** What it has told about its business, to be allowed to sell. */
        details: sellerDetails.nullable(),
        detailsSubmittedAt: timestamp.nullable(),
        /** Whether it may sell, by its approval or because everybody may. */
        maySell: z.boolean(),
        /** Whether that is for administrators to decide: not where everybody may sell, or nobody. */
        sellingIsDecided: z.boolean(),
      }),
      teams: z.array(team),
      invitations: z.array(invitation),
      domains: z.array(organizationDomain),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND'],
  },
  adminListOrganizationMembers: {
    summary: 'The members of an organization, by offset.',
    query: z.object({
      organizationId: userId,
      search: text.optional(),
      limit: count.max(200).optional(),
      offset: count.max(10_000_000).optional(),
    }),
    output: z.object({ members: z.array(memberWithUser), total: z.number() }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND'],
  },
  adminListUserOrganizations: {
    summary: 'The organizations of a user, and whether one of them would be left without an owner.',
    query: z.object({ userId, limit: count.max(200).optional(), offset: count.max(10_000_000).optional() }),
    output: z.object({
      organizations: z.array(
        z.object({
          organization,
          member,
          memberCount: z.number(),
          /** Nobody else owns it: the user cannot be deleted while there are other members. */
          soleOwner: z.boolean(),
        }),
      ),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminDeleteOrganization: {
    summary: 'Deletes an organization with everything in it.',
    body: z.object({ organizationId: userId }),
    output: success,
    errors: [...guarded, 'ADMIN_DELETE_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND', 'ORGANIZATION_HAS_ORDERS'],
  },
  adminSetSelling: {
    summary: 'Lets an organization sell, or no longer: then its calls are refused, and what is bought already goes on.',
    body: z.object({ organizationId: userId, maySell: z.boolean() }),
    output: success,
    errors: [...guarded, 'ADMIN_SET_SELLING', 'ADMIN_ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
  },
  adminVerifyDomain: {
    summary:
      'Vouches for a domain of an organization in place of its DNS record, such as one inside a company’s own network.',
    body: z.object({ domainId: userId }),
    output: organizationDomain,
    errors: [...guarded, 'ADMIN_VERIFY_DOMAINS', 'DOMAIN_NOT_FOUND', 'DOMAIN_TAKEN'],
  },
  adminListDisputes: {
    summary:
      'What buyers of all organizations dispute, as long as no bank has decided it, the oldest first: the account at the payment processor, where disputes are answered, is the installation’s.',
    query: z.object({
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the page before.'),
    }),
    output: z.object({
      disputes: z.array(openDispute),
      nextCursor: z.string().nullable(),
      toAnswer: z.int().describe('How many of all that are open wait for an answer.'),
    }),
    errors: [...readErrors, 'ADMIN_LIST_DISPUTES', 'NOT_FOUND'],
  },
  adminListDeadJobs: {
    summary:
      'Work that has failed for good, the latest first, and what fails and is still tried: what it was and what went wrong.',
    query: z.object({
      kind: storable(64).optional(),
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the page before.'),
    }),
    output: z.object({
      jobs: z.array(deadJob),
      nextCursor: z.string().nullable(),
      counts: z.array(z.object({ kind: z.string(), count: z.int() })).describe('How many there are, by kind.'),
      failing: z
        .array(failingJob)
        .describe('Work that has failed four times in a row or more, and is still tried: the 50 oldest.'),
    }),
    errors: [...readErrors, 'ADMIN_LIST_JOBS'],
  },
  adminRetryJob: {
    summary: 'Does a job that has failed for good once more, with all its attempts.',
    body: z.object({ jobId: storable(64) }),
    output: success,
    errors: [...guarded, 'ADMIN_MANAGE_JOBS', 'ADMIN_JOB_NOT_FOUND'],
  },
  adminRetryJobs: {
    summary: 'The same for all of a kind, 10,000 at most: the longest dead first.',
    body: z.object({ kind: storable(64) }),
    output: z.object({ count: z.int() }),
    errors: [...guarded, 'ADMIN_MANAGE_JOBS'],
  },
  adminRemoveJob: {
    summary: 'Removes a job that has failed for good; what it was to do is never done.',
    body: z.object({ jobId: storable(64) }),
    output: success,
    errors: [...guarded, 'ADMIN_MANAGE_JOBS', 'ADMIN_JOB_NOT_FOUND'],
  },
  adminHasPermission: {
    summary: 'Whether the caller, or a role, holds every permission asked for.',
    body: z.object({
      permissions: byResource(z.array(storable(64)).max(50)).optional(),
      permission: byResource(z.array(storable(64)).max(50)).optional(),
      userId: userId.optional().describe('Counts for calls of server code only.'),
      role: storable(64).optional().describe('Counts for calls of server code only.'),
    }),
    output: z.object({ error: z.null(), success: z.boolean() }),
    errors: [...requestErrors, 'UNAUTHORIZED'],
  },
} as const satisfies Record<keyof typeof adminCalls, Endpoint>
