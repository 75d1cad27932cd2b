import type { BillingFile, Product } from '@tollgate/contract/billing-types'
import type { FileRow } from './file.repository.ts'
import { isPublic, readableSize } from './files/file-rules.ts'

/** A file as answers show it; what is sold for download has no public address. */
export const toFile = (row: FileRow): BillingFile => ({
  ...shownOf(row),
  createdAt: row.createdAt.toISOString(),
  service: row.service as BillingFile['service'], // checked when it was announced
  ...(isPublic(row.service) && { publicUrl: publicUrl(row) }),
})

/** A picture of a product. */
export const toProductMedia = (row: FileRow): Product['medias'][number] => ({
  ...shownOf(row),
  createdAt: row.createdAt.toISOString(),
  service: 'product_media',
  publicUrl: publicUrl(row),
})

/** What is shown of a file before and after it was uploaded. */
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

/** The name is for people; the file is found by its id. */
const publicUrl = ({ publicOrigin, id, name }: FileRow): string =>
  `${publicOrigin}/files/${id}/${encodeURIComponent(name)}`
