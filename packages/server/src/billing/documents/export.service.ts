import type { Address, ParsedBillingQuery, SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { type CsvColumns, csvStream } from '../../csv.ts'
import type { Lists } from '../../db/database.ts'
import { Download } from '../../http/billing-route.ts'
import { decimalText } from '../../money-text.ts'
import { fittingOrders } from '../order/order.repository.ts'
import type { OrderSnapshot } from '../order/order-view.ts'
import { fittingPayments } from '../order/payment.repository.ts'
import { fittingSubscriptions } from '../order/subscription.repository.ts'
import { fittingRefunds } from '../refund/refund.repository.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type ExportedOrder,
  type ExportedPayment,
  type ExportedRefund,
  type ExportedSubscription,
  ordersToExport,
  type Pages,
  type Period,
  paymentsToExport,
  refundsToExport,
  subscriptionsToExport,
} from './export.repository.ts'

/**
 * Tables for bookkeepers: every row once, oldest first. Amounts stand in whole minor units, as the API has them, and beside
 * that as decimals of their currency.
 */

export const exportOrders = (ctx: Context, seller: Seller, query: ParsedBillingQuery<'exportOrders'>): Download =>
  table(ctx, seller, query, {
    name: 'orders',
    columns: orderColumns,
    read: async (lists, id, filters) => ordersToExport(await fittingOrders(lists, id, filters), filters),
  })

/** What has been tried to be paid, declined attempts included. */
export const exportPayments = (ctx: Context, seller: Seller, query: ParsedBillingQuery<'exportPayments'>): Download =>
  table(ctx, seller, query, {
    name: 'payments',
    columns: paymentColumns,
    read: (lists, id, filters) => paymentsToExport(fittingPayments(lists, id, filters), id, filters),
  })

export const exportRefunds = (ctx: Context, seller: Seller, query: ParsedBillingQuery<'exportRefunds'>): Download =>
  table(ctx, seller, query, {
    name: 'refunds',
    columns: refundColumns,
    read: (lists, id, filters) => refundsToExport(fittingRefunds(lists, id, filters), id, filters),
  })

export const exportSubscriptions = (
  ctx: Context,
  seller: Seller,
  query: ParsedBillingQuery<'exportSubscriptions'>,
): Download =>
  table(ctx, seller, query, {
    name: 'subscriptions',
    columns: subscriptionColumns,
    read: (lists, id, filters) => subscriptionsToExport(fittingSubscriptions(lists, id, filters), filters),
  })

type Kind<Row, Query> = {
  readonly name: string
  readonly columns: CsvColumns<Row>
  read(lists: Lists, organizationId: string, filters: Query & Period): Pages<Row> | Promise<Pages<Row>>
}

type Times = { readonly startTimestamp?: Date | undefined; readonly endTimestamp?: Date | undefined }

function table<Row extends { readonly createdAt: Date; readonly id: string }, Query extends Times>(
  { database, clock }: Context,
  { organizationId }: Seller,
  query: Query,
  { name, columns, read }: Kind<Row, Query>,
): Download {
  const now = clock.now()
  const { startTimestamp: since, endTimestamp } = query
  const until = endTimestamp && endTimestamp < now ? endTimestamp : now
  let pages: Pages<Row> | undefined
  let behind: Row | undefined
  const stream = csvStream(columns, async () => {
    pages ??= await read(database.lists, organizationId, { ...query, since, until })
    const rows = await pages(behind)
    behind = rows.at(-1)
    return rows
  })
  return new Download('text/csv; charset=utf-8', `${name}-${now.toISOString().slice(0, 10)}.csv`, stream)
}

const time = (value: Date | null): string => value?.toISOString() ?? ''
const flag = (value: boolean): string => String(value)

/** An amount twice: as the API has it, and as people read it. */
const amount = <Row extends { readonly currency: string }>(
  heading: string,
  of: (row: Row) => number,
): CsvColumns<Row> => [
  [heading, (row) => String(of(row))],
  [`${heading}_decimal`, (row) => decimalText(of(row), row.currency)],
]

const snapshotOf = ({ snapshot }: ExportedOrder) => snapshot as OrderSnapshot // written by `fulfil`
const addressOf = ({ billingAddress }: ExportedOrder) => billingAddress as Address | null // written from a checked address

/** As invoices name it: of a customer whose address was only typed, nothing but what was said at the checkout. */
const taxIdOf = (row: ExportedOrder): string =>
  row.customerTaxId ?? (row.isBuyerKnown === false ? undefined : snapshotOf(row).customer.taxId?.[0]) ?? ''

const taxOf = ({ tax }: ExportedOrder) => tax as SaleTax | null // written by ourselves

/** A column of an order's taxes: nearly always one; of two, such as in Quebec, both, in the same order in each column. */
const taxColumn = (
  heading: string,
  of: (line: SaleTax['lines'][number], row: ExportedOrder) => string,
): CsvColumns<ExportedOrder>[number] => [
  heading,
  (row) => (taxOf(row)?.lines ?? []).map((line) => of(line, row)).join('; '),
]

