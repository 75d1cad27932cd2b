import type { productCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import { createProduct, getProduct, listProducts, updateProduct, updateProductBenefits } from './product.service.ts'

/** Each call of the contract and the service that does it. */
export const productRoutes: BillingRoutes<typeof productCalls> = {
  listProducts: ({ ctx, seller, query }) => listProducts(ctx, seller, query),
  createProduct: ({ ctx, seller, body }) => createProduct(ctx, seller, body),
  getProduct: ({ ctx, seller, params }) => getProduct(ctx, seller, params.id),
  updateProduct: ({ ctx, seller, params, body }) => updateProduct(ctx, seller, params.id, body),
  updateProductBenefits: ({ ctx, seller, params, body }) => updateProductBenefits(ctx, seller, params.id, body),
}
