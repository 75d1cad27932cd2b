import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

/** When the rows of a table were made; `until` is always there, so that what is written meanwhile does not keep it from ending. */
export type Period = { readonly since?: Date | undefined; readonly until: Date }

/** Where the page before ended. */
type Behind = { readonly createdAt: Date; readonly id: string } | undefined

/** The rows that fit, as the list of the same is read from them. */
type Fitting<Name extends keyof Tables> = SelectQueryBuilder<Tables, Name, Selectable<Tables[Name]>>

/** The rows of a table page by page, oldest first, each behind where the one before it ended: by their index, however deep. */
export type Pages<Row> = (behind: Behind) => Promise<Row[]>

/** How many rows are read at once: what is held in memory, however long the table is. */
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
  /** What was said at the checkout; nothing of an order that had none. */
  readonly customerTaxId: string | null
  readonly isBuyerKnown: boolean | null
  /** Of what it was paid by; nothing of one that cost nothing. */
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

/** What was bought, of what has no product of its own. */
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
  /** What stands on its credit note, as JSON. */
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
  /** Of its order: before tax, and the tax that was on it. */
  readonly netAmount: number | null
  readonly tax: unknown
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
