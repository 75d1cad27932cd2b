import type { customFieldCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from './custom-field.service.ts'

/** Each call of the contract and the service that does it. */
export const customFieldRoutes: BillingRoutes<typeof customFieldCalls> = {
  listCustomFields: ({ ctx, seller, query }) => listCustomFields(ctx, seller, query),
  createCustomField: ({ ctx, seller, body }) => createCustomField(ctx, seller, body),
  getCustomField: ({ ctx, seller, params }) => getCustomField(ctx, seller, params.id),
  updateCustomField: ({ ctx, seller, params, body }) => updateCustomField(ctx, seller, params.id, body),
  deleteCustomField: ({ ctx, seller, params }) => deleteCustomField(ctx, seller, params.id),
}
