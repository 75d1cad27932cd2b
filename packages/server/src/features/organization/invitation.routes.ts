import type { invitationCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import {
  acceptInvitation,
  cancelInvitation,
  getInvitation,
  listInvitations,
  listUserInvitations,
  rejectInvitation,
} from './invitation.service.ts'
import { inviteMember, inviteMembers } from './invite.service.ts'

export const invitationRoutes: AuthRoutes<typeof invitationCalls> = {
  inviteMember: ({ ctx, caller, session, body }) => inviteMember(ctx, caller, session, body),
  inviteMembers: ({ ctx, caller, session, body }) => inviteMembers(ctx, caller, session, body),
  acceptInvitation: ({ ctx, caller, session, body }) => acceptInvitation(ctx, caller, session, body),
  rejectInvitation: ({ ctx, session, body }) => rejectInvitation(ctx, session, body),
  cancelInvitation: ({ ctx, session, body }) => cancelInvitation(ctx, session, body),
  getInvitation: ({ ctx, caller, query }) => getInvitation(ctx, caller, query),
  listInvitations: ({ ctx, session, query }) => listInvitations(ctx, session, query),
  listUserInvitations: ({ ctx, caller, session, query }) => listUserInvitations(ctx, caller, session, query),
}
