import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { attachedCustomField } from './custom-field.schemas.ts'
import {
  amountLimit,
  byId,
  currency,
  emptyIsNull,
  fileQuery,
  flag,
  foreignId,
  id,
  listOf,
  listQuery,
  metadata,
  metadataFilter,
  metadataOutput,
  recurringInterval,
  sellerErrors,
  several,
  stamped,
  taxBehaviors,
  utc,
  writeErrors,
} from './fields.ts'
import { productMedia } from './file.schemas.ts'
import type { productCalls } from './product.calls.ts'
import { trialInput, trialLength } from './trial.schemas.ts'

/** Minimum and maximum of a price, in minor units (contract, Products). */
export const priceMinimum = 50
const priceAmount = z.int().min(priceMinimum).max(99_999_999)
const customAmount = z.int().min(priceMinimum).max(1_000_000)
const priceCurrency = currency.default('usd')

/** The price of one unit of usage: a decimal text, up to 12 places, because it may be less than a minor unit. */
const unitAmount = z
  .union([
    // A number would write a very small price with an exponent.
    z.number().transform((value) => (Math.abs(value) < 1e-6 ? value.toFixed(12) : String(value))),
    z.string().trim(),
  ])
  .refine(
    (value) => /^\d{1,12}(\.\d{1,12})?$/.test(value) && Number(value) > 0,
    'Input should be a positive decimal with up to 12 places',
  )

/** Whether the price contains its tax; without it, the organization's default for new prices applies. */
const taxBehavior = z.enum(taxBehaviors).nullish()
const fixedPrice = z.object({ amountType: z.literal('fixed'), priceAmount, priceCurrency, taxBehavior })
const customPrice = z.object({
  amountType: z.literal('custom'),
  priceCurrency,
  minimumAmount: priceAmount.nullish(),
  maximumAmount: customAmount.nullish(),
  presetAmount: customAmount.nullish(),
  taxBehavior,
})
const freePrice = z.object({ amountType: z.literal('free') })
const meteredPrice = z.object({
  amountType: z.literal('metered_unit'),
  priceCurrency,
  meterId: id,
  unitAmount,
  capAmount: z.int().min(0).max(amountLimit).nullish(),
  taxBehavior,
})
const newPrice = z.discriminatedUnion('amountType', [fixedPrice, customPrice, freePrice, meteredPrice])

/** In an update, an entry with an id keeps that existing price. */
const withoutId = { id: z.never().optional() }
const addedPrice = z.discriminatedUnion('amountType', [
  fixedPrice.extend(withoutId),
  customPrice.extend(withoutId),
  freePrice.extend(withoutId),
  meteredPrice.extend(withoutId),
])
const keptPrice = z.object({ id })

const price = {
  ...stamped,
  source: z.string(),
  isArchived: z.boolean(),
  productId: z.string(),
  type: z.enum(['one_time', 'recurring']),
  recurringInterval: recurringInterval.nullable(),
  /** `inclusive` where the price contains its tax; null where tax is added to it. */
  taxBehavior: z.enum(taxBehaviors).nullable(),
}
/** A price in answers, of one of four kinds. */
export const productPrice = z.discriminatedUnion('amountType', [
  z.object({ ...price, amountType: z.literal('free') }),
  z.object({ ...price, amountType: z.literal('fixed'), priceCurrency: z.string(), priceAmount: z.int() }),
  z.object({
    ...price,
    amountType: z.literal('custom'),
    priceCurrency: z.string(),
    minimumAmount: z.int().nullable(),
    maximumAmount: z.int().nullable(),
    presetAmount: z.int().nullable(),
  }),
  z.object({
    ...price,
    amountType: z.literal('metered_unit'),
    priceCurrency: z.string(),
    unitAmount: z.string(),
    capAmount: z.int().nullable(),
    meterId: z.string(),
    meter: z.object({ id: z.string(), name: z.string() }),
  }),
])

/** A benefit in a product. */
export const productBenefit = z.object({
  ...stamped,
  type: z.string(),
  description: z.string(),
  selectable: z.boolean(),
  deletable: z.boolean(),
  organizationId: z.string(),
})

/** The visibility of a product in SDK 1.0.x. */
const productVisibilities = ['draft', 'private', 'public'] as const

