import type { Db, Id } from '../../../foundation/db/database.ts'
import { listOrderDocumentRows } from './document.repository.ts'
import type { DocumentContent } from './drawing/document-content.ts'
import { contentIn } from './issue.service.ts'

export type SellerAtLaw = Pick<DocumentContent['seller'], 'legalName' | 'address' | 'taxId'>

/** The legal entity that sold an order, by the order's first document; undefined if there is none. */
export async function readSellerAtLaw(
  db: Db,
  organizationId: Id<'organization'>,
  orderId: Id<'order'>,
): Promise<SellerAtLaw | null> {
  const [first] = await listOrderDocumentRows(db, organizationId, orderId)
  if (!first) return null
  const { legalName, address, taxId } = contentIn(first).seller
  return legalName === null && address === null && taxId === null ? null : { legalName, address, taxId }
}
