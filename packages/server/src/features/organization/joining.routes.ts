import type { joiningCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from './domain.service.ts'
import {
  createInvitationLink,
  getInvitationLink,
  joinByLink,
  listInvitationLinks,
  revokeInvitationLink,
} from './invitation-link.service.ts'
import { joinOrganization, listJoinableOrganizations } from './join-by-domain.service.ts'
import { approveJoinRequest, denyJoinRequest, listJoinRequests } from './join-request.service.ts'

export const joiningRoutes: AuthRoutes<typeof joiningCalls> = {
  createInvitationLink: ({ ctx, session, body }) => createInvitationLink(ctx, session, body),
  listInvitationLinks: ({ ctx, session, query }) => listInvitationLinks(ctx, session, query),
  revokeInvitationLink: ({ ctx, session, body }) => revokeInvitationLink(ctx, session, body),
  getInvitationLink: ({ ctx, query }) => getInvitationLink(ctx, query),
  joinByLink: ({ ctx, caller, session, body }) => joinByLink(ctx, caller, session, body),
  listJoinableOrganizations: ({ ctx, session, query }) => listJoinableOrganizations(ctx, session, query),
  joinOrganization: ({ ctx, caller, session, body }) => joinOrganization(ctx, caller, session, body),
  listJoinRequests: ({ ctx, session, query }) => listJoinRequests(ctx, session, query),
  approveJoinRequest: ({ ctx, caller, session, body }) => approveJoinRequest(ctx, caller, session, body),
  denyJoinRequest: ({ ctx, session, body }) => denyJoinRequest(ctx, session, body),
  addDomain: ({ ctx, session, body }) => addDomain(ctx, session, body),
  listDomains: ({ ctx, session, query }) => listDomains(ctx, session, query),
  verifyDomain: ({ ctx, session, body }) => verifyDomain(ctx, session, body),
  updateDomain: ({ ctx, session, body }) => updateDomain(ctx, session, body),
  removeDomain: ({ ctx, session, body }) => removeDomain(ctx, session, body),
}
