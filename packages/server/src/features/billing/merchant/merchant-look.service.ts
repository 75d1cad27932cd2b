import { noBrand } from '@tollgate/contract/brand'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { MailSeller } from '../../../foundation/mail/templates.ts'
import { findSellingOrganization } from './merchant.repository.ts'

/**
 * How an organization looks in its mails to buyers, in its invitations and on the pages that they lead to; undefined if
 * it does not exist.
 */
export async function findMerchantLook(db: Db, id: Id<'organization'>): Promise<MailSeller | undefined> {
  const row = await findSellingOrganization(db, id)
  return row && { name: row.name, logo: row.logo, brand: row.brand ?? noBrand }
}
