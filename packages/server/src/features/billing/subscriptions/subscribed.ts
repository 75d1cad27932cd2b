import type { Customer, Product, ProductPrice, Subscription } from '@tollgate/contract/billing-types'
import type { BillingEventType } from '@tollgate/contract/events'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { type DiscountRow, findKeptDiscount } from '../discount/discount.repository.ts'
import { toDiscountBase } from '../discount/discount.service.ts'
import { discountOn } from '../discount/discount-rules.ts'
import {
  type ComputedOrder,
  computeOrder,
  type LinePeriod,
  type OrderLine,
  type TaxQuote,
} from '../engine/compute-order.ts'
import { discountHolds } from '../engine/discount-span.ts'
import { emitBilling } from '../events.ts'
import { findLatestOrder, type OrderRow } from '../order/order.repository.ts'
import {
  listSubscriptionItems,
  type SubscriptionItemRow,
  type SubscriptionRow,
} from '../order/subscription.repository.ts'
import { toSubscription } from '../order/subscription-view.ts'
import type { OrderBuyer } from '../posting/post-order.service.ts'
import { quoteOrder, type TaxedSale } from '../tax/sale-tax.ts'
import type { Taxes } from '../tax/taxes.ts'
import type { BillingEntryRow } from './renewal.repository.ts'

/** What a subscription charges each period for one of its prices; null for usage. */
export type PricedItem = Pick<SubscriptionItemRow, 'productPriceId' | 'quantity' | 'unitAmount'>

/** A subscription with all that its next order is computed from. */
export type Subscribed = {
  readonly row: SubscriptionRow
  readonly items: readonly PricedItem[]
  readonly prices: readonly ProductPrice[]
  readonly product: Product
  readonly discount: DiscountRow | undefined
  readonly customer: Customer
  readonly buyer: OrderBuyer
  /** Whether the buyer's tax number counts. */
  readonly isBusiness: boolean
  readonly taxBehavior: OrderRow['taxBehavior']
}

/** Reads what a subscription's orders are made of. */
export async function readSubscribed(ctx: Context, db: Db, row: SubscriptionRow): Promise<Subscribed> {
  const { organizationId, customerId, productId, discountId } = row
  const items = await listSubscriptionItems(db, row.id)
  const prices = await readPrices(
    db,
    organizationId,
    items.map((item) => item.productPriceId),
  )
  const product = (await readProducts(db, organizationId, [productId])).get(productId)
  const customer = proven((await readCustomers(ctx, db, organizationId, [customerId])).get(customerId), 'a subscriber')
  const discount = discountId === null ? undefined : await findKeptDiscount(db, organizationId, discountId)
  const latest = await findLatestOrder(db, row)
  return {
    row,
    items,
    prices: items.map((item) => proven(prices.get(item.productPriceId), 'prices are never deleted')),
    product: proven(product, 'products are never deleted'),
    discount,
    customer,
    buyer: buyerOf(customer, latest),
    // A tax number alone makes no business: a consumer who was taxed in spite of theirs stays one.
    isBusiness: latest?.tax?.treatment !== 'taxed',
    taxBehavior: taxBehaviorOf([...prices.values()]),
  }
}

/** Whether the prices of a product contain their tax. */
export const taxBehaviorOf = (prices: readonly ProductPrice[]): Subscribed['taxBehavior'] =>
  prices.some((price) => price.taxBehavior === 'inclusive') ? 'inclusive' : 'exclusive'

/** The buyer of a subscription's orders: what a known customer has stored since they bought, else what they entered. */
export function buyerOf(customer: Customer, latest: OrderRow | undefined): OrderBuyer {
  const isKnown = latest?.isBuyerKnown ?? true
  const stored = isKnown ? customer : undefined
  return {
    customer,
    isKnown,
    name: stored?.name ?? latest?.buyerName ?? null,
    email: stored?.email ?? latest?.buyerEmail ?? null,
    taxId: stored?.taxId?.[0] ?? latest?.buyerTaxId ?? null,
    locale: latest?.buyerLocale ?? null,
    billingName: stored?.billingName ?? latest?.billingName ?? stored?.name ?? null,
    billingAddress: stored?.billingAddress ?? latest?.billingAddress ?? null,
  }
}

/** The discount of the period that begins at `start`; undefined where there is none, or none any more (SUB-11). */
export const discountAt = (
  {
    discount,
    row,
  }: Pick<Subscribed, 'discount'> & { readonly row: Pick<SubscriptionRow, 'discountAppliedAt' | 'anchorDay'> },
  start: Date,
): DiscountRow | undefined =>
  discount && discountHolds({ ...discount, appliedAt: row.discountAppliedAt, anchorDay: row.anchorDay }, start)
    ? discount
    : undefined

