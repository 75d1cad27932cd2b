import type { ErrorName } from '@tollgate/contract/calls'
import type { Config } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { lockInOrder } from '../../foundation/db/lock-order.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { firstOf, isNameOf } from '../../foundation/proof/proven.ts'
import { findSession, isBanned, lockAccounts } from './users.service.ts'

/** The only place that gives roles a meaning. The table stores roles as comma-separated text. */

/**
 * What administrators may do: the specification's admin permission set (section 6), plus reading and correcting users
 * and reading events. Each of `admin.adminRoles` holds all of it; no other role holds any.
 */
export const adminPermissions = {
  user: ['create', 'list', 'get', 'update', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
  session: ['list', 'revoke', 'delete'],
  event: ['list'],
  organization: ['list', 'delete', 'approve'],
  domain: ['verify'],
  job: ['list', 'retry', 'delete'],
  dispute: ['list'],
  attention: ['list', 'resolve'],
  brand: ['update'],
} as const satisfies Record<string, readonly string[]>

type Resource = keyof typeof adminPermissions
type Action<R extends Resource> = (typeof adminPermissions)[R][number]

/** The columns of a user that decide what they may do. */
type Holder = { readonly id: Id<'user'>; readonly role: string | null }

/** Parses a stored list of roles; a user without roles has `admin.defaultRole`. */
export function rolesOf(config: Config, text: string | null): string[] {
  const roles = splitRoles(text ?? '')
  return roles.length > 0 ? roles : [config.admin.defaultRole]
}

/** The list of roles as the table stores it; null when it is empty or names an unknown role. */
export function toRoleText(config: Config, given: string | readonly string[]): string | null {
  const roles = [...new Set([given].flat().flatMap(splitRoles))]
  const known = [...config.admin.adminRoles, config.admin.defaultRole]
  return roles.length > 0 && roles.every((role) => known.includes(role)) ? roles.join() : null
}

const splitRoles = (text: string): string[] =>
  text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '')

/** The role of the installation's first administrator. */
export const firstAdminRole = ({ admin }: Config): string => firstOf(admin.adminRoles, 'the configuration wants one')

/** Whether a user is an administrator, by one of their roles or by `admin.adminUserIds`. */
export function isAdministrator({ config }: Pick<Context, 'config'>, user: Holder): boolean {
  const { adminRoles, adminUserIds } = config.admin
  return adminUserIds.includes(user.id) || rolesOf(config, user.role).some((role) => adminRoles.includes(role))
}

/** Whether a user has every requested permission. False for an empty request and for unknown resources or actions. */
export function can(ctx: Context, user: Holder, asked: Readonly<Record<string, readonly string[]>>): boolean {
  const wanted = Object.entries(asked)
  return (
    wanted.length > 0 && isAdministrator(ctx, user) && wanted.every(([resource, actions]) => exists(resource, actions))
  )
}

function exists(resource: string, actions: readonly string[]): boolean {
  if (!isNameOf(adminPermissions, resource)) return false
  const known: readonly string[] = adminPermissions[resource]
  return actions.every((action) => known.includes(action))
}

/**
 * Throws the call's own refusal unless the caller is an administrator. An impersonated session never administers, even
 * if its user has become an administrator since.
 */
export function requireAdmin<R extends Resource>(
  ctx: Context,
  { session, user }: SessionRow,
  resource: R,
  action: Action<R>,
  refusal: ErrorName,
): void {
  if (!can(ctx, user, { [resource]: [action] })) throw new TollgateError(refusal)
  if (session.impersonatedBy !== null) throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
}

type Administrator = Holder & { readonly banned: boolean; readonly banExpires: Date | null }

/** Administrators who may sign in. */
export async function listAdministrators(ctx: Context, db: Db): Promise<Holder[]> {
  const candidates = [
    await byRole(ctx, db).execute(),
    ...(await Promise.all(byId(ctx, db).map((one) => one.execute()))),
  ]
  return administratorsAmong(ctx, candidates.flat())
}

/** Most administrators to mail at once: enough for one of them to read it. */
const recipientLimit = 20

