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
  /** For users only: a token belongs to an existing organization. */
  createMerchant: {
    method: 'POST',
    path: '/organizations',
    auth: 'user',
    status: 201,
    ofPerson: true,
    own: true,
    approved: false,
    onceByKey: true,
  },
  getMerchant: {
    method: 'GET',
    path: '/organizations/:id',
    auth: 'seller',
    scope: 'organizations:read',
    organizationIn: 'path',
  },
  updateMerchant: {
    method: 'PATCH',
    path: '/organizations/:id',
    auth: 'seller',
    scope: 'organizations:write',
    approved: false,
    organizationIn: 'path',
  },
} as const satisfies Record<string, BillingCall>
