import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { lockInOrder } from '../../foundation/db/lock-order.ts'
import { prepare } from '../../foundation/db/prepared.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import { firstOf } from '../../foundation/proof/proven.ts'

export type StoredSession = Selectable<Tables['session']>

/** Only `completeSignIn` may call it: a house rule finds every other import. */
export const insertSession = async (tx: Tx, session: Insertable<Tables['session']>): Promise<StoredSession> =>
  firstOf(await insertSessions(tx, session), 'one session gives one row')

const insertSessions = prepare((tx, session: Insertable<Tables['session']>) =>
  tx
    .insertInto('session')
    .values({
      id: session.id,
      userId: session.userId,
      token: session.token,
      expiresAt: session.expiresAt,
      ipAddress: session.ipAddress,
      userAgent: session.userAgent,
      activeOrganizationId: session.activeOrganizationId,
      activeTeamId: session.activeTeamId,
      impersonatedBy: session.impersonatedBy,
      impersonationReason: session.impersonationReason,
      impersonatedFrom: session.impersonatedFrom,
      neverExtended: session.neverExtended,
      methods: session.methods,
      authenticatedAt: session.authenticatedAt,
      createdAt: session.createdAt,
      updatedAt: session.updatedAt,
    })
    .returningAll(),
)

/** A user's unexpired sessions, newest first, without those of impersonators. */
export const listUnexpiredSessions = (db: Db, userId: Id<'user'>, now: Date): Promise<StoredSession[]> =>
  ownUnexpiredSessions(db, { userId, now })

const ownUnexpiredSessions = prepare((db, { userId, now }: { userId: Id<'user'>; now: Date }) =>
  unexpiredSessions(db, userId, now).where('impersonatedBy', 'is', null),
)

const unexpiredSessions = (db: Db, userId: Id<'user'>, now: Date) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .limit(sessionListLimit)

/** More devices than people look through; older sessions beyond the limit expire by themselves. */
const sessionListLimit = 200

export const findSessionByToken = (db: Db, token: string): Promise<StoredSession | undefined> =>
  db.selectFrom('session').selectAll().where('token', '=', token).executeTakeFirst()

/** Extends a session unless another request has extended or ended it meanwhile. */
export const extendSession = (tx: Tx, session: StoredSession, expiresAt: Date, now: Date) =>
  tx
    .updateTable('session')
    .set({ expiresAt, updatedAt: now })
    .where('id', '=', session.id)
    .where('expiresAt', '=', session.expiresAt)
    .returningAll()
    .executeTakeFirst()

export const touchAuthenticatedAt = (tx: Tx, id: Id<'session'>, now: Date): Promise<unknown> =>
  tx.updateTable('session').set({ authenticatedAt: now, updatedAt: now }).where('id', '=', id).execute()

export const deleteSession = (tx: Tx, id: Id<'session'>): Promise<{ id: Id<'session'> } | undefined> =>
  tx.deleteFrom('session').where('id', '=', id).returning('id').executeTakeFirst()

/** Ends all sessions of a user and those that they began as others, except the named one; returns the count. */
export async function deleteSessionsOf(tx: Tx, userId: Id<'user'>, exceptId?: Id<'session'>): Promise<number> {
  const query = tx
    .deleteFrom('session')
    .where((where) => where.or([where('userId', '=', userId), where('impersonatedBy', '=', userId)]))
    .returning('id')
  const rows = await (exceptId === undefined ? query : query.where('id', '!=', exceptId)).execute()
  return rows.length
}

/** Ends the sessions that a user began as others, for a user who is no longer an administrator. */
export const deleteSessionsBegunBy = (tx: Tx, userId: Id<'user'>): Promise<unknown> =>
  tx.deleteFrom('session').where('impersonatedBy', '=', userId).execute()

/** Ends the sessions that administrators began as a user. */
export const deleteImpersonatedSessions = (tx: Tx, userId: Id<'user'>): Promise<unknown> =>
  tx.deleteFrom('session').where('userId', '=', userId).where('impersonatedBy', 'is not', null).execute()

/** A user's unexpired sessions, newest first, including those of impersonators. */
export const listEverySession = (db: Db, userId: Id<'user'>, now: Date): Promise<StoredSession[]> =>
  unexpiredSessions(db, userId, now).execute()

/** Reads and locks a session until the transaction ends; undefined when it has ended. */
export const lockSession = (tx: Tx, id: Id<'session'>): Promise<{ id: Id<'session'> } | undefined> =>
  lockInOrder(tx, 'session', id, tx.selectFrom('session').select('id').where('id', '=', id)).executeTakeFirst()

export const findSession = (db: Db, id: Id<'session'>): Promise<{ id: Id<'session'> } | undefined> =>
  db.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()

/** Whether a session still exists; locks it until the transaction ends. */
export async function isStillSession(tx: Tx, id: Id<'session'>): Promise<boolean> {
  const row = await lockInOrder(
    tx,
    'session',
    id,
    tx.selectFrom('session').select('id').where('id', '=', id),
    'forShare',
  ).executeTakeFirst()
  return row !== undefined
}

/** Sets a session's active organization and team; returns undefined when the session has ended. */
export const setActiveOrganization = (
  tx: Tx,
  id: Id<'session'>,
  active: { readonly activeOrganizationId?: Id<'organization'> | null; readonly activeTeamId: Id<'team'> | null },
): Promise<StoredSession | undefined> =>
  tx.updateTable('session').set(active).where('id', '=', id).returningAll().executeTakeFirst()

/** Clears the active organization from all sessions, or from those of one user. */
export async function clearActiveOrganization(
  tx: Tx,
  organizationId: Id<'organization'>,
  userId?: Id<'user'>,
): Promise<void> {
  const query = tx
    .updateTable('session')
    .set({ activeOrganizationId: null, activeTeamId: null })
    .where('activeOrganizationId', '=', organizationId)
  await (userId === undefined ? query : query.where('userId', '=', userId)).execute()
}

/** Clears the active team from all sessions, or from those of one user. */
export async function clearActiveTeam(
  tx: Tx,
  organizationId: Id<'organization'>,
  teamId: Id<'team'>,
  userId?: Id<'user'>,
): Promise<void> {
  const query = tx
    .updateTable('session')
    .set({ activeTeamId: null })
    .where('activeOrganizationId', '=', organizationId)
    .where('activeTeamId', '=', teamId)
  await (userId === undefined ? query : query.where('userId', '=', userId)).execute()
}

export async function deleteExpiredSessions(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('session').where('expiresAt', '<=', now).execute()
}
