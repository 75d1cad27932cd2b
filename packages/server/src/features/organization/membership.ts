import {
  type AccessRequest,
  type AccessRole,
  accessRole,
  type Connector,
  type ErrorName,
  includesStatements,
  organizationRoles,
  organizationStatements,
  type Statements,
  splitRoles,
} from '@tollgate/contract/calls'
import type { Config } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { lockOrganization } from './membership.repository.ts'

/**
 * The only place that gives roles in an organization a meaning: their permissions, who is a member, and who may grant
 * which role. `access.ts` does the same for administrators.
 */

export type OrganizationConfig = Exclude<Config['organization'], false>

/** The organization settings. With the feature off, dispatch answers 404 before this runs. */
export function organizationConfig({ config }: Pick<Context, 'config'>): OrganizationConfig {
  if (config.organization === false) throw new TollgateError('NOT_FOUND')
  return config.organization
}

type Rules = {
  /** Every known resource and action. */
  readonly statements: Statements
  /** The configured roles, built-in ones included. */
  readonly roles: ReadonlyMap<string, AccessRole>
}

const rulesByConfig = new WeakMap<OrganizationConfig, Rules>()

/** The permission rules of the configuration, computed once. */
function rulesOf(ctx: Pick<Context, 'config'>): Rules {
  const config = organizationConfig(ctx)
  let rules = rulesByConfig.get(config)
  if (!rules) {
    const statements = mergeStatements(organizationStatements, config.permissions)
    const named = new Map<string, Statements>(Object.entries(organizationRoles))
    for (const [name, further] of Object.entries(config.roles))
      named.set(name, mergeStatements(named.get(name) ?? {}, further))
    // The creator may do everything, under any role name.
    named.set(config.creatorRole, statements)
    rules = { statements, roles: new Map([...named].map(([name, held]) => [name, accessRole(held)])) }
    rulesByConfig.set(config, rules)
  }
  return rules
}

function mergeStatements(held: Statements, further: Statements): Statements {
  const merged: Record<string, readonly string[]> = { ...held }
  for (const [resource, actions] of Object.entries(further))
    merged[resource] = [...new Set([...(merged[resource] ?? []), ...actions])]
  return merged
}

/** Every resource and action that roles can be made of. */
export const knownStatements = (ctx: Pick<Context, 'config'>): Statements => rulesOf(ctx).statements

/** The roles of every organization, with their permissions. */
export const predefinedRoles = (ctx: Pick<Context, 'config'>): ReadonlyMap<string, AccessRole> => rulesOf(ctx).roles

declare const made: unique symbol

/**
 * Proof that a user is a member, with their permissions. Only this file creates one. Code that reads or writes an
 * organization's data takes `membership.organizationId`, so a forgotten check is a compile error.
 */
export type Membership = {
  readonly [made]: true
  readonly organizationId: Id<'organization'>
  readonly memberId: Id<'member'>
  readonly userId: Id<'user'>
  /** As stored, separated by commas. */
  readonly role: string
  readonly roleNames: readonly string[]
  readonly roles: readonly AccessRole[]
  /** Whether the creator's role is among them. */
  readonly isOwner: boolean
  /** Whether an administrator impersonates the member. */
  readonly isImpersonated: boolean
}

/**
 * The caller's membership, read now unless the session has just loaded it. Throws `refusal` for non-members and
 * ORGANIZATION_WANTS_VERIFIED_EMAIL for unverified ones. Pass `tx` inside a transaction, so that it is current. Call
 * it before locking the organization too: strangers must not block it.
 */
export async function requireMember(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: Id<'organization'>,
  refusal: ErrorName,
): Promise<Membership> {
  const membership = await findMembership(ctx, db, current, organizationId)
  if (!membership) throw new TollgateError(refusal)
  return membership
}

/**
 * The same under the organization's lock: members, invitations and teams stay as they are until the transaction ends.
 * A member of an organization that is gone is none.
 */
export async function lockMembership(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  organizationId: Id<'organization'>,
  refusal: ErrorName,
): Promise<Membership> {
  await lockOrganization(tx, organizationId)
  return requireMember(ctx, tx, current, organizationId, refusal)
}

/** The caller's membership as `requireMember` reads it, but undefined for non-members. */
export async function findMembership(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: Id<'organization'>,
): Promise<Membership | undefined> {
  const { session, user, active } = current
  const row =
    db === ctx.db && active?.organizationId === organizationId
      ? { ...active, id: active.memberId }
      : await findMember(db, organizationId, user.id)
  if (!row) return undefined
  if (row.requireVerifiedEmail && !user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  return membershipOf(ctx, db, { ...row, organizationId, userId: user.id }, session.impersonatedBy !== null)
}

const findMember = (db: Db, organizationId: Id<'organization'>, userId: Id<'user'>) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['member.id', 'member.role', 'organization.requireVerifiedEmail'])
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()

