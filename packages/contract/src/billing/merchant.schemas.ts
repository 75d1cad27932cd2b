import { z } from 'zod'
import { brand, brandChange } from '../brand/brand.schemas.ts'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import {
  currency,
  emptyIsNull,
  foreignId,
  listOf,
  listQuery,
  sellerErrors,
  stamped,
  utc,
  webAddress,
  writeErrors,
} from './fields.ts'
import type { merchantCalls } from './merchant.calls.ts'

export const socialPlatforms = [
  'x',
  'github',
  'facebook',
  'instagram',
  'youtube',
  'tiktok',
  'linkedin',
  'other',
] as const
export const prorationBehaviors = ['invoice', 'prorate'] as const

const social = z.object({ platform: z.enum(socialPlatforms), url: webAddress })

export const featureSettings = z.object({
  issueFundingEnabled: z.boolean(),
  usageBasedBillingEnabled: z.boolean(),
})
/** Days for which a subscription past due keeps its benefits (SUB-15). */
export const gracePeriods = [0, 2, 7, 14, 21] as const

export const subscriptionSettings = z.object({
  allowMultipleSubscriptions: z.boolean(),
  allowCustomerUpdates: z.boolean(),
  prorationBehavior: z.enum(prorationBehaviors),
  benefitRevocationGracePeriod: z.literal(gracePeriods),
  /** Ours: days between the attempts to charge an unpaid renewal (SUB-13); null: those of the installation. */
  dunningRetryAfterDays: z.array(z.int().min(1).max(60)).min(1).max(10).nullable(),
})

/** An organization in billing; `OrganizationPublic` of checkouts is the same. */
export const merchant = z.object({
  ...stamped,
  name: z.string(),
  slug: z.string(),
  avatarUrl: z.string().nullable(),
  email: z.string().nullable(),
  website: z.string().nullable(),
  socials: z.array(z.object({ platform: z.enum(socialPlatforms), url: z.string() })),
  detailsSubmittedAt: utc.nullable(),
  featureSettings: featureSettings.nullable(),
  subscriptionSettings,
  /** The currency for buyers without a price in their own; absent until the seller has chosen one. */
  defaultPresentmentCurrency: z.string().optional(),
  /** Ours: how its checkouts, prices and receipts look. */
  brand,
  /** Ours: whether the operator has approved it to sell. */
  maySell: z.boolean(),
})

/** An organization's description of its business, for its application to sell. */
export const sellerDetails = z.object({
  about: storable(5000),
  productDescription: storable(5000),
  intendedUse: storable(5000),
  customerAcquisition: z.array(storable(256)).max(20),
  futureAnnualRevenue: z.int().min(0),
  switching: z.boolean().default(true),
  switchingFrom: storable(64).nullish(),
  previousAnnualRevenue: z.int().min(0).default(0),
})

/** Absent settings stay as they are, or keep their defaults. */
const changed = {
  avatarUrl: z.union([z.literal('').transform(() => null), webAddress]).nullish(),
  email: emptyIsNull(320),
  website: z.union([z.literal('').transform(() => null), webAddress]).nullish(),
  socials: z.array(social).max(20).nullish(),
  details: sellerDetails.nullish(),
  featureSettings: featureSettings.partial().nullish(),
  subscriptionSettings: subscriptionSettings.partial().nullish(),
  defaultPresentmentCurrency: currency.nullish(),
  brand: brandChange.nullish(),
}
const byId = z.object({ id: foreignId })
const name = storable(100).trim().min(3)

/** Bodies, queries, answers and refusals of the calls about sellers. */
export const merchantSchemas = {
  listMerchants: {
    summary: 'Lists the organizations that the caller acts for.',
    query: z.object({ ...listQuery(['created_at', 'slug', 'name']), slug: storable(64).optional() }),
    output: listOf(merchant),
    errors: sellerErrors,
  },
  createMerchant: {
    summary: 'Creates an organization that applies to sell; the operator approves it.',
    body: z.object({ name, slug: storable(64), ...changed }),
    output: merchant,
    errors: [...writeErrors, 'ORGANIZATION_CREATE_NOT_ALLOWED', 'ORGANIZATION_LIMIT_REACHED'],
  },
  getMerchant: {
    summary: 'Returns an organization as a seller.',
    params: byId,
    output: merchant,
    errors: sellerErrors,
  },
  updateMerchant: {
    summary: 'Updates an organization as a seller; settings that are not named stay.',
    params: byId,
    body: z.object({ name: name.nullish(), ...changed }),
    output: merchant,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof merchantCalls, Endpoint>
