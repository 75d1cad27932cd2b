import type { Call } from './call.ts'

/** Members of an organization and their permissions. */
export const memberCalls = {
  getActiveMember: { method: 'GET', path: '/organization/get-active-member', auth: 'session', feature: 'organization' },
  getActiveMemberRole: {
    method: 'GET',
    path: '/organization/get-active-member-role',
    auth: 'session',
    feature: 'organization',
  },
  listMembers: { method: 'GET', path: '/organization/list-members', auth: 'session', feature: 'organization' },
  addMember: {
    method: 'POST',
    path: '/organization/add-member',
    auth: 'none',
    serverOnly: true,
    feature: 'organization',
  },
  updateMemberRole: {
    method: 'POST',
    path: '/organization/update-member-role',
    auth: 'session',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },
  removeMember: {
    method: 'POST',
    path: '/organization/remove-member',
    auth: 'session',
    refreshes: ['organizations', 'activeOrganization', 'session'],
    feature: 'organization',
  },
  leaveOrganization: {
    method: 'POST',
    path: '/organization/leave',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
    feature: 'organization',
  },
  hasPermission: { method: 'POST', path: '/organization/has-permission', auth: 'session', feature: 'organization' },
  /** Custom roles, which an organization creates at run time. */
  createRole: {
    method: 'POST',
    path: '/organization/create-role',
    auth: 'session',
    refreshes: ['activeMember'],
    feature: 'organization',
  },
  updateRole: {
    method: 'POST',
    path: '/organization/update-role',
    auth: 'session',
    refreshes: ['activeMember'],
    feature: 'organization',
  },
  deleteRole: {
    method: 'POST',
    path: '/organization/delete-role',
    auth: 'session',
    refreshes: ['activeMember'],
    feature: 'organization',
  },
  getRole: { method: 'GET', path: '/organization/get-role', auth: 'session', feature: 'organization' },
  listRoles: { method: 'GET', path: '/organization/list-roles', auth: 'session', feature: 'organization' },
} as const satisfies Record<string, Call>
