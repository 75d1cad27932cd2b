import type { ErrorName } from '@tollgate/contract/calls'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Db, Tx } from './db/database.ts'
import type { SessionRow } from './db/session-row.ts'
import { TollgateError } from './error.ts'
import { isBanned } from './identity/users.service.ts'

/** The only place where a role has a meaning. Roles stand in the table as comma-separated text. */

/**
 * What administrators may do: the specification's admin permission set (section 6), and reading and correcting a user
 * and reading what has happened, which our own calls ask for. Each of `admin.adminRoles` holds all of it; no other role
 * holds any.
 */
export const adminPermissions = {
  user: ['create', 'list', 'get', 'update', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
  session: ['list', 'revoke', 'delete'],
  event: ['list'],
  organization: ['list', 'delete', 'approve'],
  domain: ['verify'],
  job: ['list', 'retry', 'delete'],
  dispute: ['list'],
} as const satisfies Record<string, readonly string[]>

type Resource = keyof typeof adminPermissions
type Action<R extends Resource> = (typeof adminPermissions)[R][number]

/** What of a user decides what they may do. */
type Holder = { readonly id: string; readonly role: string | null }

/** The roles in a text of roles; who has none counts as `admin.defaultRole`. */
export function rolesOf(config: Config, text: string | null): string[] {
  const roles = splitRoles(text ?? '')
  return roles.length > 0 ? roles : [config.admin.defaultRole]
}

/** The text of roles as it is stored, or null when there is none or one of them means nothing here. */
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

/** The role of whoever sets the installation up. */
export const firstAdminRole = ({ admin }: Config): string => admin.adminRoles[0]! // the configuration wants one

/** Whether somebody administers: by one of their roles, or by `admin.adminUserIds`. */
export function isAdministrator({ config }: Pick<Context, 'config'>, user: Holder): boolean {
  const { adminRoles, adminUserIds } = config.admin
  return adminUserIds.includes(user.id) || rolesOf(config, user.role).some((role) => adminRoles.includes(role))
}

/** Whether somebody may do all that is asked for. Nothing asked for, an unknown resource or action: no. */
export function can(ctx: Context, user: Holder, asked: Readonly<Record<string, readonly string[]>>): boolean {
  const wanted = Object.entries(asked)
  return (
    wanted.length > 0 && isAdministrator(ctx, user) && wanted.every(([resource, actions]) => exists(resource, actions))
  )
}

function exists(resource: string, actions: readonly string[]): boolean {
  if (!Object.hasOwn(adminPermissions, resource)) return false
  const known: readonly string[] = adminPermissions[resource as Resource] // looked up just now
  return actions.every((action) => known.includes(action))
}

/**
 * Refuses whoever does not administer, with the call's own refusal. Acting as somebody else, nobody administers: not even
 * when that user has been made an administrator since.
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

/** Those who administer and may sign in. */
export async function listAdministrators(ctx: Context, db: Db): Promise<Holder[]> {
  const candidates = [
    await byRole(ctx, db).execute(),
    ...(await Promise.all(byId(ctx, db).map((one) => one.execute()))),
  ]
  return administratorsAmong(ctx, candidates.flat())
}

/** Most administrators who are mailed at once: enough for one of them to read it. */
const recipientLimit = 20

/** Those of them who can be written to: an address that nobody has proven may be somebody else's. */
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
 * The ids of the same, kept as they are until the transaction ends: of two administrators who take each other's role at the
 * same moment one is first, and the other, who administers no longer by then, gets the call's refusal. Locked before any
 * other user and in one order, so that two transactions do not wait for each other.
 */
export async function lockAdministrators(
  ctx: Context,
  tx: Tx,
  actor: SessionRow,
  refusal: ErrorName,
): Promise<ReadonlySet<string>> {
  const administrators = await lockedAdministrators(ctx, tx)
  if (!administrators.has(actor.user.id)) throw new TollgateError(refusal)
  return administrators
}

/**
 * Does what ends a user of whom nobody knows yet whether they administer, and refuses to end the last administrator. Two
 * of them cannot go at the same moment: the others are locked first, and looked for again once the user has gone, because
 * somebody may have been made an administrator, or this user one, while the locks were waited for.
 */
export async function refusingLastAdministrator<Ended extends Administrator>(
  ctx: Context,
  tx: Tx,
  end: () => Promise<Ended | undefined>,
): Promise<Ended | undefined> {
  await lockedAdministrators(ctx, tx)
  const ended = await end()
  const administered = ended !== undefined && administratorsAmong(ctx, [ended]).length > 0
  if (administered && (await listAdministrators(ctx, tx)).length === 0) throw new TollgateError('ADMIN_LAST_ADMIN')
  return ended
}

async function lockedAdministrators(ctx: Context, tx: Tx): Promise<Set<string>> {
  const candidates = await byRole(ctx, tx).forUpdate().execute()
  for (const named of byId(ctx, tx)) candidates.push(...(await named.forUpdate().execute()))
  return new Set(administratorsAmong(ctx, candidates).map(({ id }) => id))
}

function administratorsAmong(ctx: Context, candidates: readonly Administrator[]): Holder[] {
  const now = ctx.clock.now()
  return candidates.filter((user) => isAdministrator(ctx, user) && !isBanned(user, now))
}

const columns = ['id', 'role', 'banned', 'banExpires'] as const

/** By the index of roles, and roughly: which roles a text really names is decided by `rolesOf`. */
const byRole = ({ config }: Context, db: Db) =>
  db
    .selectFrom('user')
    .select(columns)
    .where('role', 'is not', null)
    .where((where) => where.or(config.admin.adminRoles.map((role) => where('role', 'like', `%${role}%`))))
    .orderBy('role')
    .orderBy('id')

/** By the ids of the configuration: no query where there are none. */
const byId = ({ config }: Context, db: Db) =>
  config.admin.adminUserIds.length === 0
    ? []
    : [db.selectFrom('user').select(columns).where('id', 'in', config.admin.adminUserIds).orderBy('id')]
