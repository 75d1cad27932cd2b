import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { type Id, isDatabaseUnavailable, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { emit } from '../../foundation/outbox.ts'
import { completeSignIn, requireSession, type SignIn } from '../identity/complete-sign-in.service.ts'
import { createVerificationLink, enqueueLinkMail } from '../identity/email-verification.service.ts'
import { endAllAccess, takePossession } from '../identity/ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName } from '../identity/profile-rules.ts'
import {
  findUser,
  findUserByEmail,
  insertUser,
  lockAccounts,
  lockUser,
  type StoredSession,
  type UserRow,
} from '../identity/users.service.ts'
import { type AccountRow, findAccount, insertAccount, updateAccount } from './account.repository.ts'
import type { ProviderProfile, ProviderTokens } from './protocol/provider.ts'
import { tokenPurpose } from './provider-tokens.ts'
import type { Provider } from './registry.ts'

/** A person as a provider reports them. */
export type Arrival = {
  readonly provider: Provider
  readonly profile: ProviderProfile
  /** The tokens to store; an app that brings only an id token has no others. */
  readonly tokens: Partial<ProviderTokens>
  readonly requestSignUp: boolean
}

export type SignedIn = { readonly session: StoredSession; readonly user: UserRow; readonly isNew: boolean }

/**
 * Signs in the person whom a provider reports: the user with that account, otherwise the user whose address the
 * provider vouches for, otherwise a new user (specification, section 4: "Account linking"). Refuses with the
 * callback's codes.
 */
export async function signInByProvider(ctx: Context, caller: Caller, arrival: Arrival): Promise<SignedIn> {
  // Retry once if another request takes the address or the account at this moment: the retry finds it.
  for (let round = 0; ; round += 1) {
    try {
      return await signInOnce(ctx, caller, arrival)
    } catch (error) {
      if (round > 0 || !(error instanceof Overtaken || isUniqueViolation(error))) throw error
    }
  }
}

/** Another request has linked the account meanwhile. */
class Overtaken extends Error {}

async function signInOnce(ctx: Context, caller: Caller, arrival: Arrival): Promise<SignedIn> {
  const { provider, profile } = arrival
  const email = addressOf(provider, profile)
  const vouched = isVouched(arrival)
  const account = await findAccount(ctx.db, provider.id, profile.id)
  if (!account && email === null) throw new TollgateError('CALLBACK_NO_EMAIL')
  const owner = account ? undefined : await findUserByEmail(ctx.db, email ?? '')
  if (owner) {
    assertMayLink(ctx, arrival)
    // Trust covers the provider's own words, not an address that we had to normalise.
    if (!isPlain(arrival)) throw new TollgateError('CALLBACK_NOT_LINKED')
  }
  const isNew = !account && !owner
  if (isNew) assertMaySignUp(arrival)
  const mail = isNew && email !== null && !vouched ? await orderLink(ctx, provider, email) : undefined

  const result = await ctx.transaction(async (tx) => {
    const user = account
      ? await returningUser(ctx, tx, account, arrival)
      : owner
        ? await linkToOwner(ctx, tx, owner, arrival, caller.locale)
        : await createUser(ctx, tx, arrival, email ?? '', vouched)
    if (isNew && mail) await enqueueLinkMail(ctx, tx, user, mail, { template: 'verify-email', locale: caller.locale })
    const session = await sessionOf(ctx, tx, caller, { user, method: `social:${provider.id}` })
    return { session, user, isNew }
  })
  const { onUserCreated } = ctx.config.hooks
  const { id, name } = result.user
  if (isNew && onUserCreated)
    ctx.background('onUserCreated', async () => onUserCreated({ id, email: result.user.email, name }))
  return result
}

/**
 * The normalised address. For providers without addresses it is a placeholder that never gets mail, under a domain
 * that cannot be registered (RFC 2606), so that the account page can ask for a real one.
 */
function addressOf({ id, row }: Provider, profile: ProviderProfile): string | null {
  if (row.placeholderEmail) return normalizeEmail(`${profile.id}@${id}.invalid`)
  const email = profile.email === null ? null : normalizeEmail(profile.email)
  // No mailbox exists there, and it may equal the placeholder of another provider's user.
  return email === null || isMadeUp(email) ? null : email
}

/** A provider's statement about a person. */
type Word = Pick<Arrival, 'provider' | 'profile'>

/**
 * Whether an address equals its normalised form, apart from case. Any other spelling may name another mailbox:
 * `ｖictim@` folds to `victim@`, and surrounding spaces are trimmed.
 */
const isPlain = ({ provider, profile }: Word): boolean =>
  !provider.row.placeholderEmail && /^[\x21-\x7e]*$/.test(profile.email ?? '')

/** Whether the provider itself confirms that the address is the person's. Only this verifies the address here. */
const isVouched = (word: Word): boolean => isPlain(word) && word.profile.emailVerified

/**
 * Refuses to link an account to an existing user, unless linking is enabled and the provider is trusted or vouches for the
 * address (specification, section 4: "Account linking").
 */
export function assertMayLink({ config }: Context, word: Word): void {
  const { enabled, trustedProviders } = config.account.accountLinking
  const mayLink = enabled && (trustedProviders.includes(word.provider.id) || isVouched(word))
  if (!mayLink) throw new TollgateError('CALLBACK_NOT_LINKED')
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

/** Each sign-in stores new tokens; name, picture and address stay as their owner set them. */
async function returningUser(ctx: Context, tx: Tx, account: AccountRow, arrival: Arrival): Promise<UserRow> {
  const changes = { ...keptTokens(ctx, arrival.tokens), updatedAt: ctx.clock.now() }
  const isStillTheirs = await updateAccount(tx, account, changes)
  const user = isStillTheirs ? await findUser(tx, account.userId) : undefined
  // The account has been unlinked, or taken from a squatter, since the lookup: it no longer signs in.
  if (!user) throw new TollgateError('CALLBACK_RESTART')
  return user
}

async function linkToOwner(
  ctx: Context,
  tx: Tx,
  owner: UserRow,
  arrival: Arrival,
  locale: MailLocale,
): Promise<UserRow> {
  // Lock in the order of a sign-in's reads, to avoid a deadlock.
  await lockAccounts(tx, owner.id)
  const locked = await lockUser(tx, owner.id)
  // The user has changed their address or is gone since the lookup.
  if (locked?.email !== owner.email) throw new TollgateError('CALLBACK_RESTART')
  const user = isVouched(arrival) ? await takePossession(ctx, tx, locked) : locked
  // A trusted provider does not prove the address, but neither did the sign-up: everything of that user ends.
  if (!user.emailVerified) await endAllAccess(tx, user.id)
  // Check before inserting: the insert would wait for a concurrent sign-in by that account, which waits for this lock.
  if (await findAccount(tx, arrival.provider.id, arrival.profile.id)) throw new Overtaken()
  await linkAccount(ctx, tx, user, arrival, locale)
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

/**
 * Links an account to an existing user, and always mails them, inside the transaction that decides it. Over the mailbox's
 * limit the mail waits.
 */
export async function linkAccount(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  arrival: Pick<Arrival, 'provider' | 'profile' | 'tokens'>,
  locale: MailLocale,
): Promise<void> {
  await addAccount(ctx, tx, user.id, arrival)
  const data = { name: user.name, providerName: arrival.provider.row.name }
  await enqueueMail(ctx, tx, { to: user.email, locale, template: 'account-linked', data })
}

async function addAccount(
  ctx: Context,
  tx: Tx,
  userId: Id<'user'>,
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

/** Seals tokens for storage, so that a leaked table opens nothing. Omitted members stay unchanged. */
export function keptTokens(ctx: Context, tokens: Partial<ProviderTokens>) {
  const seal = (token: string): string => ctx.secrets.seal(token, tokenPurpose)
  const { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, deviceId } = tokens
  return {
    ...(accessToken && { accessToken: seal(accessToken), accessTokenExpiresAt: accessTokenExpiresAt ?? null }),
    ...(refreshToken && { refreshToken: seal(refreshToken), refreshTokenExpiresAt: refreshTokenExpiresAt ?? null }),
    ...(idToken && { idToken: seal(idToken) }),
    ...(scopes && scopes.length > 0 && { scope: scopes.join(',') }),
    ...(deviceId && { deviceId }),
  }
}

async function sessionOf(ctx: Context, tx: Tx, caller: Caller, signIn: SignIn): Promise<StoredSession> {
  try {
    return requireSession(await completeSignIn(ctx, tx, caller, signIn))
  } catch (cause) {
    if (!(cause instanceof TollgateError)) throw cause
    if (cause.error === 'BANNED_USER') throw new TollgateError('CALLBACK_BANNED', { cause })
    if (cause.error === 'FAILED_TO_CREATE_SESSION')
      throw new TollgateError('CALLBACK_UNABLE_TO_CREATE_SESSION', { cause })
    throw cause
  }
}

/** Maps a write that fails unexpectedly to its code in the specification. */
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

/** An app's expiry of a token: seconds or milliseconds since 1970. */
export const expiryOf = (now: Date, given: number | undefined): Date | null => {
  if (given === undefined || !Number.isFinite(given) || given <= 0) return null
  const milliseconds = given < 100_000_000_000 ? given * 1000 : given
  return after(now, Math.min(milliseconds - now.getTime(), longestLife))
}

/** A hundred years: dates beyond that no longer sort as text. */
const longestLife = days(36_525)
