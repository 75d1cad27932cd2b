import type { Db } from '../../db/database.ts'

/** The organization that was first allowed to sell, of those that have something to sell. */
export const findFirstShop = (db: Db): Promise<{ slug: string } | undefined> =>
  db
    .selectFrom('merchant')
    .innerJoin('organization', 'organization.id', 'merchant.organizationId')
    .select('organization.slug')
    .where('merchant.approvedAt', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('product')
          .select('product.id')
          .whereRef('product.organizationId', '=', 'merchant.organizationId')
          .where('product.isArchived', '=', false),
      ),
    )
    .orderBy('merchant.approvedAt')
    .orderBy('merchant.organizationId')
    .limit(1)
    .executeTakeFirst()
