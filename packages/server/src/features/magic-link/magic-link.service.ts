import type { ParsedBody } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { isDatabaseUnavailable, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { type Caller, Redirect, withQuery } from '../../foundation/http/handler.ts'
import { newId, newMagicLinkToken, newOneTimeCode } from '../../foundation/ids.ts'
import { enqueue, type JobHandler } from '../../foundation/jobs.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { emit } from '../../foundation/outbox.ts'
import { sha256 } from '../../foundation/token.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { completeSignIn, requireSession } from '../identity/complete-sign-in.service.ts'
import { lockUserAndAccounts, takePossession } from '../identity/ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeName } from '../identity/profile-rules.ts'
import { toSessionAnswer, toUser } from '../identity/session-answer.ts'
import { setSessionCookies } from '../identity/session-cookies.ts'
import { findUserByEmail, insertUser, type UserRow } from '../identity/users.service.ts'
import {
  consumeMagicLink,
  countTry,
  deleteExhaustedLink,
  findMagicLink,
  type MagicLinkRow,
  replaceMagicLink,
} from './magic-link.repository.ts'

/** A link that a caller requests by naming an address, which may belong to no user. */
type Order = Pick<ParsedBody<'signInMagicLink'>, 'callbackURL' | 'newUserCallbackURL' | 'errorCallbackURL'> & {
  readonly email: string
  /** The name of a new user; may be empty. */
  readonly name: string
  readonly locale: MailLocale
}

/** Sealed beside the hashes of a link. */
type Content = Pick<Order, 'email' | 'name'>

/** The purpose of the seal, so that the text opens nowhere else. */
const contentPurpose = 'magic link'

/**
 * Mails a link and a code. A job decides, so the request does the same work in the same time for known and unknown
 * addresses. Over the mailbox's limit, every address gets the same refusal.
 */
export const signInMagicLink: AuthHandler<'signInMagicLink'> = async ({ ctx, caller, body }) => {
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  const name = normalizeName(body.name ?? '')
  if (name === null) throw new TollgateError('VALIDATION_ERROR')
  if (!(await ctx.limits.mail('magic-link', email))) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })

  const { callbackURL, newUserCallbackURL, errorCallbackURL } = body
  const order: Order = { email, name, locale: caller.locale, callbackURL, newUserCallbackURL, errorCallbackURL }
  const payload = ctx.secrets.seal(JSON.stringify(order), contentPurpose)
  await ctx.transaction((tx) => enqueue(tx, ctx.clock.now(), { kind: 'magic-link', payload }))
  return { status: true }
}

/** Makes and mails a requested link. A second run ends the first link and mails another. */
export function createMagicLinkHandler(ctx: Context): JobHandler {
  return async (job) => {
    const order: Order = JSON.parse(ctx.secrets.open(job.payload, contentPurpose)) // Sealed by signInMagicLink.
    // The feature was switched off after the request.
    if (ctx.config.magicLink !== false) await mailMagicLink(ctx, ctx.config.magicLink, order)
    return undefined
  }
}

async function mailMagicLink(ctx: Context, options: Options, order: Order): Promise<void> {
  const { email, name, locale } = order
  const now = ctx.clock.now()
  const token = newMagicLinkToken()
  const code = newOneTimeCode()
  const mailbox = sha256(email)
  const link: MagicLinkRow = {
    mailbox,
    tokenHash: sha256(token),
    codeHash: ctx.secrets.keyedHash(codeText(mailbox, code)),
    tries: 0,
    content: ctx.secrets.seal(JSON.stringify({ email, name } satisfies Content), contentPurpose),
    expiresAt: after(now, seconds(options.expiresIn)),
    createdAt: now,
  }
  const url = linkAddress(ctx.config, options, token, order)
  await ctx.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    // Store it even if no mail goes out: a code's refusal must not reveal which addresses are known.
    await replaceMagicLink(tx, link)
    const isForNobody = !user && options.disableSignUp
    // Greet only known users by name: our mails must not carry a stranger's free text.
    const data = { name: user?.name ?? '', url, code, expiresInMinutes: Math.floor(options.expiresIn / 60) }
    await enqueueMail(ctx, tx, { to: email, locale, template: 'magic-link', data, isForNobody })
  })
}

