import type { GenericProviderOptions, ProviderOptions } from '../config.ts'
import type { MailLocale } from '../mail/templates.ts'

/** Who somebody is at a provider, as far as it says so. */
export type ProviderProfile = {
  /** The provider's stable id of the account; never an address, which changes hands. */
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  /** Whether the provider vouches that the address is this person's. Only then may it lead to an existing user. */
  readonly emailVerified: boolean
  readonly image: string | null
}

/** What a provider answered to a code or a refresh token, in one form for all. */
export type ProviderTokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string | null
  readonly tokenType: string
  readonly accessTokenExpiresAt: Date | null
  readonly refreshTokenExpiresAt: Date | null
  /** What came with the callback, and has to go along when they are refreshed (vk). */
  readonly deviceId?: string | undefined
  /** As they are kept: without doubles, in the provider's order. */
  readonly scopes: readonly string[]
}

export type Json = Readonly<Record<string, unknown>>

/** What a row works with: the settings of its provider and the ways to ask it. */
export type ProviderSession = {
  readonly options: ProviderOptions | GenericProviderOptions
  readonly tokens: Pick<ProviderTokens, 'accessToken' | 'idToken'>
  /** Verified claims of the id token; undefined where there is none. */
  readonly claims: Json | undefined
  /**
   * Asks the provider with the access token as bearer. Throws a `ProviderFault` on a status other than 2xx, a body that is
   * no JSON object or list, is longer than 1 MB, or takes longer than 10 s.
   */
  ask(
    address: string,
    request?: {
      method?: 'GET' | 'POST'
      headers?: Record<string, string>
      form?: Record<string, string>
      json?: unknown
    },
  ): Promise<unknown>
  /** The address of the row, or the one that the configuration gives in its place. */
  readonly endpoints: ProviderEndpoints
  /** What came with the callback besides code and state: apple's `user`, vk's `device_id`. */
  readonly callback: { readonly user?: string | undefined; readonly deviceId?: string | undefined }
}

export type ProviderEndpoints = {
  readonly authorization: string
  readonly token: string
  readonly profile?: string | undefined
  readonly email?: string | undefined
  readonly jwks?: string | undefined
}

/** How id tokens of a provider are checked (OpenID Connect Core, section 3.1.3.7). */
export type IdTokenRules = {
  /** The issuer, or, where it depends on the claims (a tenant), the one that these claims must have. */
  readonly issuer:
    | string
    | readonly string[]
    | ((claims: Json, options: ProviderSession['options']) => string | undefined)
  readonly algorithms: readonly string[]
  /** Apps hash the nonce before they ask (apple on iOS); by default it is the plain text. */
  readonly nonceMayBeHashed?: boolean
  /** False: an app's id token is not taken in `/sign-in/social`. */
  readonly signsIn?: boolean
}

/** One provider as data; the functions are its quirks. Adding one is adding a row. */
export type ProviderRow = {
  /** As its button says. */
  readonly name: string
  /** Addresses; a function where they depend on the settings (a tenant, a server of one's own). */
  readonly endpoints: ProviderEndpoints | ((options: ProviderOptions) => ProviderEndpoints)
  readonly scopes: readonly string[]
  readonly scopeSeparator?: ' ' | ','
  /** How the proof of the code is sent (RFC 7636); `hex` is tiktok's own form of S256; `none` where the provider fails on it. */
  readonly pkce: 'S256' | 'hex' | 'none'
  /** `basic`: header (RFC 6749, section 2.3.1); `post`: in the body. */
  readonly tokenAuthentication: 'basic' | 'post'
  /** Another name for `client_id`. */
  readonly clientIdName?: string
  /** Sent with every authorization request; the configuration's `authorizationParams` come after, and win. */
  readonly authorizationParams?:
    | Readonly<Record<string, string>>
    | ((given: { locale: MailLocale }) => Readonly<Record<string, string>>)
  /** The parameter that takes the hint of whom to sign in; absent: it is not sent. */
  readonly loginHint?: 'login_hint' | 'login'
  /** The provider posts its answer (OAuth 2.0 Form Post Response Mode). */
  readonly formPost?: true
  /** A nonce is sent, and must come back in the id token. */
  readonly nonce?: true
  /** Parameters besides the standard ones in the token and refresh requests. */
  readonly tokenParams?: (given: {
    callback: ProviderSession['callback']
    state?: string
    grant: 'code' | 'refresh'
  }) => Readonly<Record<string, string>>
  readonly tokenHeaders?: Readonly<Record<string, string>>
  /** Brings a token answer into the standard form, e.g. a list of scopes into text. */
  readonly tokenAnswer?: (answer: Json) => Json
  /** A secret that has to be made, such as apple's signed one. */
  readonly clientSecret?: (options: ProviderOptions, now: Date) => Promise<string>
  readonly idToken?: IdTokenRules
  /** It never gives an address: the account gets one that no mail ever goes to, until its owner names a real one. */
  readonly placeholderEmail?: true
  /** False: there is no refresh token at all. */
  readonly refreshes: boolean
  /** Reads who somebody is; undefined where the answer says nothing that can be used. */
  readonly profile: (session: ProviderSession) => Promise<ProviderProfile | undefined>
}

/** The provider did not answer, or not as it should: never a fault of ours, and never a 5xx. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
}
