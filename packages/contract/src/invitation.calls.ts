import type { Call } from './call.ts'

/** Invitations by mail: made by members, answered by whoever owns the address. */
export const invitationCalls = {
  inviteMember: {
    method: 'POST',
    path: '/organization/invite-member',
    auth: 'session',
    refreshes: ['activeOrganization'],
  },
  inviteMembers: {
    method: 'POST',
    path: '/organization/invite-members',
    auth: 'session',
    refreshes: ['activeOrganization'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/organization/accept-invitation',
    auth: 'session',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },
  rejectInvitation: {
    method: 'POST',
    path: '/organization/reject-invitation',
    auth: 'session',
    own: true,
    refreshes: ['activeOrganization'],
  },
  cancelInvitation: {
    method: 'POST',
    path: '/organization/cancel-invitation',
    auth: 'session',
    refreshes: ['activeOrganization'],
  },
  /** A visitor with the proof of the mail may look at it before signing in. */
  getInvitation: { method: 'GET', path: '/organization/get-invitation', auth: 'none' },
  listInvitations: { method: 'GET', path: '/organization/list-invitations', auth: 'session' },
  listUserInvitations: {
    method: 'GET',
    path: '/organization/list-user-invitations',
    auth: 'session',
    serverNamesUser: true,
  },
} as const satisfies Record<string, Call>
