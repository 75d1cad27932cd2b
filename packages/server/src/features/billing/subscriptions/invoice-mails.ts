import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import type { MailData } from '../../../foundation/mail/mail-data.ts'
import type { OrderRow } from '../order/order.repository.ts'
import { invoiceData } from '../settlement/invoice.service.ts'
import { addressOf } from './dunning-mails.ts'

type Following = {
  readonly step: MailData['invoice-overdue']['overdue']['step']
  readonly on: Date | null
  /** The step of the dunning: each mails once. */
  readonly count: number
}

/** Tells the subscriber that an invoice is overdue, with the link to pay and what follows if they do nothing. */
export async function mailOverdue(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  { step, on, count }: Following,
): Promise<void> {
  if (order.buyerEmail === null || order.dueAt === null) return
  await enqueueMail(ctx, tx, {
    id: `invoice-overdue ${order.id} ${count}`,
    ...addressOf(order, order.buyerEmail),
    template: 'invoice-overdue',
    data: { ...invoiceData(ctx, order, order.dueAt), overdue: { step, on: on?.toISOString() ?? null } },
  })
}
