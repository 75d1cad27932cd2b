import type { Call } from './call.ts'

/** Ways into an organization besides an invitation: links to share, verified domains, requests that somebody approves. */
export const joiningCalls = {
  createInvitationLink: { method: 'POST', path: '/organization/create-invitation-link', auth: 'session' },
  listInvitationLinks: { method: 'GET', path: '/organization/list-invitation-links', auth: 'session' },
  revokeInvitationLink: { method: 'POST', path: '/organization/revoke-invitation-link', auth: 'session' },
  /** Whoever has the link may see where it leads. */
  getInvitationLink: { method: 'GET', path: '/organization/get-invitation-link', auth: 'none' },
  joinByLink: {
    method: 'POST',
    path: '/organization/join-by-link',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },

  listJoinableOrganizations: { method: 'GET', path: '/organization/list-joinable', auth: 'session' },
  joinOrganization: {
    method: 'POST',
    path: '/organization/join',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },
  listJoinRequests: { method: 'GET', path: '/organization/list-join-requests', auth: 'session' },
  approveJoinRequest: {
    method: 'POST',
    path: '/organization/approve-join-request',
    auth: 'session',
    refreshes: ['activeOrganization'],
  },
  denyJoinRequest: { method: 'POST', path: '/organization/deny-join-request', auth: 'session' },

  addDomain: { method: 'POST', path: '/organization/add-domain', auth: 'session' },
  listDomains: { method: 'GET', path: '/organization/list-domains', auth: 'session' },
  verifyDomain: { method: 'POST', path: '/organization/verify-domain', auth: 'session' },
  updateDomain: { method: 'POST', path: '/organization/update-domain', auth: 'session' },
  removeDomain: { method: 'POST', path: '/organization/remove-domain', auth: 'session' },
} as const satisfies Record<string, Call>
