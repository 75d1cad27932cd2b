import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { recipientsWhoAdminister } from '../../identity/access.ts'
import { findSellingOrganization, lastLocaleOfSeller } from '../merchant/merchant.repository.ts'
import { type AttentionRow, insertAttention } from './attention.repository.ts'

/** Money that moved at a processor unlike any request. */
export type Unexpected = Pick<
  AttentionRow,
  'kind' | 'processor' | 'processorReference' | 'amount' | 'currency' | 'paymentId' | 'refundId'
> & {
  readonly organizationId: string
  /** What was requested; absent for an unknown payment. */
  readonly expected?: { readonly amount: number; readonly currency: string } | undefined
  readonly detail?: AttentionRow['detail'] | undefined
  /** Whether no real money moved. */
  readonly isTest: boolean
}

/**
 * Puts money on the attention list, and mails the administrators, because only they can act at the processor. Returns
 * whether it is new there: each kind counts once for a payment or refund of the processor. A card that was saved
 * moves no money, and needs no administrator.
 */
export async function noteAttention(ctx: Context, tx: Tx, unexpected: Unexpected): Promise<boolean> {
  const { expected, isTest, detail = null, ...row } = unexpected
  // An amount of the processor's own unit may be no whole number of ours.
  const amount = Math.round(row.amount)
  const { organizationId } = row
  if (amount === 0 && (expected?.amount ?? 0) === 0) return false
  const currency = row.currency.toLowerCase()
  const isNew = await insertAttention(tx, {
    ...row,
    id: newUuid(),
    amount,
    currency,
    expectedAmount: expected?.amount ?? null,
    expectedCurrency: expected?.currency ?? null,
    detail,
    createdAt: ctx.clock.now(),
  })
  if (!isNew) return false
  const organization = await findSellingOrganization(tx, organizationId)
  const locale = (await lastLocaleOfSeller(tx, organizationId)) ?? 'en'
  const data = {
    kind: row.kind,
    organizationName: organization?.name ?? organizationId,
    processor: row.processor,
    reference: row.processorReference,
    currency,
    totalAmount: amount,
    expected: expected ?? null,
    isTest,
    url: `${ctx.config.baseURL.origin}/admin/attention`,
  }
  for (const { name, email: to } of await recipientsWhoAdminister(ctx, tx))
    await enqueueMail(ctx, tx, { to, locale, template: 'money-to-check', data: { ...data, name } })
  return true
}
