import type { Context } from '../../../foundation/context.ts'
import { deleteEventsOfSeller, nextSellerWithEvents } from './timeline.repository.ts'

/** Small batches, because on SQLite other writers wait for each one. */
const batch = 500

/** Deletes the events of sales from before a time, one seller after the other. Events of accounts are kept. */
export async function forgetSalesEvents(ctx: Context, before: Date): Promise<void> {
  for (let seller = await nextSellerWithEvents(ctx.db); seller; seller = await nextSellerWithEvents(ctx.db, seller)) {
    const organizationId = seller
    const forget = () => ctx.transaction((tx) => deleteEventsOfSeller(tx, organizationId, before, batch))
    while ((await forget()) >= batch);
  }
}
