import type { Call } from './call.ts'

/** Invitations by mail: members create them, the address's owner answers them. */
export const invitationCalls = {
  inviteMember: {
    method: 'POST',
    path: '/organization/invite-member',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'organization',
  },
  inviteMembers: {
    method: 'POST',
    path: '/organization/invite-members',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'organization',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/organization/accept-invitation',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
    feature: 'organization',
  },
  rejectInvitation: {
    method: 'POST',
    path: '/organization/reject-invitation',
    auth: 'session',
    own: true,
    refreshes: ['activeOrganization'],
    feature: 'organization',
  },
  cancelInvitation: {
    method: 'POST',
    path: '/organization/cancel-invitation',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'organization',
  },
  /** A visitor with the mail's proof may read it before signing in. */
  getInvitation: { method: 'GET', path: '/organization/get-invitation', auth: 'none', feature: 'organization' },
  listInvitations: { method: 'GET', path: '/organization/list-invitations', auth: 'session', feature: 'organization' },
  listUserInvitations: {
    method: 'GET',
    path: '/organization/list-user-invitations',
    auth: 'session',
    serverNamesUser: true,
    feature: 'organization',
  },
} as const satisfies Record<string, Call>
