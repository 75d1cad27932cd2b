import { type Call, ofOrganization } from './call.ts'

/** Organizations themselves (specification, section 7: "Organizations, teams and invitations"). */
export const organizationCalls = {
  createOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/create',
    serverNamesUser: true,
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  checkOrganizationSlug: { ...ofOrganization, method: 'POST', path: '/organization/check-slug' },
  updateOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/update',
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  uploadOrganizationLogo: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/upload-logo',
    refreshes: ['organizations', 'activeOrganization', 'session'],
    takesFile: true,
    limit: 'upload',
  },
  deleteOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/delete',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'session'],
  },
  listOrganizations: { ...ofOrganization, method: 'GET', path: '/organization/list' },
  /** The effect of deleting the account on its organizations. */
  previewUserDeletion: { ...ofOrganization, method: 'GET', path: '/organization/preview-user-deletion' },
  /** The effect of deleting an organization on what it sells and buys. */
  previewOrganizationDeletion: { ...ofOrganization, method: 'GET', path: '/organization/preview-deletion' },
  getOrganization: { ...ofOrganization, method: 'GET', path: '/organization/get-organization' },
  getFullOrganization: { ...ofOrganization, method: 'GET', path: '/organization/get-full-organization' },
  setActiveOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/set-active',
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  transferOwnership: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/transfer-ownership',
    own: true,
    refreshes: ['activeOrganization', 'activeMember', 'session'],
  },
  listOrganizationEvents: { ...ofOrganization, method: 'GET', path: '/organization/list-events' },
} as const satisfies Record<string, Call>
