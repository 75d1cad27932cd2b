import { createHash } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { after } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { messageOf } from '../../foundation/proof/proven.ts'
import { verifyIdToken } from './protocol/id-token.ts'
import {
  type Json,
  ProviderFault,
  type ProviderProfile,
  type ProviderRow,
  type ProviderSession,
  type ProviderTokens,
} from './protocol/provider.ts'
import { askProvider, hostOf, isJsonObject, jsonOf } from './protocol/provider-http.ts'
import { type Provider, unique } from './registry.ts'

/** The protocol itself: OAuth 2.0 (RFC 6749), PKCE (RFC 7636), OpenID Connect. This file knows nothing of users. */

/** The address that a provider redirects people to. */
export const redirectUri = (ctx: Context, { id, options }: Provider): string =>
  options.redirectURI ?? `${ctx.config.baseURL.origin}${ctx.config.basePath}/callback/${id}`

/** Our client id at the provider; some providers and the configuration name it differently (`clientKey`). */
const clientIdOf = ({ row, options }: Provider): string =>
  (row.clientIdName && 'clientKey' in options && options.clientKey) || options.clientId

export type AuthorizationRequest = {
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
  readonly scopes: readonly string[]
  readonly loginHint?: string | undefined
  readonly locale: MailLocale
}

/** The address to send the browser to. */
export function authorizationUrl(ctx: Context, provider: Provider, request: AuthorizationRequest): string {
  const { row, options, endpoints } = provider
  const url = new URL(endpoints.authorization)
  const { authorizationParams: own = {} } = row
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    [row.clientIdName ?? 'client_id']: clientIdOf(provider),
    redirect_uri: redirectUri(ctx, provider),
    scope: request.scopes.join(row.scopeSeparator ?? ' ') || undefined,
    state: request.state,
    ...challenge(row.pkce, request.codeVerifier),
    ...(row.nonce && { nonce: request.nonce }),
    ...(row.formPost && { response_mode: 'form_post' }),
    ...(row.loginHint && request.loginHint && { [row.loginHint]: request.loginHint }),
    ...(typeof own === 'function' ? own({ locale: request.locale }) : own),
    ...options.authorizationParams,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  // Forms write a space as `+`, but some providers read the address literally (RFC 3986).
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

function challenge(kind: ProviderRow['pkce'], verifier: string): Record<string, string> {
  if (kind === 'none') return {}
  const digest = createHash('sha256')
    .update(verifier)
    .digest(kind === 'hex' ? 'hex' : 'base64url')
  return { code_challenge: digest, code_challenge_method: 'S256' }
}

/** What the callback receives besides errors. */
export type CallbackValues = {
  readonly code: string
  readonly state: string
  readonly codeVerifier: string
  readonly callback: ProviderSession['callback']
}

/** Exchanges a code for tokens. Throws a `ProviderFault`. */
export async function exchangeCode(ctx: Context, provider: Provider, values: CallbackValues): Promise<ProviderTokens> {
  const { row } = provider
  const tokens = await tokenRequest(ctx, provider, async (server, client, authentication, options) => {
    const received = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: values.code, state: values.state }),
      values.state,
    )
    const additionalParameters =
      row.tokenParams?.({ callback: values.callback, state: values.state, grant: 'code' }) ?? {}
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      received,
      redirectUri(ctx, provider),
      row.pkce === 'none' ? oauth.nopkce : values.codeVerifier,
      { ...options, additionalParameters },
    )
    return oauth.processAuthorizationCodeResponse(server, client, response)
  })
  return { ...tokens, deviceId: values.callback.deviceId }
}

/**
 * Exchanges a refresh token for new tokens; without a new refresh token the old one stays valid. Throws a
 * `ProviderFault`.
 */
export async function refreshTokens(
  ctx: Context,
  provider: Provider,
  refreshToken: string,
  deviceId: string | undefined,
): Promise<ProviderTokens> {
  const tokens = await tokenRequest(ctx, provider, async (server, client, authentication, options) => {
    const additionalParameters = provider.row.tokenParams?.({ callback: { deviceId }, grant: 'refresh' }) ?? {}
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
      ...options,
      additionalParameters,
    })
    return oauth.processRefreshTokenResponse(server, client, response)
  })
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }
}

type TokenRequest = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  options: Pick<oauth.TokenEndpointRequestOptions, 'headers'>,
) => Promise<oauth.TokenEndpointResponse>

async function tokenRequest(ctx: Context, provider: Provider, send: TokenRequest): Promise<ProviderTokens> {
  const { row, options, endpoints } = provider
  let raw: Json = {}
  const now = ctx.clock.now()
  const secret = row.clientSecret ? await row.clientSecret(options, now) : (options.clientSecret ?? '')
  const server: oauth.AuthorizationServer = { issuer: new URL(endpoints.token).origin, token_endpoint: endpoints.token }
  const request = {
    headers: new Headers({ accept: 'application/json', ...row.tokenHeaders }),
    [oauth.allowInsecureRequests]: endpoints.token.startsWith('http:'),
    [oauth.customFetch]: async (address: string, init: RequestInit) => {
      const answer = await askProvider(ctx, address, init)
      raw = standardAnswer(jsonOf(answer, address), provider)
      // Some providers report a refusal with status 200.
      const status = typeof raw.error === 'string' ? 400 : answer.status
      return new Response(JSON.stringify(raw), { status, headers: { 'content-type': 'application/json' } })
    },
  }
  try {
    const answer = await send(
      server,
      { client_id: clientIdOf(provider) },
      clientAuthentication(provider, secret),
      request,
    )
    return toTokens(answer, raw, now)
  } catch (cause) {
    if (cause instanceof ProviderFault) throw cause
    throw new ProviderFault(`${hostOf(endpoints.token)} returned no tokens: ${messageOf(cause)}`, { cause })
  }
}

