import type { timelineCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'

/** Each call of the contract and the service that does it. */
export const timelineRoutes: Partial<BillingRoutes<typeof timelineCalls>> = {}
