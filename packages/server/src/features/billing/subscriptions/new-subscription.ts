import type { ParsedBillingBody, Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { FieldAnswers } from '../../../foundation/db/tables/metadata.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { checkCustomFieldData } from '../catalog/custom-field-data.ts'
import { amountIssues, currenciesOf, currencyFor, pricesIn } from '../catalog/offered-prices.ts'
import { changedTrial, noTrial, shownTrial } from '../catalog/trial-offer.ts'
import { type CustomerKey, type CustomerRow, findCustomer } from '../customer/customer.repository.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { findMethodFor, findMethodToCharge, type MethodToCharge } from '../customer/payment-method.repository.ts'
import { requireDiscount } from '../discount/redemption.service.ts'
import type { ComputedOrder, LinePeriod } from '../engine/compute-order.ts'
import { anchorDayOf, periodEnd } from '../engine/period.ts'
import { type TrialOffer, trialEndAt } from '../engine/trial.ts'
import { inBody, invalid } from '../invalid.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { mayChargeLater } from '../posting/later-charges.ts'
import { fullPriceOf, quantityOf } from '../posting/start-subscription.service.ts'
import { hasHadTrial, type TrialBuyer } from '../posting/trial-guard.service.ts'
import { readSellersTax } from '../tax/tax-settings.ts'
import { type ChangeWork, requireQuantity, requireSubscribable } from './change-plan.ts'
import { askedTerms, requireInvoiceable } from './collection.service.ts'
import { hashOf, type QuoteKey, quoteOf } from './quote.ts'
import { type Quote, toQuoted } from './quoted-order.ts'
import {
  buyerOf,
  type Charged,
  chargeOf,
  discountAt,
  fullAmountOf,
  linesOf,
  type PricedItem,
  type Subscribed,
  taxBehaviorOf,
} from './subscribed.ts'

/** A subscription that a seller begins. */
export type AskedStart = ParsedBillingBody<'previewSubscription'>

/** A subscription to begin: its parts as they are then, its first order, and the one that follows. */
export type PreparedStart = Charged &
  Pick<Subscribed, 'items' | 'prices' | 'product' | 'discount' | 'customer'> & {
    /** What the customer pays of a price that lets them choose. */
    readonly chosenAmount: number | null
    /** Of its fixed price. */
    readonly quantity: number
    readonly trial: LinePeriod | undefined
    readonly customFieldData: FieldAnswers
    readonly trialBuyer: TrialBuyer
    readonly method: MethodToCharge | undefined
    /** The days until its invoices are due, where these collect it. */
    readonly netTermsDays: number | undefined
    /** Whether it may charge, and its customer has no method for it. */
    readonly lacksMethod: boolean
    readonly order: ComputedOrder
    readonly nextOrder: ComputedOrder
    readonly key: QuoteKey
  }

/** The customer that a body names, in the caller's way to read them. */
export async function requireCustomer(
  { customerId, externalCustomerId }: Pick<AskedStart, 'customerId' | 'externalCustomerId'>,
  find: (key: CustomerKey) => Promise<CustomerRow | undefined>,
): Promise<CustomerRow> {
  if (customerId !== undefined && externalCustomerId !== undefined)
    throw invalid(inBody('external_customer_id', 'Name the customer in one way.'))
  const found =
    externalCustomerId !== undefined
      ? await find({ externalId: externalCustomerId })
      : await find({ id: customerId ?? refuseWithout('customer_id') })
  const named = externalCustomerId === undefined ? 'customer_id' : 'external_customer_id'
  if (!found) throw invalid(inBody(named, 'Customer does not exist.'))
  return found
}

const refuseWithout = (field: string): never => {
  throw invalid(inBody(field, 'Field required', 'missing'))
}

/** The customer that a body names, for a caller that only reads them. */
export const findAskedCustomer = (db: Db, organizationId: Id<'organization'>, asked: AskedStart) =>
  requireCustomer(asked, (key) => findCustomer(db, organizationId, key))

/** Prepares a subscription that begins now: what the preview shows is what its beginning posts. */
export async function prepareStart(
  work: ChangeWork,
  { organizationId, id: customerId, userId, buyerOrganizationId, email }: CustomerRow,
  asked: AskedStart,
  asOf: Date,
): Promise<PreparedStart> {
  const { ctx, db } = work
  const now = ctx.clock.now()
  const customer = proven((await readCustomers(ctx, db, organizationId, [customerId])).get(customerId), 'it was read')
  const product = await requireSubscribable(db, organizationId, asked.productId)
  const customFieldData = answersOf(product, asked)
  const currency = await startedCurrency(work, { organizationId, product, customer, asked })
  const prices = pricesIn(product, currency)
  const chosenAmount = chosenAmountOf(prices, asked)
  const quantity = requireQuantity(prices, asked.quantity) ?? 1
  const items = prices.map((price) => itemOf(price, chosenAmount, quantity))
  const discount =
    asked.discountId == null
      ? undefined
      : await requireDiscount(db, now, {
          organizationId,
          id: asked.discountId,
          product,
          currency,
          buyer: { customerId, email },
        })
  const lasting = mayChargeLater({ prices, amount: fullAmountOf(items), discount: undefined })
  const offer = lasting ? trialOffer(product, asked, now) : noTrial
  const trialEnd = trialEndAt(offer, now)
  const trial = trialEnd && { start: now, end: trialEnd }
  const mayCharge = mayChargeLater({ prices, amount: fullAmountOf(items), discount })
  const netTermsDays = askedTerms(asked)
  const isMethodNeeded =
    netTermsDays === undefined && mayCharge && (!trial || (asked.trialCardRequired ?? product.trialCardRequired))
  const parts = {
    row: { organizationId, currency },
    items,
    prices,
    product,
    discount,
    customer,
    buyer: buyerOf(customer, undefined),
    isBusiness: true,
    taxBehavior: taxBehaviorOf(prices),
  }
  const method = await startedMethod(db, { organizationId, customerId, asked })
  const trialBuyer = {
    ...{ organizationId, customerId, emails: [email], userId, buyerOrganizationId, card: null },
    savedCardKey: method?.fingerprintHash,
  }
  const orders = await ordersOf(work, parts, { trial, now, balance: await balanceOf(db, customerId, currency) })
  // Quoted orders have no times: a quote holds for a while.
  const quoted = { order: toQuoted(parts.row, orders.order), nextOrder: toQuoted(parts.row, orders.nextOrder) }
  const inputs = { items, netTermsDays, discountId: discount?.id, trial: trial && shownTrial(offer), ...quoted }
  return {
    ...parts,
    ...orders,
    chosenAmount,
    quantity,
    customFieldData,
    trial,
    trialBuyer,
    method,
    netTermsDays,
    lacksMethod: isMethodNeeded && !method,
    key: { subject: customerId, inputHash: hashOf(inputs), asOf },
  }
}

/** Refuses what only a look at all of it shows: a second trial, a total that no card pays, and an unknown tax. */
export async function requireStartable(
  { ctx, db }: ChangeWork,
  { trial, trialBuyer, order, buyer, netTermsDays, row: { organizationId, currency } }: PreparedStart,
): Promise<void> {
  if (trial && (await hasHadTrial(db, trialBuyer))) throw new TollgateError('TRIAL_ALREADY_REDEEMED')
  if (order.dueNow > ctx.payments.forNewCheckouts.limitsIn(currency).most) throw new TollgateError('TOTAL_TOO_LARGE')
  if (netTermsDays !== undefined) requireInvoiceable(buyer)
  const isTaxUnknown = order.totals.taxAmount === null && ctx.tax.kind !== 'none'
  if (isTaxUnknown && (await readSellersTax(ctx, db, organizationId)).registrations.length > 0)
    throw invalid(inBody('customer_id', 'The tax depends on the billing address of the customer, who has none.'))
}

/** A prepared subscription as its quote shows it. */
export const toStartQuote = (
  ctx: Context,
  { key, order, nextOrder, row }: Pick<PreparedStart, 'key' | 'order' | 'nextOrder' | 'row'>,
): Quote => ({
  ...quoteOf(ctx, key),
  appliesAt: key.asOf.toISOString(),
  order: toQuoted(row, order),
  nextOrder: toQuoted(row, nextOrder),
})

type Orders = Pick<PreparedStart, 'order' | 'nextOrder'>

type Buying = {
  readonly organizationId: Id<'organization'>
  readonly product: Product
  readonly customer: Subscribed['customer']
  readonly asked: AskedStart
}

async function startedCurrency({ ctx, db }: ChangeWork, { organizationId, product, customer, asked }: Buying) {
  const offered = currenciesOf(product)
  if (asked.currency != null) {
    if (offered.length === 0 || offered.includes(asked.currency)) return asked.currency
    throw invalid(inBody('currency', 'The product has no price in this currency.'))
  }
  const processor = ctx.payments.forNewCheckouts.name
  return currencyFor({ ctx, db, organizationId, processor }, product, customer.billingAddress?.country ?? null)
}

/** The answers to the product's custom fields, as a checkout checks them (CHK-20); a seller may leave all of them out. */
function answersOf(product: Product, { customFieldData }: AskedStart): FieldAnswers {
  if (customFieldData === undefined) return {}
  const { data, issues } = checkCustomFieldData(product.attachedCustomFields, customFieldData, true)
  if (issues.length > 0) throw invalid(...issues)
  return data
}

/** What the customer pays of a price that lets them choose; refuses an amount that is missing, or out of its bounds. */
function chosenAmountOf(prices: readonly ProductPrice[], { amount }: AskedStart): number | null {
  const price = prices.find(({ amountType }) => amountType === 'custom')
  if (!price) return null
  if (amount == null) throw invalid(inBody('amount', 'Field required', 'missing'))
  const issues = amountIssues(price, amount)
  if (issues.length > 0) throw invalid(...issues)
  return amount
}

const itemOf = (price: ProductPrice, chosenAmount: number | null, quantity: number): PricedItem => ({
  productPriceId: price.id,
  quantity: quantityOf(price, quantity),
  unitAmount: price.amountType === 'custom' ? chosenAmount : fullPriceOf(price),
})

/** The trial that the seller names, else the product's. */
function trialOffer(product: Product, asked: AskedStart, now: Date): TrialOffer {
  if (asked.allowTrial === false) return noTrial
  const { offer, issues } = changedTrial(noTrial, asked, now)
  if (issues.length > 0) throw invalid(...issues)
  if (offer.trialInterval !== null || offer.trialUntil !== null) return offer
  const { trialInterval, trialIntervalCount, trialUntil } = product
  return { trialInterval, trialIntervalCount, trialUntil: trialUntil === null ? null : new Date(trialUntil) }
}

type Paying = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'>
  readonly asked: AskedStart
}

