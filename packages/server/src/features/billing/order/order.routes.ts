import type { orderCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { getOverview } from '../seller/overview.service.ts'
import { getOrder, listOrders } from './order.service.ts'
import { getPayment, listPayments } from './payment.service.ts'
import { getSubscription, listSubscriptions } from './subscription.service.ts'

/** Maps each call of the contract to its service. */
export const orderRoutes: BillingRoutes<typeof orderCalls> = {
  listOrders: ({ ctx, seller, query }) => listOrders(ctx, seller, query),
  getOrder: ({ ctx, seller, params }) => getOrder(ctx, seller, params.id),
  listSubscriptions: ({ ctx, seller, query }) => listSubscriptions(ctx, seller, query),
  getSubscription: ({ ctx, seller, params }) => getSubscription(ctx, seller, params.id),
  listPayments: ({ ctx, seller, query }) => listPayments(ctx, seller, query),
  getPayment: ({ ctx, seller, params }) => getPayment(ctx, seller, params.id),
  getOverview: ({ ctx, seller }) => getOverview(ctx, seller),
}
