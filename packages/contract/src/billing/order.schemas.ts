import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { customer } from './customer.schemas.ts'
import { discountBase } from './discount.schemas.ts'
import {
  address,
  byId,
  customFieldDataOutput,
  flag,
  foreignId,
  id,
  listOf,
  listQuery,
  metadataFilter,
  metadataOutput,
  moment,
  recurringInterval,
  sellerErrors,
  several,
  stamped,
  utc,
  whole,
} from './fields.ts'
import { meter } from './meter.schemas.ts'
import type { orderCalls } from './order.calls.ts'
import { paidByNames } from './processor.schemas.ts'
import { product, productBase, productPrice } from './product.schemas.ts'
import { saleTax } from './tax.schemas.ts'

export const orderStatuses = ['pending', 'paid', 'refunded', 'partially_refunded'] as const
export const billingReasons = ['purchase', 'subscription_create', 'subscription_cycle', 'subscription_update'] as const
export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
] as const
/** How a subscription's orders are collected: by the saved card, or by invoices that are due by terms. */
export const collectionMethods = ['charge_automatically', 'send_invoice'] as const
/**
 * The statuses that lists are filtered by. `unpaid` finds paused ones too, because clients of 0.32.16 see these as unpaid;
 * `paused` finds them alone, for clients that know it (SDK 1.0.x).
 */
export const filteredSubscriptionStatuses = [...subscriptionStatuses, 'paused'] as const
export const paymentStatuses = ['pending', 'succeeded', 'failed'] as const
export const cancellationReasons = [
  'customer_service',
  'low_quality',
  'missing_features',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
  'other',
] as const

const subscriptionCore = {
  ...stamped,
  amount: z.int(),
  /** Ours: how many units of its fixed price each period charges; `amount` is for all of them. */
  quantity: z.int(),
  currency: z.string(),
  recurringInterval,
  recurringIntervalCount: z.int(),
  status: z.enum(subscriptionStatuses),
  currentPeriodStart: utc,
  currentPeriodEnd: utc.nullable(),
  trialStart: utc.nullable(),
  trialEnd: utc.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  canceledAt: utc.nullable(),
  startedAt: utc.nullable(),
  endsAt: utc.nullable(),
  endedAt: utc.nullable(),
  pastDueAt: utc.nullable(),
  /** Since when it is paused. Its status is `unpaid` until it resumes. */
  pausedAt: utc.nullable(),
  /** When the pause is over; null where only a call ends it. */
  resumesAt: utc.nullable(),
  /** Whether it pauses at the end of its period. */
  pauseAtPeriodEnd: z.boolean(),
  /** Ours: whether the saved card pays its orders, or invoices ask for them. */
  collectionMethod: z.enum(collectionMethods),
  /** Ours: the days until an invoice is due; null where the saved card pays. */
  netTermsDays: z.int().nullable(),
  customerId: z.string(),
  productId: z.string(),
  discountId: z.string().nullable(),
  checkoutId: z.string().nullable(),
  customerCancellationReason: z.enum(cancellationReasons).nullable(),
  customerCancellationComment: z.string().nullable(),
  metadata: metadataOutput,
  customFieldData: customFieldDataOutput,
  seats: z.null(),
  /** A change that waits for the end of the period. */
  pendingUpdate: z
    .object({
      ...stamped,
      appliesAt: utc,
      /** Null where the product stays. */
      productId: z.string().nullable(),
      seats: z.int().nullable(),
      /** Ours: null where the quantity stays. */
      quantity: z.int().nullable(),
    })
    .nullable(),
  /** Ours: how many phases of its schedule are still to begin. */
  scheduledPhases: z.int(),
}
/** A subscription in orders. */
export const subscriptionBase = z.object(subscriptionCore)

export const subscription = z.object({
  ...subscriptionCore,
  customer,
  product,
  discount: discountBase.nullable(),
  prices: z.array(productPrice),
  meters: z.array(
    z.object({
      ...stamped,
      consumedUnits: z.number(),
      creditedUnits: z.int(),
      amount: z.int(),
      meterId: z.string(),
      meter,
    }),
  ),
})

export const orderItem = z.object({
  ...stamped,
  label: z.string(),
  /** Ours: how many units `amount` is for. */
  quantity: z.int(),
  amount: z.int(),
  taxAmount: z.int(),
  proration: z.boolean(),
  productPriceId: z.string().nullable(),
})

