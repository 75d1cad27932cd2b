import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { byId, id, listOf, listQuery, moment, sellerErrors, several, stamped, utc, writeErrors } from './fields.ts'
import type { priceChangeCalls } from './price-change.calls.ts'

/** How far a change of price is: `running` since the first subscription has the new price. */
export const priceChangeStatuses = ['planned', 'running', 'done', 'canceled'] as const

const asked = z.object({
  productId: id,
  /** Only subscriptions with one of these prices. Default: all with another fixed price than the new one. */
  fromPriceIds: z.array(id).min(1).max(100).optional(),
  /** A present fixed price of the product. Default: its present one in each currency. */
  toPriceId: id.optional(),
  /** The new price applies at the first renewal of each subscription at or after this moment. */
  startsAt: moment,
  /** How many days before that renewal the subscriber gets a mail; 0 sends it at once. */
  noticeDays: z.int().min(0).max(90).default(30),
})

const concerned = {
  productId: z.string(),
  startsAt: utc,
  noticeDays: z.int(),
  prices: z.array(
    z.object({ currency: z.string(), fromPriceIds: z.array(z.string()), toPriceId: z.string(), amount: z.int() }),
  ),
  /** What a period of these subscriptions costs, before and after, without discounts and tax. */
  amounts: z.array(
    z.object({
      currency: z.string(),
      subscriptionsCount: z.int(),
      amountBefore: z.int(),
      amountAfter: z.int(),
    }),
  ),
}

const priceChange = z.object({
  ...stamped,
  ...concerned,
  status: z.enum(priceChangeStatuses),
  canceledAt: utc.nullable(),
  /** Subscriptions that wait for the new price or have it, also while their list is not complete. */
  subscriptionsCount: z.int(),
  /** How many subscribers have their notice. */
  noticesCount: z.int(),
  /** How many subscriptions have the new price. */
  appliedCount: z.int(),
})

/** Bodies, answers and refusals of the calls about changes of price. */
export const priceChangeSchemas = {
  listPriceChanges: {
    summary: 'Lists changes of price for existing subscribers.',
    query: z.object({ ...listQuery(['created_at', 'starts_at']), productId: several(id) }),
    output: listOf(priceChange),
    errors: sellerErrors,
  },
  getPriceChange: {
    summary: 'Gets a price change and its progress.',
    params: byId,
    output: priceChange,
    errors: sellerErrors,
  },
  previewPriceChange: {
    summary: 'Previews which subscriptions a change of price concerns, and what it brings in total.',
    body: asked,
    output: z.object(concerned),
    errors: writeErrors,
  },
  createPriceChange: {
    summary: 'Changes the price for existing subscribers, each at a renewal and after a notice by mail.',
    body: asked,
    output: priceChange,
    errors: writeErrors,
  },
  cancelPriceChange: {
    summary: 'Cancels a price change before any subscription has the new price.',
    params: byId,
    output: priceChange,
    errors: [...writeErrors, 'PRICE_CHANGE_BEGUN'],
  },
} as const satisfies Record<keyof typeof priceChangeCalls, Endpoint>