/** The lines that a subscription charges for a period; usage has none here. */
export const linesOf = ({ items, product }: Pick<Subscribed, 'items' | 'product'>, period: LinePeriod): OrderLine[] =>
  items
    .filter(({ unitAmount }) => unitAmount !== null)
    .map((item) => ({
      kind: 'price',
      label: product.name,
      quantity: item.quantity,
      unitAmount: String(item.unitAmount),
      amount: proven(item.unitAmount, 'usage is left out') * item.quantity,
      productId: product.id,
      productPriceId: item.productPriceId,
      isTaxExempt: product.isTaxExempt,
      isDiscountable: true,
      period,
    }))

/** What one period of a subscription costs before discounts, in minor units. */
export const fullAmountOf = (items: Subscribed['items']): number =>
  items.reduce((sum, { unitAmount, quantity }) => sum + (unitAmount ?? 0) * quantity, 0)

/** The same, net of the discount (SUB-4). */
export function netAmountOf({ items, discount }: Pick<Subscribed, 'items' | 'discount'>): number {
  const full = fullAmountOf(items)
  return full - (discount ? discountOn(discount, full) : 0)
}

/** A line that has waited for the next order. */
export const lineOfEntry = (entry: BillingEntryRow, { product }: Pick<Subscribed, 'product'>): OrderLine => ({
  kind: entry.kind,
  label: entry.label,
  quantity: entry.quantity,
  unitAmount: entry.unitAmount,
  amount: entry.amount,
  productId: product.id,
  productPriceId: entry.productPriceId,
  isTaxExempt: product.isTaxExempt,
  isDiscountable: false,
  period: entry.periodStart && entry.periodEnd ? { start: entry.periodStart, end: entry.periodEnd } : null,
})

/** The lines of an order with its discount, and what the customer has to their credit. */
export type ToCharge = {
  readonly lines: readonly OrderLine[]
  readonly discount: DiscountRow | undefined
  readonly balance: number
}

type TaxWork = { readonly ctx: Pick<Context, 'config' | 'tax' | 'payments'>; readonly db: Db; readonly taxes: Taxes }

/** A subscription, perhaps one to come, with what its tax depends on. */
export type Charged = Pick<Subscribed, 'buyer' | 'isBusiness' | 'taxBehavior'> & {
  readonly row: Pick<SubscriptionRow, 'organizationId' | 'currency'>
}

/** Computes a subscription's order with its tax, which is asked for anew each time. */
export async function chargeOf(
  work: TaxWork,
  { row, buyer, isBusiness, taxBehavior }: Charged,
  { lines, discount, balance }: ToCharge,
): Promise<ComputedOrder> {
  const { organizationId, currency } = row
  const inputs = (tax: TaxQuote | undefined) => ({
    currency,
    taxBehavior,
    lines,
    discountOn: discount && ((base: number) => discountOn(discount, base)),
    tax,
    balance,
  })
  const { taxRequest } = computeOrder(inputs(undefined))
  const sale: TaxedSale = {
    organizationId,
    address: buyer.billingAddress,
    isBusiness: isBusiness && buyer.taxId !== null,
    taxId: buyer.taxId,
    lines: taxRequest,
    currency,
    taxBehavior,
  }
  const { least } = work.ctx.payments.forNewCheckouts.limitsIn(currency)
  return withoutTinyPayment(computeOrder(inputs(await quoteOrder(work, sale))), least)
}

/**
 * The order with nothing due where a processor would refuse so small a payment: it becomes the customer's debt, which the
 * next order collects (SUB-30). Otherwise a subscription would end for a few cents.
 */
function withoutTinyPayment(computed: ComputedOrder, least: number): ComputedOrder {
  const { balance, dueNow } = computed
  if (dueNow === 0 || dueNow >= least) return computed
  return { ...computed, balance: { applied: balance.applied - dueNow, after: balance.after - dueNow }, dueNow: 0 }
}

/** A subscription as responses and events show it. */
export const toShown = ({ row, customer, product, discount, prices }: Subscribed): Subscription =>
  toSubscription(row, {
    customer,
    product,
    discount: discount && row.discountId !== null ? toDiscountBase(discount) : null,
    prices: [...prices],
  })

/** Emits events of a subscription as it is now. */
export async function tellSubscription(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  subscribed: Subscribed,
  types: readonly SubscriptionEvent[],
  actorId: Id<'user'> | null = null,
): Promise<void> {
  const { organizationId } = subscribed.row
  const shown = toShown(subscribed)
  for (const type of types) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, type, shown)
}

type SubscriptionEvent = Extract<BillingEventType, `subscription.${string}`>
