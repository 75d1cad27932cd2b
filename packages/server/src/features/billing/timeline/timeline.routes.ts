import type { timelineCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { exportTimeline, listTimeline } from './timeline.service.ts'

/** Each call of the contract and the service that does it. */
export const timelineRoutes: BillingRoutes<typeof timelineCalls> = {
  listTimeline: ({ ctx, seller, current, query }) => listTimeline(ctx, seller, current, query),
  exportTimeline: ({ ctx, seller, current, query }) => exportTimeline(ctx, seller, current, query),
}
