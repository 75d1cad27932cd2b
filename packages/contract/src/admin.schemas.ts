import { z } from 'zod'
import type { adminCalls } from './admin.calls.ts'
import { sellerDetails } from './billing/merchant.schemas.ts'
import { attentionKinds, paidByNames } from './billing/processor.schemas.ts'
import { installationBrand, installationBrandChange } from './brand/brand.schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { administratorEvent } from './event.schemas.ts'
import {
  address,
  byResource,
  newPassword,
  passwordErrors,
  pictureErrors,
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
import {
  deletionPlan,
  invitation,
  member,
  memberWithUser,
  organization,
  organizationDeletionPlan,
  team,
} from './organization.schemas.ts'
import { account } from './social.schemas.ts'

const userId = storable(64)
const userAnswer = z.object({ user: sessionUser })
const success = z.object({ success: z.literal(true) })
const sessionAndUser = z.object({ session, user: sessionUser })
const role = storable(64).or(z.array(storable(64)).min(1).max(10))
/** The fields of a user that an administrator sets here; others have calls of their own. */
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
 * The state of an organization's application to sell: approved, described its business and waiting, or not applied.
 * Without meaning where every organization may sell, or none.
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
      'For a mail, the name of its text, such as `receipt`; for a refund or dispute at a processor, its id there.',
    ),
  recipient: z.string().nullable().describe('The recipient of a mail.'),
  organization: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The organization that owns its payment, refund, field, file or endpoint.'),
})

/** Dead-lettered work. Shows only the subject of its payload, which may hold working links. */
const deadJob = z.object({
  id: z.string(),
  kind: z.string(),
  subject: jobSubject.nullable().describe('Its object, if there is one and it is known.'),
  attempts: z.int(),
  error: z.string().nullable().describe('The last error.'),
  createdAt: timestamp,
  deadAt: timestamp,
})

/** Failing work that is still retried. Work for payments and refunds is retried indefinitely. */
const failingJob = deadJob.omit({ deadAt: true }).extend({ nextAt: timestamp })

/** A dispute that its bank has not decided yet. */
const openDispute = z.object({
  id: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  order: z.object({ id: z.string(), invoiceNumber: z.string().nullable() }),
  processor: z.string(),
  caseId: z.string().describe('Its id at the processor.'),
  status: z.enum(['early_warning', 'needs_response', 'under_review']),
  reason: z.string().nullable().describe('The processor’s reason, such as `fraudulent`.'),
  amount: z.int().describe('With tax, in minor units.'),
  currency: z.string(),
  evidenceDueBy: timestamp.nullable().describe('The deadline for evidence.'),
  toAnswer: z.boolean().describe('Whether it needs an answer.'),
  pastDue: z.boolean(),
  isTest: z.boolean().describe('Whether it is a test payment without real money.'),
  createdAt: timestamp,
})

/** Money that moved at a processor unlike any request. */
const attention = z.object({
  id: z.string(),
  kind: z
    .enum(attentionKinds)
    .describe(
      'What happened: a failed payment was paid after all, a payment or a refund had another amount or another mismatch, or the payment is not in this database.',
    ),
  organization: z
    .object({ id: z.string(), name: z.string(), slug: z.string() })
    .nullable()
    .describe('Null if it was deleted.'),
  processor: z.enum(paidByNames),
  processorReference: z.string().describe('The payment’s or the refund’s id at the processor.'),
  paymentId: z.string().nullable(),
  refundId: z.string().nullable(),
  amount: z.int().describe('What moved, in minor units.'),
  currency: z.string(),
  expectedAmount: z.int().nullable().describe('What was requested; null for an unknown payment.'),
  expectedCurrency: z.string().nullable(),
  detail: z
    .enum(['payment', 'customer', 'mode'])
    .nullable()
    .describe(
      'What differs besides the amount: it belongs to another payment or customer, or it mixes test and real money.',
    ),
  isTest: z.boolean().describe('Whether it is test money.'),
  createdAt: timestamp,
  resolved: z
    .object({
      at: timestamp,
      by: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable().describe('Null if deleted.'),
      note: z.string(),
    })
    .nullable()
    .describe('Null while it is open.'),
})

