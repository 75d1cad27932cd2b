import type { ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { Redirect, withQuery } from '../../foundation/http/handler.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireStillSession } from './access.ts'
import { enqueueAccountMail } from './account-mail.ts'
import type { AuthHandler } from './auth-handler.ts'
import { refuseBreachedPassword } from './breached-passwords.ts'
import { completeSignIn, requireSession } from './complete-sign-in.service.ts'
import { lockUserAndAccounts, takePossession } from './ownership.service.ts'
import { normalizeEmail, passwordLengthError } from './profile-rules.ts'
import { deleteSessionsOf } from './session.repository.ts'
import { renewFreshness } from './session.service.ts'
import { toUser } from './session-answer.ts'
import { isForgotten, readSessionCookies, setSessionCookies } from './session-cookies.ts'
import { checkPassword, rehashLater } from './sign-in.service.ts'
import {
  findCredentialAccount,
  findUser,
  lockAccounts,
  putCredentialAccount,
  replacePassword,
  type UserRow,
} from './user.repository.ts'
import { consumeProof, deleteMagicLink, deleteProofs, findProofUser } from './verification.repository.ts'

const resetAnswer = {
  status: true,
  message: 'If this email exists in our system, check your email for the reset link',
} as const

/** Mails a link to choose a new password; the same answer, in the same time, for every address. */
export const requestPasswordReset: AuthHandler<'requestPasswordReset' | 'forgetPassword'> = async ({
  ctx,
  caller,
  body,
}) => {
  assertResetEnabled(ctx)
  const email = normalizeEmail(body.email)
  if (email === null) throw new TollgateError('VALIDATION_ERROR')
  await enqueueAccountMail(ctx, {
    purpose: 'reset-password',
    email,
    locale: caller.locale,
    callbackURL: body.redirectTo,
  })
  return resetAnswer
}

/** Redirects from the mailed link to the page for the new password, with the token or the reason why it is invalid. */
export const resetPasswordCallback: AuthHandler<'resetPasswordCallback', Redirect> = async ({ ctx, params, query }) => {
  const { token } = params
  const { callbackURL } = query
  if (!callbackURL) throw new TollgateError('CALLBACK_URL_REQUIRED')
  const target = new URL(callbackURL, ctx.config.baseURL).href
  const isValid = await findProofUser(ctx.db, 'reset-password', token, ctx.clock.now())
  return new Redirect(isValid ? withQuery(target, 'token', token) : withQuery(target, 'error', 'INVALID_TOKEN'))
}

/**
 * Sets a new password with a mailed token. The token proves the mailbox, so the address becomes verified. Other reset
 * and sign-in links end, and so do all sessions unless configured otherwise.
 */
export const resetPassword: AuthHandler<'resetPassword'> = async ({ ctx, caller, body, query }) => {
  assertResetEnabled(ctx)
  const token = body.token ?? query.token
  const now = ctx.clock.now()
  const userId = token && (await findProofUser(ctx.db, 'reset-password', token, now))
  if (!token || !userId) throw new TollgateError('RESET_TOKEN_INVALID')
  // A refused password leaves the token unused, so that the person can try another one.
  const password = await hashNewPassword(ctx, body.newPassword)

  const done = await ctx.transaction(async (tx) => {
    const user = await findUser(tx, userId)
    if (!user) return false
    // Lock this first, as a sign-in by the link does, to avoid a deadlock.
    await deleteMagicLink(tx, user.email)
    const known = await lockUserAndAccounts(tx, userId)
    if (!known || !(await consumeProof(tx, 'reset-password', token, userId, now))) return false
    // A squatter who signed up with the address loses every way in when its owner arrives.
    await takePossession(ctx, tx, known)
    await putCredentialAccount(tx, userId, password, now)
    await deleteProofs(tx, 'reset-password', userId)
    if (ctx.config.emailAndPassword.revokeSessionsOnPasswordReset) await deleteSessionsOf(tx, userId)
    await emit(tx, now, { type: 'user.password_reset', actorId: userId, userId })
    await notifyOwner(ctx, tx, user, caller.locale)
    return true
  })
  if (!done) throw new TollgateError('RESET_TOKEN_INVALID')
  return { status: true }
}

/** Changes the password of the signed-in user, who proves the current one. */
export const changePassword: AuthHandler<'changePassword'> = async ({ ctx, caller, session: current, body }) => {
  const { user } = current
  await requireCredentialAccount(ctx, user)
  const password = await hashCheckedPassword(ctx, user, body)
  const now = ctx.clock.now()
  const rememberMe = !isForgotten(current, readSessionCookies(ctx, caller))
  const session = await ctx.transaction(async (tx) => {
    // Only if it is still the password that was checked: of two concurrent changes, one wins.
    if (!(await replacePassword(tx, user.id, password.checked, password.next, now)))
      throw new TollgateError('INVALID_PASSWORD')
    await requireStillSession(tx, current)
    await deleteProofs(tx, 'reset-password', user.id)
    await emit(tx, now, { type: 'user.password_changed', actorId: user.id, userId: user.id })
    await notifyOwner(ctx, tx, user, caller.locale)
    if (!body.revokeOtherSessions) return undefined
    // Lock the user before their sessions, as everywhere, or this deadlocks with a ban.
    const signIn = { user, method: 'password', rememberMe, replaces: current.session } as const
    const next = requireSession(await completeSignIn(ctx, tx, caller, signIn))
    await deleteSessionsOf(tx, user.id, next.id)
    return next
  })
  if (session) setSessionCookies(ctx, caller, { session, user })
  return { token: session?.token ?? null, user: toUser(user) }
}

/** Checks the current password and hashes the new one. Both are slow, so both come before the transaction. */
async function hashCheckedPassword(
  ctx: Context,
  user: UserRow,
  body: ParsedBody<'changePassword'>,
): Promise<{ checked: string; next: string }> {
  const tooShortOrLong = passwordLengthError(body.newPassword, ctx.config.emailAndPassword)
  if (tooShortOrLong) throw new TollgateError(tooShortOrLong)
  const given = { account: user.id, userId: user.id, password: body.currentPassword }
  const { stored } = await checkPassword(ctx, given, 'INVALID_PASSWORD')
  return { checked: stored, next: await hashNewPassword(ctx, body.newPassword) }
}

/** Sets a password for a user who has only other sign-in methods. For server code: it checks no proof. */
export const setPassword: AuthHandler<'setPassword'> = async ({ ctx, session, body }) => {
  const { user } = session
  const account = await findCredentialAccount(ctx.db, user.id)
  if (account?.password) throw new TollgateError('USER_ALREADY_HAS_A_PASSWORD')
  const password = await hashNewPassword(ctx, body.newPassword)
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await lockAccounts(tx, user.id)
    await requireStillSession(tx, session)
    if ((await findCredentialAccount(tx, user.id))?.password) throw new TollgateError('USER_ALREADY_HAS_A_PASSWORD')
    await putCredentialAccount(tx, user.id, password, now)
    await emit(tx, now, { type: 'user.password_changed', actorId: user.id, userId: user.id })
  })
  return { status: true }
}