/** The saved method that pays: the named one, else the default. */
async function startedMethod(db: Db, { organizationId, customerId, asked }: Paying) {
  const paymentMethodId = asked.paymentMethodId ?? null
  if (paymentMethodId !== null && !(await findMethodToCharge(db, { organizationId, customerId, paymentMethodId })))
    throw invalid(inBody('payment_method_id', 'Payment method does not exist.'))
  return findMethodFor(db, organizationId, customerId, paymentMethodId)
}

type Starting = { readonly trial: LinePeriod | undefined; readonly now: Date; readonly balance: number }

/** The first order, which a trial begins with at 0 (SUB-25), and the order of the period that follows. */
async function ordersOf(
  work: ChangeWork,
  parts: Charged & Pick<Subscribed, 'items' | 'product' | 'discount'>,
  { trial, now, balance }: Starting,
): Promise<Orders> {
  const { product, items, discount } = parts
  const cycle = { interval: proven(product.recurringInterval, 'only recurring products are begun'), count: 1 }
  const anchorDay = anchorDayOf(trial?.end ?? now)
  const first = trial ?? { start: now, end: periodEnd(now, cycle, anchorDay) }
  const charged = { product, items: withLine(trial ? items.map(freed) : items) }
  const order = await chargeOf(work, parts, {
    lines: linesOf(charged, first),
    discount: trial ? undefined : discount,
    balance,
  })
  const next = { start: first.end, end: periodEnd(first.end, cycle, anchorDay) }
  const discountAppliedAt = order.totals.discountAmount > 0 ? now : null
  const nextOrder = await chargeOf(work, parts, {
    lines: linesOf(parts, next),
    discount: discountAt({ discount, row: { discountAppliedAt, anchorDay } }, next.start),
    balance: order.balance.after,
  })
  return { order, nextOrder }
}

const freed = (item: PricedItem): PricedItem => ({ ...item, unitAmount: item.unitAmount === null ? null : 0 })

/** An order has a line, also where all is usage that is billed later. */
const withLine = (items: readonly PricedItem[]): readonly PricedItem[] =>
  items.some(({ unitAmount }) => unitAmount !== null)
    ? items
    : items.map((item, at) => (at === 0 ? { ...item, unitAmount: 0 } : item))
