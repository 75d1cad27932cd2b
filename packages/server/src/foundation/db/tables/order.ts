import {
  billingReasons,
  cancellationReasons,
  collectionMethods,
  disputeStatuses,
  documentKinds,
  orderStatuses,
  paidByNames,
  paymentStatuses,
  recurringIntervals,
  refundReasons,
  refundStatuses,
  subscriptionStatuses,
  taxBehaviors,
} from '@tollgate/contract/billing-schemas'
import type { Address, Customer, DiscountBase, Payment, ProductBase, SaleTax } from '@tollgate/contract/billing-types'
import type { PageLocale } from '@tollgate/contract/pages'
import { defaulted, flag, id, integer, json, nullable, oneOf, type RowId, text, time, timestamps } from './columns.ts'
import type { FieldAnswers, Metadata } from './metadata.ts'

/** Seller, buyer and purchase as of the order: later changes do not reach it (ORD-8). */
export type OrderSnapshot = {
  readonly customer: Customer
  readonly product: ProductBase
  readonly discount: DiscountBase | null
  readonly seller: {
    readonly name: string
    readonly slug: string
    readonly avatarUrl: string | null
    readonly email: string | null
    readonly website: string | null
  }
}

/** States of orders that only the server knows: a draft is not listed, a voided order is listed as pending (SUB-28). */
export const hiddenOrderStatuses = ['draft', 'void'] as const

/** The status that clients of 0.32.16 do not know: they see `unpaid` (interface, section 7). */
export const hiddenSubscriptionStatuses = ['paused'] as const

/** What an order bills in a subscription's period: its billing reason, or a numbered part of it. */
export type OrderCause = (typeof billingReasons)[number] | `${(typeof billingReasons)[number]}:${string}`

/** What a subscription becomes by a change. */
export type ChangeTarget = {
  readonly productId: RowId<'product'>
  readonly priceIds: readonly RowId<'productPrice'>[]
  /** Of its fixed price; 1 where a former version has stored none. */
  readonly quantity?: number
  /** The discount, if it applies to the product. */
  readonly discountId: RowId<'discount'> | null
  /** The period that the change begins; null if the running one continues. */
  readonly restart: { readonly start: string; readonly end: string; readonly anchorDay: number } | null
}

/** A change that waits for the end of the period. */
export type PendingChange = ChangeTarget & {
  readonly id: string
  readonly createdAt: string
  readonly appliesAt: string
}

/** A part of a schedule: what the subscription is for some of its periods, all of it resolved when it was planned. */
export type SchedulePhase = Omit<ChangeTarget, 'discountId' | 'restart'> & {
  readonly quantity: number
  /** What a period costs before discounts. */
  readonly amount: number
  readonly recurringInterval: (typeof recurringIntervals)[number]
  /** The discount that begins with the phase, or none; null keeps the discount as it is. */
  readonly discount: { readonly id: RowId<'discount'> | null; readonly isRedeemed: boolean } | null
  /** How long it lasts: so many periods, or until the first end of a period at or after a moment. The last has neither. */
  readonly periods: number | null
  readonly until: string | null
  readonly beganAt: string | null
}

/** What a subscription becomes at ends of its periods, one phase after the other, until the last one has begun. */
export type SubscriptionSchedule = {
  readonly createdAt: string
  readonly phases: readonly SchedulePhase[]
  /** How many periods of the running phase have begun; 0 before the first phase. */
  readonly periods: number
  /** When the discounts of its past periods first applied, by their ids: a phase that names one again goes on with it. */
  readonly discountsSince?: Readonly<Record<string, string>>
}

/**
 * How unpaid renewals are collected (SUB-13, SUB-15): the days between the attempts, and those for which benefits stay.
 */
export type DunningSchedule = { readonly retryAfterDays: readonly number[]; readonly graceDays: number }

