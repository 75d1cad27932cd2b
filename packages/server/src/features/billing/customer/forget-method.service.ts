import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue, type JobHandler, waitingFor } from '../../../foundation/jobs.ts'
import { processorForJobs } from '../payments/background.ts'
import { findRemovedMethod, type PaymentMethodRow } from './payment-method.repository.ts'

/** Queues that the processors forget the methods that this transaction removes. */
export async function forgetAtProcessors(
  tx: Tx,
  now: Date,
  organizationId: Id<'organization'>,
  ids: readonly PaymentMethodRow['id'][],
): Promise<void> {
  for (const payload of ids) await enqueue(tx, now, { kind: 'forget-payment-method', payload, organizationId })
}

/** Asks a processor to forget a removed method, until it has answered. */
export function createForgetHandler(ctx: Context): JobHandler {
  return async ({ payload }) => {
    const method = await findRemovedMethod(ctx.db, payload)
    const processor = method && processorForJobs(ctx.payments, method.processor)
    if (processor) await waitingFor(() => processor.forget(method.processorReference))
    return undefined
  }
}
