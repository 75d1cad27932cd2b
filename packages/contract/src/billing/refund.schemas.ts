import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import {
  amountLimit,
  byId,
  emptyIsNull,
  flag,
  id,
  listOf,
  listQuery,
  metadata,
  metadataOutput,
  sellerErrors,
  several,
  stamped,
  utc,
  writeErrors,
} from './fields.ts'
import type { refundCalls } from './refund.calls.ts'

export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
export const refundReasons = [
  'duplicate',
  'fraudulent',
  'customer_request',
  'service_disruption',
  'satisfaction_guarantee',
  'other',
] as const
export const disputeStatuses = ['prevented', 'early_warning', 'needs_response', 'under_review', 'lost', 'won'] as const

const disputeCore = {
  ...stamped,
  status: z.enum(disputeStatuses),
  /** Won or lost. */
  resolved: z.boolean(),
  closed: z.boolean(),
  /** The amount before tax, and its tax. */
  amount: z.int(),
  taxAmount: z.int(),
  currency: z.string(),
  reason: z.string().nullable(),
  evidenceDueBy: utc.nullable(),
  pastDue: z.boolean(),
  orderId: z.string(),
  paymentId: z.string(),
}
export const dispute = z.object({
  ...disputeCore,
  organizationId: z.string(),
  customerId: z.string(),
  /** The processor's name for it. */
  caseId: z.string().nullable(),
})

/** A refund; `amount` is before tax (REF-1). */
export const refund = z.object({
  ...stamped,
  metadata: metadataOutput,
  status: z.enum(refundStatuses),
  reason: z.enum(refundReasons),
  amount: z.int(),
  taxAmount: z.int(),
  currency: z.string(),
  organizationId: z.string(),
  orderId: z.string(),
  subscriptionId: z.string().nullable(),
  customerId: z.string(),
  revokeBenefits: z.boolean(),
  dispute: z.object(disputeCore).nullable(),
  /** Ours: why the processor refused it; null unless it failed. */
  failureReason: z.string().nullable(),
  /** Ours: the number of its credit note, after success. */
  creditNoteNumber: z.string().nullable(),
})

/** Ours, in lists: the order's number and its customer; null for readers without access to orders. */
const ofOrder = {
  order: z
    .object({ invoiceNumber: z.string().nullable(), customerName: z.string().nullable(), customerEmail: z.string() })
    .nullable(),
}

/** Bodies, queries, answers and refusals of the calls about refunds (billing contract, 3.6). */
export const refundSchemas = {
  listRefunds: {
    summary: 'Lists refunds, pending ones included.',
    query: z.object({
      ...listQuery(['created_at', 'amount']),
      id: several(id),
      orderId: several(id),
      subscriptionId: several(id),
      customerId: several(id),
      externalCustomerId: several(storable(256)),
      succeeded: flag,
      status: several(z.enum(refundStatuses)),
    }),
    output: listOf(refund.extend(ofOrder)),
    errors: sellerErrors,
  },
  createRefund: {
    summary: 'Refunds an amount before tax, with its share of the tax.',
    body: z.object({
      orderId: id,
      reason: z.enum(refundReasons),
      amount: z.int().min(1).max(amountLimit),
      metadata: metadata.optional(),
      /** For the seller only. */
      comment: emptyIsNull(2000),
      revokeBenefits: z.boolean().default(false),
    }),
    output: refund,
    errors: [
      ...writeErrors,
      'REFUND_AMOUNT_TOO_HIGH',
      'REFUNDED_ALREADY',
      'REVOKE_SUBSCRIPTION_BENEFITS_PROHIBITED',
      'REFUND_FAILED',
    ],
  },
  getRefund: {
    summary: 'Returns a refund.',
    params: byId,
    output: refund.extend({ comment: z.string().nullable() }),
    errors: sellerErrors,
  },
  listDisputes: {
    summary: 'Lists disputes.',
    query: z.object({
      ...listQuery(['created_at', 'amount']),
      orderId: several(id),
      customerId: several(id),
      status: several(z.enum(disputeStatuses)),
    }),
    output: listOf(dispute.extend(ofOrder)),
    errors: sellerErrors,
  },
  getDispute: { summary: 'Returns a dispute.', params: byId, output: dispute, errors: sellerErrors },
} as const satisfies Record<keyof typeof refundCalls, Endpoint>
