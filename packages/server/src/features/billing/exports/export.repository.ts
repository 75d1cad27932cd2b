import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Id } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import type { fittingCustomers } from '../customer/customer.repository.ts'

/**
 * Limits a table to a time window, and to the rows with some ids. Without `until`, rows written meanwhile could keep the
 * export from ending.
 */
export type Bounds = {
  readonly since?: Date | undefined
  readonly until: Date
  readonly id?: readonly string[] | undefined
}

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
  { since, until, id: ids }: Bounds,
): Pages<Row> {
  const ref = (column: string) => sql.ref(`${table}.${column}`)
  const [createdAt, id] = [ref('createdAt'), ref('id')]
  let all = query.where(sql<boolean>`${createdAt} <= ${until.toISOString()}`)
  if (since) all = all.where(sql<boolean>`${createdAt} >= ${since.toISOString()}`)
  if (ids) all = all.where(sql<boolean>`${id} in (${sql.join(ids)})`)
  const pages = all.orderBy(createdAt).orderBy(id).limit(pageSize)
  return (behind) =>
    (behind
      ? pages.where(sql<boolean>`(${createdAt}, ${id}) > (${behind.createdAt.toISOString()}, ${behind.id})`)
      : pages
    ).execute()
}

type Of = Pick<ExpressionBuilder<Tables, never>, 'selectFrom'>

const invoiceNumberOf = (of: Of, orderId: Id<'order'>) =>
  of
    .selectFrom('order')
    .select('order.invoiceNumber')
    .where('order.id', '=', sql.ref<string>(orderId))
    .as('invoiceNumber')
const emailOf = (of: Of, customerId: Id<'customer'>) =>
  of
    .selectFrom('customer')
    .select('customer.email')
    .where('customer.id', '=', sql.ref<string>(customerId))
    .as('customerEmail')
const isTestOf = (of: Of, paymentId: Id<'payment'>) =>
  of.selectFrom('payment').select('payment.isTest').where('payment.id', '=', sql.ref<string>(paymentId)).as('isTest')

/** The rows of an export: what its query selects. */
type RowOf<Export extends (...given: never) => Pages<unknown>> =
  ReturnType<Export> extends Pages<infer Row> ? Row : never

export type ExportedCustomer = RowOf<typeof customersToExport>

export const customersToExport = (fitting: ReturnType<typeof fittingCustomers>, bounds: Bounds) =>
  pagesOf(fitting, 'customer', bounds)

/** An order with data of its checkout and its payment: null without a checkout, and for a free order. */
export type ExportedOrder = RowOf<typeof ordersToExport>

export function ordersToExport(fitting: Fitting<'order'>, bounds: Bounds) {
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
  return pagesOf(query, 'order', bounds)
}

/** The purchased product, for rows without a product of their own. */
type OfProducts = { readonly productId?: Id<'product'>[] | undefined }

export type ExportedPayment = RowOf<typeof paymentsToExport>

export function paymentsToExport(
  fitting: Fitting<'payment'>,
  organizationId: Id<'organization'>,
  { productId, ...bounds }: OfProducts & Bounds,
) {
  let query = fitting.select((of) => invoiceNumberOf(of, 'payment.orderId'))
  if (productId)
    query = query.where('checkoutId', 'in', (of) =>
      of
        .selectFrom('checkout')
        .select('checkout.id')
        .where('checkout.organizationId', '=', organizationId)
        .where('checkout.productId', 'in', productId),
    )
  return pagesOf(query, 'payment', bounds)
}

/** A refund with the content of its credit note, as JSON. */
export type ExportedRefund = RowOf<typeof refundsToExport>

