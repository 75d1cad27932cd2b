import { customFieldTypes, discountTypes, recurringIntervals } from '@tollgate/contract/billing-schemas'
import type {
  BillingFile,
  CustomField,
  DiscountBase,
  Meter,
  ParsedBillingBody,
  ProductPrice,
} from '@tollgate/contract/billing-types'
import { flag, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'
import type { Metadata } from './metadata.ts'

/** A declared part of an upload. */
export type FilePart = ParsedBillingBody<'createFile'>['upload']['parts'][number]

export const catalogTables = {
  product: {
    id: text(),
    organizationId: text(),
    name: text(),
    description: nullable(text()),
    /** Null: a one-time purchase. */
    recurringInterval: nullable(oneOf(recurringIntervals)),
    isArchived: flag(),
    /** Sold without tax, wherever the buyer is. */
    isTaxExempt: flag(),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  productPrice: {
    id: text(),
    organizationId: text(),
    productId: text(),
    amountType: text<ProductPrice['amountType']>(),
    priceCurrency: nullable(text()),
    priceAmount: nullable(integer()),
    minimumAmount: nullable(integer()),
    maximumAmount: nullable(integer()),
    presetAmount: nullable(integer()),
    /** A decimal text with up to 12 places, in minor units. */
    unitAmount: nullable(text()),
    capAmount: nullable(integer()),
    meterId: nullable(text()),
    isArchived: flag(),
    position: integer(),
    ...timestamps,
  },
  meter: {
    id: text(),
    organizationId: text(),
    name: text(),
    filter: json<Meter['filter']>(),
    aggregation: json<Meter['aggregation']>(),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  file: {
    id: text(),
    organizationId: text(),
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
    productId: text(),
    fileId: text(),
    position: integer(),
  },
  customField: {
    id: text(),
    organizationId: text(),
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
    productId: text(),
    customFieldId: text(),
    position: integer(),
    required: flag(),
  },
  discount: {
    id: text(),
    organizationId: text(),
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
    discountId: text(),
    productId: text(),
  },
  /** One for each confirmed checkout; the same transaction increments the discount's count. */
  discountRedemption: {
    id: text(),
    organizationId: text(),
    discountId: text(),
    checkoutId: text(),
    /** The redeemers it counts for (DIS-9): the customer, and the typed address without its `+tag`, as SHA-256. */
    customerId: text(),
    buyerKey: text(),
    createdAt: time(),
  },
} as const