/** How the secret is sent (RFC 6749, section 2.3.1), and the parameter name of the client id. */
function clientAuthentication({ row, options }: Provider, secret: string): oauth.ClientAuth {
  if (row.clientIdName) {
    const name = row.clientIdName
    return (_server, client, body) => {
      body.set(name, client.client_id)
      body.set('client_secret', secret)
    }
  }
  if (secret === '') return oauth.None()
  const kind =
    'tokenAuthentication' in options
      ? (options.tokenAuthentication ?? row.tokenAuthentication)
      : row.tokenAuthentication
  return kind === 'basic' ? basicHeader(secret) : oauth.ClientSecretPost(secret)
}

/**
 * Form-encodes as the standard requires, but keeps all characters that may stay. Several providers compare id and
 * secret undecoded, and theirs often have `-` and `_`, which a stricter encoding would change.
 */
const basicHeader =
  (secret: string): oauth.ClientAuth =>
  (_server, client, _body, headers) => {
    const pair = [client.client_id, secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

/**
 * Normalises a token answer, since providers omit members or write them differently. The id token has its own checks.
 */
function standardAnswer(answer: unknown, { row }: Provider): Json {
  if (!isJsonObject(answer)) throw new ProviderFault('the token response is not an object')
  const { id_token, ...rest } = row.tokenAnswer?.(answer) ?? answer
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== ''))
  const expiresIn = Number(known.expires_in)
  return {
    ...known,
    token_type: typeof known.token_type === 'string' ? known.token_type : 'bearer',
    ...(Array.isArray(known.scope) && { scope: known.scope.join(' ') }),
    ...(known.expires_in !== undefined && {
      expires_in: Number.isFinite(expiresIn) && expiresIn > 0 ? expiresIn : undefined,
    }),
    ...(typeof id_token === 'string' && { given_id_token: id_token }),
  }
}

function toTokens(answer: oauth.TokenEndpointResponse, raw: Json, now: Date): ProviderTokens {
  const refreshIn = Number(raw.refresh_token_expires_in ?? raw.refresh_expires_in)
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    idToken: typeof raw.given_id_token === 'string' ? raw.given_id_token : null,
    tokenType: answer.token_type,
    accessTokenExpiresAt: answer.expires_in === undefined ? null : expiry(now, answer.expires_in),
    refreshTokenExpiresAt: Number.isFinite(refreshIn) && refreshIn > 0 ? expiry(now, refreshIn) : null,
    scopes: scopesOf(answer.scope),
  }
}

/** Scope names by the standard (RFC 6749, section 3.3): printable, no spaces. Drops all others. */
const scopesOf = (given = ''): string[] =>
  unique(given.split(/[\s,]+/).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(scope))).slice(0, 100)

/** A hundred years at most: dates reach no further. */
const expiry = (now: Date, seconds: number): Date => after(now, Math.min(seconds, 3_155_760_000) * 1000)

/** The person that the tokens belong to; undefined when the provider does not say. Throws a `ProviderFault`. */
export async function readProfile(
  ctx: Context,
  provider: Provider,
  tokens: Pick<ProviderTokens, 'accessToken' | 'idToken'>,
  given: { nonce?: string | undefined; callback?: ProviderSession['callback'] } = {},
): Promise<ProviderProfile | undefined> {
  const { row, options, endpoints } = provider
  // Without a nonce nothing proves that the answer belongs to this flow.
  if (row.nonce && given.nonce !== undefined && !tokens.idToken)
    throw new ProviderFault('the token response has no id token')
  const claims =
    row.idToken && tokens.idToken
      ? await verifyIdToken(ctx, tokens.idToken, {
          rules: row.idToken,
          endpoints,
          options,
          audience: audienceOf(provider),
          nonce: row.nonce ? given.nonce : undefined,
        })
      : undefined
  return row.profile(createSession(ctx, provider, tokens, claims, given.callback ?? {}))
}

/** Our client ids that an id token may be for, including an app's own. */
export function audienceOf({ options }: Provider): string[] {
  return [options.clientId, ...('audience' in options ? (options.audience ?? []) : [])]
}

export function createSession(
  ctx: Context,
  { options, endpoints }: Provider,
  tokens: Pick<ProviderTokens, 'accessToken' | 'idToken'>,
  claims: Json | undefined,
  callback: ProviderSession['callback'],
): ProviderSession {
  const ask: ProviderSession['ask'] = async (address, { method, headers, form, json } = {}) => {
    const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const answer = await askProvider(ctx, address, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${tokens.accessToken}`,
        'user-agent': 'Tollgate',
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    if (answer.status < 200 || answer.status > 299)
      throw new ProviderFault(`${hostOf(address)} answered the profile request with ${answer.status}`)
    return jsonOf(answer, address)
  }
  return { options, tokens, claims, ask, endpoints, callback }
}
