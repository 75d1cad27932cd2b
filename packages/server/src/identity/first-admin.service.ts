import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { newId, newResetToken } from '../ids.ts'
import { emit } from '../outbox.ts'
import { replaceProof } from './proof.service.ts'
import { findUserByEmail, insertUser, updateUserRow } from './user.repository.ts'
import { consumeProof, findProofUser } from './verification.repository.ts'

/** The role that administers the whole installation. */
export const adminRole = 'admin'

/** Whether anybody administers this installation yet. */
export async function hasAdmin(ctx: Context): Promise<boolean> {
  const admin = await ctx.db.selectFrom('user').select('id').where('role', '=', adminRole).executeTakeFirst()
  return admin !== undefined
}

/** What the proof of a first administrator belongs to: nobody yet. */
const installation = 'installation'

/** A one-time link to sign up as the first administrator; a new one ends the one before. */
export async function createSetupLink(ctx: Context): Promise<string> {
  const now = ctx.clock.now()
  const secret = newResetToken()
  await ctx.transaction(async (tx) => {
    await replaceProof(tx, {
      purpose: 'first-admin',
      secret,
      userId: installation,
      expiresAt: after(now, days(1)),
      now,
    })
  })
  return `${ctx.config.baseURL.origin}/sign-up?setupToken=${secret}`
}

/** Whether the link would work now, without using it up. */
export const isSetupToken = async (ctx: Context, token: string, now: Date): Promise<boolean> =>
  (await findProofUser(ctx.db, 'first-admin', token, now)) !== undefined

/** Uses the link up: whoever signs up with it administers the installation. */
export const consumeSetupToken = (tx: Tx, token: string, now: Date): Promise<boolean> =>
  consumeProof(tx, 'first-admin', token, installation, now)

/**
 * Makes a user an administrator. Where nobody has the address, a user without a password is created, and the link that
 * comes back, which works once within a day, is where its password is chosen.
 */
export async function createAdminByEmail(
  ctx: Context,
  email: string,
): Promise<{ created: boolean; link: string | null }> {
  const now = ctx.clock.now()
  const secret = newResetToken()
  const created = await ctx.transaction(async (tx) => {
    const existing = await findUserByEmail(tx, email)
    if (existing) {
      await updateUserRow(tx, existing.id, { role: adminRole, updatedAt: now })
      await emit(tx, now, { type: 'user.updated', actorId: null, userId: existing.id, data: { fields: 'role' } })
      return false
    }
    const user = await insertUser(tx, {
      id: newId(),
      email,
      name: email.split('@')[0]!,
      role: adminRole,
      emailVerified: false,
      banned: false,
      createdAt: now,
      updatedAt: now,
    })
    await emit(tx, now, { type: 'user.created', actorId: null, userId: user.id, data: { method: 'admin create' } })
    await replaceProof(tx, { purpose: 'reset-password', secret, userId: user.id, expiresAt: after(now, days(1)), now })
    return true
  })
  return { created, link: created ? `${ctx.config.baseURL.origin}/reset-password?token=${secret}` : null }
}
