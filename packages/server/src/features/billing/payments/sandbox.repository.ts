import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareInsertReturning } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

export type SandboxTokenRow = Selectable<Tables['sandboxToken']>
export type SandboxIntentRow = Selectable<Tables['sandboxIntent']>
export type SandboxRefundRow = Selectable<Tables['sandboxRefund']>
export type SandboxDisputeRow = Selectable<Tables['sandboxDispute']>

export async function insertToken(tx: Tx, token: Insertable<Tables['sandboxToken']>): Promise<void> {
  await tx.insertInto('sandboxToken').values(token).execute()
}

/** A token that has not paid yet; undefined if it is unknown or expired. */
export const findToken = (db: Db, id: Id<'sandboxToken'>, now: Date): Promise<SandboxTokenRow | undefined> =>
  db.selectFrom('sandboxToken').selectAll().where('id', '=', id).where('expiresAt', '>', now).executeTakeFirst()

/** Deletes a token, so that it pays once; undefined if it is unknown or expired. */
export const consumeToken = (tx: Tx, id: Id<'sandboxToken'>, now: Date): Promise<SandboxTokenRow | undefined> =>
  tx.deleteFrom('sandboxToken').where('id', '=', id).where('expiresAt', '>', now).returningAll().executeTakeFirst()

/** Inserts an intent; undefined if the payment has one already. */
export const insertIntent = async (
  tx: Tx,
  intent: Insertable<Tables['sandboxIntent']>,
): Promise<SandboxIntentRow | undefined> => (await insertIntents(tx, intent)).at(0)

const insertIntents = prepareInsertReturning('sandboxIntent', { isOnce: true })

export const findIntent = async (db: Db, paymentId: Id<'payment'>): Promise<SandboxIntentRow | undefined> =>
  (await intentsById(db, { paymentId })).at(0)

const intentsById = prepare((db, { paymentId }: { paymentId: Id<'payment'> }) =>
  db.selectFrom('sandboxIntent').selectAll().where('id', '=', paymentId),
)

export const findIntentBySecret = (db: Db, clientSecretHash: string): Promise<SandboxIntentRow | undefined> =>
  db.selectFrom('sandboxIntent').selectAll().where('clientSecretHash', '=', clientSecretHash).executeTakeFirst()

/** Decides an intent that waits for its buyer; undefined if it is already decided. */
export const decideIntent = (
  tx: Tx,
  id: Id<'payment'>,
  decision: { readonly status: 'succeeded' | 'failed'; readonly declineReason: string | null; readonly now: Date },
): Promise<SandboxIntentRow | undefined> =>
  tx
    .updateTable('sandboxIntent')
    .set({ status: decision.status, declineReason: decision.declineReason, updatedAt: decision.now })
    .where('id', '=', id)
    .where('status', '=', 'requires_action')
    .returningAll()
    .executeTakeFirst()

/** Locks an intent, so that its refunds run one after the other. */
export const lockIntent = (tx: Tx, paymentId: Id<'payment'>): Promise<SandboxIntentRow | undefined> =>
  lockInOrder(
    tx,
    'sandboxIntent',
    paymentId,
    tx.selectFrom('sandboxIntent').selectAll().where('id', '=', paymentId),
  ).executeTakeFirst()

export const findSandboxRefund = (db: Db, id: Id<'refund'>): Promise<SandboxRefundRow | undefined> =>
  db.selectFrom('sandboxRefund').selectAll().where('id', '=', id).executeTakeFirst()

export const findSandboxRefundByReference = (db: Db, reference: string): Promise<SandboxRefundRow | undefined> =>
  db.selectFrom('sandboxRefund').selectAll().where('reference', '=', reference).executeTakeFirst()

export const listSandboxRefunds = (db: Db, intentId: Id<'payment'>): Promise<SandboxRefundRow[]> =>
  db.selectFrom('sandboxRefund').selectAll().where('intentId', '=', intentId).execute()

/** Inserts a refund; undefined if its id exists already. */
export const insertSandboxRefund = (tx: Tx, refund: Insertable<Tables['sandboxRefund']>) =>
  tx
    .insertInto('sandboxRefund')
    .values(refund)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export async function insertSandboxDispute(tx: Tx, dispute: Insertable<Tables['sandboxDispute']>): Promise<void> {
  await tx.insertInto('sandboxDispute').values(dispute).execute()
}

export const findSandboxDispute = (db: Db, id: string): Promise<SandboxDisputeRow | undefined> =>
  db.selectFrom('sandboxDispute').selectAll().where('id', '=', id).executeTakeFirst()

export const findDisputeOfIntent = (db: Db, intentId: Id<'payment'>): Promise<SandboxDisputeRow | undefined> =>
  db.selectFrom('sandboxDispute').selectAll().where('intentId', '=', intentId).executeTakeFirst()

/** The bank's decision; undefined if it has decided before. */
export const decideSandboxDispute = (tx: Tx, id: string, status: 'won' | 'lost') =>
  tx
    .updateTable('sandboxDispute')
    .set({ status })
    .where('id', '=', id)
    .where('status', '=', 'needs_response')
    .returningAll()
    .executeTakeFirst()

/** The processor of an organization's dispute, and the processor's id of it. */
export const findDispute = (db: Db, organizationId: Id<'organization'>, id: Id<'dispute'>) =>
  db
    .selectFrom('dispute')
    .select(['processor', 'processorReference'])
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('sandboxToken').where('expiresAt', '<=', now).execute()
}
