import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { byId, id, moment, recurringInterval, sellerErrors, utc, writeErrors } from './fields.ts'
import type { scheduleCalls } from './schedule.calls.ts'
import { quantity } from './subscription.schemas.ts'

/** Whether a phase has ended, runs, or is to begin. */
export const phaseStates = ['over', 'running', 'planned'] as const

/** What a subscription is for a while. What a phase does not name stays as it was in the phase before. */
const phase = z.object({
  /** The product, with its prices in the subscription's currency as they are when the schedule is set. */
  productId: id.optional(),
  quantity,
  /** A discount that begins with the phase; null for none. */
  discountId: id.nullable().optional(),
  /** How many periods it lasts. */
  periods: z.int().min(1).max(120).optional(),
  /** It lasts until the first end of a period at or after this moment, and for one period at least. */
  until: moment.optional(),
})

const schedule = z.object({
  /** Null without a schedule. */
  createdAt: utc.nullable(),
  phases: z.array(
    z.object({
      state: z.enum(phaseStates),
      productId: z.string(),
      productPriceIds: z.array(z.string()),
      quantity: z.int(),
      /** What a period costs, before discounts. */
      amount: z.int(),
      currency: z.string(),
      recurringInterval,
      /** Whether the discount stays as it is; then `discountId` is null. */
      keepsDiscount: z.boolean(),
      discountId: z.string().nullable(),
      periods: z.int().nullable(),
      until: utc.nullable(),
      /** When it began; of a planned one, when it begins if nothing else changes. */
      beginsAt: utc.nullable(),
    }),
  ),
})

/** Bodies, answers and refusals of the calls about schedules. */
export const scheduleSchemas = {
  getSubscriptionSchedule: {
    summary: 'Gets the schedule of a subscription; without one, no phases.',
    params: byId,
    output: schedule,
    errors: sellerErrors,
  },
  setSubscriptionSchedule: {
    summary:
      'Plans what a subscription becomes, phase by phase: the first begins with its next period, and each takes effect at the end of a period, without prorations. Replaces the phases of a former schedule that have not begun.',
    params: byId,
    body: z.object({
      /** Each but the last names `periods` or `until`; the last goes on. */
      phases: z.array(phase).min(1).max(20),
    }),
    output: schedule,
    errors: [
      ...writeErrors,
      'ALREADY_CANCELED_SUBSCRIPTION',
      'SUBSCRIPTION_NOT_ACTIVE',
      'SUBSCRIPTION_CHANGE_PENDING',
      'TOTAL_TOO_LARGE',
    ],
  },
  removeSubscriptionSchedule: {
    summary: 'Removes the phases that have not begun; the current phase stays in effect.',
    params: byId,
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof scheduleCalls, Endpoint>
