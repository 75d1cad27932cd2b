import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { foreignId, id, moment, sellerErrors, several, utc } from './fields.ts'
import type { timelineCalls } from './timeline.calls.ts'

const which = {
  organizationId: several(foreignId),
  /** Of one customer, and of the account or organization that they are; everything of the seller where none is named. */
  customerId: id.optional(),
  type: several(storable(64)),
  startTimestamp: moment.optional(),
  endTimestamp: moment.optional(),
}

export const timelineItem = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: utc,
  /** Who made it happen, as far as the reader may know; null for buyers, tokens and the server itself. */
  actor: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Whose account it concerns, where it is about an account or a member. */
  user: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Where it happened, if in another organization than the seller: in that which a customer is, or belongs to. */
  organization: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  customerId: z.string().nullable(),
  /** What it is about: an order, a checkout, …, with what a line about it says. */
  subjectId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  /** How it went out: to how many endpoints, and how many have it. */
  deliveries: z.object({ pending: z.int(), succeeded: z.int(), failed: z.int() }).nullable(),
})

/** Queries, answers and refusals of the calls about what has happened. */
export const timelineSchemas = {
  listTimeline: {
    summary:
      'What happened in a seller’s shop, or to one customer, the newest first, as far as the caller may read it: of orders with `orders:read`, and so on. `customer.state_changed`, which follows nearly everything, is told where `type` names it.',
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
      'The same as a table (CSV), 50,000 events at most: where there are older ones its last line says so, and names the `end_timestamp` to ask for them with.',
    query: z.object(which),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof timelineCalls, Endpoint>
