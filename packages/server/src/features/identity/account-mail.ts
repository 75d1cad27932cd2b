import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId, newResetToken } from '../../foundation/ids.ts'
import { enqueue, type JobHandler } from '../../foundation/jobs.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { replaceProof } from './proof.service.ts'
import { findUserByEmail, lockUser, type UserRow } from './user.repository.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/** A mail that a caller requests by naming an address, which may belong to no user. */
type AccountMail = {
  readonly purpose: 'reset-password' | 'verify-email'
  readonly email: string
  readonly locale: MailLocale
  readonly callbackURL: string | undefined
}

/**
 * Leaves the whole decision to a job, so the request does the same work in the same time for known and unknown
 * addresses. Over the mailbox's limit, every address gets the same refusal.
 */
export async function enqueueAccountMail(ctx: Context, mail: AccountMail): Promise<void> {
  if (!(await ctx.limits.mail(mail.purpose, mail.email)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  const payload = ctx.secrets.seal(JSON.stringify(mail))
  await ctx.transaction((tx) => enqueue(tx, ctx.clock.now(), { kind: 'account-mail', payload }))
}

/**
 * Sends the requested mail if the address belongs to a user. A second run ends the first link and mails another. For
 * an unknown address the same statements run, up to handing the mail over, so that concurrent requests wait equally
 * long for either.
 */
export function createAccountMailHandler(ctx: Context): JobHandler {
  return async (job) => {
    const mail: AccountMail = JSON.parse(ctx.secrets.open(job.payload)) // Sealed by enqueueAccountMail.
    const recipient = (await findRecipient(ctx.db, mail)) ?? nobodyAt(mail.email)
    if (mail.purpose === 'reset-password') await orderResetMail(ctx, recipient, mail)
    else await orderVerificationMail(ctx, recipient, mail)
    return undefined
  }
}

/** The user to mail, if any: a user with a verified address needs no verification link. */
async function findRecipient(db: Db, { purpose, email }: AccountMail): Promise<Recipient | undefined> {
  const user = await findUserByEmail(db, email)
  return purpose === 'verify-email' && user?.emailVerified ? undefined : user
}

/** The recipient of a mail; `isNobody` marks an unknown address, for which the job only does the same work. */
type Recipient = Pick<UserRow, 'id' | 'email' | 'name'> & { readonly isNobody?: boolean }

/** A placeholder with the id of no user and a name for the greeting. */
const nobodyAt = (email: string): Recipient => ({ id: newId(), email, name: email, isNobody: true })

/** Mails a new verification link to a user and ends older links. */
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

/** Whether the user has changed address or been deleted since the lookup: the old mailbox must get no link. */
const hasMoved = async (tx: Tx, { id, email, isNobody }: Recipient): Promise<boolean> =>
  (await lockUser(tx, id))?.email !== email && !isNobody
