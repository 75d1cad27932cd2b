import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import { proven } from '../../../foundation/proof/proven.ts'
import type { CustomFieldRow } from './custom-field.repository.ts'
import { toCustomField } from './custom-field-answer.ts'
import type { FileRow } from './file.repository.ts'
import { toProductMedia } from './file-answer.ts'
import type { PriceRow } from './price.repository.ts'
import type { ProductRow } from './product.repository.ts'
import { shownTrial } from './trial-offer.ts'

type Parts = {
  readonly prices: readonly PriceRow[]
  readonly medias: readonly FileRow[]
  readonly fields: readonly (CustomFieldRow & { readonly position: number; readonly required: boolean })[]
}

/** A product as responses show it. */
export function toProduct(row: ProductRow, { prices, medias, fields }: Parts): Product {
  const { recurringInterval } = row
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    name: row.name,
    description: row.description,
    recurringInterval,
    isRecurring: recurringInterval !== null,
    isArchived: row.isArchived,
    isTaxExempt: row.isTaxExempt,
    organizationId: row.organizationId,
    metadata: row.metadata,
    recurringIntervalCount: recurringInterval === null ? null : 1,
    ...shownTrial(row),
    trialCardRequired: row.trialCardRequired,
    visibility: 'public',
    prices: prices.map(toPrice),
    benefits: [],
    medias: medias.map(toProductMedia),
    features: row.features,
    isHighlighted: row.isHighlighted,
    position: row.position,
    attachedCustomFields: fields.map((field) => ({
      customFieldId: field.id,
      customField: toCustomField(field),
      order: field.position,
      required: field.required,
    })),
  }
}

/** A price as responses show it. */
export function toPrice(row: PriceRow): ProductPrice {
  const { priceCurrency, priceAmount, minimumAmount, maximumAmount, presetAmount, unitAmount, capAmount } = row
  const { recurringInterval } = row
  const price = {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    source: 'catalog',
    isArchived: row.isArchived,
    productId: row.productId,
    type: recurringInterval === null ? ('one_time' as const) : ('recurring' as const),
    recurringInterval,
    taxBehavior: row.taxBehavior,
  }
  // Every kind is stored with its own members.
  switch (row.amountType) {
    case 'free':
      return { ...price, amountType: 'free' }
    case 'fixed':
      return {
        ...price,
        amountType: 'fixed',
        priceCurrency: proven(priceCurrency, 'a price has what its kind needs'),
        priceAmount: proven(priceAmount, 'a price has what its kind needs'),
      }
    case 'custom':
      return {
        ...price,
        amountType: 'custom',
        priceCurrency: proven(priceCurrency, 'a price has what its kind needs'),
        minimumAmount,
        maximumAmount,
        presetAmount,
      }
    case 'metered_unit': {
      const meter = {
        id: proven(row.meterId, 'a price has what its kind needs'),
        name: proven(row.meterName, 'a price has what its kind needs'),
      }
      const usage = {
        unitAmount: proven(unitAmount, 'a price has what its kind needs'),
        capAmount,
        meterId: meter.id,
        meter,
      }
      return {
        ...price,
        amountType: 'metered_unit',
        priceCurrency: proven(priceCurrency, 'a price has what its kind needs'),
        ...usage,
      }
    }
  }
}
