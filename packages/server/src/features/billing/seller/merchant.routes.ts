import type { merchantCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from './billing-routes.ts'
import { createMerchant, getMerchant, listMerchants, updateMerchant } from './merchant.service.ts'

/** Maps each call of the contract to its service. */
export const merchantRoutes: BillingRoutes<typeof merchantCalls> = {
  listMerchants: ({ ctx, seller, current, query }) => listMerchants(ctx, seller, current, query),
  createMerchant: ({ ctx, caller, current, body }) => createMerchant(ctx, caller, current, body),
  getMerchant: ({ ctx, seller, params }) => getMerchant(ctx, seller, params.id),
  updateMerchant: ({ ctx, seller, current, params, body }) => updateMerchant(ctx, seller, current, params.id, body),
}
