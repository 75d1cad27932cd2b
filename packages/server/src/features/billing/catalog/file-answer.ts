import type { BillingFile, Product } from '@tollgate/contract/billing-types'
import type { FileRow } from './file.repository.ts'
import { isPublic, readableSize } from './files/file-rules.ts'

/** A file as responses show it. Downloads for sale have no public URL. */
export const toFile = (row: FileRow): BillingFile => ({
  ...shownOf(row),
  createdAt: row.createdAt.toISOString(),
  service: row.service,
  ...(isPublic(row.service) && { publicUrl: publicUrl(row) }),
})

/** A product's picture. */
export const toProductMedia = (row: FileRow): Product['medias'][number] => ({
  ...shownOf(row),
  createdAt: row.createdAt.toISOString(),
  service: 'product_media',
  publicUrl: publicUrl(row),
})

/** The members shown both before and after the upload. */
export const shownOf = (row: FileRow) => ({
  id: row.id,
  organizationId: row.organizationId,
  name: row.name,
  path: row.path,
  mimeType: row.mimeType,
  size: row.size,
  storageVersion: null,
  checksumEtag: row.checksumEtag,
  checksumSha256Base64: row.checksumSha256Base64,
  checksumSha256Hex: row.checksumSha256Hex,
  lastModifiedAt: row.lastModifiedAt?.toISOString() ?? null,
  version: row.version,
  isUploaded: row.isUploaded,
  sizeReadable: readableSize(row.size),
})

/** The name in the URL is for people; the server finds the file by its id. */
const publicUrl = ({ publicOrigin, id, name }: FileRow): string =>
  `${publicOrigin}/files/${id}/${encodeURIComponent(name)}`
