import { features } from '../features/features.ts'
import { after, days } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { forgetAnswers } from '../foundation/http/idempotency.ts'
import { forgetCounters } from '../foundation/http/rate-limit.ts'
import { forgetDeadJobs, type JobHandler, restart, sweepPeriod, tryMoneyAgain } from '../foundation/jobs.ts'

/** The job's id: it keeps the sweep single, however many processes run. */
export const sweepJobId = 'sweep'

/** Leaves time to find out why a job died. */
const deadJobsKeptFor = days(30)

/** Makes the sweep due. Runs at each start. */
export const scheduleSweep = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: sweepJobId, kind: 'sweep' }))

/** Lets each feature remove what has run out, and retries dead jobs that look after money. Runs hourly. */
export function createSweepHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await forgetCounters(tx, now)
      await forgetAnswers(tx, now)
      await forgetDeadJobs(tx, after(now, -deadJobsKeptFor))
    })
    ctx.limits.sweep()
    for (const { sweep } of features) await sweep?.(ctx, now)
    await ctx.transaction((tx) => tryMoneyAgain(tx, now))
    return after(now, sweepPeriod)
  }
}
