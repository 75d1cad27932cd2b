import { type ErrorName, includesStatements, type Statements, splitRoles } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import {
  knownStatements,
  lockMembership,
  type Membership,
  permissionsOf,
  predefinedRoles,
  requireMember,
  requirePermission,
} from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import {
  countRoles,
  deleteRoleRow,
  findRole,
  insertRole,
  listRoleRows,
  listRoleTexts,
  type NamedRole,
  type RoleRow,
  replaceRoleText,
  updateRoleRow,
} from './role.repository.ts'

/**
 * Custom roles of an organization. They hold no permission that their author lacks. Roles are read with each request,
 * so a change applies from the next one.
 */

/** Maximum number of custom roles per organization. */
const roleLimit = 50

/** Creates a role. */
export const createRole: AuthHandler<'createRole'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const role = requireRoleName(body.role)

  await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  const created = await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    requirePermission(membership, 'ac', 'create', 'ROLE_CREATE_NOT_ALLOWED')
    const permission = requireStatements(ctx, body.permission)
    requireHeld(membership, permission, 'ROLE_CREATE_NOT_ALLOWED')
    const now = ctx.clock.now()
    await requireFreeName(ctx, tx, organizationId, role, now)
    if ((await countRoles(tx, organizationId)) >= roleLimit) throw new TollgateError('TOO_MANY_ROLES')

    const row = await insertRole(tx, {
      id: newId(),
      organizationId,
      role,
      permission: permission,
      createdAt: now,
      updatedAt: now,
    })
    const data = { role, permission: toText(permission) }
    await emit(tx, now, { type: 'role.created', actorId: actorOf(session), userId: null, organizationId, data })
    return row
  })
  const roleData = toRole(created)
  return { success: true, roleData, statements: roleData.permission }
}

/**
 * Changes a role's permissions or name; a new name applies to all its holders and open invitations, links and
 * requests.
 */
export const updateRole: AuthHandler<'updateRole'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const named = toNamed(body, 'VALIDATION_ERROR')
  const newName = body.data.roleName === undefined ? undefined : requireRoleName(body.data.roleName)

  await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  const updated = await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    requirePermission(membership, 'ac', 'update', 'ROLE_UPDATE_NOT_ALLOWED')
    const before = await findRole(tx, organizationId, named)
    if (!before) throw new TollgateError('ROLE_NOT_FOUND')
    const held = statementsOf(before)
    requireHeld(membership, held, 'ROLE_UPDATE_NOT_ALLOWED')
    const permission = body.data.permission ? requireStatements(ctx, body.data.permission) : held
    requireHeld(membership, permission, 'ROLE_UPDATE_NOT_ALLOWED')
    const role = newName ?? before.role
    if (role === before.role && toText(permission) === toText(held)) return before

    const now = ctx.clock.now()
    if (role !== before.role) {
      await requireFreeName(ctx, tx, organizationId, role, now)
      await renameHeldRole(tx, before, role, now)
    }
    const row = await updateRoleRow(tx, before.id, { role, permission: permission, updatedAt: now })
    const data = { role, permission: toText(permission), roleBefore: before.role, permissionBefore: toText(held) }
    await emit(tx, now, { type: 'role.updated', actorId: actorOf(session), userId: null, organizationId, data })
    return row
  })
  return { success: true, roleData: toRole(updated) }
}

/** Deletes a role that no member, open invitation, link or request holds. */
export const deleteRole: AuthHandler<'deleteRole'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  const named = toNamed(body, 'VALIDATION_ERROR')

  await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  await ctx.transaction(async (tx) => {
    const membership = await lockMembership(ctx, tx, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
    requirePermission(membership, 'ac', 'delete', 'ROLE_DELETE_NOT_ALLOWED')
    const row = await findRole(tx, organizationId, named)
    if (!row)
      throw new TollgateError(
        'role' in named && isPredefined(ctx, named.role) ? 'ROLE_IS_PREDEFINED' : 'ROLE_NOT_FOUND',
      )
    requireHeld(membership, statementsOf(row), 'ROLE_DELETE_NOT_ALLOWED')
    const now = ctx.clock.now()
    if ((await listHolding(tx, row, now)).length > 0) throw new TollgateError('ROLE_IS_ASSIGNED')

    await deleteRoleRow(tx, row.id)
    const data = { role: row.role, permission: toText(statementsOf(row)) }
    await emit(tx, now, { type: 'role.deleted', actorId: actorOf(session), userId: null, organizationId, data })
  })
  return { success: true }
}

