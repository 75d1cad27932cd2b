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
    feature: 'organization',
  },
  checkOrganizationSlug: { method: 'POST', path: '/organization/check-slug', auth: 'session', feature: 'organization' },
  updateOrganization: {
    method: 'POST',
    path: '/organization/update',
    auth: 'session',
    refreshes: ['organizations', 'activeOrganization', 'session'],
    feature: 'organization',
  },
  deleteOrganization: {
    method: 'POST',
    path: '/organization/delete',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
    feature: 'organization',
  },
  listOrganizations: { method: 'GET', path: '/organization/list', auth: 'session', feature: 'organization' },
  /** The effect of deleting the account on its organizations. */
  previewUserDeletion: {
    method: 'GET',
    path: '/organization/preview-user-deletion',
    auth: 'session',
    feature: 'organization',
  },
  getOrganization: { method: 'GET', path: '/organization/get-organization', auth: 'session', feature: 'organization' },
  getFullOrganization: {
    method: 'GET',
    path: '/organization/get-full-organization',
    auth: 'session',
    feature: 'organization',
  },
  setActiveOrganization: {
    method: 'POST',
    path: '/organization/set-active',
    auth: 'session',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },
  transferOwnership: {
    method: 'POST',
    path: '/organization/transfer-ownership',
    auth: 'session',
    own: true,
    refreshes: ['activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },
  listOrganizationEvents: {
    method: 'GET',
    path: '/organization/list-events',
    auth: 'session',
    feature: 'organization',
  },
} as const satisfies Record<string, Call>
