import type { storefrontCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { createStorefrontCheckout, getStorefront } from './storefront.service.ts'

/** Maps each call of the contract to its service. */
export const storefrontRoutes: BillingRoutes<typeof storefrontCalls> = {
  getStorefront: ({ ctx, caller, params }) => getStorefront(ctx, caller, params.slug),
  createStorefrontCheckout: ({ ctx, params, body }) => createStorefrontCheckout(ctx, params.slug, body.productId),
}
