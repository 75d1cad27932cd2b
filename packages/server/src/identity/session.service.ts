import type { ParsedQuery, Session, SessionAnswer } from '@tollgate/contract/types'
import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { isDatabaseUnavailable, type Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { newId } from '../ids.ts'
import { actorOf, emit } from '../outbox.ts'
import {
  deleteSession,
  deleteSessionsOf,
  extendSession,
  findSessionByToken,
  insertSession,
  listUnexpiredSessions,
  lockSession,
  type StoredSession,
  touchAuthenticatedAt,
} from './session.repository.ts'
import { toSession, toSessionAnswer } from './session-answer.ts'
import { clearSessionCookies, readSessionCookies, renewSessionCookies, setSessionCookies } from './session-cookies.ts'
import { findBan, isBanned, liftBan } from './user.repository.ts'

/**
 * Begins a session inside the transaction that is its cause; whoever is banned gets none. The cookies follow after the
 * commit: `setSessionCookies`.
 */
export async function createSession(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  userId: string,
  options: { rememberMe?: boolean | undefined } = {},
): Promise<StoredSession> {
  const { expiresIn, expiresInWithoutRememberMe } = ctx.config.session
  const now = ctx.clock.now()
  const ban = await findBan(tx, userId)
  if (ban && isBanned(ban, now)) throw new TollgateError('BANNED_USER')
  if (ban?.banned) {
    await liftBan(tx, userId, now)
    await emit(tx, now, { type: 'user.unbanned', actorId: null, userId, data: { hasRunOut: true } })
  }
  const neverExtended = options.rememberMe === false
  const expiresAt = after(now, seconds(neverExtended ? expiresInWithoutRememberMe : expiresIn))
  const session = await beginSession(tx, caller, now, { userId, expiresAt, neverExtended })
  await emit(tx, now, { type: 'session.created', actorId: userId, userId, data: { sessionId: session.id } })
  return session
}

/**
 * Begins a session of an administrator as somebody else: short, never extended, and known by who acts and why. It ends
 * with the administrator's own session that it was begun in (foreign key). Who may, and as whom, is the caller's to
 * check, in the same transaction.
 */
export async function createImpersonatedSession(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  impersonation: Pick<StoredSession, 'userId' | 'impersonationReason'> & {
    impersonatedBy: string
    impersonatedFrom: string
  },
): Promise<StoredSession> {
  const now = ctx.clock.now()
  const { userId, impersonatedBy: actorId, impersonationReason: reason } = impersonation
  const expiresAt = after(now, seconds(ctx.config.admin.impersonationSessionDuration))
  const session = await beginSession(tx, caller, now, { ...impersonation, expiresAt, neverExtended: true })
  await emit(tx, now, { type: 'impersonation.started', actorId, userId, data: { sessionId: session.id, reason } })
  return session
}

function beginSession(
  tx: Tx,
  caller: Caller,
  now: Date,
  session: Pick<StoredSession, 'userId' | 'expiresAt' | 'neverExtended'> &
    Partial<Pick<StoredSession, 'impersonatedBy' | 'impersonationReason' | 'impersonatedFrom'>>,
): Promise<StoredSession> {
  return insertSession(tx, {
    ...session,
    id: newId(),
    token: newId(),
    ipAddress: caller.ipAddress,
    userAgent: caller.userAgent,
    authenticatedAt: now,
    createdAt: now,
    updatedAt: now,
  }).catch((cause) => {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('FAILED_TO_CREATE_SESSION', { cause })
  })
}

/** The stored session of a caller, or nothing; the cookie cache is not asked: whoever writes must be signed in now. */
export async function findCurrentSession(ctx: Context, caller: Caller): Promise<SessionRow | undefined> {
  const { token } = readSessionCookies(ctx, caller)
  if (token === null) return undefined
  const row = await ctx.database.findSessionRow(token)
  return row && row.session.expiresAt > ctx.clock.now() ? row : undefined
}

/**
 * The session and its user, or null. Extends a session whose update age has passed; deletes one that has expired and
 * clears its cookies (specification, section 4).
 */
export async function getSession(
  ctx: Context,
  caller: Caller,
  query: ParsedQuery<'getSession'>,
): Promise<SessionAnswer> {
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
  // The copy in the cookie has run out, or there is none yet.
  renewSessionCookies(ctx, caller, row, { onlyCache: true })
  return toSessionAnswer(row)
}

/** Tells the cookies anew; a session has no fields that its owner may set. */
export async function updateSession(ctx: Context, caller: Caller, current: SessionRow): Promise<{ session: Session }> {
  renewSessionCookies(ctx, caller, current)
  return { session: toSession(current.session) }
}

/** From when on a request extends the session (auth contract, section 2), whatever cookies it comes with. */
export function refreshDueAt(ctx: Context, session: Pick<StoredSession, 'expiresAt' | 'neverExtended'>): Date {
  if (session.neverExtended) return session.expiresAt
  const { expiresIn, updateAge } = ctx.config.session
  return after(session.expiresAt, seconds(updateAge - expiresIn))
}

async function extend(ctx: Context, caller: Caller, row: SessionRow): Promise<SessionAnswer> {
  const now = ctx.clock.now()
  const expiresAt = after(now, seconds(ctx.config.session.expiresIn))
  const extended = await ctx.transaction((tx) => extendSession(tx, row.session, expiresAt, now))
  // Another request of this session was first, or it has just been ended: what is stored now is the answer.
  const current = extended ? { ...row, session: extended } : await ctx.database.findSessionRow(row.session.token)
  if (!current) {
    clearSessionCookies(ctx, caller)
    return null
  }
  setSessionCookies(ctx, caller, current)
  return toSessionAnswer(current)
}

export async function listSessions(ctx: Context, current: SessionRow): Promise<Session[]> {
  const sessions = await listUnexpiredSessions(ctx.db, current.user.id, ctx.clock.now())
  return sessions.map(toSession)
}

export async function revokeSession(ctx: Context, current: SessionRow, token: string): Promise<{ status: true }> {
  const session = await findSessionByToken(ctx.db, token)
  if (!session) throw new TollgateError('SESSION_NOT_FOUND')
  if (session.userId !== current.user.id) throw new TollgateError('SESSION_OF_ANOTHER_USER')

  await ctx.transaction(async (tx) => {
    if (!(await deleteSession(tx, session.id))) return // somebody was first: it is ended all the same
    await emitRevoked(ctx, tx, current, { sessionId: session.id })
  })
  return { status: true }
}

/** Ends every session, the caller's own included. */
export async function revokeSessions(ctx: Context, current: SessionRow): Promise<{ status: true }> {
  await ctx.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, current.user.id)
    await emitRevoked(ctx, tx, current, { count })
  })
  return { status: true }
}

