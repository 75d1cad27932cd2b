import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import { after, seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isDatabaseUnavailable, isUniqueViolation, type Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { type Caller, Redirect, withQuery } from '../http/route.ts'
import { lockUserAndAccounts, takePossession } from '../identity/ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeName } from '../identity/profile-rules.ts'
import { createSession } from '../identity/session.service.ts'
import { toSessionAnswer, toUser } from '../identity/session-answer.ts'
import { setSessionCookies } from '../identity/session-cookies.ts'
import { findUserByEmail, insertUser, type UserRow } from '../identity/users.service.ts'
import { newId, newMagicLinkToken, newOneTimeCode } from '../ids.ts'
import { enqueue, type JobHandler } from '../jobs.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import type { MailLocale } from '../mail/templates.ts'
import { emit } from '../outbox.ts'
import { sha256 } from '../token.ts'
import {
  consumeMagicLink,
  countTry,
  deleteExhaustedLink,
  findMagicLink,
  type MagicLinkRow,
  replaceMagicLink,
} from './magic-link.repository.ts'

/** A link that somebody asked for by naming an address, which may be nobody's. */
type Order = Pick<ParsedBody<'signInMagicLink'>, 'callbackURL' | 'newUserCallbackURL' | 'errorCallbackURL'> & {
  readonly email: string
  /** For a user who does not exist yet; may be empty. */
  readonly name: string
  readonly locale: MailLocale
}

/** What is sealed beside the hashes of a link. */
type Content = Pick<Order, 'email' | 'name'>

/** What a text was sealed for, so that it opens nowhere else. */
const contentPurpose = 'magic link'

/**
 * Mails a link and a code. Known or unknown, the request does the same work and takes the same time: a job decides. Over
 * the mailbox's limit all addresses are refused alike.
 */
export async function signInMagicLink(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signInMagicLink'>,
): Promise<{ status: true }> {
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

/** Makes and mails what was asked for. Run twice, it ends the first link and mails another. */
export function createMagicLinkHandler(ctx: Context): JobHandler {
  return async (job) => {
    const order = JSON.parse(ctx.secrets.open(job.payload, contentPurpose)) as Order // sealed by signInMagicLink
    // Switched off since it was asked for.
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
    // Also where nobody gets the mail: how a code is refused must not tell which addresses are known.
    await replaceMagicLink(tx, link)
    const isForNobody = !user && options.disableSignUp
    // Greeted by name is only whom we know: what a stranger calls somebody has no place in a mail of ours.
    const data = { name: user?.name ?? '', url, code, expiresInMinutes: Math.floor(options.expiresIn / 60) }
    await enqueueMail(ctx, tx, { to: email, locale, template: 'magic-link', data, isForNobody })
  })
}

/** The page whose button signs in, so that scanners which look at links do not use it up; or the call itself. */
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

/** Follows a link: with a callbackURL the browser is sent on, with `?error=` when the link was of no use. */
export async function verifyMagicLink(
  ctx: Context,
  caller: Caller,
  query: ParsedQuery<'verifyMagicLink'>,
): Promise<Answer<'verifyMagicLink'> | Redirect> {
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
    // As callbacks of providers say it (specification, section 8).
    const code = error.error === 'BANNED_USER' ? 'banned' : error.code
    return new Redirect(withQuery(errorCallbackURL, 'error', code))
  }
}

async function signInByToken(ctx: Context, caller: Caller, token: string): Promise<SignedIn> {
  const link = await findMagicLink(ctx.db, sha256(token))
  if (!link) throw new TollgateError('MAGIC_LINK_INVALID_TOKEN')
  if (link.expiresAt <= ctx.clock.now()) throw new TollgateError('MAGIC_LINK_EXPIRED_TOKEN')
  const signedIn = await signInBy(ctx, caller, link)
  if (!signedIn) throw new TollgateError('MAGIC_LINK_INVALID_TOKEN')
  return signedIn
}

/**
 * Signs in by the code of the mail. It can be tried five times; at the sixth it ends, and its link with it. An address that
 * has no code is refused as one with another code is, for the same work.
 */
