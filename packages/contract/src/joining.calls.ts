import type { Call } from './call.ts'

/** Other ways into an organization: shared links, verified domains, and requests that a member approves. */
export const joiningCalls = {
  createInvitationLink: {
    method: 'POST',
    path: '/organization/create-invitation-link',
    auth: 'session',
    feature: 'organization',
  },
  listInvitationLinks: {
    method: 'GET',
    path: '/organization/list-invitation-links',
    auth: 'session',
    feature: 'organization',
  },
  revokeInvitationLink: {
    method: 'POST',
    path: '/organization/revoke-invitation-link',
    auth: 'session',
    feature: 'organization',
  },
  /** The link's holder may see its organization. */
  getInvitationLink: {
    method: 'GET',
    path: '/organization/get-invitation-link',
    auth: 'none',
    feature: 'organization',
  },
  joinByLink: {
    method: 'POST',
    path: '/organization/join-by-link',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },

  listJoinableOrganizations: {
    method: 'GET',
    path: '/organization/list-joinable',
    auth: 'session',
    feature: 'organization',
  },
  joinOrganization: {
    method: 'POST',
    path: '/organization/join',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },
  listJoinRequests: {
    method: 'GET',
    path: '/organization/list-join-requests',
    auth: 'session',
    feature: 'organization',
  },
  approveJoinRequest: {
    method: 'POST',
    path: '/organization/approve-join-request',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'organization',
  },
  denyJoinRequest: {
    method: 'POST',
    path: '/organization/deny-join-request',
    auth: 'session',
    feature: 'organization',
  },

  addDomain: { method: 'POST', path: '/organization/add-domain', auth: 'session', feature: 'organization' },
  listDomains: { method: 'GET', path: '/organization/list-domains', auth: 'session', feature: 'organization' },
  verifyDomain: { method: 'POST', path: '/organization/verify-domain', auth: 'session', feature: 'organization' },
  updateDomain: { method: 'POST', path: '/organization/update-domain', auth: 'session', feature: 'organization' },
  removeDomain: { method: 'POST', path: '/organization/remove-domain', auth: 'session', feature: 'organization' },
} as const satisfies Record<string, Call>
