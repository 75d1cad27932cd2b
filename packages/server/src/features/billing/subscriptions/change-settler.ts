import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { type PaymentRow, updatePayment } from '../order/payment.repository.ts'
import { lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { requireBuyer } from '../settlement/abandoned.ts'
import { expire } from '../settlement/expire.service.ts'
import { creditPayment, keepMethodOfPresent } from '../settlement/settle-order.service.ts'
import type { Settler } from '../settlement/settlers.ts'
import { isPayable } from '../states.ts'
import { applyTarget, postChange } from './apply-change.ts'
import { computedIn, findChange, settleChange } from './change.repository.ts'
import { beginPaid } from './first-payment.ts'
import { listWaitingEntries, markEntriesBilled } from './renewal.repository.ts'
import { tellSubscription } from './subscribed.ts'

/**
 * The payment of a change: its success applies the change and posts its order, and its failure leaves the old plan
 * (SUB-9, SUB-21). Where the customer has to authenticate the payment, the change stays open for their link.
 */
export const changeSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const customerId = proven(payment.customerId, 'the payment of a change has a customer')
    const methodId = await keepMethodOfPresent(ctx, tx, { ...payment, customerId }, attempt, false)
    if (methodId !== null) await updatePayment(tx, payment.id, { paymentMethodId: methodId })
    if (!(await applyPaid(ctx, tx, payment)))
      // The subscription has changed meanwhile, so the quote no longer holds: the money stays the customer's.
      await creditPayment(tx, ctx.clock.now(), payment, 'change_outdated')
  },
  async failed(ctx, tx, payment) {
    // Payments by link have no saved method: their customer is present, and tries again.
    const isByLink = payment.paymentMethodId === null
    if (isByLink || payment.declineReason === 'authentication_required') return
    const discarded = await settleChange(tx, changeIdOf(payment), 'discarded', ctx.clock.now())
    if (discarded) await expire(ctx, tx, { id: discarded.subscriptionId })
  },
  waits: async () => {},
}

const changeIdOf = ({ id, changeId }: PaymentRow) => proven(changeId, `payment ${id} is for a change`)

/** Applies the change that a payment has paid; false if it cannot apply any more. */
async function applyPaid(ctx: Context, tx: Tx, payment: PaymentRow): Promise<boolean> {
  const now = ctx.clock.now()
  const change = proven(await findChange(tx, changeIdOf(payment)), 'changes are never deleted')
  const computed = computedIn(change)
  const customerId = proven(payment.customerId, 'it has a customer')
  const isPresent = await lockCustomer(tx, change.organizationId, { id: customerId })
  await requireBuyer(tx, payment)
  const row = await lockSubscription(tx, change.organizationId, change.subscriptionId)
  const stands = row?.version === change.version && isPayable(row.status)
  const holds = isPresent && stands && (await isCovered(tx, row, computed))
  const settled = await settleChange(tx, change.id, holds ? 'applied' : 'discarded', now)
  if (!settled) return false
  if (!holds) {
    await expire(ctx, tx, { id: change.subscriptionId })
    return false
  }
  if (row.status === 'incomplete') {
    const { order } = await beginPaid(ctx, tx, row, { computed, payment })
    await updatePayment(tx, payment.id, { orderId: order.id })
    return true
  }
  const entries = change.target.restart ? await listWaitingEntries(tx, row.id) : []
  const subscribed = await applyTarget(ctx, tx, row, change.target)
  await tellSubscription(ctx, tx, subscribed, ['subscription.updated'])
  const isDiscounted = change.target.restart !== null && change.target.discountId !== null
  const posted = await postChange(ctx, tx, subscribed, { id: change.id, computed, isDiscounted }, payment)
  await markEntriesBilled(tx, entries, posted.items)
  await updatePayment(tx, payment.id, { orderId: posted.order.id })
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  return true
}

/** Whether the balance that the order was quoted with is still there: another order may have used it meanwhile. */
async function isCovered(
  tx: Tx,
  { customerId, currency }: SubscriptionRow,
  { balance: { applied } }: ComputedOrder,
): Promise<boolean> {
  if (applied === 0) return true
  const balance = await balanceOf(tx, customerId, currency)
  return applied < 0 ? balance >= -applied : balance <= -applied
}
