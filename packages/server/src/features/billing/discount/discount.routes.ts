import type { discountCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { createDiscount, deleteDiscount, getDiscount, listDiscounts, updateDiscount } from './discount.service.ts'

/** Each call of the contract and the service that does it. */
export const discountRoutes: BillingRoutes<typeof discountCalls> = {
  listDiscounts: ({ ctx, seller, query }) => listDiscounts(ctx, seller, query),
  createDiscount: ({ ctx, seller, body }) => createDiscount(ctx, seller, body),
  getDiscount: ({ ctx, seller, params }) => getDiscount(ctx, seller, params.id),
  updateDiscount: ({ ctx, seller, params, body }) => updateDiscount(ctx, seller, params.id, body),
  deleteDiscount: ({ ctx, seller, params }) => deleteDiscount(ctx, seller, params.id),
}
