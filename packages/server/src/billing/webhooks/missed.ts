import type { Tx } from '../../db/database.ts'
import { type EndpointRow, updateEndpointRow } from './webhook-endpoint.repository.ts'
import { oldestPending, skipPending } from './webhook-message.repository.ts'

/** The earlier of two moments, where there are two. */
export const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

/**
 * Gives up what waits for an endpoint that is off, and notes since when it has missed something, so that all of it can be
 * sent again once it is on: from the oldest event that waited; at the latest from now on.
 */
export async function skipWaiting(tx: Tx, { id, missedSince }: EndpointRow, now: Date): Promise<EndpointRow> {
  const oldest = (await oldestPending(tx, id)) ?? now
  await skipPending(tx, id, now)
  return updateEndpointRow(tx, id, { missedSince: earlier(missedSince, oldest) })
}
