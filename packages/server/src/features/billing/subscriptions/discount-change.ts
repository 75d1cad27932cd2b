import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { PendingChange } from '../../../foundation/db/tables/order.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { readProducts } from '../catalog/product.service.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { appliesTo, noLongerRedeemable, redeemDiscount, requireDiscount } from '../discount/redemption.service.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import { inBody, invalid } from '../invalid.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { withTaxes } from '../tax/taxes.ts'
import { type ChangeWork, prepareNext } from './change-plan.ts'
import { makeWay, requireChangeable, requireUnscheduled } from './changeable.ts'
import type { LastOrderWork } from './last-order.ts'
import { requireSubscription, tellChanged } from './locked.ts'
import { asQuoted, hashOf, type QuoteKey, quoteOf } from './quote.ts'
import { type Quote, toQuoted } from './quoted-order.ts'
import { netAmountOf, readSubscribed, type Subscribed } from './subscribed.ts'

/** The discount that a seller wants for a subscription; null for none. */
type Wanted = Id<'discount'> | null

/** A change of discount that counts from the next period (SUB-12, SUB-22). */
type PreparedDiscount = {
  /** The subscription as it is with the discount. */
  readonly changed: Subscribed
  readonly nextOrder: ComputedOrder
  readonly key: QuoteKey
}

/** Shows the next order of a subscription with another discount, or without one. */
export async function previewDiscount(work: ChangeWork, row: SubscriptionRow, wanted: Wanted): Promise<Quote> {
  requireUnscheduled(row)
  return toQuote(work.ctx, await prepareDiscount(work, row, wanted, work.ctx.clock.now()))
}

type Change = {
  readonly organizationId: Id<'organization'>
  readonly id: Id<'subscription'>
  readonly actorId: Id<'user'> | null
  readonly wanted: Wanted
  /** The quote that the change must equal. */
  readonly quoteId: string | null
}

/**
 * Sets, replaces or removes the discount of a subscription from its next period on, and counts a redemption of a new one
 * (SUB-12, DIS-6). One that is removed stays redeemed.
 */
export async function changeDiscount(ctx: Context, change: Change): Promise<void> {
  await withTaxes(ctx, 'required', (taxes) => ctx.transaction((tx) => setDiscount({ ctx, tx, taxes }, change)))
}

/** The same in a transaction that may go on with the customer and the subscription, which it has locked then. */
export async function setDiscount(
  { ctx, tx, taxes }: LastOrderWork,
  { organizationId, id, actorId, wanted, quoteId }: Change,
): Promise<void> {
  const { customerId } = await requireSubscription(tx, organizationId, id)
  await lockCustomer(tx, organizationId, { id: customerId })
  const row = await requireSubscription(tx, organizationId, id)
  requireChangeable(row)
  requireUnscheduled(row)
  const work = { ctx, db: tx, taxes }
  const changed = await changedAsQuoted(work, row, wanted, quoteId)
  if (wanted === null && row.discountId === null) return
  // A discount is locked before its subscriptions.
  if (wanted !== null) await redeem(ctx, tx, changed, wanted)
  const locked = proven(await lockSubscription(tx, organizationId, id), 'subscriptions are never deleted')
  if (locked.version !== row.version) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
  await makeWay(ctx, tx, locked)
  const { discountId, discountAppliedAt, pendingChange } = changed.row
  const amount = netAmountOf(changed)
  const modifiedAt = ctx.clock.now()
  const told = await changeSubscription(tx, id, { discountId, discountAppliedAt, amount, pendingChange, modifiedAt })
  await tellChanged(ctx, tx, told, ['subscription.updated'], actorId)
}

/** The subscription with another discount. Only a quote needs the next order, and its tax, to be computed. */
async function changedAsQuoted(
  work: ChangeWork,
  row: SubscriptionRow,
  wanted: Wanted,
  quoteId: string | null,
): Promise<Subscribed> {
  if (quoteId === null) return withDiscount(work, row, wanted)
  const { changed } = await asQuoted(
    work.ctx,
    { quoteId, subject: row.id },
    (asOf) => prepareDiscount(work, row, wanted, asOf),
    (prepared) => toQuote(work.ctx, prepared),
  )
  return changed
}

async function prepareDiscount(
  work: ChangeWork,
  row: SubscriptionRow,
  wanted: Wanted,
  asOf: Date,
): Promise<PreparedDiscount> {
  const changed = await withDiscount(work, row, wanted)
  const nextOrder = await prepareNext(work, changed)
  const inputs = { version: row.version, discountId: wanted, nextOrder }
  return { changed, nextOrder, key: { subject: row.id, inputHash: hashOf(inputs), asOf } }
}

/** The subscription with another discount, which has not applied yet; refuses one that it cannot have. */
async function withDiscount({ ctx, db }: ChangeWork, row: SubscriptionRow, wanted: Wanted): Promise<Subscribed> {
  const subscribed = await readSubscribed(ctx, db, row)
  const discount = wanted === null ? undefined : await newDiscount(ctx, db, subscribed, wanted)
  const changed = { ...subscribed, discount, row: { ...row, discountId: wanted, discountAppliedAt: null } }
  const { pendingChange } = row
  if (!pendingChange) return changed
  return { ...changed, row: { ...changed.row, pendingChange: await pendingWith(db, pendingChange, changed) } }
}

function newDiscount(ctx: Context, db: Db, { row, product, customer }: Subscribed, id: Id<'discount'>) {
  if (id === row.discountId) throw invalid(inBody('discount_id', 'The subscription has this discount already.'))
  const { organizationId, currency } = row
  const buyer = { customerId: row.customerId, email: customer.email }
  return requireDiscount(db, ctx.clock.now(), { organizationId, id, product, currency, buyer })
}

/** A change of product that waits takes the new discount along, where it applies to that product too. */
async function pendingWith(
  db: Db,
  pending: PendingChange,
  { row: { organizationId, currency }, discount }: Subscribed,
): Promise<PendingChange> {
  const product = (await readProducts(db, organizationId, [pending.productId])).get(pending.productId)
  const applies = discount && (await appliesTo(db, discount, proven(product, 'products are never deleted'), currency))
  return { ...pending, discountId: applies ? discount.id : null }
}

async function redeem(
  ctx: Context,
  tx: Tx,
  { row: { organizationId, customerId, id: subscriptionId }, customer: { email } }: Subscribed,
  discountId: Id<'discount'>,
): Promise<void> {
  const redemption = { organizationId, discountId, subscriptionId, customerId, email }
  if (!(await redeemDiscount(tx, ctx.clock.now(), redemption))) throw noLongerRedeemable()
}

const toQuote = (ctx: Context, { changed, nextOrder, key }: PreparedDiscount): Quote => ({
  ...quoteOf(ctx, key),
  appliesAt: proven(changed.row.currentPeriodEnd, 'it is active').toISOString(),
  order: null,
  nextOrder: toQuoted(changed.row, nextOrder),
})
