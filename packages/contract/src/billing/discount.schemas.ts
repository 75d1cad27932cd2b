import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { discountCalls } from './discount.calls.ts'
import {
  amountLimit,
  byId,
  currency,
  fileQuery,
  foreignId,
  id,
  listOf,
  listQuery,
  metadata,
  metadataOutput,
  moment,
  sellerErrors,
  stamped,
  utc,
  writeErrors,
} from './fields.ts'
import { productBase } from './product.schemas.ts'

export const discountTypes = ['fixed', 'percentage'] as const
export const discountDurations = ['once', 'forever', 'repeating'] as const

/** `amount` and `currency` of a fixed discount, `basisPoints` (hundredths of a percent) of a percentage. */
const core = {
  id: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  type: z.enum(discountTypes),
  duration: z.enum(discountDurations),
  durationInMonths: z.int().optional(),
  amount: z.int().optional(),
  currency: z.string().optional(),
  amounts: z.record(z.string(), z.int()).optional(),
  basisPoints: z.int().optional(),
}
/** The discount in a checkout. */
export const checkoutDiscount = z.object(core)
/** The discount in orders, subscriptions and links. */
export const discountBase = z.object({
  ...core,
  createdAt: stamped.createdAt,
  modifiedAt: stamped.modifiedAt,
  metadata: metadataOutput,
  startsAt: utc.nullable(),
  endsAt: utc.nullable(),
  maxRedemptions: z.int().nullable(),
  maxRedemptionsPerCustomer: z.int().nullable(),
  redemptionsCount: z.int(),
  organizationId: z.string(),
})
export const discount = discountBase.extend({ products: z.array(productBase) })

const name = storable(256).trim().min(1)
const code = z.preprocess(
  (value) => (value === '' ? null : value),
  storable(256)
    .trim()
    .min(3)
    .regex(/^[A-Za-z0-9]*$/, 'String should have letters and digits only')
    .nullish(),
)
const redemptions = z.int().min(1).max(1_000_000_000).nullish()
const durationInMonths = z.int().min(1).max(1200)
const amount = z.int().min(0).max(amountLimit)
const basisPoints = z.int().min(1).max(10_000)

const window = { startsAt: moment.nullish(), endsAt: moment.nullish() }
type Window = { readonly startsAt?: Date | null | undefined; readonly endsAt?: Date | null | undefined }
const isInOrder = ({ startsAt, endsAt }: Window) => !startsAt || !endsAt || startsAt < endsAt
const outOfOrder = { path: ['endsAt'], error: 'Ends at should be after starts at.' }
const limits = { maxRedemptions: redemptions, maxRedemptionsPerCustomer: redemptions }

const discountFilters = {
  query: storable(256).optional(),
}

/** Bodies, queries, answers and refusals of the calls about discounts. */
export const discountSchemas = {
  listDiscounts: {
    summary: 'Lists an organization’s discounts.',
    query: z.object({
      ...listQuery(['created_at', 'name', 'code', 'redemptions_count']),
      ...discountFilters,
    }),
    output: listOf(discount),
    errors: sellerErrors,
  },
  exportDiscounts: {
    summary: 'Exports discounts as CSV.',
    query: z.object({ ...fileQuery, ...discountFilters }),
    errors: sellerErrors,
  },
  createDiscount: {
    summary: 'Creates a discount, with or without a code; without products it applies to all.',
    body: z.intersection(
      z
        .object({
          name,
          code,
          ...window,
          ...limits,
          products: z.array(id).max(100).nullish(),
          metadata: metadata.optional(),
          organizationId: foreignId.nullish(),
        })
        .refine(isInOrder, outOfOrder),
      z.intersection(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('fixed'), amount, currency: currency.default('usd') }),
          z.object({ type: z.literal('percentage'), basisPoints }),
        ]),
        z.discriminatedUnion('duration', [
          z.object({ duration: z.enum(['once', 'forever']) }),
          z.object({ duration: z.literal('repeating'), durationInMonths }),
        ]),
      ),
    ),
    output: discount,
    errors: writeErrors,
  },
  getDiscount: { summary: 'Returns a discount.', params: byId, output: discount, errors: sellerErrors },
  updateDiscount: {
    summary: 'Updates a discount; type, duration and currency never change, nor its value after the first redemption.',
    params: byId,
    body: z
      .object({
        name: name.nullish(),
        code,
        ...window,
        ...limits,
        type: z.enum(discountTypes).nullish(),
        duration: z.enum(discountDurations).nullish(),
        durationInMonths: durationInMonths.nullish(),
        amount: amount.nullish(),
        /** Checked only with an amount: SDK 0.32.16 sends `usd` with every change, in any currency. */
        currency: currency.nullish(),
        basisPoints: basisPoints.nullish(),
        products: z.array(id).max(100).nullish(),
        metadata: metadata.optional(),
      })
      .refine(isInOrder, outOfOrder),
    output: discount,
    errors: writeErrors,
  },
  deleteDiscount: {
    summary: 'Deletes a discount; subscriptions and orders keep it.',
    params: byId,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof discountCalls, Endpoint>
