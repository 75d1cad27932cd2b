import { customFieldTypes, discountTypes, recurringIntervals, taxBehaviors } from '@tollgate/contract/billing-schemas'
import type {
  BillingFile,
  CustomField,
  DiscountBase,
  Meter,
  ParsedBillingBody,
  ProductPrice,
} from '@tollgate/contract/billing-types'
import { defaulted, flag, id, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'
import type { Metadata } from './metadata.ts'
import { trialColumns } from './trial.ts'

/** A declared part of an upload. */
export type FilePart = ParsedBillingBody<'createFile'>['upload']['parts'][number]

export const catalogTables = {
  product: {
    id: id('product'),
    organizationId: id('organization'),
    name: text(),
    description: nullable(text()),
    /** Null: a one-time purchase. */
    recurringInterval: nullable(oneOf(recurringIntervals)),
    isArchived: flag(),
    /** Sold without tax, wherever the buyer is. */
    isTaxExempt: flag(),
    /** What the pricing page says the product has, in order. */
    features: json<string[]>(),
    /** The pricing page calls it the most popular. */
    isHighlighted: flag(),
    /** Its place on the pricing page; equal places are in the order of creation. */
    position: integer(),
    ...trialColumns,
    /** Whether a card is needed to begin the trial. */
    trialCardRequired: defaulted(flag()),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  productPrice: {
    id: id('productPrice'),
    organizationId: id('organization'),
    productId: id('product'),
    amountType: text<ProductPrice['amountType']>(),
    priceCurrency: nullable(text()),
    priceAmount: nullable(integer()),
    minimumAmount: nullable(integer()),
    maximumAmount: nullable(integer()),
    presetAmount: nullable(integer()),
    /** A decimal text with up to 12 places, in minor units. */
    unitAmount: nullable(text()),
    capAmount: nullable(integer()),
    /** Whether the price contains its tax; null follows the organization's default. */
    taxBehavior: nullable(oneOf(taxBehaviors)),
    meterId: nullable(id('meter')),
    isArchived: flag(),
    position: integer(),
    ...timestamps,
  },
  meter: {
    id: id('meter'),
    organizationId: id('organization'),
    name: text(),
    filter: json<Meter['filter']>(),
    aggregation: json<Meter['aggregation']>(),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  file: {
    id: id('file'),
    organizationId: id('organization'),
    name: text(),
    /** The path of the bytes below the store's root. */
    path: text(),
    mimeType: text(),
    size: integer(),
    service: text<BillingFile['service']>(),
    /** The declared parts. */
    parts: json<FilePart[]>(),
    /** The origin of its public URL: the installation's, and it moves with it. */
    publicOrigin: text(),
    checksumEtag: nullable(text()),
    checksumSha256Base64: nullable(text()),
    checksumSha256Hex: nullable(text()),
    version: nullable(text()),
    isUploaded: flag(),
    lastModifiedAt: nullable(time()),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  productMedia: {
    productId: id('product'),
    fileId: id('file'),
    position: integer(),
  },
  customField: {
    id: id('customField'),
    organizationId: id('organization'),
    type: oneOf(customFieldTypes),
    slug: text(),
    /** The previous slug, reserved while stored answers still use it. */
    renamedFrom: nullable(text()),
    name: text(),
    properties: json<CustomField['properties']>(),
    metadata: json<Metadata>(),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  productCustomField: {
    productId: id('product'),
    customFieldId: id('customField'),
    position: integer(),
    required: flag(),
  },
  discount: {
    id: id('discount'),
    organizationId: id('organization'),
    name: text(),
    code: nullable(text()),
    /** The code in lower case, for lookups. */
    codeKey: nullable(text()),
    type: oneOf(discountTypes),
    duration: text<DiscountBase['duration']>(),
    durationInMonths: nullable(integer()),
    amount: nullable(integer()),
    currency: nullable(text()),
    basisPoints: nullable(integer()),
    startsAt: nullable(time()),
    endsAt: nullable(time()),
    maxRedemptions: nullable(integer()),
    maxRedemptionsPerCustomer: nullable(integer()),
    redemptionsCount: integer(),
    metadata: json<Metadata>(),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  discountProduct: {
    discountId: id('discount'),
    productId: id('product'),
  },
  /**
   * One for each confirmed checkout, and for each time that a subscription gets a discount without one; the same
   * transaction increments the discount's count.
   */
  discountRedemption: {
    id: id('discountRedemption'),
    organizationId: id('organization'),
    discountId: id('discount'),
    checkoutId: nullable(id('checkout')),
    subscriptionId: nullable(id('subscription')),
    /** The redeemers it counts for (DIS-9): the customer, and the typed address without its `+tag`, as SHA-256. */
    customerId: id('customer'),
    buyerKey: text(),
    createdAt: time(),
  },
} as const
