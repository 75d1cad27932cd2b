import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { enterLock, lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareInsertReturning } from '../../../foundation/db/prepared.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, type ListFilters, metadataFits, readPage } from '../list.repository.ts'
import { activeStatuses } from '../states.ts'

export type CustomerRow = Selectable<Tables['customer']>
/** A customer with their default payment method. */
export type ShownCustomerRow = CustomerRow & { readonly defaultPaymentMethodId: Id<'paymentMethod'> | null }

/** Customers of an organization, removed ones included. */
export const shownCustomers = (db: Db, organizationId: Id<'organization'>) =>
  db
    .selectFrom('customer')
    .selectAll('customer')
    .select((select) =>
      select
        .selectFrom('paymentMethod')
        .select('paymentMethod.id')
        .whereRef('paymentMethod.organizationId', '=', 'customer.organizationId')
        .whereRef('paymentMethod.customerId', '=', 'customer.id')
        .where('paymentMethod.isDefault', '=', true)
        .where('paymentMethod.deletedAt', 'is', null)
        .orderBy('paymentMethod.createdAt', 'desc')
        .limit(1)
        .as('defaultPaymentMethodId'),
    )
    .where('customer.organizationId', '=', organizationId)

/** A customer, removed or not. */
export const findShownCustomer = async (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'customer'>,
): Promise<ShownCustomerRow | undefined> => (await shownById(db, { organizationId, id })).at(0)

type ById = { organizationId: Id<'organization'>; id: Id<'customer'> }
const shownById = prepare((db, { organizationId, id }: ById) =>
  shownCustomers(db, organizationId).where('customer.id', '=', id),
)

/** Customers that are not removed. */
const present = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('customer').selectAll().where('organizationId', '=', organizationId).where('deletedAt', 'is', null)

/** Identifies a customer: by id, by the seller's id, by normalized address, or by link. */
export type CustomerKey =
  | { readonly id: Id<'customer'> }
  | { readonly externalId: string }
  | { readonly emailKey: string }
  | CustomerLink
/** The account or organization of this server that a customer is. */
export type CustomerLink = { readonly userId: Id<'user'> } | { readonly buyerOrganizationId: Id<'organization'> }

/** A customer that is not removed. */
export const findCustomer = async (
  db: Db,
  organizationId: Id<'organization'>,
  key: CustomerKey,
): Promise<CustomerRow | undefined> =>
  'id' in key
    ? (await presentById(db, { organizationId, id: key.id })).at(0)
    : keyed(db, organizationId, key).executeTakeFirst()

const presentById = prepare((db, { organizationId, id }: ById) => present(db, organizationId).where('id', '=', id))

/** The same, locked until the transaction ends. */
export async function lockCustomer(
  tx: Tx,
  organizationId: Id<'organization'>,
  key: CustomerKey,
): Promise<CustomerRow | undefined> {
  if (!('id' in key)) return lockInOrder(tx, 'customer', undefined, keyed(tx, organizationId, key)).executeTakeFirst()
  enterLock(tx, 'customer')
  return (await lockedById(tx, { organizationId, id: key.id })).at(0)
}

const lockedById = prepare((db, { organizationId, id }: ById) =>
  present(db, organizationId).where('id', '=', id).forUpdate(),
)

function keyed(db: Db, organizationId: Id<'organization'>, key: CustomerKey) {
  const query = present(db, organizationId)
  if ('id' in key) return query.where('id', '=', key.id)
  if ('externalId' in key) return query.where('externalId', '=', key.externalId)
  if ('userId' in key) return query.where('userId', '=', key.userId)
  return 'emailKey' in key
    ? query.where('emailKey', '=', key.emailKey)
    : query.where('buyerOrganizationId', '=', key.buyerOrganizationId)
}

/** The oldest customer with an address that is linked to no account or organization. */
export const lockUnlinkedCustomer = (tx: Tx, organizationId: Id<'organization'>, emailKey: string) =>
  lockInOrder(
    tx,
    'customer',
    undefined,
    present(tx, organizationId)
      .where('emailKey', '=', emailKey)
      .where('userId', 'is', null)
      .where('buyerOrganizationId', 'is', null)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1),
  ).executeTakeFirst()

/**
 * The customer that a typed address leads to: an unlinked one first, then a person's. An organization's matches only
 * if it alone holds the address, because its members buy under their own addresses.
 */
export async function lockTypedCustomer(
  tx: Tx,
  organizationId: Id<'organization'>,
  emailKey: string,
): Promise<CustomerRow | undefined> {
  enterLock(tx, 'customer')
  return (await lockedByAddress(tx, { organizationId, emailKey })).at(0)
}