/** A member's permissions; read the row in the same transaction. */
export async function membershipOf(
  ctx: Context,
  db: Db,
  member: { id: Id<'member'>; organizationId: Id<'organization'>; userId: Id<'user'>; role: string },
  isImpersonated = false,
): Promise<Membership> {
  const { id, organizationId, userId, role } = member
  const roleNames = splitRoles(role)
  const roles = await findRoles(ctx, db, organizationId, roleNames)
  const membership: Omit<Membership, typeof made> = {
    organizationId,
    memberId: id,
    userId,
    role,
    roleNames,
    roles: [...roles.values()],
    isOwner: roleNames.includes(organizationConfig(ctx).creatorRole),
    isImpersonated,
  }
  return membership as Membership // the mark exists for the compiler only
}

/** Roles by name, from the configuration or the organization; unknown names are left out. */
async function findRoles(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  names: readonly string[],
): Promise<Map<string, AccessRole>> {
  const { roles } = rulesOf(ctx)
  const found = new Map<string, AccessRole>()
  const unknown: string[] = []
  for (const name of names) {
    const role = roles.get(name)
    if (role) found.set(name, role)
    else unknown.push(name)
  }
  if (unknown.length === 0) return found
  const rows = await db
    .selectFrom('organizationRole')
    .select(['role', 'permission'])
    .where('organizationId', '=', organizationId)
    .where('role', 'in', unknown)
    .execute()
  for (const row of rows) found.set(row.role, accessRole(row.permission))
  return found
}

/** Whether a single role of the member allows the request (auth contract, section 6: has-permission). */
export const allows = (membership: Membership, asked: AccessRequest, connector?: Connector): boolean =>
  membership.roles.some((role) => role.authorize(asked, connector).success)

/** Throws the call's refusal if the member lacks a permission. */
export function requirePermission(membership: Membership, resource: string, action: string, refusal: ErrorName): void {
  if (!allows(membership, { [resource]: [action] })) throw new TollgateError(refusal)
}

/** All permissions of a member, by resource. */
export const permissionsOf = ({ roles }: Membership): Record<string, string[]> => {
  const held = roles.reduce<Statements>((all, role) => mergeStatements(all, role.statements), {})
  return Object.fromEntries(Object.entries(held).map(([resource, actions]) => [resource, [...actions]]))
}

/** Distinct role names, from a list or comma-separated text. */
export const normalizeRoles = (given: string | readonly string[]): string[] => [
  ...new Set([given].flat().flatMap(splitRoles)),
]

/**
 * Refuses unknown roles with ROLE_NOT_FOUND, and roles above the member's own with `refusal`: only owners make owners,
 * and members cannot grant what they lack (architecture, "Permissions"). An impersonating administrator makes no
 * owners: only the owner hands an organization over (NOT_ALLOWED_WHILE_IMPERSONATING).
 */
export async function requireGrantable(
  ctx: Context,
  db: Db,
  membership: Membership,
  names: readonly string[],
  refusal: ErrorName,
): Promise<void> {
  const roles = await requireRoles(ctx, db, membership.organizationId, names)
  if (!outranks(ctx, membership, names, roles)) throw new TollgateError(refusal)
  if (membership.isImpersonated && names.includes(organizationConfig(ctx).creatorRole))
    throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
}

/** Refuses an empty list and unknown roles with ROLE_NOT_FOUND. */
export async function requireRoles(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  names: readonly string[],
): Promise<AccessRole[]> {
  const found = await findRoles(ctx, db, organizationId, names)
  if (names.length === 0 || found.size < names.length) throw new TollgateError('ROLE_NOT_FOUND')
  return [...found.values()]
}

/** Whether a member holds all permissions of another, and so may change or remove them. */
export const isAtLeast = (ctx: Context, membership: Membership, other: Membership): boolean =>
  outranks(ctx, membership, other.roleNames, other.roles)

function outranks(
  ctx: Context,
  membership: Membership,
  names: readonly string[],
  roles: readonly AccessRole[],
): boolean {
  if (membership.isOwner) return true
  if (names.includes(organizationConfig(ctx).creatorRole)) return false
  // The built-in member permissions outrank no one; otherwise a role that only invites could invite no member.
  const held = mergeStatements(organizationRoles.member, permissionsOf(membership))
  return roles.every(({ statements }) => includesStatements(held, statements))
}
