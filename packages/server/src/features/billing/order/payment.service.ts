import type { Payment } from '@tollgate/contract/billing-types'
import { TollgateError } from '../../../foundation/error.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findPayment, type PaymentRow, pageOfPayments } from './payment.repository.ts'

/** Lists an organization's payments, declined attempts included. */
export const listPayments: BillingHandler<'listPayments'> = async ({ ctx, seller: { organizationId }, query }) => {
  const { rows, pagination } = await pageOfPayments(ctx.database.lists, organizationId, query)
  return { items: rows.map(toPayment), pagination }
}

export const getPayment: BillingHandler<'getPayment'> = async ({ ctx, seller: { organizationId }, params: { id } }) => {
  const row = await findPayment(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toPayment(row)
}

/**
 * A payment as responses show it. `processor` is always `stripe`, the only value that every client knows; `paidBy`
 * holds the true one (traps 1).
 */
const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  processor: 'stripe',
  paidBy: row.processor,
  processorReference: row.processorReference,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  method: row.method,
  ...(row.methodMetadata !== null && { methodMetadata: row.methodMetadata }),
  declineReason: row.declineReason,
  declineMessage: row.declineMessage,
  organizationId: row.organizationId,
  checkoutId: row.checkoutId,
  orderId: row.orderId,
  customerId: row.customerId,
  customerEmail: row.customerEmail,
  isTest: row.isTest,
})
