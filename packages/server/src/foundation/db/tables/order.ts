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
import { flag, id, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'
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
    id: id('subscription'),
    organizationId: id('organization'),
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
  subscriptionPrice: {
    subscriptionId: id('subscription'),
    productPriceId: id('productPrice'),
    position: integer(),
  },
  order: {
    id: id('order'),
    organizationId: id('organization'),
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
    customerId: id('customer'),
    productId: id('product'),
    discountId: nullable(id('discount')),
    subscriptionId: nullable(id('subscription')),
    checkoutId: nullable(id('checkout')),
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
    id: id('orderItem'),
    orderId: id('order'),
    label: text(),
    amount: integer(),
    taxAmount: integer(),
    proration: flag(),
    productPriceId: nullable(id('productPrice')),
    position: integer(),
    createdAt: time(),
  },
  /** An attempt to collect a payment, or to save a payment method (`purpose: 'setup'`); the processor gets its id. */
  payment: {
    id: id('payment'),
    organizationId: id('organization'),
    processor: oneOf(processorNames),
    purpose: oneOf(['charge', 'setup']),
    status: oneOf(paymentStatuses),
    amount: integer(),
    currency: text(),
    method: text(),
    methodMetadata: nullable(json<NonNullable<Payment['methodMetadata']>>()),
    declineReason: nullable(text()),
    declineMessage: nullable(text()),
    checkoutId: nullable(id('checkout')),
    orderId: nullable(id('order')),
    customerId: nullable(id('customer')),
    customerEmail: nullable(text()),
    paymentMethodId: nullable(id('paymentMethod')),
    /** The processor's id, once it has answered. */
    processorReference: nullable(text()),
    /** Whether the payment moves no real money. */
    isTest: flag(),
    settledAt: nullable(time()),
    ...timestamps,
  },
  /** A refund; the processor gets its id. Amounts are before tax, with their tax share beside them. */
  refund: {
    id: id('refund'),
    organizationId: id('organization'),
    orderId: id('order'),
    subscriptionId: nullable(id('subscription')),
    customerId: id('customer'),
    /** The refunded payment. */
    paymentId: id('payment'),
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
