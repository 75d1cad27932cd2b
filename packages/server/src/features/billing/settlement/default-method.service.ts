import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { tellCustomer } from '../customer/customer.service.ts'
import { type PaymentMethodRow, setDefaultMethod } from '../customer/payment-method.repository.ts'
import { unsetDefaultMethods } from '../order/payment.repository.ts'
import { chargeSubscriptionsBy, listPastDue } from '../order/subscription.repository.ts'

/**
 * Makes a method the customer's default. It pays all their subscriptions from now on, also those that another method has
 * paid beside the default, and what is past due at once (SUB-28). Repeating it charges nothing. The customer is locked.
 */
export async function makeDefault(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId, id, isDefault }: PaymentMethodRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  if (!isDefault) {
    await unsetDefaultMethods(tx, organizationId, customerId)
    await setDefaultMethod(tx, id, ctx.clock.now())
  }
  const hasMoved = await chargeSubscriptionsBy(tx, organizationId, customerId, id)
  if (!isDefault) await tellCustomer(ctx, tx, { organizationId, actorId }, 'customer.updated', customerId)
  if (!isDefault || hasMoved) await retryPastDue(ctx, tx, organizationId, customerId)
}

/** Queues the retry of what is past due, which a new default method triggers. */
export async function retryPastDue(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<void> {
  if ((await listPastDue(tx, organizationId, customerId)).length === 0) return
  const payload = JSON.stringify({ organizationId, customerId } satisfies PastDue)
  await enqueue(tx, ctx.clock.now(), { kind: 'retry-past-due', payload, organizationId })
}

/** Whose past-due subscriptions a job tries again. */
export type PastDue = { readonly organizationId: Id<'organization'>; readonly customerId: Id<'customer'> }
