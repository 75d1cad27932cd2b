import { recipientsWhoAdminister } from '../../access.ts'
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
 * Orders the mails about a dispute that waits for an answer, once for each reader. Nobody has said in which language they read;
 * that in which the seller's youngest endpoint was made is the best that is known.
 *
 * The account at the processor is the installation's: so its administrators are told that they have to answer, and the members
 * who may give money back whom to give their evidence. What the sandbox disputes no bank decides: that is its seller's alone.
 */
export async function mailDispute(ctx: Context, tx: Tx, dispute: DisputeRow, order: OrderRow): Promise<void> {
  const { organizationId, processor } = dispute
  const { origin } = ctx.config.baseURL
  const seller = await readMerchant(ctx, tx, organizationId)
  const locale = ((await lastLocaleOfSeller(tx, organizationId)) ?? 'en') as MailLocale // written from a caller's
  const data = {
    organizationName: seller.name,
    documentNumber: order.invoiceNumber,
    currency: dispute.currency,
    totalAmount: dispute.amount + dispute.taxAmount,
    answerUntil: dispute.evidenceDueBy?.toISOString() ?? null,
    isTest: ctx.payments.byName(processor)?.isTest ?? false,
  }
  const administrators = processor === 'sandbox' ? [] : await recipientsWhoAdminister(ctx, tx)
  for (const { name, email: to } of administrators)
    await enqueueMail(ctx, tx, {
      to,
      locale,
      template: 'dispute-to-answer',
      data: { ...data, name, url: `${origin}/admin/disputes` },
    })
  const told = new Set(administrators.map(({ email }) => email))
  const template = dispute.status === 'early_warning' ? 'inquiry' : 'dispute'
  const url = `${origin}/dashboard/${seller.slug}/orders/${order.id}`
  for (const { name, email: to } of await listMembersWho(ctx, tx, organizationId, { order: ['write'] }))
    if (!told.has(to)) await enqueueMail(ctx, tx, { to, locale, template, data: { ...data, name, url } })
}
