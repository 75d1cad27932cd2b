import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { CustomFieldRow } from './custom-field.repository.ts'
import { toCustomField } from './custom-field-answer.ts'
import type { FileRow } from './file.repository.ts'
import { toProductMedia } from './file-answer.ts'
import type { PriceRow } from './price.repository.ts'
import type { ProductRow } from './product.repository.ts'

type Parts = {
  readonly prices: readonly PriceRow[]
  readonly medias: readonly FileRow[]
  readonly fields: readonly (CustomFieldRow & { readonly position: number; readonly required: boolean })[]
}

/** A product as answers show it. */
export function toProduct(row: ProductRow, { prices, medias, fields }: Parts): Product {
  const recurringInterval = row.recurringInterval as Product['recurringInterval'] // checked when it was written
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
    metadata: row.metadata as Product['metadata'], // checked, too
    recurringIntervalCount: recurringInterval === null ? null : 1,
    trialInterval: null,
    trialIntervalCount: null,
    visibility: 'public',
    prices: prices.map(toPrice),
    benefits: [],
    medias: medias.map(toProductMedia),
    attachedCustomFields: fields.map((field) => ({
      customFieldId: field.id,
      customField: toCustomField(field),
      order: field.position,
      required: field.required,
    })),
  }
}

/** A price as answers show it. */
export function toPrice(row: PriceRow): ProductPrice {
  const { priceCurrency, priceAmount, minimumAmount, maximumAmount, presetAmount, unitAmount, capAmount } = row
  const recurringInterval = row.recurringInterval as ProductPrice['recurringInterval'] // checked when it was written
  const price = {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    source: 'catalog',
    isArchived: row.isArchived,
    productId: row.productId,
    type: recurringInterval === null ? ('one_time' as const) : ('recurring' as const),
    recurringInterval,
    taxBehavior: null,
  }
  // Each kind is written with what belongs to it.
  switch (row.amountType as ProductPrice['amountType']) {
    case 'free':
      return { ...price, amountType: 'free' }
    case 'fixed':
      return { ...price, amountType: 'fixed', priceCurrency: priceCurrency!, priceAmount: priceAmount! }
    case 'custom':
      return {
        ...price,
        amountType: 'custom',
        priceCurrency: priceCurrency!,
        minimumAmount,
        maximumAmount,
        presetAmount,
      }
    case 'metered_unit': {
      const meter = { id: row.meterId!, name: row.meterName! }
      const usage = { unitAmount: unitAmount!, capAmount, meterId: meter.id, meter }
      return { ...price, amountType: 'metered_unit', priceCurrency: priceCurrency!, ...usage }
    }
  }
}
