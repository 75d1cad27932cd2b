import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

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

export const sellingOrganizations = (db: Db) =>
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

export async function updateMerchantRow(
  tx: Tx,
  organizationId: string,
  changes: Updateable<Tables['merchant']>,
): Promise<void> {
  await tx.updateTable('merchant').set(changes).where('organizationId', '=', organizationId).execute()
}
