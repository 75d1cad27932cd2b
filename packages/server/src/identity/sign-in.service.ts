import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { findCredentialAccount, isStillPassword, replacePassword } from './account.repository.ts'
import { orderVerificationMail } from './account-mail.ts'
import { normalizeEmail } from './profile-rules.ts'
import { createSession } from './session.service.ts'
import { toUser } from './session-answer.ts'
import { setSessionCookies } from './session-cookies.ts'
import { findUserByEmail, type UserRow } from './user.repository.ts'

/**
 * Signs in by e-mail and password. Unknown address, no password and wrong password are one answer and cost one hash; an
 * unverified address is told of only after the right password.
 */
export async function signInEmail(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signInEmail'>,
): Promise<Answer<'signInEmail'>> {
  if (!ctx.config.emailAndPassword.enabled) throw new TollgateError('EMAIL_AND_PASSWORD_DISABLED')
  const email = normalizeEmail(body.email)
  if (email === null) throw new TollgateError('INVALID_EMAIL')

  // A second round where the password was replaced while it was being checked, be it by a better hash of the same one.
  for (let round = 0; round < 2; round += 1) {
    const user = await findUserByEmail(ctx.db, email)
    const given = { account: user?.id ?? email, userId: user?.id, password: body.password }
    const checked = await checkPassword(ctx, given, 'INVALID_EMAIL_OR_PASSWORD')
    if (!user) break
    if (ctx.config.emailAndPassword.requireEmailVerification && !user.emailVerified) {
      await mailVerificationAgain(ctx, caller, user, body.callbackURL)
      throw new TollgateError('EMAIL_NOT_VERIFIED')
    }

    const session = await ctx.transaction(async (tx) => {
      // Who changes the password or deletes the account at this moment ends every session, and this one must not be missed.
      if (!(await isStillPassword(tx, user.id, checked.stored))) return undefined
      return createSession(ctx, tx, caller, user.id, body)
    })
    if (!session) continue
    rehashLater(ctx, user.id, checked, body.password)
    setSessionCookies(ctx, caller, { session, user }, body)
    if (!user.emailVerified) await mailVerificationAgain(ctx, caller, user, body.callbackURL)
    const { callbackURL } = body
    return {
      redirect: callbackURL !== undefined,
      token: session.token,
      ...(callbackURL !== undefined && { url: callbackURL }),
      user: toUser(user),
    }
  }
  throw new TollgateError('INVALID_EMAIL_OR_PASSWORD')
}

/** The stored string that a password fits, and whether it should be replaced by one of ours. */
export type CheckedPassword = { readonly stored: string; readonly rehash: boolean }

/**
 * Checks a password, counted as an attempt on the account, and gives the stored string that it fits. Throws the given
 * refusal when it is wrong, or when there is no user or no password to check.
 */
export async function checkPassword(
  ctx: Context,
  given: { account: string; userId: string | undefined; password: string },
  refusal: 'INVALID_EMAIL_OR_PASSWORD' | 'INVALID_PASSWORD',
): Promise<CheckedPassword> {
  const attempt = await ctx.limits.attempt(given.account)
  const { userId, password } = given
  let stored: string | null
  let outcome: { ok: boolean; rehash: boolean }
  try {
    const account = userId === undefined ? undefined : await findCredentialAccount(ctx.db, userId)
    stored = account?.password ?? null
    outcome = await ctx.passwords.verify(stored, password)
  } catch (error) {
    // Too busy, or without a database: nobody has guessed anything.
    await attempt.takeBack()
    throw error
  }
  if (!outcome.ok || stored === null || userId === undefined) throw new TollgateError(refusal)
  await attempt.takeBack()
  return { stored, rehash: outcome.rehash }
}

/** Replaces an imported hash by one of ours, beside the answer, if it is still the one that was checked. */
export function rehashLater(ctx: Context, userId: string, { stored, rehash }: CheckedPassword, password: string): void {
  if (!rehash) return
  ctx.background('rehash', async () => {
    const replacement = await ctx.passwords.hash(password)
    await ctx.transaction((tx) => replacePassword(tx, userId, stored, replacement, ctx.clock.now()))
  })
}

async function mailVerificationAgain(
  ctx: Context,
  caller: Caller,
  user: UserRow,
  callbackURL: string | undefined,
): Promise<void> {
  const { enabled, sendOnSignIn = ctx.config.emailAndPassword.requireEmailVerification } = ctx.config.emailVerification
  if (!enabled || !sendOnSignIn || !(await ctx.limits.mail('verify-email', user.email))) return
  await orderVerificationMail(ctx, user, { locale: caller.locale, callbackURL })
}
