import type { storefrontCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import { createStorefrontCheckout, getStorefront } from './storefront.service.ts'

/** Each call of the contract and the service that does it. */
export const storefrontRoutes: BillingRoutes<typeof storefrontCalls> = {
  getStorefront: ({ ctx, caller, params }) => getStorefront(ctx, caller, params.slug),
  createStorefrontCheckout: ({ ctx, params, body }) => createStorefrontCheckout(ctx, params.slug, body.productId),
}
