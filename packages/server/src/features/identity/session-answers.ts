import type { SessionAnswer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { cookieNames, createCookieJar } from '../../foundation/http/cookies.ts'
import type { Finish } from '../../foundation/http/serve-api.ts'
import { forgetOldest } from '../../foundation/proof/proven.ts'
import { refreshDueAt } from './session.service.ts'
import { toSessionAnswer } from './session-answer.ts'
import type { StoredSession } from './users.service.ts'

/**
 * The fast path of `get-session`, the most frequent call. Finished answers are cached by Cookie header, so that
 * nothing is read, verified or serialised twice. A cached answer is valid only
 * - until the session expires, is due for extension, or its cookie cache or its token expires, and
 * - while no process has written sessions or users (`database.version`);
 *   where the database cannot tell (PostgreSQL), only cookie-cache answers are cached, which have no token.
 */
export type SessionAnswers = {
  /** The finished body for a Cookie header, if cached. */
  find(cookieHeader: string | undefined): SessionBody | undefined
  /** Reads the answer with one indexed read if no cookie must be set; undefined where the general path must decide. */
  read(cookieHeader: string): Promise<SessionBody | undefined>
  /** What the general path adds to its answer: a token, or a cache entry. */
  readonly finish: Finish
}

/** A token for other services that accompanies an answer. */
export type SessionToken = { readonly text: string; readonly until: Date }

export type SignedIn = Pick<NonNullable<SessionAnswer>, 'session' | 'user'>

/** Signs tokens for sessions, if enabled. */
export type SessionTokens = {
  /** For a session that was just read. */
  of(answer: SignedIn): Promise<SessionToken>
  /** For a copy from the cookie cache: reads the session each time; undefined once it has ended. */
  ofCopy(answer: SignedIn): Promise<SessionToken | undefined>
}

/** The text and its length in bytes: a string goes out in one write with its headers. */
export type SessionBody = {
  readonly text: string
  readonly length: string
  /** Further headers, names and values alternating, as `writeHead` takes them. */
  readonly headers: readonly string[]
}

/** The headers of a token (auth contract, section 2); scripts of other origins may read it. */
const tokenHeaders = (token: string): Record<string, string> => ({
  'set-auth-jwt': token,
  'access-control-expose-headers': 'set-auth-jwt',
})

type Kept = { readonly body: SessionBody; readonly until: number; readonly version: number | undefined }

/** Limits on header length and number of entries: about 10 MB in ordinary use. */
const headerLimit = 6000
const countLimit = 8000

const toBody = (answer: SessionAnswer, token: SessionToken | undefined): SessionBody => {
  const text = JSON.stringify(answer)
  return {
    text,
    length: String(Buffer.byteLength(text)),
    headers: token ? Object.entries(tokenHeaders(token.text)).flat() : [],
  }
}
const noSession = toBody(null, undefined)

export function createSessionAnswers(ctx: Context, tokens: SessionTokens | undefined): SessionAnswers {
  const { config, database, clock, secrets } = ctx
  const names = cookieNames(config)
  const kept = new Map<string, Kept>()

  function keep(header: string, answer: Kept): void {
    if (header.length > headerLimit) return
    if (kept.size >= countLimit) forgetOldest(kept)
    kept.set(header, answer)
  }

  return {
    find: (header) => {
      if (!header?.includes(names.sessionToken)) return noSession
      const answer = kept.get(header)
      if (!answer) return undefined
      const isCurrent = answer.version === undefined || answer.version === database.version('sessions')
      if (isCurrent && answer.until > clock.now().getTime()) return answer.body
      kept.delete(header)
      return undefined
    },
    read: async (header) => {
      // With a cookie cache the answer may have to set a cookie.
      if (config.session.cookieCache.enabled) return undefined
      const cookies = createCookieJar(header, config, secrets)
      const token = cookies.getSigned(names.sessionToken)
      if (token === null) return undefined
      const version = database.version('sessions')
      const row = await database.findSessionRow(token)
      const now = clock.now().getTime()
      const believed = row ? believedUntil(ctx, row.session, cookies.getSigned(names.dontRemember) === 'true') : 0
      if (!row || believed <= now) return undefined
      const answer = toSessionAnswer(row)
      const signed = tokens && (await tokens.of(answer))
      const body = toBody(answer, signed)
      const until = endOf(believed, signed)
      if (version !== undefined && version === database.version('sessions')) keep(header, { body, until, version })
      return body
    },
    finish: async ({ answer, caller }, response) => {
      if (!answer) return response
      const session = answer as NonNullable<SessionAnswer> // get-session's answer
      const isCopy = isFromCookieCache(session)
      const token = await (isCopy ? tokens?.ofCopy(session) : tokens?.of(session))
      if (token) return { ...response, headers: { ...response.headers, ...tokenHeaders(token.text) } }
      // A token needs a session that was just read, so an answer with a token is not cached.
      if (isCopy && response.cookies?.length === 0) keepCached(caller.headers.get('cookie') ?? '', session)
      return response
    },
  }

  /** Caches a cookie-cache answer without a token for as long as the copy is valid. */
  function keepCached(header: string, answer: NonNullable<SessionAnswer>): void {
    // Use the value whose signature was checked: a second parse of the header could find another copy.
    const copy = createCookieJar(header, config, secrets).get(names.sessionData) ?? ''
    const until = Math.min(new Date(answer.session.expiresAt).getTime(), cookieCacheEnd(copy))
    keep(header, { body: toBody(answer, undefined), until, version: undefined })
  }
}

/** Only the cookie cache leaves the organization out, because it must always be fresh. */
const isFromCookieCache = (answer: NonNullable<SessionAnswer>): boolean => answer.organization === undefined

/** A cached answer lives no longer than its token. */
const endOf = (believed: number, token: SessionToken | undefined): number =>
  token ? Math.min(believed, token.until.getTime()) : believed

/** Until when the session's answer stays the same: until it expires or is due for extension. */
function believedUntil(ctx: Context, session: StoredSession, dontRemember: boolean): number {
  const isExtended = !ctx.config.session.disableSessionRefresh && !dontRemember
  const end = session.expiresAt.getTime()
  return isExtended ? Math.min(end, refreshDueAt(ctx, session).getTime()) : end
}

/** When the copy in the cookie expires; the caller has checked its signature. */
function cookieCacheEnd(value: string): number {
  const copy: { expiresAt: number } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
  return copy.expiresAt
}
