import type { webhookCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'

/** Each call of the contract and the service that does it. */
export const webhookRoutes: Partial<BillingRoutes<typeof webhookCalls>> = {}
