import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { balanceOf } from '../order/balance.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { postOrder } from '../posting/post-order.service.ts'
import { sendInvoice, termsOf } from '../settlement/invoice.service.ts'
import { beginOffSession } from '../settlement/off-session.service.ts'
import type { Taxes } from '../tax/taxes.ts'
import { listWaitingEntries, markEntriesBilled } from './renewal.repository.ts'
import { chargeOf, lineOfEntry, readSubscribed } from './subscribed.ts'

export type LastOrderWork = { readonly ctx: Context; readonly tx: Tx; readonly taxes: Taxes }

/**
 * Bills what still waits for the next order of a subscription that has ended: no next order comes (SUB-24). A negative
 * total becomes the customer's credit (ORD-6). A payment that fails is not tried again.
 */
export async function billWaiting({ ctx, tx, taxes }: LastOrderWork, row: SubscriptionRow): Promise<void> {
  const entries = await listWaitingEntries(tx, row.id)
  if (entries.length === 0) return
  const { organizationId, customerId, currency } = row
  const subscribed = await readSubscribed(ctx, tx, row)
  const computed = await chargeOf({ ctx, db: tx, taxes }, subscribed, {
    lines: entries.map((entry) => lineOfEntry(entry, subscribed)),
    discount: undefined,
    balance: await balanceOf(tx, customerId, currency),
  })
  const { order, items, documents } = await postOrder(ctx, tx, {
    organizationId,
    billingReason: 'subscription_cycle',
    computed,
    currency,
    taxBehavior: subscribed.taxBehavior,
    product: subscribed.product,
    discount: undefined,
    buyer: subscribed.buyer,
    subscription: {
      row,
      period: { start: row.currentPeriodStart, end: proven(row.currentPeriodEnd, 'a subscription has a period') },
      // The running period has its own order.
      cause: 'subscription_cycle:end',
    },
    checkoutId: null,
    payment: undefined,
    invoiced: termsOf(ctx, row),
    isTest: ctx.payments.forNewCheckouts.isTest,
    customFieldData: row.customFieldData,
    metadata: row.metadata,
  })
  await markEntriesBilled(tx, entries, items)
  if (order.dueAt) return sendInvoice(ctx, tx, order, documents)
  const method =
    order.status === 'pending' ? await findMethodFor(tx, organizationId, customerId, row.paymentMethodId) : undefined
  if (!method) return
  await beginOffSession(
    ctx,
    tx,
    {
      organizationId,
      customer: subscribed.customer,
      amount: computed.dueNow,
      currency,
      method,
      pays: { orderId: order.id },
    },
    { isWaitedFor: false },
  )
}