/** An order; amounts, items and addresses stay as they were at its creation (ORD-8). */
export const order = z.object({
  ...stamped,
  status: z.enum(orderStatuses),
  paid: z.boolean(),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  netAmount: z.int(),
  /** Equal to `netAmount`; the matching SDK requires it (ORD-2). */
  amount: z.int(),
  taxAmount: z.int(),
  totalAmount: z.int(),
  appliedBalanceAmount: z.int(),
  dueAmount: z.int(),
  refundedAmount: z.int(),
  refundedTaxAmount: z.int(),
  refundableAmount: z.int(),
  refundableTaxAmount: z.int(),
  platformFeeAmount: z.int(),
  platformFeeCurrency: z.string().nullable(),
  currency: z.string(),
  billingReason: z.enum(billingReasons),
  billingName: z.string().nullable(),
  billingAddress: address.nullable(),
  /** Null while the order has no invoice. */
  invoiceNumber: z.string().nullable(),
  isInvoiceGenerated: z.boolean(),
  receiptNumber: z.string().nullable(),
  nextPaymentAttemptAt: utc.nullable(),
  /** Ours: when it is due, where it is collected by invoice; null where the saved card is charged. */
  dueAt: utc.nullable(),
  /** Ours: when the order was voided. Its status stays `pending`, with nothing due (SUB-28). */
  voidedAt: utc.nullable(),
  /** Ours: the seller's reason; null for an order that was voided because its subscription ended. */
  voidReason: z.string().nullable(),
  description: z.string(),
  seats: z.null(),
  customerId: z.string(),
  /** The customer's id, for the matching SDK (ORD-2). */
  userId: z.string(),
  productId: z.string(),
  discountId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  checkoutId: z.string().nullable(),
  metadata: metadataOutput,
  customFieldData: customFieldDataOutput,
  customer,
  product: productBase,
  discount: discountBase.nullable(),
  subscription: subscriptionBase.nullable(),
  items: z.array(orderItem),
  /** Ours: the taxes that sum to `taxAmount`; null without a tax provider. */
  tax: saleTax.nullable(),
})

export const payment = z.object({
  ...stamped,
  processor: z.literal('stripe'),
  /** The true processor (contract, traps 1); `manual` for an order that the seller marked as paid. */
  paidBy: z.enum(paidByNames),
  /** Ours: the payment's id at that processor, once it has answered; the seller's reference of a manual payment. */
  processorReference: z.string().nullable(),
  status: z.enum(paymentStatuses),
  amount: z.int(),
  currency: z.string(),
  method: z.string(),
  methodMetadata: z.object({ brand: z.string(), last4: z.string() }).optional(),
  declineReason: z.string().nullable(),
  declineMessage: z.string().nullable(),
  organizationId: z.string(),
  checkoutId: z.string().nullable(),
  orderId: z.string().nullable(),
  customerId: z.string().nullable(),
  customerEmail: z.string().nullable(),
  isTest: z.boolean(),
})

/** A name of the IANA database, which the server's own data must know; offsets have no daylight saving. */
const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/, 'Input should be a time zone of the IANA database')
  .refine(isTimezone, 'Input should be a time zone of the IANA database')

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A calendar day. Times of both databases, and those of the range before, have years of four digits. */
const day = z.iso
  .date()
  .refine((value) => value >= '1970-01-01' && value < '9999-01-01', 'Input should be a day from 1970 to 9998')

/** A figure of a range: its value, that of the range before, and one for each period. */
const figure = z.object({ total: z.int(), before: z.int(), values: z.array(z.int()) })

/** Only subscriptions that renew within so many days; those that end before are left out. */
export const renewsWithinDays = whole.pipe(z.int().min(0).max(3660)).optional()

/** What narrows lists of subscriptions, and the revenue of those that fit. */
const subscriptionFilters = {
  productId: several(id),
  customerId: several(id),
  externalCustomerId: several(storable(256)),
  discountId: several(id),
  active: flag,
  status: several(z.enum(filteredSubscriptionStatuses)),
  cancelAtPeriodEnd: flag,
  renewsWithinDays,
  customerCancellationReason: several(z.enum(cancellationReasons)),
  canceledAtAfter: moment.optional(),
  canceledAtBefore: moment.optional(),
  startedAfter: moment.optional(),
  startedBefore: moment.optional(),
  metadata: metadataFilter,
}

