import type { BillingCall } from './call.ts'

/** The processors that payments are taken by. */
export const processorCalls = {
  listProcessors: { method: 'GET', path: '/processors', auth: 'seller', scope: 'payments:read' },
  /** What Stripe has to tell; its signature says that it is Stripe. */
  receiveStripeEvent: { method: 'POST', path: '/stripe/events', auth: 'none', takesFile: true },
} as const satisfies Record<string, BillingCall>
