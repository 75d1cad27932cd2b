import type { Context } from '../../../foundation/context.ts'
import type { Unexpected } from '../attention/attention.service.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { Succeeded } from './settlers.ts'

/** Money of a payment that its order or its checkout does not get, for the attention list. */
export function unexpectedOf(
  ctx: Context,
  kind: 'paid_after_failure' | 'paid_after_void' | 'amount_differs',
  { id, organizationId, processor, amount, currency }: PaymentRow,
  paid: Succeeded,
): Unexpected {
  return {
    kind,
    organizationId,
    processor,
    processorReference: paid.reference,
    paymentId: id,
    refundId: null,
    amount: paid.amount,
    currency: paid.currency,
    expected: { amount, currency },
    detail: paid.contradiction,
    isTest: ctx.payments.byName(processor)?.isTest ?? false,
  }
}