/** Bodies, queries, answers and refusals of the calls about orders, subscriptions and payments. */
export const orderSchemas = {
  listOrders: {
    summary: 'Lists an organization’s orders.',
    query: z.object({
      ...listQuery([
        'created_at',
        'amount',
        'net_amount',
        'status',
        'invoice_number',
        'customer',
        'product',
        'discount',
        'subscription',
      ]),
      productId: several(id),
      productBillingType: several(z.enum(['one_time', 'recurring'])),
      discountId: several(id),
      customerId: several(id),
      externalCustomerId: several(storable(256)),
      checkoutId: several(id),
      subscriptionId: several(id),
      status: several(z.enum(orderStatuses)),
      query: storable(320).optional(),
      metadata: metadataFilter,
    }),
    output: listOf(order),
    errors: sellerErrors,
  },
  getOrder: { summary: 'Returns an order.', params: byId, output: order, errors: sellerErrors },
  listSubscriptions: {
    summary: 'Lists an organization’s subscriptions.',
    query: z.object({
      ...listQuery([
        'created_at',
        'customer',
        'status',
        'started_at',
        'current_period_end',
        'ended_at',
        'ends_at',
        'amount',
        'past_due_at',
        'product',
        'discount',
      ]),
      ...subscriptionFilters,
    }),
    output: listOf(subscription),
    errors: sellerErrors,
  },
  getRecurringRevenue: {
    summary: 'Returns the monthly recurring revenue of the subscriptions that fit the filters, in each currency.',
    query: z.object({
      organizationId: several(foreignId),
      ...subscriptionFilters,
      createdAfter: moment.optional(),
      createdBefore: moment.optional(),
    }),
    output: z.object({
      /** The currency with the most subscriptions first. */
      items: z.array(
        z.object({
          currency: z.string(),
          /** What they charge in a month in minor units, after discounts, before tax and usage; a yearly price counts a twelfth. */
          monthlyRecurringRevenue: z.int(),
          /** The active and past due subscriptions. Trials and paused subscriptions charge nothing. */
          subscriptionsCount: z.int(),
        }),
      ),
    }),
    errors: sellerErrors,
  },
  getSubscription: { summary: 'Returns a subscription.', params: byId, output: subscription, errors: sellerErrors },
  listPayments: {
    summary: 'Lists payments, declined ones included.',
    query: z.object({
      ...listQuery(['created_at', 'status', 'amount', 'method']),
      checkoutId: several(id),
      orderId: several(id),
      customerId: several(id),
      status: several(z.enum(paymentStatuses)),
      method: several(storable(64)),
      customerEmail: several(storable(320)),
    }),
    output: listOf(payment),
    errors: sellerErrors,
  },
  getPayment: { summary: 'Returns a payment.', params: byId, output: payment, errors: sellerErrors },
  getOverview: {
    summary: 'Returns figures of a range of days, each with its course and the value of as many days before.',
    query: z.object({
      /** The first and the last day, both included; the last 30 days are usual. */
      startDate: day.optional(),
      endDate: day.optional(),
      /** Where days begin and end; UTC is usual. */
      timezone: timezone.optional(),
    }),
    output: z.object({
      timezone: z.string(),
      /** Ranges of more than 92 days have a value for each month. */
      interval: z.enum(['day', 'month']),
      startDate: z.string(),
      endDate: z.string(),
      /** The range as moments; it ends before `until`. */
      since: utc,
      until: utc,
      /** The days that `before` counts. While the range runs, they count up to the same time of the last day. */
      before: z.object({ startDate: z.string(), endDate: z.string() }),
      /** The first day of each period; a figure has a value for each. */
      periods: z.array(z.string()),
      /** Paid orders. */
      orders: figure,
      /** New customers. */
      customers: figure,
      /** Running subscriptions at the end of each period. */
      subscriptions: figure,
      /** Before tax and without refunds, by currency, the one with the most orders first. */
      revenue: z.array(figure.extend({ currency: z.string() })),
    }),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof orderCalls, Endpoint>
