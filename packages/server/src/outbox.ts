import type { Selectable } from 'kysely'
import type { Tx } from './db/database.ts'
import { prepare } from './db/prepared.ts'
import type { SessionRow } from './db/session-row.ts'
import { type Tables, toJson } from './db/tables.ts'
import { newSortableId } from './ids.ts'
import { enqueue, type JobKind } from './jobs.ts'

/** What can happen to accounts and sessions. The event table is the audit log and the source of webhooks. */
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
  /** Work that had failed for good; `data` says of which kind it was. */
  | 'job.retried'
  | 'job.removed'
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
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.updated'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.enabled'
  /** By somebody, or by nobody where it has failed for long or its receiver said that it is gone. */
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.deleted'
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

/** An event as it is written, with everything that is known of it. */
export type EventRow = Omit<Selectable<Tables['event']>, 'data'> & { readonly data: string | null }

const eventsOf = new WeakMap<Tx, EventRow[]>()

/**
 * Notes an event of a transaction. All of them are written at its end, in this order and by one statement (`writeEvents`):
 * they commit, or vanish, with the change that they tell of.
 */
export function note(tx: Tx, event: EventRow): void {
  const noted = eventsOf.get(tx)
  if (noted) noted.push(event)
  else eventsOf.set(tx, [event])
}

/** Tells what has happened, with the job that follows from it. */
export async function emit(tx: Tx, now: Date, event: NewEvent): Promise<void> {
  const { type, actorId, userId, organizationId = null, data } = event
  note(tx, {
    id: newSortableId(now),
    type,
    actorId,
    userId,
    organizationId,
    merchantId: null,
    subjectId: null,
    customerId: null,
    payload: null,
    data: data ? toJson(data) : null,
    createdAt: now,
  })
  const kind = jobAfter[type]
  if (kind && userId !== null) await enqueue(tx, now, { kind, payload: userId })
}

/** As many as one statement takes on both databases, with room to spare. */
const batch = 500

/** Writes what a transaction has noted, at its end, and gives it back. */
export async function writeEvents(tx: Tx): Promise<readonly EventRow[]> {
  const events = eventsOf.get(tx) ?? []
  if (events.length === 1) {
    await insertEvent(tx, events[0]!)
    return events
  }
  for (let at = 0; at < events.length; at += batch)
    await tx
      .insertInto('event')
      .values(events.slice(at, at + batch))
      .execute()
  return events
}

/** Most transactions have one. */
const insertEvent = prepare((tx, event: EventRow) =>
  tx.insertInto('event').values({
    id: event.id,
    type: event.type,
    actorId: event.actorId,
    userId: event.userId,
    organizationId: event.organizationId,
    merchantId: event.merchantId,
    subjectId: event.subjectId,
    customerId: event.customerId,
    payload: event.payload,
    data: event.data,
    createdAt: event.createdAt,
  }),
)
