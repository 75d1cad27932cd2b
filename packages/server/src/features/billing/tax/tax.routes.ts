import type { taxCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { getTaxSettings, listTaxRates, updateTaxSettings } from './tax-settings.service.ts'

/** Each call of the contract and the service that does it. */
export const taxRoutes: BillingRoutes<typeof taxCalls> = {
  getTaxSettings: ({ ctx, seller, params }) => getTaxSettings(ctx, seller, params.id),
  updateTaxSettings: ({ ctx, seller, current, params, body }) =>
    updateTaxSettings(ctx, seller, current, params.id, body),
  listTaxRates: () => listTaxRates(),
}
