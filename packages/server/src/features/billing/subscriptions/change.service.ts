import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { isByInvoice } from '../settlement/invoice.service.ts'
import { withTaxes } from '../tax/taxes.ts'
import { applyTarget, postChange } from './apply-change.ts'
import { cancelAtEnd, cancelNow, previewCancel, requireCreditFits, uncancel } from './cancel.service.ts'
import { type AskedChange, type PreparedChange, prepareChange, prepareNext } from './change-plan.ts'
import { makeWay, requireChangeable, requireUnscheduled } from './changeable.ts'
import { changeCollection } from './collection.service.ts'
import { changeDiscount, previewDiscount } from './discount-change.ts'
import { lockBoth, requireSubscription, showSubscription, tellChanged } from './locked.ts'
import { previewPause } from './pause.service.ts'
import { beginPayment, payNow } from './pay-change.ts'
import { asQuoted, quoteOf } from './quote.ts'
import { type Quote, toQuoted, unnamedQuote } from './quoted-order.ts'
import { insertEntries, markEntriesBilled } from './renewal.repository.ts'
import { readSubscribed, tellSubscription } from './subscribed.ts'
import { changeTrialEnd } from './trial.service.ts'

/** Shows what a change costs, as a quote that the change can name; without a change, the order that comes next. */
export const previewSubscriptionChange: BillingHandler<'previewSubscriptionChange'> = async ({
  ctx,
  seller,
  params,
  body,
}) => {
  const row = await requireSubscription(ctx.db, seller.organizationId, params.id)
  return withTaxes(ctx, 'required', async (taxes) => {
    const work = { ctx, db: ctx.db, taxes }
    if (body.pause) return previewPause(work, row, body.pause)
    if (body.revoke || body.cancelAtPeriodEnd) return previewCancel(work, row, body)
    requireChangeable(row)
    if (body.discountId !== undefined) return previewDiscount(work, row, body.discountId)
    if (body.productId === undefined && body.quantity === undefined) {
      const nextOrder = await prepareNext(work, await readSubscribed(ctx, ctx.db, row))
      const appliesAt = proven(row.currentPeriodEnd, 'it is active').toISOString()
      return { ...unnamedQuote, appliesAt, order: null, nextOrder: toQuoted(row, nextOrder) }
    }
    requireUnscheduled(row)
    return toQuote(ctx, row, await prepareChange(work, row, askedIn(body), ctx.clock.now()))
  })
}

/**
 * Changes a subscription's product, quantity, discount, trial or collection method, or drops a change that waits; cancels it,
 * or ends it at once.
 */
export const updateSubscription: BillingHandler<'updateSubscription'> = async ({
  ctx,
  seller,
  params,
  body,
  current,
}) => {
  const { organizationId } = seller
  const { id } = params
  const actorId = current?.user.id ?? null
  requireCreditFits(body)
  if (body.productId !== undefined || body.quantity !== undefined) await changeTerms(ctx, organizationId, id, body)
  else if (body.trialEnd !== undefined) await changeTrialEnd(ctx, { organizationId, id, actorId }, body.trialEnd, body)
  else if (body.discountId !== undefined)
    await changeDiscount(ctx, { organizationId, id, actorId, wanted: body.discountId, quoteId: body.quoteId ?? null })
  else if (body.collectionMethod !== undefined || body.netTermsDays !== undefined)
    await changeCollection(ctx, { organizationId, id, actorId }, body)
  else if (body.pendingUpdate === null) await withdrawPending(ctx, organizationId, id, actorId)
  else if (body.revoke !== undefined) await cancelNow(ctx, organizationId, id, body, actorId)
  else if (body.cancelAtPeriodEnd === true) await cancelAtEnd(ctx, organizationId, id, body, actorId)
  else if (body.cancelAtPeriodEnd === false) await uncancel(ctx, organizationId, id, actorId)
  return showSubscription(ctx, organizationId, id)
}

