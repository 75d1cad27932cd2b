import type { Tx } from '../../../foundation/db/database.ts'
import { type EndpointRow, updateEndpointRow } from './webhook-endpoint.repository.ts'
import { oldestPending, skipPending } from './webhook-message.repository.ts'

/** The earlier of two times; null counts as none. */
export const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

/**
 * Skips the pending messages of a disabled endpoint and records since when it misses events, so that a replay can send
 * them all later. That is the time of the oldest pending event, or now if there is none.
 */
export async function skipWaiting(tx: Tx, { id, missedSince }: EndpointRow, now: Date): Promise<EndpointRow> {
  const oldest = (await oldestPending(tx, id)) ?? now
  await skipPending(tx, id, now)
  return updateEndpointRow(tx, id, { missedSince: earlier(missedSince, oldest) })
}
