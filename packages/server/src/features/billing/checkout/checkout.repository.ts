import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { enterLock } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareInsert, prepareUpdate } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, readPage, whereOneOf } from '../list.repository.ts'
import { before, type CheckoutStatus, checkoutTransitions } from '../states.ts'

export type CheckoutRow = Selectable<Tables['checkout']>

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('checkout').selectAll().where('organizationId', '=', organizationId)
const bySecret = (db: Db, clientSecretHash: string) =>
  db.selectFrom('checkout').selectAll().where('clientSecretHash', '=', clientSecretHash)

export const findCheckout = (db: Db, organizationId: Id<'organization'>, id: Id<'checkout'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

export const findCheckoutBySecret = async (db: Db, hash: string): Promise<CheckoutRow | undefined> =>
  (await checkoutsBySecret(db, { hash })).at(0)

const checkoutsBySecret = prepare((db, { hash }: { hash: string }) => bySecret(db, hash))

/** Locks a checkout until the transaction ends; first in billing's lock order. */
export async function lockCheckout(
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'checkout'>,
): Promise<CheckoutRow | undefined> {
  enterLock(tx, 'checkout', id)
  return (await lockedById(tx, { organizationId, id })).at(0)
}

const lockedById = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'checkout'> }) =>
  ofOrganization(db, organizationId).where('id', '=', id).forUpdate(),
)

export async function lockCheckoutBySecret(tx: Tx, hash: string): Promise<CheckoutRow | undefined> {
  enterLock(tx, 'checkout')
  return (await lockedBySecret(tx, { hash })).at(0)
}

const lockedBySecret = prepare((db, { hash }: { hash: string }) => bySecret(db, hash).forUpdate())

export async function insertCheckout(tx: Tx, row: CheckoutRow, productIds: readonly Id<'product'>[]): Promise<void> {
  await insertCheckoutRow(tx, row)
  const products = productIds.map((productId, position) => ({ checkoutId: row.id, productId, position }))
  await insertOffered(tx, ...products)
}

const insertCheckoutRow = prepareInsert('checkout')
const insertOffered = prepareInsert('checkoutProduct')

/** Undefined if the checkout is no longer open, because a concurrent request was first. */
export const updateOpenCheckout = (tx: Tx, id: Id<'checkout'>, changes: Partial<CheckoutRow>) =>
  tx
    .updateTable('checkout')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()

/** Ids of the offered products by checkout, in order. */
export async function productsOfCheckouts(
  db: Db,
  checkoutIds: readonly Id<'checkout'>[],
): Promise<Map<string, Id<'product'>[]>> {
  const found = new Map<string, Id<'product'>[]>(checkoutIds.map((id) => [id, []]))
  const [only] = checkoutIds
  if (only === undefined) return found
  const rows =
    checkoutIds.length === 1
      ? await offeredByOne(db, { id: only })
      : await offered(db).where('checkoutId', 'in', checkoutIds).execute()
  for (const { checkoutId, productId } of rows) found.get(checkoutId)?.push(productId)
  return found
}

const offered = (db: Db) => db.selectFrom('checkoutProduct').selectAll().orderBy('position')

const offeredByOne = prepare((db, { id }: { id: Id<'checkout'> }) => offered(db).where('checkoutId', '=', id))

const columns = {
  created_at: column('checkout.createdAt', 'time'),
  expires_at: column('checkout.expiresAt', 'time'),
  status: column('checkout.status', 'text'),
}

/** A page of checkouts, by part of the buyer's address among others. */
export function pageOfCheckouts(
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ParsedBillingQuery<'listCheckouts'>,
) {
  const { externalCustomerId, query: text } = request
  const all = ofOrganization(lists.db, organizationId)
  let query = whereOneOf(all, 'checkout', request, ['productId', 'customerId', 'status'])
  if (externalCustomerId) query = query.where('customerExternalId', 'in', externalCustomerId)
  if (text) query = query.where(contains(lists, text, 'checkout.customerEmail'))
  return readPage(query, request, { columns, id: 'checkout.id' })
}

