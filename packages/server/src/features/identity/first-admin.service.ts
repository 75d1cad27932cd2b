import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import { newId, newResetToken } from '../../foundation/ids.ts'
import { emit } from '../../foundation/outbox.ts'
import { firstAdminRole, listAdministrators } from './access.ts'
import { endAllAccess, lockUserAndAccounts } from './ownership.service.ts'
import { replaceProof } from './proof.service.ts'
import { findUserByEmail, insertUser, updateUserRow } from './user.repository.ts'
import { consumeProof, findProofUser } from './verification.repository.ts'

/** Whether this installation has an administrator yet. */
export const hasAdmin = async (ctx: Context): Promise<boolean> => (await listAdministrators(ctx, ctx.db)).length > 0

/** The subject of a first administrator's proof, who has no user yet. */
const installation = 'installation'

/** A one-time link to sign up as the first administrator; a new one ends the previous one. */
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

/** Whether the link would work now; does not consume it. */
export const isSetupToken = async (ctx: Context, token: string, now: Date): Promise<boolean> =>
  (await findProofUser(ctx.db, 'first-admin', token, now)) !== undefined

/** Consumes the link, which makes its user an administrator. */
export const consumeSetupToken = (tx: Tx, token: string, now: Date): Promise<boolean> =>
  consumeProof(tx, 'first-admin', token, installation, now)

/**
 * Makes a user an administrator. If the address is unknown, creates a user without a password. If its account is
 * unverified, ends every sign-in method, because the account may be a squatter's. Both cases return a one-time link,
 * valid for a day, to choose the password.
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
    // A user who leaves the address at this moment must not become the administrator in its owner's place.
    if (found && existing?.email !== email)
      throw new Error(`${email} has just moved to another user. Nothing changed; try again`)
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
