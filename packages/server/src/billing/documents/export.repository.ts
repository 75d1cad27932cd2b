import type { Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Lists } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

/** Which rows of a table; `until` is always there, so that what is written meanwhile does not keep it from ending. */
export type ExportFilters = {
  readonly productId?: string[] | undefined
  readonly customerId?: string[] | undefined
  readonly since?: Date | undefined
  readonly until: Date
}

/** Where the page before ended. */
export type Behind = { readonly createdAt: Date; readonly id: string } | undefined

/** How many rows are read at once: what is held in memory, however long the table is. */
const pageSize = 500

/** The organization's rows, oldest first, behind where the page before ended: by its index, however deep. */
function pageOf<Name extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Name, Row>,
  table: Name,
  organizationId: string,
  { since, until, customerId }: ExportFilters,
  behind: Behind,
): Promise<Row[]> {
  const ref = (column: string) => sql.ref(`${table}.${column}`)
  const [createdAt, id] = [ref('createdAt'), ref('id')]
  let page = query
    .where(sql<boolean>`${ref('organizationId')} = ${organizationId}`)
    .where(sql<boolean>`${createdAt} <= ${until.toISOString()}`)
  if (behind) page = page.where(sql<boolean>`(${createdAt}, ${id}) > (${behind.createdAt.toISOString()}, ${behind.id})`)
  if (since) page = page.where(sql<boolean>`${createdAt} >= ${since.toISOString()}`)
  if (customerId) page = page.where(sql<boolean>`${ref('customerId')} in (${sql.join(customerId)})`)
  return page.orderBy(createdAt).orderBy(id).limit(pageSize).execute()
}

export type ExportedOrder = Selectable<Tables['order']>

export function ordersToExport(
  { db }: Lists,
  organizationId: string,
  filters: ExportFilters,
  behind: Behind,
): Promise<ExportedOrder[]> {
  let query = db.selectFrom('order').selectAll()
  if (filters.productId) query = query.where('productId', 'in', filters.productId)
  return pageOf(query, 'order', organizationId, filters, behind)
}

export type ExportedPayment = Selectable<Tables['payment']> & { readonly invoiceNumber: string | null }

export function paymentsToExport(
  { db }: Lists,
  organizationId: string,
  filters: ExportFilters,
  behind: Behind,
): Promise<ExportedPayment[]> {
  let query = db
    .selectFrom('payment')
    .selectAll()
    .select((of) =>
      of
        .selectFrom('order')
        .select('order.invoiceNumber')
        .whereRef('order.id', '=', 'payment.orderId')
        .as('invoiceNumber'),
    )
  const { productId } = filters
  if (productId)
    query = query.where('checkoutId', 'in', (of) =>
      of
        .selectFrom('checkout')
        .select('checkout.id')
        .where('checkout.organizationId', '=', organizationId)
        .where('checkout.productId', 'in', productId),
    )
  return pageOf(query, 'payment', organizationId, filters, behind)
}

export type ExportedRefund = Selectable<Tables['refund']> & {
  readonly invoiceNumber: string | null
  readonly customerEmail: string | null
}

export function refundsToExport(
  { db }: Lists,
  organizationId: string,
  filters: ExportFilters,
  behind: Behind,
): Promise<ExportedRefund[]> {
  let query = db
    .selectFrom('refund')
    .selectAll()
    .select((of) => [
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
    ])
  const { productId } = filters
  if (productId)
    query = query.where('orderId', 'in', (of) =>
      of
        .selectFrom('order')
        .select('order.id')
        .where('order.organizationId', '=', organizationId)
        .where('order.productId', 'in', productId),
    )
  return pageOf(query, 'refund', organizationId, filters, behind)
}

export type ExportedSubscription = Selectable<Tables['subscription']> & {
  readonly customerEmail: string | null
  readonly customerName: string | null
  readonly productName: string | null
}

export function subscriptionsToExport(
  { db }: Lists,
  organizationId: string,
  filters: ExportFilters,
  behind: Behind,
): Promise<ExportedSubscription[]> {
  const customer = 'subscription.customerId'
  let query = db
    .selectFrom('subscription')
    .selectAll()
    .select((of) => [
      of.selectFrom('customer').select('customer.email').whereRef('customer.id', '=', customer).as('customerEmail'),
      of.selectFrom('customer').select('customer.name').whereRef('customer.id', '=', customer).as('customerName'),
      of
        .selectFrom('product')
        .select('product.name')
        .whereRef('product.id', '=', 'subscription.productId')
        .as('productName'),
    ])
  if (filters.productId) query = query.where('productId', 'in', filters.productId)
  return pageOf(query, 'subscription', organizationId, filters, behind)
}
