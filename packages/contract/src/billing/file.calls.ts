import type { BillingCall } from './call.ts'

/** Pictures of products and organizations: declared, uploaded in parts, then ready to use. */
export const fileCalls = {
  listFiles: { method: 'GET', path: '/files', auth: 'seller', scope: 'files:read' },
  createFile: { method: 'POST', path: '/files', auth: 'seller', scope: 'files:write', status: 201 },
  completeFile: { method: 'POST', path: '/files/:id/uploaded', auth: 'seller', scope: 'files:write' },
  updateFile: { method: 'PATCH', path: '/files/:id', auth: 'seller', scope: 'files:write' },
  deleteFile: { method: 'DELETE', path: '/files/:id', auth: 'seller', scope: 'files:write', status: 204, own: true },
  /** Where a part is sent: the signed address that `createFile` has answered. */
  uploadFilePart: { method: 'PUT', path: '/files/parts/:secret', auth: 'secret', takesFile: true },
} as const satisfies Record<string, BillingCall>
