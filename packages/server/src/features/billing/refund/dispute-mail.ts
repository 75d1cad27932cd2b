import { orderName } from '@tollgate/contract/billing'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { recipientsWhoAdminister } from '../../identity/access.ts'
import { listMembersWho } from '../../organization/entry.service.ts'
import { lastLocaleOfSeller } from '../merchant/merchant.repository.ts'
import type { OrderRow } from '../order/order.repository.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import type { DisputeRow } from './dispute.repository.ts'

/**
 * Queues the mails about a dispute that waits for an answer, once per recipient. The recipients' languages are
 * unknown; that of the seller's newest endpoint is the best guess.
 *
 * The processor account belongs to the installation: administrators learn that they must answer, and members who may
 * refund learn whom to send their evidence. The sandbox's disputes go to the seller alone: no bank decides them.
 */
export async function mailDispute(ctx: Context, tx: Tx, dispute: DisputeRow, order: OrderRow): Promise<void> {
  const { organizationId, processor } = dispute
  const { origin } = ctx.config.baseURL
  const seller = await readMerchant(ctx, tx, organizationId)
  const locale = (await lastLocaleOfSeller(tx, organizationId)) ?? 'en'
  const data = {
    organizationName: seller.name,
    documentNumber: orderName(order),
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
