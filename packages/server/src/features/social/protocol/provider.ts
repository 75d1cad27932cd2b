import type { GenericProviderOptions, ProviderOptions } from '../../../foundation/config/config.ts'
import type { MailLocale } from '../../../foundation/mail/templates.ts'

/** A person as the provider describes them. */
export type ProviderProfile = {
  /** The provider's stable account id; never an address, which may change hands. */
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  /** Whether the provider vouches that the address is this person's. Only then may it lead to an existing user. */
  readonly emailVerified: boolean
  readonly image: string | null
}

/** A provider's answer to a code or a refresh token, in one form for all providers. */
export type ProviderTokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string | null
  readonly tokenType: string
  readonly accessTokenExpiresAt: Date | null
  readonly refreshTokenExpiresAt: Date | null
  /** A value from the callback that refreshing needs as well (vk). */
  readonly deviceId?: string | undefined
  /** As stored: without duplicates, in the provider's order. */
  readonly scopes: readonly string[]
}

export type Json = Readonly<Record<string, unknown>>

/** What a row works with: its provider's settings and the ways to call it. */
export type ProviderSession = {
  readonly options: ProviderOptions | GenericProviderOptions
  readonly tokens: Pick<ProviderTokens, 'accessToken' | 'idToken'>
  /** The id token's verified claims; undefined without an id token. */
  readonly claims: Json | undefined
  /**
   * Calls the provider with the access token as bearer. Throws a `ProviderFault` on a status other than 2xx, a body
   * that is no JSON object or list, one over 1 MB, or after 10 s.
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
  /** The row's address, or the configured replacement. */
  readonly endpoints: ProviderEndpoints
  /** What the callback receives besides code and state: apple's `user`, vk's `device_id`. */
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
  /** How apps hash the nonce before they send it (apple on iOS); by default it is plain text. */
  readonly nonceMayBeHashed?: boolean
  /** False: `/sign-in/social` accepts no id token from an app. */
  readonly signsIn?: boolean
}

/** One provider as data; the functions are its quirks. To add a provider, add a row. */
export type ProviderRow = {
  /** The name on its button. */
  readonly name: string
  /** Addresses; a function where they depend on the settings (a tenant, a self-hosted server). */
  readonly endpoints: ProviderEndpoints | ((options: ProviderOptions) => ProviderEndpoints)
  readonly scopes: readonly string[]
  readonly scopeSeparator?: ' ' | ','
  /** PKCE (RFC 7636) is S256 by default; `hex` is tiktok's own form of it; `none` where the provider fails on it. */
  readonly pkce?: 'hex' | 'none'
  /** How the secret is sent: in the body by default, or as a `basic` header (RFC 6749, section 2.3.1). */
  readonly tokenAuthentication?: 'basic' | 'post'
  /** Another name for `client_id`. */
  readonly clientIdName?: string
  /** Sent with every authorization request; the configuration's `authorizationParams` override them. */
  readonly authorizationParams?:
    | Readonly<Record<string, string>>
    | ((given: { locale: MailLocale }) => Readonly<Record<string, string>>)
  /** The parameter for the login hint; absent: no hint is sent. */
  readonly loginHint?: 'login_hint' | 'login'
  /** The provider posts its answer (OAuth 2.0 Form Post Response Mode). */
  readonly formPost?: true
  /** A nonce is sent, and the id token must return it. */
  readonly nonce?: true
  /** Parameters besides the standard ones in the token and refresh requests. */
  readonly tokenParams?: (given: {
    callback: ProviderSession['callback']
    state?: string
    grant: 'code' | 'refresh'
  }) => Readonly<Record<string, string>>
  readonly tokenHeaders?: Readonly<Record<string, string>>
  /** Normalises a token answer, for example a list of scopes into text. */
  readonly tokenAnswer?: (answer: Json) => Json
  /** A generated secret, such as apple's signed one. */
  readonly clientSecret?: (options: ProviderOptions, now: Date) => Promise<string>
  readonly idToken?: IdTokenRules
  /**
   * The provider never gives an address: the account gets a placeholder without mail until its owner enters a real
   * one.
   */
  readonly placeholderEmail?: true
  /** The provider issues no refresh tokens. */
  readonly refreshes?: false
  /** Reads the person's profile; undefined when the answer is unusable. */
  readonly profile: (session: ProviderSession) => Promise<ProviderProfile | undefined>
}

/** The provider did not answer, or not correctly. Never our own fault, and never a 5xx. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
}