const orderColumns: CsvColumns<ExportedOrder> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['paid_at', ({ paidAt }) => time(paidAt)],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber],
  ['status', ({ status }) => status],
  ['billing_reason', ({ billingReason }) => billingReason],
  ['product', (row) => snapshotOf(row).product.name],
  ['customer_email', (row) => snapshotOf(row).customer.email],
  ['customer_name', (row) => snapshotOf(row).customer.name ?? ''],
  ['billing_name', ({ billingName }) => billingName ?? ''],
  ['billing_country', (row) => addressOf(row)?.country ?? ''],
  ['billing_state', (row) => addressOf(row)?.state ?? ''],
  ['tax_id', taxIdOf],
  ['discount', (row) => snapshotOf(row).discount?.name ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedOrder>('subtotal_amount', (row) => row.subtotalAmount),
  ...amount<ExportedOrder>('discount_amount', (row) => row.discountAmount),
  ...amount<ExportedOrder>('net_amount', (row) => row.netAmount),
  ...amount<ExportedOrder>('tax_amount', (row) => row.taxAmount),
  ['tax_treatment', (row) => taxOf(row)?.treatment ?? ''],
  taxColumn('tax_names', ({ name }) => name),
  taxColumn('tax_places', ({ country, state }) => state ?? country),
  taxColumn('tax_percents', ({ percent }) => percent),
  taxColumn('tax_amounts', (line) => String(line.amount)),
  taxColumn('tax_amounts_decimal', (line, { currency }) => decimalText(line.amount, currency)),
  ...amount<ExportedOrder>('total_amount', (row) => row.totalAmount),
  ...amount<ExportedOrder>('refunded_amount', (row) => row.refundedAmount),
  ...amount<ExportedOrder>('refunded_tax_amount', (row) => row.refundedTaxAmount),
  ['customer_id', ({ customerId }) => customerId],
  ['product_id', ({ productId }) => productId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId ?? ''],
  ['checkout_id', ({ checkoutId }) => checkoutId ?? ''],
]

const paymentColumns: CsvColumns<ExportedPayment> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['settled_at', ({ settledAt }) => time(settledAt)],
  ['status', ({ status }) => status],
  ['processor', ({ processor }) => processor],
  ['processor_reference', ({ processorReference }) => processorReference ?? ''],
  ['method', ({ method }) => method],
  ['decline_reason', ({ declineReason }) => declineReason ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedPayment>('amount', (row) => row.amount),
  ['order_id', ({ orderId }) => orderId ?? ''],
  ['customer_id', ({ customerId }) => customerId ?? ''],
  ['checkout_id', ({ checkoutId }) => checkoutId ?? ''],
]

/** A credit note counts as long as its money has not come back. */
const isVoid = ({ status }: ExportedRefund): boolean => status !== 'succeeded'

const refundColumns: CsvColumns<ExportedRefund> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['settled_at', ({ settledAt }) => time(settledAt)],
  ['credit_note_number', ({ creditNoteNumber }) => creditNoteNumber ?? ''],
  ['credit_note_void', (row) => (row.creditNoteNumber === null ? '' : flag(isVoid(row)))],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason],
  ['comment', ({ comment }) => comment ?? ''],
  ['failure_reason', ({ failureReason }) => failureReason ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedRefund>('amount', (row) => row.amount),
  ...amount<ExportedRefund>('tax_amount', (row) => row.taxAmount),
  ['processor', ({ processor }) => processor],
  ['processor_reference', ({ processorReference }) => processorReference ?? ''],
  ['order_id', ({ orderId }) => orderId],
  ['customer_id', ({ customerId }) => customerId],
  ['payment_id', ({ paymentId }) => paymentId],
]

const subscriptionColumns: CsvColumns<ExportedSubscription> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['status', ({ status }) => status],
  ['product', ({ productName }) => productName ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['customer_name', ({ customerName }) => customerName ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedSubscription>('amount', (row) => row.amount),
  ['recurring_interval', ({ recurringInterval }) => recurringInterval],
  ['started_at', ({ startedAt }) => time(startedAt)],
  ['current_period_start', ({ currentPeriodStart }) => time(currentPeriodStart)],
  ['current_period_end', ({ currentPeriodEnd }) => time(currentPeriodEnd)],
  ['cancel_at_period_end', ({ cancelAtPeriodEnd }) => flag(cancelAtPeriodEnd)],
  ['canceled_at', ({ canceledAt }) => time(canceledAt)],
  ['ends_at', ({ endsAt }) => time(endsAt)],
  ['ended_at', ({ endedAt }) => time(endedAt)],
  ['customer_id', ({ customerId }) => customerId],
  ['product_id', ({ productId }) => productId],
  ['discount_id', ({ discountId }) => discountId ?? ''],
]
