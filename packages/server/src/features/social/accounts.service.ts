import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { emit } from '../../foundation/outbox.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { findCurrentSession, isFresh } from '../identity/session.service.ts'
import { credentialProvider, lockAccounts } from '../identity/users.service.ts'
import { type AccountRow, deleteAccount, listAccountsOf, replaceTokens } from './account.repository.ts'
import { readProfile, refreshTokens } from './oauth.ts'
import { perServer } from './protocol/per-server.ts'
import { ProviderFault, type ProviderTokens } from './protocol/provider.ts'
import { tokenPurpose } from './provider-tokens.ts'
import { findProvider, type Provider } from './registry.ts'
import { keptTokens } from './sign-in-by-provider.service.ts'

/** The accounts that a user can sign in with, oldest first. */
export const listAccounts: AuthHandler<'listAccounts'> = ({ ctx, session }) => accountsOf(ctx, session.user.id)

export const accountsOf = async (ctx: Context, userId: Id<'user'>): Promise<Answer<'listAccounts'>> =>
  (await listAccountsOf(ctx.db, userId)).map(toAccount)

function toAccount(row: AccountRow): Answer<'listAccounts'>[number] {
  return {
    id: row.id,
    provider: row.providerId,
    providerId: row.providerId,
    accountId: row.accountId,
    userId: row.userId,
    scopes: scopesOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const scopesOf = ({ scope }: AccountRow): string[] => scope?.split(',').filter(Boolean) ?? []

/** Identifies one account. */
type Which = { readonly providerId?: string | undefined; readonly accountId?: string | undefined }

/**
 * By provider, by the provider's account id or by the row's id: the ecosystem's clients use all three (auth contract,
 * section 8).
 */
function choose(accounts: readonly AccountRow[], { providerId, accountId }: Which): AccountRow | undefined {
  if (providerId === undefined && accountId === undefined) return undefined
  const possible = accounts.filter((row) => providerId === undefined || row.providerId === providerId)
  if (accountId === undefined) return possible[0]
  // Two providers may use the same account id, so the row's id comes first.
  return possible.find(({ id }) => id === accountId) ?? possible.find((row) => row.accountId === accountId)
}

/**
 * Removes a linked account. Requires a fresh session, and refuses to remove the last account unless that is allowed
 * (specification, section 6).
 */
export const unlinkAccount: AuthHandler<'unlinkAccount'> = async ({ ctx, session: current, body }) => {
  const { user, session } = current
  if (!isFresh(ctx, session)) throw new TollgateError('SESSION_IS_NOT_FRESH')
  await ctx.transaction(async (tx) => {
    // Two concurrent calls must not remove both accounts.
    await lockAccounts(tx, user.id)
    const accounts = await listAccountsOf(tx, user.id)
    if (accounts.length <= 1 && !ctx.config.account.accountLinking.allowUnlinkingAll)
      throw new TollgateError('CANNOT_UNLINK_LAST_ACCOUNT')
    const account = choose(accounts, body)
    if (!account) throw new TollgateError('ACCOUNT_NOT_FOUND')
    await deleteAccount(tx, account.id)
    const data = { provider: account.providerId }
    await emit(tx, ctx.clock.now(), { type: 'account.unlinked', actorId: user.id, userId: user.id, data })
  })
  return { status: true }
}

/** A token with fewer seconds left is refreshed (specification, section 9). */
const leastLife = 5

/** A valid access token of a linked account. */
export const getAccessToken: AuthHandler<'getAccessToken'> = ({ ctx, caller, body }) => validToken(ctx, caller, body)

async function validToken(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'getAccessToken'>,
): Promise<Answer<'getAccessToken'>> {
  const { account, provider } = await requireAccount(ctx, caller, body)
  const kept = isDue(ctx, account) ? await refreshed(ctx, account, provider, 'FAILED_TO_GET_ACCESS_TOKEN') : undefined
  const accessToken = kept?.accessToken ?? open(ctx, account.accessToken)
  if (accessToken === null) throw new TollgateError('FAILED_TO_GET_ACCESS_TOKEN')
  const idToken = kept?.idToken ?? open(ctx, account.idToken)
  const expiresAt = kept ? kept.accessTokenExpiresAt : account.accessTokenExpiresAt
  return {
    accessToken,
    accessTokenExpiresAt: expiresAt?.toISOString() ?? null,
    scopes: kept && kept.scopes.length > 0 ? [...kept.scopes] : scopesOf(account),
    ...(idToken !== null && { idToken }),
  }
}

/** Due shortly before expiry. A token without an expiry is due only if a refresh token exists. */
function isDue(ctx: Context, account: AccountRow): boolean {
  const { accessTokenExpiresAt, refreshToken } = account
  if (accessTokenExpiresAt === null) return refreshToken !== null
  return accessTokenExpiresAt < after(ctx.clock.now(), seconds(leastLife))
}

/** Refreshes the tokens of a linked account, due or not. */
export const refreshToken: AuthHandler<'refreshToken'> = async ({ ctx, caller, body }) => {
  const { account, provider } = await requireAccount(ctx, caller, body)
  const tokens = await refreshed(ctx, account, provider, 'FAILED_TO_REFRESH_ACCESS_TOKEN')
  const scopes = tokens.scopes.length > 0 ? [...tokens.scopes] : scopesOf(account)
  const idToken = tokens.idToken ?? open(ctx, account.idToken)
  return {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken ?? '',
    tokenType: tokens.tokenType,
    scopes,
    scope: scopes.join(','),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt?.toISOString() ?? null,
    refreshTokenExpiresAt: (tokens.refreshTokenExpiresAt ?? account.refreshTokenExpiresAt)?.toISOString() ?? null,
    ...(idToken !== null && { idToken }),
    providerId: account.providerId,
    accountId: account.accountId,
  }
}

/** The provider's current profile of a linked account. */
export const accountInfo: AuthHandler<'accountInfo'> = async ({ ctx, caller, session, query: { accountId } }) => {
  const { account, provider } = await requireAccount(ctx, caller, { accountId })
  const { accessToken, idToken } = await validToken(ctx, caller, { accountId: account.id })
  try {
    const profile = await readProfile(ctx, provider, { accessToken, idToken: null }, {}).catch(async (error) => {
      // Some providers put all claims into the id token only.
      if (!(error instanceof ProviderFault) || !idToken) throw error
      return readProfile(ctx, provider, { accessToken, idToken })
    })
    if (!profile || account.userId !== session.user.id) throw new TollgateError('FAILED_TO_GET_USER_INFO')
    return { user: { ...profile }, data: { ...profile }, account: toAccount(account) }
  } catch (cause) {
    if (!(cause instanceof ProviderFault)) throw cause
    throw new TollgateError('FAILED_TO_GET_USER_INFO', { cause })
  }
}

/** The signed-in user, or, for server code, the user it names. */
async function requireAccount(
  ctx: Context,
  caller: Caller,
  body: Which & { readonly userId?: Id<'user'> | undefined },
): Promise<{ account: AccountRow; provider: Provider }> {
  const userId = (caller.isServer ? body.userId : undefined) ?? (await findCurrentSession(ctx, caller))?.user.id
  if (userId === undefined)
    throw new TollgateError(caller.isServer ? 'EITHER_USER_ID_OR_SESSION_REQUIRED' : 'UNAUTHORIZED')
  const account = choose(await listAccountsOf(ctx.db, userId), body)
  const id = account?.providerId ?? body.providerId ?? ''
  const values = { provider: id }
  if (id === credentialProvider) throw new TollgateError('PROVIDER_NOT_SUPPORTED', { values })
  const provider = await findProvider(ctx, id).catch((error) => {
    if (error instanceof ProviderFault) throw new TollgateError('FAILED_TO_GET_ACCESS_TOKEN', { cause: error })
    throw error
  })
  if (!provider && (account || body.providerId !== undefined))
    throw new TollgateError('PROVIDER_NOT_SUPPORTED', { values })
  if (!account || !provider) throw new TollgateError('ACCOUNT_NOT_FOUND')
  return { account, provider }
}

/** Refreshes in progress, by account: a refresh token is often valid for one use only. */
const underWay = perServer(() => new Map<string, Promise<ProviderTokens>>())

function refreshed(
  ctx: Context,
  account: AccountRow,
  provider: Provider,
  refusal: 'FAILED_TO_GET_ACCESS_TOKEN' | 'FAILED_TO_REFRESH_ACCESS_TOKEN',
): Promise<ProviderTokens> {
  const running = underWay(ctx)
  const started = running.get(account.id) ?? refreshOnce(ctx, account, provider, refusal)
  running.set(account.id, started)
  started.then(
    () => running.delete(account.id),
    () => running.delete(account.id),
  )
  return started
}

async function refreshOnce(
  ctx: Context,
  account: AccountRow,
  provider: Provider,
  refusal: 'FAILED_TO_GET_ACCESS_TOKEN' | 'FAILED_TO_REFRESH_ACCESS_TOKEN',
): Promise<ProviderTokens> {
  if (provider.row.refreshes === false)
    throw new TollgateError('TOKEN_REFRESH_NOT_SUPPORTED', { values: { provider: provider.id } })
  const sealed = account.refreshToken
  const given = open(ctx, sealed)
  if (sealed === null || given === null) throw new TollgateError(refusal)
  // Another call has refreshed it since the read. Reusing a token makes some providers revoke them all (RFC 9700,
  // section 4.14.2).
  const newer = await tokensOf(ctx, account, sealed)
  if (newer) return newer
  let tokens: ProviderTokens
  try {
    tokens = await refreshTokens(ctx, provider, given, account.deviceId ?? undefined)
  } catch (cause) {
    if (!(cause instanceof ProviderFault)) throw cause
    // Another process may just have used the refresh token: then the new tokens are stored.
    const theirs = await tokensOf(ctx, account, sealed)
    if (theirs) return theirs
    ctx.log.warn({ provider: provider.id, err: cause }, 'A provider refused a refresh token')
    throw new TollgateError(refusal, { cause })
  }
  const changes = { ...keptTokens(ctx, tokens), updatedAt: ctx.clock.now() }
  await ctx.transaction((tx) => replaceTokens(tx, account.id, sealed, changes))
  return tokens
}

/** The stored account, if it has changed since the read. */
async function tokensOf(ctx: Context, account: AccountRow, sealed: string): Promise<ProviderTokens | undefined> {
  const now = (await listAccountsOf(ctx.db, account.userId)).find(({ id }) => id === account.id)
  const accessToken = now && now.refreshToken !== sealed ? open(ctx, now.accessToken) : null
  if (!now || accessToken === null) return undefined
  return {
    accessToken,
    refreshToken: open(ctx, now.refreshToken),
    idToken: open(ctx, now.idToken),
    tokenType: 'bearer',
    accessTokenExpiresAt: now.accessTokenExpiresAt,
    refreshTokenExpiresAt: now.refreshTokenExpiresAt,
    scopes: scopesOf(now),
  }
}

/** Opens a stored token; null if there is none or no current secret opens it. */
function open(ctx: Context, sealed: string | null): string | null {
  try {
    return sealed === null ? null : ctx.secrets.open(sealed, tokenPurpose)
  } catch {
    return null
  }
}
