import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type Tables, toJson } from '../../db/tables.ts'

export type MerchantRow = Selectable<Tables['merchant']>

export const findMerchant = (db: Db, organizationId: string): Promise<MerchantRow | undefined> =>
  db.selectFrom('merchant').selectAll().where('organizationId', '=', organizationId).executeTakeFirst()

/** Kept as it is until the transaction ends: what is counted of a seller under it is exact. */
export async function lockMerchant(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('merchant').select('createdAt').where('organizationId', '=', organizationId).forUpdate().execute()
}

export async function findOrganizationId(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id
}

/** A token with whether its organization may sell, in one indexed read. */
export const findTokenWithMerchant = (db: Db, tokenHash: string) =>
  db
    .selectFrom('organizationAccessToken as token')
    .innerJoin('merchant', 'merchant.organizationId', 'token.organizationId')
    .select(['token.id', 'token.organizationId', 'token.scopes', 'token.expiresAt', 'token.lastUsedAt'])
    .select('merchant.approvedAt')
    .where('token.tokenHash', '=', tokenHash)
    .executeTakeFirst()

export async function touchToken(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('organizationAccessToken').set({ lastUsedAt: now }).where('id', '=', id).execute()
}

/** What everybody begins with (specification, section 9; contract, SUB-9). */
export const usualSettings = {
  socials: [],
  featureSettings: { issueFundingEnabled: false, usageBasedBillingEnabled: false },
  subscriptionSettings: {
    allowMultipleSubscriptions: false,
    allowCustomerUpdates: true,
    prorationBehavior: 'prorate',
  },
} as const

/**
 * The billing side of an organization, made if it is not there; nothing where there is no such organization. Approved at
 * once, or not yet; one that is there stays as it is.
 */
export async function insertMerchant(
  tx: Tx,
  organizationId: string,
  now: Date,
  isApproved: boolean,
): Promise<MerchantRow | undefined> {
  const organization = await tx
    .selectFrom('organization')
    .select(['id', 'slug'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!organization) return undefined
  await tx
    .insertInto('merchant')
    .values({
      organizationId,
      approvedAt: isApproved ? now : null,
      socials: toJson(usualSettings.socials),
      featureSettings: toJson(usualSettings.featureSettings),
      subscriptionSettings: toJson(usualSettings.subscriptionSettings),
      ordersCount: 0,
      creditNotesCount: 0,
      invoicePrefix: organization.slug.toUpperCase(),
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('organizationId').doNothing())
    .execute()
  return findMerchant(tx, organizationId)
}

/** Lets an organization sell, or no longer. */
export async function setApproved(tx: Tx, organizationId: string, approvedAt: Date | null): Promise<void> {
  await tx.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', organizationId).execute()
}