/** The page whose button signs in, so that link scanners do not consume the link; or the call itself. */
function linkAddress(
  { baseURL, basePath }: Config,
  { confirmPage }: Options,
  token: string,
  { callbackURL = '/', newUserCallbackURL, errorCallbackURL }: Order,
): string {
  const query = new URLSearchParams({
    token,
    callbackURL,
    ...(newUserCallbackURL !== undefined && { newUserCallbackURL }),
    ...(errorCallbackURL !== undefined && { errorCallbackURL }),
  })
  return `${baseURL.origin}${confirmPage ? '' : basePath}/magic-link${confirmPage ? '' : '/verify'}?${query}`
}

/** Follows a link. With a callbackURL it redirects the browser, with `?error=` for an invalid link. */
export const verifyMagicLink: AuthHandler<'verifyMagicLink', Redirect> = async ({ ctx, caller, query }) => {
  const { token, callbackURL, newUserCallbackURL = callbackURL, errorCallbackURL = callbackURL } = query
  if (!callbackURL || !newUserCallbackURL || !errorCallbackURL) {
    const { session, user } = await signInByToken(ctx, caller, token)
    return { token: session.token, user: toSessionAnswer({ session, user }).user }
  }
  try {
    const { isNewUser } = await signInByToken(ctx, caller, token)
    return new Redirect(isNewUser ? newUserCallbackURL : callbackURL)
  } catch (error) {
    if (!(error instanceof TollgateError) || error.row.status >= 500) throw error
    // Worded as by provider callbacks (specification, section 8).
    const code = error.error === 'BANNED_USER' ? 'banned' : error.code
    return new Redirect(withQuery(errorCallbackURL, 'error', code))
  }
}

async function signInByToken(ctx: Context, caller: Caller, token: string): Promise<SignedIn> {
  const link = await findMagicLink(ctx.db, sha256(token))
  if (!link) throw new TollgateError('MAGIC_LINK_INVALID_TOKEN')
  if (link.expiresAt <= ctx.clock.now()) throw new TollgateError('MAGIC_LINK_EXPIRED_TOKEN')
  const signedIn = await signInBy(ctx, caller, link, { method: 'magic-link' })
  if (!signedIn) throw new TollgateError('MAGIC_LINK_INVALID_TOKEN')
  return signedIn
}

/**
 * Signs in by the mailed code. It allows five tries; the sixth ends the code and its link. An address without a code
 * gets the same refusal as one with another code, for the same work.
 */
export const signInEmailOtp: AuthHandler<'signInEmailOtp'> = async ({ ctx, caller, body }) => {
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  // Counted apart from passwords: guessing a mailbox's codes must not block password sign-ins.
  const attempt = await ctx.limits.attempt(`code ${email}`)
  const link = await tryCode(ctx, email, body.otp).catch(async (error) => {
    // A database failure does not count as a guess.
    if (!(error instanceof TollgateError)) await attempt.takeBack()
    throw error
  })
  const signIn = { method: 'otp-email', rememberMe: body.rememberMe } as const
  const signedIn = await signInBy(ctx, caller, link, signIn).catch((error) => {
    // The code was never mailed: a lucky guess must not reveal that the address is unknown.
    if (isSignUpRefused(ctx, error)) return undefined
    throw error
  })
  if (!signedIn) throw new TollgateError('INVALID_OTP')
  await attempt.takeBack()
  return { token: signedIn.session.token, user: toUser(signedIn.user) }
}

const isSignUpRefused = (ctx: Context, error: unknown): boolean =>
  optionsOf(ctx).disableSignUp && error instanceof TollgateError && error.error === 'MAGIC_LINK_FAILED_TO_CREATE_USER'

/** The link of the given code. Each try is counted and committed before any comparison. */
async function tryCode(ctx: Context, email: string, given: string): Promise<MagicLinkRow> {
  const mailbox = sha256(email)
  const tried = await ctx.transaction(async (tx) => {
    const link = await countTry(tx, mailbox)
    return { link, isExhausted: !link && (await deleteExhaustedLink(tx, mailbox)) }
  })
  // People may type the digits in groups.
  const code = given.replace(/[\s-]/g, '')
  const isRight = ctx.secrets.hasKeyedHash(codeText(mailbox, code), tried.link?.codeHash ?? sha256(''))
  if (tried.isExhausted) throw new TollgateError('TOO_MANY_ATTEMPTS')
  if (!tried.link) throw new TollgateError('INVALID_OTP')
  if (tried.link.expiresAt <= ctx.clock.now()) throw new TollgateError('OTP_EXPIRED')
  if (!isRight) throw new TollgateError('INVALID_OTP')
  return tried.link
}

type SignedIn = SessionRow & { readonly isNewUser: boolean }

