import type { SessionAnswer } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { refreshDueAt } from '../identity/session.service.ts'
import { cookieNames } from './cookies.ts'

/**
 * Finished answers of `get-session`, kept by the Cookie header that asked: the hottest call of all is answered without
 * reading, verifying or serialising anything again. An answer is believed only
 * - until the session expires, is due to be extended, or its cookie cache runs out, and
 * - while nothing was written that concerns sessions or users, by this process or another (`database.sessionVersion`);
 *   where that cannot be told (PostgreSQL), nothing is kept but what the cookie cache allows.
 */
export type SessionAnswers = {
  /** The finished body for such a Cookie header, or nothing. */
  find(cookieHeader: string | undefined): Buffer | undefined
  /** Keeps an answer that set no cookies. `version` was read before the answer was computed. */
  keep(cookieHeader: string, answer: NonNullable<SessionAnswer>, version: number | undefined): void
  version(): number | undefined
}

type Kept = { readonly body: Buffer; readonly until: number; readonly version: number | undefined }

/** Longer headers are not kept, and only so many: about 16 MB at most. */
const headerLimit = 6000
const countLimit = 4000

const nobody = Buffer.from('null')

export function createSessionAnswers(ctx: Context): SessionAnswers {
  const { sessionToken } = cookieNames(ctx.config)
  const kept = new Map<string, Kept>()
  const version = () => ctx.database.sessionVersion()

  return {
    version,
    find: (header) => {
      if (!header?.includes(sessionToken)) return nobody
      const answer = kept.get(header)
      if (!answer) return undefined
      if (answer.until > ctx.clock.now().getTime() && (answer.version === undefined || answer.version === version()))
        return answer.body
      kept.delete(header)
      return undefined
    },
    keep: (header, answer, before) => {
      if (header.length > headerLimit) return
      const until = believedUntil(ctx, header, answer)
      // What came out of the cookie cache is true to its own time, whatever happens to the session.
      const fromCookie = answer.organization === undefined
      if (!fromCookie && (before === undefined || before !== version())) return
      if (kept.size >= countLimit) kept.delete(kept.keys().next().value!)
      kept.set(header, { body: Buffer.from(JSON.stringify(answer)), until, version: fromCookie ? undefined : before })
    },
  }
}

function believedUntil(ctx: Context, header: string, { session, organization }: NonNullable<SessionAnswer>): number {
  const { sessionData, dontRemember } = cookieNames(ctx.config)
  const expiresAt = new Date(session.expiresAt)
  if (organization === undefined) return Math.min(expiresAt.getTime(), cookieCacheEnd(header, sessionData))
  const extends_ = !ctx.config.session.disableSessionRefresh && !header.includes(dontRemember)
  return extends_ ? Math.min(expiresAt.getTime(), refreshDueAt(ctx, { expiresAt }).getTime()) : expiresAt.getTime()
}

/** When the copy in the cookie stops being believed; its signature has been checked by the time this is asked. */
function cookieCacheEnd(header: string, name: string): number {
  const value = new RegExp(`(?:^|;\\s*)${name.replaceAll('.', '\\.')}=([^;]*)`).exec(header)?.[1] ?? ''
  const copy = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as { expiresAt: number }
  return copy.expiresAt
}
