import type { Answer } from '@tollgate/contract/types'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { isAdministrator, requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { completeSignIn, requireSession } from '../identity/complete-sign-in.service.ts'
import { stopImpersonation } from '../identity/session.service.ts'
import { toSessionAnswer } from '../identity/session-answer.ts'
import {
  clearSessionCookies,
  readAdminCookie,
  restoreAdminCookies,
  setImpersonationCookies,
} from '../identity/session-cookies.ts'
import { isStillSession, lockUser } from '../identity/users.service.ts'

/**
 * Begins a short session as another user, who is neither banned nor an administrator. A cookie keeps the
 * administrator's own session, and the impersonation ends with it. Calls that only the user may make stay refused
 * (`call.own`), and every event names the administrator.
 */
export const adminImpersonateUser: AuthHandler<'adminImpersonateUser'> = async ({ ctx, caller, session, body }) => {
  requireAdmin(ctx, session, 'user', 'impersonate', 'ADMIN_IMPERSONATE')
  const { userId, reason = null } = body
  const row = await transactionAsAdministrator(ctx, session, 'ADMIN_IMPERSONATE', async (tx): Promise<SessionRow> => {
    const user = await lockUser(tx, userId)
    if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    // The lock orders this against a ban and the end of this session: either comes first, or ends the new session too.
    if (!(await isStillSession(tx, session.session.id))) throw new TollgateError('UNAUTHORIZED')
    if (isAdministrator(ctx, user)) throw new TollgateError('ADMIN_IMPERSONATE_ADMIN')
    const signIn = { user, method: 'impersonation', administrator: session, reason } as const
    return { user, session: requireSession(await completeSignIn(ctx, tx, caller, signIn)) }
  })
  setImpersonationCookies(ctx, caller, session, row)
  return toAnswer(row)
}

/**
 * Ends the impersonation and returns to the administrator's session. If the browser lost that session, or it expired,
 * both end.
 */
export const adminStopImpersonating: AuthHandler<'adminStopImpersonating'> = async ({ ctx, caller, session }) => {
  if (session.session.impersonatedBy === null) throw new TollgateError('ADMIN_NOT_IMPERSONATING')
  await stopImpersonation(ctx, session)

  const aside = readAdminCookie(caller)
  const own = aside && (await ctx.database.findSessionRow(aside.token))
  const isTheirs = own && own.user.id === session.session.impersonatedBy && own.session.impersonatedBy === null
  if (!isTheirs || own.session.expiresAt <= ctx.clock.now()) {
    clearSessionCookies(ctx, caller)
    throw new TollgateError('UNAUTHORIZED')
  }
  restoreAdminCookies(ctx, caller, own, aside.dontRemember)
  return toAnswer(own)
}

function toAnswer(row: SessionRow): Answer<'adminImpersonateUser'> {
  const { session, user } = toSessionAnswer(row)
  return { session, user }
}
