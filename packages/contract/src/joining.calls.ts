import { type Call, ofOrganization } from './call.ts'

/** Other ways into an organization: shared links, verified domains, and requests that a member approves. */
export const joiningCalls = {
  createInvitationLink: { ...ofOrganization, method: 'POST', path: '/organization/create-invitation-link' },
  listInvitationLinks: { ...ofOrganization, method: 'GET', path: '/organization/list-invitation-links' },
  revokeInvitationLink: { ...ofOrganization, method: 'POST', path: '/organization/revoke-invitation-link' },
  /** The link's holder may see its organization. */
  getInvitationLink: { ...ofOrganization, method: 'GET', path: '/organization/get-invitation-link', auth: 'none' },
  joinByLink: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/join-by-link',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },

  listJoinableOrganizations: { ...ofOrganization, method: 'GET', path: '/organization/list-joinable' },
  joinOrganization: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/join',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },
  listJoinRequests: { ...ofOrganization, method: 'GET', path: '/organization/list-join-requests' },
  approveJoinRequest: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/approve-join-request',
    refreshes: ['activeOrganization'],
  },
  denyJoinRequest: { ...ofOrganization, method: 'POST', path: '/organization/deny-join-request' },

  addDomain: { ...ofOrganization, method: 'POST', path: '/organization/add-domain' },
  listDomains: { ...ofOrganization, method: 'GET', path: '/organization/list-domains' },
  verifyDomain: { ...ofOrganization, method: 'POST', path: '/organization/verify-domain' },
  updateDomain: { ...ofOrganization, method: 'POST', path: '/organization/update-domain' },
  removeDomain: { ...ofOrganization, method: 'POST', path: '/organization/remove-domain' },
} as const satisfies Record<string, Call>
