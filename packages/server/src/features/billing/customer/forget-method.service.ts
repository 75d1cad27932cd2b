import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue, type JobHandler, waitingFor } from '../../../foundation/jobs.ts'
import { processorForJobs } from '../payments/background.ts'
import { findRemovedMethod } from './payment-method.repository.ts'

/** Queues jobs that detach methods at their processor. This transaction removes the methods. */
export async function forgetAtProcessors(
  tx: Tx,
  now: Date,
  organizationId: Id<'organization'>,
  ids: readonly Id<'paymentMethod'>[],
): Promise<void> {
  for (const payload of ids) await enqueue(tx, now, { kind: 'forget-payment-method', payload, organizationId })
}

/** Detaches a removed method at its processor; a processor that is away is asked again. */
export function createForgetHandler(ctx: Context): JobHandler {
  return async ({ payload }) => {
    const method = await findRemovedMethod(ctx.db, payload)
    const processor = method && processorForJobs(ctx, method.processor)
    if (processor) await waitingFor(() => processor.forget(method.processorReference))
    return undefined
  }
}