export async function revokeOtherSessions(ctx: Context, current: SessionRow): Promise<{ status: true }> {
  await ctx.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, current.user.id, current.session.id)
    if (count > 0) await emitRevoked(ctx, tx, current, { count })
  })
  return { status: true }
}

/**
 * Ends the session and clears the cookies; only a signed cookie names a session that may be ended. An administrator who
 * acts as somebody else ends their own session as well: nobody who has signed out leaves one behind in the browser.
 */
export async function signOut(ctx: Context, caller: Caller): Promise<{ success: true }> {
  const { token } = readSessionCookies(ctx, caller)
  if (token === null) throw new TollgateError('FAILED_TO_GET_SESSION')

  const row = await ctx.database.findSessionRow(token)
  if (row) {
    const { impersonatedBy, impersonatedFrom } = row.session
    await ctx.transaction(async (tx) => {
      if (impersonatedBy === null || impersonatedFrom === null) await endOwn(ctx, tx, row.user.id, row.session.id)
      // Locked first, as by whatever else ends both: two that began at either end would wait for each other.
      else if (await lockSession(tx, impersonatedFrom)) {
        await endImpersonation(ctx, tx, row)
        await endOwn(ctx, tx, impersonatedBy, impersonatedFrom)
      }
    })
  }
  clearSessionCookies(ctx, caller)
  return { success: true }
}

async function endOwn(ctx: Context, tx: Tx, userId: string, sessionId: string): Promise<void> {
  if (!(await deleteSession(tx, sessionId))) return
  const data = { sessionId, signOut: true }
  await emit(tx, ctx.clock.now(), { type: 'session.revoked', actorId: userId, userId, data })
}

/** Ends a session of an administrator as somebody else; one that is ended already tells nothing. */
export async function endImpersonation(ctx: Context, tx: Tx, current: SessionRow): Promise<void> {
  const { session, user } = current
  if (!(await deleteSession(tx, session.id))) return
  await emit(tx, ctx.clock.now(), {
    type: 'impersonation.stopped',
    actorId: actorOf(current),
    userId: user.id,
    data: { sessionId: session.id, reason: session.impersonationReason },
  })
}

/** A session is fresh for a while after its owner has proved who they are (security, §0). */
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
