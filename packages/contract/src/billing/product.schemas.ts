import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { attachedCustomField } from './custom-field.schemas.ts'
import {
  amountLimit,
  byId,
  currency,
  emptyIsNull,
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
  writeErrors,
} from './fields.ts'
import { productMedia } from './file.schemas.ts'
import type { productCalls } from './product.calls.ts'

/** Least and most of a price, in minor units (contract, Products). */
export const priceMinimum = 50
const priceAmount = z.int().min(priceMinimum).max(99_999_999)
const customAmount = z.int().min(priceMinimum).max(1_000_000)
const priceCurrency = currency.default('usd')

/** What one unit of usage costs: a decimal text, up to 12 places, because it may be less than a minor unit. */
const unitAmount = z
  .union([
    // A very small number would be written with an exponent.
    z.number().transform((value) => (Math.abs(value) < 1e-6 ? value.toFixed(12) : String(value))),
    z.string().trim(),
  ])
  .refine(
    (value) => /^\d{1,12}(\.\d{1,12})?$/.test(value) && Number(value) > 0,
    'Input should be a positive decimal with up to 12 places',
  )

const fixedPrice = z.object({ amountType: z.literal('fixed'), priceAmount, priceCurrency })
const customPrice = z.object({
  amountType: z.literal('custom'),
  priceCurrency,
  minimumAmount: priceAmount.nullish(),
  maximumAmount: customAmount.nullish(),
  presetAmount: customAmount.nullish(),
})
const freePrice = z.object({ amountType: z.literal('free') })
const meteredPrice = z.object({
  amountType: z.literal('metered_unit'),
  priceCurrency,
  meterId: id,
  unitAmount,
  capAmount: z.int().min(0).max(amountLimit).nullish(),
})
const newPrice = z.discriminatedUnion('amountType', [fixedPrice, customPrice, freePrice, meteredPrice])

/** Of an update: whatever has an id is a price that there is, and is kept as it is. */
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
  taxBehavior: z.string().nullable(),
}
/** A price as it stands in answers, of one of four kinds. */
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

/** A benefit as far as a product shows it. */
export const productBenefit = z.object({
  ...stamped,
  type: z.string(),
  description: z.string(),
  selectable: z.boolean(),
  deletable: z.boolean(),
  organizationId: z.string(),
})

/** Who may see a product, as 1.0.x of the SDK has it. */
const productVisibilities = ['draft', 'private', 'public'] as const

/** What orders, discounts and subscriptions embed of a product. */
export const productBase = z.object({
  ...stamped,
  name: z.string(),
  description: z.string().nullable(),
  recurringInterval: recurringInterval.nullable(),
  isRecurring: z.boolean(),
  isArchived: z.boolean(),
  /** Ours: sold without tax wherever the buyer is. */
  isTaxExempt: z.boolean(),
  organizationId: z.string(),
  metadata: metadataOutput,
  /** Of 1.0.x of the SDK; one interval is one month or year, nothing is tried for free, and everybody sees it. */
  recurringIntervalCount: z.int().nullable(),
  trialInterval: z.null(),
  trialIntervalCount: z.null(),
  visibility: z.string(),
})

const onSale = { prices: z.array(productPrice), benefits: z.array(productBenefit), medias: z.array(productMedia) }
/** As checkouts and pricing pages show it, which anybody may see: nothing of the seller's own notes. */
export const checkoutProduct = productBase.omit({ metadata: true }).extend(onSale)
/** As checkout links show it to their seller. */
export const checkoutLinkProduct = productBase.extend(onSale)

export const product = checkoutLinkProduct.extend({ attachedCustomFields: z.array(attachedCustomField) })

const name = storable(256).trim().min(3)
const attached = z.array(z.object({ customFieldId: id, required: z.boolean() })).max(50)
const medias = z.array(id).max(20)

/** Bodies, queries, answers and refusals of the calls about products. */
export const productSchemas = {
  listProducts: {
    summary: 'The products of an organization.',
    query: z.object({
      ...listQuery(['created_at', 'name', 'price_amount_type', 'price_amount']),
      id: several(id),
      query: storable(256).optional(),
      isArchived: flag,
      isRecurring: flag,
      visibility: several(z.enum(productVisibilities)),
      benefitId: several(id),
      metadata: metadataFilter,
    }),
    output: listOf(product),
    errors: sellerErrors,
  },
  createProduct: {
    summary:
      'Makes a product with its prices: at most one that is free, fixed or the buyer’s choice, and any by usage.',
    body: z.object({
      name,
      description: emptyIsNull(10_000),
      recurringInterval: recurringInterval.nullable(),
      prices: z.array(newPrice).min(1).max(20),
      medias: medias.nullish(),
      isTaxExempt: z.boolean().optional(),
      attachedCustomFields: attached.optional(),
      metadata: metadata.optional(),
      organizationId: foreignId.nullish(),
    }),
    output: product,
    errors: writeErrors,
  },
  getProduct: { summary: 'A product.', params: byId, output: product, errors: sellerErrors },
  updateProduct: {
    summary: 'Changes a product. Prices that are not named are archived; subscriptions keep theirs.',
    params: byId,
    body: z.object({
      name: name.nullish(),
      description: emptyIsNull(10_000),
      recurringInterval: recurringInterval.nullish(),
      isArchived: z.boolean().nullish(),
      prices: z
        .array(z.union([addedPrice, keptPrice]))
        .min(1)
        .max(40)
        .nullish(),
      medias: medias.nullish(),
      isTaxExempt: z.boolean().nullish(),
      attachedCustomFields: attached.nullish(),
      metadata: metadata.optional(),
    }),
    output: product,
    errors: writeErrors,
  },
  updateProductBenefits: {
    summary: 'Sets the benefits of a product, in their order.',
    params: byId,
    body: z.object({ benefits: z.array(id).max(100) }),
    output: product,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof productCalls, Endpoint>
