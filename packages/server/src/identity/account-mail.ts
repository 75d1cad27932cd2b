import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { newResetToken } from '../ids.ts'
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

/** Sends what was asked for, if the address is somebody's. Run twice, it ends the first link and mails another. */
export function createAccountMailHandler(ctx: Context): JobHandler {
  return async (job) => {
    const mail = JSON.parse(ctx.secrets.open(job.payload)) as AccountMail // sealed by enqueueAccountMail
    const user = await findUserByEmail(ctx.db, mail.email)
    if (!user) return undefined
    if (mail.purpose === 'reset-password') await orderResetMail(ctx, user, mail)
    else if (!user.emailVerified) await orderVerificationMail(ctx, user, mail)
    return undefined
  }
}

/** Mails a new verification link to a user; the older ones end. */
export async function orderVerificationMail(
  ctx: Context,
  user: UserRow,
  mail: Pick<AccountMail, 'locale' | 'callbackURL'>,
): Promise<void> {
  const link = await createVerificationLink(ctx, { email: user.email }, mail.callbackURL)
  await ctx.transaction(async (tx) => {
    if (await hasMoved(tx, user)) return
    await enqueueLinkMail(ctx, tx, user, link, { template: 'verify-email', locale: mail.locale })
  })
}

/** The mailed link leads through the API, which checks the token, to the page that asks for the new password. */
async function orderResetMail(
  ctx: Context,
  user: UserRow,
  { locale, callbackURL = '/reset-password' }: AccountMail,
): Promise<void> {
  const { baseURL, basePath, emailAndPassword } = ctx.config
  const expiresIn = emailAndPassword.resetPasswordTokenExpiresIn
  const now = ctx.clock.now()
  const secret = newResetToken()
  const url = `${baseURL.origin}${basePath}/reset-password/${secret}?callbackURL=${encodeURIComponent(callbackURL)}`
  await ctx.transaction(async (tx) => {
    if (await hasMoved(tx, user)) return
    await replaceProof(tx, {
      purpose: 'reset-password',
      secret,
      userId: user.id,
      expiresAt: after(now, seconds(expiresIn)),
      now,
    })
    await enqueueMail(ctx, tx, {
      to: user.email,
      locale,
      template: 'reset-password',
      data: { name: user.name, url, expiresInMinutes: Math.floor(expiresIn / 60) },
    })
  })
}

/** Whether the user has changed address, or gone, since they were found by it: the old mailbox gets no link any more. */
const hasMoved = async (tx: Tx, user: UserRow): Promise<boolean> => (await lockUser(tx, user.id))?.email !== user.email
