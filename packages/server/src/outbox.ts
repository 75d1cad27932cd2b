import type { Tx } from './db/database.ts'
import type { SessionRow } from './db/session-row.ts'
import { toJson } from './db/tables.ts'
import { newSortableId } from './ids.ts'

/** What can happen to accounts and sessions. The event table is the audit log and, later, the source of webhooks. */
export type EventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'user.email_verified'
  | 'user.email_changed'
  | 'user.password_changed'
  | 'user.password_reset'
  | 'session.created'
  | 'session.revoked'
  | 'account.linked'
  | 'account.unlinked'
  | 'user.role_changed'
  | 'user.banned'
  | 'user.unbanned'
  | 'user.password_set'
  | 'impersonation.started'
  | 'impersonation.stopped'

export type NewEvent = {
  readonly type: EventType
  /** Who made it happen; null for the server itself. */
  readonly actorId: string | null
  /** Whom it concerns. */
  readonly userId: string
  /** Never a secret. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>
}

/** Who acts in a session: its user, or the administrator who acts as them (security, §0). */
export const actorOf = ({ session, user }: SessionRow): string => session.impersonatedBy ?? user.id

/** Writes an event row: it commits, or vanishes, with the change that it tells of. */
export async function emit(tx: Tx, now: Date, event: NewEvent): Promise<void> {
  const { type, actorId, userId, data } = event
  await tx
    .insertInto('event')
    .values({ id: newSortableId(now), type, actorId, userId, data: data ? toJson(data) : null, createdAt: now })
    .execute()
}
