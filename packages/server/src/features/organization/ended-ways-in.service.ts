import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { answeredRequests, type EndedWaysIn, endedInvitations, endedLinks } from './ended-ways-in.repository.ts'

/** Kept long enough to ask what became of an invitation; the audit log keeps the event. */
const keptFor = days(90)
/** Small batches, because a transaction blocks all other writers on SQLite; the next sweep continues. */
const batch = 500
const roundLimit = 20

/** Removes invitations, links and requests to join that ended long ago. */
export async function sweepEndedWaysIn(ctx: Context): Promise<void> {
  const before = after(ctx.clock.now(), -keptFor)
  for (const ended of [endedInvitations, endedLinks, answeredRequests])
    if (await ended.exist(ctx.db, before)) await removeInBatches(ctx, ended, before)
}

async function removeInBatches(ctx: Context, { remove }: EndedWaysIn, before: Date): Promise<void> {
  for (let round = 1; round <= roundLimit; round += 1)
    if ((await ctx.transaction((tx) => remove(tx, before, batch))) < batch) return
}
