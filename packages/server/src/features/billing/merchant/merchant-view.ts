import type { Merchant } from '@tollgate/contract/billing-types'
import { noBrand } from '@tollgate/contract/brand'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { maySell } from './may-sell.service.ts'
import {
  findSellingOrganization,
  type SellingOrganizationRow,
  subscriptionSettingsOf,
  usualSettings,
} from './merchant.repository.ts'

/** A selling organization as responses and events show it; undefined if it does not exist. */
export async function findMerchantView(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
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
  socials: row.socials ?? usualSettings.socials,
  detailsSubmittedAt: row.detailsSubmittedAt?.toISOString() ?? null,
  featureSettings: row.featureSettings ?? usualSettings.featureSettings,
  subscriptionSettings: subscriptionSettingsOf(row),
  ...(row.defaultCurrency != null && { defaultPresentmentCurrency: row.defaultCurrency }),
  brand: row.brand ?? noBrand,
  maySell: maySell(ctx, { approvedAt: row.approvedAt ?? null }),
})

/** Name, slug and picture are on the organization's row, so the later of both changes counts. */
function lastChange({ createdAt, updatedAt, modifiedAt }: SellingOrganizationRow): Date | null {
  const ownChange = updatedAt > createdAt ? updatedAt : null
  if (!modifiedAt || !ownChange) return modifiedAt ?? ownChange
  return modifiedAt > ownChange ? modifiedAt : ownChange
}
