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
