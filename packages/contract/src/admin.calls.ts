import type { Call } from './call.ts'

/** What administrators do with users and sessions (specification, section 6; auth contract, section 7). */
export const adminCalls = {
  adminListUsers: { method: 'GET', path: '/admin/list-users', auth: 'session' },
  adminGetUser: { method: 'GET', path: '/admin/get-user', auth: 'session' },
  adminCreateUser: { method: 'POST', path: '/admin/create-user', auth: 'session' },
  adminUpdateUser: { method: 'POST', path: '/admin/update-user', auth: 'session' },
  adminSetRole: { method: 'POST', path: '/admin/set-role', auth: 'session' },
  adminSetUserPassword: { method: 'POST', path: '/admin/set-user-password', auth: 'session' },
  adminBanUser: { method: 'POST', path: '/admin/ban-user', auth: 'session' },
  adminUnbanUser: { method: 'POST', path: '/admin/unban-user', auth: 'session' },
  adminRemoveUser: { method: 'POST', path: '/admin/remove-user', auth: 'session' },
  adminImpersonateUser: {
    method: 'POST',
    path: '/admin/impersonate-user',
    auth: 'session',
    refreshes: ['session'],
  },
  adminStopImpersonating: {
    method: 'POST',
    path: '/admin/stop-impersonating',
    auth: 'session',
    refreshes: ['session'],
  },
  adminListUserSessions: { method: 'POST', path: '/admin/list-user-sessions', auth: 'session' },
  adminRevokeUserSession: { method: 'POST', path: '/admin/revoke-user-session', auth: 'session' },
  adminRevokeUserSessions: { method: 'POST', path: '/admin/revoke-user-sessions', auth: 'session' },
  adminListUserAccounts: { method: 'GET', path: '/admin/list-user-accounts', auth: 'session' },
  adminListEvents: { method: 'GET', path: '/admin/list-events', auth: 'session' },
  adminListOrganizations: { method: 'GET', path: '/admin/list-organizations', auth: 'session' },
  adminGetOrganization: { method: 'GET', path: '/admin/get-organization', auth: 'session' },
  adminListOrganizationMembers: { method: 'GET', path: '/admin/list-organization-members', auth: 'session' },
  adminListUserOrganizations: { method: 'GET', path: '/admin/list-user-organizations', auth: 'session' },
  adminDeleteOrganization: { method: 'POST', path: '/admin/delete-organization', auth: 'session' },
  adminSetSelling: { method: 'POST', path: '/admin/set-selling', auth: 'session' },
  adminVerifyDomain: { method: 'POST', path: '/admin/verify-domain', auth: 'session' },
  adminHasPermission: { method: 'POST', path: '/admin/has-permission', auth: 'session' },
} as const satisfies Record<string, Call>
