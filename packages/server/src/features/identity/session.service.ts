import type { Answer, SessionAnswer } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { keptAnswers } from '../../foundation/kept-answers.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from './auth-handler.ts'
import { readSession } from './kept-sessions.ts'
import {
  deleteSession,
  deleteSessionsOf,
  extendSession,
  findSessionByToken,
  listUnexpiredSessions,
  lockSession,
  type StoredSession,
  touchAuthenticatedAt,
} from './session.repository.ts'
import { toSession, toSessionAnswer } from './session-answer.ts'
import { clearSessionCookies, readSessionCookies, renewSessionCookies, setSessionCookies } from './session-cookies.ts'

/** The caller's stored session, if any. Never reads the cookie cache: a caller who writes must be signed in now. */
export async function findCurrentSession(ctx: Context, caller: Caller): Promise<SessionRow | undefined> {
  const header = caller.headers.get('cookie')
  if (header === null) return undefined
  const row = await readSession(ctx, header, () => readSessionCookies(ctx, caller).token)
  return row && row.session.expiresAt > ctx.clock.now() ? row : undefined
}

/**
 * The session and its user, or null. Extends a session whose update age has passed. Deletes an expired one and clears
 * its cookies (specification, section 4).
 */
export const getSession: AuthHandler<'getSession'> = async ({ ctx, caller, query }) => {
  const { token, dontRemember, cached } = readSessionCookies(ctx, caller)
  if (token === null) return null
  if (!query.disableCookieCache && cached !== undefined) {
    if (cached !== null) return cached
    clearSessionCookies(ctx, caller)
    return null
  }

  const row = await ctx.database.findSessionRow(token)
  if (!row || row.session.expiresAt <= ctx.clock.now()) {
    if (row) await ctx.transaction((tx) => deleteSession(tx, row.session.id))
    clearSessionCookies(ctx, caller)
    return null
  }
  const mayExtend = !query.disableRefresh && !dontRemember && !ctx.config.session.disableSessionRefresh
  if (mayExtend && refreshDueAt(ctx, row.session) <= ctx.clock.now()) return extend(ctx, caller, row)
  // The copy in the cookie has expired or does not exist yet.
  renewSessionCookies(ctx, caller, row, { onlyCache: true })
  return toSessionAnswer(row)
}

/** Renews the cookies; a session has no fields that its owner may set. */
export const updateSession: AuthHandler<'updateSession'> = async ({ ctx, caller, session: current }) => {
  renewSessionCookies(ctx, caller, current)
  return { session: toSession(current.session) }
}

/** From when on a request extends the session (auth contract, section 2), regardless of its cookies. */
export function refreshDueAt(ctx: Context, session: Pick<StoredSession, 'expiresAt' | 'neverExtended'>): Date {
  if (session.neverExtended) return session.expiresAt
  const { expiresIn, updateAge } = ctx.config.session
  return after(session.expiresAt, seconds(updateAge - expiresIn))
}

async function extend(ctx: Context, caller: Caller, row: SessionRow): Promise<SessionAnswer> {
  const now = ctx.clock.now()
  const expiresAt = after(now, seconds(ctx.config.session.expiresIn))
  const extended = await ctx.transaction((tx) => extendSession(tx, row.session, expiresAt, now))
  // Another request extended or ended the session first: answer with what is stored now.
  const current = extended ? { ...row, session: extended } : await ctx.database.findSessionRow(row.session.token)
  if (!current) {
    clearSessionCookies(ctx, caller)
    return null
  }
  setSessionCookies(ctx, caller, current)
  return toSessionAnswer(current)
}

/** Maximum number of lists and sessions in the cached answers: about 5 MB. */
const keptLimit = 10_000
const keptLists = keptAnswers<Answer<'listSessions'>>('sessions', keptLimit, (list) => 1 + list.length)

export const listSessions: AuthHandler<'listSessions'> = async ({ ctx, caller, session: { user } }) => {
  const now = ctx.clock.now()
  const read = async () => (await listUnexpiredSessions(ctx.db, user.id, now)).map(toSession)
  const list = await keptLists({ ctx, caller }, user.id, read)
  // A session may have expired since the list was cached.
  const nowText = now.toISOString()
  return list.every(({ expiresAt }) => expiresAt > nowText) ? list : read()
}

