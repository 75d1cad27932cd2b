import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { isUniqueViolation } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { findMethodFor, type MethodToCharge, shownMethodOf } from '../customer/payment-method.repository.ts'
import { inBody, invalid } from '../invalid.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { findOrder, findOrderById, itemsOfOrders, lockUnpaid } from '../order/order.repository.ts'
import { findLatestFor, insertPayment, listPendingFor } from '../order/payment.repository.ts'
import { findSubscription } from '../order/subscription.repository.ts'
import type { Charge, Processor } from '../payments/processor.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { attemptCharge, requireFewFailures, unknownToken } from '../settlement/attempt.ts'
import { type PaySubject as AnySubject, payLinkTo, subjectOf } from '../settlement/pay-link.ts'
import { settlePayment, watchPayment } from '../settlement/settle-payment.service.ts'
import { isPayable } from '../states.ts'
import { computedIn, findChange } from '../subscriptions/change.repository.ts'
import { lockBoth } from '../subscriptions/locked.ts'
import { readSubscribed } from '../subscriptions/subscribed.ts'
import { addCardByLink, showCardLink } from './card-link.service.ts'
import { lookAt, processorOf, shownAttempt } from './shown-attempt.ts'

/** What a link pays. */
type PaySubject = Exclude<AnySubject, { readonly kind: 'card' }>

/** What is to be paid, of an order or a change. */
type Due = Pick<
  BillingAnswer<'getPayLink'>,
  | 'description'
  | 'invoiceNumber'
  | 'dueAt'
  | 'items'
  | 'subtotalAmount'
  | 'discountAmount'
  | 'taxAmount'
  | 'totalAmount'
  | 'appliedBalanceAmount'
  | 'dueAmount'
  | 'currency'
  | 'customerName'
  | 'customerEmail'
  | 'country'
> & {
  readonly state: 'open' | 'paid' | 'void'
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'>
  readonly wantedMethodId: Id<'paymentMethod'> | null
  /** A new card is kept for what the subscription charges later. */
  readonly keepsMethod: boolean
  /** The saved card may pay it. The link of an invoice is in its document, which more people read than its customer. */
  readonly takesSaved: boolean
}

/** Makes a link for an order that waits for its payment. */
export const createPayLink: BillingHandler<'createPayLink'> = async ({ ctx, seller, params }) => {
  const order = await findOrder(ctx.db, seller.organizationId, params.id)
  if (!order) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (order.status !== 'pending') throw new TollgateError('ORDER_NOT_DUE')
  const { url, expiresAt } = payLinkTo(ctx, { kind: 'order', id: order.id }, order.dueAt)
  return { url, expiresAt: expiresAt.toISOString() }
}

/** Shows what a link asks for. A payment that waits for its customer comes with the secret to confirm it. */
export const getPayLink: BillingHandler<'getPayLink'> = async ({ ctx, params }) => {
  const { subject, madeAt, expiresAt } = requireSubject(ctx, params.payToken)
  if (subject.kind === 'card') return showCardLink(ctx, { id: subject.id, madeAt, expiresAt })
  return show(ctx, subject, expiresAt, await dueOf(ctx, ctx.db, subject))
}

/**
 * Pays in three steps, as a checkout does: a transaction records the payment, the processor charges outside of it, and
 * the result is settled. A former attempt that waits for its customer ends first.
 */
export const payByLink: BillingHandler<'payByLink'> = async ({ ctx, params, body }) => {
  const { subject, madeAt, expiresAt } = requireSubject(ctx, params.payToken)
  if (subject.kind === 'card')
    return addCardByLink(ctx, { id: subject.id, madeAt, expiresAt }, body.confirmationTokenId ?? null)
  await endFormer(ctx, subject)
  const charge = await begin(ctx, subject, body.confirmationTokenId ?? null)
  const attempt = await attemptCharge(ctx, ctx.payments.forNewCheckouts.name, charge)
  const settled = attempt && (await settlePayment(ctx, charge.paymentId, attempt))
  if (settled?.status === 'failed') {
    if (attempt?.status === 'failed' && attempt.reason === unknownToken.reason) throw invalid(unknownToken.issue)
    throw new TollgateError('PAYMENT_FAILED', { values: { reason: settled.message } })
  }
  return show(ctx, subject, expiresAt, await dueOf(ctx, ctx.db, subject))
}

