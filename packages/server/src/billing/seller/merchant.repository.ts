import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

type Organization = Selectable<Tables['organization']>
type Merchant = Selectable<Tables['merchant']>

/** An organization with its billing side, which may not be there yet: then it has what everybody begins with. */
export type SellingOrganizationRow = Pick<Organization, 'id' | 'name' | 'slug' | 'logo' | 'createdAt' | 'updatedAt'> &
  Partial<
    Pick<
      { [Key in keyof Merchant]: Merchant[Key] | null },
      'approvedAt' | 'contactEmail' | 'website' | 'detailsSubmittedAt' | 'modifiedAt'
    >
  > & { readonly socials: unknown; readonly featureSettings: unknown; readonly subscriptionSettings: unknown }

const sellingOrganizations = (db: Db) =>
  db
    .selectFrom('organization')
    .leftJoin('merchant', 'merchant.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.name',
      'organization.slug',
      'organization.logo',
      'organization.createdAt',
      'organization.updatedAt',
      'merchant.approvedAt',
      'merchant.contactEmail',
      'merchant.website',
      'merchant.socials',
      'merchant.detailsSubmittedAt',
      'merchant.featureSettings',
      'merchant.subscriptionSettings',
      'merchant.modifiedAt',
    ])

export const findSellingOrganization = (db: Db, id: string): Promise<SellingOrganizationRow | undefined> =>
  sellingOrganizations(db).where('organization.id', '=', id).executeTakeFirst()

export const findSellingOrganizations = async (
  db: Db,
  ids: readonly string[],
): Promise<readonly SellingOrganizationRow[]> =>
  ids.length === 0 ? [] : sellingOrganizations(db).where('organization.id', 'in', ids).execute()

/** One organization, or those of a member; where verified addresses are asked for, only of one who has verified theirs. */
type Whose =
  | { readonly id: string }
  | { readonly memberId: string; readonly isVerified: boolean; readonly ids: readonly string[] | undefined }

/** Ids of organizations, a page at a time. */
export function listOrganizations(
  db: Db,
  whose: Whose,
  request: ListRequest & { readonly slug?: string | undefined },
): Promise<Page<{ id: string }>> {
  const { slug } = request
  let query = db.selectFrom('organization').select('organization.id')
  if ('id' in whose) query = query.where('organization.id', '=', whose.id)
  else {
    query = query.where('organization.id', 'in', (own) =>
      own.selectFrom('member').select('member.organizationId').where('member.userId', '=', whose.memberId),
    )
    if (!whose.isVerified) query = query.where('organization.requireVerifiedEmail', '=', false)
    if (whose.ids) query = query.where('organization.id', 'in', whose.ids)
  }
  if (slug !== undefined) query = query.where('organization.slug', '=', slug.toLowerCase())
  return readPage(query, request, { columns: sorting, id: 'organization.id' })
}

const sorting = {
  created_at: column('organization.createdAt', 'time'),
  slug: column('organization.slug', 'text'),
  name: column('organization.name', 'text'),
}

export async function updateMerchantRow(
  tx: Tx,
  organizationId: string,
  changes: Updateable<Tables['merchant']>,
): Promise<void> {
  await tx.updateTable('merchant').set(changes).where('organizationId', '=', organizationId).execute()
}
