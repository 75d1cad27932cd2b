import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { sellerErrors, utc } from './fields.ts'
import type { processorCalls } from './processor.calls.ts'

/** The stored names of processors. */
export const processorNames = ['sandbox', 'stripe'] as const

/** Who took a payment: a processor, or the seller outside of Tollgate (`manual`). */
export const paidByNames = [...processorNames, 'manual'] as const

/** Why money that moved at a processor needs an administrator. */
export const attentionKinds = [
  'paid_after_failure',
  'paid_after_void',
  'amount_differs',
  'unknown_payment',
  'refund_amount_differs',
] as const

/** Answers and refusals of the calls about processors. */
export const processorSchemas = {
  listProcessors: {
    summary: 'Lists the installation’s payment processors, and whether each takes real money.',
    output: z.object({
      items: z.array(
        z.object({
          name: z.enum(processorNames),
          isOn: z.boolean(),
          isTest: z.boolean(),
          /** Whether new checkouts use it. */
          takesNewCheckouts: z.boolean(),
          /** The address for its events; null where it needs none. */
          eventsUrl: z.string().nullable(),
          lastEventAt: utc.nullable(),
        }),
      ),
    }),
    errors: sellerErrors,
  },
  receiveStripeEvent: {
    summary: 'Receives a signed Stripe event; a known event changes nothing.',
    output: z.object({ received: z.literal(true) }),
    errors: ['RESOURCE_NOT_FOUND', 'WEBHOOK_SIGNATURE_INVALID', 'BODY_TOO_LARGE'],
  },
} as const satisfies Record<keyof typeof processorCalls, Endpoint>
