import type { SessionAnswer } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { refreshDueAt } from '../identity/session.service.ts'
import { toSessionAnswer } from '../identity/session-answer.ts'
import type { StoredSession } from '../identity/users.service.ts'
import { createSessionTokens, type SessionToken } from '../jwt/jwt.service.ts'
import { cookieNames, createCookieJar } from './cookies.ts'

/**
 * Answers of `get-session` on the shortest way: the hottest call of all. Finished answers are kept by the Cookie header
 * that asked, so that nothing is read, verified or serialised twice. A kept answer is believed only
 * - until the session expires, is due to be extended, or its cookie cache or its token runs out, and
 * - while nothing was written that concerns sessions or users, by this process or another (`database.sessionVersion`);
 *   where that cannot be told (PostgreSQL), nothing is kept but what the cookie cache allows, which has no token.
 */
export type SessionAnswers = {
  /** The finished body for such a Cookie header, or nothing. */
  find(cookieHeader: string | undefined): SessionBody | undefined
  /** Reads the answer by one indexed read, where no cookie is to be set; nothing where the general way has to decide. */
  read(cookieHeader: string): Promise<SessionBody | undefined>
  /** Keeps an answer that came out of the cookie cache, and goes out without a token, for as long as that is believed. */
  keepCached(cookieHeader: string, answer: NonNullable<SessionAnswer>): void
  /** The token that goes along with an answer, where tokens are switched on. */
  tokenOf(answer: NonNullable<SessionAnswer>, isCopy: boolean): Promise<SessionToken | undefined>
}

/** The text and its length in bytes: a text goes out in one write with its headers. */
export type SessionBody = {
  readonly text: string
  readonly length: string
  /** Further headers, names and values in turn as `writeHead` takes them. */
  readonly headers: readonly string[]
}

/** How a token goes out (auth contract, section 2); scripts of other origins may read it. */
export const tokenHeaders = (token: string): Record<string, string> => ({
  'set-auth-jwt': token,
  'access-control-expose-headers': 'set-auth-jwt',
})

type Kept = { readonly body: SessionBody; readonly until: number; readonly version: number | undefined }

/** Longer headers are not kept, and only so many: about 10 MB in ordinary use. */
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
const nobody = toBody(null, undefined)

export function createSessionAnswers(ctx: Context): SessionAnswers {
  const { config, database, clock, secrets } = ctx
  const names = cookieNames(config)
  const tokens = createSessionTokens(ctx)
  const kept = new Map<string, Kept>()

  function keep(header: string, answer: Kept): void {
    if (header.length > headerLimit) return
    if (kept.size >= countLimit) kept.delete(kept.keys().next().value!)
    kept.set(header, answer)
  }

  return {
    find: (header) => {
      if (!header?.includes(names.sessionToken)) return nobody
      const answer = kept.get(header)
      if (!answer) return undefined
      const isCurrent = answer.version === undefined || answer.version === database.sessionVersion()
      if (isCurrent && answer.until > clock.now().getTime()) return answer.body
      kept.delete(header)
      return undefined
    },
    read: async (header) => {
      // With a cookie cache the answer may have to set one.
      if (config.session.cookieCache.enabled) return undefined
      const cookies = createCookieJar(header, config, secrets)
      const token = cookies.getSigned(names.sessionToken)
      if (token === null) return undefined
      const version = database.sessionVersion()
      const row = await database.findSessionRow(token)
      const now = clock.now().getTime()
      const believed = row ? believedUntil(ctx, row.session, cookies.getSigned(names.dontRemember) === 'true') : 0
      if (!row || believed <= now) return undefined
      const answer = toSessionAnswer(row)
      const signed = tokens && (await tokens.of(answer))
      const body = toBody(answer, signed)
      const until = endOf(believed, signed)
      if (version !== undefined && version === database.sessionVersion()) keep(header, { body, until, version })
      return body
    },
    tokenOf: async (answer, isCopy) => (isCopy ? tokens?.ofCopy(answer) : tokens?.of(answer)),
    keepCached: (header, answer) => {
      // Read as it was when its signature was checked: another reading of the header could find another copy.
      const copy = createCookieJar(header, config, secrets).get(names.sessionData) ?? ''
      const believed = Math.min(new Date(answer.session.expiresAt).getTime(), cookieCacheEnd(copy))
      keep(header, { body: toBody(answer, undefined), until: believed, version: undefined })
    },
  }
}

/** An answer is kept no longer than the token that goes along with it. */
const endOf = (believed: number, token: SessionToken | undefined): number =>
  token ? Math.min(believed, token.until.getTime()) : believed

/** Until when the session is answered as it is: it expires, or is due to be extended. */
function believedUntil(ctx: Context, session: StoredSession, dontRemember: boolean): number {
  const isExtended = !ctx.config.session.disableSessionRefresh && !dontRemember
  const end = session.expiresAt.getTime()
  return isExtended ? Math.min(end, refreshDueAt(ctx, session).getTime()) : end
}

/** When the copy in the cookie stops being believed; its signature has been checked by the time this is asked. */
function cookieCacheEnd(value: string): number {
  const copy = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as { expiresAt: number }
  return copy.expiresAt
}
