import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import {
  type RemoveEnded,
  removeAnsweredRequests,
  removeEndedInvitations,
  removeEndedLinks,
} from './ended-ways-in.repository.ts'

/** Long enough to ask what became of an invitation; what happened stays in the audit log. */
const keptFor = days(90)
/** Few at a time, because nobody else writes on SQLite meanwhile; the next sweep goes on where there are more. */
const batch = 500
const roundLimit = 20

/** Removes invitations, links and requests to join that ended long ago. */
export async function sweepEndedWaysIn(ctx: Context): Promise<void> {
  const before = after(ctx.clock.now(), -keptFor)
  for (const remove of [removeEndedInvitations, removeEndedLinks, removeAnsweredRequests])
    await removeInBatches(ctx, remove, before)
}

async function removeInBatches(ctx: Context, remove: RemoveEnded, before: Date): Promise<void> {
  for (let round = 1; round <= roundLimit; round += 1)
    if ((await ctx.transaction((tx) => remove(tx, before, batch))) < batch) return
}
