import { forgetVisits, scheduleCheckoutExpiry } from './billing/checkout/checkout-expiry.service.ts'
import { forgetDeliveries } from './billing/webhooks/webhook.service.ts'
import { after, days, hours } from './clock.ts'
import type { Context } from './context.ts'
import { type JobHandler, moneyKinds, tryMoneyAgain } from './jobs.ts'
import { sweepEndedWaysIn } from './organization/ended-ways-in.service.ts'

/** The one recurring job: its id keeps it single, whatever number of processes run. */
export const sweepJobId = 'sweep'

/** Long enough to find out why a job died, and a mail that is a month late helps nobody. */
const deadJobsKeptFor = days(30)

/** Whoever follows a link too late is told that it was too late, not that it never was one. */
const expiredLinksKeptFor = days(1)

/** Processors send an event again for a few days; one that is older is looked up again, and changes nothing. */
const processorEventsKeptFor = days(30)

/** What was sent to webhook endpoints, and what they answered. */
const deliveriesKeptFor = days(30)

/**
 * Removes what has run out: expired sessions, proofs, counters and keys, what billing remembers for a while, jobs long dead,
 * and ways into organizations that ended long ago. Tries again what looks after money and has failed. Run hourly.
 */
export function createSweepHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await tx.deleteFrom('session').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('verification').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('magicLink').where('expiresAt', '<=', after(now, -expiredLinksKeptFor)).execute()
      await tx.deleteFrom('rateLimit').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('idempotencyKey').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('customerSession').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('sandboxToken').where('expiresAt', '<=', now).execute()
      await tx.deleteFrom('processorEvent').where('createdAt', '<=', after(now, -processorEventsKeptFor)).execute()
      await tx.deleteFrom('jwks').where('retiresAt', '<=', now).execute()
      await tx
        .deleteFrom('job')
        .where('deadAt', '<=', after(now, -deadJobsKeptFor))
        .where('kind', 'not in', moneyKinds)
        .execute()
    })
    await sweepEndedWaysIn(ctx)
    await forgetVisits(ctx)
    await forgetDeliveries(ctx, after(now, -deliveriesKeptFor))
    await scheduleCheckoutExpiry(ctx, after(now, hours(1)))
    ctx.limits.sweep()
    await ctx.transaction((tx) => tryMoneyAgain(tx, now))
    return after(now, hours(1))
  }
}
