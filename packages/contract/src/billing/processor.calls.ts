import type { BillingCall } from './call.ts'

/** Payment processors. */
export const processorCalls = {
  listProcessors: { method: 'GET', path: '/processors', auth: 'seller', scope: 'payments:read' },
  /** Stripe's events; their signature proves that they come from Stripe. */
  receiveStripeEvent: { method: 'POST', path: '/stripe/events', auth: 'none', takesFile: true, limit: 'processor' },
} as const satisfies Record<string, BillingCall>