function requireSubject(ctx: Context, token: string) {
  const found = subjectOf(ctx, token)
  if (!found) throw new TollgateError('RESOURCE_NOT_FOUND')
  return found
}

/** Reads what is to be paid. */
const dueOf = (ctx: Context, db: Db, subject: PaySubject): Promise<Due> =>
  subject.kind === 'order' ? dueOfOrder(db, subject.id) : dueOfChange(ctx, db, subject.id)

async function dueOfOrder(db: Db, id: Id<'order'>): Promise<Due> {
  const order = await findOrderById(db, id)
  if (!order) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { organizationId, subscriptionId, totalAmount, appliedBalanceAmount } = order
  const subscription = subscriptionId === null ? undefined : await findSubscription(db, organizationId, subscriptionId)
  const items = (await itemsOfOrders(db, [id])).get(id) ?? []
  return {
    state: order.status === 'pending' ? 'open' : order.status === 'void' ? 'void' : 'paid',
    organizationId,
    customerId: order.customerId,
    wantedMethodId: subscription?.paymentMethodId ?? null,
    // The card that pays an invoice is not asked for again.
    keepsMethod: subscription !== undefined && order.dueAt === null,
    takesSaved: order.dueAt === null,
    description: order.snapshot.product.name,
    invoiceNumber: order.dueAt === null ? null : order.invoiceNumber,
    dueAt: order.dueAt?.toISOString() ?? null,
    items: items.map(({ label, amount }) => ({ label, amount })),
    subtotalAmount: order.subtotalAmount,
    discountAmount: order.discountAmount,
    taxAmount: order.taxAmount,
    totalAmount,
    appliedBalanceAmount,
    dueAmount: Math.max(0, totalAmount + appliedBalanceAmount),
    currency: order.currency,
    customerName: order.buyerName,
    customerEmail: order.buyerEmail,
    country: order.billingAddress?.country ?? null,
  }
}

