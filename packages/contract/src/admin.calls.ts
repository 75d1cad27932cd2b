import type { Call } from './call.ts'

const ofAdministration = { auth: 'session', group: 'administration' } as const satisfies Partial<Call>

/** Administration of users and sessions (specification, section 6; auth contract, section 7). */
export const adminCalls = {
  adminGetOverview: { ...ofAdministration, method: 'GET', path: '/admin/get-overview' },
  adminGetBrand: { ...ofAdministration, method: 'GET', path: '/admin/get-brand' },
  adminUpdateBrand: { ...ofAdministration, method: 'POST', path: '/admin/update-brand' },
  adminListUsers: { ...ofAdministration, method: 'GET', path: '/admin/list-users' },
  adminGetUser: { ...ofAdministration, method: 'GET', path: '/admin/get-user' },
  adminCreateUser: { ...ofAdministration, method: 'POST', path: '/admin/create-user' },
  adminUpdateUser: { ...ofAdministration, method: 'POST', path: '/admin/update-user' },
  adminSetRole: { ...ofAdministration, method: 'POST', path: '/admin/set-role' },
  adminSetUserPassword: { ...ofAdministration, method: 'POST', path: '/admin/set-user-password' },
  adminBanUser: { ...ofAdministration, method: 'POST', path: '/admin/ban-user' },
  adminUnbanUser: { ...ofAdministration, method: 'POST', path: '/admin/unban-user' },
  adminRemoveUser: { ...ofAdministration, method: 'POST', path: '/admin/remove-user' },
  adminImpersonateUser: {
    ...ofAdministration,
    method: 'POST',
    path: '/admin/impersonate-user',
    refreshes: ['session'],
  },
  adminStopImpersonating: {
    ...ofAdministration,
    method: 'POST',
    path: '/admin/stop-impersonating',
    refreshes: ['session'],
  },
  adminListUserSessions: { ...ofAdministration, method: 'POST', path: '/admin/list-user-sessions' },
  adminRevokeUserSession: { ...ofAdministration, method: 'POST', path: '/admin/revoke-user-session' },
  adminRevokeUserSessions: { ...ofAdministration, method: 'POST', path: '/admin/revoke-user-sessions' },
  adminListUserAccounts: { ...ofAdministration, method: 'GET', path: '/admin/list-user-accounts' },
  adminListEvents: { ...ofAdministration, method: 'GET', path: '/admin/list-events' },
  adminListOrganizations: {
    ...ofAdministration,
    method: 'GET',
    path: '/admin/list-organizations',
    feature: 'organization',
  },
  adminGetOrganization: {
    ...ofAdministration,
    method: 'GET',
    path: '/admin/get-organization',
    feature: 'organization',
  },
  adminListOrganizationMembers: {
    ...ofAdministration,
    method: 'GET',
    path: '/admin/list-organization-members',
    feature: 'organization',
  },
  adminListUserOrganizations: {
    ...ofAdministration,
    method: 'GET',
    path: '/admin/list-user-organizations',
    feature: 'organization',
  },
  adminDeleteOrganization: {
    ...ofAdministration,
    method: 'POST',
    path: '/admin/delete-organization',
    feature: 'organization',
  },
  adminSetSelling: { ...ofAdministration, method: 'POST', path: '/admin/set-selling', feature: 'organization' },
  adminVerifyDomain: { ...ofAdministration, method: 'POST', path: '/admin/verify-domain', feature: 'organization' },
  adminListDisputes: { ...ofAdministration, method: 'GET', path: '/admin/list-disputes' },
  adminListDeadJobs: { ...ofAdministration, method: 'GET', path: '/admin/list-dead-jobs' },
  adminRetryJob: { ...ofAdministration, method: 'POST', path: '/admin/retry-job' },
  adminRetryJobs: { ...ofAdministration, method: 'POST', path: '/admin/retry-jobs' },
  adminRemoveJob: { ...ofAdministration, method: 'POST', path: '/admin/remove-job' },
  adminHasPermission: { ...ofAdministration, method: 'POST', path: '/admin/has-permission' },
} as const satisfies Record<string, Call>
