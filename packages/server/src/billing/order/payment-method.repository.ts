import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type PaymentMethodRow = Selectable<Tables['paymentMethod']>

/** The methods that a customer has left, and has not taken away. */
export const pageOfPaymentMethods = (
  db: Db,
  organizationId: string,
  customerId: string,
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
