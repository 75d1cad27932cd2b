import type { Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type PaymentMethodRow = Selectable<Tables['paymentMethod']>

/** A page of a customer's payment methods, without removed ones. */
export const pageOfPaymentMethods = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  request: ListRequest,
): Promise<Page<PaymentMethodRow>> =>
  readPage(methodsOf(db, organizationId, customerId).selectAll(), request, {
    columns: { created_at: column('paymentMethod.createdAt', 'time') },
    id: 'paymentMethod.id',
  })

/** A customer's payment methods, newest first, without removed ones. */
export const listPaymentMethods = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<PaymentMethodRow[]> =>
  methodsOf(db, organizationId, customerId).selectAll().orderBy('createdAt', 'desc').orderBy('id').execute()

/** A customer's payment method that is not removed. */
export const findPaymentMethod = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  id: Id<'paymentMethod'>,
): Promise<PaymentMethodRow | undefined> =>
  methodsOf(db, organizationId, customerId).selectAll().where('id', '=', id).executeTakeFirst()

/** A removed method of any organization, because jobs name only the method. */
export const findRemovedMethod = (
  db: Db,
  id: Id<'paymentMethod'>,
): Promise<Pick<PaymentMethodRow, 'processor' | 'processorReference'> | undefined> =>
  db
    .selectFrom('paymentMethod')
    .select(['processor', 'processorReference'])
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst()

/** Removes a payment method; payments keep naming it. */
export async function removePaymentMethod(tx: Tx, id: Id<'paymentMethod'>, now: Date): Promise<void> {
  await tx
    .updateTable('paymentMethod')
    .set({ deletedAt: now, modifiedAt: now, isDefault: false })
    .where('id', '=', id)
    .execute()
}

/** Flags a method as the default; `unsetDefaultMethods` clears the former one first. */
export async function setDefaultMethod(tx: Tx, id: Id<'paymentMethod'>, now: Date): Promise<void> {
  await tx.updateTable('paymentMethod').set({ isDefault: true, modifiedAt: now }).where('id', '=', id).execute()
}

/** A saved method with what a charge needs. */
export type MethodToCharge = Pick<
  PaymentMethodRow,
  'id' | 'processor' | 'processorReference' | 'type' | 'fingerprintHash'
>

/** The method that a payment names, unless its customer has removed it since. */
export const findMethodToCharge = async (
  db: Db,
  { organizationId, customerId, paymentMethodId }: MethodOf,
): Promise<MethodToCharge | undefined> => (await methodById(db, { organizationId, customerId, paymentMethodId })).at(0)

type MethodOf = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'> | null
  readonly paymentMethodId: Id<'paymentMethod'> | null
}

const methodById = prepare((db, { organizationId, customerId, paymentMethodId }: MethodOf) =>
  methodsToCharge(db, organizationId, customerId).where('id', '=', paymentMethodId),
)

/** The method that pays without the customer: the wanted one if they still have it, else their default. */
export const findMethodFor = async (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  wanted: Id<'paymentMethod'> | null,
): Promise<MethodToCharge | undefined> =>
  (await wantedOrDefault(db, { organizationId, customerId, paymentMethodId: wanted })).at(0)

const wantedOrDefault = prepare((db, { organizationId, customerId, paymentMethodId: wanted }: MethodOf) =>
  methodsToCharge(db, organizationId, customerId)
    .where((by) => by.or([by('isDefault', '=', true), by('id', '=', wanted)]))
    .orderBy((by) => by.case().when('id', '=', wanted).then(0).else(1).end())
    .limit(1),
)

const methodsToCharge = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'> | null) =>
  methodsOf(db, organizationId, customerId).select(['id', 'processor', 'processorReference', 'type', 'fingerprintHash'])

const methodsOf = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'> | null) =>
  db
    .selectFrom('paymentMethod')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('deletedAt', 'is', null)

/** What a page shows of a saved method. */
export async function shownMethodOf(
  db: Db,
  id: Id<'paymentMethod'>,
): Promise<{ readonly type: string; readonly brand: string; readonly last4: string } | null> {
  const row = await db
    .selectFrom('paymentMethod')
    .select(['type', 'brand', 'lastFour'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? { type: row.type, brand: row.brand, last4: row.lastFour } : null
}
