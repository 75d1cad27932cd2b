import { z } from 'zod'
import { monotonic } from '../../foundation/clock.ts'
import type { GenericProviderOptions } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { perServer } from './protocol/per-server.ts'
import { accountId, email, name, picture, read, toProfile, yes } from './protocol/profile-fields.ts'
import {
  type Json,
  type ProviderEndpoints,
  ProviderFault,
  type ProviderProfile,
  type ProviderRow,
  type ProviderSession,
} from './protocol/provider.ts'
import { askProvider, isJsonObject, jsonOf } from './protocol/provider-http.ts'

type GenericProvider = { readonly row: ProviderRow; readonly endpoints: ProviderEndpoints }

/** The members read from a provider's metadata (OpenID Connect Discovery, section 3; RFC 8414). */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  jwks_uri: z.url({ protocol: /^https?$/ }).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
})
type Metadata = z.output<typeof metadataSchema>

/** How long metadata is cached, in milliseconds. */
const believed = 3_600_000
const metadataOf = perServer(() => new Map<string, { provider: Promise<GenericProvider>; readAt: number }>())

/** Builds a provider from the configuration and the provider's published metadata. Throws a `ProviderFault`. */
export function genericRow(ctx: Context, options: GenericProviderOptions): Promise<GenericProvider> {
  const ofServer = metadataOf(ctx)
  const kept = ofServer.get(options.providerId)
  if (kept && monotonic() - kept.readAt < believed) return kept.provider
  const provider = makeProvider(ctx, options)
  ofServer.set(options.providerId, { provider, readAt: monotonic() })
  // Failures are not cached.
  provider.catch(() => ofServer.delete(options.providerId))
  return provider
}

async function makeProvider(ctx: Context, options: GenericProviderOptions): Promise<GenericProvider> {
  const address = options.discoveryUrl ?? (options.issuer && discoveryAddress(options.issuer))
  const metadata = address === undefined ? undefined : await readMetadata(ctx, address, options.issuer)
  const { endpoints = {} } = options
  const authentication = metadata?.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return {
    endpoints: {
      authorization: endpoints.authorization ?? metadata?.authorization_endpoint ?? '',
      token: endpoints.token ?? metadata?.token_endpoint ?? '',
      profile: endpoints.profile ?? metadata?.userinfo_endpoint,
      jwks: endpoints.jwks ?? metadata?.jwks_uri,
    },
    row: {
      name: options.name ?? options.providerId,
      endpoints: { authorization: '', token: '' },
      scopes: options.scopes ?? ['openid', 'profile', 'email'],
      ...(options.pkce === false && { pkce: 'none' as const }),
      tokenAuthentication:
        options.tokenAuthentication ?? (authentication.includes('client_secret_basic') ? 'basic' : 'post'),
      loginHint: 'login_hint',
      ...(metadata && {
        nonce: true as const,
        idToken: { issuer: metadata.issuer, algorithms: algorithmsOf(metadata) },
      }),
      profile: (session) => readProfile(session, options),
    },
  }
}

const discoveryAddress = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

async function readMetadata(ctx: Context, address: string, issuer: string | undefined): Promise<Metadata> {
  const answer = await askProvider(ctx, address, { headers: { accept: 'application/json' } })
  const parsed = metadataSchema.safeParse(answer.status === 200 ? jsonOf(answer, address) : undefined)
  if (!parsed.success) throw new ProviderFault(`no metadata at ${address}`, { cause: parsed.error })
  // Metadata of another issuer would let one provider vouch as another (Discovery, section 4.3).
  if (issuer !== undefined && parsed.data.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
    throw new ProviderFault(`the metadata at ${address} names another issuer`)
  return parsed.data
}

/** Only signatures by a private key: anyone who knows a shared secret could sign. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

function algorithmsOf(metadata: Metadata): string[] {
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  return asymmetric.filter((algorithm) => offered.includes(algorithm))
}

/** Standard claims (OpenID Connect Core, section 5.1), or the names that plain OAuth 2 servers use. */
const claimsShape = z.object({
  sub: accountId.optional(),
  id: accountId.optional(),
  name,
  preferred_username: name,
  email,
  email_verified: yes,
  picture,
})

async function readProfile(
  session: ProviderSession,
  options: GenericProviderOptions,
): Promise<ProviderProfile | undefined> {
  const { claims, endpoints } = session
  const asks = endpoints.profile !== undefined && typeof claims?.email !== 'string'
  const answer = asks ? await session.ask(endpoints.profile ?? '') : {}
  const told: Json = isJsonObject(answer) ? answer : {}
  // The id token is signed; userinfo must be of the same subject (Core, section 5.3.2).
  if (asks && claims && told.sub !== claims.sub) return undefined
  const known = read(claimsShape, { ...told, ...claims })
  const id = known?.sub ?? known?.id
  if (!known || id === undefined) return undefined
  return toProfile({
    id,
    name: known.name ?? known.preferred_username,
    email: known.email,
    emailVerified: options.trustEmail === true || known.email_verified,
    image: known.picture,
  })
}
