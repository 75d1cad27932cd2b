import { type BillingEventType, toWire } from '@tollgate/contract/billing'
import type { Tx } from '../db/database.ts'
import { newSortableId } from '../ids.ts'
import { note } from '../outbox.ts'

/** Whose event it is, and who made it happen: a user, or nobody in particular (a token, a buyer, the server). */
export type EventScope = { readonly organizationId: string; readonly actorId: string | null }

/**
 * Tells of an object as it is at this moment; the event commits, or vanishes, with the change. Several events of one
 * transaction are told in the order in which they are written. What only the answer may hold (a client secret) is taken out.
 */
export async function emitBilling(
  tx: Tx,
  now: Date,
  { organizationId, actorId }: EventScope,
  type: BillingEventType,
  subject: object,
): Promise<void> {
  note(tx, {
    id: newSortableId(now),
    type,
    actorId,
    userId: null,
    organizationId: null,
    merchantId: organizationId,
    subjectId: textOf(subject, 'id'),
    customerId: textOf(subject, type.startsWith('customer.') ? 'id' : 'customerId'),
    payload: JSON.stringify(toWire(subject)),
    data: null,
    createdAt: now,
  })
}

const textOf = (subject: object, key: string): string | null => {
  const value: unknown = Reflect.get(subject, key)
  return typeof value === 'string' ? value : null
}
