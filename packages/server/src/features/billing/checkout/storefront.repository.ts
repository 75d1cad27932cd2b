import type { Db, Id } from '../../../foundation/db/database.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import { billableStatuses } from '../states.ts'

/** An organization by its slug, with its public columns and its approval. */
export const findStorefront = (db: Db, slug: string) =>
  db
    .selectFrom('organization')
    .innerJoin('merchant', 'merchant.organizationId', 'organization.id')
    .select(['organization.id', 'organization.name', 'organization.slug', 'organization.logo'])
    .select(['merchant.website', 'merchant.approvedAt', 'merchant.brand'])
    .where('organization.slug', '=', slug)
    .executeTakeFirst()

/** Whether the organization has this product for sale. */
export const isOffered = (db: Db, organizationId: Id<'organization'>, id: Id<'product'>): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('product')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('id', '=', id)
      .where('isArchived', '=', false),
  )

/** Products of an organization with a live subscription of the account or of its active organization. */
export async function listSubscribed(
  db: Db,
  organizationId: Id<'organization'>,
  buyer: { readonly userId: Id<'user'>; readonly organizationId: Id<'organization'> | undefined },
): Promise<Id<'product'>[]> {
  const rows = await db
    .selectFrom('customer')
    .innerJoin('subscription', 'subscription.customerId', 'customer.id')
    .select('subscription.productId')
    .distinct()
    .where((is) =>
      is.or([
        is('customer.userId', '=', buyer.userId),
        ...(buyer.organizationId === undefined ? [] : [is('customer.buyerOrganizationId', '=', buyer.organizationId)]),
      ]),
    )
    .where('subscription.organizationId', '=', organizationId)
    .where('subscription.status', 'in', billableStatuses)
    .execute()
  return rows.map(({ productId }) => productId)
}
