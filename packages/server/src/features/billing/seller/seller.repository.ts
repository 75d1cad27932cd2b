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
