import type { Context } from '../../../foundation/context.ts'
import { type CsvColumns, csvStream } from '../../../foundation/csv.ts'
import type { Id, Lists } from '../../../foundation/db/database.ts'
import { Download } from '../../../foundation/http/handler.ts'
import { fittingCustomFields } from '../catalog/custom-field.repository.ts'
import { fittingMeters } from '../catalog/meter.repository.ts'
import { fittingProducts } from '../catalog/product.repository.ts'
import { fittingCheckoutLinks } from '../checkout/checkout-link.repository.ts'
import { checkoutLinkAddress } from '../checkout/checkout-link.service.ts'
import { fittingCustomers } from '../customer/customer.repository.ts'
import { keyOf } from '../customer/customer.service.ts'
import { fittingDiscounts } from '../discount/discount.repository.ts'
import { contentIn } from '../documents/issue.service.ts'
import { invalid } from '../invalid.ts'
import { column, createdBetween } from '../list.repository.ts'
import { fittingOrders } from '../order/order.repository.ts'
import { fittingPayments } from '../order/payment.repository.ts'
import { fittingSubscriptions } from '../order/subscription.repository.ts'
import { fittingDisputes } from '../refund/dispute.repository.ts'
import { fittingRefunds } from '../refund/refund.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type Bounds,
  checkoutLinksToExport,
  customersToExport,
  customFieldsToExport,
  discountsToExport,
  disputesToExport,
  type ExportedRefund,
  metersToExport,
  ordersToExport,
  type Pages,
  paymentsToExport,
  productsToExport,
  refundsToExport,
  subscriptionsToExport,
} from './export.repository.ts'
import {
  checkoutLinkColumns,
  customerColumns,
  customFieldColumns,
  discountColumns,
  disputeColumns,
  meterColumns,
  orderColumns,
  paymentColumns,
  productColumns,
  type RefundWithNote,
  refundColumns,
  subscriptionColumns,
} from './export-columns.ts'

/**
 * Exports: every row once, oldest first. Amounts appear twice: in whole minor units as in the API, and as
 * decimals of their currency.
 */

export const exportOrders: BillingHandler<'exportOrders'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'orders',
    columns: orderColumns,
    read: async (lists, id, filters) => {
      const orders = await fittingOrders(lists, id, filters)
      return ordersToExport(createdBetween(orders, filters, column('order.createdAt', 'time')), filters)
    },
  })

export const exportCustomers: BillingHandler<'exportCustomers'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'customers',
    columns: customerColumns,
    read: (lists, id, filters) =>
      customersToExport(fittingCustomers(lists, id, { ...filters, email: keyOf(filters.email) }), filters),
  })

/** Payment attempts, including declined ones. */
export const exportPayments: BillingHandler<'exportPayments'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'payments',
    columns: paymentColumns,
    read: (lists, id, filters) => paymentsToExport(fittingPayments(lists, id, filters), id, filters),
  })

export const exportRefunds: BillingHandler<'exportRefunds'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'refunds',
    columns: refundColumns,
    read: (lists, id, filters) => {
      const pages = refundsToExport(fittingRefunds(lists, id, filters), id, filters)
      return async (behind) => (await pages(behind)).map(withNote)
    },
  })

const withNote = (row: ExportedRefund): RefundWithNote => ({
  ...row,
  note: row.creditNote === null ? null : contentIn({ content: row.creditNote }),
})

/** Disputes that buyers opened at their banks. */
export const exportDisputes: BillingHandler<'exportDisputes'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'disputes',
    columns: disputeColumns,
    read: (lists, id, filters) => disputesToExport(fittingDisputes(lists, id, filters), id, filters),
  })

export const exportSubscriptions: BillingHandler<'exportSubscriptions'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'subscriptions',
    columns: subscriptionColumns,
    read: (lists, id, filters) =>
      subscriptionsToExport(fittingSubscriptions(lists, id, filters, ctx.clock.now()), filters),
  })

export const exportProducts: BillingHandler<'exportProducts'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'products',
    columns: productColumns,
    read: (lists, id, filters) => productsToExport(fittingProducts(lists, id, filters), filters),
  })

export const exportDiscounts: BillingHandler<'exportDiscounts'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'discounts',
    columns: discountColumns,
    read: (lists, id, filters) => discountsToExport(fittingDiscounts(lists, id, filters), filters),
  })

export const exportCheckoutLinks: BillingHandler<'exportCheckoutLinks'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'checkout-links',
    columns: checkoutLinkColumns((link) => checkoutLinkAddress(ctx.config, link)),
    read: (lists, id, filters) => checkoutLinksToExport(fittingCheckoutLinks(lists, id, filters), filters),
  })

export const exportCustomFields: BillingHandler<'exportCustomFields'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'custom-fields',
    columns: customFieldColumns,
    read: (lists, id, filters) => customFieldsToExport(fittingCustomFields(lists, id, filters), filters),
  })

export const exportMeters: BillingHandler<'exportMeters'> = async ({ ctx, seller, query }) =>
  table(ctx, seller, query, {
    name: 'meters',
    columns: meterColumns,
    read: (lists, id, filters) => metersToExport(fittingMeters(lists, id, filters), filters),
  })

type Kind<Row, Query> = {
  readonly name: string
  readonly columns: CsvColumns<Row>
  read(lists: Lists, organizationId: Id<'organization'>, filters: Query & Bounds): Pages<Row> | Promise<Pages<Row>>
}

/** The filters and format that all tables share. */
type Asked = {
  readonly columns?: readonly string[] | undefined
  readonly startTimestamp?: Date | undefined
  readonly endTimestamp?: Date | undefined
}

function table<Row extends { readonly createdAt: Date; readonly id: string }, Query extends Asked>(
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
  const stream = csvStream(chosen(columns, query.columns), async () => {
    pages ??= await read(database.lists, organizationId, { ...query, since, until })
    const rows = await pages(behind)
    behind = rows.at(-1)
    return rows
  })
  return new Download('text/csv; charset=utf-8', `${name}-${now.toISOString().slice(0, 10)}.csv`, stream)
}

/** The requested columns in the requested order; by default all. */
function chosen<Row>(columns: CsvColumns<Row>, asked: readonly string[] | undefined): CsvColumns<Row> {
  if (!asked) return columns
  const cells = new Map(columns)
  const email = cells.get('customer_email')
  // The SDK's name for it.
  if (email) cells.set('email', email)
  return asked.map((heading) => {
    const cell = cells.get(heading)
    if (!cell) throw invalid({ loc: ['query', 'columns'], msg: 'Input should be columns of this table', type: 'enum' })
    return [heading, cell]
  })
}
