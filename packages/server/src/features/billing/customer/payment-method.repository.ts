import type { Selectable } from 'kysely'
import type { Db, Id } from '../../../foundation/db/database.ts'
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
  readPage(
    db
      .selectFrom('paymentMethod')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('customerId', '=', customerId)
      .where('deletedAt', 'is', null),
    request,
    { columns: { created_at: column('paymentMethod.createdAt', 'time') }, id: 'paymentMethod.id' },
  )

/** A saved method with what a charge needs. */
export type MethodToCharge = Pick<PaymentMethodRow, 'id' | 'processor' | 'processorReference' | 'type'>

/** The method that a payment names, unless its customer has removed it since. */
export const findMethodToCharge = (
  db: Db,
  {
    organizationId,
    customerId,
    paymentMethodId,
  }: Readonly<Record<'organizationId', Id<'organization'>>> & {
    readonly customerId: Id<'customer'> | null
    readonly paymentMethodId: Id<'paymentMethod'> | null
  },
): Promise<MethodToCharge | undefined> =>
  methodsToCharge(db, organizationId, customerId).where('id', '=', paymentMethodId).executeTakeFirst()

/** The method that pays without the customer: the wanted one if they still have it, else their default. */
export const findMethodFor = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  wanted: Id<'paymentMethod'> | null,
): Promise<MethodToCharge | undefined> =>
  methodsToCharge(db, organizationId, customerId)
    .where((by) => by.or([by('isDefault', '=', true), by('id', '=', wanted)]))
    .orderBy((by) => by.case().when('id', '=', wanted).then(0).else(1).end())
    .limit(1)
    .executeTakeFirst()

const methodsToCharge = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'> | null) =>
  db
    .selectFrom('paymentMethod')
    .select(['id', 'processor', 'processorReference', 'type'])
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