/** Thrown to roll back a transaction whose user is deleted or leaves the address meanwhile. */
class Overtaken extends Error {}

/**
 * Consumes a link and its code, and signs in the mailbox's owner: user, session and events in one transaction.
 * Undefined when another request was first. Creates a verified user for an unknown address; takes an unverified
 * account over from a possible squatter.
 */
async function signInBy(
  ctx: Context,
  caller: Caller,
  link: MagicLinkRow,
  signIn: { method: 'magic-link' | 'otp-email'; rememberMe?: boolean | undefined },
): Promise<SignedIn | undefined> {
  const content = readContent(ctx, link)
  if (!content) return undefined
  for (let round = 0; round < 2; round += 1) {
    try {
      const signedIn = await ctx.transaction(async (tx): Promise<SignedIn | undefined> => {
        if (!(await consumeMagicLink(tx, link.tokenHash, ctx.clock.now()))) return undefined
        const found = await findUserByEmail(tx, content.email)
        const user = found ? await claimUser(ctx, tx, found) : await createUser(ctx, tx, content)
        const session = requireSession(await completeSignIn(ctx, tx, caller, { user, ...signIn }))
        return { user, session, isNewUser: !found }
      })
      if (signedIn) setSessionCookies(ctx, caller, signedIn)
      if (signedIn?.isNewUser) tellHook(ctx, signedIn.user)
      return signedIn
    } catch (error) {
      // Retry a rolled back transaction with the current rows.
      if (!(error instanceof Overtaken) && !isUniqueViolation(error)) throw error
    }
  }
  return undefined
}

/** The user with the address verified, locked until the transaction ends. */
async function claimUser(ctx: Context, tx: Tx, found: UserRow): Promise<UserRow> {
  const user = await lockUserAndAccounts(tx, found.id)
  if (user?.email !== found.email) throw new Overtaken()
  return takePossession(ctx, tx, user)
}

async function createUser(ctx: Context, tx: Tx, { email, name }: Content): Promise<UserRow> {
  if (optionsOf(ctx).disableSignUp) throw new TollgateError('MAGIC_LINK_FAILED_TO_CREATE_USER')
  const now = ctx.clock.now()
  const user = await insertUser(tx, {
    id: newId(),
    email,
    emailVerified: true,
    name,
    banned: false,
    createdAt: now,
    updatedAt: now,
  }).catch((cause) => {
    if (isDatabaseUnavailable(cause) || isUniqueViolation(cause)) throw cause
    throw new TollgateError('MAGIC_LINK_FAILED_TO_CREATE_USER', { cause })
  })
  const concerned = { actorId: user.id, userId: user.id }
  await emit(tx, now, { type: 'user.created', ...concerned, data: { method: 'magic-link' } })
  await emit(tx, now, { type: 'user.email_verified', ...concerned })
  return user
}

function tellHook(ctx: Context, { id, email, name }: UserRow): void {
  const { onUserCreated } = ctx.config.hooks
  if (onUserCreated) ctx.background('onUserCreated', async () => onUserCreated({ id, email, name }))
}

/** What the link's page may show: the address only to holders of the valid token. Consumes nothing. */
export async function lookAtMagicLink(
  ctx: Context,
  token: string,
): Promise<{ status: 'invalid' } | { status: 'ready' | 'expired'; email: string; isNewUser: boolean }> {
  const link = await findMagicLink(ctx.db, sha256(token))
  const content = link && readContent(ctx, link)
  if (!content) return { status: 'invalid' }
  const status = link.expiresAt <= ctx.clock.now() ? 'expired' : 'ready'
  const isNewUser = (await findUserByEmail(ctx.db, content.email)) === undefined
  return { status, email: content.email, isNewUser }
}

type Options = Exclude<Config['magicLink'], false>

/** The options are set: calls of a disabled feature are not served. */
function optionsOf({ config }: Context): Options {
  if (config.magicLink === false) throw new TollgateError('NOT_FOUND')
  return config.magicLink
}

/** Undefined when sealed with a removed secret: the link is then invalid, as are sessions. */
function readContent(ctx: Context, { content }: MagicLinkRow): Content | undefined {
  try {
    return JSON.parse(ctx.secrets.open(content, contentPurpose)) // Sealed by mailMagicLink.
  } catch {
    return undefined
  }
}

/** The input of a code's hash: the same digits hash differently for each mailbox. */
const codeText = (mailbox: string, code: string): string => `magic link ${mailbox} ${code}`
