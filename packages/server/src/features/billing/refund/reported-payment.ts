import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { WaitsForOthers, waitingFor } from '../../../foundation/jobs.ts'
import { findPaymentById, type PaymentRow } from '../order/payment.repository.ts'
import type { Processor } from '../payments/processor.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'

/**
 * The payment of a reported dispute or refund, with its order; undefined if it is unknown or bought nothing. The
 * report may come before the payment's own: then asks the processor about the payment. Rejects while the payment is
 * pending: the job then retries.
 */
export async function reportedPayment(
  ctx: Context,
  processor: Processor,
  paymentId: Id<'payment'>,
): Promise<(PaymentRow & { orderId: Id<'order'> }) | undefined> {
  const payment = await settled(ctx, processor, paymentId)
  const orderId = payment?.processor === processor.name ? payment.orderId : null
  return payment && orderId !== null ? { ...payment, orderId } : undefined
}

async function settled(ctx: Context, processor: Processor, paymentId: Id<'payment'>): Promise<PaymentRow | undefined> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (payment?.status !== 'pending') return payment
  const attempt = await waitingFor(() => processor.look(paymentId))
  if (attempt) await settlePayment(ctx, paymentId, attempt)
  const now = await findPaymentById(ctx.db, paymentId)
  if (now?.status === 'pending') throw new WaitsForOthers(`payment ${paymentId} is still pending`)
  return now
}
