import type { ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { type Id, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { type Caller, Redirect, withQuery } from '../../foundation/http/handler.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { lockUserAndAccounts } from '../identity/ownership.service.ts'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { setSessionCookies } from '../identity/session-cookies.ts'
import { isStillSession } from '../identity/users.service.ts'
import { findAccount, updateAccount } from './account.repository.ts'
import { exchangeCode, readProfile } from './oauth.ts'
import { ProviderFault, type ProviderProfile, type ProviderTokens } from './protocol/provider.ts'
import { findProvider, isConfigured, type Provider } from './registry.ts'
import { assertMayLink, keptTokens, linkAccount, signInByProvider } from './sign-in-by-provider.service.ts'
import { endFlow, type FlowState } from './state.service.ts'

type Given = ParsedQuery<'oauthCallback'>
type CallbackQuery = Partial<Record<keyof Given, string>>

/** The longest value read: a code, or the name that apple posts. */
const valueLimit = 8192

/** The longest query to forward: browsers, proxies and Node accept an address with its headers up to 16 kB. */
const forwardLimit = 8192

/**
 * A provider posts its answer from another site, so the browser sends none of our cookies. Redirects to the same
 * address by GET, which carries them (security, §0: "callbacks"). A body that no provider posts goes to the error
 * page.
 */
export const oauthCallbackForm: AuthHandler<'oauthCallbackForm', Redirect> = async ({ ctx, params, body: form }) => {
  const { id } = params
  const { baseURL, basePath } = ctx.config
  const values = readQuery(form)
  const query = new URLSearchParams(values).toString()
  if (!values || query.length > forwardLimit) {
    const { message } = new TollgateError('CALLBACK_INVALID_REQUEST')
    return new Redirect(withQuery(`${baseURL.origin}${basePath}/error`, 'error', message), 303)
  }
  return new Redirect(`${baseURL.origin}${basePath}/callback/${encodeURIComponent(id)}?${query}`, 303)
}

/**
 * Finishes a flow; always redirects. Errors go to the error page until the flow is known, and then to the flow's own
 * error address. The codes are those of the specification, section 8.
 */
export const oauthCallback: AuthHandler<'oauthCallback', Redirect> = async ({ ctx, caller, params, query: given }) => {
  const { id } = params
  const { baseURL, basePath } = ctx.config
  let errorURL = `${baseURL.origin}${basePath}/error`
  try {
    const query = readQuery(given)
    if (!query) throw new TollgateError('CALLBACK_INVALID_REQUEST')
    if (!query.state) {
      if (query.error) return refusedByProvider(errorURL, query)
      throw new TollgateError('CALLBACK_STATE_NOT_FOUND')
    }
    const flow = await endFlow(ctx, caller, query.state, id)
    if (!flow) throw new TollgateError('CALLBACK_RESTART')
    errorURL = flow.errorURL ?? errorURL
    if (query.error) return refusedByProvider(errorURL, query)
    return new Redirect(await arrive(ctx, caller, id, flow, query))
  } catch (cause) {
    const error = toRefusal(ctx, id, cause)
    const target = withQuery(errorURL, 'error', error.message)
    return new Redirect(error.error === 'CALLBACK_BANNED' ? withQuery(target, 'error_description', banned) : target)
  }
}

const banned = new TollgateError('BANNED_USER').message

/** Always redirect the browser. An error that is no refusal is logged and reported as a fault. */
function toRefusal(ctx: Context, provider: string, cause: unknown): TollgateError {
  if (cause instanceof TollgateError && cause.row.status < 500) return cause
  ctx.log.error({ provider, err: cause }, 'Provider callback failed')
  return new TollgateError('CALLBACK_FAULT', { cause })
}

/** The provider's own words, truncated to fit an error page. */
function refusedByProvider(errorURL: string, { error = '', error_description }: CallbackQuery): Redirect {
  const target = withQuery(errorURL, 'error', error.slice(0, 200))
  return new Redirect(
    error_description ? withQuery(target, 'error_description', error_description.slice(0, 500)) : target,
  )
}

/** Undefined for parameters that no provider sends: repeated or too long. */
function readQuery(given: Given): CallbackQuery | undefined {
  const query: CallbackQuery = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (typeof value !== 'string' || value.length > valueLimit || value.includes('\0')) return undefined
    query[name as keyof Given] = value // The schema lets no other names through.
  }
  return query
}

async function arrive(
  ctx: Context,
  caller: Caller,
  id: string,
  flow: FlowState,
  query: CallbackQuery,
): Promise<string> {
  const { code, state = '' } = query
  if (!code) throw new TollgateError('CALLBACK_NO_CODE')
  if (!flow.callbackURL) throw new TollgateError('CALLBACK_NO_CALLBACK_URL')
  const provider = await requireProvider(ctx, id)
  assertIssuer(provider, query.iss)
  const callback = { user: query.user, deviceId: query.device_id }
  const tokens = await orRefuse(ctx, id, 'CALLBACK_INVALID_CODE', () =>
    exchangeCode(ctx, provider, { code, state, codeVerifier: flow.codeVerifier, callback }),
  )
  const profile = await orRefuse(ctx, id, 'CALLBACK_NO_USER_INFO', () =>
    readProfile(ctx, provider, tokens, { nonce: flow.nonce, callback }),
  )
  if (!profile) throw new TollgateError('CALLBACK_NO_USER_INFO')

  if (flow.link) {
    await link(ctx, caller, flow.link.userId, provider, profile, tokens)
    return flow.callbackURL
  }
  const { requestSignUp } = flow
  const signedIn = await signInByProvider(ctx, caller, { provider, profile, tokens, requestSignUp })
  setSessionCookies(ctx, caller, signedIn)
  return signedIn.isNew ? (flow.newUserURL ?? flow.callbackURL) : flow.callbackURL
}

async function requireProvider(ctx: Context, id: string): Promise<Provider> {
  if (!isConfigured(ctx, id)) throw new TollgateError('CALLBACK_PROVIDER_NOT_FOUND')
  const provider = await orRefuse(ctx, id, 'CALLBACK_PROVIDER_NOT_FOUND', () => findProvider(ctx, id))
  if (!provider) throw new TollgateError('CALLBACK_PROVIDER_NOT_FOUND')
  return provider
}

/** Do not exchange an answer from another provider (RFC 9207: mix-up). */
function assertIssuer({ row }: Provider, iss: string | undefined): void {
  const issuer = row.idToken?.issuer
  if (iss === undefined || issuer === undefined || typeof issuer === 'function') return
  if (![issuer].flat().includes(iss)) throw new TollgateError('CALLBACK_INVALID_REQUEST')
}

/** A provider's fault is reported as a code and logged. */
async function orRefuse<T>(
  ctx: Context,
  provider: string,
  error: 'CALLBACK_INVALID_CODE' | 'CALLBACK_NO_USER_INFO' | 'CALLBACK_PROVIDER_NOT_FOUND',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ProviderFault)) throw cause
    ctx.log.warn({ provider, err: cause }, 'Invalid provider response')
    throw new TollgateError(error, { cause })
  }
}

