import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'

export type StoredSession = Selectable<Tables['session']>

export const insertSession = async (tx: Tx, session: Insertable<Tables['session']>): Promise<StoredSession> =>
  (await insertSessions(tx, session))[0]!

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
      authenticatedAt: session.authenticatedAt,
      createdAt: session.createdAt,
      updatedAt: session.updatedAt,
    })
    .returningAll(),
)

/** The unexpired sessions of a user, newest first. Those of an impersonator are the impersonator's affair. */
export const listUnexpiredSessions = (db: Db, userId: string, now: Date): Promise<StoredSession[]> =>
  unexpiredSessions(db, userId, now).where('impersonatedBy', 'is', null).execute()

const unexpiredSessions = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .limit(sessionListLimit)

/** More devices than anybody looks through; older sessions beyond them run out by themselves. */
const sessionListLimit = 200

export const findSessionByToken = (db: Db, token: string): Promise<StoredSession | undefined> =>
  db.selectFrom('session').selectAll().where('token', '=', token).executeTakeFirst()

/** Extends a session only if nobody else has in the meantime, and it has not been ended. */
export const extendSession = (
  tx: Tx,
  session: StoredSession,
  expiresAt: Date,
  now: Date,
): Promise<StoredSession | undefined> =>
  tx
    .updateTable('session')
    .set({ expiresAt, updatedAt: now })
    .where('id', '=', session.id)
    .where('expiresAt', '=', session.expiresAt)
    .returningAll()
    .executeTakeFirst()

export const touchAuthenticatedAt = (tx: Tx, id: string, now: Date): Promise<unknown> =>
  tx.updateTable('session').set({ authenticatedAt: now, updatedAt: now }).where('id', '=', id).execute()

export const deleteSession = (tx: Tx, id: string): Promise<{ id: string } | undefined> =>
  tx.deleteFrom('session').where('id', '=', id).returning('id').executeTakeFirst()

/**
 * Ends all sessions of a user, and those that they have begun as others, but for one if it is named; returns how many.
 */
export async function deleteSessionsOf(tx: Tx, userId: string, exceptId?: string): Promise<number> {
  const query = tx
    .deleteFrom('session')
    .where((where) => where.or([where('userId', '=', userId), where('impersonatedBy', '=', userId)]))
    .returning('id')
  const rows = await (exceptId === undefined ? query : query.where('id', '!=', exceptId)).execute()
  return rows.length
}

/** Ends what a user has begun as others: whoever administers no longer acts as nobody any more. */
export const deleteSessionsBegunBy = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('session').where('impersonatedBy', '=', userId).execute()

/** Ends what others have begun as a user. */
export const deleteImpersonatedSessions = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('session').where('userId', '=', userId).where('impersonatedBy', 'is not', null).execute()

/** The unexpired sessions of a user, newest first, those of impersonators among them. */
export const listEverySession = (db: Db, userId: string, now: Date): Promise<StoredSession[]> =>
  unexpiredSessions(db, userId, now).execute()

/** Reads a session that nobody else ends until the transaction does; nothing when it has been ended. */
export const lockSession = (tx: Tx, id: string): Promise<{ id: string } | undefined> =>
  tx.selectFrom('session').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether a session has not been ended; it is not until the transaction ends. */
export async function isStillSession(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('session').select('id').where('id', '=', id).forShare().executeTakeFirst()
  return row !== undefined
}

/** Says which organization and team a session acts in; nothing comes back when it has been ended. */
export const setActiveOrganization = (
  tx: Tx,
  id: string,
  active: { readonly activeOrganizationId?: string | null; readonly activeTeamId: string | null },
): Promise<StoredSession | undefined> =>
  tx.updateTable('session').set(active).where('id', '=', id).returningAll().executeTakeFirst()

/** Nobody acts in an organization any more; or one user does not. */
export async function clearActiveOrganization(tx: Tx, organizationId: string, userId?: string): Promise<void> {
  const query = tx
    .updateTable('session')
    .set({ activeOrganizationId: null, activeTeamId: null })
    .where('activeOrganizationId', '=', organizationId)
  await (userId === undefined ? query : query.where('userId', '=', userId)).execute()
}

/** Nobody acts for a team any more; or one user does not. */
export async function clearActiveTeam(tx: Tx, organizationId: string, teamId: string, userId?: string): Promise<void> {
  const query = tx
    .updateTable('session')
    .set({ activeTeamId: null })
    .where('activeOrganizationId', '=', organizationId)
    .where('activeTeamId', '=', teamId)
  await (userId === undefined ? query : query.where('userId', '=', userId)).execute()
}
