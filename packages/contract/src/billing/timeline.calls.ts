import type { BillingCall } from './call.ts'

/** The timeline of events. */
export const timelineCalls = {
  listTimeline: { method: 'GET', path: '/timeline', auth: 'seller', scope: 'customers:read' },
  exportTimeline: { method: 'GET', path: '/timeline/export', auth: 'seller', scope: 'customers:read', givesFile: true },
} as const satisfies Record<string, BillingCall>
