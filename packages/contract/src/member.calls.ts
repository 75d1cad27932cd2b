import type { Call } from './call.ts'

/** Members of an organization and what they may do. */
export const memberCalls = {
  getActiveMember: { method: 'GET', path: '/organization/get-active-member', auth: 'session' },
  getActiveMemberRole: { method: 'GET', path: '/organization/get-active-member-role', auth: 'session' },
  listMembers: { method: 'GET', path: '/organization/list-members', auth: 'session' },
  addMember: {
    method: 'POST',
    path: '/organization/add-member',
    auth: 'none',
    serverOnly: true,
  },
  updateMemberRole: {
    method: 'POST',
    path: '/organization/update-member-role',
    auth: 'session',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  removeMember: {
    method: 'POST',
    path: '/organization/remove-member',
    auth: 'session',
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  leaveOrganization: {
    method: 'POST',
    path: '/organization/leave',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  hasPermission: { method: 'POST', path: '/organization/has-permission', auth: 'session' },
  /** Roles that an organization makes for itself while the server runs. */
  createRole: { method: 'POST', path: '/organization/create-role', auth: 'session', refreshes: ['activeMember'] },
  updateRole: { method: 'POST', path: '/organization/update-role', auth: 'session', refreshes: ['activeMember'] },
  deleteRole: { method: 'POST', path: '/organization/delete-role', auth: 'session', refreshes: ['activeMember'] },
  getRole: { method: 'GET', path: '/organization/get-role', auth: 'session' },
  listRoles: { method: 'GET', path: '/organization/list-roles', auth: 'session' },
} as const satisfies Record<string, Call>
