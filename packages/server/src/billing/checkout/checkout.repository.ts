import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Lists, Tx } from '../../db/database.ts'
import { type Tables, toJson } from '../../db/tables.ts'
import { column, contains, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type CheckoutRow = Selectable<Tables['checkout']>

const jsonColumns = [
  'priceIds',
  'processorMetadata',
  'tax',
  'customerBillingAddress',
  'customerMetadata',
  'customFieldData',
  'metadata',
] as const satisfies (keyof CheckoutRow)[]

/** A row as it is written: what is JSON as text. */
export function checkoutValues(row: CheckoutRow): Insertable<Tables['checkout']>
export function checkoutValues(changes: Partial<CheckoutRow>): Updateable<Tables['checkout']>
export function checkoutValues(row: Partial<CheckoutRow>): Updateable<Tables['checkout']> {
  const written: Record<string, unknown> = { ...row }
  for (const name of jsonColumns) if (row[name] !== undefined && row[name] !== null) written[name] = toJson(row[name])
  return written as Updateable<Tables['checkout']> // the same columns, JSON as text
}

export const findCheckout = (db: Db, organizationId: string, id: string): Promise<CheckoutRow | undefined> =>
  db
    .selectFrom('checkout')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findCheckoutBySecret = (db: Db, clientSecretHash: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('checkout').selectAll().where('clientSecretHash', '=', clientSecretHash).executeTakeFirst()

/** Kept as it is until the transaction ends: the first of all rows of billing that are taken. */
export const lockCheckout = (tx: Tx, organizationId: string, id: string): Promise<CheckoutRow | undefined> =>
  tx
    .selectFrom('checkout')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const lockCheckoutBySecret = (tx: Tx, clientSecretHash: string): Promise<CheckoutRow | undefined> =>
  tx.selectFrom('checkout').selectAll().where('clientSecretHash', '=', clientSecretHash).forUpdate().executeTakeFirst()

export async function insertCheckout(tx: Tx, row: CheckoutRow, productIds: readonly string[]): Promise<void> {
  await tx.insertInto('checkout').values(checkoutValues(row)).execute()
  const products = productIds.map((productId, position) => ({ checkoutId: row.id, productId, position }))
  await tx.insertInto('checkoutProduct').values(products).execute()
}

/** Nothing where the checkout is no longer open: somebody else was first. */
export const updateOpenCheckout = (
  tx: Tx,
  id: string,
  changes: Partial<CheckoutRow>,
): Promise<CheckoutRow | undefined> =>
  tx
    .updateTable('checkout')
    .set(checkoutValues(changes))
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()

/** The products that each of some checkouts offers, in their order. */
export async function productsOfCheckouts(db: Db, checkoutIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(checkoutIds.map((id) => [id, []]))
  if (checkoutIds.length === 0) return found
  const rows = await db
    .selectFrom('checkoutProduct')
    .selectAll()
    .where('checkoutId', 'in', checkoutIds)
    .orderBy('position')
    .execute()
  for (const { checkoutId, productId } of rows) found.get(checkoutId)?.push(productId)
  return found
}

const columns = {
  created_at: column('checkout.createdAt', 'time'),
  expires_at: column('checkout.expiresAt', 'time'),
  status: column('checkout.status', 'text'),
}

export type CheckoutFilter = {
  readonly productId?: readonly string[] | undefined
  readonly customerId?: readonly string[] | undefined
  readonly externalCustomerId?: readonly string[] | undefined
  readonly status?: readonly string[] | undefined
  /** Of the buyer's address. */
  readonly query?: string | undefined
}

export function pageOfCheckouts(
  lists: Lists,
  organizationId: string,
  request: ListRequest & CheckoutFilter,
): Promise<Page<CheckoutRow>> {
  const { productId, customerId, externalCustomerId, status, query: text } = request
  let query = lists.db.selectFrom('checkout').selectAll().where('organizationId', '=', organizationId)
  if (productId) query = query.where('productId', 'in', productId)
  if (customerId) query = query.where('customerId', 'in', customerId)
  if (externalCustomerId) query = query.where('customerExternalId', 'in', externalCustomerId)
  if (status) query = query.where('status', 'in', status)
  if (text) query = query.where(contains(lists, 'checkout.customerEmail', text))
  return readPage(query, request, { columns, id: 'checkout.id' })
}

/** A subscription with the kinds of its prices. */
export async function findSubscriptionPrices(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ customerId: string; status: string; amountTypes: string[] } | undefined> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('subscriptionPrice', 'subscriptionPrice.subscriptionId', 'subscription.id')
    .innerJoin('productPrice', 'productPrice.id', 'subscriptionPrice.productPriceId')
    .select(['subscription.customerId', 'subscription.status', 'productPrice.amountType'])
    .where('subscription.organizationId', '=', organizationId)
    .where('subscription.id', '=', id)
    .execute()
  const [first] = rows
  return first && { ...first, amountTypes: rows.map(({ amountType }) => amountType) }
}

/** Checkouts whose time is over, of everybody or of one seller, the longest over first; they are expired from now on. */
export const expireCheckouts = (tx: Tx, now: Date, limit: number, organizationId?: string): Promise<CheckoutRow[]> =>
  tx
    .updateTable('checkout')
    .set({ status: 'expired', modifiedAt: now })
    .where('status', '=', 'open')
    .where('id', 'in', (among) =>
      among
        .selectFrom('checkout')
        .select('checkout.id')
        .where('checkout.status', '=', 'open')
        .where('checkout.expiresAt', '<=', now)
        .$if(organizationId !== undefined, (query) => query.where('checkout.organizationId', '=', organizationId!))
        .orderBy('checkout.expiresAt')
        .limit(limit),
    )
    .returningAll()
    .execute()

/** Removes some checkouts whose time to be removed has come, with everything that was told of them; how many it were. */
export async function forgetCheckouts(tx: Tx, now: Date, limit: number): Promise<number> {
  const removed = await tx
    .deleteFrom('checkout')
    .where('id', 'in', (among) =>
      among
        .selectFrom('checkout as left')
        .select('left.id')
        .where('left.status', '=', 'expired')
        .where('left.customerId', 'is', null)
        .where('left.forgetAt', 'is not', null)
        .where('left.forgetAt', '<=', now)
        .orderBy('left.forgetAt')
        .limit(limit),
    )
    .returning('id')
    .execute()
  const ids = removed.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('event').where('subjectId', 'in', ids).execute()
  return ids.length
}

/** When the next open checkout expires, of everybody or of one seller. */
export async function nextCheckoutExpiry(db: Db, organizationId?: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('checkout')
    .select('expiresAt')
    .where('status', '=', 'open')
    .$if(organizationId !== undefined, (query) => query.where('organizationId', '=', organizationId!))
    .orderBy('expiresAt')
    .limit(1)
    .executeTakeFirst()
  return row?.expiresAt
}
