import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import {
  amount,
  byId,
  currency,
  customFieldDataInput,
  id,
  metadata,
  moment,
  sellerErrors,
  utc,
  writeErrors,
} from './fields.ts'
import { cancellationReasons, collectionMethods, subscription } from './order.schemas.ts'
import type { subscriptionCalls } from './subscription.calls.ts'
import { trialEndInput, trialInput } from './trial.schemas.ts'
import { snakeKey } from './wire.ts'

/** How a change of product is billed (contract, SUB-6 to SUB-8, SUB-18, SUB-23). */
export const changeBehaviors = ['invoice', 'prorate', 'next_period', 'reset'] as const

/** An order that is not posted: what a change or the next period would charge. */
const quotedOrder = z.object({
  items: z.array(
    z.object({
      label: z.string(),
      amount: z.int(),
      quantity: z.int(),
      taxAmount: z.int(),
      discountAmount: z.int(),
      proration: z.boolean(),
      productPriceId: z.string().nullable(),
    }),
  ),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  netAmount: z.int(),
  taxAmount: z.int(),
  totalAmount: z.int(),
  appliedBalanceAmount: z.int(),
  /** What is charged: the total less the balance that pays. */
  dueAmount: z.int(),
  currency: z.string(),
})

/** A quote: a change that names its `id` costs exactly this, or is refused. */
const quote = z.object({
  /** Null where nothing changes. */
  id: z.string().nullable(),
  /** A hash of all that the quote was computed from. */
  inputHash: z.string().nullable(),
  expiresAt: utc.nullable(),
  /** When the change applies: now, or at the end of the period. */
  appliesAt: utc,
  /** The order that the change posts; null if it posts none. */
  order: quotedOrder.nullable(),
  /** The order that follows, usage excluded; null where none is to come. */
  nextOrder: quotedOrder.nullable(),
})

/** What the customer gets back, to their balance, of a period that ends early (contract, SUB-32). */
export const periodCredits = ['none', 'prorated', 'full'] as const
const credit = z.enum(periodCredits).optional()

const pause = z.object({
  at: z.enum(['now', 'period_end']),
  /** When it resumes by itself; without it, a call resumes it. */
  resumesAt: moment.nullish(),
  /** Only with `now`. */
  credit,
})

/** How many units of a fixed price a subscription charges each period. */
export const quantity = z.int().min(1).max(10_000).optional()

const change = {
  productId: id.optional(),
  /** Only for a fixed price. Default: what it is. */
  quantity,
  prorationBehavior: z.enum(changeBehaviors).nullish(),
  /** The discount from the next period on; null removes the present one (contract, SUB-12). */
  discountId: id.nullable().optional(),
}

/** How its orders are collected. Days are only for invoices; without a number, an invoice is due in 30 days. */
const collection = {
  collectionMethod: z.enum(collectionMethods).optional(),
  netTermsDays: z.int().min(0).max(90).optional(),
}

/** A subscription to create without a checkout. The first four members are those of SDK 1.0.x. */
const start = z.object({
  productId: id,
  customerId: id.optional(),
  externalCustomerId: storable(256).optional(),
  metadata: metadata.optional(),
  discountId: id.nullish(),
  /** Only for a fixed price. Default: 1. */
  quantity,
  /** Default: the currency of the customer's country, else the product's. */
  currency: currency.nullish(),
  /** What the customer pays, where the price lets them choose. */
  amount: amount.nullish(),
  /** A saved method of the customer. Default: their default one. */
  paymentMethodId: id.nullish(),
  /** A trial in place of the product's. */
  ...trialInput,
  /** `false` begins without the product's trial. */
  allowTrial: z.boolean().optional(),
  ...collection,
  /** Answers to the product's custom fields: all that are required, unless there are none at all. */
  customFieldData: customFieldDataInput.optional(),
})

/** A body changes one of these. The members of one entry change together, and a discount may be set with the end of a trial. */
const kinds = [
  ['productId', 'quantity'],
  ['discountId'],
  ['cancelAtPeriodEnd'],
  ['revoke'],
  ['pendingUpdate'],
  ['trialEnd'],
  ['collectionMethod', 'netTermsDays'],
] as const

const previewed = [['productId', 'quantity'], ['discountId'], ['cancelAtPeriodEnd'], ['revoke'], ['pause']] as const

type Member = (typeof kinds)[number][number] | 'pause'
type Members = Readonly<Partial<Record<Member, unknown>>>

/** The first member that a body names of each kind. */
const membersIn = (body: Members, all: readonly (readonly Member[])[]): Member[] =>
  all.flatMap((names) => names.find((name) => body[name] !== undefined) ?? [])

/** Refuses a body that names several kinds of change, at each of them after the first. */
function refuseSeveral(body: Members, all: readonly (readonly Member[])[], context: z.RefinementCtx): void {
  const given = membersIn(body, all)
  const isTogether = given.length === 2 && given.includes('discountId') && given.includes('trialEnd')
  if (isTogether) return
  for (const member of given.slice(1))
    context.addIssue({ code: 'custom', path: [member], message: `Not together with ${snakeKey(given[0] ?? member)}.` })
}

