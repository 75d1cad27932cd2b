import type { Context } from '../../foundation/context.ts'
import { findUser } from './user.repository.ts'
import { findProof } from './verification.repository.ts'

/** The user for whom a mailed link can set a password, and its expiry. */
export type ResetLink = { readonly email: string; readonly expiresAt: Date }

/**
 * Reads the token of a mailed link without consuming it. The token's holder may know the address, because the token
 * came from its mailbox. Undefined for unknown, used and expired tokens.
 */
export async function lookAtResetLink(ctx: Context, token: string): Promise<ResetLink | undefined> {
  const proof = await findProof(ctx.db, 'reset-password', token, ctx.clock.now())
  const user = proof && (await findUser(ctx.db, proof.userId))
  return user && { email: user.email, expiresAt: proof.expiresAt }
}