/** Administrators with a verified address: an unverified one may belong to another person. */
export async function recipientsWhoAdminister(ctx: Context, db: Db): Promise<{ name: string; email: string }[]> {
  const ids = (await listAdministrators(ctx, db)).map(({ id }) => id)
  if (ids.length === 0) return []
  return db
    .selectFrom('user')
    .select(['name', 'email'])
    .where('id', 'in', ids)
    .where('emailVerified', '=', true)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(recipientLimit)
    .execute()
}

/**
 * The only way in which an administrator's request writes. It checks again inside the transaction that the actor still
 * administers and that their session still exists: either may have ended while the request waited, for example for a
 * hash. When two administrators demote each other at once, the first wins and the second is refused.
 *
 * `work` also gets the ids of all administrators, who keep that right until the transaction ends. `accountsOf` names
 * the user whose accounts it changes; their rows are locked before the administrators. Throws `refusal` for an actor
 * who has lost the right, and UNAUTHORIZED for one whose session has ended.
 */
export function transactionAsAdministrator<T>(
  ctx: Context,
  actor: SessionRow,
  refusal: ErrorName,
  work: (tx: Tx, administrators: ReadonlySet<string>) => Promise<T>,
  accountsOf?: string,
): Promise<T> {
  return ctx.transaction(async (tx) => {
    if (accountsOf !== undefined) await lockAccounts(tx, accountsOf)
    const administrators = await lockAdministrators(ctx, tx)
    if (!administrators.has(actor.user.id)) throw new TollgateError(refusal)
    await requireStillSession(tx, actor)
    return work(tx, administrators)
  })
}

/**
 * Runs `work`, which ends a user who may be an administrator, and refuses to end the last administrator. Two
 * administrators cannot go at once: the others are locked first, and read again after the user is gone, because a role
 * may have been granted while the transaction waited for locks.
 */
export async function refusingLastAdministrator<Ended extends Administrator>(
  ctx: Context,
  tx: Tx,
  end: () => Promise<Ended | undefined>,
): Promise<Ended | undefined> {
  await lockAdministrators(ctx, tx)
  const ended = await end()
  const administered = ended !== undefined && administratorsAmong(ctx, [ended]).length > 0
  if (administered && (await listAdministrators(ctx, tx)).length === 0) throw new TollgateError('ADMIN_LAST_ADMIN')
  return ended
}

/**
 * Throws UNAUTHORIZED when the request's session has ended since the request began. Call it in transactions that
 * follow slow work, such as a hash. It takes no lock: an end that commits later is ordered after the whole
 * transaction.
 */
export async function requireStillSession(tx: Tx, { session }: SessionRow): Promise<void> {
  if (!(await findSession(tx, session.id))) throw new TollgateError('UNAUTHORIZED')
}

/** Locks the rows of all administrators, in one order and before any other user, and returns their ids. */
async function lockAdministrators(ctx: Context, tx: Tx): Promise<Set<string>> {
  const candidates = await lockInOrder(tx, 'administrator', undefined, byRole(ctx, tx)).execute()
  for (const named of byId(ctx, tx))
    candidates.push(...(await lockInOrder(tx, 'administrator', undefined, named).execute()))
  return new Set(administratorsAmong(ctx, candidates).map(({ id }) => id))
}

function administratorsAmong(ctx: Context, candidates: readonly Administrator[]): Holder[] {
  const now = ctx.clock.now()
  return candidates.filter((user) => isAdministrator(ctx, user) && !isBanned(user, now))
}

const columns = ['id', 'role', 'banned', 'banExpires'] as const

/** A coarse filter by the index on roles; `rolesOf` decides which roles a text really names. */
const byRole = ({ config }: Context, db: Db) =>
  db
    .selectFrom('user')
    .select(columns)
    .where('role', 'is not', null)
    .where((where) => where.or(config.admin.adminRoles.map((role) => where('role', 'like', `%${role}%`))))
    .orderBy('role')
    .orderBy('id')

/** Administrators by configured id; no query when the configuration names none. */
const byId = ({ config }: Context, db: Db) =>
  config.admin.adminUserIds.length === 0
    ? []
    : [db.selectFrom('user').select(columns).where('id', 'in', config.admin.adminUserIds).orderBy('id')]
