import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import {
  byId,
  emptyIsNull,
  foreignId,
  id,
  listOf,
  listQuery,
  sellerErrors,
  several,
  utc,
  writeErrors,
} from './fields.ts'
import type { fileCalls } from './file.calls.ts'

export const fileServices = ['downloadable', 'product_media', 'organization_avatar'] as const

/** SHA-256 in base64. */
const checksum = z.preprocess(
  (value) => (value === '' ? null : value),
  z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'Input should be a SHA-256 checksum in base64')
    .nullish(),
)
/** A file's name, which ends its public address: no path, and not only dots, which would be one. */
const fileName = storable(255)
  .min(1)
  .refine(
    (value) => !/[\p{Cc}/\\]|^\.+$/u.test(value),
    'Input should be the name of a file, without a path and without control characters',
  )
const stored = {
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  path: z.string(),
  mimeType: z.string(),
  size: z.int(),
  storageVersion: z.string().nullable(),
  checksumEtag: z.string().nullable(),
  checksumSha256Base64: z.string().nullable(),
  checksumSha256Hex: z.string().nullable(),
  lastModifiedAt: utc.nullable(),
  version: z.string().nullable(),
  isUploaded: z.boolean(),
  sizeReadable: z.string(),
}
/** Product media and avatars are public pictures; downloads for sale have no public address. */
export const file = z.object({
  ...stored,
  createdAt: utc,
  service: z.enum(fileServices),
  publicUrl: z.string().optional(),
})
export const productMedia = z.object({
  ...stored,
  createdAt: utc,
  service: z.literal('product_media'),
  publicUrl: z.string(),
})

const mimeType = storable(255)
  .trim()
  .toLowerCase()
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/, 'Input should be a MIME type')
const number = z.int().min(1).max(10_000)
const offset = z.int().min(0)
/** `chunkEnd` is the first byte after the part. */
const part = { number, chunkStart: offset, chunkEnd: offset, checksumSha256Base64: checksum }

const fileUpload = z.object({
  ...stored,
  service: z.enum(fileServices),
  upload: z.object({
    id: z.string(),
    path: z.string(),
    parts: z.array(
      z.object({
        number: z.int(),
        chunkStart: z.int(),
        chunkEnd: z.int(),
        checksumSha256Base64: z.string().nullable(),
        url: z.string(),
        expiresAt: utc,
        headers: z.record(z.string(), z.string()),
      }),
    ),
  }),
})

/** Bodies, queries, answers and refusals of the calls about files. */
export const fileSchemas = {
  listFiles: {
    summary: 'Lists an organization’s files.',
    query: z.object({ ...listQuery(['created_at']), ids: several(id) }),
    output: listOf(file),
    errors: sellerErrors,
  },
  createFile: {
    summary: 'Creates a file with its parts; returns the upload addresses.',
    body: z.object({
      name: fileName,
      mimeType,
      size: z.int().min(1).max(10_000_000_000),
      service: z.enum(fileServices),
      checksumSha256Base64: checksum,
      version: emptyIsNull(64),
      upload: z.object({ parts: z.array(z.object(part)).min(1).max(1000) }),
      organizationId: foreignId.nullish(),
    }),
    output: fileUpload,
    errors: writeErrors,
  },
  completeFile: {
    summary: 'Completes an upload after all parts are sent; the file can then be used.',
    params: byId,
    body: z.object({
      id: storable(255),
      path: storable(2048),
      parts: z
        .array(z.object({ number, checksumEtag: storable(255), checksumSha256Base64: checksum }))
        .min(1)
        .max(1000),
    }),
    output: file,
    errors: writeErrors,
  },
  updateFile: {
    summary: 'Updates a file’s name or version.',
    params: byId,
    body: z.object({ name: fileName.nullish(), version: emptyIsNull(64) }),
    output: file,
    errors: writeErrors,
  },
  deleteFile: { summary: 'Deletes a file.', params: byId, errors: writeErrors },
  uploadFilePart: {
    summary: 'Uploads a part of a file as bytes. `completeFile` takes the answer’s ETag header.',
    params: z.object({ secret: storable(512) }),
    errors: ['RESOURCE_NOT_FOUND', 'REQUEST_INVALID', 'BODY_TOO_LARGE', 'MALFORMED_REQUEST'],
  },
} as const satisfies Record<keyof typeof fileCalls, Endpoint>
