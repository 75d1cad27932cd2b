import { monotonic, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { nextDueJob } from '../../foundation/jobs.ts'
import { features } from '../features.ts'
import { saveClockOffset } from './dev.repository.ts'

/** Milliseconds between two lines about a long way. */
const reportPeriod = seconds(1)

/**
 * Moves the development clock forward to a time, and stops at each moment on the way at which a job or a row falls due:
 * it sees the clock at its own time. Periodic jobs run at these stops. The clock's place is saved before the jobs of a
 * stop run, so a server that is killed on the way starts at that stop.
 *
 * @returns false where the clock cannot be moved.
 */
export async function moveClock(ctx: Context, target: Date): Promise<boolean> {
  let reportedAt = monotonic()
  // What is due already, such as after a start, happens before.
  await ctx.jobs.runDue()
  for (let stops = 0; ; stops += 1) {
    const now = ctx.clock.now()
    const moment = now < target ? await nextMoment(ctx, now, target) : undefined
    if (!(await moveTo(ctx, moment ?? target))) return false
    await ctx.jobs.runDue()
    if (moment === undefined) return true
    if (monotonic() - reportedAt < reportPeriod) continue
    reportedAt = monotonic()
    ctx.log.info({ now: ctx.clock.now(), target, stops: stops + 1 }, 'The clock is moving')
  }
}

/** The first moment after `now`, and not after the target, at which a job or a feature's row falls due. */
export async function nextMoment(ctx: Context, now: Date, target: Date): Promise<Date | undefined> {
  const moments = await Promise.all([nextDueJob(ctx.db, now), ...features.map(({ nextDue }) => nextDue?.(ctx))])
  const ahead = moments
    .flat()
    .filter((moment) => moment !== undefined)
    .filter((moment) => moment > now && moment <= target)
  return ahead.sort((a, b) => a.getTime() - b.getTime())[0]
}

async function moveTo(ctx: Context, moment: Date): Promise<boolean> {
  // While jobs ran, the clock may have passed the moment by itself.
  const distance = Math.max(0, moment.getTime() - ctx.clock.now().getTime())
  if (!ctx.clock.advance(distance)) return false
  await ctx.transaction((tx) => saveClockOffset(tx, ctx.clock.offset(), ctx.clock.now()))
  return true
}
