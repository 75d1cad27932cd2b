import type { BillingAnswer, ParsedBillingQuery, Payment } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findPayment, type PaymentRow, pageOfPayments } from './payment.repository.ts'

/** What has been tried to be paid to an organization, declined attempts included. */
export async function listPayments(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listPayments'>,
): Promise<BillingAnswer<'listPayments'>> {
  const { rows, pagination } = await pageOfPayments(ctx.database.lists, organizationId, query)
  return { items: rows.map(toPayment), pagination }
}

/** One of an organization's payments. */
export async function getPayment(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
): Promise<BillingAnswer<'getPayment'>> {
  const row = await findPayment(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toPayment(row)
}

/** A payment as answers show it. Every client knows `stripe` as the processor; the true one stands beside it (traps 1). */
const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  processor: 'stripe',
  paidBy: row.processor as Payment['paidBy'], // the name of one of our processors
  processorReference: row.processorReference,
  status: row.status as Payment['status'], // written from the table of states
  amount: row.amount,
  currency: row.currency,
  method: row.method,
  ...(row.methodMetadata !== null && { methodMetadata: row.methodMetadata as { brand: string; last4: string } }), // written by `settlePayment`
  declineReason: row.declineReason,
  declineMessage: row.declineMessage,
  organizationId: row.organizationId,
  checkoutId: row.checkoutId,
  orderId: row.orderId,
  customerId: row.customerId,
  customerEmail: row.customerEmail,
  isTest: row.isTest,
})
