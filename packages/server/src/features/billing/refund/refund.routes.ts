import type { refundCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { getDispute, listDisputes } from './dispute.service.ts'
import { createRefund, getRefund, listRefunds } from './refund.service.ts'

/** Each call of the contract and the service that does it. */
export const refundRoutes: BillingRoutes<typeof refundCalls> = {
  listRefunds: ({ ctx, seller, query }) => listRefunds(ctx, seller, query),
  createRefund: ({ ctx, seller, body }) => createRefund(ctx, seller, body),
  getRefund: ({ ctx, seller, params }) => getRefund(ctx, seller, params.id),
  listDisputes: ({ ctx, seller, query }) => listDisputes(ctx, seller, query),
  getDispute: ({ ctx, seller, params }) => getDispute(ctx, seller, params.id),
}
