import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { sellerErrors, utc } from './fields.ts'
import type { processorCalls } from './processor.calls.ts'

/** Answers and refusals of the calls about processors. */
export const processorSchemas = {
  listProcessors: {
    summary: 'The processors of this installation, and whether what they take is real money.',
    output: z.object({
      items: z.array(
        z.object({
          name: z.enum(['sandbox', 'stripe']),
          isOn: z.boolean(),
          isTest: z.boolean(),
          /** Whether checkouts that are made now are paid by it. */
          takesNewCheckouts: z.boolean(),
          /** Where its events are to be sent; null where they come by themselves. */
          eventsUrl: z.string().nullable(),
          lastEventAt: utc.nullable(),
        }),
      ),
    }),
    errors: sellerErrors,
  },
  receiveStripeEvent: {
    summary: 'Takes an event of Stripe’s, by its signature; known ones change nothing.',
    output: z.object({ received: z.literal(true) }),
    errors: ['RESOURCE_NOT_FOUND', 'WEBHOOK_SIGNATURE_INVALID', 'BODY_TOO_LARGE'],
  },
} as const satisfies Record<keyof typeof processorCalls, Endpoint>