async function dueOfChange(ctx: Context, db: Db, id: Id<'subscriptionChange'>): Promise<Due> {
  const change = await findChange(db, id)
  const row = change && (await findSubscription(db, change.organizationId, change.subscriptionId))
  if (!change || !row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { customer, buyer } = await readSubscribed(ctx, db, row)
  const { items, totals, balance, dueNow } = computedIn(change)
  const holds = row.version === change.version && isPayable(row.status)
  const open = holds ? 'open' : 'void'
  return {
    state: change.status === 'pending' ? open : change.status === 'applied' ? 'paid' : 'void',
    organizationId: row.organizationId,
    customerId: row.customerId,
    wantedMethodId: row.paymentMethodId,
    keepsMethod: true,
    takesSaved: true,
    description: items.at(-1)?.label ?? '',
    invoiceNumber: null,
    dueAt: null,
    items: items.map(({ label, amount }) => ({ label, amount })),
    subtotalAmount: totals.subtotalAmount,
    discountAmount: totals.discountAmount,
    taxAmount: totals.taxAmount ?? 0,
    totalAmount: totals.totalAmount,
    appliedBalanceAmount: balance.applied,
    dueAmount: dueNow,
    currency: row.currency,
    customerName: buyer.name,
    customerEmail: customer.email,
    country: buyer.billingAddress?.country ?? null,
  }
}

async function show(
  ctx: Context,
  subject: PaySubject,
  expiresAt: Date,
  { state, organizationId, customerId, wantedMethodId, keepsMethod: _, takesSaved, ...due }: Due,
): Promise<BillingAnswer<'getPayLink'>> {
  const [pending] = state === 'open' ? await listPendingFor(ctx.db, keyOf(subject)) : []
  const latest = state === 'open' && !pending ? await findLatestFor(ctx.db, keyOf(subject)) : undefined
  const processor = processorOf(ctx, pending)
  const standing = pending && (await lookAt(ctx, processor, pending))
  const method = takesSaved ? await findMethodFor(ctx.db, organizationId, customerId, wantedMethodId) : undefined
  return {
    purpose: 'payment',
    ...due,
    status: state === 'open' && pending ? 'pending' : state,
    expiresAt: expiresAt.toISOString(),
    organization: await readMerchant(ctx, ctx.db, organizationId),
    ...shownAttempt(processor, latest, standing),
    savedMethod: method?.processor === processor.name ? await shownMethodOf(ctx.db, method.id) : null,
  }
}

const keyOf = ({ kind, id }: PaySubject) => (kind === 'order' ? { orderId: id } : { changeId: id })

/** Ends the attempts that wait for the customer: they try again, perhaps by another card. */
async function endFormer(ctx: Context, subject: PaySubject): Promise<void> {
  for (const payment of await listPendingFor(ctx.db, keyOf(subject))) {
    const processor = processorOf(ctx, payment)
    const standing = await lookAt(ctx, processor, payment)
    if (standing?.status !== 'requires_action') continue
    await settlePayment(ctx, payment.id, await processor.cancel(payment.id))
  }
}

/** Records the payment and locks what it is for, so that only one is under way. */
async function begin(ctx: Context, subject: PaySubject, confirmationToken: string | null): Promise<Charge> {
  const { organizationId } = await dueOf(ctx, ctx.db, subject)
  // A seller who is stopped takes no further money.
  if (!(await organizationMaySell(ctx, organizationId))) throw new TollgateError('MERCHANT_NOT_APPROVED')
  try {
    return await ctx.transaction((tx) => beginIn(ctx, tx, { subject, organizationId }, confirmationToken))
  } catch (error) {
    // Another payment of the same order has begun in this moment.
    throw isUniqueViolation(error) ? new TollgateError('ORDER_NOT_DUE', { cause: error }) : error
  }
}

type Begun = { readonly subject: PaySubject; readonly organizationId: Id<'organization'> }

async function beginIn(ctx: Context, tx: Tx, { subject, organizationId }: Begun, confirmationToken: string | null) {
  const now = ctx.clock.now()
  await lockSubject(tx, organizationId, subject)
  const due = await dueOf(ctx, tx, subject)
  const { customerId, dueAmount: amount, appliedBalanceAmount, currency } = due
  const key = keyOf(subject)
  if (due.state !== 'open' || (await listPendingFor(tx, key)).length > 0) throw new TollgateError('ORDER_NOT_DUE')
  await requireFewFailures(tx, now, { organizationId, ...key })
  const method = due.takesSaved ? await findMethodFor(tx, organizationId, customerId, due.wantedMethodId) : undefined
  const processor = ctx.payments.forNewCheckouts
  const source = sourceOf(confirmationToken, method, processor)
  const paymentId = newUuid()
  await insertPayment(tx, {
    id: paymentId,
    organizationId,
    processor: processor.name,
    purpose: 'charge',
    subject: subject.kind,
    status: 'pending',
    amount,
    currency,
    // A posted order has taken its part of the balance already.
    reservedBalance: subject.kind === 'change' ? Math.max(0, -appliedBalanceAmount) : 0,
    method: 'card',
    ...key,
    customerId,
    customerEmail: due.customerEmail,
    isTest: processor.isTest,
    createdAt: now,
  })
  await watchPayment(tx, now, { id: paymentId, organizationId })
  const keepMethod = due.keepsMethod && confirmationToken !== null
  const charge: Charge = { paymentId, purpose: 'charge', amount, currency, source, keepMethod, offSession: false }
  return charge
}

/**
 * Locks what is paid. The end of a subscription voids its order, and a later change discards an earlier one: before, or
 * after the payment's row is there, and never in between.
 */
async function lockSubject(tx: Tx, organizationId: Id<'organization'>, { kind, id }: PaySubject): Promise<void> {
  if (kind === 'order') await lockUnpaid(tx, organizationId, id)
  const change = kind === 'change' ? await findChange(tx, id) : undefined
  if (change) await lockBoth(tx, organizationId, change.subscriptionId)
}

function sourceOf(
  confirmationToken: string | null,
  method: MethodToCharge | undefined,
  processor: Processor,
): Charge['source'] {
  if (confirmationToken !== null) return { confirmationToken }
  if (method?.processor === processor.name) return { methodReference: method.processorReference }
  throw invalid(inBody('confirmation_token_id', 'Field is required.', 'missing'))
}
