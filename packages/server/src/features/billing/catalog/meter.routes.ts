import type { meterCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { createMeter, getMeter, listMeters, updateMeter } from './meter.service.ts'

/** Maps each call of the contract to its service. */
export const meterRoutes: BillingRoutes<typeof meterCalls> = {
  listMeters: ({ ctx, seller, query }) => listMeters(ctx, seller, query),
  createMeter: ({ ctx, seller, body }) => createMeter(ctx, seller, body),
  getMeter: ({ ctx, seller, params }) => getMeter(ctx, seller, params.id),
  updateMeter: ({ ctx, seller, params, body }) => updateMeter(ctx, seller, params.id, body),
}
