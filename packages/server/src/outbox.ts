import type { Tx } from './db/database.ts'
import type { SessionRow } from './db/session-row.ts'
import { toJson } from './db/tables.ts'
import { newSortableId } from './ids.ts'
import { enqueue, type JobKind } from './jobs.ts'

/** What can happen to accounts and sessions. The event table is the audit log and, later, the source of webhooks. */
export type EventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  /** Whenever an address comes to count as verified: at the user's creation, too. */
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
  | OrganizationEventType

/** What can happen in an organization; its audit log shows these. */
export type OrganizationEventType =
  | 'organization.created'
  | 'organization.updated'
  | 'organization.deleted'
  | 'organization.transferred'
  | 'organization.approved'
  | 'organization.selling_stopped'
  | 'access_token.created'
  | 'access_token.updated'
  | 'access_token.deleted'
  | 'member.added'
  | 'member.removed'
  | 'member.role_changed'
  | 'role.created'
  | 'role.updated'
  | 'role.deleted'
  | 'invitation.created'
  | 'invitation.renewed'
  | 'invitation.accepted'
  | 'invitation.rejected'
  | 'invitation.canceled'
  | 'invitation_link.created'
  | 'invitation_link.revoked'
  | 'join_request.created'
  | 'join_request.approved'
  | 'join_request.denied'
  | 'team.created'
  | 'team.updated'
  | 'team.removed'
  | 'team_member.added'
  | 'team_member.removed'
  | 'domain.added'
  | 'domain.verified'
  | 'domain.updated'
  | 'domain.removed'

export type NewEvent = {
  readonly type: EventType
  /** Who made it happen; null for the server itself. */
  readonly actorId: string | null
  /** Whom it concerns; nobody in particular where it is about an organization as a whole. */
  readonly userId: string | null
  /** The organization that it happened in. */
  readonly organizationId?: string
  /** Never a secret. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>
}

/** Who acts in a session: its user, or the administrator who acts as them (security, §0). */
export const actorOf = ({ session, user }: SessionRow): string => session.impersonatedBy ?? user.id

/** What an event leaves to do about the user whom it concerns. */
const jobAfter: { readonly [Type in EventType]?: JobKind } = { 'user.email_verified': 'join-by-domain' }

/** Writes an event row, and the job that follows from it: they commit, or vanish, with the change that they tell of. */
export async function emit(tx: Tx, now: Date, event: NewEvent): Promise<void> {
  const { type, actorId, userId, organizationId = null, data } = event
  await tx
    .insertInto('event')
    .values({
      id: newSortableId(now),
      type,
      actorId,
      userId,
      organizationId,
      data: data ? toJson(data) : null,
      createdAt: now,
    })
    .execute()
  const kind = jobAfter[type]
  if (kind && userId !== null) await enqueue(tx, now, { kind, payload: userId })
}
