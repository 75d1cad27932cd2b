import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { isUniqueViolation } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { type Redirect, redirecting } from '../../foundation/http/handler.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { enqueueAccountMail } from './account-mail.ts'
import type { AuthHandler } from './auth-handler.ts'
import { completeSignIn, requireSession } from './complete-sign-in.service.ts'
import { setOutcomeCookie } from './outcome-cookie.service.ts'
import { normalizeEmail } from './profile-rules.ts'
import { findCurrentSession } from './session.service.ts'
import { toUser } from './session-answer.ts'
import { renewSessionCookies, setSessionCookies } from './session-cookies.ts'
import {
  findUser,
  findUserByEmail,
  lockUser,
  markEmailVerified,
  replaceEmail,
  type UserRow,
} from './user.repository.ts'
import { consumeProof, deleteProofs } from './verification.repository.ts'
import { createVerificationLink, enqueueLinkMail, readToken } from './verification-link.ts'

export { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/** Mails a link that verifies the address. The answer is the same for unknown, unverified and verified addresses. */
export const sendVerificationEmail: AuthHandler<'sendVerificationEmail'> = async ({ ctx, caller, body }) => {
  if (!ctx.config.emailVerification.enabled) throw new TollgateError('VERIFICATION_EMAIL_DISABLED')
  const email = normalizeEmail(body.email)
  if (email === null) throw new TollgateError('VALIDATION_ERROR')
  await enqueueAccountMail(ctx, {
    purpose: 'verify-email',
    email,
    locale: caller.locale,
    callbackURL: body.callbackURL,
  })
  setOutcomeCookie(ctx, caller, body.callbackURL, { done: 'verification-sent', email })
  return { status: true }
}

/** Follows a mailed link: verifies the address, or makes the change of address that its owner has approved. */
export const verifyEmail: AuthHandler<'verifyEmail', Redirect> = ({ ctx, caller, query }) =>
  redirecting(query.callbackURL, () => verify(ctx, caller, query))

async function verify(ctx: Context, caller: Caller, query: ParsedQuery<'verifyEmail'>): Promise<Answer<'verifyEmail'>> {
  const claims = await readToken(ctx, query.token)
  const user = await findUserByEmail(ctx.db, claims.email)
  if (!user) throw new TollgateError('VERIFY_USER_NOT_FOUND')
  if (claims.updateTo !== undefined)
    return changeToApprovedEmail(ctx, caller, user, claims.updateTo, claims.jti, query.callbackURL)
  // A second visit changes nothing and signs no user in, but it succeeds.
  if (user.emailVerified) return isVerified(ctx, caller, user, query.callbackURL)

  const now = ctx.clock.now()
  const current = await findCurrentSession(ctx, caller)
  const { autoSignInAfterVerification } = ctx.config.emailVerification
  const done = await ctx.transaction(async (tx) => {
    // Lock the user before the proof, as creating a link does, to avoid a deadlock.
    await lockUser(tx, user.id)
    if (!(await consumeProof(tx, 'verify-email', claims.jti, user.id, now))) return undefined
    const verified = await markEmailVerified(tx, user.id, claims.email, now)
    if (!verified) return undefined
    const actorId = isOwn(current, user) ? actorOf(current) : user.id
    await emit(tx, now, { type: 'user.email_verified', actorId, userId: user.id })
    if (!autoSignInAfterVerification || isOwn(current, user)) return { user: verified }
    const outcome = await completeSignIn(ctx, tx, caller, { user, method: 'verification-link' })
    return { user: verified, session: requireSession(outcome) }
  })
  if (!done) {
    // Of two concurrent visits, the later one counts as a second visit.
    if ((await findUser(ctx.db, user.id))?.emailVerified) return isVerified(ctx, caller, user, query.callbackURL)
    throw new TollgateError('VERIFY_INVALID_TOKEN')
  }

  if (done.session) setSessionCookies(ctx, caller, { session: done.session, user: done.user })
  else if (isOwn(current, user)) renewSessionCookies(ctx, caller, { session: current.session, user: done.user })
  return isVerified(ctx, caller, user, query.callbackURL)
}

/** Answers the visitor, whose browser may not be the owner's: the page shows the address in question. */
function isVerified(
  ctx: Context,
  caller: Caller,
  { email }: UserRow,
  callbackURL: string | undefined,
): Answer<'verifyEmail'> {
  setOutcomeCookie(ctx, caller, callbackURL, { done: 'email-verified', email })
  return { status: true, user: null }
}

const isOwn = (current: SessionRow | undefined, user: UserRow): current is SessionRow => current?.user.id === user.id

/**
 * Requires the user's own session: neither a mailbox alone (auth contract, section 3) nor an impersonating
 * administrator moves an account.
 */
async function changeToApprovedEmail(
  ctx: Context,
  caller: Caller,
  user: UserRow,
  newEmail: string,
  secret: string,
  callbackURL: string | undefined,
): Promise<Answer<'verifyEmail'>> {
  const current = await findCurrentSession(ctx, caller)
  if (!isOwn(current, user) || current.session.impersonatedBy !== null) throw new TollgateError('VERIFY_UNAUTHORIZED')

  const now = ctx.clock.now()
  const link = await createVerificationLink(ctx, { email: newEmail }, callbackURL)
  const changed = await ctx
    .transaction(async (tx) => {
      await lockUser(tx, user.id)
      if (!(await consumeProof(tx, 'change-email', secret, user.id, now))) return undefined
      const updated = await replaceEmail(tx, user.id, user.email, newEmail, now)
      if (!updated) return undefined
      await deleteProofs(tx, 'reset-password', user.id)
      await emit(tx, now, { type: 'user.email_changed', actorId: user.id, userId: user.id })
      await enqueueLinkMail(ctx, tx, updated, link, { template: 'email-changed-verify', locale: caller.locale })
      await enqueueMail(ctx, tx, {
        to: user.email,
        locale: caller.locale,
        template: 'email-changed',
        data: { name: user.name, newEmail },
      })
      return updated
    })
    .catch((error) => {
      // Another user has taken the address since the link was made.
      if (isUniqueViolation(error)) return undefined
      throw error
    })
  if (!changed) throw new TollgateError('VERIFY_INVALID_TOKEN')
  renewSessionCookies(ctx, caller, { session: current.session, user: changed })
  setOutcomeCookie(ctx, caller, callbackURL, { done: 'email-changed', email: changed.email })
  return { status: true, user: toUser(changed) }
}
