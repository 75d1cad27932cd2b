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
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Db } from './db/database.ts'
import type { SessionRow } from './db/session-row.ts'
import { TollgateError } from './error.ts'

/**
 * The only place where a role in an organization has a meaning: what each one may do, who is a member, and who may give
 * which role. `access.ts` is its sister for those who administer the installation.
 */

export type OrganizationConfig = Exclude<Config['organization'], false>

/** The settings of organizations; calls of a feature that is off are answered with 404 before anybody asks here. */
export function organizationConfig({ config }: Pick<Context, 'config'>): OrganizationConfig {
  if (config.organization === false) throw new TollgateError('NOT_FOUND')
  return config.organization
}

type Rules = {
  /** Every resource and action that there is. */
  readonly statements: Statements
  /** The roles of the configuration, built-in ones included. */
  readonly roles: ReadonlyMap<string, AccessRole>
}

const rulesByConfig = new WeakMap<OrganizationConfig, Rules>()

/** What the configuration says about permissions, worked out once. */
function rulesOf(ctx: Pick<Context, 'config'>): Rules {
  const config = organizationConfig(ctx)
  let rules = rulesByConfig.get(config)
  if (!rules) {
    const statements = mergeStatements(organizationStatements, config.permissions)
    const named = new Map<string, Statements>(Object.entries(organizationRoles))
    for (const [name, further] of Object.entries(config.roles))
      named.set(name, mergeStatements(named.get(name) ?? {}, further))
    // Whoever creates an organization may do everything, whatever the role is called.
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

/** The roles that every organization has, and what they may do. */
export const predefinedRoles = (ctx: Pick<Context, 'config'>): ReadonlyMap<string, AccessRole> => rulesOf(ctx).roles

declare const made: unique symbol

/**
 * That somebody is a member of an organization, and what they may do there. Only this file makes one: whatever reads or
 * writes an organization's data takes `membership.organizationId`, so that a forgotten check is a missing argument.
 */
export type Membership = {
  readonly [made]: true
  readonly organizationId: string
  readonly memberId: string
  readonly userId: string
  /** As it is stored, with commas. */
  readonly role: string
  readonly roleNames: readonly string[]
  readonly roles: readonly AccessRole[]
  /** Whether the creator's role is among them. */
  readonly isOwner: boolean
  /** Whether an administrator of the installation acts as them. */
  readonly isImpersonated: boolean
}

/**
 * The membership of whoever is signed in, read now unless the session has just brought it along. Refuses with `refusal`
 * whoever is no member, and with a reason of its own whoever has to verify their address first. Inside a transaction give
 * its `tx`: then it is as it stands there, and not as it was when the request came. Ask before a transaction, too, that
 * locks the organization: nobody holds up one that is not theirs.
 */
export async function requireMember(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: string,
  refusal: ErrorName,
): Promise<Membership> {
  const membership = await findMembership(ctx, db, current, organizationId)
  if (!membership) throw new TollgateError(refusal)
  return membership
}

/** The same, or nothing for whoever is no member. */
export async function findMembership(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: string,
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

const findMember = (db: Db, organizationId: string, userId: string) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['member.id', 'member.role', 'organization.requireVerifiedEmail'])
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()

/** What a member may do: of a row that was read in the same transaction. */
export async function membershipOf(
  ctx: Context,
  db: Db,
  member: { id: string; organizationId: string; userId: string; role: string },
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

/** Roles by name: of the configuration, else of the organization's own; unknown names are left out. */
async function findRoles(
  ctx: Context,
  db: Db,
  organizationId: string,
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
  for (const row of rows) found.set(row.role, accessRole(row.permission as Statements)) // written by the service of roles
  return found
}

/** Whether any one of a member's roles allows what is asked for (auth contract, section 6: has-permission). */
export const allows = (membership: Membership, asked: AccessRequest, connector?: Connector): boolean =>
  membership.roles.some((role) => role.authorize(asked, connector).success)

/** Refuses, with the call's own refusal, whoever may not do something. */
export function requirePermission(membership: Membership, resource: string, action: string, refusal: ErrorName): void {
  if (!allows(membership, { [resource]: [action] })) throw new TollgateError(refusal)
}

/** Everything that a member may do, by resource. */
export const permissionsOf = ({ roles }: Membership): Record<string, string[]> => {
  const held = roles.reduce<Statements>((all, role) => mergeStatements(all, role.statements), {})
  return Object.fromEntries(Object.entries(held).map(([resource, actions]) => [resource, [...actions]]))
}

/** Names of roles in one order and each once; from a list, or from text with commas. */
export const normalizeRoles = (given: string | readonly string[]): string[] => [
  ...new Set([given].flat().flatMap(splitRoles)),
]

/**
 * Refuses with ROLE_NOT_FOUND what is no role here, and with `refusal` what is above the member's own: only an owner makes
 * owners, and nobody gives what they do not hold themselves (architecture, "Permissions"). An administrator who acts as an
 * owner makes none: handing the organization over is its owner's alone (NOT_ALLOWED_WHILE_IMPERSONATING).
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

/** Refuses with ROLE_NOT_FOUND what is no role of an organization, and no role at all. */
export async function requireRoles(
  ctx: Context,
  db: Db,
  organizationId: string,
  names: readonly string[],
): Promise<AccessRole[]> {
  const found = await findRoles(ctx, db, organizationId, names)
  if (names.length === 0 || found.size < names.length) throw new TollgateError('ROLE_NOT_FOUND')
  return [...found.values()]
}

/** Whether somebody holds everything that another member does, and so may change or remove them. */
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
  // What every member holds from the start is above nobody: else a role that only invites could invite no member.
  const held = mergeStatements(organizationRoles.member, permissionsOf(membership))
  return roles.every(({ statements }) => includesStatements(held, statements))
}
