import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { isAdministrator, lockAdministrators, requireAdmin } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { createImpersonatedSession, endImpersonation } from '../identity/session.service.ts'
import { toSessionAnswer } from '../identity/session-answer.ts'
import {
  clearSessionCookies,
  readAdminCookie,
  restoreAdminCookies,
  setImpersonationCookies,
} from '../identity/session-cookies.ts'
import { isBanned, isStillSession, lockUser } from '../identity/users.service.ts'

/**
 * Begins a short session as another user, who is no administrator and not banned. The administrator's own session is put
 * aside in a cookie, and ends the other one when it ends; what only the user may do stays refused (`call.own`), and every event names the administrator.
 */
export async function adminImpersonateUser(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'adminImpersonateUser'>,
): Promise<Answer<'adminImpersonateUser'>> {
  requireAdmin(ctx, current, 'user', 'impersonate', 'ADMIN_IMPERSONATE')
  const { userId, reason = null } = body
  const now = ctx.clock.now()
  const row = await ctx.transaction(async (tx): Promise<SessionRow> => {
    // Before any other user, as everywhere: two who act as each other could wait for each other.
    await lockAdministrators(ctx, tx, current, 'ADMIN_IMPERSONATE')
    // A ban, or the end of the session, that comes at this moment ends the new session too, or comes first.
    if (!(await isStillSession(tx, current.session.id))) throw new TollgateError('UNAUTHORIZED')
    const user = await lockUser(tx, userId)
    if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    if (isAdministrator(ctx, user)) throw new TollgateError('ADMIN_IMPERSONATE_ADMIN')
    if (isBanned(user, now)) throw new TollgateError('BANNED_USER')
    const impersonation = {
      userId,
      impersonatedBy: current.user.id,
      impersonatedFrom: current.session.id,
      impersonationReason: reason,
    }
    return { user, session: await createImpersonatedSession(ctx, tx, caller, impersonation) }
  })
  setImpersonationCookies(ctx, caller, current, row)
  return toAnswer(row)
}

/**
 * Ends the session as another user, and goes on with the administrator's own. Where the browser has lost that, or it has
 * run out, both have ended.
 */
export async function adminStopImpersonating(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
): Promise<Answer<'adminStopImpersonating'>> {
  if (current.session.impersonatedBy === null) throw new TollgateError('ADMIN_NOT_IMPERSONATING')
  await ctx.transaction((tx) => endImpersonation(ctx, tx, current))

  const aside = readAdminCookie(caller)
  const own = aside && (await ctx.database.findSessionRow(aside.token))
  const isTheirs = own && own.user.id === current.session.impersonatedBy && own.session.impersonatedBy === null
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
