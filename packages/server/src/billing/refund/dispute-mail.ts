import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueueMail } from '../../mail/mail.jobs.ts'
import type { MailLocale } from '../../mail/templates.ts'
import { listMembersWho } from '../../organization/entry.service.ts'
import type { OrderRow } from '../order/order.repository.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { lastLocaleOfSeller } from '../webhooks/webhook-endpoint.repository.ts'
import type { DisputeRow } from './dispute.repository.ts'

/**
 * Orders the mails about a dispute that waits for an answer, once for each: to the members who may give money back. Nobody has
 * said in which language they read; that in which the seller's youngest endpoint was made is the best that is known.
 */
export async function mailDispute(ctx: Context, tx: Tx, dispute: DisputeRow, order: OrderRow): Promise<void> {
  const { organizationId } = dispute
  const seller = await readMerchant(ctx, tx, organizationId)
  const url = `${ctx.config.baseURL.origin}/dashboard/${seller.slug}/orders/${order.id}`
  const locale = ((await lastLocaleOfSeller(tx, organizationId)) ?? 'en') as MailLocale // written from a caller's
  for (const { name, email } of await listMembersWho(ctx, tx, organizationId, { order: ['write'] }))
    await enqueueMail(ctx, tx, {
      to: email,
      locale,
      template: 'dispute',
      data: {
        name,
        organizationName: seller.name,
        url,
        documentNumber: order.invoiceNumber,
        currency: dispute.currency,
        totalAmount: dispute.amount + dispute.taxAmount,
        answerUntil: dispute.evidenceDueBy?.toISOString() ?? null,
        isTest: ctx.payments.byName(dispute.processor)?.isTest ?? false,
      },
    })
}
