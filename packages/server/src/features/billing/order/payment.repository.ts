import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database, Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareInsert, prepareUpdate } from '../../../foundation/db/prepared.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListFilters, readPage, whereOneOf } from '../list.repository.ts'
import { before, payableStatuses, paymentTransitions } from '../states.ts'

export type PaymentRow = Selectable<Tables['payment']>

const columns = {
  created_at: column('payment.createdAt', 'time'),
  status: column('payment.status', 'text'),
  amount: column('payment.amount', 'number'),
  method: column('payment.method', 'text'),
}

/** A page of an organization's payments, declined attempts included. */
export const pageOfPayments = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: ParsedBillingQuery<'listPayments'>,
) => readPage(fittingPayments(lists, organizationId, query), query, { columns, id: 'payment.id' })

const filtered = ['checkoutId', 'orderId', 'customerId', 'status', 'method', 'customerEmail'] as const

/** Filters an organization's payments. */
export const fittingPayments = (
  { db }: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listPayments'>,
) => whereOneOf(paymentsOf(db, organizationId), 'payment', filters, filtered)

const paymentsOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('payment').selectAll().where('organizationId', '=', organizationId)

export const findPayment = (db: Db, organizationId: Id<'organization'>, id: Id<'payment'>) =>
  paymentsOf(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A payment of any organization, because a processor's responses and events name only the payment. */
export const findPaymentById = async (db: Db, id: Id<'payment'>): Promise<PaymentRow | undefined> =>
  (await paymentsById(db, { id })).at(0)

const paymentsById = prepare((db, { id }: { id: Id<'payment'> }) =>
  db.selectFrom('payment').selectAll().where('id', '=', id),
)

export async function insertPayment(tx: Tx, payment: Insertable<Tables['payment']>): Promise<void> {
  await insertPaymentRow(tx, payment)
}

const insertPaymentRow = prepareInsert('payment')

/** Completes a payment. Of two concurrent callers, such as a response and an event, only one gets the row. */
export const transitionPayment = async (
  tx: Tx,
  id: Id<'payment'>,
  next: 'succeeded' | 'failed',
  changes: Updateable<Tables['payment']>,
): Promise<PaymentRow | undefined> => (await transitions[next](tx, { ...changes, status: next }, { id })).at(0)

const transitionTo = (next: 'succeeded' | 'failed') =>
  prepareUpdate((db, changes, { id }: { id: Id<'payment'> }) =>
    db
      .updateTable('payment')
      .set(changes)
      .where('id', '=', id)
      .where('status', 'in', before(paymentTransitions, next))
      .returningAll(),
  )

const transitions = { succeeded: transitionTo('succeeded'), failed: transitionTo('failed') }

/** Locks a pending payment; undefined if it is complete. */
export const lockPendingPayment = (tx: Tx, id: Id<'payment'>) =>
  lockInOrder(
    tx,
    'payment',
    id,
    tx.selectFrom('payment').selectAll().where('id', '=', id).where('status', '=', 'pending'),
  ).executeTakeFirst()

/** Whether another transaction holds a payment now. SQLite runs one transaction at a time. */
export async function isPaymentLocked({ db, dialect }: Database, id: Id<'payment'>): Promise<boolean> {
  if (dialect === 'sqlite') return false
  return (await freePayment(db, { id })).length === 0 && (await findPaymentById(db, id)) !== undefined
}

const freePayment = prepare((db, { id }: { id: Id<'payment'> }) =>
  db.selectFrom('payment').select('id').where('id', '=', id).forUpdate().skipLocked(),
)

/** Whether what a payment is to pay is still to be paid: an order that is open, or a change that can still apply. */
export const isStillDue = (
  db: Db,
  { orderId, changeId }: Pick<PaymentRow, 'orderId' | 'changeId'>,
): Promise<boolean> =>
  orderId !== null
    ? pendingOrder(db, { orderId }).then(([order]) => order !== undefined)
    : hasRow(
        db
          .selectFrom('subscriptionChange')
          .innerJoin('subscription', 'subscription.id', 'subscriptionChange.subscriptionId')
          .select('subscriptionChange.id')
          .where('subscriptionChange.id', '=', changeId)
          .where('subscriptionChange.status', '=', 'pending')
          .where('subscription.status', 'in', payableStatuses)
          .whereRef('subscription.version', '=', 'subscriptionChange.version'),
      )

const pendingOrder = prepare((db, { orderId }: { orderId: Id<'order'> }) =>
  db.selectFrom('order').select('id').where('id', '=', orderId).where('status', '=', 'pending'),
)

/** Ids of a customer's pending payments. */
export async function listPendingPayments(
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<Id<'payment'>[]> {
  const rows = await db
    .selectFrom('payment')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'pending')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a customer is paying for a subscription at a checkout. */
export const isSubscribing = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('payment')
      .innerJoin('checkout', 'checkout.id', 'payment.checkoutId')
      .innerJoin('product', 'product.id', 'checkout.productId')
      .select('payment.id')
      .where('payment.organizationId', '=', organizationId)
      .where('payment.customerId', '=', customerId)
      .where('payment.status', '=', 'pending')
      .where('product.recurringInterval', 'is not', null),
  )

export async function updatePayment(tx: Tx, id: Id<'payment'>, changes: Updateable<Tables['payment']>): Promise<void> {
  await updatePaymentRow(tx, changes, { id })
}

const updatePaymentRow = prepareUpdate((db, changes, { id }: { id: Id<'payment'> }) =>
  db.updateTable('payment').set(changes).where('id', '=', id),
)

/** What payments were for. */
export type FailuresOf = { readonly organizationId: Id<'organization'> } & (
  | { readonly checkoutId: Id<'checkout'> }
  | PaidThing
)

/** An order or a change that a payment pays. */
type PaidThing = { readonly orderId: Id<'order'> } | { readonly changeId: Id<'subscriptionChange'> }

/** Creation times of the latest failed payments of a purchase, newest first. */
export async function listFailures(
  db: Db,
  { organizationId, ...of }: FailuresOf,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('payment')
    .select('createdAt')
    .where('organizationId', '=', organizationId)
    .where((by) => {
      if ('checkoutId' in of) return by('checkoutId', '=', of.checkoutId)
      if ('orderId' in of) return by('orderId', '=', of.orderId)
      return by('changeId', '=', of.changeId)
    })
    .where('status', '=', 'failed')
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** Creation times of a customer's latest attempts to add a payment method, newest first, whatever became of them. */
export async function listSetups(
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('payment')
    .select('createdAt')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('subject', '=', 'setup')
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** The payments of an order or a change that are under way. */
export const listPendingFor = (db: Db, of: PaidThing): Promise<PaymentRow[]> =>
  paymentsFor(db, of).where('status', '=', 'pending').execute()

/** The latest payment of an order or a change. */
export const findLatestFor = (db: Db, of: PaidThing): Promise<PaymentRow | undefined> =>
  paymentsFor(db, of).orderBy('createdAt', 'desc').orderBy('id', 'desc').executeTakeFirst()

const paymentsFor = (db: Db, of: PaidThing) =>
  db
    .selectFrom('payment')
    .selectAll()
    .where((by) => ('orderId' in of ? by('orderId', '=', of.orderId) : by('changeId', '=', of.changeId)))

/** The newest payment of an order by a method. */
export const findLatestBy = (
  db: Db,
  organizationId: Id<'organization'>,
  orderId: Id<'order'>,
  paymentMethodId: Id<'paymentMethod'>,
): Promise<PaymentRow | undefined> =>
  paymentsOf(db, organizationId)
    .where('orderId', '=', orderId)
    .where('paymentMethodId', '=', paymentMethodId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A customer's attempts to add a payment method since a moment, the newest first. */
export const listSetupsSince = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  since: Date,
): Promise<PaymentRow[]> =>
  paymentsOf(db, organizationId)
    .where('customerId', '=', customerId)
    .where('subject', '=', 'setup')
    .where('createdAt', '>=', since)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(20)
    .execute()

/** How many attempts beside its schedule an order has had since a moment, by new default methods. */
export async function countUnscheduled(
  db: Db,
  organizationId: Id<'organization'>,
  orderId: Id<'order'>,
  since: Date,
): Promise<number> {
  const { count } = await paymentsOf(db, organizationId)
    .where('orderId', '=', orderId)
    .where('isUnscheduled', '=', true)
    .where('createdAt', '>', since)
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A customer's attempt to add a payment method, by the processor's id of it. */
export const findSetup = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  processorReference: string,
): Promise<PaymentRow | undefined> =>
  paymentsOf(db, organizationId)
    .where('customerId', '=', customerId)
    .where('subject', '=', 'setup')
    .where('processorReference', '=', processorReference)
    .executeTakeFirst()

/** Whether a payment by a customer's saved method is under way. */
export const isCharged = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  paymentMethodId: Id<'paymentMethod'>,
): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('payment')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('customerId', '=', customerId)
      .where('status', '=', 'pending')
      .where('paymentMethodId', '=', paymentMethodId),
  )

export const findKeptMethod = (db: Db, customerId: Id<'customer'>, referenceHash: string) =>
  db
    .selectFrom('paymentMethod')
    .select(['id', 'fingerprintHash'])
    .where('customerId', '=', customerId)
    .where('referenceHash', '=', referenceHash)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()

/** Saves a payment method; undefined if the customer already has it. */
export const insertMethod = (tx: Tx, method: Insertable<Tables['paymentMethod']>) =>
  tx
    .insertInto('paymentMethod')
    .values(method)
    .onConflict((conflict) =>
      conflict.columns(['customerId', 'referenceHash']).where('deletedAt', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()

/** Notes what identifies the card of a method that has nothing yet. */
export async function noteFingerprint(tx: Tx, id: Id<'paymentMethod'>, fingerprintHash: string): Promise<void> {
  await tx
    .updateTable('paymentMethod')
    .set({ fingerprintHash })
    .where('id', '=', id)
    .where('fingerprintHash', 'is', null)
    .execute()
}

/** Clears the default flag of a customer's payment methods. */
export async function unsetDefaultMethods(
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx
    .updateTable('paymentMethod')
    .set({ isDefault: false })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('isDefault', '=', true)
    .execute()
}
