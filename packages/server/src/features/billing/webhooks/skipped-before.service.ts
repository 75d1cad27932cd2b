import { after, days, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { appliedAt } from '../../../foundation/db/migrate.ts'
import { callFor } from '../../../foundation/jobs.ts'
import { endpointJob } from './fan-out.service.ts'
import { lockAnyEndpoint } from './webhook-endpoint.repository.ts'
import { endpointsWithSkippedBodies, listSkippedBodies, requeueMessages } from './webhook-message.repository.ts'

/** Since when events of one change share a body. */
const sharedBodies = '0018-event-bodies'
/** How long after that migration a process of the version before may still run. */
const updateLasts = days(2)
/** The sweep looks this far back: more than the time between two sweeps. */
const looksBack = hours(3)
const slice = 500

/**
 * Sends what a process of the version before has skipped during an update: it finds no body in an event that shares
 * that of another one, and takes the event for deleted.
 */
export async function sendSkippedBefore(ctx: Context, now: Date): Promise<void> {
  const since = await appliedAt(ctx.database, sharedBodies)
  if (!since || after(since, updateLasts) < now) return
  const from = after(now, -looksBack)
  for (const endpointId of await endpointsWithSkippedBodies(ctx.db, from))
    await ctx.transaction(async (tx) => {
      const endpoint = await lockAnyEndpoint(tx, endpointId)
      if (!endpoint?.enabled) return
      const ids = await listSkippedBodies(tx, endpointId, from, slice)
      if (ids.length === 0) return
      await requeueMessages(tx, ids, now)
      await callFor(tx, now, endpointJob(endpoint))
    })
}
