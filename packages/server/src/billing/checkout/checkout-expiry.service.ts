import { after, hours } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { type JobHandler, restart } from '../../jobs.ts'
import { type CheckoutRow, expireCheckouts, forgetCheckouts, nextCheckoutExpiry } from './checkout.repository.ts'
import { emitCheckout, readSales } from './checkout-view.ts'

/** The one job: its id keeps it single, whatever number of processes run. */
const jobId = 'expire-checkouts'

/** Few at a time, because nobody else writes on SQLite meanwhile. */
const batch = 100

/**
 * Sees to it that open checkouts whose time ends before the next sweep are ended with it (CHK-9). Their buyers are refused
 * from that moment on in any case.
 */
export async function scheduleCheckoutExpiry(ctx: Context, nextSweep: Date): Promise<void> {
  const next = await nextCheckoutExpiry(ctx.db)
  if (next && next <= nextSweep)
    await ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: jobId, kind: 'expire-checkouts' }))
}

/** Ends checkouts whose time is over, and waits for the next one; those of later than an hour are left to the sweep. */
export function createCheckoutExpiryHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    if ((await expireBatch(ctx)) === batch) return now
    const next = await nextCheckoutExpiry(ctx.db)
    return next && next <= after(now, hours(1)) ? next : undefined
  }
}

/** Ends the checkouts of one seller whose time is over; when the time of the next one is, if there is one. */
export async function endCheckouts(ctx: Context, organizationId: string): Promise<Date | undefined> {
  while ((await expireBatch(ctx, organizationId)) === batch);
  return nextCheckoutExpiry(ctx.db, organizationId)
}

/**
 * Removes checkouts that visitors have begun and left, some days after their time, with their events: anybody may begin as
 * many as the limits let them, and they would fill the database for good. Both events of their end are told all the same,
 * because whoever keeps a list of checkouts elsewhere waits for one or the other.
 */
export async function forgetVisits(ctx: Context): Promise<void> {
  for (;;) {
    const forgotten = await ctx.transaction((tx) => forgetCheckouts(tx, ctx.clock.now(), batch))
    if (forgotten < batch) return
  }
}

async function expireBatch(ctx: Context, organizationId?: string): Promise<number> {
  return ctx.transaction(async (tx) => {
    const expired = await expireCheckouts(tx, ctx.clock.now(), batch, organizationId)
    for (const [sellerId, rows] of bySeller(expired)) {
      const sales = await readSales(tx, sellerId, rows)
      for (const row of rows) {
        const sale = sales.get(row.id)!
        await emitCheckout(ctx, tx, null, 'checkout.updated', row, sale)
        await emitCheckout(ctx, tx, null, 'checkout.expired', row, sale)
      }
    }
    return expired.length
  })
}

function bySeller(rows: readonly CheckoutRow[]): Map<string, CheckoutRow[]> {
  const found = new Map<string, CheckoutRow[]>()
  for (const row of rows) found.set(row.organizationId, [...(found.get(row.organizationId) ?? []), row])
  return found
}
