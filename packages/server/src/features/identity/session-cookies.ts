import type { SessionAnswer } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { cookieNames } from '../../foundation/http/cookies.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { toSessionAnswer } from './session-answer.ts'

/** The longest value of the cookie cache; a longer one is not sent (specification, section 9). */
const cacheLimit = 4093

type CachedSession = Pick<NonNullable<SessionAnswer>, 'session' | 'user'>

export type SessionCookies = {
  /** The session that the signed cookie names; null without a cookie or with an invalid signature. */
  readonly token: string | null
  /** The session ends with the browser. */
  readonly dontRemember: boolean
  /** The cookie cache's copy; null when its signature is invalid; undefined when the database must decide. */
  readonly cached: CachedSession | null | undefined
}

export function readSessionCookies(ctx: Context, { cookies }: Caller): SessionCookies {
  const names = cookieNames(ctx.config)
  const token = cookies.getSigned(names.sessionToken)
  const data = ctx.config.session.cookieCache.enabled && token !== null ? cookies.get(names.sessionData) : undefined
  return {
    token,
    dontRemember: cookies.getSigned(names.dontRemember) === 'true',
    cached: data ? readCache(ctx, data, token!) : undefined,
  }
}

/**
 * The cookies of a session that begins or continues: token, remember-me opt-out, cache. Those of a session that is
 * never extended end with the browser.
 */
export function setSessionCookies(
  ctx: Context,
  { cookies }: Caller,
  row: SessionRow,
  forgets = row.session.neverExtended,
): void {
  const names = cookieNames(ctx.config)
  const maxAge = forgets ? undefined : Math.ceil((row.session.expiresAt.getTime() - ctx.clock.now().getTime()) / 1000)
  cookies.setSigned(names.sessionToken, row.session.token, maxAge)
  if (forgets) cookies.setSigned(names.dontRemember, 'true', undefined)
  else if (cookies.get(names.dontRemember) !== undefined) cookies.clear(names.dontRemember)
  setCache(ctx, cookies, row, forgets)
}

/** Renews the cookies after a change of the user. With `onlyCache` the session's own cookie stays unchanged. */
export function renewSessionCookies(
  ctx: Context,
  caller: Caller,
  row: SessionRow,
  options: { onlyCache?: boolean } = {},
): void {
  const forgets = isForgotten(row, readSessionCookies(ctx, caller))
  if (options.onlyCache) setCache(ctx, caller.cookies, row, forgets)
  else setSessionCookies(ctx, caller, row, forgets)
}

/**
 * Whether a session ends with the browser. The row decides, because a client may send the session cookie alone.
 * Sessions older than that column have only the second cookie.
 */
export const isForgotten = ({ session }: SessionRow, { dontRemember }: Pick<SessionCookies, 'dontRemember'>): boolean =>
  session.neverExtended || dontRemember

export function clearSessionCookies(ctx: Context, { cookies }: Caller): void {
  for (const name of Object.values(cookieNames(ctx.config))) cookies.clear(name)
  if (cookies.get(adminCookie) !== undefined) cookies.clear(adminCookie)
}

/** Holds an administrator's own session during impersonation; has no prefix (auth contract, "Cookies"). */
const adminCookie = 'admin_session'

/**
 * The cookies of an impersonated session, which ends with the browser. The administrator's own session is stored as
 * `{token}:{dontRemember}`.
 */
export function setImpersonationCookies(ctx: Context, caller: Caller, own: SessionRow, impersonated: SessionRow): void {
  const { dontRemember } = readSessionCookies(ctx, caller)
  caller.cookies.setSigned(adminCookie, `${own.session.token}:${dontRemember ? 'true' : ''}`, undefined)
  setSessionCookies(ctx, caller, impersonated)
}

/** The stored administrator's session; undefined without a cookie or with an invalid signature. */
export function readAdminCookie({ cookies }: Caller): { token: string; dontRemember: boolean } | undefined {
  const [token, dontRemember] = cookies.getSigned(adminCookie)?.split(':') ?? []
  // Without a colon it is the signed text of another cookie.
  return token && dontRemember !== undefined ? { token, dontRemember: dontRemember === 'true' } : undefined
}

/** Returns the administrator to their own session, which keeps its remember-me choice. */
export function restoreAdminCookies(ctx: Context, caller: Caller, own: SessionRow, dontRemember: boolean): void {
  caller.cookies.clear(adminCookie)
  setSessionCookies(ctx, caller, own, isForgotten(own, { dontRemember }))
}

/** Refuses values too long for the cookie cache before anything is stored (auth contract, section 10). */
export function assertCacheFits(ctx: Context, row: SessionRow): void {
  if (ctx.config.session.cookieCache.enabled && encodeCache(ctx, row).length > cacheLimit)
    throw new TollgateError('SESSION_DATA_TOO_LARGE')
}

function setCache(ctx: Context, cookies: Caller['cookies'], row: SessionRow, forgets: boolean): void {
  if (!ctx.config.session.cookieCache.enabled) return
  const value = encodeCache(ctx, row)
  const { sessionData } = cookieNames(ctx.config)
  if (value.length <= cacheLimit) cookies.set(sessionData, value, forgets ? undefined : cacheSeconds(ctx.config))
  else if (cookies.get(sessionData) !== undefined) cookies.clear(sessionData)
}

/** How long the copy is valid: 60 seconds by default (specification, section 9). */
const cacheSeconds = (config: Config): number => config.session.cookieCache.maxAge || 60

/**
 * base64url of `{ session: { session, user }, expiresAt, signature }`; the signature covers the JSON of session, user
 * and expiresAt. The organization and its entitlements are never included, because they must always be fresh.
 */
function encodeCache(ctx: Context, row: SessionRow): string {
  const { session, user } = toSessionAnswer(row)
  const expiresAt = after(ctx.clock.now(), seconds(cacheSeconds(ctx.config))).getTime()
  const signature = ctx.secrets.signature(JSON.stringify({ session, user, expiresAt }))
  return Buffer.from(JSON.stringify({ session: { session, user }, expiresAt, signature })).toString('base64url')
}

/** Null for an invalid signature; undefined for an expired copy or one of another session. */
function readCache(ctx: Context, value: string, token: string): CachedSession | null | undefined {
  const copy = decodeCache(value)
  if (
    !copy ||
    !ctx.secrets.verifySignature(JSON.stringify({ ...copy.session, expiresAt: copy.expiresAt }), copy.signature)
  )
    return null
  const now = ctx.clock.now()
  const { session } = copy.session
  if (copy.expiresAt <= now.getTime() || session.token !== token || new Date(session.expiresAt) <= now) return undefined
  return copy.session
}

type CacheCookie = { session: CachedSession; expiresAt: number; signature: string }

/** A valid signature vouches for the shape, so this checks only what the signature needs. */
function decodeCache(value: string): CacheCookie | undefined {
  try {
    const copy: Partial<CacheCookie> | null = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
    return typeof copy?.signature === 'string' && typeof copy.session === 'object' && copy.session
      ? (copy as CacheCookie) // the signature vouches for the rest
      : undefined
  } catch {
    return undefined
  }
}
