import type { Db } from '../../db/database.ts'
import { listOrderDocumentRows } from './document.repository.ts'
import type { DocumentContent } from './document-content.ts'
import { contentIn } from './issue.service.ts'

export type SellerAtLaw = Pick<DocumentContent['seller'], 'legalName' | 'address' | 'taxId'>

/** Who sold an order at law, as the first of its documents says; nothing where it has none, or the seller has not said so. */
export async function readSellerAtLaw(db: Db, organizationId: string, orderId: string): Promise<SellerAtLaw | null> {
  const [first] = await listOrderDocumentRows(db, organizationId, orderId)
  if (!first) return null
  const { legalName, address, taxId } = contentIn(first).seller
  return legalName === null && address === null && taxId === null ? null : { legalName, address, taxId }
}
