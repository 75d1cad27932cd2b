import type { BillingAnswer, ParsedBillingQuery, Payment } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findPayment, type PaymentRow, pageOfPayments } from './payment.repository.ts'

/** Lists an organization's payments, declined attempts included. */
export async function listPayments(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listPayments'>,
): Promise<BillingAnswer<'listPayments'>> {
  const { rows, pagination } = await pageOfPayments(ctx.database.lists, organizationId, query)
  return { items: rows.map(toPayment), pagination }
}

export async function getPayment(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
): Promise<BillingAnswer<'getPayment'>> {
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
