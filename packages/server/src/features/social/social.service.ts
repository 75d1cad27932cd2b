import { type ErrorName, isSocialProvider } from '@tollgate/contract/calls'
import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { proven } from '../../foundation/proof/proven.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { isFresh } from '../identity/session.service.ts'
import { toUser } from '../identity/session-answer.ts'
import { setSessionCookies } from '../identity/session-cookies.ts'
import { audienceOf, authorizationUrl, createSession } from './oauth.ts'
import { verifyIdToken } from './protocol/id-token.ts'
import { ProviderFault, type ProviderProfile } from './protocol/provider.ts'
import { findProvider, isConfigured, type Provider, unique } from './registry.ts'
import { expiryOf, signInByProvider } from './sign-in-by-provider.service.ts'
import { beginFlow, type NewFlow } from './state.service.ts'

export { listProviders } from './registry.ts'

type SignIn = ParsedBody<'signInSocial'>

/** Begins a sign-in at a provider. An id token from an app completes it at once. */
export const signInSocial: AuthHandler<'signInSocial'> = async ({ ctx, caller, body }) => {
  const provider = await requireProvider(ctx, body.provider)
  if (body.idToken) return signInByIdToken(ctx, caller, provider, body)
  return { url: await begin(ctx, caller, provider, body), redirect: !body.disableRedirect }
}

/** The same for the configuration's own providers, under the name that the ecosystem's clients know. */
export const signInOAuth2: AuthHandler<'signInOAuth2'> = async ({ ctx, caller, body }) => {
  const provider = await requireProvider(ctx, body.providerId)
  return { url: await begin(ctx, caller, provider, body), redirect: !body.disableRedirect }
}

/**
 * Begins to link a provider's account to the signed-in user. The session must be fresh if the configuration or the
 * request says so. The callback decides whether the provider may be linked.
 */
export const linkSocial: AuthHandler<'linkSocial'> = async ({ ctx, caller, session, body }) => {
  const { enabled, requireFreshSession } = ctx.config.account.accountLinking
  if (!enabled) throw new TollgateError('LINKING_NOT_ALLOWED')
  const mustBeFresh = requireFreshSession || body.requireFreshSession === true
  if (mustBeFresh && !isFresh(ctx, session.session)) throw new TollgateError('SESSION_IS_NOT_FRESH')
  const provider = await requireProvider(ctx, body.provider)
  const url = await begin(ctx, caller, provider, body, { userId: session.user.id })
  return { url, redirect: !body.disableRedirect }
}

async function requireProvider(ctx: Context, id: string): Promise<Provider> {
  // The specification's names are known, enabled or not; any other must be configured (auth contract, section 10).
  if (!isSocialProvider(id) && !isConfigured(ctx, id)) throw new TollgateError('VALIDATION_ERROR')
  try {
    const provider = await findProvider(ctx, id)
    if (provider) return provider
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    ctx.log.warn({ provider: id, err: error }, 'Provider unavailable')
  }
  throw new TollgateError('PROVIDER_NOT_FOUND')
}

type Beginning = Pick<SignIn, 'callbackURL' | 'errorCallbackURL' | 'scopes'> &
  Partial<Pick<SignIn, 'newUserCallbackURL' | 'requestSignUp' | 'loginHint'>>

async function begin(
  ctx: Context,
  caller: Caller,
  provider: Provider,
  body: Beginning,
  link?: NewFlow['link'],
): Promise<string> {
  const flow = await beginFlow(ctx, caller, {
    providerId: provider.id,
    callbackURL: body.callbackURL ?? ctx.config.baseURL.origin,
    errorURL: body.errorCallbackURL,
    newUserURL: body.newUserCallbackURL,
    requestSignUp: body.requestSignUp === true,
    link,
  })
  return authorizationUrl(ctx, provider, {
    ...flow,
    scopes: unique([...provider.scopes, ...(body.scopes ?? [])]),
    loginHint: body.loginHint,
    locale: caller.locale,
  })
}

/** How this call words the callback's refusals (auth contract, section 2). */
const asAnswer: Partial<Record<ErrorName, ErrorName>> = {
  CALLBACK_NO_EMAIL: 'USER_EMAIL_NOT_FOUND',
  CALLBACK_NOT_LINKED: 'ACCOUNT_NOT_LINKED',
  CALLBACK_SIGN_UP_DISABLED: 'SOCIAL_SIGN_UP_DISABLED',
  CALLBACK_BANNED: 'BANNED_USER',
  CALLBACK_UNABLE_TO_CREATE_SESSION: 'FAILED_TO_CREATE_SESSION',
  CALLBACK_RESTART: 'ACCOUNT_NOT_LINKED',
}

async function signInByIdToken(
  ctx: Context,
  caller: Caller,
  provider: Provider,
  body: SignIn,
): Promise<Answer<'signInSocial'>> {
  const given = proven(body.idToken, 'the schema wants it here')
  const profile = await profileOfIdToken(ctx, provider, given)
  const now = ctx.clock.now()
  try {
    const { session, user } = await signInByProvider(ctx, caller, {
      provider,
      profile,
      tokens: {
        idToken: given.token,
        ...(given.accessToken && {
          accessToken: given.accessToken,
          accessTokenExpiresAt: expiryOf(now, given.expiresAt),
        }),
        ...(given.refreshToken && { refreshToken: given.refreshToken }),
      },
      requestSignUp: body.requestSignUp === true,
    })
    setSessionCookies(ctx, caller, { session, user })
    return { redirect: false, token: session.token, user: toUser(user) }
  } catch (error) {
    const answer = error instanceof TollgateError ? asAnswer[error.error] : undefined
    throw answer ? new TollgateError(answer, { cause: error }) : error
  }
}

async function profileOfIdToken(
  ctx: Context,
  provider: Provider,
  given: NonNullable<SignIn['idToken']>,
): Promise<ProviderProfile> {
  const { row, options, endpoints } = provider
  if (!row.idToken || row.idToken.signsIn === false) throw new TollgateError('ID_TOKEN_NOT_SUPPORTED')
  try {
    const claims = await verifyIdToken(ctx, given.token, {
      rules: row.idToken,
      endpoints,
      options,
      audience: audienceOf(provider),
      nonce: given.nonce,
    })
    const tokens = { accessToken: given.accessToken ?? '', idToken: given.token }
    const profile = await row.profile(createSession(ctx, provider, tokens, claims, {}))
    if (profile) return profile
  } catch (cause) {
    if (!(cause instanceof ProviderFault)) throw cause
    ctx.log.info({ provider: provider.id, err: cause }, 'Id token refused')
    throw new TollgateError('ID_TOKEN_INVALID', { cause })
  }
  throw new TollgateError('FAILED_TO_GET_USER_INFO')
}
