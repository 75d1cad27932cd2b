import type { BillingCall } from './call.ts'

/** Meters count usage; prices of kind `metered_unit` name one. */
export const meterCalls = {
  listMeters: { method: 'GET', path: '/meters', auth: 'seller', scope: 'meters:read' },
  exportMeters: { method: 'GET', path: '/meters/export', auth: 'seller', scope: 'meters:read', givesFile: true },
  createMeter: {
    method: 'POST',
    path: '/meters',
    auth: 'seller',
    scope: 'meters:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getMeter: { method: 'GET', path: '/meters/:id', auth: 'seller', scope: 'meters:read' },
  updateMeter: { method: 'PATCH', path: '/meters/:id', auth: 'seller', scope: 'meters:write', approved: true },
} as const satisfies Record<string, BillingCall>
