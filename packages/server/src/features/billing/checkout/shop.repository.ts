import type { Db } from '../../../foundation/db/database.ts'

/** The first approved organization with products. */
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
