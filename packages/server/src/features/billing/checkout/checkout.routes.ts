import type { checkoutCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import {
  createCheckout,
  getCheckout,
  getClientCheckout,
  listCheckouts,
  updateCheckout,
  updateClientCheckout,
} from './checkout.service.ts'
import {
  createCheckoutLink,
  deleteCheckoutLink,
  getCheckoutLink,
  listCheckoutLinks,
  updateCheckoutLink,
} from './checkout-link.service.ts'
import { confirmClientCheckout } from './confirm.service.ts'

/** Maps each call of the contract to its service. */
export const checkoutRoutes: BillingRoutes<typeof checkoutCalls> = {
  listCheckouts: ({ ctx, seller, query }) => listCheckouts(ctx, seller, query),
  createCheckout: ({ ctx, seller, body }) => createCheckout(ctx, seller, body),
  getCheckout: ({ ctx, seller, params }) => getCheckout(ctx, seller, params.id),
  updateCheckout: ({ ctx, seller, params, body }) => updateCheckout(ctx, seller, params.id, body),
  getClientCheckout: ({ ctx, caller, params }) => getClientCheckout(ctx, caller, params.clientSecret),
  updateClientCheckout: ({ ctx, caller, params, body }) => updateClientCheckout(ctx, caller, params.clientSecret, body),
  confirmClientCheckout: ({ ctx, caller, params, body }) =>
    confirmClientCheckout(ctx, caller, params.clientSecret, body),
  listCheckoutLinks: ({ ctx, seller, query }) => listCheckoutLinks(ctx, seller, query),
  createCheckoutLink: ({ ctx, seller, body }) => createCheckoutLink(ctx, seller, body),
  getCheckoutLink: ({ ctx, seller, params }) => getCheckoutLink(ctx, seller, params.id),
  updateCheckoutLink: ({ ctx, seller, params, body }) => updateCheckoutLink(ctx, seller, params.id, body),
  deleteCheckoutLink: ({ ctx, seller, params }) => deleteCheckoutLink(ctx, seller, params.id),
}
