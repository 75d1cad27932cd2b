import { SignJWT } from 'jose'
import { after, minutes } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { isDatabaseUnavailable } from '../../foundation/db/database.ts'
import { forgetOldest } from '../../foundation/proof/proven.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { toSessionAnswer } from '../identity/session-answer.ts'
import type { SessionToken, SessionTokens, SignedIn } from '../identity/session-answers.ts'
import { findSigningKey, jwtOptions, listPublicKeys, tokenLife } from './keys.service.ts'

/** A token for other services, signed now (auth contract, section 7). */
export const getToken: AuthHandler<'getToken'> = async ({ ctx, session }) => {
  return { token: await signToken(ctx, toSessionAnswer(session)) }
}

/** The keys that verify such tokens. */
export const getJwks: AuthHandler<'getJwks'> = ({ ctx }) => listPublicKeys(ctx)

/** How long further answers repeat a token. */
const reusedFor = minutes(1)
/** The most sessions with a cached token: about 5 MB. */
const countLimit = 8000

/**
 * The tokens of active sessions, each signed once a minute. Created once at start; `undefined` where tokens are
 * disabled.
 */
export function createSessionTokens(ctx: Context): SessionTokens | undefined {
  const { config, clock, database } = ctx
  if (config.jwt === false) return undefined
  // Renews a token with a life of a few seconds while most of them remain.
  const reuse = Math.min(reusedFor, tokenLife(config.jwt) / 2)
  const kept = new Map<string, SessionToken & { readonly updatedAt: string }>()

  const of: SessionTokens['of'] = async ({ session, user }) => {
    const now = clock.now()
    const known = kept.get(session.id)
    // A changed user gets a new token at once.
    if (known && known.until > now && known.updatedAt === user.updatedAt) return known
    const text = await signToken(ctx, { session, user })
    const token = { text, until: after(now, reuse), updatedAt: user.updatedAt }
    kept.delete(session.id)
    if (kept.size >= countLimit) forgetOldest(kept)
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
        // The copy is answered without a database, as without tokens; only the token has to wait.
        if (isDatabaseUnavailable(error)) return undefined
        throw error
      }
    },
  }
}

/**
 * The user's fields as in `get-session`, and the registered claims (RFC 7519, section 4.1). `sid` names the session,
 * `act` the impersonating administrator (RFC 8693, section 4.1). A token never outlives its session.
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