export const revokeSession: AuthHandler<'revokeSession'> = async ({ ctx, session: current, body: { token } }) => {
  const session = await findSessionByToken(ctx.db, token)
  if (!session) throw new TollgateError('SESSION_NOT_FOUND')
  if (session.userId !== current.user.id) throw new TollgateError('SESSION_OF_ANOTHER_USER')

  await ctx.transaction(async (tx) => {
    if (!(await deleteSession(tx, session.id))) return // Another request was first; the session has ended all the same.
    await emitRevoked(ctx, tx, current, { sessionId: session.id })
  })
  return { status: true }
}

/** Ends every session, including the caller's own. */
export const revokeSessions: AuthHandler<'revokeSessions'> = async ({ ctx, session }) => {
  await ctx.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, session.user.id)
    await emitRevoked(ctx, tx, session, { count })
  })
  return { status: true }
}

export const revokeOtherSessions: AuthHandler<'revokeOtherSessions'> = async ({ ctx, session }) => {
  await ctx.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, session.user.id, session.session.id)
    if (count > 0) await emitRevoked(ctx, tx, session, { count })
  })
  return { status: true }
}

/**
 * Ends the session and clears the cookies. Only a signed cookie can name the session to end. During impersonation the
 * administrator's own session ends too, so that a signed-out browser holds none.
 */
export const signOut: AuthHandler<'signOut'> = async ({ ctx, caller }) => {
  const { token } = readSessionCookies(ctx, caller)
  if (token === null) throw new TollgateError('FAILED_TO_GET_SESSION')

  const row = await ctx.database.findSessionRow(token)
  if (row) {
    const { impersonatedBy, impersonatedFrom } = row.session
    await ctx.transaction(async (tx) => {
      if (impersonatedBy === null || impersonatedFrom === null) await endOwn(ctx, tx, row.user.id, row.session.id)
      // Lock it first, as every function that ends both does, to avoid a deadlock.
      else if (await lockSession(tx, impersonatedFrom)) {
        await endImpersonation(ctx, tx, row)
        await endOwn(ctx, tx, impersonatedBy, impersonatedFrom)
      }
    })
  }
  clearSessionCookies(ctx, caller)
  return { success: true }
}

async function endOwn(ctx: Context, tx: Tx, userId: Id<'user'>, sessionId: Id<'session'>): Promise<void> {
  if (!(await deleteSession(tx, sessionId))) return
  const data = { sessionId, signOut: true }
  await emit(tx, ctx.clock.now(), { type: 'session.revoked', actorId: userId, userId, data })
}

/** Ends the session of an administrator who acts as another user. */
export const stopImpersonation = (ctx: Context, current: SessionRow): Promise<void> =>
  ctx.transaction((tx) => endImpersonation(ctx, tx, current))

/** Ends an impersonated session; an already ended one emits no event. */
async function endImpersonation(ctx: Context, tx: Tx, current: SessionRow): Promise<void> {
  const { session, user } = current
  if (!(await deleteSession(tx, session.id))) return
  await emit(tx, ctx.clock.now(), {
    type: 'impersonation.stopped',
    actorId: actorOf(current),
    userId: user.id,
    data: { sessionId: session.id, reason: session.impersonationReason },
  })
}

/** A session is fresh for a while after its owner proves their identity (security, §0). */
export function isFresh(ctx: Context, session: StoredSession): boolean {
  const { freshAge } = ctx.config.session
  return freshAge === 0 || after(session.authenticatedAt, seconds(freshAge)) > ctx.clock.now()
}

export const renewFreshness = (ctx: Context, session: StoredSession): Promise<unknown> =>
  ctx.transaction((tx) => touchAuthenticatedAt(tx, session.id, ctx.clock.now()))

function emitRevoked(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  data: Record<string, string | number | boolean>,
): Promise<void> {
  return emit(tx, ctx.clock.now(), {
    type: 'session.revoked',
    actorId: actorOf(current),
    userId: current.user.id,
    data,
  })
}
