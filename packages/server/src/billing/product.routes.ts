import type { productCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../http/billing-route.ts'

/** Each call of the contract and the service that does it. */
export const productRoutes: Partial<BillingRoutes<typeof productCalls>> = {}
