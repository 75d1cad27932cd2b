import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, customFetch, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import type { Context } from '../context.ts'
import { perServer } from './per-server.ts'
import type { IdTokenRules, Json, ProviderEndpoints, ProviderSession } from './provider.ts'
import { ProviderFault } from './provider.ts'
import { askProvider } from './provider-http.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

/** Keys of providers, by server and address: kept for ten minutes, read again when a token names one that is unknown. */
const keySets = perServer(() => new Map<string, KeySet>())

export type IdTokenCheck = {
  readonly rules: IdTokenRules
  readonly endpoints: ProviderEndpoints
  readonly options: ProviderSession['options']
  /** Client ids of ours that the token may be for. */
  readonly audience: readonly string[]
  /** The nonce that was sent, where one was. */
  readonly nonce?: string | undefined
}

/**
 * The claims of an id token after every check of OpenID Connect Core, section 3.1.3.7: signature by a key of the provider
 * and an algorithm that it uses, issuer, audience, authorized party, expiry, nonce. Throws a `ProviderFault`.
 */
export async function verifyIdToken(ctx: Context, token: string, check: IdTokenCheck): Promise<Json> {
  const { rules, endpoints, options, audience, nonce } = check
  if (!endpoints.jwks) throw new ProviderFault('no keys are known that would sign id tokens')
  const claims = await verified(ctx, token, endpoints.jwks, rules, audience)
  const issuers = issuersOf(rules, claims, options)
  if (!issuers.includes(claims.iss ?? '')) throw new ProviderFault('an id token of another issuer')
  // Several audiences: the token must say that it was made for us (section 3.1.3.7, 4 and 5).
  if (Array.isArray(claims.aud) && claims.aud.length > 1 && !audience.includes(String(claims.azp)))
    throw new ProviderFault('an id token for another application')
  if (nonce !== undefined && !fitsNonce(claims.nonce, nonce, rules))
    throw new ProviderFault('an id token of another nonce')
  return claims as Json
}

async function verified(
  ctx: Context,
  token: string,
  jwks: string,
  rules: IdTokenRules,
  audience: readonly string[],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keysOf(ctx, jwks), {
      algorithms: [...rules.algorithms],
      audience: [...audience],
      currentDate: ctx.clock.now(),
      // Clocks differ a little; exp and nbf are believed that much longer.
      clockTolerance: 60,
      requiredClaims: ['iss', 'aud', 'exp', 'sub'],
    })
    return payload
  } catch (cause) {
    throw new ProviderFault('an id token that does not verify', { cause })
  }
}

function issuersOf(rules: IdTokenRules, claims: JWTPayload, options: ProviderSession['options']): readonly string[] {
  const { issuer } = rules
  const expected = typeof issuer === 'function' ? issuer(claims as Json, options) : issuer
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

/** What a token says about itself, before anything is known to be true. */
export function unverifiedClaims(token: string): Json | undefined {
  try {
    return decodeJwt(token) as Json
  } catch {
    return undefined
  }
}
