import { type Call, ofOrganization } from './call.ts'

/** Invitations by mail: members create them, the address's owner answers them. */
export const invitationCalls = {
  inviteMember: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/invite-member',
    refreshes: ['activeOrganization'],
  },
  inviteMembers: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/invite-members',
    refreshes: ['activeOrganization'],
  },
  acceptInvitation: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/accept-invitation',
    own: true,
    refreshes: ['organizations', 'activeOrganization', 'activeMember', 'session'],
  },
  rejectInvitation: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/reject-invitation',
    own: true,
    refreshes: ['activeOrganization'],
  },
  cancelInvitation: {
    ...ofOrganization,
    method: 'POST',
    path: '/organization/cancel-invitation',
    refreshes: ['activeOrganization'],
  },
  /** A visitor with the mail's proof may read it before signing in. */
  getInvitation: { ...ofOrganization, method: 'GET', path: '/organization/get-invitation', auth: 'none' },
  listInvitations: { ...ofOrganization, method: 'GET', path: '/organization/list-invitations' },
  listUserInvitations: {
    ...ofOrganization,
    method: 'GET',
    path: '/organization/list-user-invitations',
    serverNamesUser: true,
  },
} as const satisfies Record<string, Call>
