import { type BillingEventType, isPastDue } from '@tollgate/contract/billing'
import type { Dispute, Refund } from '@tollgate/contract/billing-types'
import type { Db, Tx } from '../../db/database.ts'
import { emitBilling } from '../events.ts'
import type { OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { type DisputeRow, findDisputeById } from './dispute.repository.ts'
import type { RefundRow } from './refund.repository.ts'

/** A refund as answers and events show it. */
export function toRefund(row: RefundRow, dispute: DisputeRow | undefined, now: Date): Refund {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    metadata: row.metadata as Refund['metadata'], // written from the schema of metadata
    status: row.status as Refund['status'], // written from the table of states
    reason: row.reason as Refund['reason'], // one of the schema's
    amount: row.amount,
    taxAmount: row.taxAmount,
    currency: row.currency,
    organizationId: row.organizationId,
    orderId: row.orderId,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    revokeBenefits: row.revokeBenefits,
    dispute: dispute ? disputeCore(dispute, now) : null,
    failureReason: row.failureReason,
    creditNoteNumber: row.creditNoteNumber,
  }
}

/** A dispute as answers and events show it. */
export const toDispute = (row: DisputeRow, now: Date): Dispute => ({
  ...disputeCore(row, now),
  organizationId: row.organizationId,
  customerId: row.customerId,
  caseId: row.processorReference,
})

const decided: readonly string[] = ['won', 'lost']

function disputeCore(row: DisputeRow, now: Date): NonNullable<Refund['dispute']> {
  const resolved = decided.includes(row.status)
  const closed = resolved || row.status === 'prevented'
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    status: row.status as Dispute['status'], // written from the table of states
    resolved,
    closed,
    amount: row.amount,
    taxAmount: row.taxAmount,
    currency: row.currency,
    reason: row.reason,
    evidenceDueBy: row.evidenceDueBy?.toISOString() ?? null,
    pastDue: isPastDue(row, now),
    orderId: row.orderId,
    paymentId: row.paymentId,
  }
}

/** Says what has become of a refund; `actorId`: who has made it happen, nobody where its processor has. */
export async function tellRefund(
  tx: Tx,
  now: Date,
  type: Extract<BillingEventType, `refund.${string}`>,
  row: RefundRow,
  actorId: string | null,
): Promise<void> {
  const dispute = await disputeOf(tx, row)
  await emitBilling(tx, now, { organizationId: row.organizationId, actorId }, type, toRefund(row, dispute, now))
}

/** Says what refunds have made of an order. */
export async function tellOrder(
  tx: Tx,
  now: Date,
  types: readonly Extract<BillingEventType, `order.${string}`>[],
  row: OrderRow,
  actorId: string | null,
): Promise<void> {
  const order = await readOrder(tx, row)
  for (const type of types) await emitBilling(tx, now, { organizationId: row.organizationId, actorId }, type, order)
}

/** The dispute that a refund has answered, if any. */
export const disputeOf = async (db: Db, { disputeId }: RefundRow): Promise<DisputeRow | undefined> =>
  disputeId === null ? undefined : findDisputeById(db, disputeId)
