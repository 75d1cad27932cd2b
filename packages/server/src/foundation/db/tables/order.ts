import {
  billingReasons,
  cancellationReasons,
  disputeStatuses,
  documentKinds,
  orderStatuses,
  paymentStatuses,
  processorNames,
  recurringIntervals,
  refundReasons,
  refundStatuses,
  subscriptionStatuses,
} from '@tollgate/contract/billing-schemas'
import type { Address, Customer, DiscountBase, Payment, ProductBase, SaleTax } from '@tollgate/contract/billing-types'
import type { PageLocale } from '@tollgate/contract/pages'
import { flag, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'
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

export const orderTables = {
  subscription: {
    id: text(),
    organizationId: text(),
    status: oneOf(subscriptionStatuses),
    amount: integer(),
    currency: text(),
    recurringInterval: oneOf(recurringIntervals),
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
    customerId: text(),
    productId: text(),
    discountId: nullable(text()),
    /** When the discount first applied; its months count from here (SUB-11). */
    discountAppliedAt: nullable(time()),
    checkoutId: nullable(text()),
    paymentMethodId: nullable(text()),
    customerCancellationReason: nullable(oneOf(cancellationReasons)),
    customerCancellationComment: nullable(text()),
    customFieldData: json<FieldAnswers>(),
    metadata: json<Metadata>(),
    ...timestamps,
  },
  /** The prices at subscription time, kept until the product changes (SUB-4). */
  subscriptionPrice: {
    subscriptionId: text(),
    productPriceId: text(),
    position: integer(),
  },
  order: {
    id: text(),
    organizationId: text(),
    status: oneOf(orderStatuses),
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
    customerId: text(),
    productId: text(),
    discountId: nullable(text()),
    subscriptionId: nullable(text()),
    checkoutId: nullable(text()),
    invoiceNumber: text(),
    billingName: nullable(text()),
    billingAddress: nullable(json<Address>()),
    /** When the invoice, with its recipient, became final. */
    invoiceIssuedAt: nullable(time()),
    /** Customer, product, discount and tax number as of the order (ORD-8). */
    snapshot: json<OrderSnapshot>(),
    customFieldData: json<FieldAnswers>(),
    metadata: json<Metadata>(),
    paidAt: nullable(time()),
    ...timestamps,
  },
  orderItem: {
    id: text(),
    orderId: text(),
    label: text(),
    amount: integer(),
    taxAmount: integer(),
    proration: flag(),
    productPriceId: nullable(text()),
    position: integer(),
    createdAt: time(),
  },
  /** An attempt to collect a payment, or to save a payment method (`purpose: 'setup'`); the processor gets its id. */
  payment: {
    id: text(),
    organizationId: text(),
    processor: oneOf(processorNames),
    purpose: oneOf(['charge', 'setup']),
    status: oneOf(paymentStatuses),
    amount: integer(),
    currency: text(),
    method: text(),
    methodMetadata: nullable(json<NonNullable<Payment['methodMetadata']>>()),
    declineReason: nullable(text()),
    declineMessage: nullable(text()),
    checkoutId: nullable(text()),
    orderId: nullable(text()),
    customerId: nullable(text()),
    customerEmail: nullable(text()),
    paymentMethodId: nullable(text()),
    /** The processor's id, once it has answered. */
    processorReference: nullable(text()),
    /** Whether the payment moves no real money. */
    isTest: flag(),
    settledAt: nullable(time()),
    ...timestamps,
  },
  /** A refund; the processor gets its id. Amounts are before tax, with their tax share beside them. */
  refund: {
    id: text(),
    organizationId: text(),
    orderId: text(),
    subscriptionId: nullable(text()),
    customerId: text(),
    /** The refunded payment. */
    paymentId: text(),
    processor: oneOf(processorNames),
    status: oneOf(refundStatuses),
    reason: oneOf(refundReasons),
    amount: integer(),
    taxAmount: integer(),
    currency: text(),
    comment: nullable(text()),
    revokeBenefits: flag(),
    metadata: json<Metadata>(),
    processorReference: nullable(text()),
    failureReason: nullable(text()),
    /** Assigned on success, without gaps; kept if the refund fails later. */
    creditNoteNumber: nullable(text()),
    disputeId: nullable(text()),
    actorId: nullable(text()),
    settledAt: nullable(time()),
    ...timestamps,
  },
  /** A buyer's dispute at their bank, as the processor reports it. */
  dispute: {
    id: text(),
    organizationId: text(),
    orderId: text(),
    paymentId: text(),
    customerId: text(),
    processor: oneOf(processorNames),
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
    id: text(),
    organizationId: text(),
    orderId: text(),
    refundId: nullable(text()),
    kind: oneOf(documentKinds),
    number: text(),
    locale: text<PageLocale>(),
    /** JSON; each read renders the document from it. */
    content: text(),
    createdAt: time(),
  },
} as const
