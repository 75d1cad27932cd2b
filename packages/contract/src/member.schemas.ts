import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { byResource, storable, text, timestamp } from './fields.ts'
import type { memberCalls } from './member.calls.ts'
import {
  count,
  guarded,
  id,
  member,
  memberWithUser,
  offset,
  permissions,
  reading,
  role,
} from './organization.schemas.ts'

const statements = z.record(z.string(), z.array(z.string()))

/** A custom role of an organization. */
export const organizationRole = z.object({
  id: z.string(),
  organizationId: z.string(),
  role: z.string(),
  permission: statements,
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
})

/** Identifies a custom role by name or by id. */
const namedRole = { roleName: storable(64).min(1).optional(), roleId: id.optional() }

const asked = byResource(
  z.union([
    z.array(storable(64)).max(50),
    z.object({ actions: z.array(storable(64)).max(50), connector: z.enum(['AND', 'OR']) }),
  ]),
)

/** Bodies, queries, answers and refusals of the calls about members and roles. */
export const memberSchemas = {
  getActiveMember: {
    summary: 'Returns the caller’s membership of the active organization, with its permissions.',
    output: memberWithUser.extend({ permissions: statements }),
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'MEMBER_NOT_FOUND'],
  },
  getActiveMemberRole: {
    summary: 'Returns the roles of a member: the caller, or another member of the same organization.',
    query: z.object({ userId: id.optional(), organizationId: id.optional(), organizationSlug: text.optional() }),
    output: z.object({ role: z.string() }),
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'NOT_A_MEMBER_FORBIDDEN', 'YOU_ARE_NOT_A_MEMBER'],
  },
  listMembers: {
    summary: 'Lists an organization’s members by page, with sorting, filters, and search by name and address.',
    query: z.object({
      organizationId: id.optional(),
      organizationSlug: text.optional(),
      limit: count.max(500).optional(),
      offset,
      sortBy: z.enum(['createdAt', 'role', 'userId', 'name', 'email']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      filterField: z.enum(['role', 'userId', 'createdAt', 'id']).optional(),
      filterValue: text.or(z.array(text).max(100)).optional().describe('Several for `in` and `not_in`.'),
      filterOperator: z
        .enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'])
        .optional(),
      search: text.optional().describe('Part of a name or an address.'),
      teamId: id.optional(),
    }),
    output: z.object({ members: z.array(memberWithUser), total: z.number() }),
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'YOU_ARE_NOT_A_MEMBER'],
  },
  addMember: {
    summary: 'Adds a user as a member without an invitation; for server code.',
    body: z.object({
      userId: id,
      role,
      organizationId: id.optional(),
      teamId: id.optional(),
    }),
    output: member,
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'ORGANIZATION_NOT_FOUND',
      'USER_NOT_FOUND',
      'ALREADY_A_MEMBER',
      'ROLE_NOT_FOUND',
      'TEAM_NOT_FOUND',
      'MEMBERSHIP_LIMIT_REACHED',
      'TEAM_MEMBER_LIMIT_REACHED',
    ],
  },
  updateMemberRole: {
    summary: 'Changes a member’s roles: none above the caller’s own, and the owner’s only by an owner.',
    body: z.object({ memberId: id, role, organizationId: id.optional() }),
    output: member,
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'NO_ACTIVE_ORGANIZATION',
      'MEMBER_NOT_FOUND',
      'MEMBER_UPDATE_NOT_ALLOWED',
      'ONLY_OWNER',
      'ROLE_NOT_FOUND',
    ],
  },
  removeMember: {
    summary: 'Removes a member by id or address.',
    body: z.object({ memberIdOrEmail: storable(512).min(1), organizationId: id.optional() }),
    output: z.object({ member: memberWithUser }),
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'NO_ACTIVE_ORGANIZATION',
      'MEMBER_NOT_FOUND',
      'MEMBER_DELETE_NOT_ALLOWED',
      'ONLY_OWNER',
    ],
  },
  leaveOrganization: {
    summary: 'Leaves an organization.',
    body: z.object({ organizationId: id }),
    output: memberWithUser,
    errors: [...guarded, 'NOT_ALLOWED_WHILE_IMPERSONATING', 'MEMBER_NOT_FOUND', 'ONLY_OWNER'],
  },
  hasPermission: {
    summary: 'Tells whether the caller has all of the given permissions in an organization.',
    body: z.object({
      permissions: asked.optional(),
      permission: asked.optional().describe('The older name of `permissions`.'),
      organizationId: id.optional(),
    }),
    output: z.object({ error: z.null(), success: z.boolean() }),
    errors: [...guarded, 'NO_ACTIVE_ORGANIZATION', 'NOT_A_MEMBER_UNAUTHORIZED'],
  },
  createRole: {
    summary: 'Creates a role of an organization; it cannot have permissions that its creator lacks.',
    body: z.object({
      role: storable(64).min(1),
      permission: permissions,
      organizationId: id.optional(),
    }),
    output: z.object({ success: z.literal(true), roleData: organizationRole, statements }),
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'YOU_ARE_NOT_A_MEMBER',
      'ROLE_CREATE_NOT_ALLOWED',
      'ROLE_NAME_INVALID',
      'ROLE_NAME_TAKEN',
      'ROLE_RESOURCE_INVALID',
      'TOO_MANY_ROLES',
    ],
  },
  updateRole: {
    summary: 'Changes the permissions or the name of a custom role.',
    body: z.object({
      ...namedRole,
      organizationId: id.optional(),
      data: z.object({ permission: permissions.optional(), roleName: storable(64).min(1).optional() }),
    }),
    output: z.object({ success: z.literal(true), roleData: organizationRole }),
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'YOU_ARE_NOT_A_MEMBER',
      'ROLE_UPDATE_NOT_ALLOWED',
      'ROLE_NAME_INVALID',
      'ROLE_NAME_TAKEN',
      'ROLE_NOT_FOUND',
      'ROLE_RESOURCE_INVALID',
    ],
  },
  deleteRole: {
    summary: 'Deletes a custom role that no member has.',
    body: z.object({ ...namedRole, organizationId: id.optional() }),
    output: z.object({ success: z.literal(true) }),
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'YOU_ARE_NOT_A_MEMBER',
      'ROLE_DELETE_NOT_ALLOWED',
      'ROLE_IS_ASSIGNED',
      'ROLE_IS_PREDEFINED',
      'ROLE_NOT_FOUND',
    ],
  },
  getRole: {
    summary: 'Returns a custom role.',
    query: z.object({ ...namedRole, organizationId: id.optional() }),
    output: organizationRole,
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'YOU_ARE_NOT_A_MEMBER', 'ROLE_READ_NOT_ALLOWED', 'ROLE_NOT_FOUND'],
  },
  listRoles: {
    summary: 'Lists an organization’s custom roles.',
    query: z.object({ organizationId: id.optional() }),
    output: z.array(organizationRole),
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'YOU_ARE_NOT_A_MEMBER', 'ROLE_LIST_NOT_ALLOWED'],
  },
} as const satisfies Record<keyof typeof memberCalls, Endpoint>
