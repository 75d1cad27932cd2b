import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { findCredentialAccount, replacePassword } from './account.repository.ts'
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

  const user = await findUserByEmail(ctx.db, email)
  await checkPassword(ctx, { account: email, userId: user?.id, password: body.password }, 'INVALID_EMAIL_OR_PASSWORD')
  if (!user) throw new TollgateError('INVALID_EMAIL_OR_PASSWORD')
  if (ctx.config.emailAndPassword.requireEmailVerification && !user.emailVerified) {
    await mailVerificationAgain(ctx, caller, user, body.callbackURL)
    throw new TollgateError('EMAIL_NOT_VERIFIED')
  }

  const session = await ctx.transaction((tx) => createSession(ctx, tx, caller, user.id, body))
  setSessionCookies(ctx, caller, { session, user }, body)
  const { callbackURL } = body
  return {
    redirect: callbackURL !== undefined,
    token: session.token,
    ...(callbackURL !== undefined && { url: callbackURL }),
    user: toUser(user),
  }
}

/**
 * Checks a password against the stored one, counted as an attempt on the account. Throws the given refusal when it is
 * wrong, or when there is no user or no password to check.
 */
export async function checkPassword(
  ctx: Context,
  given: { account: string; userId: string | undefined; password: string },
  refusal: 'INVALID_EMAIL_OR_PASSWORD' | 'INVALID_PASSWORD',
): Promise<void> {
  const attempt = await ctx.limits.attempt(given.account)
  const { userId, password } = given
  const account = userId === undefined ? undefined : await findCredentialAccount(ctx.db, userId)
  const stored = account?.password ?? null
  const { ok, rehash } = await ctx.passwords.verify(stored, password)
  if (!ok) throw new TollgateError(refusal)
  await attempt.succeeded()

  if (rehash && userId !== undefined) {
    ctx.background('rehash', async () => {
      const replacement = await ctx.passwords.hash(password)
      await ctx.transaction((tx) => replacePassword(tx, userId, stored, replacement, ctx.clock.now()))
    })
  }
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
