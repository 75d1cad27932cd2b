import { firstAdminRole, listAdministrators } from '../access.ts'
import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { newId, newResetToken } from '../ids.ts'
import { emit } from '../outbox.ts'
import { endAllAccess, lockUserAndAccounts } from './ownership.service.ts'
import { replaceProof } from './proof.service.ts'
import { findUserByEmail, insertUser, updateUserRow } from './user.repository.ts'
import { consumeProof, findProofUser } from './verification.repository.ts'

/** Whether anybody administers this installation yet. */
export const hasAdmin = async (ctx: Context): Promise<boolean> => (await listAdministrators(ctx, ctx.db)).length > 0

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
 * Makes a user an administrator. Where nobody has the address, a user without a password is created. Where somebody has
 * it who has not proved that it is theirs, every way in that they have ends, since they may be a squatter. In both cases a
 * link comes back, which works once within a day, and is where the password is chosen.
 */
export async function createAdminByEmail(
  ctx: Context,
  email: string,
): Promise<{ created: boolean; link: string | null }> {
  const now = ctx.clock.now()
  const secret = newResetToken()
  const role = firstAdminRole(ctx.config)
  const admin = await ctx.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email)
    const existing = found && (await lockUserAndAccounts(tx, found.id))
    // Whoever has left the address at this moment must not become the administrator in its owner's place.
    if (found && existing?.email !== email)
      throw new Error(`${email} has just changed hands: nothing was done, try again`)
    const user = existing ?? (await insertUser(tx, newAdmin(email, role, now)))
    if (existing) await updateUserRow(tx, user.id, { role, updatedAt: now })
    await emit(tx, now, {
      ...(existing
        ? { type: 'user.updated', data: { fields: 'role' } }
        : { type: 'user.created', data: { method: 'admin create' } }),
      actorId: null,
      userId: user.id,
    })
    if (user.emailVerified) return { created: false, isProved: true }
    await endAllAccess(tx, user.id)
    await replaceProof(tx, { purpose: 'reset-password', secret, userId: user.id, expiresAt: after(now, days(1)), now })
    return { created: existing === undefined, isProved: false }
  })
  const link = admin.isProved ? null : `${ctx.config.baseURL.origin}/reset-password?token=${secret}`
  return { created: admin.created, link }
}

const newAdmin = (email: string, role: string, now: Date) => ({
  id: newId(),
  email,
  name: email.split('@')[0] ?? email,
  role,
  emailVerified: false,
  banned: false,
  createdAt: now,
  updatedAt: now,
})
