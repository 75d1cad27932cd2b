import type { Merchant } from '@tollgate/contract/billing-types'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { findSellingOrganization, type SellingOrganizationRow } from './merchant.repository.ts'
import { usualSettings } from './seller.repository.ts'
import { maySell } from './seller.service.ts'

/** A selling organization as answers and checkouts show it. */
export async function readMerchant(ctx: Context, db: Db, organizationId: string): Promise<Merchant> {
  const row = await findSellingOrganization(db, organizationId)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toMerchant(ctx, row)
}

export const toMerchant = (ctx: Context, row: SellingOrganizationRow): Merchant => ({
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
  const changes = [updatedAt, modifiedAt].filter((time) => time instanceof Date && time > createdAt) as Date[]
  return changes.length === 0 ? null : new Date(Math.max(...changes.map(Number)))
}
