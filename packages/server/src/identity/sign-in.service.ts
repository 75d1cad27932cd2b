import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { findCredentialAccount, isStillPassword, replacePassword } from './account.repository.ts'
import { orderVerificationMail } from './account-mail.ts'
import { normalizeEmail } from './profile-rules.ts'
import type { StoredSession } from './session.repository.ts'
import { createSession } from './session.service.ts'
import { toUser } from './session-answer.ts'
import { setSessionCookies } from './session-cookies.ts'
import { findUserByEmail, type UserRow } from './user.repository.ts'

/** Signs in by e-mail and password. */
export async function signInEmail(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signInEmail'>,
): Promise<Answer<'signInEmail'>> {
  if (!ctx.config.emailAndPassword.enabled) throw new TollgateError('EMAIL_AND_PASSWORD_DISABLED')
  const email = normalizeEmail(body.email)
  if (email === null) throw new TollgateError('INVALID_EMAIL')

  const { session, user } = await signInByPassword(ctx, caller, body, {
    find: () => findUserByEmail(ctx.db, email),
    named: email,
    wrong: 'INVALID_EMAIL_OR_PASSWORD',
    unverified: 'EMAIL_NOT_VERIFIED',
  })
  const { callbackURL } = body
  return {
    redirect: callbackURL !== undefined,
    token: session.token,
    ...(callbackURL !== undefined && { url: callbackURL }),
    user: toUser(user),
  }
}

/** Who wants to sign in by a password, and how the refusals of that call read. */
type PasswordOwner = {
  find(): Promise<UserRow | undefined>
  /** What attempts are counted on besides whoever is found. */
  readonly named: string
  readonly wrong: 'INVALID_EMAIL_OR_PASSWORD' | 'INVALID_USERNAME_OR_PASSWORD'
  readonly unverified: 'EMAIL_NOT_VERIFIED' | 'USERNAME_EMAIL_NOT_VERIFIED'
}

/**
 * Begins a session for whoever is found, by their password, and sets its cookies. Nobody found, no password and wrong
 * password are one answer and cost one hash; an unverified address is told of only after the right password.
 */
export async function signInByPassword(
  ctx: Context,
  caller: Caller,
  given: { password: string; rememberMe?: boolean | undefined; callbackURL?: string | undefined },
  owner: PasswordOwner,
): Promise<{ session: StoredSession; user: UserRow }> {
  const { password, callbackURL } = given
  // A second round where the password was replaced while it was being checked, be it by a better hash of the same one.
  for (let round = 0; round < 2; round += 1) {
    const user = await owner.find()
    const checked = await checkPassword(
      ctx,
      { named: owner.named, account: user?.id ?? `nobody ${owner.named}`, userId: user?.id, password },
      owner.wrong,
    )
    if (!user) break
    if (ctx.config.emailAndPassword.requireEmailVerification && !user.emailVerified) {
      await mailVerificationAgain(ctx, caller, user, callbackURL)
      throw new TollgateError(owner.unverified)
    }

    const session = await ctx.transaction(async (tx) => {
      // Who changes the password or deletes the account at this moment ends every session, and this one must not be missed.
      if (!(await isStillPassword(tx, user.id, checked.stored))) return undefined
      return createSession(ctx, tx, caller, user.id, given)
    })
    if (!session) continue
    rehashLater(ctx, user.id, checked, password)
    setSessionCookies(ctx, caller, { session, user })
    if (!user.emailVerified) await mailVerificationAgain(ctx, caller, user, callbackURL)
    return { session, user }
  }
  throw new TollgateError(owner.wrong)
}

/** The stored string that a password fits, and whether it should be replaced by one of ours. */
export type CheckedPassword = { readonly stored: string; readonly rehash: boolean }

/**
 * Checks a password, counted as an attempt on the account and, where somebody has only been named, on that name; gives the
 * stored string that it fits. Throws the given refusal when it is wrong, when there is no user or no password to check, or
 * when the account was guessed at too often by another of its names.
 */
export async function checkPassword(
  ctx: Context,
  given: { named?: string; account: string; userId: string | undefined; password: string },
  refusal: PasswordOwner['wrong'] | 'INVALID_PASSWORD',
): Promise<CheckedPassword> {
  const { named, account, userId, password } = given
  const attempt = await (named === undefined ? ctx.limits.attempt(account) : ctx.limits.attempt(named, account))
  let stored: string | null
  let outcome: { ok: boolean; rehash: boolean }
  try {
    const credential = userId === undefined ? undefined : await findCredentialAccount(ctx.db, userId)
    stored = credential?.password ?? null
    outcome = await ctx.passwords.verify(stored, password)
  } catch (error) {
    // Too busy, or without a database: nobody has guessed anything.
    await attempt.takeBack()
    throw error
  }
  if (!outcome.ok || attempt.isOver || stored === null || userId === undefined) throw new TollgateError(refusal)
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
