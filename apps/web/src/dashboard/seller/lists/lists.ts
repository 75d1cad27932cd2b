import type { BillingClient } from '@tollgate/client'
import { type ListQuery, listQuery } from '../../queries/billing.ts'

/** As many as a list to choose from can hold and still be read. */
const most = 100

type Named = { readonly id: string; readonly name: string }

/** What can be chosen in other objects' editors, by name. */
export const productChoices =
  (billing: BillingClient) =>
  (search: string): ListQuery<Named> => {
    const query = { limit: most, sorting: ['name'] as ['name'], isArchived: false, ...(search && { query: search }) }
    return listQuery<Named>(['products', query], (options) => billing.listProducts(query, options))
  }

export const customFieldChoices =
  (billing: BillingClient) =>
  (search: string): ListQuery<Named> => {
    const query = { limit: most, sorting: ['name'] as ['name'], ...(search && { query: search }) }
    return listQuery<Named>(['custom-fields', query], (options) => billing.listCustomFields(query, options))
  }

export const meterChoices = (billing: BillingClient): ListQuery<Named> => {
  const query = { limit: most, sorting: ['name'] as ['name'] }
  return listQuery<Named>(['meters', query], (options) => billing.listMeters(query, options))
}

export const discountChoices = (billing: BillingClient): ListQuery<Named> => {
  const query = { limit: most, sorting: ['name'] as ['name'] }
  return listQuery<Named>(['discounts', query], (options) => billing.listDiscounts(query, options))
}
