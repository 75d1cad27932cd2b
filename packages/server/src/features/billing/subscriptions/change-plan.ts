import type { Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { ChangeTarget } from '../../../foundation/db/tables/order.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { isFree, pricesIn } from '../catalog/offered-prices.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { type DiscountRow, findKeptDiscount } from '../discount/discount.repository.ts'
import { discountOn } from '../discount/discount-rules.ts'
import { appliesTo } from '../discount/redemption.service.ts'
import type { ComputedOrder, LinePeriod } from '../engine/compute-order.ts'
import { periodEnd } from '../engine/period.ts'
import type { PeriodPrice } from '../engine/proration.ts'
import {
  type ChangeBehavior,
  type ChangePlan,
  monthsOf,
  planChange,
  type Terms,
} from '../engine/subscription-change.ts'
import { inBody, invalid } from '../invalid.ts'
import { findMerchant, subscriptionSettingsOf } from '../merchant/merchant.repository.ts'
import { split } from '../money.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { findBilledDiscount, listOpenOrders } from '../order/order.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { fullPriceOf, quantityOf } from '../posting/start-subscription.service.ts'
import type { Taxes } from '../tax/taxes.ts'
import { dueChangeOf } from './price-change.ts'
import { hashOf, type QuoteKey } from './quote.ts'
import { listWaitingEntries } from './renewal.repository.ts'
import { targetOfPhase } from './schedule-phase.ts'
import { stepOf } from './schedule-step.ts'
import {
  chargeOf,
  discountAt,
  lineOfEntry,
  linesOf,
  netAmountOf,
  type PricedItem,
  readSubscribed,
  type Subscribed,
  taxBehaviorOf,
} from './subscribed.ts'

/** A change that a seller asks for. */
export type AskedChange = {
  readonly productId: Id<'product'> | undefined
  readonly quantity: number | undefined
  readonly behavior: ChangeBehavior | undefined
}

/** A change with all that it does: the order that it posts now, and the order that follows at the end of the period. */
export type PreparedChange = {
  readonly subscribed: Subscribed
  /** The subscription's parts as they are after the change. */
  readonly changed: Subscribed
  readonly target: ChangeTarget
  readonly plan: ChangePlan
  /** Undefined where the change posts none: it applies later, waits for the next order, or bills nothing. */
  readonly order: ComputedOrder | undefined
  readonly nextOrder: ComputedOrder
  /** The discount of `order`: a proration is net of its own already. */
  readonly discount: DiscountRow | undefined
  /** The waiting lines that `order` bills too (SUB-23). */
  readonly billedEntries: readonly WaitingEntry[]
  readonly key: QuoteKey
}

type WaitingEntry = Awaited<ReturnType<typeof listWaitingEntries>>[number]

export type ChangeWork = { readonly ctx: Context; readonly db: Db; readonly taxes: Taxes }

/** Prepares a change as of a moment: what the preview shows is what the change posts. */
export async function prepareChange(
  work: ChangeWork,
  row: SubscriptionRow,
  asked: AskedChange,
  asOf: Date,
): Promise<PreparedChange> {
  const { ctx, db } = work
  const subscribed = await readSubscribed(ctx, db, row)
  const changed = await changedBy(db, subscribed, asked)
  requirePayable(ctx, changed)
  const isOnTrial = row.status === 'trialing'
  const behavior = asked.behavior ?? (isOnTrial ? 'invoice' : await usualBehavior(db, subscribed, changed))
  const period = { start: row.currentPeriodStart, end: proven(row.currentPeriodEnd, 'it is active') }
  const billedWith = await discountOfRunning(db, subscribed)
  const plan = planChange({
    old: await termsOf(db, subscribed, billedWith),
    next: await termsOf(db, changed, billedWith),
    period,
    behavior,
    now: asOf,
    isOnTrial,
  })
  await requireCreditPaid(db, row, plan)
  const entries = await listWaitingEntries(db, row.id)
  const balance = await balanceOf(db, row.customerId, row.currency)
  const now = await orderNow(work, changed, { plan, entries, balance, asOf })
  const nextOrder = await orderNext(work, { subscribed, changed, plan, entries, now, balance })
  const target = targetOf(changed, plan, now?.discount)
  const inputs = { version: row.version, target, behavior, plan, order: now?.computed ?? null, nextOrder }
  return {
    subscribed,
    changed,
    target,
    plan,
    order: now?.computed,
    discount: now?.discount,
    billedEntries: now?.entries ?? [],
    nextOrder,
    key: { subject: row.id, inputHash: hashOf(inputs), asOf },
  }
}

/**
 * Refuses a change that gives credit for a running period that is not paid: its order may be voided, and the credit would
 * stay. The same change may wait for the end of the period.
 */
async function requireCreditPaid(db: Db, row: SubscriptionRow, plan: ChangePlan): Promise<void> {
  if (plan.applies === 'next_period') return
  const prorated = [...(plan.billed ?? []), ...plan.waits].filter(({ kind }) => kind === 'proration')
  if (prorated.reduce((sum, { amount }) => sum + amount, 0) >= 0) return
  const start = row.currentPeriodStart.getTime()
  const open = await listOpenOrders(db, row)
  if (open.some(({ periodStart }) => periodStart?.getTime() === start))
    throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
}

function targetOf(
  { row: { quantity }, product, prices, discount }: Subscribed,
  plan: ChangePlan,
  begins: DiscountRow | undefined,
): ChangeTarget {
  const restart = plan.applies === 'now' ? plan.restart : undefined
  return {
    productId: product.id,
    priceIds: prices.map(({ id }) => id),
    quantity,
    // A new period has the discount only while it lasts (SUB-11).
    discountId: (restart ? begins : discount)?.id ?? null,
    restart: restart
      ? { start: restart.start.toISOString(), end: restart.end.toISOString(), anchorDay: restart.anchorDay }
      : null,
  }
}

/** The discount that the running period was billed with, whatever has become of it since (SUB-22). */
export async function discountOfRunning(db: Db, { row }: Pick<Subscribed, 'row'>): Promise<DiscountRow | undefined> {
  const id = await findBilledDiscount(db, row)
  return id === null ? undefined : findKeptDiscount(db, row.organizationId, id)
}

/** The subscription as it is with another product, another quantity, or both. */
export async function changedBy(
  db: Db,
  before: Subscribed,
  { productId, quantity }: Pick<AskedChange, 'productId' | 'quantity'>,
): Promise<Subscribed> {
  if (productId !== undefined) return withProduct(db, before, await targetProduct(db, before.row, productId), quantity)
  const { row, items, prices } = before
  const wanted = requireQuantity(prices, quantity) ?? row.quantity
  return {
    ...before,
    row: { ...row, quantity: wanted },
    items: items.map((item, at) => ({ ...item, quantity: quantityOf(proven(prices[at], 'each has one'), wanted) })),
  }
}

/** Refuses what no card could pay in one payment. */
export function requirePayable({ payments }: Pick<Context, 'payments'>, changed: Subscribed): void {
  if (netAmountOf(changed) > payments.forNewCheckouts.limitsIn(changed.row.currency).most)
    throw new TollgateError('TOTAL_TOO_LARGE')
}

/** The quantity that a body names; refuses one for prices of which none is fixed. */
export function requireQuantity(prices: readonly ProductPrice[], quantity: number | undefined): number | undefined {
  if (quantity === undefined || hasFixed(prices)) return quantity
  throw invalid(inBody('quantity', 'Only a fixed price has a quantity.'))
}

const hasFixed = (prices: readonly ProductPrice[]): boolean => prices.some(({ amountType }) => amountType === 'fixed')

/** The product to change to; refuses one that a subscription cannot have (SUB-5). */
async function targetProduct(
  db: Db,
  { organizationId, currency }: SubscriptionRow,
  id: Id<'product'>,
): Promise<Product> {
  const product = await requireSubscribable(db, organizationId, id)
  const prices = pricesIn(product, currency)
  if (prices.some(({ amountType }) => amountType === 'custom'))
    throw refuseProduct('Product has a price that the buyer chooses.')
  if (prices.length === 0) throw refuseProduct('Product has no price in the currency of the subscription.')
  return product
}

/** A product that a body names for a subscription; refuses one that nothing subscribes to (SUB-5). */
export async function requireSubscribable(
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'product'>,
): Promise<Product> {
  const product = (await readProducts(db, organizationId, [id])).get(id)
  if (!product) throw refuseProduct('Product does not exist.')
  if (product.isArchived) throw refuseProduct('Product is archived.')
  if (!product.isRecurring) throw refuseProduct('Product is not a recurring product.')
  return product
}

const refuseProduct = (msg: string) => invalid(inBody('product_id', msg))

/** The subscription as it is with another product; the quantity stays where the product has a fixed price. */
async function withProduct(
  db: Db,
  before: Subscribed,
  product: Product,
  asked: number | undefined,
): Promise<Subscribed> {
  const { currency } = before.row
  const prices = pricesIn(product, currency)
  const quantity = requireQuantity(prices, asked) ?? (hasFixed(prices) ? before.row.quantity : 1)
  if (
    taxBehaviorOf(prices) !== before.taxBehavior &&
    !isFree(prices) &&
    before.items.some(({ unitAmount }) => unitAmount)
  )
    throw invalid(inBody('product_id', 'The prices of one product contain the tax, and those of the other do not.'))
  const discount =
    before.discount && (await appliesTo(db, before.discount, product, currency)) ? before.discount : undefined
  return { ...before, ...withPrices({ ...before.row, quantity }, product, prices), discount }
}

/** What a subscription charges, with another product and its prices. */
function withPrices(before: SubscriptionRow, product: Product, prices: readonly ProductPrice[]) {
  const items: PricedItem[] = prices.map((price) => ({
    productPriceId: price.id,
    quantity: quantityOf(price, before.quantity),
    unitAmount: fullPriceOf(price),
  }))
  const interval = proven(product.recurringInterval, 'only recurring products are changed to')
  const row = { ...before, productId: product.id, recurringInterval: interval, intervalCount: 1 }
  return { row, items, prices, product, taxBehavior: taxBehaviorOf(prices) }
}

/** A downgrade waits for the end of the period; anything else follows the seller's setting (SUB-9, SUB-18). */
async function usualBehavior(db: Db, before: Subscribed, after: Subscribed): Promise<ChangeBehavior> {
  if (perMonth(after) < perMonth(before)) return 'next_period'
  const merchant = await findMerchant(db, before.row.organizationId)
  return subscriptionSettingsOf(merchant).prorationBehavior
}

/** The full price per month, before discounts (SUB-27). */
const perMonth = ({ items, row }: Subscribed): number =>
  items.reduce((sum, { unitAmount, quantity }) => sum + (unitAmount ?? 0) * quantity, 0) / monthsOf(cycleOf(row))

const cycleOf = ({ recurringInterval, intervalCount }: SubscriptionRow) => ({
  interval: recurringInterval,
  count: intervalCount,
})

/** A side of the change, with its prices net of the discount that the running period was billed with. */
export async function termsOf(db: Db, side: Subscribed, billedWith: DiscountRow | undefined): Promise<Terms> {
  const full = linesOf(side, { start: side.row.currentPeriodStart, end: side.row.currentPeriodStart })
  const sum = full.reduce((total, { amount }) => total + amount, 0)
  const applies = billedWith && (await appliesTo(db, billedWith, side.product, side.row.currency))
  const off = split(
    applies ? discountOn(billedWith, sum) : 0,
    full.map(({ amount }) => amount),
  )
  const prices = full.map(
    ({ label, quantity, productId, productPriceId, isTaxExempt, amount }, at): PeriodPrice => ({
      label,
      quantity,
      productId,
      productPriceId,
      isTaxExempt,
      amount: amount - (off[at] ?? 0),
    }),
  )
  return { cycle: cycleOf(side.row), lines: (period: LinePeriod) => linesOf(side, period), prices }
}

type Now = {
  readonly computed: ComputedOrder
  readonly discount: DiscountRow | undefined
  readonly entries: readonly WaitingEntry[]
}

/** The order that the change posts; undefined where it bills nothing now (SUB-7). */
async function orderNow(
  work: ChangeWork,
  changed: Subscribed,
  given: { plan: ChangePlan; entries: readonly WaitingEntry[]; balance: number; asOf: Date },
): Promise<Now | undefined> {
  const { plan, balance, asOf } = given
  if (plan.applies !== 'now' || !plan.billed) return undefined
  // A new period bills what waited for the next order too (SUB-23).
  const entries = plan.restart ? given.entries : []
  const lines = [...plan.billed, ...entries.map((entry) => lineOfEntry(entry, changed))]
  if (lines.length === 0) return undefined
  const discount = plan.restart && discountAt(changed, asOf)
  return { computed: await chargeOf(work, changed, { lines, discount, balance }), discount, entries }
}

/** The order at the end of the period that then runs, as far as it is known now. */
async function orderNext(
  work: ChangeWork,
  given: {
    subscribed: Subscribed
    changed: Subscribed
    plan: ChangePlan
    entries: readonly WaitingEntry[]
    now: Now | undefined
    balance: number
  },
): Promise<ComputedOrder> {
  const { plan, entries, now, balance } = given
  const restart = plan.applies === 'now' ? plan.restart : undefined
  const start = restart?.end ?? proven(given.changed.row.currentPeriodEnd, 'it is active')
  const changed = await withNewPrice(work.db, given.changed, start)
  const { row } = changed
  const anchorDay = restart?.anchorDay ?? row.anchorDay
  const period = { start, end: periodEnd(start, cycleOf(row), anchorDay) }
  const waiting = restart ? [] : entries.map((entry) => lineOfEntry(entry, changed))
  const waits = plan.applies === 'now' ? plan.waits : []
  return chargeOf(work, changed, {
    lines: [...linesOf(changed, period), ...waiting, ...waits],
    discount: discountAt(
      now?.discount && restart
        ? { ...changed, row: { anchorDay, discountAppliedAt: row.discountAppliedAt ?? restart.start } }
        : changed,
      start,
    ),
    balance: now ? now.computed.balance.after : balance,
  })
}

/** The next order of a subscription that nothing further changes: a change that waits for it applies. */
export async function prepareNext(work: ChangeWork, subscribed: Subscribed): Promise<ComputedOrder> {
  const { row } = subscribed
  const entries = await listWaitingEntries(work.db, row.id)
  const balance = await balanceOf(work.db, row.customerId, row.currency)
  const plan: ChangePlan = { applies: 'next_period', at: proven(row.currentPeriodEnd, 'it is active') }
  const changed = await withPending(work.db, subscribed)
  return orderNext(work, { subscribed, changed, plan, entries, now: undefined, balance })
}

/** The subscription as it is once what waits for the end of its period applies: a change, or a phase of its schedule. */
async function withPending(db: Db, before: Subscribed): Promise<Subscribed> {
  const { row } = before
  if (row.pendingChange) return withTarget(db, before, row.pendingChange)
  const begins = row.schedule && stepOf(row.schedule, proven(row.currentPeriodEnd, 'it is active')).begins
  if (!begins) return before
  const changed = await withTarget(db, before, await targetOfPhase(db, row, begins))
  return begins.discount ? { ...changed, row: { ...changed.row, discountAppliedAt: null } } : changed
}

/** The subscription as it is in the period that begins at `start`, with the new price that then applies. */
async function withNewPrice(db: Db, before: Subscribed, start: Date): Promise<Subscribed> {
  const { row, discount } = before
  const due = await dueChangeOf(db, row, start, async () => before.items)
  if (!due) return before
  const { productId, quantity } = row
  const target = { productId, priceIds: due.priceIds, quantity, discountId: discount?.id ?? null, restart: null }
  return withTarget(db, before, target)
}

async function withTarget(db: Db, before: Subscribed, target: ChangeTarget): Promise<Subscribed> {
  const { row } = before
  const { productId, priceIds, quantity = 1, discountId } = target
  const product = proven(
    (await readProducts(db, row.organizationId, [productId])).get(productId),
    'products are never deleted',
  )
  const known = await readPrices(db, row.organizationId, priceIds)
  const prices = priceIds.map((id) => proven(known.get(id), 'prices are never deleted'))
  const discount = discountId === null ? undefined : await findKeptDiscount(db, row.organizationId, discountId)
  return { ...before, ...withPrices({ ...row, quantity, discountId }, product, prices), discount }
}
