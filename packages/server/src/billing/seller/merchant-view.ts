import type { Merchant } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { findSellingOrganization, type SellingOrganizationRow } from './merchant.repository.ts'
import { usualSettings } from './seller.repository.ts'
import { maySell } from './seller.service.ts'

/** A selling organization as answers and events show it; nothing where there is no such organization. */
export async function findMerchantView(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: string,
): Promise<Merchant | undefined> {
  const row = await findSellingOrganization(db, organizationId)
  return row && toMerchant(ctx, row)
}

export const toMerchant = (ctx: Pick<Context, 'config'>, row: SellingOrganizationRow): Merchant => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: lastChange(row)?.toISOString() ?? null,
  name: row.name,
  slug: row.slug,
  avatarUrl: row.logo,
  email: row.contactEmail ?? null,
  website: row.website ?? null,
  socials: (row.socials ?? usualSettings.socials) as Merchant['socials'], // these are written from their schemas
  detailsSubmittedAt: row.detailsSubmittedAt?.toISOString() ?? null,
  featureSettings: (row.featureSettings ?? usualSettings.featureSettings) as Merchant['featureSettings'],
  subscriptionSettings: (row.subscriptionSettings ??
    usualSettings.subscriptionSettings) as Merchant['subscriptionSettings'],
  maySell: maySell(ctx, { approvedAt: row.approvedAt ?? null }),
})

/** Name, slug and picture are the organization's own, and change with it. */
function lastChange({ createdAt, updatedAt, modifiedAt }: SellingOrganizationRow): Date | null {
  const ownChange = updatedAt > createdAt ? updatedAt : null
  if (!modifiedAt || !ownChange) return modifiedAt ?? ownChange
  return modifiedAt > ownChange ? modifiedAt : ownChange
}
