import type { Call } from './call.ts'

/** Organizations themselves (specification, section 7: "Organizations, teams and invitations"). */
export const organizationCalls = {
  createOrganization: {
    method: 'POST',
    path: '/organization/create',
    auth: 'session',
    serverNamesUser: true,
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  checkOrganizationSlug: { method: 'POST', path: '/organization/check-slug', auth: 'session' },
  updateOrganization: {
    method: 'POST',
    path: '/organization/update',
    auth: 'session',
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  deleteOrganization: {
    method: 'POST',
    path: '/organization/delete',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  listOrganizations: { method: 'GET', path: '/organization/list', auth: 'session' },
  /** What deleting the account would do to its organizations. */
  previewUserDeletion: { method: 'GET', path: '/organization/preview-user-deletion', auth: 'session' },
  getOrganization: { method: 'GET', path: '/organization/get-organization', auth: 'session' },
  getFullOrganization: { method: 'GET', path: '/organization/get-full-organization', auth: 'session' },
  setActiveOrganization: {
    method: 'POST',
    path: '/organization/set-active',
    auth: 'session',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  transferOwnership: {
    method: 'POST',
    path: '/organization/transfer-ownership',
    auth: 'session',
    own: true,
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  listOrganizationEvents: { method: 'GET', path: '/organization/list-events', auth: 'session' },
} as const satisfies Record<string, Call>
