import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { newId, newResetToken } from '../ids.ts'
import { enqueue, type JobHandler } from '../jobs.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import type { MailLocale } from '../mail/templates.ts'
import { replaceProof } from './proof.service.ts'
import { findUserByEmail, lockUser, type UserRow } from './user.repository.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/** A mail that somebody asked for by naming an address, which may be nobody's. */
type AccountMail = {
  readonly purpose: 'reset-password' | 'verify-email'
  readonly email: string
  readonly locale: MailLocale
  readonly callbackURL: string | undefined
}

/**
 * Leaves the whole decision to a job: known or unknown, the request does the same work and takes the same time. Over the
 * mailbox's limit all addresses are refused alike.
 */
export async function enqueueAccountMail(ctx: Context, mail: AccountMail): Promise<void> {
  if (!(await ctx.limits.mail(mail.purpose, mail.email)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  const payload = ctx.secrets.seal(JSON.stringify(mail))
  await ctx.transaction((tx) => enqueue(tx, ctx.clock.now(), { kind: 'account-mail', payload }))
}

/**
 * Sends what was asked for, if the address is somebody's. Run twice, it ends the first link and mails another. For nobody
 * the same is done and written, up to handing the mail over: requests that come meanwhile wait as long for either.
 */
export function createAccountMailHandler(ctx: Context): JobHandler {
  return async (job) => {
    const mail = JSON.parse(ctx.secrets.open(job.payload)) as AccountMail // sealed by enqueueAccountMail
    const recipient = (await findRecipient(ctx.db, mail)) ?? nobodyAt(mail.email)
    if (mail.purpose === 'reset-password') await orderResetMail(ctx, recipient, mail)
    else await orderVerificationMail(ctx, recipient, mail)
    return undefined
  }
}

/** Whose the address is, if they are to get a mail: whoever has verified theirs needs no link for it. */
async function findRecipient(db: Db, { purpose, email }: AccountMail): Promise<Recipient | undefined> {
  const user = await findUserByEmail(db, email)
  return purpose === 'verify-email' && user?.emailVerified ? undefined : user
}

/** Whom a mail is written for; `isNobody` where only as much work is to be done. */
type Recipient = Pick<UserRow, 'id' | 'email' | 'name'> & { readonly isNobody?: boolean }

/** Has the id of no user, and a name to be greeted by. */
const nobodyAt = (email: string): Recipient => ({ id: newId(), email, name: email, isNobody: true })

/** Mails a new verification link to a user; the older ones end. */
export async function orderVerificationMail(
  ctx: Context,
  user: Recipient,
  mail: Pick<AccountMail, 'locale' | 'callbackURL'>,
): Promise<void> {
  const link = await createVerificationLink(ctx, { email: user.email }, mail.callbackURL)
  await ctx.transaction(async (tx) => {
    if (await hasMoved(tx, user)) return
    const { locale } = mail
    await enqueueLinkMail(ctx, tx, user, link, { template: 'verify-email', locale, isForNobody: user.isNobody })
  })
}

/** The mailed link leads through the API, which checks the token, to the page that asks for the new password. */
async function orderResetMail(
  ctx: Context,
  user: Recipient,
  { locale, callbackURL = '/reset-password' }: AccountMail,
): Promise<void> {
  const { baseURL, basePath, emailAndPassword } = ctx.config
  const expiresIn = emailAndPassword.resetPasswordTokenExpiresIn
  const now = ctx.clock.now()
  const secret = newResetToken()
  const url = `${baseURL.origin}${basePath}/reset-password/${secret}?callbackURL=${encodeURIComponent(callbackURL)}`
  await ctx.transaction(async (tx) => {
    if (await hasMoved(tx, user)) return
    const proof = { secret, userId: user.id, expiresAt: after(now, seconds(expiresIn)), now }
    await replaceProof(tx, { purpose: 'reset-password', ...proof }, { isForNobody: user.isNobody })
    await enqueueMail(ctx, tx, {
      to: user.email,
      isForNobody: user.isNobody,
      locale,
      template: 'reset-password',
      data: { name: user.name, url, expiresInMinutes: Math.floor(expiresIn / 60) },
    })
  })
}

/** Whether the user has changed address, or gone, since they were found by it: the old mailbox gets no link any more. */
const hasMoved = async (tx: Tx, { id, email, isNobody }: Recipient): Promise<boolean> =>
  (await lockUser(tx, id))?.email !== email && !isNobody
