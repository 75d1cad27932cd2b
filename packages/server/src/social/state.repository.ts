import type { Db, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { sha256 } from '../token.ts'

/** A sign-in at a provider that is under way. The state itself is not stored, only what it hashes to. */
export type StoredState = { state: string; userId: string; content: string; expiresAt: Date; now: Date }

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

/** Uses a state up: of several callbacks at once, one gets its content. An expired one is removed, and gives nothing. */
export async function consumeState(tx: Tx, state: string, now: Date): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('verification')
    .where('identifier', '=', identifierOf(state))
    .returning(['content', 'expiresAt'])
    .executeTakeFirst()
  return row && row.expiresAt > now ? (row.content ?? undefined) : undefined
}

/** Whether a state is under way, without using it up. */
export async function findState(db: Db, state: string, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('verification')
    .select('content')
    .where('identifier', '=', identifierOf(state))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row?.content ?? undefined
}