/** Checks the password again; a correct one makes the session fresh. */
export const verifyPassword: AuthHandler<'verifyPassword'> = async ({ ctx, session: { session, user }, body }) => {
  const { password } = body
  const checked = await checkPassword(ctx, { account: user.id, userId: user.id, password }, 'INVALID_PASSWORD')
  rehashLater(ctx, user.id, checked, password)
  await renewFreshness(ctx, session)
  return { status: true }
}

export async function requireCredentialAccount(ctx: Context, user: UserRow): Promise<{ password: string }> {
  const account = await findCredentialAccount(ctx.db, user.id)
  if (!account?.password) throw new TollgateError('CREDENTIAL_ACCOUNT_NOT_FOUND')
  return { password: account.password }
}

/** Checks and hashes a new password. It is slow, so call it before any transaction. */
export async function hashNewPassword(ctx: Context, password: string): Promise<string> {
  const tooShortOrLong = passwordLengthError(password, ctx.config.emailAndPassword)
  if (tooShortOrLong) throw new TollgateError(tooShortOrLong)
  await refuseBreachedPassword(ctx, password)
  return ctx.passwords.hash(password)
}

function assertResetEnabled(ctx: Context): void {
  const { enabled, resetPassword: mayReset } = ctx.config.emailAndPassword
  if (!enabled || !mayReset) throw new TollgateError('RESET_PASSWORD_DISABLED')
}

/** Mails the owner that their password has changed. */
export const notifyOwner = (ctx: Context, tx: Tx, user: UserRow, locale: MailLocale): Promise<void> =>
  enqueueMail(ctx, tx, { to: user.email, locale, template: 'password-changed', data: { name: user.name } })
