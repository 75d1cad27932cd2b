import type { Context } from '../context.ts'
import { findUser } from './user.repository.ts'
import { findProof } from './verification.repository.ts'

/** Whom a mailed link lets choose a new password, and until when it does. */
export type ResetLink = { readonly email: string; readonly expiresAt: Date }

/**
 * Looks at the token of a mailed link without using it up. Whoever has the token may know the address: its mailbox is where
 * the token came from. Nothing for one that is unknown, used or has run out.
 */
export async function lookAtResetLink(ctx: Context, token: string): Promise<ResetLink | undefined> {
  const proof = await findProof(ctx.db, 'reset-password', token, ctx.clock.now())
  const user = proof && (await findUser(ctx.db, proof.userId))
  return user && { email: user.email, expiresAt: proof.expiresAt }
}
