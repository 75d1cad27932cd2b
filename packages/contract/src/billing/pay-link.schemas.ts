import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { byId, emptyIsNull, secretErrors, utc, writeErrors } from './fields.ts'
import { merchant } from './merchant.schemas.ts'
import type { payLinkCalls } from './pay-link.calls.ts'
import { processorNames } from './processor.schemas.ts'

/** What a link asks for: still to be paid, being paid, paid, or no longer wanted. */
export const payLinkStatuses = ['open', 'pending', 'paid', 'void'] as const

const link = z.object({ url: z.string(), expiresAt: utc })

/** What a customer sees of the amount that they owe. */
const due = z.object({
  /** A payment, or another card for a subscription: then nothing is due. */
  purpose: z.enum(['payment', 'card']),
  status: z.enum(payLinkStatuses),
  expiresAt: utc,
  organization: merchant,
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  country: z.string().nullable(),
  /** Of an order that is collected by invoice; null otherwise. Such a payment keeps no card. */
  invoiceNumber: z.string().nullable(),
  dueAt: utc.nullable(),
  /** The name of the product. */
  description: z.string(),
  items: z.array(z.object({ label: z.string(), amount: z.int() })),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  taxAmount: z.int(),
  totalAmount: z.int(),
  /** Negative where credit pays a part. */
  appliedBalanceAmount: z.int(),
  dueAmount: z.int(),
  currency: z.string(),
  processor: z.enum(processorNames),
  isTest: z.boolean(),
  /** What the browser needs to reach the processor, and the secret of a payment that the customer has to confirm. */
  paymentProcessorMetadata: z.record(z.string(), z.string()),
  /** The saved card, which may only need to be confirmed. Null for an invoice, whose link its readers hold as well. */
  savedMethod: z.object({ type: z.string(), brand: z.string(), last4: z.string() }).nullable(),
})

const byToken = z.object({ payToken: z.string().min(1).max(512) })

/** Bodies, answers and refusals of the calls of pay links. */
export const payLinkSchemas = {
  createPayLink: {
    summary: 'Creates a link by which the customer pays an order that is due.',
    params: byId,
    output: link,
    errors: [...writeErrors, 'ORDER_NOT_DUE'],
  },
  getPayLink: {
    summary: 'Returns what a pay link asks for.',
    params: byToken,
    output: due,
    errors: secretErrors,
  },
  payByLink: {
    summary: 'Pays what a pay link asks for, by a new card or by the saved one.',
    params: byToken,
    body: z.object({
      /** A new card; without it, the saved one is confirmed. */
      confirmationTokenId: emptyIsNull(256),
    }),
    output: due,
    errors: [
      ...secretErrors,
      'ORDER_NOT_DUE',
      'MERCHANT_NOT_APPROVED',
      'PAYMENT_FAILED',
      'TOO_MANY_REQUESTS',
      'SERVICE_UNAVAILABLE',
    ],
  },
} as const satisfies Record<keyof typeof payLinkCalls, Endpoint>
