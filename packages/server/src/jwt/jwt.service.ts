import type { Answer, SessionAnswer } from '@tollgate/contract/types'
import { SignJWT } from 'jose'
import { after, minutes } from '../clock.ts'
import type { Context } from '../context.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { toSessionAnswer } from '../identity/session-answer.ts'
import { findSigningKey, jwtOptions, listPublicKeys, tokenLife } from './keys.service.ts'

type SignedIn = Pick<NonNullable<SessionAnswer>, 'session' | 'user'>

/** A token as it goes out with the answers of `get-session`. */
export type SessionToken = { readonly text: string; readonly until: Date }

/** The tokens of sessions in use: each is signed once in a minute, however often its session is asked for. */
export type SessionTokens = {
  /** For a session as it was just read. */
  of(answer: SignedIn): Promise<SessionToken>
  /** For a copy out of the cookie cache: read each time, because the session may have been ended. Nothing then. */
  ofCopy(answer: SignedIn): Promise<SessionToken | undefined>
}

/** A token for other services, signed now (auth contract, section 7). */
export async function getToken(ctx: Context, current: SessionRow): Promise<Answer<'getToken'>> {
  return { token: await signToken(ctx, toSessionAnswer(current)) }
}

/** The keys that verify such tokens. */
export const getJwks = (ctx: Context): Promise<Answer<'getJwks'>> => listPublicKeys(ctx)

/** How long a token goes out again with further answers. */
const reusedFor = minutes(1)
/** Sessions whose token is kept: about 5 MB. */
const countLimit = 8000

/** Made once at start; undefined where tokens are switched off. */
export function createSessionTokens(ctx: Context): SessionTokens | undefined {
  const { config, clock, database } = ctx
  if (config.jwt === false) return undefined
  // A token of a few seconds is renewed while most of them are left.
  const reuse = Math.min(reusedFor, tokenLife(config.jwt) / 2)
  const kept = new Map<string, SessionToken & { readonly updatedAt: string }>()

  const of: SessionTokens['of'] = async ({ session, user }) => {
    const now = clock.now()
    const known = kept.get(session.id)
    // A changed user is told anew at once.
    if (known && known.until > now && known.updatedAt === user.updatedAt) return known
    const text = await signToken(ctx, { session, user })
    const token = { text, until: after(now, reuse), updatedAt: user.updatedAt }
    kept.delete(session.id)
    if (kept.size >= countLimit) kept.delete(kept.keys().next().value!)
    kept.set(session.id, token)
    return token
  }
  return {
    of,
    ofCopy: async ({ session }) => {
      try {
        const row = await database.findSessionRow(session.token)
        return row && row.session.expiresAt > clock.now() ? await of(toSessionAnswer(row)) : undefined
      } catch (error) {
        // The copy is answered without a database, as it is where tokens are off; only the token has to wait.
        if (isDatabaseUnavailable(error)) return undefined
        throw error
      }
    },
  }
}

/**
 * The user's fields as `get-session` answers them, and the registered claims (RFC 7519, section 4.1); `sid` names the
 * session, `act` the administrator who acts as the user (RFC 8693, section 4.1). A token does not outlive its session.
 */
async function signToken(ctx: Context, { session, user }: SignedIn): Promise<string> {
  const options = jwtOptions(ctx)
  const { id, key } = await findSigningKey(ctx)
  const now = ctx.clock.now()
  const ends = Math.min(after(now, tokenLife(options)).getTime(), new Date(session.expiresAt).getTime())
  const { origin } = ctx.config.baseURL
  const claims = {
    ...user,
    sid: session.id,
    ...(session.impersonatedBy != null && { act: { sub: session.impersonatedBy } }),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: id, typ: 'JWT' })
    .setSubject(user.id)
    .setIssuer(options.issuer ?? origin)
    .setAudience(options.audience ?? origin)
    .setIssuedAt(now)
    .setExpirationTime(new Date(ends))
    .sign(key)
}
