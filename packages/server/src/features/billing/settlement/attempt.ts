import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { inBody } from '../invalid.ts'
import { type FailuresOf, listFailures, listSetups } from '../order/payment.repository.ts'
import { adviceOf } from '../payments/decline-advice.ts'
import { type Attempt, type Charge, UnknownConfirmationToken } from '../payments/processor.ts'
import { declineMessages } from '../payments/sandbox-cards.ts'

/** A confirmation token that no processor knows, or that is used up. */
export const unknownToken = {
  reason: 'unknown_confirmation_token',
  issue: inBody('confirmation_token_id', 'Confirmation token does not exist.'),
} as const

/** Charges a payment while its buyer waits; undefined where the outcome is unknown, and the reconciliation asks for it. */
export async function attemptCharge(ctx: Context, processorName: string, charge: Charge): Promise<Attempt | undefined> {
  const processor = ctx.payments.byName(processorName)
  if (!processor) return failedBy('processor_unavailable', declineMessages.processor_unavailable)
  try {
    return await processor.charge(charge)
  } catch (error) {
    // A concurrent attempt has used the token.
    if (error instanceof UnknownConfirmationToken) return failedBy(unknownToken.reason, unknownToken.issue.msg)
    ctx.log.error({ err: error, payment: charge.paymentId }, 'No response from the processor; reconciliation retries')
    return undefined
  }
}

/** A failure before the processor was asked. */
export const failedBy = (reason: string, message: string): Attempt & { readonly status: 'failed' } => ({
  status: 'failed',
  reference: undefined,
  reason,
  message,
  advice: adviceOf(reason),
  method: undefined,
})

/** Attempts in an hour: enough for a buyer with several cards, too few for testing stolen ones. */
const attemptLimit = { most: 10, window: hours(1) }

/** Throws TOO_MANY_REQUESTS after that many declines of one purchase. A lock on what is paid makes the count exact. */
export async function requireFewFailures(tx: Tx, now: Date, of: FailuresOf): Promise<void> {
  const { most, window } = attemptLimit
  requireFewer(now, await listFailures(tx, of, after(now, -window), most))
}

/**
 * Throws TOO_MANY_REQUESTS after a customer has added that many payment methods. Accepted ones count too, because they
 * take no money, and so do those under way, because several can be added at once. The customer's lock makes the count
 * exact.
 */
export async function requireFewSetups(
  tx: Tx,
  now: Date,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<void> {
  const { most, window } = attemptLimit
  requireFewer(now, await listSetups(tx, organizationId, customerId, after(now, -window), most))
}

/** Throws TOO_MANY_REQUESTS if these attempts, newest first, reach the limit. */
function requireFewer(now: Date, attempts: readonly Date[]): void {
  const { most, window } = attemptLimit
  const first = attempts[most - 1]
  if (!first) return
  const wait = after(first, window).getTime() - now.getTime()
  throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
}