/** One custom role. */
export const getRole: AuthHandler<'getRole'> = async ({ ctx, session, query }) => {
  const organizationId = namedOrganization(session, query)
  const named = toNamed(query, 'INVALID_QUERY')
  const membership = await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'ac', 'read', 'ROLE_READ_NOT_ALLOWED')
  const role = await findRole(ctx.db, organizationId, named)
  if (!role) throw new TollgateError('ROLE_NOT_FOUND')
  return toRole(role)
}

/** The custom roles, by name. */
export const listRoles: AuthHandler<'listRoles'> = async ({ ctx, session, query }) => {
  const organizationId = namedOrganization(session, query)
  const membership = await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'ac', 'read', 'ROLE_LIST_NOT_ALLOWED')
  return (await listRoleRows(ctx.db, organizationId)).map(toRole)
}

const toRole = (row: RoleRow): Answer<'getRole'> => ({
  id: row.id,
  organizationId: row.organizationId,
  role: row.role,
  permission: Object.fromEntries(
    Object.entries(statementsOf(row)).map(([resource, actions]) => [resource, [...actions]]),
  ),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const statementsOf = (row: RoleRow): Statements => row.permission

/** Permissions as the audit log shows them. */
const toText = (statements: Statements): string =>
  Object.entries(statements)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))
    .sort()
    .join(', ')

/** In lower case, like the ecosystem's servers. Without commas, which separate the roles in a member's role text. */
function requireRoleName(given: string): string {
  const role = given.trim().toLowerCase()
  if (!/^[a-z0-9][a-z0-9:._-]{0,63}$/.test(role)) throw new TollgateError('ROLE_NAME_INVALID')
  return role
}

/** By name, otherwise by id; refuses a call with neither. */
function toNamed(
  { roleName, roleId }: { roleName?: string | undefined; roleId?: Id<'organizationRole'> | undefined },
  refusal: 'VALIDATION_ERROR' | 'INVALID_QUERY',
): NamedRole {
  if (roleName !== undefined) return { role: roleName.trim().toLowerCase() }
  if (roleId === undefined) throw new TollgateError(refusal)
  return { id: roleId }
}

/** Distinct actions by resource; refuses unknown resources and actions. */
function requireStatements(ctx: Context, given: Statements): Statements {
  if (!includesStatements(knownStatements(ctx), given)) throw new TollgateError('ROLE_RESOURCE_INVALID')
  // A resource without actions requests nothing, even an unknown one.
  const named = Object.entries(given).filter(([, actions]) => actions.length > 0)
  return Object.fromEntries(named.map(([resource, actions]) => [resource, [...new Set(actions)]]))
}

/** Refuses members who lack one of these permissions: they cannot create, change or remove a role above them. */
function requireHeld(membership: Membership, statements: Statements, refusal: ErrorName): void {
  if (!membership.isOwner && !includesStatements(permissionsOf(membership), statements))
    throw new TollgateError(refusal)
}

/**
 * A name in an existing role text counts as taken: holders of a role that left the configuration would silently gain
 * the new role.
 */
async function requireFreeName(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  role: string,
  now: Date,
): Promise<void> {
  const isTaken =
    isPredefined(ctx, role) ||
    (await findRole(tx, organizationId, { role })) ||
    (await listHolding(tx, { organizationId, role }, now)).length > 0
  if (isTaken) throw new TollgateError('ROLE_NAME_TAKEN')
}

/** Ignores case, because `Support` and `support` would be easy to confuse. */
const isPredefined = (ctx: Context, role: string): boolean =>
  [...predefinedRoles(ctx).keys()].some((name) => name.toLowerCase() === role)

/** The role texts that contain a role. */
async function listHolding(
  tx: Tx,
  { organizationId, role }: Pick<RoleRow, 'organizationId' | 'role'>,
  now: Date,
): Promise<string[]> {
  const texts = await listRoleTexts(tx, organizationId, role, now)
  return texts.filter((text) => splitRoles(text).includes(role))
}

async function renameHeldRole(tx: Tx, row: RoleRow, role: string, now: Date): Promise<void> {
  for (const text of await listHolding(tx, row, now)) {
    const renamed = splitRoles(text).map((held) => (held === row.role ? role : held))
    await replaceRoleText(tx, row.organizationId, text, renamed.join())
  }
}