export const orderTables = {
  subscription: {
    id: id('subscription'),
    organizationId: id('organization'),
    status: oneOf([...subscriptionStatuses, ...hiddenSubscriptionStatuses]),
    /** Increases with each change of what it costs: a quote holds for one version. */
    version: defaulted(integer()),
    /** When the engine acts on it next; null where it never will, or where its seller has not decided yet. */
    nextActionAt: nullable(time()),
    /** A change that waits for the end of the period. */
    pendingChange: nullable(json<PendingChange>()),
    schedule: nullable(json<SubscriptionSchedule>()),
    pausedAt: nullable(time()),
    /** Whether it pauses at the end of its period. */
    pauseAtPeriodEnd: defaulted(flag()),
    /** When the pause is over; null until a call ends it. */
    resumesAt: nullable(time()),
    /** How many attempts of the present dunning have failed (SUB-13). */
    dunningStep: defaulted(integer()),
    /** The retries and the grace of the present dunning, as they were when it began; null before that. */
    dunningSchedule: nullable(json<DunningSchedule>()),
    /** By the saved card, or by invoices that are due by terms. */
    collectionMethod: defaulted(oneOf(collectionMethods)),
    /** Days until an invoice is due; null where the saved card pays. */
    netTermsDays: nullable(integer()),
    amount: integer(),
    /** How many units of its fixed price each period charges. */
    quantity: defaulted(integer()),
    currency: text(),
    recurringInterval: oneOf(recurringIntervals),
    /** Intervals per period. */
    intervalCount: defaulted(integer()),
    /** The anchor: periods start on this day of the month, or on its last one (SUB-2). */
    anchorDay: integer(),
    currentPeriodStart: time(),
    currentPeriodEnd: nullable(time()),
    cancelAtPeriodEnd: flag(),
    canceledAt: nullable(time()),
    startedAt: nullable(time()),
    endsAt: nullable(time()),
    endedAt: nullable(time()),
    trialStart: nullable(time()),
    trialEnd: nullable(time()),
    pastDueAt: nullable(time()),
    customerId: id('customer'),
    productId: id('product'),
    discountId: nullable(id('discount')),
    /** When the discount first applied; its months count from here (SUB-11). */
    discountAppliedAt: nullable(time()),
    checkoutId: nullable(id('checkout')),
    paymentMethodId: nullable(id('paymentMethod')),
    customerCancellationReason: nullable(oneOf(cancellationReasons)),
    customerCancellationComment: nullable(text()),
    customFieldData: json<FieldAnswers>(),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  /** The prices at subscription time, kept until the product changes (SUB-4). */
  subscriptionItem: {
    id: id('subscriptionItem'),
    subscriptionId: id('subscription'),
    productPriceId: id('productPrice'),
    quantity: integer(),
    /** For one period, before discounts, in minor units; null for usage, which its price counts by the unit. */
    unitAmount: nullable(integer()),
    currency: text(),
    /** What the buyer chose to pay, where the price lets them. */
    chosenAmount: nullable(integer()),
    /** Usage up to here is billed. */
    usageCursor: nullable(time()),
    position: integer(),
    createdAt: time(),
  },
  /** A change that applies once it is paid, and never where its payment fails (SUB-9, SUB-21). */
  subscriptionChange: {
    id: id('subscriptionChange'),
    organizationId: id('organization'),
    subscriptionId: id('subscription'),
    status: oneOf(['pending', 'applied', 'discarded']),
    /** The version of the subscription that it was computed for. */
    version: integer(),
    target: json<ChangeTarget>(),
    /** The order as it was quoted, as JSON. */
    computed: text(),
    /** What its payment takes, in minor units. */
    amount: integer(),
    createdAt: time(),
    settledAt: nullable(time()),
  },
  /** A line that waits for the next order of a subscription, and later names the item that billed it. */
  billingEntry: {
    id: id('billingEntry'),
    organizationId: id('organization'),
    subscriptionId: id('subscription'),
    customerId: id('customer'),
    kind: oneOf(['proration', 'usage', 'seats']),
    label: text(),
    amount: integer(),
    currency: text(),
    quantity: integer(),
    unitAmount: nullable(text()),
    productPriceId: nullable(id('productPrice')),
    periodStart: nullable(time()),
    periodEnd: nullable(time()),
    orderItemId: nullable(id('orderItem')),
    /** Within the lines of one change. */
    position: defaulted(integer()),
    createdAt: time(),
  },
  order: {
    id: id('order'),
    organizationId: id('organization'),
    /** Drafts and voided orders never reach the wire. */
    status: oneOf([...orderStatuses, ...hiddenOrderStatuses]),
    billingReason: oneOf(billingReasons),
    subtotalAmount: integer(),
    discountAmount: integer(),
    netAmount: integer(),
    taxAmount: integer(),
    tax: nullable(json<SaleTax>()),
    totalAmount: integer(),
    appliedBalanceAmount: integer(),
    refundedAmount: integer(),
    refundedTaxAmount: integer(),
    currency: text(),
    customerId: id('customer'),
    productId: id('product'),
    discountId: nullable(id('discount')),
    subscriptionId: nullable(id('subscription')),
    checkoutId: nullable(id('checkout')),
    /** Given when the invoice is finalized; an order without an invoice has none (ORD-7). */
    invoiceNumber: nullable(text()),
    /** Given with the payment; it never changes, also where an invoice follows later. */
    receiptNumber: nullable(text()),
    /** The subscription's period that the order bills, and what it bills in it: one order for each. */
    periodStart: nullable(time()),
    periodEnd: nullable(time()),
    cause: nullable(text<OrderCause>()),
    /** Whether the prices contained the tax; the amounts never do (SUB-34). */
    taxBehavior: defaulted(oneOf(taxBehaviors)),
    /** The buyer as they bought. With an unproven address, documents show no details of the stored customer. */
    buyerName: nullable(text()),
    buyerEmail: nullable(text()),
    buyerTaxId: nullable(text()),
    buyerLocale: nullable(text<PageLocale>()),
    isBuyerKnown: defaulted(flag()),
    /** Whether no real money pays it. */
    isTest: defaulted(flag()),
    billingName: nullable(text()),
    billingAddress: nullable(json<Address>()),
    /** When the invoice, with its recipient, became final. */
    invoiceIssuedAt: nullable(time()),
    /** Customer, product, discount and tax number as of the order (ORD-8). */
    snapshot: json<OrderSnapshot>(),
    customFieldData: json<FieldAnswers>(),
    metadata: json<Metadata>(),
    /** When it is due, where it is collected by invoice; null where the saved card is charged. */
    dueAt: nullable(time()),
    /** Which notice of its due date was the last: see `collect-invoice.service.ts`. */
    dueNotice: defaulted(integer()),
    paidAt: nullable(time()),
    voidedAt: nullable(time()),
    /** Why its seller voided it. */
    voidReason: nullable(text()),
    /** Of the credit note that takes the invoice of a voided order back. */
    creditNoteNumber: nullable(text()),
    ...timestamps,
  },
  orderItem: {
    id: id('orderItem'),
    orderId: id('order'),
    kind: defaulted(oneOf(['price', 'proration', 'usage', 'seats'])),
    label: text(),
    quantity: defaulted(integer()),
    /** Decimal, in minor units; null where the amount is no multiple of it. */
    unitAmount: nullable(text()),
    amount: integer(),
    /** The item's part of the order's discount. */
    discountAmount: defaulted(integer()),
    taxAmount: integer(),
    periodStart: nullable(time()),
    periodEnd: nullable(time()),
    proration: flag(),
    productPriceId: nullable(id('productPrice')),
    position: integer(),
    createdAt: time(),
  },
  /** An attempt to collect a payment, or to save a payment method (`purpose: 'setup'`); the processor gets its id. */
  payment: {
    id: id('payment'),
    organizationId: id('organization'),
    processor: oneOf(paidByNames),
    purpose: oneOf(['charge', 'setup']),
    /** What it is for: its success and its failure go there. */
    subject: defaulted(oneOf(['checkout', 'order', 'change', 'setup', 'balance'])),
    status: oneOf(paymentStatuses),
    amount: integer(),
    currency: text(),
    /** The customer's credit that pays the rest, reserved while the payment is under way (SUB-30). */
    reservedBalance: defaulted(integer()),
    method: text(),
    methodMetadata: nullable(json<NonNullable<Payment['methodMetadata']>>()),
    declineReason: nullable(text()),
    declineMessage: nullable(text()),
    /** After a failure: whether, when and how another attempt may succeed. */
    advice: nullable(oneOf(['retry', 'retry_after', 'needs_customer', 'stop'])),
    retryAt: nullable(time()),
    checkoutId: nullable(id('checkout')),
    orderId: nullable(id('order')),
    changeId: nullable(id('subscriptionChange')),
    customerId: nullable(id('customer')),
    customerEmail: nullable(text()),
    paymentMethodId: nullable(id('paymentMethod')),
    /** Of a setup: whether the method becomes the customer's default. */
    makesDefault: defaulted(flag()),
    /** Tried beside the schedule of retries, because of a new default method: its failure moves nothing (SUB-28). */
    isUnscheduled: defaulted(flag()),
    /** The processor's id, once it has answered. */
    processorReference: nullable(text()),
    /** Whether the payment moves no real money. */
    isTest: flag(),
    settledAt: nullable(time()),
    ...timestamps,
  },
  /** Which payment paid how much of which order: several payments may pay one order. */
  paymentAllocation: {
    id: id('paymentAllocation'),
    paymentId: id('payment'),
    orderId: id('order'),
    amount: integer(),
    createdAt: time(),
  },
  /** A customer's credit (positive) and debt (negative) per currency: the sum is the balance (SUB-30). */
  customerBalanceEntry: {
    id: id('customerBalanceEntry'),
    organizationId: id('organization'),
    customerId: id('customer'),
    currency: text(),
    amount: integer(),
    /** Why the engine made it; `manual` for an entry by hand. */
    reason: text(),
    /** What the seller said about an entry by hand. */
    note: nullable(text()),
    orderId: nullable(id('order')),
    refundId: nullable(id('refund')),
    /** The payment that it holds, where that paid no order. */
    paymentId: nullable(id('payment')),
    actorId: nullable(id('user')),
    createdAt: time(),
  },
  /** The numbers of invoices and of credit notes: each series runs without gaps (ORD-7). */
  invoiceSeries: {
    organizationId: id('organization'),
    kind: oneOf(['invoice', 'credit_note']),
    prefix: text(),
    lastNumber: integer(),
  },
  /** How many orders an organization has: the sum of its slots. Sales of different slots do not wait for each other. */
  orderCount: {
    organizationId: id('organization'),
    slot: integer(),
    orders: integer(),
  },
  /** A refund; the processor gets its id. Amounts are before tax, with their tax share beside them. */
  refund: {
    id: id('refund'),
    organizationId: id('organization'),
    orderId: id('order'),
    subscriptionId: nullable(id('subscription')),
    customerId: id('customer'),
    /** The refunded payment; empty where the customer's credit has paid alone. */
    paymentId: id('payment'),
    processor: oneOf(paidByNames),
    status: oneOf(refundStatuses),
    reason: oneOf(refundReasons),
    amount: integer(),
    taxAmount: integer(),
    currency: text(),
    comment: nullable(text()),
    revokeBenefits: flag(),
    /** The part that went to the customer's balance (SUB-33). */
    balanceAmount: defaulted(integer()),
    metadata: json<Metadata>(),
    processorReference: nullable(text()),
    failureReason: nullable(text()),
    /** Assigned on success, without gaps; kept if the refund fails later. */
    creditNoteNumber: nullable(text()),
    disputeId: nullable(id('dispute')),
    actorId: nullable(id('user')),
    settledAt: nullable(time()),
    ...timestamps,
  },
  /** A buyer's dispute at their bank, as the processor reports it. */
  dispute: {
    id: id('dispute'),
    organizationId: id('organization'),
    orderId: id('order'),
    paymentId: id('payment'),
    customerId: id('customer'),
    processor: oneOf(paidByNames),
    /** The processor's id: one row for each. */
    processorReference: text(),
    status: oneOf(disputeStatuses),
    reason: nullable(text()),
    amount: integer(),
    taxAmount: integer(),
    currency: text(),
    evidenceDueBy: nullable(time()),
    ...timestamps,
  },
  /** The full content of an issued invoice, receipt or credit note. Never changed. */
  document: {
    id: id('document'),
    organizationId: id('organization'),
    orderId: id('order'),
    refundId: nullable(id('refund')),
    kind: oneOf(documentKinds),
    number: text(),
    locale: text<PageLocale>(),
    /** JSON; each read renders the document from it. */
    content: text(),
    createdAt: time(),
  },
} as const
