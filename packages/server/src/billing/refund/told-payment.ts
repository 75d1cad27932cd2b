import type { Context } from '../../context.ts'
import { WaitsForOthers, waitingFor } from '../../jobs.ts'
import { findPaymentById, type PaymentRow } from '../order/payment.repository.ts'
import { settlePayment } from '../order/settle.service.ts'
import type { Processor } from '../payments/processor.ts'

/**
 * The payment of which a processor tells that it is disputed, or was given back, with the order that it has paid; nothing
 * where it is not ours, or has bought nothing. It may be told before the payment was: then the processor is asked what has
 * become of that. Rejects while it is under way: then it is told again.
 */
export async function toldPayment(
  ctx: Context,
  processor: Processor,
  paymentId: string,
): Promise<(PaymentRow & { orderId: string }) | undefined> {
  const payment = await settled(ctx, processor, paymentId)
  const orderId = payment?.processor === processor.name ? payment.orderId : null
  return payment && orderId !== null ? { ...payment, orderId } : undefined
}

async function settled(ctx: Context, processor: Processor, paymentId: string): Promise<PaymentRow | undefined> {
  const payment = await findPaymentById(ctx.db, paymentId)
  if (payment?.status !== 'pending') return payment
  const attempt = await waitingFor(() => processor.look(paymentId))
  if (attempt) await settlePayment(ctx, paymentId, attempt)
  const now = await findPaymentById(ctx.db, paymentId)
  if (now?.status === 'pending') throw new WaitsForOthers(`more is told of payment ${paymentId} while it is under way`)
  return now
}
