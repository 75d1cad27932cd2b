import { after, days, hours, systemClock } from '../../clock.ts'
import type { StripeSettings } from '../../config/stripe.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueue, type JobHandler, waitingFor } from '../../jobs.ts'
import { findEventsReadUntil, findKnownEvents, setEventsReadUntil } from './processor.repository.ts'
import { takeStripeEvent } from './processor.service.ts'
import { stripeClient } from './stripe-client.ts'
import { type StripeEvent, stripeEventIn, stripeEventTypes } from './stripe-events.ts'

/**
 * What began at Stripe, such as a dispute or a refund by its own pages, is known here by its event alone. Every hour the list
 * of Stripe's events is read for those that have not come, so that a lost one is only late.
 */
export const lookBackJobId = 'read-stripe-events'

const every = hours(1)
/** How far the list is read at once; the rest at once behind it. */
const stretch = days(1)
/** An event may stand in the list later than its time says. */
const overlap = hours(1)
/** For so long Stripe keeps its events (docs.stripe.com/api/events). */
const kept = days(30)

/** Sees to it that the list is read; called at each start. One that waits from before keeps its time. */
export const scheduleLookBack = (tx: Tx, now: Date): Promise<void> =>
  enqueue(tx, now, { id: lookBackJobId, kind: 'read-stripe-events', payload: '', runAt: after(now, every) })

export function createLookBackHandler(ctx: Context): JobHandler {
  const { stripe } = ctx.config
  const read = stripe && eventReader(stripe, ctx.fetch)
  return async () => {
    if (!read) return undefined
    const now = systemClock.now() // Stripe's time is real, whatever our own clock has been moved to
    const known = await findEventsReadUntil(ctx.db)
    const since = known === undefined ? after(now, -every) : later(known, after(now, -kept))
    const until = earlier(after(since, stretch), now)
    let missed = 0
    for await (const page of read(after(since, -overlap), until)) missed += await takeMissed(ctx, page)
    if (missed > 0)
      ctx.log.warn({ count: missed }, 'events of Stripe had not come, and were found: does its endpoint lead here?')
    await ctx.transaction((tx) => setEventsReadUntil(tx, until, ctx.clock.now()))
    return until < now ? ctx.clock.now() : after(ctx.clock.now(), every)
  }
}

/** Does what the events of a page ask for that have not come; how many that are. */
async function takeMissed(ctx: Context, page: readonly StripeEvent[]): Promise<number> {
  const ids = page.map(({ id }) => id)
  const known = await findKnownEvents(ctx.db, ids)
  let missed = 0
  for (const event of page) if (!known.has(event.id) && (await takeStripeEvent(ctx, event))) missed += 1
  return missed
}

/** Reads the list of a time page by page. */
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
