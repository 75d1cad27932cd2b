import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Lists, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, contains, type ListRequest, metadataFits, type Page, readPage } from '../list.repository.ts'
import { activeStatuses, before, type SubscriptionStatus, subscriptionTransitions } from '../states.ts'

export type CustomerRow = Selectable<Tables['customer']>
/** A customer with the payment method that is charged where none is named. */
export type ShownCustomerRow = CustomerRow & { readonly defaultPaymentMethodId: string | null }

/** Customers of an organization, removed ones too. */
export const shownCustomers = (db: Db, organizationId: string) =>
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

/** A customer, also a removed one. */
export const findShownCustomer = (db: Db, organizationId: string, id: string): Promise<ShownCustomerRow | undefined> =>
  shownCustomers(db, organizationId).where('customer.id', '=', id).executeTakeFirst()

/** Those that have not been removed. */
const present = (db: Db, organizationId: string) =>
  db.selectFrom('customer').selectAll().where('organizationId', '=', organizationId).where('deletedAt', 'is', null)

/** How a customer is looked for: by our id, by the seller's, or by what an address is compared by. */
export type CustomerKey =
  | { readonly id: string }
  | { readonly externalId: string }
  | { readonly emailKey: string }
  | CustomerLink
/** Or by who they are on this server. */
export type CustomerLink = { readonly userId: string } | { readonly buyerOrganizationId: string }

/** A customer that has not been removed. */
export const findCustomer = (db: Db, organizationId: string, key: CustomerKey): Promise<CustomerRow | undefined> =>
  keyed(db, organizationId, key).executeTakeFirst()

/** The same, kept as it is until the transaction ends. */
export const lockCustomer = (tx: Tx, organizationId: string, key: CustomerKey): Promise<CustomerRow | undefined> =>
  keyed(tx, organizationId, key).forUpdate().executeTakeFirst()

function keyed(db: Db, organizationId: string, key: CustomerKey) {
  const query = present(db, organizationId)
  if ('id' in key) return query.where('id', '=', key.id)
  if ('externalId' in key) return query.where('externalId', '=', key.externalId)
  if ('userId' in key) return query.where('userId', '=', key.userId)
  return 'emailKey' in key
    ? query.where('emailKey', '=', key.emailKey)
    : query.where('buyerOrganizationId', '=', key.buyerOrganizationId)
}

/** The customer with an address who is nobody on this server, as far as anybody has said. */
export const lockUnlinkedCustomer = (
  tx: Tx,
  organizationId: string,
  emailKey: string,
): Promise<CustomerRow | undefined> =>
  present(tx, organizationId)
    .where('emailKey', '=', emailKey)
    .where('userId', 'is', null)
    .where('buyerOrganizationId', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

/**
 * The customer that a typed address leads to: one who is nobody's, else a person's; an organization's only where it has the
 * address for itself, because those who buy for one bring their own.
 */
export const lockTypedCustomer = (tx: Tx, organizationId: string, emailKey: string): Promise<CustomerRow | undefined> =>
  present(tx, organizationId)
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
    .forUpdate()
    .executeTakeFirst()

/** Nothing where somebody else has the address, the external id, or is the account: the unique indexes decide. */
export const insertCustomer = (tx: Tx, customer: Insertable<Tables['customer']>): Promise<CustomerRow | undefined> =>
  tx
    .insertInto('customer')
    .values(customer)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateCustomerRow = (
  tx: Tx,
  organizationId: string,
  id: string,
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

/** Whether the account with an address is a member of an organization. */
export async function isMemberByAddress(db: Db, organizationId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('member.id')
    .where('member.organizationId', '=', organizationId)
    .where('user.email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

export type ActiveSubscriptionRow = Selectable<Tables['subscription']>

/** More than anybody shows: a state is one answer, not a list with pages. */
const stateLimit = 1000

/** What a customer is subscribed to now, oldest first. */
export const listActiveSubscriptions = (
  db: Db,
  organizationId: string,
  customerId: string,
): Promise<ActiveSubscriptionRow[]> =>
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

/** Ends every subscription of a customer that has not ended (contract, 3.3: revoke), and gives those. */
export const cancelSubscriptionsOf = (
  tx: Tx,
  organizationId: string,
  customerId: string,
  now: Date,
): Promise<ActiveSubscriptionRow[]> =>
  tx
    .updateTable('subscription')
    .set({
      status: 'canceled' satisfies SubscriptionStatus,
      canceledAt: now,
      endsAt: now,
      endedAt: now,
      modifiedAt: now,
    })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', 'in', before(subscriptionTransitions, 'canceled'))
    .returningAll()
    .execute()

export async function forgetPaymentMethods(
  tx: Tx,
  organizationId: string,
  customerId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('paymentMethod')
    .set({ deletedAt: now, modifiedAt: now })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('deletedAt', 'is', null)
    .execute()
}

export type CustomerFilters = ListRequest & {
  readonly email?: string | undefined
  readonly query?: string | undefined
  /** Whether they have a subscription that is used now. */
  readonly active?: boolean | undefined
  readonly metadata?: Readonly<Record<string, readonly string[]>> | undefined
}

const sorting = {
  created_at: column('customer.createdAt', 'time'),
  email: column('customer.emailKey', 'text'),
  name: column('customer.name', 'nullable'),
}

/** A page of an organization's customers. */
export function pageOfCustomers(
  lists: Lists,
  organizationId: string,
  filters: CustomerFilters,
): Promise<Page<ShownCustomerRow>> {
  const { email, query: text, active, metadata } = filters
  let query = shownCustomers(lists.db, organizationId).where('customer.deletedAt', 'is', null)
  if (email !== undefined) query = query.where('customer.emailKey', '=', email)
  if (text)
    query = query.where((where) =>
      where.or([
        contains(lists, 'customer.email', text),
        contains(lists, 'customer.name', text),
        contains(lists, 'customer.externalId', text),
      ]),
    )
  if (active !== undefined) {
    const subscribers = lists.db
      .selectFrom('subscription')
      .select('subscription.customerId')
      .where('subscription.organizationId', '=', organizationId)
      .where('subscription.status', 'in', activeStatuses)
    query = query.where('customer.id', active ? 'in' : 'not in', subscribers)
  }
  if (metadata) query = query.where(metadataFits(lists, 'customer.metadata', metadata))
  return readPage(query, filters, { columns: sorting, id: 'customer.id' })
}