type ChangeBody = Pick<
  ParsedBillingBody<'updateSubscription'>,
  'productId' | 'quantity' | 'prorationBehavior' | 'quoteId'
>

/** The change of product or quantity that a body asks for. */
const askedIn = ({ productId, quantity, prorationBehavior }: ChangeBody): AskedChange => ({
  productId,
  quantity,
  behavior: prorationBehavior ?? undefined,
})

/**
 * Changes product and quantity in three steps, as a checkout does: one transaction prepares the change, and applies it if nothing
 * is due. Else the payment is charged outside of every transaction, and its success applies the change. Throws
 * SUBSCRIPTION_PAYMENT_FAILED where it fails, and the old plan stays (SUB-9).
 */
async function changeTerms(
  ctx: Context,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
  body: ChangeBody,
): Promise<void> {
  // A seller who is stopped may end subscriptions, and takes no further money.
  if (!(await organizationMaySell(ctx, organizationId))) throw new TollgateError('MERCHANT_NOT_APPROVED')
  const paymentId = await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const row = await lockBoth(tx, organizationId, id)
      requireChangeable(row)
      requireUnscheduled(row)
      await makeWay(ctx, tx, row)
      const prepared = await asQuoted(
        ctx,
        { quoteId: body.quoteId ?? null, subject: id },
        (asOf) => prepareChange({ ctx, db: tx, taxes }, row, askedIn(body), asOf),
        (made) => toQuote(ctx, row, made),
      )
      return beginChange(ctx, tx, row, prepared)
    }),
  )
  if (paymentId !== undefined) await payNow(ctx, paymentId, id)
}

/** Applies a change, keeps it for the end of the period, or begins its payment; returns the payment to charge. */
async function beginChange(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  prepared: PreparedChange,
): Promise<Id<'payment'> | undefined> {
  const { plan, target, order, subscribed } = prepared
  const now = ctx.clock.now()
  if (plan.applies === 'next_period') {
    const pendingChange = {
      ...target,
      id: newUuid(),
      createdAt: now.toISOString(),
      appliesAt: plan.at.toISOString(),
    }
    const changed = await changeSubscription(tx, row.id, { pendingChange, modifiedAt: now })
    await tellSubscription(ctx, tx, { ...subscribed, row: changed }, ['subscription.updated'])
    return undefined
  }
  // By invoice it applies at once, and is due by its terms.
  if (order && order.dueNow > 0 && !isByInvoice(row))
    return beginPayment(ctx, tx, { row, target, computed: order, customer: subscribed.customer })
  const changed = await applyTarget(ctx, tx, row, target)
  await insertEntries(tx, row, plan.waits, now)
  await tellSubscription(ctx, tx, changed, ['subscription.updated'])
  if (order) {
    const change = { id: newUuid(), computed: order, isDiscounted: prepared.discount !== undefined }
    const posted = await postChange(ctx, tx, changed, change, undefined)
    await markEntriesBilled(tx, prepared.billedEntries, posted.items)
  }
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  return undefined
}

/** Withdraws the change that waits for the end of the period. */
async function withdrawPending(
  ctx: Context,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
  actorId: Id<'user'> | null,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await lockBoth(tx, organizationId, id)
    if (row.pendingChange === null) return
    const changed = await changeSubscription(tx, id, { pendingChange: null, modifiedAt: ctx.clock.now() })
    await tellChanged(ctx, tx, changed, ['subscription.updated'], actorId)
  })
}

function toQuote(ctx: Context, row: SubscriptionRow, prepared: PreparedChange): Quote {
  const { plan, order, nextOrder, key, changed } = prepared
  return {
    ...quoteOf(ctx, key),
    appliesAt: (plan.applies === 'next_period' ? plan.at : key.asOf).toISOString(),
    order: order ? toQuoted(row, order) : null,
    nextOrder: toQuoted(changed.row, nextOrder),
  }
}
