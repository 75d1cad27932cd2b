import type { customFieldCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from './custom-field.service.ts'

/** Maps each call of the contract to its service. */
export const customFieldRoutes: BillingRoutes<typeof customFieldCalls> = {
  listCustomFields: ({ ctx, seller, query }) => listCustomFields(ctx, seller, query),
  createCustomField: ({ ctx, seller, body }) => createCustomField(ctx, seller, body),
  getCustomField: ({ ctx, seller, params }) => getCustomField(ctx, seller, params.id),
  updateCustomField: ({ ctx, seller, params, body }) => updateCustomField(ctx, seller, params.id, body),
  deleteCustomField: ({ ctx, seller, params }) => deleteCustomField(ctx, seller, params.id),
}
