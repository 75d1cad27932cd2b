import type { SaleTax } from '@tollgate/contract/billing-types'
import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from '../../../foundation/db/tables.ts'

/** The time window of a table. Without `until`, rows written meanwhile could keep the export from ending. */
export type Period = { readonly since?: Date | undefined; readonly until: Date }

/** The end of the previous page. */
type Behind = { readonly createdAt: Date; readonly id: string } | undefined

/** The matching rows, by the same query as the list call. */
type Fitting<Name extends keyof Tables> = SelectQueryBuilder<Tables, Name, Selectable<Tables[Name]>>

/** Yields the rows of a table page by page, oldest first. Pages continue by the index, so deep ones stay fast. */
export type Pages<Row> = (behind: Behind) => Promise<Row[]>

/** Rows per page: bounds the memory, however long the table is. */
const pageSize = 500

function pagesOf<Name extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Name, Row>,
  table: Name,
  { since, until }: Period,
): Pages<Row> {
  const ref = (column: string) => sql.ref(`${table}.${column}`)
  const [createdAt, id] = [ref('createdAt'), ref('id')]
  let all = query.where(sql<boolean>`${createdAt} <= ${until.toISOString()}`)
  if (since) all = all.where(sql<boolean>`${createdAt} >= ${since.toISOString()}`)
  const pages = all.orderBy(createdAt).orderBy(id).limit(pageSize)
  return (behind) =>
    (behind
      ? pages.where(sql<boolean>`(${createdAt}, ${id}) > (${behind.createdAt.toISOString()}, ${behind.id})`)
      : pages
    ).execute()
}

export type ExportedOrder = Selectable<Tables['order']> & {
  /** The checkout's data; null members for an order without one. */
  readonly customerTaxId: string | null
  readonly isBuyerKnown: boolean | null
  /** The payment of the order; null members for a free one. */
  readonly isTest: boolean | null
}

export function ordersToExport(fitting: Fitting<'order'>, period: Period): Pages<ExportedOrder> {
  const query = fitting.select((of) => [
    of
      .selectFrom('checkout')
      .select('checkout.customerTaxId')
      .whereRef('checkout.id', '=', 'order.checkoutId')
      .as('customerTaxId'),
    of
      .selectFrom('checkout')
      .select('checkout.isBuyerKnown')
      .whereRef('checkout.id', '=', 'order.checkoutId')
      .as('isBuyerKnown'),
    of
      .selectFrom('payment')
      .select('payment.isTest')
      .whereRef('payment.organizationId', '=', 'order.organizationId')
      .whereRef('payment.orderId', '=', 'order.id')
      .where('payment.status', '=', 'succeeded')
      .limit(1)
      .as('isTest'),
  ])
  return pagesOf(query, 'order', period)
}

/** The purchased product, for rows without a product of their own. */
type OfProducts = { readonly productId?: string[] | undefined }

export type ExportedPayment = Selectable<Tables['payment']> & { readonly invoiceNumber: string | null }

export function paymentsToExport(
  fitting: Fitting<'payment'>,
  organizationId: string,
  { productId, ...period }: OfProducts & Period,
): Pages<ExportedPayment> {
  let query = fitting.select((of) =>
    of
      .selectFrom('order')
      .select('order.invoiceNumber')
      .whereRef('order.id', '=', 'payment.orderId')
      .as('invoiceNumber'),
  )
  if (productId)
    query = query.where('checkoutId', 'in', (of) =>
      of
        .selectFrom('checkout')
        .select('checkout.id')
        .where('checkout.organizationId', '=', organizationId)
        .where('checkout.productId', 'in', productId),
    )
  return pagesOf(query, 'payment', period)
}

export type ExportedRefund = Selectable<Tables['refund']> & {
  readonly invoiceNumber: string | null
  readonly customerEmail: string | null
  readonly isTest: boolean | null
  /** The content of its credit note, as JSON. */
  readonly creditNote: string | null
}

export function refundsToExport(
  fitting: Fitting<'refund'>,
  organizationId: string,
  { productId, ...period }: OfProducts & Period,
): Pages<ExportedRefund> {
  let query = fitting.select((of) => [
    of
      .selectFrom('order')
      .select('order.invoiceNumber')
      .whereRef('order.id', '=', 'refund.orderId')
      .as('invoiceNumber'),
    of
      .selectFrom('customer')
      .select('customer.email')
      .whereRef('customer.id', '=', 'refund.customerId')
      .as('customerEmail'),
    of.selectFrom('payment').select('payment.isTest').whereRef('payment.id', '=', 'refund.paymentId').as('isTest'),
    of
      .selectFrom('document')
      .select('document.content')
      .whereRef('document.refundId', '=', 'refund.id')
      .where('document.kind', '=', 'credit_note')
      .as('creditNote'),
  ])
  if (productId) query = query.where('orderId', 'in', (of) => ordersOf(of, organizationId, productId))
  return pagesOf(query, 'refund', period)
}

/** The orders of some products. */
const ordersOf = (
  of: Pick<ExpressionBuilder<Tables, never>, 'selectFrom'>,
  organizationId: string,
  productId: string[],
) =>
  of
    .selectFrom('order')
    .select('order.id')
    .where('order.organizationId', '=', organizationId)
    .where('order.productId', 'in', productId)

export type ExportedDispute = Selectable<Tables['dispute']> & {
  readonly invoiceNumber: string | null
  /** The order's amount before tax, and its tax. */
  readonly netAmount: number | null
  readonly tax: SaleTax | null
  readonly customerEmail: string | null
  readonly isTest: boolean | null
}

export function disputesToExport(
  fitting: Fitting<'dispute'>,
  organizationId: string,
  { productId, ...period }: OfProducts & Period,
): Pages<ExportedDispute> {
  let query = fitting.select((of) => {
    const order = of.selectFrom('order').whereRef('order.id', '=', 'dispute.orderId')
    return [
      order.select('order.invoiceNumber').as('invoiceNumber'),
      order.select('order.netAmount').as('netAmount'),
      order.select('order.tax').as('tax'),
      of
        .selectFrom('customer')
        .select('customer.email')
        .whereRef('customer.id', '=', 'dispute.customerId')
        .as('customerEmail'),
      of.selectFrom('payment').select('payment.isTest').whereRef('payment.id', '=', 'dispute.paymentId').as('isTest'),
    ]
  })
  if (productId) query = query.where('orderId', 'in', (of) => ordersOf(of, organizationId, productId))
  return pagesOf(query, 'dispute', period)
}

export type ExportedSubscription = Selectable<Tables['subscription']> & {
  readonly customerEmail: string | null
  readonly customerName: string | null
  readonly productName: string | null
}

export function subscriptionsToExport(fitting: Fitting<'subscription'>, period: Period): Pages<ExportedSubscription> {
  const customer = 'subscription.customerId'
  const query = fitting.select((of) => [
    of.selectFrom('customer').select('customer.email').whereRef('customer.id', '=', customer).as('customerEmail'),
    of.selectFrom('customer').select('customer.name').whereRef('customer.id', '=', customer).as('customerName'),
    of
      .selectFrom('product')
      .select('product.name')
      .whereRef('product.id', '=', 'subscription.productId')
      .as('productName'),
  ])
  return pagesOf(query, 'subscription', period)
}
