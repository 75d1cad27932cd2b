import type { BillingCall } from './call.ts'

/** Pictures of products and organizations: created, uploaded in parts, then completed. */
export const fileCalls = {
  listFiles: { method: 'GET', path: '/files', auth: 'seller', scope: 'files:read' },
  createFile: {
    method: 'POST',
    path: '/files',
    auth: 'seller',
    scope: 'files:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  completeFile: {
    method: 'POST',
    path: '/files/:id/uploaded',
    auth: 'seller',
    scope: 'files:write',
    approved: true,
    onceByKey: true,
    repeatsPath: true,
  },
  updateFile: { method: 'PATCH', path: '/files/:id', auth: 'seller', scope: 'files:write', approved: true },
  deleteFile: { method: 'DELETE', path: '/files/:id', auth: 'seller', scope: 'files:write', status: 204, own: true },
  /** The target of a part: the signed address in the answer of `createFile`. */
  uploadFilePart: { method: 'PUT', path: '/files/parts/:secret', auth: 'secret', takesFile: true, secrets: ['secret'] },
} as const satisfies Record<string, BillingCall>