const lockedByAddress = prepare(
  (db, { organizationId, emailKey }: { organizationId: Id<'organization'>; emailKey: string }) =>
    present(db, organizationId)
      .where('emailKey', '=', emailKey)
      .where((where) => where.or([where('buyerOrganizationId', 'is', null), where('soleEmailKey', 'is not', null)]))
      .orderBy((by) =>
        by
          .case()
          .when(by.and([by('userId', 'is', null), by('buyerOrganizationId', 'is', null)]))
          .then(0)
          .when('buyerOrganizationId', 'is', null)
          .then(1)
          .else(2)
          .end(),
      )
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .forUpdate(),
)

/** Returns undefined if another customer has the address, the external id or the account: the unique indexes decide. */
export const insertCustomer = async (
  tx: Tx,
  customer: Insertable<Tables['customer']>,
): Promise<CustomerRow | undefined> => (await insertCustomers(tx, customer)).at(0)

const insertCustomers = prepareInsertReturning('customer', { isOnce: true })

export const updateCustomerRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'customer'>,
  changes: Updateable<Tables['customer']>,
): Promise<CustomerRow | undefined> =>
  tx
    .updateTable('customer')
    .set(changes)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Whether the account with this address is a member of the organization. */
export const isMemberByAddress = (db: Db, organizationId: Id<'organization'>, email: string): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select('member.id')
      .where('member.organizationId', '=', organizationId)
      .where('user.email', '=', email),
  )

export type ActiveSubscriptionRow = Selectable<Tables['subscription']>

/** A safety bound: the state is one response without pages. */
const stateLimit = 1000

/** A customer's active subscriptions, oldest first. */
export const listActiveSubscriptions = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'>) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', 'in', ['trialing', 'active'])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(stateLimit)
    .execute()

/** Removes a customer's payment methods, and returns which. */
export async function forgetPaymentMethods(
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  now: Date,
): Promise<Id<'paymentMethod'>[]> {
  const removed = await tx
    .updateTable('paymentMethod')
    .set({ deletedAt: now, modifiedAt: now })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
  return removed.map(({ id }) => id)
}

const sorting = {
  created_at: column('customer.createdAt', 'time'),
  email: column('customer.emailKey', 'text'),
  name: column('customer.name', 'nullable'),
}

export const pageOfCustomers = (
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ParsedBillingQuery<'listCustomers'>,
) => readPage(fittingCustomers(lists, organizationId, filters), filters, { columns: sorting, id: 'customer.id' })

/** The matching customers of an organization. */
export function fittingCustomers(
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listCustomers'>,
) {
  const { id: ids, email, query: text, active, metadata } = filters
  let query = shownCustomers(lists.db, organizationId).where('customer.deletedAt', 'is', null)
  if (ids) query = query.where('customer.id', 'in', ids)
  if (email !== undefined) query = query.where('customer.emailKey', '=', email)
  if (text) query = query.where(contains(lists, text, 'customer.email', 'customer.name', 'customer.externalId'))
  if (active !== undefined) {
    const subscribers = lists.db
      .selectFrom('subscription')
      .select('subscription.customerId')
      .where('subscription.organizationId', '=', organizationId)
      .where('subscription.status', 'in', activeStatuses)
    query = query.where('customer.id', active ? 'in' : 'not in', subscribers)
  }
  if (metadata) query = query.where(metadataFits(lists, 'customer.metadata', metadata))
  return query
}

/** What each of some customers has spent by currency, and when they ordered last, by the index of their orders. */
export async function customerTotals(
  { db }: Lists,
  organizationId: Id<'organization'>,
  customerIds: readonly Id<'customer'>[],
) {
  if (customerIds.length === 0) return []
  const { rows } = await sql<TotalsRow>`
    select customer_id, currency, sum(net_amount - refunded_amount) as spent, max(created_at) as last
    from ${sql.table('order')}
    where organization_id = ${organizationId} and customer_id in (${sql.join(customerIds)}) and status <> 'pending'
    group by customer_id, currency
    order by customer_id, currency`.execute(db)
  return rows.map(({ customerId, currency, spent, last }) => ({
    customerId,
    currency,
    // PostgreSQL returns sums as text, and times as dates.
    spentAmount: Number(spent),
    lastOrderAt: new Date(last),
  }))
}

type TotalsRow = {
  readonly customerId: Id<'customer'>
  readonly currency: string
  readonly spent: number | string
  readonly last: Date | string
}
