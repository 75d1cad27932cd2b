import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import type { Context } from '../../../foundation/context.ts'
import { perServer } from './per-server.ts'
import type { IdTokenRules, Json, ProviderEndpoints, ProviderSession } from './provider.ts'
import { ProviderFault } from './provider.ts'
import { askProvider } from './provider-http.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

/** Provider keys, by server and address: cached for ten minutes, read again when a token names an unknown key. */
const keySets = perServer(() => new Map<string, KeySet>())

export type IdTokenCheck = {
  readonly rules: IdTokenRules
  readonly endpoints: ProviderEndpoints
  readonly options: ProviderSession['options']
  /** Our client ids that the token may be for. */
  readonly audience: readonly string[]
  /** The nonce sent in the request, if any. */
  readonly nonce?: string | undefined
}

/** The maximum age of an id token, in seconds, without a provider setting: one day. */
const maxAge = 86_400

/**
 * The claims of an id token after every check of OpenID Connect Core, section 3.1.3.7: signature by a key of the provider
 * and an algorithm that it uses, issuer, audience, authorized party, expiry, age, nonce. Throws a `ProviderFault`.
 */
export async function verifyIdToken(ctx: Context, token: string, check: IdTokenCheck): Promise<Json> {
  const { rules, endpoints, options, audience, nonce } = check
  if (!endpoints.jwks) throw new ProviderFault('the provider has no key endpoint for id tokens')
  const claims = await verified(ctx, token, endpoints.jwks, check)
  const issuers = issuersOf(rules, claims, options)
  if (!issuers.includes(claims.iss ?? '')) throw new ProviderFault('the id token names another issuer')
  // With several audiences, the token must name us as the authorized party (section 3.1.3.7, 4 and 5).
  if (Array.isArray(claims.aud) && claims.aud.length > 1 && !audience.includes(String(claims.azp)))
    throw new ProviderFault('the id token is for another application')
  if (nonce !== undefined && !fitsNonce(claims.nonce, nonce, rules))
    throw new ProviderFault('the id token has another nonce')
  return claims
}

async function verified(
  ctx: Context,
  token: string,
  jwks: string,
  { rules, audience, options }: IdTokenCheck,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keysOf(ctx, jwks), {
      algorithms: [...rules.algorithms],
      audience: [...audience],
      currentDate: ctx.clock.now(),
      // Tolerance for clock differences, applied to exp and nbf.
      clockTolerance: 60,
      // Also refuses a token without `iat`. An old token may have leaked long ago, even if it has not expired.
      maxTokenAge: options.idTokenMaxAge ?? maxAge,
      requiredClaims: ['iss', 'aud', 'exp', 'iat', 'sub'],
    })
    return payload
  } catch (cause) {
    throw new ProviderFault('the id token does not verify', { cause })
  }
}

function issuersOf(rules: IdTokenRules, claims: JWTPayload, options: ProviderSession['options']): readonly string[] {
  const { issuer } = rules
  const expected = typeof issuer === 'function' ? issuer(claims, options) : issuer
  return expected === undefined ? [] : [expected].flat()
}

function fitsNonce(given: unknown, sent: string, rules: IdTokenRules): boolean {
  if (typeof given !== 'string') return false
  const hashed = createHash('sha256').update(sent).digest('hex')
  return isSame(given, sent) || (rules.nonceMayBeHashed === true && isSame(given, hashed))
}

const isSame = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function keysOf(ctx: Context, address: string): KeySet {
  const ofServer = keySets(ctx)
  let keys = ofServer.get(address)
  if (!keys) {
    keys = createRemoteJWKSet(new URL(address), {
      cacheMaxAge: 600_000,
      cooldownDuration: 30_000,
      [customFetch]: async (url: string) => {
        const { status, headers, text } = await askProvider(ctx, url, { headers: { accept: 'application/json' } })
        return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
      },
    })
    ofServer.set(address, keys)
  }
  return keys
}