/** A subscription with the types of its prices. */
export async function findSubscriptionPrices(
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
): Promise<{ customerId: Id<'customer'>; status: string; amountTypes: string[] } | undefined> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('subscriptionItem', 'subscriptionItem.subscriptionId', 'subscription.id')
    .innerJoin('productPrice', 'productPrice.id', 'subscriptionItem.productPriceId')
    .select(['subscription.customerId', 'subscription.status', 'productPrice.amountType'])
    .where('subscription.organizationId', '=', organizationId)
    .where('subscription.id', '=', id)
    .execute()
  const [first] = rows
  return first && { ...first, amountTypes: rows.map(({ amountType }) => amountType) }
}

/** Expires overdue checkouts of all sellers or of one, oldest first. */
export const expireCheckouts = (
  tx: Tx,
  now: Date,
  limit: number,
  organizationId?: Id<'organization'>,
): Promise<CheckoutRow[]> =>
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

/** Deletes checkouts that are due for deletion, with their events; returns their number. */
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

/** When the next open checkout expires, of all sellers or of one. */
export async function nextCheckoutExpiry(db: Db, organizationId?: Id<'organization'>): Promise<Date | undefined> {
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

export const findCheckoutById = async (db: Db, id: Id<'checkout'>): Promise<CheckoutRow | undefined> =>
  (await checkoutsById(db, { id })).at(0)

const checkoutsById = prepare((db, { id }: { id: Id<'checkout'> }) =>
  db.selectFrom('checkout').selectAll().where('id', '=', id),
)

/** Moves a checkout to another state; undefined if its present state does not lead there. */
export const transitionCheckout = async (
  tx: Tx,
  id: Id<'checkout'>,
  next: CheckoutStatus,
  changes: Updateable<Tables['checkout']>,
): Promise<CheckoutRow | undefined> => (await transitions[next](tx, { ...changes, status: next }, { id })).at(0)

const transitionTo = (next: CheckoutStatus) =>
  prepareUpdate((db, changes, { id }: { id: Id<'checkout'> }) =>
    db
      .updateTable('checkout')
      .set(changes)
      .where('id', '=', id)
      .where('status', 'in', before(checkoutTransitions, next))
      .returningAll(),
  )

const transitions = {
  open: transitionTo('open'),
  confirmed: transitionTo('confirmed'),
  succeeded: transitionTo('succeeded'),
  expired: transitionTo('expired'),
  failed: transitionTo('failed'),
} as const satisfies Record<CheckoutStatus, unknown>

/** Stores the next action for the buyer's browser; undefined if the checkout no longer waits. */
export const noteAction = (
  tx: Tx,
  id: Id<'checkout'>,
  processorMetadata: CheckoutRow['processorMetadata'],
  now: Date,
) =>
  tx
    .updateTable('checkout')
    .set({ processorMetadata, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'confirmed')
    .returningAll()
    .executeTakeFirst()

type Subscribing = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'>
  readonly checkoutId: Id<'checkout'>
  /** Only payments for this subscription; null for any. */
  readonly subscriptionId?: Id<'subscription'> | null
}

/** Finds a pending payment of this customer for a subscription, at another checkout. */
export function findPendingSubscribing(
  db: Db,
  { organizationId, customerId, checkoutId, subscriptionId = null }: Subscribing,
) {
  const underWay = db
    .selectFrom('payment')
    .innerJoin('checkout', 'checkout.id', 'payment.checkoutId')
    .innerJoin('product', 'product.id', 'checkout.productId')
    .select(['payment.id', 'payment.processor', 'checkout.processorMetadata'])
    .where('payment.organizationId', '=', organizationId)
    .where('payment.customerId', '=', customerId)
    .where('payment.status', '=', 'pending')
    .where('checkout.id', '!=', checkoutId)
    .where('product.recurringInterval', 'is not', null)
    .limit(1)
  const asked = subscriptionId === null ? underWay : underWay.where('checkout.subscriptionId', '=', subscriptionId)
  return asked.executeTakeFirst()
}
