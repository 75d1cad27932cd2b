import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import { isDatabaseUnavailable, isUniqueViolation, type Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { createVerificationLink, enqueueLinkMail } from '../identity/email-verification.service.ts'
import { takePossession } from '../identity/ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName } from '../identity/profile-rules.ts'
import { createSession } from '../identity/session.service.ts'
import {
  findUser,
  findUserByEmail,
  insertUser,
  isBanned,
  lockAccounts,
  lockUser,
  type StoredSession,
  type UserRow,
} from '../identity/users.service.ts'
import { newId } from '../ids.ts'
import { emit } from '../outbox.ts'
import { type AccountRow, findAccount, insertAccount, updateAccount } from './account.repository.ts'
import type { ProviderProfile, ProviderTokens } from './provider.ts'
import type { Provider } from './registry.ts'

/** Somebody whom a provider has told us of. */
export type Arrival = {
  readonly provider: Provider
  readonly profile: ProviderProfile
  /** Those that are kept; an app that brings only an id token has no others. */
  readonly tokens: Partial<ProviderTokens>
  readonly requestSignUp: boolean
}

export type SignedIn = { readonly session: StoredSession; readonly user: UserRow; readonly isNew: boolean }

/**
 * Signs in whom a provider tells us of: the user whose account it is, else the one whose address the provider vouches for,
 * else a new one (specification, section 4: "Account linking"). Refuses with the callback's codes.
 */
export async function signInByProvider(ctx: Context, caller: Caller, arrival: Arrival): Promise<SignedIn> {
  // A second round where somebody else has taken the address or the account at this moment: then it is found.
  for (let round = 0; ; round += 1) {
    try {
      return await signInOnce(ctx, caller, arrival)
    } catch (error) {
      if (round > 0 || !(error instanceof Overtaken || isUniqueViolation(error))) throw error
    }
  }
}

/** The account that was to be linked is there by now. */
class Overtaken extends Error {}

async function signInOnce(ctx: Context, caller: Caller, arrival: Arrival): Promise<SignedIn> {
  const { provider, profile } = arrival
  const email = addressOf(provider, profile)
  const vouched = isVouched(ctx, arrival)
  const account = await findAccount(ctx.db, provider.id, profile.id)
  if (!account && email === null) throw new TollgateError('CALLBACK_NO_EMAIL')
  const owner = account ? undefined : await findUserByEmail(ctx.db, email ?? '')
  if (owner) assertMayLink(ctx, vouched)
  const isNew = !account && !owner
  if (isNew) assertMaySignUp(arrival)
  const mail = isNew && email !== null && !vouched ? await orderLink(ctx, provider, email) : undefined

  const result = await ctx.transaction(async (tx) => {
    const user = account
      ? await returningUser(ctx, tx, account, arrival)
      : owner
        ? await linkToOwner(ctx, tx, owner, arrival)
        : await createUser(ctx, tx, arrival, email ?? '', vouched)
    if (isNew && mail) await enqueueLinkMail(ctx, tx, user, mail, { template: 'verify-email', locale: caller.locale })
    const session = await sessionOf(ctx, tx, caller, user)
    return { session, user, isNew }
  })
  const { onUserCreated } = ctx.config.hooks
  const { id, name } = result.user
  if (isNew && onUserCreated)
    ctx.background('onUserCreated', async () => onUserCreated({ id, email: result.user.email, name }))
  return result
}

/**
 * The address as we keep it. Providers that give none make one that never gets mail, under a name that nobody can register
 * (RFC 2606), so that the account page can ask for a real one.
 */
function addressOf({ id, row }: Provider, profile: ProviderProfile): string | null {
  if (row.placeholderEmail) return normalizeEmail(`${profile.id}@${id}.invalid`)
  const email = profile.email === null ? null : normalizeEmail(profile.email)
  // Nobody reads mail there, and it may be the name that we have made for somebody of another provider.
  return email === null || isMadeUp(email) ? null : email
}

/**
 * Whether the provider stands for the address. Never for one in letters that we fold to others: there it may be another
 * mailbox than the one that we keep (`ｖictim@` would be `victim@`).
 */
const isVouched = (ctx: Context, { provider, profile }: Arrival): boolean =>
  !provider.row.placeholderEmail &&
  /^[\x21-\x7e]*$/.test(profile.email?.trim() ?? '') &&
  (profile.emailVerified || ctx.config.account.accountLinking.trustedProviders.includes(provider.id))

/** An address that nobody vouches for never leads to somebody else's account. */
function assertMayLink(ctx: Context, vouched: boolean): void {
  if (!vouched || !ctx.config.account.accountLinking.enabled) throw new TollgateError('CALLBACK_NOT_LINKED')
}

function assertMaySignUp({ provider, requestSignUp }: Arrival): void {
  const { disableSignUp, disableImplicitSignUp } = provider.options
  if (disableSignUp || (disableImplicitSignUp && !requestSignUp)) throw new TollgateError('CALLBACK_SIGN_UP_DISABLED')
}

async function orderLink(ctx: Context, { row }: Provider, email: string) {
  const { enabled, sendOnSignUp } = ctx.config.emailVerification
  if (row.placeholderEmail || !enabled || !sendOnSignUp || !(await ctx.limits.mail('sign-up', email))) return undefined
  return createVerificationLink(ctx, { email }, '/verify-email')
}

/** Tokens are told anew at each sign-in; name, picture and address stay as their owner has set them. */
async function returningUser(ctx: Context, tx: Tx, account: AccountRow, arrival: Arrival): Promise<UserRow> {
  const changes = { ...keptTokens(ctx, arrival.tokens), updatedAt: ctx.clock.now() }
  const isStillTheirs = await updateAccount(tx, account, changes)
  const user = isStillTheirs ? await findUser(tx, account.userId) : undefined
  // Unlinked, or taken from a squatter, since it was found: it opens nothing any more.
  if (!user) throw new TollgateError('CALLBACK_RESTART')
  return user
}

async function linkToOwner(ctx: Context, tx: Tx, owner: UserRow, arrival: Arrival): Promise<UserRow> {
  // In the order in which a sign-in looks at them: else the two could wait for each other.
  await lockAccounts(tx, owner.id)
  const locked = await lockUser(tx, owner.id)
  // They have changed their address, or are gone, since they were found by it.
  if (locked?.email !== owner.email) throw new TollgateError('CALLBACK_RESTART')
  const user = await takePossession(ctx, tx, locked)
  // Asked rather than tried: an insert would wait for whoever signs in by that account, and they for this lock.
  if (await findAccount(tx, arrival.provider.id, arrival.profile.id)) throw new Overtaken()
  await addAccount(ctx, tx, user.id, arrival)
  return user
}

async function createUser(
  ctx: Context,
  tx: Tx,
  arrival: Arrival,
  email: string,
  emailVerified: boolean,
): Promise<UserRow> {
  const { provider, profile } = arrival
  const now = ctx.clock.now()
  const user = await orRefuse('CALLBACK_UNABLE_TO_CREATE_USER', () =>
    insertUser(tx, {
      id: newId(),
      email,
      emailVerified,
      name: (profile.name && normalizeName(profile.name)) ?? '',
      image: profile.image && normalizeImage(profile.image),
      banned: false,
      createdAt: now,
      updatedAt: now,
    }),
  )
  const concerned = { actorId: user.id, userId: user.id }
  await emit(tx, now, { type: 'user.created', ...concerned, data: { method: provider.id } })
  if (emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
  await addAccount(ctx, tx, user.id, arrival)
  return user
}

/** Links an account to a user, inside the transaction that decides it. */
export async function addAccount(
  ctx: Context,
  tx: Tx,
  userId: string,
  { provider, profile, tokens }: Pick<Arrival, 'provider' | 'profile' | 'tokens'>,
): Promise<void> {
  const now = ctx.clock.now()
  await orRefuse('CALLBACK_UNABLE_TO_LINK', () =>
    insertAccount(tx, {
      id: newId(),
      providerId: provider.id,
      accountId: profile.id,
      userId,
      ...keptTokens(ctx, tokens),
      createdAt: now,
      updatedAt: now,
    }),
  )
  await emit(tx, now, { type: 'account.linked', actorId: userId, userId, data: { provider: provider.id } })
}

/** Tokens as they are stored: sealed, so that a leaked table opens nothing. What was not given stays as it was. */
export function keptTokens(ctx: Context, tokens: Partial<ProviderTokens>) {
  const seal = (token: string): string => ctx.secrets.seal(token, 'provider-token')
  const { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, deviceId } = tokens
  return {
    ...(accessToken && { accessToken: seal(accessToken), accessTokenExpiresAt: accessTokenExpiresAt ?? null }),
    ...(refreshToken && { refreshToken: seal(refreshToken), refreshTokenExpiresAt: refreshTokenExpiresAt ?? null }),
    ...(idToken && { idToken: seal(idToken) }),
    ...(scopes && scopes.length > 0 && { scope: scopes.join(',') }),
    ...(deviceId && { deviceId }),
  }
}

async function sessionOf(ctx: Context, tx: Tx, caller: Caller, user: UserRow): Promise<StoredSession> {
  if (isBanned(user, ctx.clock.now())) throw new TollgateError('CALLBACK_BANNED')
  try {
    return await createSession(ctx, tx, caller, user.id)
  } catch (cause) {
    if (!(cause instanceof TollgateError)) throw cause
    if (cause.error === 'BANNED_USER') throw new TollgateError('CALLBACK_BANNED', { cause })
    if (cause.error === 'FAILED_TO_CREATE_SESSION')
      throw new TollgateError('CALLBACK_UNABLE_TO_CREATE_SESSION', { cause })
    throw cause
  }
}

/** A write that fails for no reason that we know of, as the code that the specification has for it. */
async function orRefuse<T>(
  error: 'CALLBACK_UNABLE_TO_CREATE_USER' | 'CALLBACK_UNABLE_TO_LINK',
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (isUniqueViolation(cause) || isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError(error, { cause })
  }
}

/** When an app says that a token expires: seconds, or milliseconds, since 1970. */
export const expiryOf = (now: Date, given: number | undefined): Date | null => {
  if (given === undefined || !Number.isFinite(given) || given <= 0) return null
  const milliseconds = given < 100_000_000_000 ? given * 1000 : given
  return after(now, Math.min(milliseconds - now.getTime(), longestLife))
}

/** A hundred years: further than that no date reaches that still sorts as text. */
const longestLife = days(36_525)
