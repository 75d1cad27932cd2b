import { type Call, ofOrganization } from './call.ts'

/** Members of an organization and their permissions. */
export const memberCalls = {
  getActiveMember: { ...ofOrganization, method: 'GET', path: '/organization/get-active-member' },
  getActiveMemberRole: { ...ofOrganization, method: 'GET', path: '/organization/get-active-member-role' },
  listMembers: { ...ofOrganization, method: 'GET', path: '/organization/list-members' },
  addMember: { ...ofOrganization, method: 'POST', path: '/organization/add-member', auth: 'none', serverOnly: true },
  updateMemberRole: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/update-member-role',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  removeMember: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/remove-member',
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  leaveOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/leave',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  hasPermission: { ...ofOrganization, method: 'POST', path: '/organization/has-permission' },
  /** Custom roles, which an organization creates at run time. */
  createRole: { ...ofOrganization, method: 'POST', path: '/organization/create-role', refreshes: ['activeMember'] },
  updateRole: { ...ofOrganization, method: 'POST', path: '/organization/update-role', refreshes: ['activeMember'] },
  deleteRole: { ...ofOrganization, method: 'POST', path: '/organization/delete-role', refreshes: ['activeMember'] },
  getRole: { ...ofOrganization, method: 'GET', path: '/organization/get-role' },
  listRoles: { ...ofOrganization, method: 'GET', path: '/organization/list-roles' },
} as const satisfies Record<string, Call>
