import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { missingForInvoice } from '../documents/issue.service.ts'
import { inBody, invalid } from '../invalid.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { mayChargeLater } from '../posting/later-charges.ts'
import type { OrderBuyer } from '../posting/post-order.service.ts'
import { collectedBy } from '../posting/start-subscription.service.ts'
import { isByInvoice } from '../settlement/invoice.service.ts'
import { hasEnded, makeWay } from './changeable.ts'
import { lockBoth, tellChanged } from './locked.ts'
import { fullAmountOf, readSubscribed } from './subscribed.ts'

/** Days until an invoice is due, where the seller names none. */
const usualNetTerms = 30

type AskedCollection = Pick<ParsedBillingBody<'updateSubscription'>, 'collectionMethod' | 'netTermsDays'>

/** The days until invoices are due that a body asks for; undefined where the saved card pays. */
export function askedTerms({ collectionMethod, netTermsDays }: AskedCollection): number | undefined {
  if (collectionMethod === 'send_invoice') return netTermsDays ?? usualNetTerms
  if (netTermsDays !== undefined) throw invalid(inBody('net_terms_days', 'Only invoices are due by terms.'))
  return undefined
}

/** Refuses a customer to whom no invoice can be made out (ORD-7). */
export function requireInvoiceable(buyer: OrderBuyer, field = 'customer_id'): void {
  if (missingForInvoice(buyer).length > 0)
    throw invalid(inBody(field, 'An invoice requires the name and the billing address of the customer.'))
}

type Changed = {
  readonly organizationId: Id<'organization'>
  readonly id: Id<'subscription'>
  readonly actorId: Id<'user'> | null
}

/** Changes how the later orders of a subscription are collected. Open orders stay due as they are. */
export async function changeCollection(
  ctx: Context,
  { organizationId, id, actorId }: Changed,
  asked: AskedCollection,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await lockBoth(tx, organizationId, id)
    if (hasEnded(row)) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
    if (row.status === 'incomplete') throw new TollgateError('SUBSCRIPTION_NOT_ACTIVE')
    const collectionMethod = asked.collectionMethod ?? row.collectionMethod
    const terms = askedTerms({ ...asked, collectionMethod })
    const isSame = collectionMethod === row.collectionMethod
    if (isSame && (terms ?? null) === row.netTermsDays) return
    if (!isSame) await requireCollectable(ctx, tx, row, collectionMethod)
    await makeWay(ctx, tx, row)
    const changes = { ...collectedBy(terms), modifiedAt: ctx.clock.now() }
    await tellChanged(ctx, tx, await changeSubscription(tx, id, changes), ['subscription.updated'], actorId)
  })
}

/** Refuses a way by which nothing of the subscription could be collected. */
async function requireCollectable(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  collectionMethod: SubscriptionRow['collectionMethod'],
): Promise<void> {
  const { buyer, prices, items, discount } = await readSubscribed(ctx, tx, row)
  if (isByInvoice({ collectionMethod })) return requireInvoiceable(buyer, 'collection_method')
  if (!mayChargeLater({ prices, amount: fullAmountOf(items), discount })) return
  if (!(await findMethodFor(tx, row.organizationId, row.customerId, row.paymentMethodId)))
    throw invalid(inBody('collection_method', 'The customer has no saved payment method.'))
}
