import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import { answeredRequests, type EndedWaysIn, endedInvitations, endedLinks } from './ended-ways-in.repository.ts'

/** Long enough to ask what became of an invitation; what happened stays in the audit log. */
const keptFor = days(90)
/** Few at a time, because nobody else writes on SQLite meanwhile; the next sweep goes on where there are more. */
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