const startErrors = [
  ...writeErrors,
  'ALREADY_ACTIVE_SUBSCRIPTION',
  'TRIAL_ALREADY_REDEEMED',
  'TOTAL_TOO_LARGE',
  'SERVICE_UNAVAILABLE',
] as const

/** Bodies, answers and refusals of the calls that create and change subscriptions. */
export const subscriptionSchemas = {
  createSubscription: {
    summary:
      'Creates a subscription without a checkout: to a free product, with a trial, paid by a saved payment method, or by invoice.',
    body: start.extend({
      /** The quote that the first order must equal. */
      quoteId: storable(512).nullish(),
    }),
    output: subscription,
    errors: [...startErrors, 'SUBSCRIPTION_CHANGE_PENDING', 'SUBSCRIPTION_PAYMENT_FAILED', 'QUOTE_CHANGED'],
  },
  previewSubscription: {
    summary: 'Previews the first order of a new subscription, and the one that follows.',
    body: start,
    output: quote,
    errors: startErrors,
  },
  previewSubscriptionChange: {
    summary:
      'Previews a change of product, quantity or discount, a cancellation or a pause, or without one the next order.',
    params: byId,
    body: z
      .object({
        ...change,
        cancelAtPeriodEnd: z.literal(true).optional(),
        revoke: z.literal(true).optional(),
        credit,
        pause: pause.optional(),
      })
      .superRefine((body, context) => refuseSeveral(body, previewed, context)),
    output: quote,
    errors: [
      ...writeErrors,
      'ALREADY_CANCELED_SUBSCRIPTION',
      'SUBSCRIPTION_NOT_ACTIVE',
      'SUBSCRIPTION_CHANGE_PENDING',
      'SUBSCRIPTION_SCHEDULED',
      'TOTAL_TOO_LARGE',
      'SERVICE_UNAVAILABLE',
    ],
  },
  updateSubscription: {
    summary:
      'Changes a subscription’s product, quantity, discount, trial or collection method, schedules or reverses a cancellation, or discards a pending change.',
    params: byId,
    body: z
      .object({
        ...change,
        /** The quote that the change must equal. */
        quoteId: storable(512).nullish(),
        cancelAtPeriodEnd: z.boolean().optional(),
        revoke: z.literal(true).optional(),
        /** Only with `revoke`. */
        credit,
        customerCancellationReason: z.enum(cancellationReasons).nullish(),
        customerCancellationComment: storable(1000).nullish(),
        /** Null discards a change that is scheduled for the end of the period. */
        pendingUpdate: z.null().optional(),
        /** Extends or shortens a trial, or ends it: `now` begins and charges the first period. */
        trialEnd: trialEndInput.optional(),
        /** Both apply from the next order on; open orders stay due as they are. */
        ...collection,
      })
      .refine((body) => membersIn(body, kinds).length > 0, {
        message:
          'Name one of product_id or quantity, discount_id, cancel_at_period_end, revoke, pending_update, trial_end, and collection_method or net_terms_days.',
      })
      .superRefine((body, context) => refuseSeveral(body, kinds, context)),
    output: subscription,
    errors: [
      ...writeErrors,
      'ALREADY_CANCELED_SUBSCRIPTION',
      'SUBSCRIPTION_NOT_ACTIVE',
      'SUBSCRIPTION_NOT_CANCELED',
      'SUBSCRIPTION_ENDED',
      'SUBSCRIPTION_CHANGE_PENDING',
      'SUBSCRIPTION_SCHEDULED',
      'SUBSCRIPTION_PAYMENT_FAILED',
      'TOTAL_TOO_LARGE',
      'QUOTE_CHANGED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  pauseSubscription: {
    summary: 'Pauses a subscription, now or at the end of its period: nothing is billed until it resumes.',
    params: byId,
    body: pause.extend({
      /** The quote that a pause with credit must equal. */
      quoteId: storable(512).nullish(),
    }),
    output: subscription,
    errors: [
      ...writeErrors,
      'QUOTE_CHANGED',
      'ALREADY_CANCELED_SUBSCRIPTION',
      'SUBSCRIPTION_NOT_ACTIVE',
      'SUBSCRIPTION_CHANGE_PENDING',
      'SUBSCRIPTION_SCHEDULED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  resumeSubscription: {
    summary: 'Resumes a paused subscription with a new period that is charged now, or cancels a pause to come.',
    params: byId,
    output: subscription,
    errors: [
      ...sellerErrors,
      'MERCHANT_NOT_APPROVED',
      'SUBSCRIPTION_ENDED',
      'SUBSCRIPTION_NOT_PAUSED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  revokeSubscription: {
    summary: 'Ends a subscription at once.',
    params: byId,
    output: subscription,
    errors: [...sellerErrors, 'ALREADY_CANCELED_SUBSCRIPTION', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<keyof typeof subscriptionCalls, Endpoint>
