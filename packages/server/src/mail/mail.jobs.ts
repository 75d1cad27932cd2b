import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { toJson } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { dequeue, enqueue, type JobHandler, PermanentJobFailure } from '../jobs.ts'
import type { MailAttachment } from './attachment.ts'
import { canReceiveMail } from './mailbox.ts'
import { type MailData, type MailLocale, type MailTemplate, type RenderedMail, renderMail } from './templates.ts'
import { MailError } from './transport.ts'

export type { MailAttachment }

type MailOrder<Template extends MailTemplate = MailTemplate> = {
  /** Of the job; a second order of the same id is not sent. */
  readonly id?: string
  readonly to: string
  readonly locale: MailLocale
  readonly template: Template
  readonly data: MailData[Template]
  /** The documents that go with it, drawn when it is sent. */
  readonly documentIds?: readonly string[]
  /** Nobody gets it: everything is done as for somebody, so that nothing shows whose addresses are known, but handing it over. */
  readonly isForNobody?: boolean | undefined
}

/** Makes the files of documents by their ids; one that is not there any more is left out. */
export type AttachDocuments = (ids: readonly string[]) => Promise<readonly MailAttachment[]>

/**
 * Orders a mail inside the transaction that is its cause. The order is sealed: it holds a link that works, and proofs
 * are nowhere stored in the clear. To an address that stands for none, nothing is ordered: it could only fail.
 */
export async function enqueueMail<Template extends MailTemplate>(
  ctx: Context,
  tx: Tx,
  { id = newId(), ...order }: MailOrder<Template>,
): Promise<void> {
  if (!canReceiveMail(order.to)) return
  const payload = ctx.secrets.seal(JSON.stringify(order))
  await enqueue(tx, ctx.clock.now(), { id, kind: 'mail', payload })
  // What is for somebody waits until mails can leave; for nobody it would pile up.
  if (order.isForNobody && !mailsCanLeave(ctx)) await dequeue(tx, id)
}

/** Whether orders are carried out: in development at least the inbox takes them. */
export const mailsCanLeave = ({ config, mail }: Pick<Context, 'config' | 'mail'>): boolean =>
  config.mode === 'development' || mail.kind !== 'none'

/** Which mail an order is of, and to whom: what may be told of it. Throws where no secret opens it. */
export function aboutMail(ctx: Context, payload: string): Pick<MailOrder, 'template' | 'to'> {
  const { template, to } = JSON.parse(ctx.secrets.open(payload)) as MailOrder // sealed by enqueueMail
  return { template, to }
}

/** Renders and sends an ordered mail; in development it (also) goes to the inbox. */
export function createMailHandler(ctx: Context, attachDocuments: AttachDocuments): JobHandler {
  const brand = { appName: ctx.config.appName, baseURL: ctx.config.baseURL.origin }
  return async (job) => {
    const order = JSON.parse(ctx.secrets.open(job.payload)) as MailOrder // sealed by enqueueMail
    const { to, locale, template, data, documentIds = [] } = order
    const mail = renderMail(template, data, locale, brand)
    if (ctx.config.mode === 'development') await keepInInbox(ctx, job.id, order, mail)
    if (ctx.mail.kind === 'none') return undefined
    if (order.isForNobody) {
      await ctx.mail.rehearse({ to, ...mail, id: job.id })
      return undefined
    }
    const attachments = documentIds.length === 0 ? [] : await attachDocuments(documentIds)
    try {
      await ctx.mail.send({ to, ...mail, attachments, id: job.id })
    } catch (error) {
      if (error instanceof MailError && error.permanent) throw new PermanentJobFailure(error.message, { cause: error })
      throw error
    }
    return undefined
  }
}

/**
 * The job's id is the message's: a job that runs twice shows one mail. Of the documents that go with it their ids are kept;
 * they are drawn when somebody looks at the mail.
 */
async function keepInInbox(
  ctx: Context,
  id: string,
  { to, documentIds = [], isForNobody }: MailOrder,
  mail: RenderedMail,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx
      .insertInto('inboxMessage')
      .values({
        id,
        recipient: to,
        sender: ctx.config.emailFrom,
        subject: mail.subject,
        textBody: mail.text,
        htmlBody: mail.html,
        attachments: documentIds.length === 0 ? null : toJson(documentIds),
        createdAt: ctx.clock.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    if (isForNobody) await tx.deleteFrom('inboxMessage').where('id', '=', id).execute()
  })
}
