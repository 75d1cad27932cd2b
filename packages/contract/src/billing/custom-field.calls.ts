import type { BillingCall } from './call.ts'

/** Additional questions to buyers: text, number, date, checkbox, select. */
export const customFieldCalls = {
  listCustomFields: { method: 'GET', path: '/custom-fields', auth: 'seller', scope: 'custom_fields:read' },
  exportCustomFields: {
    method: 'GET',
    path: '/custom-fields/export',
    auth: 'seller',
    scope: 'custom_fields:read',
    givesFile: true,
  },
  createCustomField: {
    method: 'POST',
    path: '/custom-fields',
    auth: 'seller',
    scope: 'custom_fields:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getCustomField: { method: 'GET', path: '/custom-fields/:id', auth: 'seller', scope: 'custom_fields:read' },
  updateCustomField: {
    method: 'PATCH',
    path: '/custom-fields/:id',
    auth: 'seller',
    scope: 'custom_fields:write',
    approved: true,
  },
  deleteCustomField: {
    method: 'DELETE',
    path: '/custom-fields/:id',
    auth: 'seller',
    scope: 'custom_fields:write',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
