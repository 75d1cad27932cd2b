import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { systemClock } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import { enqueue, revive } from '../../jobs.ts'
import { findLastEventAt, isOfProcessor, noteProcessorEvent } from './processor.repository.ts'
import type { ProcessorEvent, ToldByProcessor } from './processor.ts'
import { type StripeEvent, stripeEventOf } from './stripe-events.ts'
import { isSignedByStripe } from './stripe-signature.ts'

/** The processors of this installation, and which of them new checkouts are paid by. */
export async function listProcessors({ config, db, payments }: Context): Promise<BillingAnswer<'listProcessors'>> {
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

/** Where Stripe has to send its events. */
export const stripeEventsUrl = ({ baseURL }: Pick<Context['config'], 'baseURL'>): string =>
  `${baseURL.origin}/v1/stripe/events`

/** Stripe's events are some kilobytes; 1 MB is more than any of them. */
const eventLimit = 1024 * 1024

/**
 * Takes an event of Stripe's (docs.stripe.com/webhooks). It only says about what Stripe is to be
 * asked; events of other kinds, and about what is not ours, are taken and left. Refuses with WEBHOOK_SIGNATURE_INVALID and BODY_TOO_LARGE.
 */
export async function receiveStripeEvent(
  ctx: Context,
  body: ReadableStream<Uint8Array> | null,
  headers: Headers,
): Promise<BillingAnswer<'receiveStripeEvent'>> {
  const { stripe } = ctx.config
  if (!stripe) throw new TollgateError('RESOURCE_NOT_FOUND')
  const bytes = await read(body)
  const { webhookSecret: secret, webhookToleranceSeconds: toleranceSeconds } = stripe
  // Stripe's time is real, whatever our own clock has been moved to.
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
 * Leaves to do what an event asks for, where that is about something of ours, and answers whether it is. It is noted with its
 * work, so that the same event again changes nothing, at whatever moment: it only calls for work that has failed for good.
 */
export async function takeStripeEvent(ctx: Context, { id, type, about }: StripeEvent): Promise<boolean> {
  if (!about || !(await isOurs(ctx, about))) return false
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const jobId = `stripe-event ${id}`
    const isNew = await noteProcessorEvent(tx, { id, processor: 'stripe', type, createdAt: now })
    const payload = JSON.stringify({ name: 'stripe', ...about } satisfies ToldByProcessor)
    if (isNew) await enqueue(tx, now, { id: jobId, kind: 'processor-event', payload })
    else await revive(tx, now, { id: jobId })
  })
  return true
}

/** Whether an event names something that is there. Of a dispute only Stripe knows what it is about. */
async function isOurs({ db }: Context, about: ProcessorEvent): Promise<boolean> {
  if ('paymentId' in about) return isOfProcessor(db, 'payment', about.paymentId, 'stripe')
  return 'refundId' in about ? isOfProcessor(db, 'refund', about.refundId, 'stripe') : true
}

/** All bytes as they came: what is signed is not what they mean. */
async function read(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
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
