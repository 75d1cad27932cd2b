import { isPastDue } from '@tollgate/contract/billing'
import type { Dispute, Refund } from '@tollgate/contract/billing-types'
import type { BillingEventType } from '@tollgate/contract/events'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { emitBilling } from '../events.ts'
import type { OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { type DisputeRow, findDisputeById } from './dispute.repository.ts'
import type { RefundRow } from './refund.repository.ts'

/** A refund in the form of the API and its events. */
export function toRefund(row: RefundRow, dispute: DisputeRow | undefined, now: Date): Refund {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    metadata: row.metadata,
    status: row.status,
    reason: row.reason,
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

/** A dispute in the form of the API and its events. */
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
    status: row.status,
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

/** Emits the event of a refund; `actorId` is null if its processor caused it. */
export async function tellRefund(
  tx: Tx,
  now: Date,
  type: Extract<BillingEventType, `refund.${string}`>,
  row: RefundRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  const dispute = await disputeOf(tx, row)
  await emitBilling(tx, now, { organizationId: row.organizationId, actorId }, type, toRefund(row, dispute, now))
}

/** Emits the event of an order that refunds have changed. */
export async function tellOrder(
  tx: Tx,
  now: Date,
  types: readonly Extract<BillingEventType, `order.${string}`>[],
  row: OrderRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  const order = await readOrder(tx, row)
  for (const type of types) await emitBilling(tx, now, { organizationId: row.organizationId, actorId }, type, order)
}

/** The dispute that a refund responds to, if any. */
export const disputeOf = async (db: Db, { disputeId }: RefundRow): Promise<DisputeRow | undefined> =>
  disputeId === null ? undefined : findDisputeById(db, disputeId)
