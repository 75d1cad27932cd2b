import type { refundCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'

/** Each call of the contract and the service that does it. */
export const refundRoutes: Partial<BillingRoutes<typeof refundCalls>> = {}
