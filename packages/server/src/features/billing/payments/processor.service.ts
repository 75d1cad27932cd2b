import { systemClock } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { enqueue, revive } from '../../../foundation/jobs.ts'
import { chunksOf } from '../../../foundation/proof/proven.ts'
import { noteAttention } from '../attention/attention.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import {
  findLastEventAt,
  isOfProcessor,
  isOrganization,
  noteProcessorEvent,
  sellerOfProcessed,
} from './processor.repository.ts'
import type { ProcessorEvent, ProcessorReport } from './processor.ts'
import { type PaidIntent, type StripeEvent, stripeEventOf } from './stripe-events.ts'
import { isSignedByStripe } from './stripe-signature.ts'

/** The installation's processors, and the one for new checkouts. */
export const listProcessors: BillingHandler<'listProcessors'> = async ({ ctx: { config, db, payments } }) => {
  const { sandbox, forNewCheckouts } = payments
  const { stripe } = config
  const lastEventAt = await findLastEventAt(db, 'stripe')
  return {
    items: [
      {
        name: 'sandbox',
        isOn: sandbox.isOn,
        isTest: true,
        takesNewCheckouts: sandbox.isOn && forNewCheckouts === sandbox,
        eventsUrl: null,
        lastEventAt: null,
      },
      {
        name: 'stripe',
        isOn: stripe !== undefined,
        isTest: stripe?.isTest ?? false,
        takesNewCheckouts: stripe !== undefined,
        eventsUrl: stripeEventsUrl(config),
        lastEventAt: lastEventAt?.toISOString() ?? null,
      },
    ],
  }
}

/** The URL for Stripe's events. */
export const stripeEventsUrl = ({ baseURL }: Pick<Context['config'], 'baseURL'>): string =>
  `${baseURL.origin}/v1/stripe/events`

/** Stripe's events are a few kilobytes; none exceeds 1 MB. */
const eventLimit = 1024 * 1024

/**
 * Accepts a Stripe event (docs.stripe.com/webhooks). The event only names an object to look up at Stripe; other event
 * types and unknown objects are accepted and ignored. Throws WEBHOOK_SIGNATURE_INVALID and BODY_TOO_LARGE.
 */
export const receiveStripeEvent: BillingHandler<'receiveStripeEvent'> = async ({ ctx, file, caller: { headers } }) => {
  const { stripe } = ctx.config
  if (!stripe) throw new TollgateError('RESOURCE_NOT_FOUND')
  const bytes = await read(file)
  const { webhookSecret: secret, webhookToleranceSeconds: toleranceSeconds } = stripe
  // Stripe uses real time, even while this server's test clock is moved.
  const isSigned = isSignedByStripe(bytes, headers.get('stripe-signature') ?? '', {
    secret,
    now: systemClock.now(),
    toleranceSeconds,
  })
  if (!isSigned) throw new TollgateError('WEBHOOK_SIGNATURE_INVALID')

  const event = stripeEventOf(bytes)
  if (event) await takeStripeEvent(ctx, event)
  return { received: true }
}

/**
 * Queues the work for an event if its object exists here, and returns whether it does. The event is recorded with its
 * job, so a redelivery changes nothing at any time: it only revives a job that has failed for good.
 */
export async function takeStripeEvent(ctx: Context, event: StripeEvent): Promise<boolean> {
  const about = await subjectHere(ctx, event)
  const organizationId = about && (await sellerOf(ctx, about))
  if (!about) {
    if (event.paid) await reportLost(ctx, event, event.paid)
    return false
  }
  const { id, type } = event
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const jobId = `stripe-event ${id}`
    const isNew = await noteProcessorEvent(tx, { id, processor: 'stripe', type, createdAt: now })
    const payload = JSON.stringify({ name: 'stripe', ...about } satisfies ProcessorReport)
    if (isNew)
      await enqueue(tx, now, { id: jobId, kind: 'processor-event', payload, ...(organizationId && { organizationId }) })
    else await revive(tx, now, { id: jobId })
  })
  return true
}

/**
 * The object of an event; undefined if it does not exist here. Only Stripe can tell what a dispute is about. The same
 * holds for a refund whose id is missing here: a restored database has lost the record, but not the money.
 */
async function subjectHere({ db }: Context, { about, otherwise }: StripeEvent): Promise<ProcessorEvent | undefined> {
  if (!about) return undefined
  if ('paymentId' in about) return (await isOfProcessor(db, 'payment', about.paymentId, 'stripe')) ? about : undefined
  const isUnknown = 'refundId' in about && !(await isOfProcessor(db, 'refund', about.refundId, 'stripe'))
  return isUnknown ? otherwise : about
}

/** Whose payment or refund an event is about; undefined where only Stripe can tell. */
async function sellerOf({ db }: Context, about: ProcessorEvent): Promise<Id<'organization'> | undefined> {
  if ('paymentId' in about) return sellerOfProcessed(db, 'payment', about.paymentId, 'stripe')
  return 'refundId' in about ? sellerOfProcessed(db, 'refund', about.refundId, 'stripe') : undefined
}

/**
 * Reports money that Stripe has taken for a known organization by an unknown payment: a database restored from a
 * backup has lost it. The attention list names it once, with all ids that find it at Stripe, because only a person can
 * resolve it.
 */
async function reportLost(ctx: Context, { id, type }: StripeEvent, paid: PaidIntent): Promise<void> {
  if (!(await isOrganization(ctx.db, paid.organizationId))) return
  const { intent, paymentId, organizationId, amount, currency } = paid
  const isNew = await ctx.transaction(async (tx) => {
    await noteProcessorEvent(tx, { id, processor: 'stripe', type, createdAt: ctx.clock.now() })
    return noteAttention(ctx, tx, {
      kind: 'unknown_payment',
      organizationId,
      processor: 'stripe',
      processorReference: intent,
      paymentId,
      refundId: null,
      amount,
      currency,
      isTest: ctx.config.stripe?.isTest ?? false,
    })
  })
  const ids = { intent, payment: paymentId, organization: organizationId }
  if (isNew) ctx.log.warn(ids, 'Stripe charged a payment that is not in this database')
}

/** The raw bytes of the body: the signature covers them, not the parsed JSON. */
async function read(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ? chunksOf(body) : []) {
      size += chunk.byteLength
      if (size > eventLimit) throw new TollgateError('BODY_TOO_LARGE')
      chunks.push(chunk)
    }
  } catch (cause) {
    // The connection ended before the body did.
    throw cause instanceof TollgateError ? cause : new TollgateError('MALFORMED_REQUEST', { cause })
  }
  return Buffer.concat(chunks)
}
