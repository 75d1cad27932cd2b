import { after, days, hours, systemClock } from '../../../foundation/clock.ts'
import type { StripeSettings } from '../../../foundation/config/stripe.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueue, type JobHandler, waitingFor } from '../../../foundation/jobs.ts'
import { findEventsReadUntil, findKnownEvents, setEventsReadUntil } from './processor.repository.ts'
import { takeStripeEvent } from './processor.service.ts'
import { stripeClient } from './stripe-client.ts'
import { type StripeEvent, stripeEventIn, stripeEventTypes } from './stripe-events.ts'

/**
 * Disputes and dashboard refunds begin at Stripe, and only events announce them. An hourly job reads Stripe's event
 * list for missed events, so a lost one is only late.
 */
export const lookBackJobId = 'read-stripe-events'

const every = hours(1)
/** The longest time span per read; the rest follows at once. */
const stretch = days(1)
/** An event may appear in the list later than its timestamp. */
const overlap = hours(1)
/** How long Stripe keeps events (docs.stripe.com/api/events). */
const kept = days(30)

/** Schedules the reading; called at each start. An already waiting job keeps its time. */
export const scheduleLookBack = (tx: Tx, now: Date): Promise<void> =>
  enqueue(tx, now, { id: lookBackJobId, kind: 'read-stripe-events', payload: '', runAt: after(now, every) })

export function createLookBackHandler(ctx: Context): JobHandler {
  const { stripe } = ctx.config
  const read = stripe && eventReader(stripe, ctx.fetch)
  return async () => {
    if (!read) return undefined
    const now = systemClock.now() // Stripe uses real time, even while the test clock is moved
    const known = await findEventsReadUntil(ctx.db)
    const since = known === undefined ? after(now, -every) : later(known, after(now, -kept))
    const until = earlier(after(since, stretch), now)
    let missed = 0
    for await (const page of read(after(since, -overlap), until)) missed += await takeMissed(ctx, page)
    if (missed > 0) ctx.log.warn({ count: missed }, 'Stripe events were missed: check the URL of its webhook endpoint')
    await ctx.transaction((tx) => setEventsReadUntil(tx, until, ctx.clock.now()))
    return until < now ? ctx.clock.now() : after(ctx.clock.now(), every)
  }
}

/** Handles the missed events of a page; returns their number. */
async function takeMissed(ctx: Context, page: readonly StripeEvent[]): Promise<number> {
  const ids = page.map(({ id }) => id)
  const known = await findKnownEvents(ctx.db, ids)
  let missed = 0
  for (const event of page) if (!known.has(event.id) && (await takeStripeEvent(ctx, event))) missed += 1
  return missed
}

/** Reads the event list of a time span page by page. */
function eventReader(settings: StripeSettings, fetchFunction: typeof fetch) {
  const client = stripeClient(settings, fetchFunction)
  return async function* (from: Date, until: Date): AsyncGenerator<StripeEvent[]> {
    let behind: string | undefined
    do {
      const page = await waitingFor(async () =>
        (await client()).events.list({
          created: { gte: inSeconds(from), lte: inSeconds(until) },
          types: [...stripeEventTypes],
          limit: 100,
          ...(behind !== undefined && { starting_after: behind }),
        }),
      )
      yield page.data.map(stripeEventIn).filter((event) => event !== undefined)
      behind = page.has_more ? page.data.at(-1)?.id : undefined
    } while (behind !== undefined)
  }
}

const inSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)
const later = (a: Date, b: Date): Date => (a > b ? a : b)
const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
