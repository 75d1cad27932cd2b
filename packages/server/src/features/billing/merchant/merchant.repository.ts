import type { Merchant } from '@tollgate/contract/billing-types'
import type { InferResult, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type MerchantRow = Selectable<Tables['merchant']>

/** An organization joined with its merchant row; until that exists, the defaults apply. */
export type SellingOrganizationRow = InferResult<ReturnType<typeof sellingOrganizations>>[number]

const sellingOrganizations = (db: Db) =>
  db
    .selectFrom('organization')
    .leftJoin('merchant', 'merchant.organizationId', 'organization.id')
    .select(['organization.id', 'organization.name', 'organization.slug', 'organization.logo'])
    .select(['organization.createdAt', 'organization.updatedAt'])
    .select(['merchant.approvedAt', 'merchant.detailsSubmittedAt', 'merchant.modifiedAt'])
    .select(['merchant.contactEmail', 'merchant.website', 'merchant.socials'])
    .select(['merchant.featureSettings', 'merchant.subscriptionSettings', 'merchant.brand'])
    .select('merchant.defaultCurrency')

export const findSellingOrganization = async (
  db: Db,
  id: Id<'organization'>,
): Promise<SellingOrganizationRow | undefined> => (await sellingOrganizationsById(db, { id })).at(0)

const sellingOrganizationsById = prepare((db, { id }: { id: Id<'organization'> }) =>
  sellingOrganizations(db).where('organization.id', '=', id),
)

export const findSellingOrganizations = async (
  db: Db,
  ids: readonly Id<'organization'>[],
): Promise<readonly SellingOrganizationRow[]> =>
  ids.length === 0 ? [] : sellingOrganizations(db).where('organization.id', 'in', ids).execute()

/** One organization, or a member's. Organizations that require verified addresses show only to members with one. */
type Whose =
  | { readonly id: Id<'organization'> }
  | {
      readonly userId: Id<'user'>
      readonly isVerified: boolean
      readonly ids: readonly Id<'organization'>[] | undefined
    }

/** A page of organization ids. */
export function listOrganizations(
  db: Db,
  whose: Whose,
  request: ListRequest & { readonly slug?: string | undefined },
): Promise<Page<{ id: Id<'organization'> }>> {
  const { slug } = request
  let query = db.selectFrom('organization').select('organization.id')
  if ('id' in whose) query = query.where('organization.id', '=', whose.id)
  else {
    query = query.where('organization.id', 'in', (own) =>
      own.selectFrom('member').select('member.organizationId').where('member.userId', '=', whose.userId),
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
  organizationId: Id<'organization'>,
  changes: Updateable<Tables['merchant']>,
): Promise<void> {
  await tx.updateTable('merchant').set(changes).where('organizationId', '=', organizationId).execute()
}

export const findMerchant = async (db: Db, organizationId: Id<'organization'>): Promise<MerchantRow | undefined> =>
  (await merchantsById(db, { organizationId })).at(0)

const merchantsById = prepare((db, { organizationId }: { organizationId: Id<'organization'> }) =>
  db.selectFrom('merchant').selectAll().where('organizationId', '=', organizationId),
)

/** Locks the merchant row until the transaction ends, so that counts of a seller's objects are exact. */
export async function lockMerchant(tx: Tx, organizationId: Id<'organization'>): Promise<void> {
  await lockInOrder(
    tx,
    'merchant',
    organizationId,
    tx.selectFrom('merchant').select('createdAt').where('organizationId', '=', organizationId),
  ).execute()
}

/** Default settings (specification, section 9; contract, SUB-9, SUB-13, SUB-15). */
export const usualSettings: Pick<MerchantRow, 'socials' | 'featureSettings'> & {
  readonly subscriptionSettings: Merchant['subscriptionSettings']
} = {
  socials: [],
  featureSettings: { issueFundingEnabled: false, usageBasedBillingEnabled: false },
  subscriptionSettings: {
    allowMultipleSubscriptions: false,
    allowCustomerUpdates: true,
    prorationBehavior: 'prorate',
    benefitRevocationGracePeriod: 0,
    dunningRetryAfterDays: null,
  },
}

/** A seller's settings of subscriptions, each as they chose it, or the default. */
export const subscriptionSettingsOf = (
  row: { readonly subscriptionSettings: MerchantRow['subscriptionSettings'] | null } | undefined,
): Merchant['subscriptionSettings'] => ({ ...usualSettings.subscriptionSettings, ...row?.subscriptionSettings })

/**
 * Returns the merchant row of an organization, creating it if missing; an existing one stays unchanged. Undefined if
 * the organization does not exist.
 */
export async function insertMerchant(
  tx: Tx,
  organizationId: Id<'organization'>,
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
      socials: usualSettings.socials,
      featureSettings: usualSettings.featureSettings,
      subscriptionSettings: usualSettings.subscriptionSettings,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('organizationId').doNothing())
    .execute()
  const prefix = organization.slug.toUpperCase()
  await tx
    .insertInto('invoiceSeries')
    .values([
      { organizationId, kind: 'invoice', prefix, lastNumber: 0 },
      { organizationId, kind: 'credit_note', prefix, lastNumber: 0 },
    ])
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind']).doNothing())
    .execute()
  return findMerchant(tx, organizationId)
}

/** The organization's default currency; null until it has chosen one. */
export const defaultCurrencyOf = async (db: Db, organizationId: Id<'organization'>): Promise<string | null> =>
  (await findMerchant(db, organizationId))?.defaultCurrency ?? null

/** Approves an organization or withdraws its approval. */
export async function setApproved(tx: Tx, organizationId: Id<'organization'>, approvedAt: Date | null): Promise<void> {
  await tx.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', organizationId).execute()
}

/** The language of an organization's newest webhook endpoint, which hints at its people's; undefined if it has none. */
export async function lastLocaleOfSeller(
  db: Db,
  organizationId: Id<'organization'>,
): Promise<Selectable<Tables['webhookEndpoint']>['locale'] | undefined> {
  const found = await db
    .selectFrom('webhookEndpoint')
    .select('locale')
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.locale
}
