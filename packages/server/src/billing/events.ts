import { toWire } from '@tollgate/contract/billing'
import type { Tx } from '../db/database.ts'
import { newSortableId } from '../ids.ts'

/** What can happen in billing (specification, section 3): the source of webhooks, with the object as it then was (WH-10). */
export type BillingEventType =
  | 'organization.updated'
  | 'product.created'
  | 'product.updated'
  | 'benefit.created'
  | 'benefit.updated'
  | 'benefit_grant.created'
  | 'benefit_grant.updated'
  | 'benefit_grant.revoked'
  | 'benefit_grant.cycled'
  | 'checkout.created'
  | 'checkout.updated'
  /** Of 1.0.x of the SDK: only for endpoints that ask for it. */
  | 'checkout.expired'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted'
  | 'customer.state_changed'
  | 'order.created'
  | 'order.updated'
  | 'order.paid'
  | 'order.refunded'
  | 'refund.created'
  | 'refund.updated'
  | 'subscription.created'
  | 'subscription.active'
  | 'subscription.updated'
  | 'subscription.canceled'
  | 'subscription.uncanceled'
  | 'subscription.revoked'

/** Whose event it is, and who made it happen: a user, or nobody in particular (a token, a buyer, the server). */
export type EventScope = { readonly organizationId: string; readonly actorId: string | null }

/**
 * Writes an event with the object as it is at this moment; it commits, or vanishes, with the change. Several events of one
 * transaction are told in the order in which they are written. What only the answer may hold (a client secret) is taken out.
 */
export async function emitBilling(
  tx: Tx,
  now: Date,
  { organizationId, actorId }: EventScope,
  type: BillingEventType,
  subject: object,
): Promise<void> {
  await tx
    .insertInto('event')
    .values({
      id: newSortableId(now),
      type,
      actorId,
      userId: null,
      organizationId: null,
      merchantId: organizationId,
      subjectId: 'id' in subject && typeof subject.id === 'string' ? subject.id : null,
      payload: JSON.stringify(toWire(subject)),
      data: null,
      createdAt: now,
    })
    .execute()
}
