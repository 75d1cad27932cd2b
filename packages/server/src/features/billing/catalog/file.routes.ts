import type { fileCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { completeFile, createFile, deleteFile, listFiles, updateFile } from './file.service.ts'
import { uploadFilePart } from './file-part.service.ts'

/** Maps each call of the contract to its service. */
export const fileRoutes: BillingRoutes<typeof fileCalls> = {
  listFiles: ({ ctx, seller, query }) => listFiles(ctx, seller, query),
  createFile: ({ ctx, seller, body }) => createFile(ctx, seller, body),
  completeFile: ({ ctx, seller, params, body }) => completeFile(ctx, seller, params.id, body),
  updateFile: ({ ctx, seller, params, body }) => updateFile(ctx, seller, params.id, body),
  deleteFile: ({ ctx, seller, params }) => deleteFile(ctx, seller, params.id),
  uploadFilePart: ({ ctx, params, file }) => uploadFilePart(ctx, params.secret, file),
}
