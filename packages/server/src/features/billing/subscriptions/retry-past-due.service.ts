import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { JobHandler } from '../../../foundation/jobs.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { changeSubscription, listPastDue } from '../order/subscription.repository.ts'
import type { PastDue } from '../settlement/default-method.service.ts'
import { chargeOpenOrders } from './dunning.service.ts'
import { lockBoth } from './locked.ts'

/**
 * Charges what is past due by the customer's new default method, at once (SUB-28). The schedule of retries stays as it
 * is. A second run finds the orders paid, being paid, or declined.
 */
export function createRetryHandler(ctx: Context): JobHandler {
  return async ({ payload }) => {
    const { organizationId, customerId }: PastDue = JSON.parse(payload) // written by `retryPastDue`
    for (const id of await listPastDue(ctx.db, organizationId, customerId))
      await ctx.transaction((tx) => retry(ctx, tx, organizationId, id))
    return undefined
  }
}

async function retry(ctx: Context, tx: Tx, organizationId: Id<'organization'>, id: Id<'subscription'>): Promise<void> {
  const row = await lockBoth(tx, organizationId, id)
  if (row.status !== 'past_due') return
  // A seller who is stopped takes no further money; the scheduled retries wait as well.
  if (!(await organizationMaySell({ config: ctx.config, db: tx }, organizationId))) return
  const method = await findMethodFor(tx, organizationId, row.customerId, null)
  if (!method) return
  const isPaidByIt = row.paymentMethodId === method.id
  const paying = isPaidByIt ? row : await changeSubscription(tx, id, { paymentMethodId: method.id })
  await chargeOpenOrders(ctx, tx, paying, method, { isUnscheduled: true })
}
