import { type RawBuilder, sql } from 'kysely'

/**
 * The body of an event, in a query of `event`: its own payload, or that of the event of its transaction that holds it.
 * Read the column `payload` by this function only, or events that share a body look empty.
 */
export const bodyOfEvent = (): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce(event.payload, (select holder.payload from event as holder where holder.id = event.payload_of))`
