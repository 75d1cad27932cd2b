import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { orderVerificationMail } from './account-mail.ts'
import type { AuthHandler } from './auth-handler.ts'
import { completeSignIn, requireSession } from './complete-sign-in.service.ts'
import { recordFailedSignIn } from './failed-sign-in.service.ts'
import { normalizeEmail } from './profile-rules.ts'
import type { StoredSession } from './session.repository.ts'
import { toUser } from './session-answer.ts'
import { setSessionCookies } from './session-cookies.ts'
import {
  findCredentialAccount,
  findUserByEmail,
  isStillPassword,
  replacePassword,
  type UserRow,
} from './user.repository.ts'

/** Signs in by e-mail and password. */
export const signInEmail: AuthHandler<'signInEmail'> = async ({ ctx, caller, body }) => {
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

/** The credentials of a password sign-in, and how that call words its refusals. */
type PasswordOwner = {
  find(): Promise<UserRow | undefined>
  /** The key to count attempts by, besides the found user. */
  readonly named: string
  readonly wrong: 'INVALID_EMAIL_OR_PASSWORD' | 'INVALID_USERNAME_OR_PASSWORD'
  readonly unverified: 'EMAIL_NOT_VERIFIED' | 'USERNAME_EMAIL_NOT_VERIFIED'
}

type GivenPassword = { password: string; rememberMe?: boolean | undefined; callbackURL?: string | undefined }

/**
 * Begins a session for the found user by their password, and sets its cookies. An unknown user, a missing password and
 * a wrong password get one answer and cost one hash; only the correct password reveals an unverified address. A
 * refusal is recorded in the audit log.
 */
export async function signInByPassword(
  ctx: Context,
  caller: Caller,
  given: GivenPassword,
  owner: PasswordOwner,
): Promise<{ session: StoredSession; user: UserRow }> {
  let userId: Id<'user'> | undefined
  const find = async () => {
    const user = await owner.find()
    userId = user?.id
    return user
  }
  try {
    return await beginByPassword(ctx, caller, given, { ...owner, find })
  } catch (error) {
    recordFailedSignIn(ctx, caller, { named: owner.named, userId, error })
    throw error
  }
}

async function beginByPassword(
  ctx: Context,
  caller: Caller,
  given: GivenPassword,
  owner: PasswordOwner,
): Promise<{ session: StoredSession; user: UserRow }> {
  const { password, callbackURL } = given
  // Retry once if the password was replaced during the check, for example by a rehash.
  for (let round = 0; round < 2; round += 1) {
    const user = await owner.find()
    const checked = await checkPassword(
      ctx,
      { named: owner.named, account: user?.id ?? `nobody ${owner.named}`, userId: user?.id, password },
      owner.wrong,
    )
    if (!user) break
    const outcome = await ctx.transaction(async (tx) => {
      // A change of the password or the account's end ends every session, and must include this one.
      if (!(await isStillPassword(tx, user.id, checked.stored))) return undefined
      return completeSignIn(ctx, tx, caller, { user, method: 'password', rememberMe: given.rememberMe })
    })
    if (!outcome) continue
    if (outcome.kind === 'unverified-address') {
      await mailVerificationAgain(ctx, caller, user, callbackURL)
      throw new TollgateError(owner.unverified)
    }
    const session = requireSession(outcome)
    rehashLater(ctx, user.id, checked, password)
    setSessionCookies(ctx, caller, { session, user })
    if (!user.emailVerified) await mailVerificationAgain(ctx, caller, user, callbackURL)
    return { session, user }
  }
  throw new TollgateError(owner.wrong)
}

/** The stored string that a password matches, and whether to replace it by one of ours. */
export type CheckedPassword = { readonly stored: string; readonly rehash: boolean }

/**
 * Checks a password, counted as an attempt on the account and, for an unknown user, on the typed name. Returns the
 * stored string that matches. Throws the given refusal when the password is wrong, when there is no user or password,
 * or when too many attempts were made on the account by another of its names.
 */
export async function checkPassword(
  ctx: Context,
  given: { named?: string; account: string; userId: Id<'user'> | undefined; password: string },
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
    // Overload and database failures do not count as guesses.
    await attempt.takeBack()
    throw error
  }
  if (!outcome.ok || attempt.isOver || stored === null || userId === undefined) throw new TollgateError(refusal)
  await attempt.takeBack()
  return { stored, rehash: outcome.rehash }
}

/** Replaces an imported hash by one of ours after the answer, if it is still the one that was checked. */
export function rehashLater(
  ctx: Context,
  userId: Id<'user'>,
  { stored, rehash }: CheckedPassword,
  password: string,
): void {
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
