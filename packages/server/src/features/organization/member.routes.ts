import type { memberCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import {
  addMember,
  getActiveMember,
  getActiveMemberRole,
  leaveOrganization,
  listMembers,
  removeMember,
  updateMemberRole,
} from './member.service.ts'
import { hasPermission } from './permission.service.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from './role.service.ts'

export const memberRoutes: AuthRoutes<typeof memberCalls> = {
  getActiveMember: ({ ctx, session }) => getActiveMember(ctx, session),
  getActiveMemberRole: ({ ctx, session, query }) => getActiveMemberRole(ctx, session, query),
  listMembers: ({ ctx, session, query }) => listMembers(ctx, session, query),
  addMember: ({ ctx, caller, body }) => addMember(ctx, caller, body),
  updateMemberRole: ({ ctx, session, body }) => updateMemberRole(ctx, session, body),
  removeMember: ({ ctx, caller, session, body }) => removeMember(ctx, caller, session, body),
  leaveOrganization: ({ ctx, caller, session, body }) => leaveOrganization(ctx, caller, session, body),
  hasPermission: ({ ctx, session, body }) => hasPermission(ctx, session, body),
  createRole: ({ ctx, session, body }) => createRole(ctx, session, body),
  updateRole: ({ ctx, session, body }) => updateRole(ctx, session, body),
  deleteRole: ({ ctx, session, body }) => deleteRole(ctx, session, body),
  getRole: ({ ctx, session, query }) => getRole(ctx, session, query),
  listRoles: ({ ctx, session, query }) => listRoles(ctx, session, query),
}
