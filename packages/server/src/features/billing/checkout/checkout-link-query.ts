import type { Product } from '@tollgate/contract/billing-types'
import { checkCustomFieldData } from '../catalog/custom-field-data.ts'
import type { CheckoutChanges } from './checkout-changes.ts'

/** Reads the query of a checkout link. It is untrusted: the seller or any visitor may have written it. Pure. */

export type Metadata = Record<string, string | number | boolean>

/** Limits of metadata: keys, key length, value length (billing contract, section 1). */
const keyLimit = 50
const nameLimit = 40
const valueLimit = 500

/** Merges the visit's source (`utm_*`, `reference_id`) into the link's metadata; the link's values win. */
export function visitMetadata(own: Metadata, query: URLSearchParams): Metadata {
  const visit = [...query]
    .filter(([name]) => name === 'reference_id' || (/^utm_\w+$/.test(name) && name.length <= nameLimit))
    .filter(([, value]) => isText(value, valueLimit))
  const further = Object.entries(Object.fromEntries(visit)).filter(([name]) => !Object.hasOwn(own, name))
  return Object.fromEntries([...Object.entries(own), ...further].slice(0, keyLimit))
}

/** Reads the prefilled values and drops what is invalid. */
export function broughtAlong(query: URLSearchParams, products: readonly Product[]): CheckoutChanges {
  const product = products.find(({ id }) => id === query.get('product_id')) ?? products[0]
  const answers = [...query].flatMap(([name, value]) => {
    const slug = /^custom_field_data(?:\.([a-z0-9_-]+)|\[([a-z0-9_-]+)\])$/.exec(name)
    return slug ? [[slug[1] ?? slug[2], value]] : []
  })
  const { data } = checkCustomFieldData(product?.attachedCustomFields ?? [], Object.fromEntries(answers), false)
  const amount = query.get('amount')
  const text = (name: string, limit: number) => {
    const value = query.get(name)?.trim()
    return value !== undefined && isText(value, limit) ? value : undefined
  }
  return {
    productId: product?.id,
    customerEmail: text('customer_email', 320),
    customerName: text('customer_name', 256),
    discountCode: text('discount_code', 256),
    currency: query.get('currency')?.toLowerCase(),
    amount: amount !== null && /^\d{1,12}$/.test(amount) ? Number(amount) : undefined,
    customFieldData: data,
  }
}

/** Text that both databases can store. */
const isText = (value: string, limit: number): boolean =>
  value !== '' && value.length <= limit && value.isWellFormed() && !value.includes('\0')