/** Query values are text. */
const count = z.coerce.number().int().nonnegative()

/** Bodies, queries, answers and refusals of the administration calls. */
export const adminSchemas = {
  adminGetOverview: {
    summary: 'Returns the figures of the installation, and what needs an administrator.',
    output: z.object({
      users: z.number().describe('All users.'),
      signUps: z.object({
        count: z.number().describe('Users created in the last 30 days.'),
        before: z.number().describe('Users created in the 30 days before.'),
        byDay: z.array(z.number()).describe('Users created in each of the last 30 spans of 24 hours, oldest first.'),
      }),
      activeUsers: z.number().describe('Users with a session that has not ended.'),
      organizations: z
        .object({ total: z.number(), created: z.number().describe('Created in the last 30 days.') })
        .nullable()
        .describe('Null where organizations are off.'),
      attention: z.object({
        deadJobs: z.number().describe('Jobs that are not retried any more.'),
        failingJobs: z.number().describe('Jobs that fail and are still retried, 50 at most.'),
        disputesToAnswer: z.number().nullable().describe('Null where billing is off.'),
        moneyToCheck: z
          .number()
          .nullable()
          .describe('Open entries of the attention list (`adminListAttention`); null where billing is off.'),
        sendsMail: z.boolean().describe('False if mails go nowhere, because no transport is configured.'),
        lockedAccounts: z
          .number()
          .describe('Accounts whose sign-in was refused in the last 24 hours, because of too many attempts.'),
      }),
    }),
    errors: [...readErrors, 'ADMIN_LIST_USERS'],
  },
  adminGetBrand: {
    summary: 'Returns how the pages and mails of the installation look.',
    output: installationBrand,
    errors: [...readErrors, 'ADMIN_MANAGE_BRAND'],
  },
  adminUpdateBrand: {
    summary: 'Changes how the pages and mails of the installation look; members that are not named stay.',
    body: installationBrandChange,
    output: installationBrand,
    errors: [...guarded, 'ADMIN_MANAGE_BRAND', 'INVALID_IMAGE'],
  },
  adminUploadBrandLogo: {
    summary: 'Stores a JPEG, PNG or WebP picture of at most 5 MB, made smaller, as the logo of the installation.',
    output: installationBrand,
    errors: [...pictureErrors, 'UNAUTHORIZED', 'NOT_ALLOWED_WHILE_IMPERSONATING', 'ADMIN_MANAGE_BRAND'],
  },
  adminListUsers: {
    summary: 'Lists users with search, filters and sorting; by offset, or by cursor, which is fast at any depth.',
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
      cursor: storable(1024).optional().describe('`nextCursor` of the previous page.'),
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
    summary: 'Returns a user.',
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
    summary: 'Changes a user’s profile.',
    body: z.object({ userId, data: z.object(profile) }),
    output: sessionUser,
    errors: [...guarded, ...profileErrors, 'ADMIN_UPDATE_USERS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminSetRole: {
    summary: 'Sets a user’s roles.',
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
    summary: 'Bans a user, permanently or for a time, and ends their sessions.',
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
  adminPreviewUserRemoval: {
    summary: 'Previews the effect of deleting a user on organizations and purchases.',
    query: z.object({ userId }),
    output: deletionPlan,
    errors: [...readErrors, 'ADMIN_REMOVE_USERS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminRemoveUser: {
    summary: 'Deletes a user.',
    body: z.object({ userId }),
    output: success,
    errors: [...guarded, 'ADMIN_REMOVE_USERS', 'ADMIN_CANNOT_REMOVE_YOURSELF', 'ADMIN_USER_NOT_FOUND', 'ONLY_OWNER'],
  },
  adminImpersonateUser: {
    summary: 'Starts a short session as another user; calls reserved for the user are refused.',
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
    summary: 'Ends the impersonation and restores the administrator’s session.',
    output: sessionAndUser,
    errors: [...requestErrors, 'UNAUTHORIZED', 'ADMIN_NOT_IMPERSONATING'],
  },
  adminListUserSessions: {
    summary: 'Lists a user’s active sessions.',
    body: z.object({ userId }),
    output: z.object({ sessions: z.array(session) }),
    errors: [...guarded, 'ADMIN_LIST_SESSIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminRevokeUserSession: {
    summary: 'Revokes a user’s session by its token.',
    body: z.object({ sessionToken: token }),
    output: success,
    errors: [...guarded, 'ADMIN_REVOKE_SESSIONS', 'SESSION_NOT_FOUND'],
  },
  adminRevokeUserSessions: {
    summary: 'Revokes all sessions of a user.',
    body: z.object({ userId }),
    output: success,
    errors: [...guarded, 'ADMIN_REVOKE_SESSIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminListUserAccounts: {
    summary: 'Lists a user’s sign-in methods.',
    query: z.object({ userId }),
    output: z.object({ accounts: z.array(account) }),
    errors: [...readErrors, 'ADMIN_GET_USER', 'ADMIN_USER_NOT_FOUND'],
  },
  adminListEvents: {
    summary: 'Lists events, newest first; of all users, or of one user, actor or organization.',
    query: z.object({
      userId: userId.optional(),
      actorId: userId.optional(),
      organizationId: userId.optional(),
      type: storable(64).optional(),
      area: z
        .enum(['accounts', 'sales'])
        .optional()
        .describe('Only events of accounts and organizations, or only events of sales.'),
      limit: count.max(200).optional(),
      cursor: storable(64).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({ events: z.array(administratorEvent), nextCursor: z.string().nullable() }),
    errors: [...readErrors, 'ADMIN_LIST_EVENTS'],
  },
  adminListOrganizations: {
    summary: 'Lists organizations, newest first, with search by name or slug; by cursor.',
    query: z.object({
      searchValue: text.optional(),
      selling: selling.optional().describe('Only organizations with this approval status.'),
      sortBy: z.enum(['createdAt', 'name']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({
      organizations: z.array(organization.extend({ memberCount: z.number(), selling })),
      total: z.number(),
      nextCursor: z.string().nullable(),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS'],
  },
  adminGetOrganization: {
    summary: 'Returns an organization with its counts, teams, open invitations and domains.',
    query: z.object({ id: userId }),
    output: z.object({
      organization: organization.extend({
        memberCount: z.number(),
        selling,
        /** Its description of its business, from its application to sell. */
        details: sellerDetails.nullable(),
        detailsSubmittedAt: timestamp.nullable(),
        /** Whether it may sell: it is approved, or every organization may. */
        maySell: z.boolean(),
        /** Whether administrators decide that; false where every organization may sell, or none. */
        sellingIsDecided: z.boolean(),
      }),
      teams: z.array(team),
      invitations: z.array(invitation),
      domains: z.array(organizationDomain),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND'],
  },
  adminListOrganizationMembers: {
    summary: 'Lists an organization’s members, by offset.',
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
    summary: 'Lists a user’s organizations, and whether the user is the only owner of each.',
    query: z.object({ userId, limit: count.max(200).optional(), offset: count.max(10_000_000).optional() }),
    output: z.object({
      organizations: z.array(
        z.object({
          organization,
          member,
          memberCount: z.number(),
          /** The user is the only owner, and cannot be deleted while there are other members. */
          soleOwner: z.boolean(),
        }),
      ),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ORGANIZATIONS', 'ADMIN_USER_NOT_FOUND'],
  },
  adminPreviewOrganizationDeletion: {
    summary: 'Previews the effect of deleting an organization on what it sells and buys.',
    query: z.object({ organizationId: userId }),
    output: organizationDeletionPlan,
    errors: [...readErrors, 'ADMIN_DELETE_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND'],
  },
  adminDeleteOrganization: {
    summary: 'Deletes an organization with everything in it.',
    body: z.object({ organizationId: userId }),
    output: success,
    errors: [...guarded, 'ADMIN_DELETE_ORGANIZATIONS', 'ADMIN_ORGANIZATION_NOT_FOUND', 'ORGANIZATION_HAS_ORDERS'],
  },
  adminSetSelling: {
    summary:
      'Approves an organization to sell, or withdraws it: new sales are then refused, and existing ones continue.',
    body: z.object({ organizationId: userId, maySell: z.boolean() }),
    output: success,
    errors: [...guarded, 'ADMIN_SET_SELLING', 'ADMIN_ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
  },
  adminVerifyDomain: {
    summary: 'Verifies a domain of an organization without its DNS record, such as one inside a company’s own network.',
    body: z.object({ domainId: userId }),
    output: organizationDomain,
    errors: [...guarded, 'ADMIN_VERIFY_DOMAINS', 'DOMAIN_NOT_FOUND', 'DOMAIN_TAKEN'],
  },
  adminListDisputes: {
    summary:
      'Lists the open disputes of all organizations, oldest first. They are answered in the installation’s account at the payment processor.',
    query: z.object({
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({
      disputes: z.array(openDispute),
      nextCursor: z.string().nullable(),
      toAnswer: z.int().describe('The number of open disputes that need an answer.'),
    }),
    errors: [...readErrors, 'ADMIN_LIST_DISPUTES', 'NOT_FOUND'],
  },
  adminListAttention: {
    summary:
      'Lists money that a payment processor moved unlike any request, newest first: open or resolved entries. Administrators settle it in the installation’s account at the processor.',
    query: z.object({
      state: z.enum(['open', 'resolved']).optional().describe('`open` if absent.'),
      kind: z.enum(attentionKinds).optional(),
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({
      items: z.array(attention),
      nextCursor: z.string().nullable(),
      open: z.int().describe('The number of all open entries.'),
    }),
    errors: [...readErrors, 'ADMIN_LIST_ATTENTION', 'NOT_FOUND'],
  },
  adminResolveAttention: {
    summary: 'Resolves an entry of the attention list, with a note on how it was settled. It moves no money.',
    body: z.object({ attentionId: storable(64), note: storable(1000).refine((note) => note.trim() !== '') }),
    output: attention,
    errors: [
      ...guarded,
      'ADMIN_RESOLVE_ATTENTION',
      'ADMIN_ATTENTION_NOT_FOUND',
      'ADMIN_ATTENTION_RESOLVED',
      'NOT_FOUND',
    ],
  },
  adminListDeadJobs: {
    summary: 'Lists dead jobs, newest first, and failing jobs that are still retried, with their last errors.',
    query: z.object({
      kind: storable(64).optional(),
      limit: count.max(200).optional(),
      cursor: storable(1024).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({
      jobs: z.array(deadJob),
      nextCursor: z.string().nullable(),
      counts: z.array(z.object({ kind: z.string(), count: z.int() })).describe('The number of dead jobs by kind.'),
      failing: z
        .array(failingJob)
        .describe('Jobs that have failed four times in a row or more and are still retried: the 50 oldest.'),
    }),
    errors: [...readErrors, 'ADMIN_LIST_JOBS'],
  },
  adminRetryJob: {
    summary: 'Retries a dead job, with all its attempts.',
    body: z.object({ jobId: storable(64) }),
    output: success,
    errors: [...guarded, 'ADMIN_MANAGE_JOBS', 'ADMIN_JOB_NOT_FOUND'],
  },
  adminRetryJobs: {
    summary: 'Retries all dead jobs of a kind, 10,000 at most, the longest dead first.',
    body: z.object({ kind: storable(64) }),
    output: z.object({ count: z.int() }),
    errors: [...guarded, 'ADMIN_MANAGE_JOBS'],
  },
  adminRemoveJob: {
    summary: 'Deletes a dead job; its work is never done.',
    body: z.object({ jobId: storable(64) }),
    output: success,
    errors: [...guarded, 'ADMIN_MANAGE_JOBS', 'ADMIN_JOB_NOT_FOUND'],
  },
  adminHasPermission: {
    summary: 'Tells whether the caller, or a role, has all of the given permissions.',
    body: z.object({
      permissions: byResource(z.array(storable(64)).max(50)).optional(),
      permission: byResource(z.array(storable(64)).max(50)).optional(),
      userId: userId.optional().describe('For server code only.'),
      role: storable(64).optional().describe('For server code only.'),
    }),
    output: z.object({ error: z.null(), success: z.boolean() }),
    errors: [...requestErrors, 'UNAUTHORIZED'],
  },
} as const satisfies Record<keyof typeof adminCalls, Endpoint>
