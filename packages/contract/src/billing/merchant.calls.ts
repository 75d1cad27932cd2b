import type { BillingCall } from './call.ts'

/** An organization as a seller: its settings beside name, slug and picture. The wire calls it an organization. */
export const merchantCalls = {
  listMerchants: {
    method: 'GET',
    path: '/organizations',
    auth: 'seller',
    scope: 'organizations:read',
    ofPerson: true,
  },
  /** By people only: a token belongs to an organization that there is already. */
  createMerchant: { method: 'POST', path: '/organizations', auth: 'user', status: 201, ofPerson: true, own: true },
  getMerchant: { method: 'GET', path: '/organizations/:id', auth: 'seller', scope: 'organizations:read' },
  updateMerchant: { method: 'PATCH', path: '/organizations/:id', auth: 'seller', scope: 'organizations:write' },
} as const satisfies Record<string, BillingCall>
