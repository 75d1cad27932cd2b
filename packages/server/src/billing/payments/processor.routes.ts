import type { processorCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'

/** Each call of the contract and the service that does it. */
export const processorRoutes: Partial<BillingRoutes<typeof processorCalls>> = {}
