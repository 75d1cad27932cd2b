import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'

export async function findOrganizationId(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id
}

/** An access token and its organization's approval. */
export type TokenWithMerchant = NonNullable<Awaited<ReturnType<typeof findTokenWithMerchant>>>

/** Reads a token and its organization's approval in one indexed query. */
export const findTokenWithMerchant = async (db: Db, tokenHash: string) =>
  (await tokensWithMerchant(db, { tokenHash })).at(0)

const tokensWithMerchant = prepare((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('organizationAccessToken as token')
    .innerJoin('merchant', 'merchant.organizationId', 'token.organizationId')
    .select(['token.id', 'token.organizationId', 'token.scopes', 'token.expiresAt', 'token.lastUsedAt'])
    .select('merchant.approvedAt')
    .where('token.tokenHash', '=', tokenHash),
)

export async function touchToken(tx: Tx, id: Id<'organizationAccessToken'>, now: Date): Promise<void> {
  await tx.updateTable('organizationAccessToken').set({ lastUsedAt: now }).where('id', '=', id).execute()
}

/** The customer of a portal session that has not expired; removed customers have none. */
export const findSessionCustomer = async (db: Db, tokenHash: string, now: Date) =>
  (await sessionsWithCustomer(db, { tokenHash, now })).at(0)

const sessionsWithCustomer = prepare((db, { tokenHash, now }: { tokenHash: string; now: Date }) =>
  db
    .selectFrom('customerSession as session')
    .innerJoin('customer', 'customer.id', 'session.customerId')
    .select(['customer.id', 'customer.organizationId'])
    .where('session.tokenHash', '=', tokenHash)
    .where('session.expiresAt', '>', now)
    .where('customer.deletedAt', 'is', null),
)
