import type { adminCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { adminListEvents } from './audit.service.ts'
import { adminBanUser, adminUnbanUser } from './ban.service.ts'
import { adminListDisputes } from './dispute.service.ts'
import { adminImpersonateUser, adminStopImpersonating } from './impersonation.service.ts'
import { adminListDeadJobs, adminRemoveJob, adminRetryJob, adminRetryJobs } from './job.service.ts'
import {
  adminDeleteOrganization,
  adminGetOrganization,
  adminListOrganizationMembers,
  adminListOrganizations,
  adminListUserOrganizations,
  adminSetSelling,
  adminVerifyDomain,
} from './organization.service.ts'
import { adminHasPermission } from './permission.service.ts'
import { adminListUserSessions, adminRevokeUserSession, adminRevokeUserSessions } from './session.service.ts'
import {
  adminCreateUser,
  adminGetUser,
  adminListUserAccounts,
  adminRemoveUser,
  adminSetRole,
  adminSetUserPassword,
  adminUpdateUser,
} from './user.service.ts'
import { adminListUsers } from './user-list.service.ts'

/** Binds each administration call of the contract to its service. */
export const adminRoutes: AuthRoutes<typeof adminCalls> = {
  adminListUsers: ({ ctx, session, query }) => adminListUsers(ctx, session, query),
  adminGetUser: ({ ctx, session, query }) => adminGetUser(ctx, session, query.id),
  adminCreateUser: ({ ctx, session, body }) => adminCreateUser(ctx, session, body),
  adminUpdateUser: ({ ctx, session, body }) => adminUpdateUser(ctx, session, body),
  adminSetRole: ({ ctx, session, body }) => adminSetRole(ctx, session, body),
  adminSetUserPassword: ({ ctx, caller, session, body }) => adminSetUserPassword(ctx, caller, session, body),
  adminBanUser: ({ ctx, session, body }) => adminBanUser(ctx, session, body),
  adminUnbanUser: ({ ctx, session, body }) => adminUnbanUser(ctx, session, body.userId),
  adminRemoveUser: ({ ctx, session, body }) => adminRemoveUser(ctx, session, body.userId),
  adminImpersonateUser: ({ ctx, caller, session, body }) => adminImpersonateUser(ctx, caller, session, body),
  adminStopImpersonating: ({ ctx, caller, session }) => adminStopImpersonating(ctx, caller, session),
  adminListUserSessions: ({ ctx, session, body }) => adminListUserSessions(ctx, session, body.userId),
  adminRevokeUserSession: ({ ctx, session, body }) => adminRevokeUserSession(ctx, session, body.sessionToken),
  adminRevokeUserSessions: ({ ctx, session, body }) => adminRevokeUserSessions(ctx, session, body.userId),
  adminListUserAccounts: ({ ctx, session, query }) => adminListUserAccounts(ctx, session, query.userId),
  adminListEvents: ({ ctx, session, query }) => adminListEvents(ctx, session, query),
  adminListDisputes: ({ ctx, session, query }) => adminListDisputes(ctx, session, query),
  adminListDeadJobs: ({ ctx, session, query }) => adminListDeadJobs(ctx, session, query),
  adminRetryJob: ({ ctx, session, body }) => adminRetryJob(ctx, session, body.jobId),
  adminRetryJobs: ({ ctx, session, body }) => adminRetryJobs(ctx, session, body.kind),
  adminRemoveJob: ({ ctx, session, body }) => adminRemoveJob(ctx, session, body.jobId),
  adminListOrganizations: ({ ctx, session, query }) => adminListOrganizations(ctx, session, query),
  adminGetOrganization: ({ ctx, session, query }) => adminGetOrganization(ctx, session, query),
  adminListOrganizationMembers: ({ ctx, session, query }) => adminListOrganizationMembers(ctx, session, query),
  adminListUserOrganizations: ({ ctx, session, query }) => adminListUserOrganizations(ctx, session, query),
  adminDeleteOrganization: ({ ctx, session, body }) => adminDeleteOrganization(ctx, session, body),
  adminSetSelling: ({ ctx, session, body }) => adminSetSelling(ctx, session, body),
  adminVerifyDomain: ({ ctx, session, body }) => adminVerifyDomain(ctx, session, body),
  adminHasPermission: ({ ctx, caller, session, body }) => adminHasPermission(ctx, caller, session, body),
}
