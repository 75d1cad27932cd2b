import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue, isQueued } from '../../../foundation/jobs.ts'
import type { PaymentRow } from '../order/payment.repository.ts'

/*
 * Payments under way of a deleted account or organization. Their seller keeps the customer, so only the job that cancels
 * such a payment tells that it has no buyer: the job stays for as long as the payment is pending.
 */

/** Id of the job that cancels a payment without a buyer. */
export const abandonJobId = (id: Id<'payment'>): string => `abandon-payment ${id}`

/** Cancels a pending payment, whatever it is for, by a job beside its own one. Its customer is locked. */
export const abandonPayment = (
  tx: Tx,
  now: Date,
  { organizationId, id }: Pick<PaymentRow, 'organizationId' | 'id'>,
): Promise<void> => enqueue(tx, now, { id: abandonJobId(id), kind: 'reconcile-payment', payload: id, organizationId })

/** Whether the buyer of a payment was deleted while it was pending; certain once its customer is locked. */
export const isAbandoned = (tx: Tx, { id }: Pick<PaymentRow, 'id'>): Promise<boolean> => isQueued(tx, abandonJobId(id))

/** Thrown in the transaction that settles a payment whose buyer was deleted: it begins and saves nothing. */
export class PaymentAbandoned extends Error {
  override readonly name = 'PaymentAbandoned'
}

/** Throws PaymentAbandoned where the buyer of a payment was deleted meanwhile. The customer is locked. */
export async function requireBuyer(tx: Tx, payment: Pick<PaymentRow, 'id'>): Promise<void> {
  if (await isAbandoned(tx, payment)) throw new PaymentAbandoned(`the buyer of payment ${payment.id} was deleted`)
}