export function refundsToExport(
  fitting: Fitting<'refund'>,
  organizationId: Id<'organization'>,
  { productId, ...bounds }: OfProducts & Bounds,
) {
  let query = fitting.select((of) => [
    invoiceNumberOf(of, 'refund.orderId'),
    emailOf(of, 'refund.customerId'),
    // The order knows it too: credit alone may have paid it.
    of.selectFrom('order').select('order.isTest').whereRef('order.id', '=', 'refund.orderId').as('isTest'),
    of
      .selectFrom('document')
      .select('document.content')
      .whereRef('document.refundId', '=', 'refund.id')
      .where('document.kind', '=', 'credit_note')
      .as('creditNote'),
  ])
  if (productId) query = query.where('orderId', 'in', (of) => ordersOf(of, organizationId, productId))
  return pagesOf(query, 'refund', bounds)
}

/** The orders of some products. */
const ordersOf = (of: Of, organizationId: Id<'organization'>, productId: Id<'product'>[]) =>
  of
    .selectFrom('order')
    .select('order.id')
    .where('order.organizationId', '=', organizationId)
    .where('order.productId', 'in', productId)

/** A dispute with its order's amount before tax, and that order's tax. */
export type ExportedDispute = RowOf<typeof disputesToExport>

export function disputesToExport(
  fitting: Fitting<'dispute'>,
  organizationId: Id<'organization'>,
  { productId, ...bounds }: OfProducts & Bounds,
) {
  let query = fitting.select((of) => {
    const order = of.selectFrom('order').whereRef('order.id', '=', 'dispute.orderId')
    return [
      invoiceNumberOf(of, 'dispute.orderId'),
      order.select('order.netAmount').as('netAmount'),
      order.select('order.tax').as('tax'),
      emailOf(of, 'dispute.customerId'),
      isTestOf(of, 'dispute.paymentId'),
    ]
  })
  if (productId) query = query.where('orderId', 'in', (of) => ordersOf(of, organizationId, productId))
  return pagesOf(query, 'dispute', bounds)
}

export type ExportedSubscription = RowOf<typeof subscriptionsToExport>

export function subscriptionsToExport(fitting: Fitting<'subscription'>, bounds: Bounds) {
  const customer = 'subscription.customerId'
  const query = fitting.select((of) => [
    emailOf(of, customer),
    of.selectFrom('customer').select('customer.name').whereRef('customer.id', '=', customer).as('customerName'),
    of
      .selectFrom('product')
      .select('product.name')
      .whereRef('product.id', '=', 'subscription.productId')
      .as('productName'),
  ])
  return pagesOf(query, 'subscription', bounds)
}

/** A product with its first price that is free, fixed or the buyer's choice; null if there are only usage prices. */
export type ExportedProduct = RowOf<typeof productsToExport>

export function productsToExport(fitting: Fitting<'product'>, bounds: Bounds) {
  const query = fitting.select((of) => {
    const price = of
      .selectFrom('productPrice')
      .whereRef('productPrice.productId', '=', 'product.id')
      .where('productPrice.isArchived', '=', false)
      .where('productPrice.amountType', '<>', 'metered_unit')
      .orderBy('productPrice.position')
      .limit(1)
    return [
      price.select('productPrice.amountType').as('priceType'),
      price.select('productPrice.priceAmount').as('priceAmount'),
      price.select('productPrice.priceCurrency').as('priceCurrency'),
    ]
  })
  return pagesOf(query, 'product', bounds)
}

export type ExportedDiscount = RowOf<typeof discountsToExport>

export const discountsToExport = (fitting: Fitting<'discount'>, bounds: Bounds) => pagesOf(fitting, 'discount', bounds)

export type ExportedCheckoutLink = RowOf<typeof checkoutLinksToExport>

export const checkoutLinksToExport = (fitting: Fitting<'checkoutLink'>, bounds: Bounds) =>
  pagesOf(fitting, 'checkoutLink', bounds)

export type ExportedCustomField = RowOf<typeof customFieldsToExport>

export const customFieldsToExport = (fitting: Fitting<'customField'>, bounds: Bounds) =>
  pagesOf(fitting, 'customField', bounds)

export type ExportedMeter = RowOf<typeof metersToExport>

export const metersToExport = (fitting: Fitting<'meter'>, bounds: Bounds) => pagesOf(fitting, 'meter', bounds)
