import { findBrand } from '../brand.repository.ts'
import { canReceiveMail } from '../config/mailbox.ts'
import type { Context } from '../context.ts'
import type { Id, Tx } from '../db/database.ts'
import { prepareInsert } from '../db/prepared.ts'
import { newSortableId } from '../ids.ts'
import { dequeue, enqueue, type JobHandler, PermanentJobFailure } from '../jobs.ts'
import type { MailData, MailTemplate } from './mail-data.ts'
import { heldByLimit } from './mail-limit.ts'
import { type MailLocale, type MailSeller, type RenderedMail, renderMail } from './templates.ts'
import { type MailAttachment, MailError } from './transport.ts'

export type { MailAttachment }

type MailOrder<Template extends MailTemplate = MailTemplate> = {
  /** The job's id; a second order with it is not sent. */
  readonly id?: string
  readonly to: string
  readonly locale: MailLocale
  readonly template: Template
  readonly data: MailData[Template]
  /** Attached documents, rendered when the mail is sent. */
  readonly documentIds?: readonly Id<'document'>[]
  /** The organization that the mail is from: the seller of a buyer, or the inviting one. */
  readonly sellerId?: Id<'organization'>
  /** Over the mailbox limit this mail is dropped. Without it, the mail waits. */
  readonly mayBeDropped?: boolean | undefined
  /** Sends nothing. All other work is the same, so that timing reveals no known address. */
  readonly isForNobody?: boolean | undefined
}

/** What mails take from features above. */
export type MailParts = {
  /** Renders the files of documents by their ids; omits deleted ones. */
  attachDocuments(ids: readonly string[]): Promise<readonly MailAttachment[]>
  /** The look of an organization; undefined for a deleted one. */
  findSeller(id: Id<'organization'>): Promise<MailSeller | undefined>
}

/**
 * Orders a mail inside the transaction that causes it. The order is sealed: it holds a working link, and proofs are
 * never stored in the clear. An undeliverable address gets no order, which could only fail.
 */
export async function enqueueMail<Template extends MailTemplate>(
  ctx: Context,
  tx: Tx,
  // Mails that are sent at the same moment are listed in the order in which they were ordered.
  { id = newSortableId(ctx.clock.now()), ...order }: MailOrder<Template>,
): Promise<void> {
  if (!canReceiveMail(order.to)) return
  const payload = ctx.secrets.seal(JSON.stringify(order))
  await enqueue(tx, ctx.clock.now(), { id, kind: 'mail', payload })
  // Real mails wait until mail is set up; decoys would only pile up.
  if (order.isForNobody && !mailsCanLeave(ctx)) await dequeue(tx, id)
}

/** Whether mails are sent: in development at least to the inbox. */
export const mailsCanLeave = ({ config, mail }: Pick<Context, 'config' | 'mail'>): boolean =>
  config.mode === 'development' || mail.kind !== 'none'

/** The template and recipient of an order, safe to show. Throws if no secret opens it. */
export function aboutMail(ctx: Context, payload: string): Pick<MailOrder, 'template' | 'to'> {
  const { template, to } = orderIn(ctx, payload)
  return { template, to }
}

const orderIn = ({ secrets }: Context, payload: string): MailOrder => JSON.parse(secrets.open(payload)) // sealed by enqueueMail

/** Renders and sends an ordered mail, within the mailbox limit. In development the mail also goes to the inbox. */
export function createMailHandler(ctx: Context, { attachDocuments, findSeller }: MailParts): JobHandler {
  const { appName, baseURL } = ctx.config
  return async (job) => {
    const order = orderIn(ctx, job.payload)
    const held = await heldByLimit(ctx, job, order)
    if (held) return held.until
    const { to, locale, template, data, documentIds = [], sellerId } = order
    const sender = { appName, baseURL: baseURL.origin, brand: await findBrand(ctx.db) }
    const mail = renderMail(template, data, locale, sender, sellerId && (await findSeller(sellerId)))
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
 * The job's id is the message's: a job that runs twice shows one mail. Stores only the ids of its documents, which are
 * rendered when the mail is viewed.
 */
async function keepInInbox(
  ctx: Context,
  id: string,
  { to, documentIds = [], isForNobody }: MailOrder,
  mail: RenderedMail,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await insertMessageOnce(tx, {
      id,
      recipient: to,
      sender: ctx.config.emailFrom,
      subject: mail.subject,
      textBody: mail.text,
      htmlBody: mail.html,
      attachments: documentIds.length === 0 ? null : documentIds,
      createdAt: ctx.clock.now(),
    })
    if (isForNobody) await tx.deleteFrom('inboxMessage').where('id', '=', id).execute()
  })
}

const insertMessageOnce = prepareInsert('inboxMessage', { isOnce: true })