/** A product in orders, discounts and subscriptions. */
export const productBase = z.object({
  ...stamped,
  name: z.string(),
  description: z.string().nullable(),
  recurringInterval: recurringInterval.nullable(),
  isRecurring: z.boolean(),
  isArchived: z.boolean(),
  /** Ours: sold without tax in every country. */
  isTaxExempt: z.boolean(),
  organizationId: z.string(),
  metadata: metadataOutput,
  /** For SDK 1.0.x: one interval is one month or year, and every product is public. */
  recurringIntervalCount: z.int().nullable(),
  ...trialLength,
  visibility: z.string(),
})

const onSale = {
  prices: z.array(productPrice),
  benefits: z.array(productBenefit),
  medias: z.array(productMedia),
  /** Ours: what the product has, a short text each, in the seller's order. */
  features: z.array(z.string()),
  /** Ours: the pricing page calls it the most popular. */
  isHighlighted: z.boolean(),
  /** Ours: its place on the pricing page; the smallest comes first. */
  position: z.int(),
  /** Ours: a trial until a date, and whether it needs a card to begin. */
  trialUntil: utc.nullable(),
  trialCardRequired: z.boolean(),
}
/** A product in checkouts and pricing pages, which are public: without the seller's own notes. */
export const checkoutProduct = productBase.omit({ metadata: true }).extend(onSale)
/** A product in checkout links, for their seller. */
export const checkoutLinkProduct = productBase.extend(onSale)

export const product = checkoutLinkProduct.extend({ attachedCustomFields: z.array(attachedCustomField) })

const name = storable(256).trim().min(3)
const attached = z.array(z.object({ customFieldId: id, required: z.boolean() })).max(50)
const medias = z.array(id).max(20)
const features = z.array(storable(120).trim().min(1)).max(20)

const productFilters = {
  id: several(id),
  query: storable(256).optional(),
  isArchived: flag,
  isRecurring: flag,
  visibility: several(z.enum(productVisibilities)),
  benefitId: several(id),
  metadata: metadataFilter,
}

/** A price and some meters in many currencies. */
const mostPrices = 100

/** Bodies, queries, answers and refusals of the calls about products. */
export const productSchemas = {
  listProducts: {
    summary: 'Lists an organization’s products.',
    query: z.object({
      ...listQuery(['created_at', 'position', 'name', 'price_amount_type', 'price_amount']),
      ...productFilters,
    }),
    output: listOf(product),
    errors: sellerErrors,
  },
  exportProducts: {
    summary: 'Exports products with their prices as CSV.',
    query: z.object({ ...fileQuery, ...productFilters }),
    errors: sellerErrors,
  },
  createProduct: {
    summary:
      'Creates a product with its prices: in each currency at most one free, fixed or custom price, and any number of metered ones.',
    body: z.object({
      name,
      description: emptyIsNull(10_000),
      recurringInterval: recurringInterval.nullable(),
      prices: z.array(newPrice).min(1).max(mostPrices),
      medias: medias.nullish(),
      isTaxExempt: z.boolean().optional(),
      features: features.optional(),
      isHighlighted: z.boolean().optional(),
      ...trialInput,
      attachedCustomFields: attached.optional(),
      metadata: metadata.optional(),
      organizationId: foreignId.nullish(),
    }),
    output: product,
    errors: writeErrors,
  },
  getProduct: { summary: 'Returns a product.', params: byId, output: product, errors: sellerErrors },
  updateProduct: {
    summary: 'Updates a product. Prices that are not named are archived; subscriptions keep theirs.',
    params: byId,
    body: z.object({
      name: name.nullish(),
      description: emptyIsNull(10_000),
      recurringInterval: recurringInterval.nullish(),
      isArchived: z.boolean().nullish(),
      prices: z
        .array(z.union([addedPrice, keptPrice]))
        .min(1)
        .max(mostPrices)
        .nullish(),
      medias: medias.nullish(),
      isTaxExempt: z.boolean().nullish(),
      features: features.nullish(),
      isHighlighted: z.boolean().nullish(),
      ...trialInput,
      /** Its place among the products for sale, from 0; the others make room. */
      position: z.int().min(0).max(999).nullish(),
      attachedCustomFields: attached.nullish(),
      metadata: metadata.optional(),
    }),
    output: product,
    errors: writeErrors,
  },
  updateProductBenefits: {
    summary: 'Sets the benefits of a product, in order.',
    params: byId,
    body: z.object({ benefits: z.array(id).max(100) }),
    output: product,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof productCalls, Endpoint>
