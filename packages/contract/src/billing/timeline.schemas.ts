import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { foreignId, id, moment, sellerErrors, several, utc } from './fields.ts'
import type { timelineCalls } from './timeline.calls.ts'

const which = {
  organizationId: several(foreignId),
  /** Events of one customer and of their account or organization; without it, all events of the seller. */
  customerId: id.optional(),
  /** Events of one subscription and of its newest 100 orders. */
  subscriptionId: id.optional(),
  type: several(storable(64)),
  startTimestamp: moment.optional(),
  endTimestamp: moment.optional(),
}

export const timelineItem = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: utc,
  /** The actor, as far as the reader may know; null for buyers, tokens and the server itself. */
  actor: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** The account concerned, for events about an account or a member. */
  user: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** The organization of the event, if not the seller: the customer's own, or one the customer belongs to. */
  organization: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  customerId: z.string().nullable(),
  /** The object of the event, such as an order or a checkout, with the data for its line. */
  subjectId: z.string().nullable(),
  data: z.object({}).catchall(z.unknown()).nullable(),
  /** Delivery to webhooks: the number of endpoints, and how many have received it. */
  deliveries: z.object({ pending: z.int(), succeeded: z.int(), failed: z.int() }).nullable(),
})

/** Queries, answers and refusals of the timeline calls. */
export const timelineSchemas = {
  listTimeline: {
    summary:
      'Lists the events of a seller’s shop, of one customer, or of one subscription, newest first, that the caller may read: order events with `orders:read`, and so on. `customer.state_changed` follows nearly every event and appears only if `type` names it.',
    query: z.object({
      ...which,
      cursor: storable(256).optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .default(50)
        .transform((value) => Math.min(value, 100)),
    }),
    output: z.object({ items: z.array(timelineItem), pagination: z.object({ nextCursor: z.string().nullable() }) }),
    errors: sellerErrors,
  },
  exportTimeline: {
    summary:
      'Exports the events as CSV, 50,000 at most. If there are older events, the last line names the `end_timestamp` that continues the list.',
    query: z.object(which),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof timelineCalls, Endpoint>
