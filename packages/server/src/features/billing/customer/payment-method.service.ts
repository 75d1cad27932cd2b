import type { PaymentMethod } from '@tollgate/contract/billing-types'
import { TollgateError } from '../../../foundation/error.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findCustomer } from './customer.repository.ts'
import { type PaymentMethodRow, pageOfPaymentMethods } from './payment-method.repository.ts'

/** Lists a customer's saved payment methods; a card shows only its last digits. */
type ListCall = 'listCustomerPaymentMethods' | 'listExternalCustomerPaymentMethods'

export const listCustomerPaymentMethods: BillingHandler<ListCall> = async ({ ctx, seller, params, query }) => {
  const { organizationId } = seller
  const customer = await findCustomer(ctx.db, organizationId, params)
  if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { rows, pagination } = await pageOfPaymentMethods(ctx.db, organizationId, customer.id, query)
  return { items: rows.map(toPaymentMethod), pagination }
}

/** A payment method as responses show it. */
export const toPaymentMethod = (row: PaymentMethodRow): PaymentMethod => {
  const card = { brand: row.brand, last4: row.lastFour, expMonth: row.expMonth, expYear: row.expYear, wallet: null }
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    type: row.type,
    default: row.isDefault,
    processor: row.processor,
    customerId: row.customerId,
    ...(row.type === 'card' && { card }),
    methodMetadata: row.type === 'card' ? card : {},
  }
}
