import type { productCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { createProduct, getProduct, listProducts, updateProduct, updateProductBenefits } from './product.service.ts'

/** Maps each call of the contract to its service. */
export const productRoutes: BillingRoutes<typeof productCalls> = {
  listProducts: ({ ctx, seller, query }) => listProducts(ctx, seller, query),
  createProduct: ({ ctx, seller, body }) => createProduct(ctx, seller, body),
  getProduct: ({ ctx, seller, params }) => getProduct(ctx, seller, params.id),
  updateProduct: ({ ctx, seller, params, body }) => updateProduct(ctx, seller, params.id, body),
  updateProductBenefits: ({ ctx, seller, params, body }) => updateProductBenefits(ctx, seller, params.id, body),
}
