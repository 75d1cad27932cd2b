import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { systemClock } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import { enqueue, revive } from '../../jobs.ts'
import { findLastEventAt, isOfProcessor, isOrganization, noteProcessorEvent } from './processor.repository.ts'
import type { ProcessorEvent, ToldByProcessor } from './processor.ts'
import { type PaidIntent, type StripeEvent, stripeEventOf } from './stripe-events.ts'
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
export async function takeStripeEvent(ctx: Context, event: StripeEvent): Promise<boolean> {
  const about = await subjectHere(ctx, event)
  if (!about) {
    if (event.paid) await reportLost(ctx, event, event.paid)
    return false
  }
  const { id, type } = event
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

/**
 * What an event is about here; nothing where it names what is not there. Of a dispute only Stripe knows what it is about, and
 * so of a refund that has an id of ours and is not here: a database that was restored has lost it, and not the money.
 */
async function subjectHere({ db }: Context, { about, otherwise }: StripeEvent): Promise<ProcessorEvent | undefined> {
  if (!about) return undefined
  if ('paymentId' in about) return (await isOfProcessor(db, 'payment', about.paymentId, 'stripe')) ? about : undefined
  const isUnknown = 'refundId' in about && !(await isOfProcessor(db, 'refund', about.refundId, 'stripe'))
  return isUnknown ? otherwise : about
}

/**
 * Money that Stripe has taken for an organization of ours, by a payment that is not here: a database that was restored from a
 * backup has lost it. Said once, with all that finds it there: only a person can say what becomes of it.
 */
async function reportLost(ctx: Context, { id, type }: StripeEvent, paid: PaidIntent): Promise<void> {
  if (!(await isOrganization(ctx.db, paid.organizationId))) return
  const event = { id, processor: 'stripe', type, createdAt: ctx.clock.now() }
  if (!(await ctx.transaction((tx) => noteProcessorEvent(tx, event)))) return
  const { intent, paymentId: payment, organizationId: organization } = paid
  ctx.log.warn({ intent, payment, organization }, 'Stripe has taken money by a payment that is not in this database')
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