/** Links the account to the user who asked for it, who must still be signed in here and not impersonated. */
async function link(
  ctx: Context,
  caller: Caller,
  userId: Id<'user'>,
  provider: Provider,
  profile: ProviderProfile,
  tokens: ProviderTokens,
): Promise<void> {
  const current = await findCurrentSession(ctx, caller)
  if (current?.user.id !== userId || current.session.impersonatedBy !== null)
    throw new TollgateError('CALLBACK_RESTART')
  assertSameAddress(ctx, current.user.email, provider, profile)
  try {
    await ctx.transaction(async (tx) => {
      await requireUnchanged(tx, current)
      const account = await findAccount(tx, provider.id, profile.id)
      if (account && account.userId !== userId) throw new TollgateError('CALLBACK_LINKED_TO_ANOTHER_USER')
      // Already linked: store only its new tokens, such as those with further scopes.
      if (account) await updateAccount(tx, account, { ...keptTokens(ctx, tokens), updatedAt: ctx.clock.now() })
      else {
        assertMayLink(ctx, { provider, profile })
        await linkAccount(ctx, tx, current.user, { provider, profile, tokens }, caller.locale)
      }
    })
  } catch (error) {
    // Another user is linking it at this moment.
    if (isUniqueViolation(error)) throw new TollgateError('CALLBACK_LINKED_TO_ANOTHER_USER', { cause: error })
    throw error
  }
}

/**
 * Link nothing if the address has been verified or moved since: that ended this session or changed the compared
 * values.
 */
async function requireUnchanged(tx: Tx, { session, user }: SessionRow): Promise<void> {
  const present = await lockUserAndAccounts(tx, user.id)
  if (present?.email !== user.email || !(await isStillSession(tx, session.id)))
    throw new TollgateError('CALLBACK_RESTART')
}

/** A visitor at an unattended computer must not link their own account unnoticed (auth contract, section 10). */
function assertSameAddress(ctx: Context, own: string, { row }: Provider, { email }: ProviderProfile): void {
  if (ctx.config.account.accountLinking.allowDifferentEmails || row.placeholderEmail || email === null) return
  if (normalizeEmail(email) !== own) throw new TollgateError('CALLBACK_OTHER_EMAIL')
}
