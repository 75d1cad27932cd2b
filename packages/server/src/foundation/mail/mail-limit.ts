import { mailboxOf } from '../config/mailbox.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs.ts'
import type { MailTemplate } from './mail-data.ts'

/**
 * Mails that a call counts before it orders them, so that it can answer TOO_MANY_REQUESTS, for known and unknown
 * addresses alike. Every other mail is counted here, when it is sent.
 */
const countedByCall: ReadonlySet<MailTemplate> = new Set([
  'verify-email',
  'reset-password',
  'change-email',
  'existing-account',
  'delete-account',
  'magic-link',
  'invitation',
])

/** A mail that is about to be sent. */
type Outgoing = { readonly template: MailTemplate; readonly to: string; readonly mayBeDropped?: boolean | undefined }

/**
 * Applies the limit of mails per mailbox and kind (interface, section 3). Undefined under the limit. Over it the mail
 * is held: until the returned time, or forever if it may be dropped.
 */
export async function heldByLimit(
  ctx: Pick<Context, 'limits' | 'log'>,
  job: Job,
  { template, to, mayBeDropped = false }: Outgoing,
): Promise<{ readonly until: Date | undefined } | undefined> {
  // Counts once: a failed attempt has already counted.
  if (countedByCall.has(template) || job.attempts > 1) return undefined
  const until = await ctx.limits.outgoingMail(template, mailboxOf(to))
  if (!until) return undefined
  ctx.log.warn({ job: job.id, template, dropped: mayBeDropped }, 'Mailbox limit reached')
  return { until: mayBeDropped ? undefined : until }
}
