import { attentionKinds, disputeStatuses, paidByNames, refundStatuses } from '@tollgate/contract/billing-schemas'
import { id, integer, nullable, oneOf, text, time } from './columns.ts'

export const paymentTables = {
  /** A customer's id at Stripe: saved methods belong to it. Only `payments/stripe` reads it. */
  stripeCustomer: {
    customerId: id('customer'),
    reference: text(),
    createdAt: time(),
  },
  /** Received processor events by the processor's ids: a redelivery changes nothing. */
  processorEvent: {
    id: text(),
    processor: text(),
    type: text(),
    createdAt: time(),
  },
  /** Money that moved at a processor unlike any request: an administrator settles it by hand. */
  attention: {
    id: id('attention'),
    organizationId: nullable(id('organization')),
    kind: oneOf(attentionKinds),
    processor: oneOf(paidByNames),
    /** The processor's id of the payment or refund: one row for each kind. */
    processorReference: text(),
    /** May be unknown here: a restored database has lost the payment. */
    paymentId: nullable(id('payment')),
    refundId: nullable(id('refund')),
    /** What moved, in minor units. */
    amount: integer(),
    currency: text(),
    /** What was requested; null for an unknown payment. */
    expectedAmount: nullable(integer()),
    expectedCurrency: nullable(text()),
    /** What differs besides the amount. */
    detail: nullable(text<'payment' | 'customer' | 'mode'>()),
    createdAt: time(),
    resolvedAt: nullable(time()),
    resolvedBy: nullable(id('user')),
    note: nullable(text()),
  },
  /** The sandbox processor's own data, which a real processor would store itself; only `payments/sandbox` reads it. */
  sandboxToken: {
    id: id('sandboxToken'),
    card: text(),
    brand: text(),
    lastFour: text(),
    expMonth: integer(),
    expYear: integer(),
    expiresAt: time(),
    createdAt: time(),
  },
  sandboxIntent: {
    /** Tollgate's payment id: a second call with it returns the first result. */
    id: id('payment'),
    reference: text(),
    card: text(),
    status: text(),
    purpose: text(),
    amount: integer(),
    currency: text(),
    declineReason: nullable(text()),
    clientSecretHash: nullable(text()),
    sealedClientSecret: nullable(text()),
    /** The answer as text, to return it again. */
    content: text(),
    createdAt: time(),
    updatedAt: time(),
  },
  /** The sandbox's refunds, successful or not; a row holds its later outcome from the start. */
  sandboxRefund: {
    /** Tollgate's refund id: a second call with it returns the first result. */
    id: id('refund'),
    intentId: id('payment'),
    reference: text(),
    status: oneOf(refundStatuses),
    amount: integer(),
    currency: text(),
    failureReason: nullable(text()),
    /** Its scheduled outcome, and when that happens. */
    laterStatus: nullable(oneOf(refundStatuses)),
    laterAt: nullable(time()),
    createdAt: time(),
  },
  sandboxDispute: {
    /** Its reference. */
    id: text(),
    intentId: id('payment'),
    status: oneOf(disputeStatuses),
    amount: integer(),
    currency: text(),
    createdAt: time(),
  },
} as const