export async function signInEmailOtp(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signInEmailOtp'>,
): Promise<Answer<'signInEmailOtp'>> {
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  // Counted apart from passwords: guessing codes of a mailbox keeps nobody from signing in by a password.
  const attempt = await ctx.limits.attempt(`code ${email}`)
  const link = await tryCode(ctx, email, body.otp).catch(async (error) => {
    // Without a database nobody has guessed anything.
    if (!(error instanceof TollgateError)) await attempt.takeBack()
    throw error
  })
  const signedIn = await signInBy(ctx, caller, link, body).catch((error) => {
    // Nobody was mailed this code: that it could be guessed must not tell that nobody has the address.
    if (isSignUpRefused(ctx, error)) return undefined
    throw error
  })
  if (!signedIn) throw new TollgateError('INVALID_OTP')
  await attempt.takeBack()
  return { token: signedIn.session.token, user: toUser(signedIn.user) }
}

const isSignUpRefused = (ctx: Context, error: unknown): boolean =>
  optionsOf(ctx).disableSignUp && error instanceof TollgateError && error.error === 'MAGIC_LINK_FAILED_TO_CREATE_USER'

/** The link whose code was given. Each try is counted, and the count kept, before anything is compared. */
async function tryCode(ctx: Context, email: string, given: string): Promise<MagicLinkRow> {
  const mailbox = sha256(email)
  const tried = await ctx.transaction(async (tx) => {
    const link = await countTry(tx, mailbox)
    return { link, isExhausted: !link && (await deleteExhaustedLink(tx, mailbox)) }
  })
  // People write the digits as they read them, in groups.
  const code = given.replace(/[\s-]/g, '')
  const isRight = ctx.secrets.hasKeyedHash(codeText(mailbox, code), tried.link?.codeHash ?? sha256(''))
  if (tried.isExhausted) throw new TollgateError('TOO_MANY_ATTEMPTS')
  if (!tried.link) throw new TollgateError('INVALID_OTP')
  if (tried.link.expiresAt <= ctx.clock.now()) throw new TollgateError('OTP_EXPIRED')
  if (!isRight) throw new TollgateError('INVALID_OTP')
  return tried.link
}

type SignedIn = SessionRow & { readonly isNewUser: boolean }

/** Thrown to undo a transaction whose user has gone, or left the address, at the same moment. */
class Overtaken extends Error {}

/**
 * Uses a link and its code up, and signs in whoever reads the mailbox: user, session and events in one transaction. Nothing
 * when somebody was first. A user is made where there is none, and verified; an unverified one is taken from a squatter.
 */
async function signInBy(
  ctx: Context,
  caller: Caller,
  link: MagicLinkRow,
  options: { rememberMe?: boolean | undefined } = {},
): Promise<SignedIn | undefined> {
  const content = readContent(ctx, link)
  if (!content) return undefined
  for (let round = 0; round < 2; round += 1) {
    try {
      const signedIn = await ctx.transaction(async (tx): Promise<SignedIn | undefined> => {
        if (!(await consumeMagicLink(tx, link.tokenHash, ctx.clock.now()))) return undefined
        const found = await findUserByEmail(tx, content.email)
        const user = found ? await claimUser(ctx, tx, found) : await createUser(ctx, tx, content)
        return { user, session: await createSession(ctx, tx, caller, user.id, options), isNewUser: !found }
      })
      if (signedIn) setSessionCookies(ctx, caller, signedIn)
      if (signedIn?.isNewUser) tellHook(ctx, signedIn.user)
      return signedIn
    } catch (error) {
      // What has been undone is tried again with what is there now.
      if (!(error instanceof Overtaken) && !isUniqueViolation(error)) throw error
    }
  }
  return undefined
}

/** The user, whom nobody changes until the transaction ends, with the address verified. */
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

/** What the page of a link may show: the address only to who has the right token, and nothing is used up. */
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

/** A call of a feature that is switched off is not served; its options are there. */
function optionsOf({ config }: Context): Options {
  if (config.magicLink === false) throw new TollgateError('NOT_FOUND')
  return config.magicLink
}

/** Nothing when it was sealed with a secret that is gone: the link is worth nothing any more, as are sessions. */
function readContent(ctx: Context, { content }: MagicLinkRow): Content | undefined {
  try {
    return JSON.parse(ctx.secrets.open(content, contentPurpose)) as Content // sealed by mailMagicLink
  } catch {
    return undefined
  }
}

/** What of a code is hashed: the same digits stand differently for each mailbox. */
const codeText = (mailbox: string, code: string): string => `magic link ${mailbox} ${code}`
