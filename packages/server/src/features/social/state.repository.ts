import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { newId } from '../../foundation/ids.ts'
import { sha256 } from '../../foundation/token.ts'

/** A sign-in at a provider in progress. Only the state's hash is stored. */
export type StoredState = { state: string; userId: Id<'user'>; content: string; expiresAt: Date; now: Date }

const identifierOf = (state: string): string => `oauth-state:${sha256(state)}`

export const insertState = (tx: Tx, { state, userId, content, expiresAt, now }: StoredState): Promise<unknown> =>
  tx
    .insertInto('verification')
    .values({
      id: newId(),
      identifier: identifierOf(state),
      value: userId,
      content,
      expiresAt,
      createdAt: now,
      updatedAt: now,
    })
    .execute()

/**
 * Consumes a state: of several concurrent callbacks, one gets its content. An expired state is removed and returns
 * undefined.
 */
export async function consumeState(tx: Tx, state: string, now: Date): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('verification')
    .where('identifier', '=', identifierOf(state))
    .returning(['content', 'expiresAt'])
    .executeTakeFirst()
  return row && row.expiresAt > now ? (row.content ?? undefined) : undefined
}

/** Whether a state is in progress; does not consume it. */
export async function findState(db: Db, state: string, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('verification')
    .select('content')
    .where('identifier', '=', identifierOf(state))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row?.content ?? undefined
}
