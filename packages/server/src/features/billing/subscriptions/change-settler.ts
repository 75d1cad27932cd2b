import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { type PaymentRow, updatePayment } from '../order/payment.repository.ts'
import { lockSubscription } from '../order/subscription.repository.ts'
import { keepMethod } from '../settlement/keep-method.service.ts'
import { creditPayment } from '../settlement/settle-order.service.ts'
import type { Settler } from '../settlement/settlers.ts'
import { applyTarget, postChange } from './apply-change.ts'
import { computedIn, findChange, settleChange } from './change.repository.ts'
import { listWaitingEntries, markEntriesBilled } from './renewal.repository.ts'
import { tellSubscription } from './subscribed.ts'

/**
 * The payment of a change: its success applies the change and posts its order, and its failure leaves the old plan
 * (SUB-9, SUB-21). Where the customer has to authenticate the payment, the change stays open for their link.
 */
export const changeSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const customerId = proven(payment.customerId, 'the payment of a change has a customer')
    const methodId = await keepMethod(ctx, tx, { ...payment, customerId }, attempt, false)
    if (methodId !== null) await updatePayment(tx, payment.id, { paymentMethodId: methodId })
    if (!(await applyPaid(ctx, tx, payment)))
      // The subscription has changed meanwhile, so the quote no longer holds: the money stays the customer's.
      await creditPayment(tx, ctx.clock.now(), payment, 'change_outdated')
  },
  async failed(ctx, tx, payment) {
    if (payment.advice === 'needs_customer' && payment.declineReason === 'authentication_required') return
    await settleChange(tx, changeIdOf(payment), 'discarded', ctx.clock.now())
  },
  waits: async () => {},
}

const changeIdOf = ({ id, changeId }: PaymentRow) => proven(changeId, `payment ${id} is for a change`)

/** Applies the change that a payment has paid; false if it cannot apply any more. */
async function applyPaid(ctx: Context, tx: Tx, payment: PaymentRow): Promise<boolean> {
  const now = ctx.clock.now()
  const change = proven(await findChange(tx, changeIdOf(payment)), 'changes are never deleted')
  const row = await lockSubscription(tx, change.organizationId, change.subscriptionId)
  const holds = row?.version === change.version && row.status === 'active'
  const settled = await settleChange(tx, change.id, holds ? 'applied' : 'discarded', now)
  if (!settled || !holds) return false
  const entries = change.target.restart ? await listWaitingEntries(tx, row.id) : []
  const subscribed = await applyTarget(ctx, tx, row, change.target)
  await tellSubscription(ctx, tx, subscribed, ['subscription.updated'])
  const computed = computedIn(change)
  const isDiscounted = change.target.restart !== null && change.target.discountId !== null
  const posted = await postChange(ctx, tx, subscribed, { id: change.id, computed, isDiscounted }, payment)
  await markEntriesBilled(tx, entries, posted.items)
  await updatePayment(tx, payment.id, { orderId: posted.order.id })
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  return true
}
