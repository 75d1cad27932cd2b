import { discountTypes } from '@tollgate/contract/billing-schemas'
import type { DiscountBase } from '@tollgate/contract/billing-types'
import { integer, json, nullable, oneOf, text, time } from './columns.ts'
import type { Metadata } from './metadata.ts'

export const discountTables = {
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
    createdAt: time(),
    modifiedAt: nullable(time()),
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
